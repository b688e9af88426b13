"""`spadille import-slips`: a club's slips become tables that the other commands read as they are."""

import os
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.cli.deals import answers, run

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


def imported(path: Path, *arguments: str) -> bytes:
    """What a sheet is as JSON Lines."""
    result = run("import-slips", str(path), *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def test_a_danish_evening_from_a_spreadsheet_has_a_ledger_without_a_finding() -> None:
    told = run("ledger", "--lang", "da", "-", given=imported(TORSDAG)).stdout
    assert told.startswith("L'hombreklubben Spar Es\nDansk L'hombre-Union (DLU) · Ærø, Bo, Søren, Dorthe · ")
    assert "1  Dorthe  solo i hjerter: Søren vandt        −3         +6      −3" in told
    assert STANDINGS in told
    assert "Fejl" not in told


def test_a_deal_has_the_same_id_at_each_import_and_another_on_another_evening(tmp_path: Path) -> None:
    assert imported(TORSDAG) == imported(TORSDAG)
    other = tmp_path / "slips.csv"
    other.write_bytes(TORSDAG.read_bytes().replace(b"19-11-2026", b"26-11-2026"))
    first, second = (set(re.findall(rb'"id":"(.{36})"', imported(file))) for file in (TORSDAG, other))
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


def test_a_fault_is_told_with_its_place_and_the_rest_is_written(tmp_path: Path) -> None:
    sheet, out = tmp_path / "slips.csv", tmp_path / "evening.jsonl"
    sheet.write_text(ANNA_WINS + "Anna,Bo,Carl,Dora,solo,5\nAnna,Bo,Carl,Bo,solo,6\n", encoding="utf-8")
    result = run("import-slips", str(sheet), "-o", str(out))
    assert result.exit_code == 2
    assert result.stderr == (
        f'{sheet}, row 4, column D (declarer): In place of "Dora", write one of Anna, Bo, Carl, '
        "or forehand, middlehand, backhand.\n"
        f"{sheet}: 2 deals at 1 table; 1 row left out.\n"
    )
    told = answers(run("ledger", "--format", "json", str(out)))[0]
    assert [(line["number"], line["decided"]) for line in told["lines"]] == [(1, True), (2, False), (3, True)]
    assert [one["code"] for one in told["findings"]] == ["incomplete", "seating_mismatch"]


def test_many_faults_are_counted_and_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    sheet = (ANNA_WINS + "Anna,Bo,Carl,Dora,solo,5\n" * 150).encode()
    result = run("import-slips", "nowhere.csv", str(tmp_path), "-", given=sheet)
    assert result.exit_code == 2
    assert "“nowhere.csv”" in result.stderr and f"“{tmp_path}”" in result.stderr
    assert "standard input: there are 50 more such problems.\n" in result.stderr
    assert "standard input: 1 deal at 1 table; 150 rows left out.\n" in result.stderr
    assert b'"type":"table_opened"' in result.stdout_bytes


def test_a_sheet_that_cannot_be_read_leaves_the_output_file_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "evening.jsonl"
    out.write_text("what was there", encoding="utf-8")
    result = run("import-slips", "-", "-o", str(out), given=b"PK\x03\x04 and so on")
    assert result.exit_code == 2
    assert "This is a workbook; save it from the spreadsheet as CSV" in result.stderr
    assert out.read_text(encoding="utf-8") == "what was there"


def test_a_failure_leaves_the_output_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "evening.jsonl"
    out.write_text("what was there", encoding="utf-8")
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(28, "No space left on device")))
    result = run("import-slips", "-", "-o", str(out), given=ANNA_WINS.encode())
    assert (result.exit_code, out.read_text(encoding="utf-8")) == (74, "what was there")
    assert os.listdir(tmp_path) == ["evening.jsonl"]
