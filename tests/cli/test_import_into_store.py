"""``spadille import --store``: slips and logs become records, the same ones however often."""

from pathlib import Path

from service.store import SqliteStore
from tests.cli.deals import OPEN, SLIP, jsonl, run

SHEET = "forehand;middlehand;backhand;declarer;contract;trump;tricks\nAnna;Bo;Carl;Bo;solo;hearts;5\n"


def test_slips_and_logs_become_records_once(tmp_path: Path) -> None:
    sheet, log, text = tmp_path / "club.csv", tmp_path / "two.jsonl", tmp_path / "one.deal"
    sheet.write_text(SHEET)
    log.write_bytes(jsonl(SLIP, OPEN))
    text.write_text("Deal: Last\nRules: dlu\nPlayers: Anna, Bo, Carl\nResult M solo H tricks 3-4-2\n")
    command = ["import", str(sheet), str(log), str(text), "--ruleset", "dlu", "--store", str(tmp_path)]
    first, again = run(*command), run(*command)
    assert (first.exit_code, first.stdout) == (0, "")
    entries = 2 + 2 + len(SLIP) + len(OPEN) + 2  # the table's, its deal's, and those of the three logs
    assert first.stderr.endswith(f"Records: 5; entries that were not there before: {entries}.\n")
    assert again.stderr.endswith("Records: 5; entries that were not there before: 0.\n")
    exported = run("export", "--format", "jsonl", "--store", str(tmp_path), "--table", table_in(tmp_path))
    assert exported.stdout.count("deal_opened") == 1


def table_in(folder: Path) -> str:
    with SqliteStore(folder / "spadille.db") as store:
        (table,) = store.streams(kind="table")
    return table.stream


def test_what_cannot_be_imported_is_told_and_the_rest_is(tmp_path: Path) -> None:
    log = tmp_path / "bad.jsonl"
    log.write_bytes(jsonl(SLIP) + b'{"type":"deal_opened","ruleset":7}\n' + jsonl(OPEN))
    result = run("import", str(log), "--store", str(tmp_path / "new.db"))
    assert result.exit_code == 2
    assert "line 3" in result.stderr and "Records: 2" in result.stderr


def test_a_store_that_is_in_use_is_told(tmp_path: Path) -> None:
    log = tmp_path / "one.jsonl"
    log.write_bytes(jsonl(SLIP))
    with SqliteStore(tmp_path / "spadille.db"):
        result = run("import", str(log), "--store", str(tmp_path))
    assert result.exit_code == 2 and "in use" in result.stderr.lower(), result.stderr


def test_a_file_and_a_store_are_not_written_both(tmp_path: Path) -> None:
    result = run("import", "-", "-o", str(tmp_path / "x"), "--store", str(tmp_path), given=SHEET.encode())
    assert result.exit_code == 2 and "-o" in result.stderr
