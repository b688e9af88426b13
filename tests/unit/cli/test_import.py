"""`spadille import-slips`: slips become tables; with `--store`, slips and logs become records."""

import os
import re
from pathlib import Path
from unittest.mock import Mock

import orjson
import pytest

from service.auth.grants import Member
from service.auth.register_factory import open_access_register
from service.cli.io import sheet_import
from service.eventstore import SqliteStore
from tests.support.api.club_rules import dearer
from tests.support.api.everything import OTHER, bare, client_with_everything
from tests.support.cli.deals import OPEN, SLIP, answers, jsonl, lacking, refusal, run

TORSDAG = Path(__file__).parent / "sheets" / "torsdag.csv"
ANNA_WINS = (
    "ruleset,dlu\nforehand,middlehand,backhand,declarer,contract,tricks\nAnna,Bo,Carl,Anna,spade-solo,5\n"
)

STANDINGS = """\
Stillingen
  1  Søren   +5   1,25 kr.
  2  Ærø     −1  −0,25 kr.
  3  Bo      −2  −0,50 kr.
  3  Dorthe  −2  −0,50 kr.
"""


def import_slips(path: Path, *arguments: str) -> bytes:
    result = run("import-slips", str(path), *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def test_a_danish_evening_from_a_spreadsheet_has_a_ledger_without_a_finding() -> None:
    told = run("ledger", "--lang", "da", "-", given=import_slips(TORSDAG)).stdout
    assert told.startswith(
        "L'hombreklubben Spar Es\n19. november 2026 · Dansk L'hombre-Union (DLU) · Ærø, Bo, Søren, Dorthe · "
    )
    assert "1  Dorthe  solo i hjerter: Søren vandt        −3         +6      −3" in told
    assert STANDINGS in told
    assert "Fejl" not in told


def test_a_deal_has_the_same_id_at_each_import_and_another_on_another_evening(tmp_path: Path) -> None:
    assert import_slips(TORSDAG) == import_slips(TORSDAG)
    other = tmp_path / "slips.csv"
    other.write_bytes(TORSDAG.read_bytes().replace(b"19-11-2026", b"26-11-2026"))
    first, second = (set(re.findall(rb'"id":"(.{36})"', import_slips(file))) for file in (TORSDAG, other))
    assert len(first) == len(second) == 7
    assert not first & second


def test_settings_may_be_options_instead_of_rows() -> None:
    sheet = b"forhaand;mellemhaand;baghaand;melder;melding;stik\nA;C;D;A;solo spar;5\n"
    result = run(
        "import-slips", "-", "--ruleset", "dlu", "--set", "sitter-pays=true", "--title", "Torsdag",
        "--players", "A, B, C, D", "--chip-value", "0,5", "--currency", "kr", given=sheet,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    told = answers(run("ledger", "--format", "json", "-", given=result.stdout_bytes))[0]
    assert told["totals"] == {"A": 12, "B": -4, "C": -4, "D": -4}
    assert told["standings"][0]["money"] == "6.0"
    assert told["title"] == "Torsdag"


def test_a_fault_is_reported_with_its_place_and_the_rest_is_written(tmp_path: Path) -> None:
    sheet, out = tmp_path / "slips.csv", tmp_path / "evening.jsonl"
    sheet.write_text(ANNA_WINS + "Anna,Bo,Carl,Dora,solo,5\nAnna,Bo,Carl,Bo,solo,6\n", encoding="utf-8")
    result = run("import-slips", str(sheet), "-o", str(out))
    assert result.exit_code == 2
    assert result.stderr == (
        f'{sheet}, deal 2, row 4, column D (declarer): In place of "Dora", write one of Anna, Bo, Carl, '
        "or forehand, middlehand, backhand.\n"
        f"{sheet}: 2 deals at 1 table; 1 row left out.\n"
    )
    told = answers(run("ledger", "--format", "json", str(out)))[0]
    assert [(line["number"], line["decided"]) for line in told["lines"]] == [(1, True), (2, False), (3, True)]
    assert [one["code"] for one in told["findings"]] == ["incomplete", "seating_mismatch"]


def test_many_faults_are_counted_and_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    sheet = (ANNA_WINS + "".join(f"Anna,Bo,Carl,Dora {n},solo,5\n" for n in range(150))).encode()
    result = run("import-slips", "nowhere.csv", str(tmp_path), "-", given=sheet)
    assert result.exit_code == 2
    assert "“nowhere.csv”" in result.stderr and f"“{tmp_path}”" in result.stderr
    assert "standard input: 130 more such problems.\n" in result.stderr
    assert "standard input: 1 deal at 1 table; 150 rows left out.\n" in result.stderr
    assert b'"type":"table_opened"' in result.stdout_bytes


def test_a_sheet_that_cannot_be_read_and_a_failure_leave_the_output_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "evening.jsonl"
    out.write_text("what was there", encoding="utf-8")
    says = refusal("import-slips", "-", "-o", str(out), given=b"PK\x03\x04 and so on")
    assert "This is a workbook; save it from the spreadsheet as CSV" in says
    assert out.read_text(encoding="utf-8") == "what was there"
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(28, "No space left on device")))
    result = run("import-slips", "-", "-o", str(out), given=ANNA_WINS.encode())
    assert (result.exit_code, out.read_text(encoding="utf-8")) == (74, "what was there")
    assert os.listdir(tmp_path) == ["evening.jsonl"]


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
    assert first.stderr.endswith(f"Records: 8; new entries: {entries}.\n")
    assert "Anna, Bo, Carl is there already, with the same slips: nothing is added.\n" in again.stderr
    assert again.stderr.endswith("Records: 3; new entries: 0.\n")
    with SqliteStore(tmp_path / "spadille.db") as store:
        (table,) = store.list_streams(kind="table")
    exported = run("export", "--format", "jsonl", "--store", str(tmp_path), "--table", table.stream)
    assert exported.stdout.count("deal_opened") == 4
    assert "-o" in refusal(*command, "-o", str(tmp_path / "x"))


def test_a_whole_store_goes_into_an_empty_one(tmp_path: Path) -> None:
    """With the club's own rules, a table with its deals, and deals alone; as often as one likes."""
    one, two, file = tmp_path / "one", tmp_path / "two", tmp_path / "all.jsonl"
    one.mkdir()
    two.mkdir()
    with SqliteStore(one / "spadille.db") as store:
        client_with_everything(store)
        events = store.head()
    SqliteStore(two / "spadille.db").close()
    empty = run("export", "--all", "--store", str(two))
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert run("export", "--all", "--store", str(one), "-o", str(file)).exit_code == 0
    first, again = (run("import-slips", str(file), "--store", str(two)) for _ in range(2))
    assert (first.exit_code, again.exit_code) == (0, 0), first.stderr
    assert "our-club, revision 1: published.\nour-club, revision 2: published.\n" in first.stderr
    assert "our-club, revision 1: already published.\n" in again.stderr
    assert first.stderr.endswith(f"Records: 7; new entries: {events - 2}.\n")
    assert again.stderr.endswith("Records: 7; new entries: 0.\n")
    assert bare(run("export", "--all", "--store", str(two)).stdout) == bare(file.read_text("utf-8"))
    assert "\nruleset,our-club\nrevision,1\n" in run("export", "--store", str(two), "--table", OTHER).stdout


def test_what_cannot_be_imported_is_named_and_the_rest_is_imported(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "spadille.db") as store:
        client_with_everything(store)
    line = {"type": "ruleset_published", "ruleset": {"id": "our-club", **dearer(7), "revision": 1}}
    bad = {"type": "ruleset_published", "ruleset": {"id": "dlu"}}
    file = tmp_path / "some.jsonl"
    unread = b'{"type":"deal_opened","ruleset":7}\n'
    file.write_bytes(orjson.dumps(line) + b"\n" + orjson.dumps(bad) + b"\n" + unread + jsonl(SLIP))
    assert lacking(refusal("import-slips", str(file), "--store", str(tmp_path)), (
        "some.jsonl, Revision 1 of our-club already exists", "Records: 1;",
        "some.jsonl, line 2, column 45: At /ruleset/id", "some.jsonl, line 3",
    )) == []  # fmt: skip


EVENING = (
    "title;Torsdag\nruleset;dlu\nnumber;dealer;forehand;middlehand;backhand;declarer;contract;trump;tricks\n"
    "1;Carl;Anna;Bo;Carl;Bo;solo;hearts;5\n2;Anna;Bo;Carl;Anna;Carl;tourne;clubs;4-3-2\n"
)
CORRECTED = EVENING.replace("4-3-2", "3-4-2") + "3;Bo;Carl;Anna;Bo;;pass;;\n"


def totals(store: Path) -> list[dict[str, int]]:
    """The totals of each table."""
    with SqliteStore(store / "spadille.db") as opened:
        tables = [info.stream for info in opened.list_streams(kind="table")]
    logs = [run("export", "--store", str(store), "--format", "jsonl", "--table", one) for one in tables]
    return [
        answers(run("ledger", "--format", "json", "-", given=one.stdout_bytes))[0]["totals"] for one in logs
    ]


def test_a_corrected_sheet_is_compared_and_then_corrects_or_adds_as_told(tmp_path: Path) -> None:
    sheet, command = (
        tmp_path / "club.csv",
        ["import-slips", str(tmp_path / "club.csv"), "--data", str(tmp_path)],
    )
    sheet.write_text(EVENING)
    assert run(*command).exit_code == 0
    before = totals(tmp_path)
    sheet.write_text(CORRECTED)
    asked = run(*command)
    assert asked.exit_code == 1
    assert asked.stderr.endswith(
        "Torsdag, Anna, Bo, Carl is there already. This sheet says something else:\n"
        "  deal 2: tricks 4+3+2 → 3+4+2\n"
        "  deal 3: new\n"
        "Nothing is changed. Correct the evening with --again correct, or add the sheet as another evening "
        "with --again add.\n"
        "Records: 0; new entries: 0.\n"
    )
    assert totals(tmp_path) == before
    corrected = run(*command, "--again", "correct")
    assert corrected.exit_code == 0
    assert corrected.stderr.endswith("Records: 3; new entries: 4.\n")
    after = totals(tmp_path)
    assert len(after) == 1 and after != before
    again = run(*command, "--again", "add")
    assert "with the same slips: nothing is added" in again.stderr
    assert totals(tmp_path) == after
    sheet.write_text(EVENING)
    assert run(*command, "--again", "add").exit_code == 0
    assert totals(tmp_path) == [*after, *before]
    assert "--store" in refusal("import-slips", str(sheet), "--again", "add")


def test_an_evening_that_is_set_aside_is_named_and_added_only_if_asked(tmp_path: Path) -> None:
    sheet, command = (
        tmp_path / "club.csv",
        ["import-slips", str(tmp_path / "club.csv"), "--data", str(tmp_path)],
    )
    sheet.write_text(EVENING)
    run(*command)
    with SqliteStore(tmp_path / "spadille.db") as store:
        (table,) = store.list_streams(kind="table")
    log = run("export", "--store", str(tmp_path), "--format", "jsonl", "--table", table.stream).stdout_bytes
    (own, *deals) = log.split(b'{"type":"deal_opened"')
    voided = orjson.dumps({"type": "table_voided", "reason": "Opened twice."}) + b"\n"
    file = tmp_path / "set-aside.jsonl"
    file.write_bytes(b'{"type":"deal_opened"'.join([own + voided, *deals]))
    assert run("import-slips", str(file), *command[2:]).exit_code == 0
    left = run(*command)
    assert left.exit_code == 1 and "is there already, but set aside" in left.stderr
    assert run(*command, "--again", "add").exit_code == 0 and len(totals(tmp_path)) == 2


def test_in_a_terminal_it_asks_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, command = (
        tmp_path / "club.csv",
        ["import-slips", str(tmp_path / "club.csv"), "--data", str(tmp_path)],
    )
    sheet.write_text(EVENING)
    run(*command)
    sheet.write_text(CORRECTED)
    monkeypatch.setattr(sheet_import, "is_terminal", lambda: True)
    left = run(*command, given=b"\n")
    assert left.exit_code == 1 and "[leave]" in left.stderr
    assert run(*command, given=b"correct\n").exit_code == 0
    assert "same slips" in run(*command).stderr


def test_players_of_a_sheet_are_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As at a table that is opened on the page; who may be one is asked about, or remarked on."""
    sheet, command = (
        tmp_path / "club.csv",
        ["import-slips", str(tmp_path / "club.csv"), "--data", str(tmp_path)],
    )
    with open_access_register(tmp_path / "spadille.db") as register:
        anna, carl = (register.add_member(Member("", name)).id for name in ("Anna Larsen", "Karl Holm"))
    sheet.write_text(EVENING.replace("Anna", "anna  larsen"))
    told = run(*command)
    assert told.exit_code == 0
    assert "larsen" not in told.stderr
    assert "Carl is not in the list of members. Is that Karl Holm?" in told.stderr
    assert totals(tmp_path)[0].keys() == {anna, "Bo", "Carl"}
    with SqliteStore(tmp_path / "spadille.db") as store:
        (table,) = store.list_streams(kind="table")
    exported = run("export", "--store", str(tmp_path), "--table", table.stream)
    assert "\nplayers,Anna Larsen,Bo,Carl\n" in exported.stdout
    assert "same slips" in run("import-slips", "-", *command[2:], given=exported.stdout_bytes).stderr
    sheet.write_text(CORRECTED)
    corrected = run(*command, "--again", "correct").stderr
    assert "Anna is the member Anna Larsen.\n" in corrected and "deal 2: tricks" in corrected
    assert [one.keys() for one in totals(tmp_path)] == [{anna, "Bo", "Carl"}]
    monkeypatch.setattr(sheet_import, "is_terminal", lambda: True)
    sheet.write_text(EVENING.replace("Torsdag", "Fredag"))
    asked = run(*command, given=b"y\n")
    assert "Is Carl the member Karl Holm?" in asked.stderr
    assert totals(tmp_path)[1].keys() == {anna, "Bo", carl}
    # An answer that is given at a later import is a change of the evening.
    sheet.write_text(EVENING.replace("Anna", "anna  larsen"))
    again = run(*command, "--again", "correct", "--lang", "da", given=b"j\n")
    assert "Karl Holm" in again.stderr and "intet er tilføjet" not in again.stderr
    assert totals(tmp_path)[0].keys() == {anna, "Bo", carl}
