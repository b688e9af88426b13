"""`spadille compare`: two accounts side by side, for people and for programs, and one record of both."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from engine.core.events import DEAL_EVENTS
from service.presentation.text.account_comparison import EVENT_FIELD_WORDS
from tests.support.cli.deals import OPEN, SLIP, Json, answers, jsonl, lacking, refusal, run, text_of
from tests.support.engine.shorthand import note, plays

PHONE: list[Json] = [*OPEN[:8], note("Bo thought long."), *OPEN[9:]]
BOOK: list[Json] = [*OPEN[:7], *plays("F-C? M-C2 B-SQ")]
WORDS = {
    "en": (
        "1. phone: 11 entries, which do not contradict each other. 2. book: 10 entries",
        "They cannot both be right. The same in both: 8. In one account only: 1. More detail in one "
        "account: 1. Different: 1.",
        "Entry 8 of both together: one gives what the other leaves open (the card). "
        "phone, entry 8: Anna leads the ace of clubs. book, entry 8: Anna leads one of the clubs.",
        "the accounts differ (the card); the merged record follows phone. phone, entry 11: Carl plays the "
        "king of spades",
        "Notes that only phone has; all are kept: 9.",
    ),
    "da": (
        "1. phone: 11 poster, som ikke strider mod hinanden. 2. book: 10 poster",
        "De kan ikke begge have ret. Ens: 8. Kun hos den ene: 1. Den ene siger mere: 1. Hver sit: 1.",
        "de siger hver sit (kortet); den samlede optegnelse følger phone. phone, post 11: Carl lægger spar",
        "Noter, som kun phone har; alle er bevaret: 9.",
    ),
}


@pytest.fixture
def both(tmp_path: Path) -> tuple[str, str]:
    phone, book = tmp_path / "phone.jsonl", tmp_path / "book.jsonl"
    phone.write_bytes(jsonl(PHONE))
    book.write_bytes(jsonl(BOOK))
    return str(phone), str(book)


@pytest.mark.parametrize("lang", WORDS)
def test_every_difference_is_reported_with_the_entries_of_both(both: tuple[str, str], lang: str) -> None:
    result = run("compare", *both, "--names", "phone", "book", "--lang", lang)
    assert result.exit_code == 1
    assert lacking(" ".join(result.stdout.split()), WORDS[lang]) == []


def test_whether_both_can_be_right_is_named_where_one_or_both_contradict_themselves(tmp_path: Path) -> None:
    again, twice = [*OPEN, OPEN[7]], tmp_path / "twice.jsonl"
    twice.write_bytes(jsonl(again))
    for other, says in (
        (
            OPEN,
            "The accounts do not differ, but what A says cannot all be true. The same in both: 11. In one",
        ),
        (again, "Neither account can be right as it stands. Where they differ, the merged record follows A"),
    ):
        assert says in text_of("compare", str(twice), "-", "--names", "A", "B", given=jsonl(other))


def test_the_merged_record_says_who_tells_what(both: tuple[str, str], tmp_path: Path) -> None:
    into = tmp_path / "both.jsonl"
    result = run("compare", *both, "--names", "phone", "book", "--merged", "-o", str(into))
    assert (result.exit_code, result.stdout) == (1, "")
    merged = [json.loads(line) for line in into.read_text("utf-8").splitlines()]
    assert merged[7]["accounts"] == ["phone", "book"]
    assert (merged[10]["card"], merged[10]["accounts"]) == ("SK", ["phone"])
    assert run("validate", str(into)).exit_code == 0
    other = answers(run("compare", *both, "--merged", "--take", "11:2"))
    assert (other[10]["card"], other[10]["accounts"]) == ("SQ", [both[1]])


def test_for_programs(both: tuple[str, str]) -> None:
    (told,) = answers(run("compare", *both, "--format", "json", "--take", "11:2"))
    assert [one["entries"] for one in told["accounts"]] == [11, 10]
    assert not told["agree"]
    kinds = [(one["seq"], one["kind"], one["differs_in"], one["taken"]) for one in told["differences"]]
    assert kinds == [(8, "more", ["card"], None), (9, "only", [], 1), (11, "otherwise", ["card"], 2)]
    assert told["pairs"][8] == {"first": told["differences"][1]["first"], "second": None}
    assert told["merged"][10]["card"] == "SQ"


REFUSED = [
    (("-", "-"), "Standard input can be read only once"),
    (("belinda", "nowhere.jsonl"), "There is no file “nowhere.jsonl”"),
    (("-", "belinda"), "Standard input has several deals; name a file with one deal."),
    (("belinda:3", "belinda"), "“belinda” has no deal 3."),
    (
        ("belinda", "belinda", "--take", "12345:1"),
        "is not a choice: write an entry and the account it follows",
    ),
    (("belinda", "belinda", "--take", "4:3"), "is not a choice"),
    (("belinda", "belinda", "--take", "4:2"), "Entry 4 of the merged record is the same in both"),
    (("belinda", "belinda", "-o", "both.jsonl"), "-o needs --merged."),
]


def test_what_cannot_be_compared_is_refused_in_a_sentence() -> None:
    too_long = jsonl([*SLIP, *[note("again")] * 400])
    for arguments, given, sentence in (
        *((arguments, jsonl(SLIP, SLIP), sentence) for arguments, sentence in REFUSED),
        (("belinda", "-"), too_long, "An account has 402 entries; at most 400 can be compared."),
    ):
        assert sentence in refusal("compare", *arguments, given=given)


def test_a_deal_among_several_is_named_by_its_number(tmp_path: Path) -> None:
    season = tmp_path / "season:7"
    season.write_bytes(jsonl(OPEN, SLIP))
    assert run("compare", f"{season}:2", "-", given=jsonl(SLIP)).exit_code == 0
    assert run("compare", f"{season}:1", f"{season}:1").exit_code == 0
    several = refusal("compare", str(season), "-", given=jsonl(SLIP))
    assert "has several deals; pick one, as in" in several
    refusal("compare", f"{season}:2", f"{season}:2", "--merged", "-o", str(season))
    season.write_bytes(jsonl(SLIP))
    assert run("compare", str(season), "-", given=jsonl(SLIP)).exit_code == 0


def test_every_field_that_can_differ_has_its_words() -> None:
    assert {field.name for event in DEAL_EVENTS for field in fields(event)} == set(EVENT_FIELD_WORDS)
