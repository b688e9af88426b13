"""``spadille convert``: both forms into each other and into themselves, into files and out of pipes."""

import os
from pathlib import Path

import pytest

import replays
from tests.support.cli.deals import OPEN, SLIP, jsonl, run

TABLE = b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"],"seq":1}\n'
def converted(*options: str, given: bytes) -> bytes:
    result = run("convert", *options, "-", given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes


def test_a_deal_of_the_library_becomes_the_text_it_was_written_as() -> None:
    result = run("convert", "belinda")
    written = Path(replays.__file__).parent / "belinda.deal"
    assert result.stdout_bytes == written.read_bytes()


def test_text_is_one_empty_line_apart_and_becomes_the_same_lines_again() -> None:
    text = converted(given=jsonl(SLIP, OPEN) + TABLE)
    assert text.count(b"\n\nDeal:") == 1
    assert text.count(b"\n\nEvening:") == 1
    assert not text.startswith(b"\n")
    lines = converted("--to", "jsonl", given=text)
    assert converted("--to", "jsonl", given=jsonl(SLIP, OPEN) + TABLE) == lines
    assert converted(given=lines) == text
    assert converted(given=text) == text


def test_marks_of_the_machine_can_be_left_out() -> None:
    marked = jsonl([{**SLIP[0], "recorded_by": "Clerk"}, *SLIP[1:]])
    assert b"Clerk" in converted(given=marked)
    assert b"Clerk" not in converted("--bookkeeping", "told", given=marked)


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
