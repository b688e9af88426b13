"""`spadille convert` and `spadille html`: deals in another form, into files and out of pipes."""

import os
import re
from pathlib import Path

import pytest

from tests.support.cli.deals import OPEN, SLIP, jsonl, opening, refusal, run, text_of

TABLE = b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"],"seq":1}\n'
MARKS = {"id": "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e5f", "recorded_by": "Clerk", "basis": "reconstructed"}
MARKED = jsonl([{**SLIP[0], **MARKS}, *SLIP[1:]])


def converted(*options: str, given: bytes) -> bytes:
    result = run("convert", *options, "-", given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes


def test_text_is_one_empty_line_apart_and_becomes_the_same_lines_again() -> None:
    text = converted(given=jsonl(SLIP, OPEN) + TABLE)
    assert text.count(b"\n\nDeal:") == 1
    assert text.count(b"\n\nEvening:") == 1
    assert not text.startswith(b"\n")
    lines = converted("--to", "jsonl", given=text)
    assert converted("--to", "jsonl", given=jsonl(SLIP, OPEN) + TABLE) == lines
    assert converted(given=lines) == text
    assert converted(given=text) == text


def test_bookkeeping_can_be_left_out() -> None:
    whole, brief = converted(given=MARKED), converted("--bookkeeping", "brief", given=MARKED)
    assert b"Clerk" in whole and b"018f5e2a" in whole
    assert b"Clerk" not in brief and b"018f5e2a" not in brief
    assert b"reconstructed" in brief


@pytest.mark.parametrize(("name", "begins"), [("a.deal", b"Deal:"), ("a.jsonl", b"{"), ("a.txt", b"Deal:")])
def test_the_name_of_the_file_decides(tmp_path: Path, name: str, begins: bytes) -> None:
    file = tmp_path / name
    result = run("convert", "-o", str(file), "-", given=jsonl(SLIP))
    assert (result.exit_code, result.stdout) == (0, "")
    assert file.read_bytes().startswith(begins)


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    result = run("convert", "belinda", "-o", str(tmp_path / "nowhere" / "a.deal"))
    assert result.exit_code == 74
    assert "cannot be written" in result.stderr
    kept = tmp_path / "kept.deal"
    kept.write_text("mine")
    assert run("convert", "nobody-knows-it", "-o", str(kept)).exit_code == 2
    assert os.listdir(tmp_path) == ["kept.deal"]
    assert kept.read_text() == "mine"


def test_a_deal_of_several_is_chosen_by_its_number() -> None:
    log = jsonl(OPEN, [opening(title="The second")])
    assert "<h1>The second</h1>" in text_of("html", "--deal", "2", "-", given=log)
    for arguments in ((), ("--deal", "3")):
        assert "has 2 deals" in refusal("html", *arguments, "-", given=log)


def test_only_what_was_known_then_is_in_it() -> None:
    part = run("html", "--as-of", "7", "--lang", "da", "-", given=jsonl(OPEN))
    assert '<html lang="da">' in part.stdout
    assert "Bo" in part.stdout
    (document,) = re.findall(r'id="deal">(.*?)</script>', part.stdout)
    assert '"card_played"' not in document
    assert "entries, not 900." in refusal("html", "--as-of", "900", "-", given=jsonl(OPEN))
