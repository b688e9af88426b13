"""`spadille replays`: the library of deals."""

import pytest

import replays
from replays import Replay
from tests.support.cli.deals import OPEN, SLIP, answers, jsonl, opened, run


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of two deals."""
    deals = (Replay("open-cards", jsonl(OPEN)), Replay("slip", jsonl(SLIP)))
    monkeypatch.setattr(replays, "library", lambda: deals)
    monkeypatch.setattr(replays, "examples", tuple)
    monkeypatch.setattr(replays, "find", lambda name: next((d for d in deals if d.name == name), None))


def test_it_is_listed_by_name_and_title() -> None:
    assert run("replays").stdout == "open-cards  Open cards\nslip        slip\n"
    assert answers(run("replays", "--format", "json")) == [
        {"name": "open-cards", "title": "Open cards"},
        {"name": "slip", "title": "slip"},
    ]


def test_the_folders_of_examples_are_listed_by_name_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    example = Replay("dlu-open-cards", jsonl(OPEN), "dlu")
    monkeypatch.setattr(replays, "examples", lambda: (example,))
    told = run("replays").stdout
    assert told.endswith("dlu  1 made-up examples\n")
    assert run("replays", "dlu").stdout == "dlu-open-cards  Open cards\n"
    assert answers(run("replays", "--format", "json", "dlu")) == [
        {"name": "dlu-open-cards", "title": "Open cards"}
    ]


def test_a_deal_is_printed_as_it_lies_there() -> None:
    for output in ("text", "json"):
        assert run("replays", "--format", output, "open-cards").stdout_bytes == jsonl(OPEN)


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    result = run("replays", "open-crads")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "No deal of the library is called “open-crads”. Did you mean open-cards?\n"


def test_an_empty_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "library", lambda: ())
    assert run("replays").stdout == "The library has no deals yet.\n"
    assert run("replays", "--format", "json").stdout == ""


# --- As one file ------------------------------------------------------------------------------------


def test_a_deal_of_several_is_chosen_by_its_number() -> None:
    log = jsonl(OPEN, [opened(title="The second")])
    chosen = run("publish", "--deal", "2", "-", given=log)
    assert chosen.exit_code == 0
    assert "<h1>The second</h1>" in chosen.stdout
    for arguments in ((), ("--deal", "3")):
        refused = run("publish", *arguments, "-", given=log)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "here are 2" in refused.stderr


def test_only_what_was_known_then_is_in_it() -> None:
    part = run("publish", "--known", "7", "--lang", "da", "-", given=jsonl(OPEN))
    assert '<html lang="da">' in part.stdout
    assert "Bo" in part.stdout
    assert '"card_played"' not in part.stdout
    beyond = run("publish", "--known", "900", "-", given=jsonl(OPEN))
    assert (beyond.exit_code, beyond.stdout) == (2, "")
    assert "known=900" in beyond.stderr
