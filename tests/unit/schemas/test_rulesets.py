"""Rulesets as JSON: told and read back, and a club's own file (docs/club-rules.md)."""

import pickle
from dataclasses import replace
from typing import Any

import pytest

from engine.core.ranking import MATADOR_POLICIES, RED_TRUMPS
from engine.rulesets import PUBLISHED_RULESETS, Ruleset, compile_cached, compile_ruleset
from engine.rulesets.policies import CONTRACT_POLICIES, POLICIES, POLICY_LABELS
from schemas.i18n.catalogs import gettext
from schemas.rulesets.rulebook import LAID_OPEN_TEXTS, TRUMP_TEXTS, build_rulebook
from schemas.rulesets.ruleset_json import parse_ruleset_file, read_ruleset, ruleset_object
from schemas.wire.wire_faults import WireError, WireFault
from tests.support.engine.shorthand import a_deal, bids, codes, payoff, slip
from tests.support.schemas.rulesets import CLUB_FILE

RULESETS = [rules.ruleset for rules in PUBLISHED_RULESETS]


def club_rules(**more: Any) -> dict[str, Any]:
    words = {"en": "Ours", "da": "Vores"}
    return {"id": "ours", "based_on": "dlu", "words": words, "source": "Ours.", **more}


def test_a_ruleset_is_bounded() -> None:
    assert "at most 131072 bytes" in first_fault(club_rules(source="x" * (128 << 10))).expected
    switch = {"words": WORDS, "sets": "tariff.solo.won", "values": list(range(1, 91))}
    many = first_fault(club_rules(switches=[{"id": f"s{n}", **switch} for n in range(3)]))
    assert (many.pointer, many.read) == ("/switches", "283 values")


def test_of_its_faults_so_many_are_told_and_each_is_short() -> None:
    bids = [
        {"id": f"{n:x}" * 100, "rank": 99, "words": WORDS, "only_over": ["x"] * (1000 if n == 1 else 0)}
        for n in range(1, 30)
    ]
    with pytest.raises(WireError) as found:
        read_ruleset(club_rules(bids=bids))
    assert len(found.value.faults) == 100
    assert all(len(one.expected) < 1000 for one in found.value.faults)


def test_rulesets_that_anybody_sends_are_not_kept_for_ever() -> None:
    assert (compile_cached.cache_info().maxsize or 0) > 0


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda one: one.id)
def test_a_ruleset_based_on_another_is_the_same_where_it_says_nothing(ruleset: Ruleset) -> None:
    based = read_ruleset({"id": "x", "based_on": ruleset.id})
    assert replace(based, id=ruleset.id) == replace(ruleset, revision=1)


def test_rulesets_that_differ_in_a_translation_are_told_apart() -> None:
    club = parse_ruleset_file(CLUB_FILE.encode())
    other = parse_ruleset_file(CLUB_FILE.replace("Tirsdagsklubben", "Onsdagsklubben").encode())
    assert club.ruleset != other.ruleset
    assert [gettext(one.ruleset.words, "da") for one in (club, other)] == [
        "Tirsdagsklubben",
        "Onsdagsklubben",
    ]
    assert pickle.loads(pickle.dumps(club.ruleset)) == club.ruleset


def test_the_club_of_the_guide() -> None:
    book = (*PUBLISHED_RULESETS, parse_ruleset_file(CLUB_FILE.encode()))
    club = book[-1].ruleset
    assert (club.id, gettext(club.words, "da"), club.matadors) == (
        "our-club",
        "Tirsdagsklubben",
        "forced-by-higher",
    )
    four = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl", "sitting_out": ["Dora"]}
    deal = a_deal(ruleset="our-club", players=four)
    assert payoff([*deal, slip("F", "solo", "2-5-2")], book) == ("codille", [-18, 6, 6])
    assert payoff([*deal, slip("F", "simple", "1-4-4")], book)[0] == "codille"
    assert payoff([*deal, slip("F", "simple", "5-4-0")], book) == ("won", [3, -1, -1])
    assert codes([*deal, *bids("F spade-game")], book) == [(2, "penalty_possible")]


def test_a_club_may_favour_a_suit() -> None:
    bases = [{"contract": "favoured-play", "worth": 7}, {"contract": "favoured-solo", "worth": 12}]
    said_so = {"policies": {"favoured": "H"}, "pool": {"bases": bases}}
    book = tuple(map(compile_ruleset, [read_ruleset({"id": "club", "based_on": "tresillo", **said_so})]))
    deal = a_deal(ruleset="club", pool=10)
    assert payoff([*deal, slip("F", "favoured-solo", outcome="won")], book) == ("won", [34, -12, -12])
    assert payoff([*deal, slip("F", "solo", outcome="won")], book)[1][1] == -8


def first_fault(said_so: Any) -> WireFault:
    """The first fault of a ruleset that is refused."""
    with pytest.raises(WireError) as refused:
        read_ruleset(said_so)
    assert str(refused.value)
    return refused.value.faults[0]


WORDS = {"en": "x", "da": "y"}


def with_switch(**more: Any) -> dict[str, Any]:
    return {"id": "x", "based_on": "dlu", "switches": [{"id": "own", "words": WORDS, **more}]}


@pytest.mark.parametrize(
    ("said_so", "pointer"),
    [
        ([], ""),
        (None, ""),
        ({"id": None}, "/id"),
        ({"bids": [{"id": "superduper", "rank": 9, "words": WORDS}]}, "/bids/9/id"),
        ({"bids": [{"id": "self", "rank": 9, "words": WORDS}]}, "/bids/9/id"),
        ({"bids": [{"id": "solo", "only_over": ["whist"]}]}, "/bids/5/only_over/0"),
        ({"naming": [{"bid": "simple", "names": []}]}, "/bids/0/id"),
        ({"naming": [{"bid": "simple", "names": [{"contract": "simple", "trumps": []}]}]},
         "/naming/0/names/0/trumps"),
        ({"naming": [{"bid": "simple", "names": [{"contract": "simple", "trumps": ["CD"]}]}]},
         "/naming/0/names/0/trumps/0"),
        ({"contracts": [{"id": "pure-nolo", "ends_at": 0}]}, "/contracts/7/ends_at"),
        ({"contracts": [{"id": "tourne", "declarer_exchange": {"min": 10, "max": 9}}]},
         "/contracts/2/declarer_exchange/min"),
        ({"contracts": [{"id": "tourne", "declarer_exchange": {"min": 5, "max": 2}}]},
         "/contracts/2/declarer_exchange/min"),
        ({"contracts": [{"id": "solo", "favoured_form": "whist"}]}, "/contracts/5/favoured_form"),
        ({"penalties": {"points": 1, "suit_named": True, "needless": [{"bid": "zz", "enough": "yy"}]}},
         "/penalties/needless/0/bid"),
        ({"forced_bid": "whist"}, "/forced_bid"),
        ({"extras": ["forced-spadille"]}, "/forced_bid"),
        ({"revision": 0}, "/revision"),
        ({"id": "dlu"}, "/id"),
        ({"based_on": "whist"}, "/based_on"),
        ({"policies": {"matadors": "never"}}, "/policies/matadors"),
        ({"policies": {"matador": "absolute"}}, "/policies/matador"),
        ({"tariff": [{"contract": "solo", "won": -1}]}, "/tariff/5/won"),
        ({"tariff": [{"contract": "whist", "won": 1}]}, ""),
        ({"bids": [{"id": "misere", "rank": 9}]}, "/bids/9/words"),
        ({"contracts": [{"id": "solo", "trump": "moon"}]}, "/contracts/5/trump"),
        ({"nonsense": 1}, "/nonsense"),
        ({"naming": [{"bid": "solo", "names": "all"}]}, "/naming/5/names"),
        ({"based_on": "ombre", "pool": {"stake": True}}, "/pool/stake"),
        ({"slam": {"worth": 1, "announced": "loudly"}}, ""),
    ],
)  # fmt: skip
def test_what_a_ruleset_cannot_say_is_refused_with_its_place(said_so: Any, pointer: str) -> None:
    whole = {"id": "x", "based_on": "dlu", **said_so} if isinstance(said_so, dict) else said_so
    assert first_fault(whole).pointer == pointer


def test_a_name_that_stands_twice_is_refused() -> None:
    whole = ruleset_object(RULESETS[0]) | {"id": "x"}
    for part in ("bids", "contracts", "naming", "tariff", "switches"):
        twice = {**whole, part: [*whole[part], whole[part][0]]}
        assert first_fault(twice).pointer == f"/{part}/{len(whole[part])}"


@pytest.mark.parametrize(
    ("sets", "values", "place"),
    [
        ("policies.nowhere", [1, 2], "sets"),
        ("__class__", [1], "sets"),
        ("id", ["dlu", "ombre"], "sets"),
        ("words.en", ["a", "b"], "sets"),
        ("bids", [0, 1], "sets"),
        ("tariff.solo", [0, 1], "sets"),
        ("tariff.whist.won", [0, 1], "sets"),
        ("extras.whist", [False, True], "sets"),
        ("contracts.solo.declarer_exchange", [0, 1], "sets"),
        ("tariff.solo.won", ["a", "b"], "values/0"),
        ("tariff.solo.won", [1, True], "values/1"),
        ("tariff.solo.won", [1, 10**7], "values/1"),
        ("sitter_pays", [False, 1], "values/1"),
        ("matadors", ["absolute", "never"], "values/1"),
        ("giving_up.bete_from", ["naming", "noon"], "values/1"),
        ("contracts.nolo-ouvert.ends_at", [1, 0], "values/1"),
        ("extras.forced-spadille", [False, True], "values/1"),
        ("sitter_pays", [], "values"),
    ],
)
def test_a_switch_that_cannot_be_set_so_is_refused(sets: str, values: list[Any], place: str) -> None:
    assert first_fault(with_switch(sets=sets, values=values)).pointer == f"/switches/6/{place}"


def test_a_switch_that_spans_what_is_no_span_is_refused() -> None:
    for values in ([1], [2, 1], [1, 2, 3], ["a", "b"], [False, True]):
        first_fault(with_switch(sets="tariff.solo.won", values=values, spans=True))
    for switch in ({"id": "ow_n"}, {"words": None}):
        first_fault(with_switch(**{"sets": "sitter_pays", "values": [False, True], **switch}))


def test_a_fault_says_what_a_number_can_be_and_which_name_is_near() -> None:
    dear = {"id": "x", "based_on": "dlu", "tariff": [{"contract": "solo", "won": 10**9}]}
    assert "write a whole number from 0 to 1000000" in first_fault(dear).advice
    near = {"id": "x", "based_on": "ombre", "pool": {"base": []}}
    assert 'In place of "base", write "bases", or leave it out' in first_fault(near).advice


def test_what_is_no_json_or_has_no_words_is_refused() -> None:
    assert first_fault({"id": "x"}).pointer == "/words"
    for text in (b"{", b"\xff", b"x" * 2_000_000):
        with pytest.raises(WireError):
            parse_ruleset_file(text)


def test_every_policy_is_explained() -> None:
    assert (POLICIES["matadors"], POLICIES["red_trumps"]) == (MATADOR_POLICIES, tuple(RED_TRUMPS))
    assert set(POLICY_LABELS) == set(POLICIES)
    assert set(CONTRACT_POLICIES["trump"]) <= set(TRUMP_TEXTS)
    assert set(CONTRACT_POLICIES["laid_open"]) == set(LAID_OPEN_TEXTS)


@pytest.mark.parametrize("lang", ["da", "en"])
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda one: one.id)
def test_the_tables_of_a_rulebook_are_whole(ruleset: Ruleset, lang: str) -> None:
    titles = []
    for table in build_rulebook(ruleset, lang):
        titles.append(table.title)
        assert all(len(row) == len(table.headings) for row in table.rows)
    assert len(titles) == len(set(titles)) >= 7
