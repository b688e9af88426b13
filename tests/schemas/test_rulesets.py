"""Rulesets as JSON: told and read back, and a club's own file (docs/club-rules.md)."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.rulesets import PUBLISHED, book_of
from engine.rulesets.model import CONTRACT_POLICIES, POLICIES
from engine.rulesets.policies import MEANINGS, POINTS
from schemas.faults import WireError
from schemas.rulebook import LAID_OPEN, TRUMPS, rulebook
from schemas.rulesets import read_ruleset, read_ruleset_file, ruleset_object
from tests.engine.shorthand import found, opened, paid, said, slip

RULESETS = [rules.ruleset for rules in PUBLISHED]
GUIDE = (Path(__file__).parents[2] / "docs" / "club-rules.md").read_text(encoding="utf-8")
CLUB = re.search(r"<!-- club-rules.json -->\n```json\n(.*?)```", GUIDE, re.DOTALL)
assert CLUB is not None
CLUB_FILE = CLUB.group(1)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda one: one.id)
def test_a_ruleset_told_is_read_back(ruleset: Any) -> None:
    told = json.loads(json.dumps(ruleset_object(ruleset)))
    told["id"] = f"{ruleset.id}-copy"
    assert replace(read_ruleset(told), id=ruleset.id) == ruleset


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda one: one.id)
def test_a_ruleset_based_on_another_is_the_same_where_it_says_nothing(ruleset: Any) -> None:
    assert replace(read_ruleset({"id": "x", "based_on": ruleset.id}), id=ruleset.id) == replace(
        ruleset, revision=1
    )


def test_the_club_of_the_guide() -> None:
    book = (*PUBLISHED, read_ruleset_file(CLUB_FILE.encode()))
    club = book[-1].ruleset
    assert (club.id, club.words.da, club.matadors) == ("our-club", "Tirsdagsklubben", "forced-by-higher")
    four = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl", "sitting_out": ["Dora"]}
    deal = opened(ruleset="our-club", players=four)
    assert paid([*deal, slip("F", "solo", "2-5-2")], book) == ("codille", [-18, 6, 6])
    assert paid([*deal, slip("F", "simple", "1-4-4")], book)[0] == "codille"
    assert paid([*deal, slip("F", "simple", "5-4-0")], book) == ("won", [3, -1, -1])
    assert found([*deal, *said("F spade-game")], book) == [(2, "penalty_possible")]


def test_a_club_may_favour_a_suit() -> None:
    said_so = {
        "id": "club",
        "based_on": "tresillo",
        "policies": {"favoured": "H"},
        "pool": {
            "bases": [{"contract": "favoured-play", "worth": 7}, {"contract": "favoured-solo", "worth": 12}]
        },
    }
    book = book_of([read_ruleset(said_so)])
    deal = opened(ruleset="club", pool=10)
    assert paid([*deal, slip("F", "favoured-solo", outcome="won")], book) == ("won", [34, -12, -12])
    assert paid([*deal, slip("F", "solo", outcome="won")], book)[1][1] == -8


@pytest.mark.parametrize(
    ("said_so", "pointer"),
    [
        ({"id": "dlu", "based_on": "dlu"}, "/id"),
        ({"based_on": "dlu"}, "/id"),
        ({"id": "x", "based_on": "whist"}, "/based_on"),
        ({"id": "x", "based_on": "dlu", "policies": {"matadors": "never"}}, "/policies/matadors"),
        ({"id": "x", "based_on": "dlu", "policies": {"matador": "absolute"}}, "/policies/matador"),
        ({"id": "x", "based_on": "dlu", "tariff": [{"contract": "solo", "won": -1}]}, "/tariff/5/won"),
        ({"id": "x", "based_on": "dlu", "tariff": [{"contract": "whist", "won": 1}]}, ""),
        ({"id": "x", "based_on": "dlu", "bids": [{"id": "misere", "rank": 9}]}, "/bids/9/words"),
        (
            {"id": "x", "based_on": "dlu", "contracts": [{"id": "solo", "trump": "moon"}]},
            "/contracts/5/trump",
        ),
        ({"id": "x", "based_on": "dlu", "nonsense": 1}, "/nonsense"),
        ({"id": "x", "based_on": "dlu", "naming": [{"bid": "solo", "names": "all"}]}, "/naming/5/names"),
        ({"id": "x", "based_on": "ombre", "pool": {"stake": True}}, "/pool/stake"),
        ({"id": "x", "based_on": "dlu", "slam": {"worth": 1, "announced": "loudly"}}, ""),
        ({"id": "x"}, "/words"),
        ([], ""),
        (None, ""),
    ],
)
def test_what_is_no_ruleset_is_refused_with_its_place(said_so: Any, pointer: str) -> None:
    with pytest.raises(WireError) as refused:
        read_ruleset(said_so)
    assert refused.value.faults[0].pointer == pointer
    assert str(refused.value)


def test_what_is_no_json_is_refused() -> None:
    for text in (b"{", b"\xff", b"x" * 2_000_000):
        with pytest.raises(WireError):
            read_ruleset_file(text)


# --- The rulebook -----------------------------------------------------------------------------------


def test_every_policy_is_explained() -> None:
    assert {point: set(meanings) for point, meanings in MEANINGS.items()} == {
        point: set(values) for point, values in POLICIES.items()
    }
    assert set(POINTS) == set(POLICIES)
    assert set(CONTRACT_POLICIES["trump"]) <= set(TRUMPS)
    assert set(CONTRACT_POLICIES["laid_open"]) == set(LAID_OPEN)


@pytest.mark.parametrize("lang", ["da", "en"])
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda one: one.id)
def test_a_rulebook_is_in_tables_that_are_whole(ruleset: Any, lang: str) -> None:
    titles = []
    for table in rulebook(ruleset, lang):
        titles.append(table.title)
        assert all(len(row) == len(table.head) for row in table.rows)
    assert len(titles) == len(set(titles)) >= 7
