"""What a command is given to read: files, standard input, and the library that `spadille library` lists."""

import builtins
import io
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

import replays
from replays import Replay
from tests.support.cli.deals import OPEN, PASSED_OUT, SLIP, answers, jsonl, opening, refusal, run
from tests.support.engine.shorthand import PLAYERS

COMMANDS = ("show", "score", "replay", "validate")


@pytest.fixture
def two_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of two deals."""
    deals = (Replay("open-cards", jsonl(OPEN)), Replay("slip", jsonl(SLIP)))
    monkeypatch.setattr(replays, "list_library", lambda: deals)
    monkeypatch.setattr(replays, "list_examples", tuple)
    monkeypatch.setattr(
        replays, "find_library_deal", lambda name: next((d for d in deals if d.name == name), None)
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_inputs_alike(command: str, two_deals: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two").write_bytes(jsonl(OPEN, SLIP))
    given, read = run(command, "-", given=jsonl(OPEN, SLIP)), run(command, "two")
    assert read.exit_code == given.exit_code == 0
    assert read.stdout.replace("two, ", "") == given.stdout
    named = run(command, "open-cards").stdout.replace("open-cards, ", "")
    assert named == run(command, "-", given=jsonl(OPEN)).stdout
    assert "FILE" in refusal(command)


def test_an_unknown_name_is_refused_with_the_nearest(two_deals: None) -> None:
    says = "There is no file “open-card” and no library deal with that name. Did you mean open-cards?"
    assert refusal("show", "open-card") == says
    assert "spadille library" in refusal("show", "zzz")
    says = "The library has no deal called “open-crads”. Did you mean open-cards?"
    assert refusal("library", "open-crads") == says


def test_the_library_is_listed_and_its_examples_by_folder(
    two_deals: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("library").stdout == "open-cards  Open cards\nslip        slip\n"
    listed = [{"name": "open-cards", "title": "Open cards"}, {"name": "slip", "title": "slip"}]
    assert answers(run("library", "--format", "json")) == listed
    for output in ("text", "json"):
        assert run("library", "--format", output, "open-cards").stdout_bytes == jsonl(OPEN)
    monkeypatch.setattr(replays, "list_examples", lambda: (Replay("dlu-open-cards", jsonl(OPEN), "dlu"),))
    assert run("library").stdout.endswith("dlu  1 made-up examples\n")
    assert run("library", "dlu").stdout == "dlu-open-cards  Open cards\n"
    examples = answers(run("library", "--format", "json", "dlu"))
    assert examples == [{"name": "dlu-open-cards", "title": "Open cards"}]
    monkeypatch.setattr(replays, "list_library", lambda: ())
    assert run("library", "--format", "json").stdout == ""
    monkeypatch.setattr(replays, "list_examples", tuple)
    assert run("library").stdout == "The library has no deals yet.\n"


def test_a_folder_is_refused_and_the_other_files_are_read(tmp_path: Path) -> None:
    result = run("validate", str(tmp_path), "-", given=jsonl(SLIP))
    assert result.exit_code == 2 and result.stdout.startswith("✓")
    advice = f"“{tmp_path}” is a folder; name the files in it, such as {tmp_path}{os.sep}*.jsonl."
    assert advice in result.stderr


@pytest.mark.parametrize(("error", "says"), [
    (PermissionError(13, "Permission denied"), "You may not read “x.jsonl”"),
    (OSError(5, "Input/output error"), "“x.jsonl” cannot be read: Input/output error."),
])  # fmt: skip
def test_a_file_that_cannot_be_opened(error: OSError, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "open", Mock(side_effect=error))
    result = run("score", "x.jsonl")
    monkeypatch.undo()
    assert (result.exit_code, result.stdout, says in result.stderr) == (2, "", True)


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


def test_a_file_name_that_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"h\xf8jre\x1b[2J.jsonl")
    Path(name).write_bytes(jsonl(SLIP))
    (answer,) = answers(run("validate", "--format", "json", name))
    assert answer["file"] == "h\N{REPLACEMENT CHARACTER}jre\x1b[2J.jsonl"
    shown = run("validate", name).stdout
    assert shown.startswith("✓ h\N{REPLACEMENT CHARACTER}jre\N{REPLACEMENT CHARACTER}[2J.jsonl, deal 1 · ")


def test_the_log_of_a_table_among_deals_is_skipped_without_a_remark() -> None:
    table = [{"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}]
    result = run("validate", "--format", "json", "-", given=jsonl(table, SLIP))
    assert result.exit_code == 0
    assert [answer["deal"] for answer in answers(result)] == [2]
    assert result.stderr == ""
    for jobs in ("1", "2"):
        alone = run("validate", "--jobs", jobs, "-", given=jsonl(table)).stderr
        assert alone == "The input has no deal; spadille ledger shows a table's log.\n"


def test_texts_of_a_record_cannot_steer_the_terminal() -> None:
    deal = [
        opening(title="A\x1b[2Jtitle\n✓ not ours", players={**PLAYERS, "forehand": "An\x9bna"}),
        {"type": "note_added", "text": "one\r\ntwo\x07 \u202egnirts\u200b"},
        {"type": "bid_made", "seat": "forehand", "bid": "b\x1b]0;x\x07"},
    ]  # fmt: skip
    for command in COMMANDS:
        shown = run(command, "-", given=jsonl(deal)).stdout
        assert all(line.isprintable() for line in shown.split("\n")), command
        assert "\n✓ not" not in shown
    assert "A\\u001b[2Jtitle\\n" in run("validate", "--format", "json", "-", given=jsonl(deal)).stdout
