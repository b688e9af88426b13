"""What a command is given to read: files, standard input, deals of the library, and much that is none."""

import builtins
import io
import os
from pathlib import Path

import pytest

import replays
from replays import Replay
from tests.support.cli.deals import OPEN, PASSED_OUT, PLAYERS, SLIP, answers, jsonl, opened, run

COMMANDS = ("show", "score", "replay", "validate")


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of two deals."""
    deals = (Replay("open-cards", jsonl(OPEN)), Replay("slip", jsonl(SLIP)))
    monkeypatch.setattr(replays, "library", lambda: deals)
    monkeypatch.setattr(replays, "find", lambda name: next((d for d in deals if d.name == name), None))


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_input_and_a_file_are_read_alike(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two").write_bytes(jsonl(OPEN, SLIP))
    read, given = run(command, "two"), run(command, "-", given=jsonl(OPEN, SLIP))
    assert read.exit_code == given.exit_code == 0
    assert read.stdout.replace("two, ", "") == given.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_deal_of_the_library_may_be_named(command: str, library: None) -> None:
    assert (
        run(command, "open-cards").stdout.replace("open-cards, ", "")
        == run(command, "-", given=jsonl(OPEN)).stdout
    )


def test_its_file_in_an_answer_is_the_name_as_it_was_given(library: None) -> None:
    (answer,) = answers(run("validate", "--format", "json", "slip"))
    assert answer["file"] == "slip"


def test_a_file_goes_before_a_deal_of_the_library(
    library: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slip").write_bytes(jsonl(PASSED_OUT))
    assert "Nobody plays" in run("show", "slip").stdout
    (tmp_path / "slip").unlink()
    assert "solo in hearts" in run("show", "slip").stdout


def test_a_name_that_is_nothing_is_told_with_the_nearest(library: None) -> None:
    result = run("show", "open-card")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        "There is no file “open-card”, and no deal of the library is called so. Did you mean open-cards?\n"
    )
    assert "spadille replays" in run("show", "zzz").stderr


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    result = run("validate", str(tmp_path), "-", given=jsonl(SLIP))
    assert result.exit_code == 2
    assert (
        f"“{tmp_path}” is a folder; name the files in it, such as {tmp_path}{os.sep}*.jsonl." in result.stderr
    )
    assert result.stdout.startswith("✓")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied"), "You may not read “x.jsonl”"),
        (OSError(5, "Input/output error"), "“x.jsonl” cannot be read: Input/output error."),
    ],
)
def test_a_file_that_cannot_be_opened(error: OSError, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: object, *rest: object, **more: object) -> io.BytesIO:
        raise error

    monkeypatch.setattr(builtins, "open", refuse)
    result = run("score", "x.jsonl")
    monkeypatch.undo()
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_file_that_breaks_off_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise OSError(5, "Input/output error")
            return super().read1(200)

    monkeypatch.setattr(builtins, "open", lambda *_: Failing(jsonl(PASSED_OUT, SLIP)))
    result = run("validate", "x.jsonl")
    monkeypatch.undo()
    assert result.exit_code == 2
    assert result.stderr == "“x.jsonl” cannot be read: Input/output error.\n"


def test_a_name_that_no_file_can_have() -> None:
    assert "it is not the name of a file" in run("show", "a\0b").stderr
    assert run("show", "x" * 5000).exit_code == 2


def test_a_file_name_that_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"h\xf8jre\x1b[2J.jsonl")
    Path(name).write_bytes(jsonl(SLIP))
    (answer,) = answers(run("validate", "--format", "json", name))
    assert answer["file"] == "h\N{REPLACEMENT CHARACTER}jre\x1b[2J.jsonl"
    shown = run("validate", name).stdout
    assert shown.startswith("✓ h\N{REPLACEMENT CHARACTER}jre\N{REPLACEMENT CHARACTER}[2J.jsonl, deal 1 · ")


LINE = jsonl(SLIP)
BAD = {
    "nothing": (b"", 1),
    "blank lines": (b"\n\n  \n", 1),
    "no JSON": (b"trick\n", 1),
    "broken off": (LINE[:-20], 2),
    "a comma too many": (LINE.replace(b"}\n{", b"},\n{"), 1),
    "a list": (b"[" + LINE.replace(b"}\n{", b"},\n{").rstrip() + b"]\n", 1),
    "Latin-1": (LINE.replace(b"Anna", "Åse".encode("latin-1")), 1),
    "UTF-16": (LINE.decode().encode("utf-16"), 1),
    "NUL": (LINE.replace(b"Bo", b"B\0o"), 1),
    "deep": (b"[" * 100_000, 1),
    "a line without end": (b'"' + b"x" * 3_000_000, 1),
    "a number": (b"12\n", 1),
    "no opening": (LINE.splitlines()[1], 1),
    "no type": (b'{"ruleset":"dlu"}\n', 1),
    "an unknown type": (LINE + b'{"type":"card_plaid"}\n', 3),
    "an unknown field": (LINE.replace(b'"ruleset"', b'"rule_set"'), 1),
    "a number too large": (LINE.replace(b'"forehand": 3', b'"forehand": 3e99'), 2),
    "a picture": (bytes(range(256)) * 40, 1),
}


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_log_is_told_with_its_place(kind: str, output: str, tmp_path: Path) -> None:
    bad, line = BAD[kind]
    file = tmp_path / "bad.jsonl"
    file.write_bytes(bad)
    result = run("validate", "--format", output, str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{file}, line {line}, column ")
    assert "left out" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.isprintable() or all(part.isprintable() for part in result.stderr.split("\n"))


@pytest.mark.parametrize("command", COMMANDS)
def test_much_rubbish_is_counted_and_the_good_deals_are_shown(command: str) -> None:
    result = run(command, "-", given=jsonl(SLIP) + b"rubbish\n" * 5000 + jsonl(OPEN))
    assert result.exit_code == 2
    assert "Open cards" in result.stdout
    assert len(result.stderr.splitlines()) < 150
    assert "more such problems" in result.stderr
    assert "standard input, line 3, column 1: " in result.stderr


def test_the_log_of_a_table_is_passed_over() -> None:
    table = [{"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}]
    result = run("validate", "--format", "json", "-", given=jsonl(table, SLIP))
    assert result.exit_code == 0
    assert [answer["deal"] for answer in answers(result)] == [2]
    assert result.stderr == "standard input, line 1: the log of a table begins here; only deals are read.\n"


def test_the_texts_of_a_record_command_no_terminal() -> None:
    deal = [
        opened(title="A\x1b[2Jtitle\n✓ not ours", players={**PLAYERS, "forehand": "An\x9bna"}),
        {"type": "note_added", "text": "one\r\ntwo\x07 \u202egnirts\u200b"},
        {"type": "bid_made", "seat": "forehand", "bid": "b\x1b]0;x\x07"},
    ]  # fmt: skip
    for command in COMMANDS:
        shown = run(command, "-", given=jsonl(deal)).stdout
        assert all(line.isprintable() for line in shown.split("\n")), command
        assert "\n✓ not" not in shown
    raw = run("validate", "--format", "json", "-", given=jsonl(deal)).stdout
    assert "A\\u001b[2Jtitle\\n" in raw


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_without_a_file_says_so(command: str) -> None:
    result = run(command)
    assert result.exit_code == 2
    assert "FILE" in result.stderr
