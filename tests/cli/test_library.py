"""`spadille library`: the library of deals."""

import pytest

import replays
from replays import Replay
from tests.support.cli.deals import OPEN, SLIP, answers, jsonl, refusal, run


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of two deals."""
    deals = (Replay("open-cards", jsonl(OPEN)), Replay("slip", jsonl(SLIP)))
    monkeypatch.setattr(replays, "library", lambda: deals)
    monkeypatch.setattr(replays, "examples", tuple)
    monkeypatch.setattr(replays, "find", lambda name: next((d for d in deals if d.name == name), None))


def listed(name: str, title: str) -> dict[str, str]:
    return {"name": name, "title": title}


def test_it_is_listed_by_name_and_title_and_the_examples_by_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("library").stdout == "open-cards  Open cards\nslip        slip\n"
    deals = [listed("open-cards", "Open cards"), listed("slip", "slip")]
    assert answers(run("library", "--format", "json")) == deals
    example = Replay("dlu-open-cards", jsonl(OPEN), "dlu")
    monkeypatch.setattr(replays, "examples", lambda: (example,))
    assert run("library").stdout.endswith("dlu  1 made-up examples\n")
    assert run("library", "dlu").stdout == "dlu-open-cards  Open cards\n"
    assert answers(run("library", "--format", "json", "dlu")) == [listed("dlu-open-cards", "Open cards")]


def test_a_deal_is_printed_as_it_is_stored() -> None:
    for output in ("text", "json"):
        assert run("library", "--format", output, "open-cards").stdout_bytes == jsonl(OPEN)


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    says = "No deal of the library is called “open-crads”. Did you mean open-cards?"
    assert refusal("library", "open-crads") == says


def test_an_empty_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "library", lambda: ())
    assert run("library").stdout == "The library has no deals yet.\n"
    assert run("library", "--format", "json").stdout == ""
