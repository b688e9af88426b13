"""``spadille import-slips --store``: slips and logs become records, the same ones however often."""

from pathlib import Path

import orjson

from service.eventstore import SqliteStore
from tests.support.api.club_rules import dearer
from tests.support.api.everything import OTHER, bare, filled
from tests.support.cli.deals import OPEN, SLIP, jsonl, run

SHEET = "forehand;middlehand;backhand;declarer;contract;trump;tricks\nAnna;Bo;Carl;Bo;solo;hearts;5\n"
MORE = "Bo;Carl;Anna;Anna;solo;clubs;6\n" * 3


def test_slips_and_logs_become_records_once(tmp_path: Path) -> None:
    sheet, log, text = tmp_path / "club.csv", tmp_path / "two.jsonl", tmp_path / "one.deal"
    # The id of the second deal was once also that of the table's second entry.
    sheet.write_text(SHEET + MORE)
    log.write_bytes(jsonl(SLIP, OPEN))
    text.write_text("Deal: Last\nRules: dlu\nPlayers: Anna, Bo, Carl\nResult M solo H tricks 3-4-2\n")
    command = ["import-slips", str(sheet), str(log), str(text), "--ruleset", "dlu", "--store", str(tmp_path)]
    first, again = run(*command), run(*command)
    assert (first.exit_code, first.stdout) == (0, "")
    entries = 5 + 4 * 2 + len(SLIP) + len(OPEN) + 2  # the table's, its deals', and those of the three logs
    assert first.stderr.endswith(f"Records: 8; entries that were not there before: {entries}.\n")
    assert again.stderr.endswith("Records: 8; entries that were not there before: 0.\n")
    with SqliteStore(tmp_path / "spadille.db") as store:
        (table,) = store.streams(kind="table")
    exported = run("export", "--format", "jsonl", "--store", str(tmp_path), "--table", table.stream)
    assert exported.stdout.count("deal_opened") == 4


def test_a_store_that_is_in_use_is_told(tmp_path: Path) -> None:
    log = tmp_path / "one.jsonl"
    log.write_bytes(jsonl(SLIP))
    with SqliteStore(tmp_path / "spadille.db"):
        result = run("import-slips", str(log), "--store", str(tmp_path))
    assert result.exit_code == 2 and "in use" in result.stderr.lower(), result.stderr
    result = run("import-slips", str(log), "-o", str(tmp_path / "x"), "--store", str(tmp_path))
    assert result.exit_code == 2 and "-o" in result.stderr


def test_a_whole_store_goes_into_an_empty_one(tmp_path: Path) -> None:
    """With the club's own rules, a table with its deals, and deals alone; as often as one likes."""
    one, two, file = tmp_path / "one", tmp_path / "two", tmp_path / "all.jsonl"
    one.mkdir()
    two.mkdir()
    with SqliteStore(one / "spadille.db") as store:
        filled(store)
        events = store.head()
    SqliteStore(two / "spadille.db").close()
    empty = run("export", "--all", "--store", str(two))
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert run("export", "--all", "--store", str(one), "-o", str(file)).exit_code == 0
    first, again = (run("import-slips", str(file), "--store", str(two)) for _ in range(2))
    assert (first.exit_code, again.exit_code) == (0, 0), first.stderr
    assert "our-club, revision 1: published.\nour-club, revision 2: published.\n" in first.stderr
    assert "our-club, revision 1: there already.\n" in again.stderr
    assert first.stderr.endswith(f"Records: 7; entries that were not there before: {events - 2}.\n")
    assert again.stderr.endswith("Records: 7; entries that were not there before: 0.\n")
    back = run("export", "--all", "--store", str(two)).stdout
    assert bare(back) == bare(file.read_text("utf-8"))
    sheet = run("export", "--store", str(two), "--table", OTHER)
    assert "\nruleset,our-club\nrevision,1\n" in sheet.stdout


def test_what_cannot_be_imported_is_named_and_the_rest_is_imported(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "spadille.db") as store:
        filled(store)
    line = {"type": "ruleset_published", "ruleset": {"id": "our-club", **dearer(7), "revision": 1}}
    bad = {"type": "ruleset_published", "ruleset": {"id": "dlu"}}
    file = tmp_path / "some.jsonl"
    unread = b'{"type":"deal_opened","ruleset":7}\n'
    file.write_bytes(orjson.dumps(line) + b"\n" + orjson.dumps(bad) + b"\n" + unread + jsonl(SLIP))
    result = run("import-slips", str(file), "--store", str(tmp_path))
    assert result.exit_code == 2
    assert "some.jsonl, Revision 1 of our-club is there already" in result.stderr
    assert "some.jsonl, line 2, column 45: At /ruleset/id" in result.stderr
    assert "some.jsonl, line 3" in result.stderr
    assert "Records: 1;" in result.stderr
