"""What a deal pays and when it is decided, what ends it, and what every ruleset knows in its own way."""

from dataclasses import replace
from typing import Any

import pytest

from engine.rulesets import DLU, PUBLISHED_RULESETS, compile_ruleset
from engine.rulesets.model import Tariff
from tests.properties.slow.rulesets import RULESETS as DANISH
from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    a_deal,
    answered,
    bids,
    claimed,
    given_up,
    legal_after,
    names,
    plays,
    ruled,
    score_after,
    settled,
    slip,
    stands,
    state_after,
    swap,
    tricks,
)

RULESETS = {rules.ruleset.id: rules.ruleset for rules in PUBLISHED_RULESETS}
POOLED = {name: {"pool": 10} for name, ruleset in RULESETS.items() if ruleset.pool is not None}


def lowest_game(ruleset: str, winners: str = "") -> list[Event]:
    """Forehand plays the lowest game in hearts; nobody buys who need not; these tricks are played."""
    contract = "play" if ruleset in POOLED else "simple"
    deal = a_deal(ruleset=ruleset, **POOLED.get(ruleset, {}))  # type: ignore[arg-type]
    deal += bids(f"F {contract}, M pass, B pass") + names("F", contract, "H")
    order = "B M" if RULESETS[ruleset].defender_order == "against-order-of-play" else "M B"
    buys = swap("F", "??", "??") if ruleset == "dlu-tournament" else stands("F")
    return deal + buys + stands(order) + tricks(winners)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_ends_a_deal_everywhere_and_what_does_not(ruleset: str) -> None:
    passed_out = [*a_deal(ruleset=ruleset, **POOLED.get(ruleset, {})), slip(outcome="passed_out")]  # type: ignore[arg-type]
    assert (payment(passed_out), findings(passed_out)) == ("passed_out 0 0 0", "")
    claim = [*lowest_game(ruleset, "FM"), claimed("F", 5, 3, 1)]
    assert turn(claim + answered("M accept, B accept")) == "over"
    assert turn(claim + answered("M accept, B contest")).endswith("play")
    # Round a pool nobody knows the hand with which play began, so not the estuches
    accepted = payment(claim + answered("M accept, B accept"))
    assert accepted == "open" if ruleset in POOLED else accepted.startswith("won")
    ruling = ruled(payments={F: -2, M: 1, B: 1}, penalty={F: 1})
    assert payment([*lowest_game(ruleset, "F"), ruling]).endswith("-2 1 1")
    assert payment([*lowest_game(ruleset), {"type": "deal_voided", "reason": "misdeal"}]) == "voided 0 0 0"
    noted = {"type": "irregularity_noted", "seat": M, "kind": "talking", "by_seat": F}
    assert legal_after([*lowest_game(ruleset, "F"), noted]) == legal_after(lowest_game(ruleset, "F"))
    assert findings([*lowest_game(ruleset, "F"), noted]) == ""


@pytest.mark.parametrize(
    ("ruleset", "at_fault", "chips"),
    [
        ("la-bete", F, "forfeited -2 1 1"),
        ("la-bete", M, "forfeited 2 -2 0"),
        ("gamerules", B, "forfeited 2 0 -2"),
        ("clockwise", F, "forfeited -2 1 1"),
        ("clockwise", M, "forfeited 1 -2 1"),
        *((name, F, "open") for name in ("dlu", "ombre", "lomber", "tresillo")),
    ],
)
def test_what_a_foul_in_the_exchange_pays(ruleset: str, at_fault: str, chips: str) -> None:
    """Where it is not stated, the director says what is paid."""
    foul = {"outcome": "forfeited", "at_fault": at_fault}
    assert payment([*lowest_game(ruleset), ruled(**foul)]) == chips
    assert payment([*lowest_game(ruleset), ruled(**foul, payments={F: -4, M: 2, B: 2})]) == "forfeited -4 2 2"


SLAM: Event = {"type": "slam_announced", "seat": F}


@pytest.mark.parametrize(
    ("ruleset", "allowed"),
    [("la-bete", [2, 5]), ("dlu-tournament", [2, 5]), ("gamerules", [5]), ("lomber", [5]), ("clockwise", [5]),
     ("ombre", []), ("dlu", [])],
)  # fmt: skip
def test_after_how_many_tricks_all_nine_may_be_announced(ruleset: str, allowed: list[int]) -> None:
    for count in (2, 5):
        found = findings([*lowest_game(ruleset, "F" * count), SLAM])
        assert found == ("" if count in allowed else "slam_not_allowed"), count
    assert findings([*lowest_game(ruleset, "FM"), SLAM]) == "slam_not_allowed"


@pytest.mark.parametrize(
    ("ruleset", "most"),
    [("la-bete", 0), ("lomber", 0), ("gamerules", -1), ("clockwise", -1), ("dlu", 1), ("ombre", -1)],
)
def test_until_how_many_cards_a_game_is_given_up_for_bete(ruleset: str, most: int) -> None:
    """Forehand is the declarer, whose card is the first."""
    for count in range(4):
        deal = [*lowest_game(ruleset), *plays("F-D7 M-C3 B-S3")[:count], given_up("F", "bete")]
        assert findings(deal) == ("" if count <= most else "abandon_not_allowed"), count


@pytest.mark.parametrize("ruleset", DANISH)
def test_when_the_open_hand_is_due(ruleset: str) -> None:
    led = a_deal(ruleset=ruleset) + bids("F pass, M nolo-ouvert, B pass") + names("M", "nolo-ouvert")
    led += plays("F-D2")
    assert asked(led, "show") == ("M" if DANISH[ruleset]["laid_open"] == "after-lead" else "")
    assert asked(led + plays("M-D3"), "show") == "M"
    (ouvert,) = (one for one in RULESETS[ruleset].contracts if one.id == "nolo-ouvert")
    assert (turn(led + plays("M-DK B-D4")) == "over") is (ouvert.ends_at == 1)


def by_tricks(contract: str, tricks: str, declarer: str = "F") -> str:
    return payment([*a_deal(), slip(declarer, contract, tricks)])


def test_every_division_of_nine_tricks_has_one_outcome() -> None:
    for mine in range(10):
        for first in range(10 - mine):
            second = 9 - mine - first
            most = max(first, second)
            expected = "won" if mine > most else "bete" if mine == most else "codille"
            if (mine, first, second) == (1, 4, 4):
                expected = "bete"  # remis en quatre
            assert by_tricks("solo", f"{mine}-{first}-{second}").split()[0] == expected
            assert by_tricks("solo", f"{first}-{mine}-{second}", "M").split()[0] == expected


GRADED = (compile_ruleset(replace(DLU, tariff=(*DLU.tariff, ("simple-nolo", Tariff(1, 1, (3, 4, 5, 6)))))),)
"""The house rule of the other Danish table: a simple-nolo codille costs more with every trick, up to five."""


def test_a_graded_codille_costs_by_its_tricks_and_is_open_while_it_can_cost_more() -> None:
    for count, each in (("2-4-3", 3), ("3-3-3", 4), ("5-2-2", 6), ("9-0-0", 6)):
        assert by_tricks("simple-nolo", count) == "codille -6 3 3"
        graded = payment([*a_deal(), slip("F", "simple-nolo", count)], GRADED)
        assert graded == f"codille {-2 * each} {each} {each}"
    lost = [*a_deal(), *bids("F simple-nolo, M pass, B pass"), *names("F", "simple-nolo")]
    lost += [*swap("F", "??", "??"), *plays("F-DK M-D2 B-D3 F-CK M-C2 B-C3")]
    assert (payment(lost), payment(lost, GRADED)) == ("codille -6 3 3", "open")


def naming(contract: str = "simple", trump: str | None = "H", **opening: Any) -> list[Event]:
    """Forehand's contract, named; nothing else has happened."""
    return a_deal(**opening) + bids(f"F {contract}, M pass, B pass") + names("F", contract, trump)


def of_dlu(winners: str = "", **opening: Any) -> list[Event]:
    return naming(**opening) + stands() + tricks(winners)


def closed(**payments: int) -> Event:
    return {"type": "deal_closed", "payments": payments, "engine": "0.1.0"}


CLAIM = claimed("F", 5, 3, 1)
ACCEPTED = [CLAIM, *answered("M accept, B accept")]
CONTESTED = [CLAIM, *answered("M accept, B contest")]
CLAIM_OF_BO = [*of_dlu("MMMM"), claimed("M", 3, 5, 1)]
WON, TWO = of_dlu("FFFFF"), of_dlu("FF")
LATE = of_dlu() + plays("F-D2 M-D3")
"""Two cards have been played."""
VOID: Event = {"type": "deal_voided", "reason": "misdeal"}
SURRENDER: Event = {"type": "surrender_offered", "seat": F}
PAID = {"forehand": 2, "middlehand": -1, "backhand": -1}
FOUR = {"sitting_out": ["Dora"]}
PARTNERS = {"sitting_out": ["Dora"], "partners": [["Anna", "Dora"]]}
TAKEN_OVER: Event = {"type": "hand_taken_over", "seat": M, "player": "Dora"}
OF_PAIRS = [*naming(players=PARTNERS), TAKEN_OVER, *stands(), *tricks("FFFFF")]
"""Pairs play: who bids a hand and who plays it can differ (RULES 9)."""

FOUND: dict[str, tuple[list[Event], str]] = {
    # Claims
    "accepted": (TWO + ACCEPTED, ""),
    "eleven claimed": ([*TWO, claimed("F", 6, 4, 1)], "claim_not_possible"),
    "fewer claimed than won": ([*TWO, claimed("F", 1, 5, 3)], "claim_not_possible"),
    "answered without a claim": (TWO + answered("M accept"), "wrong_phase"),
    "answered by the claimer": ([*TWO, CLAIM, *answered("F accept")], "wrong_seat"),
    "a card after it": (TWO + ACCEPTED + plays("F-D7"), "play_after_end"),
    "claimed in the auction": ([*a_deal(), *bids("F simple"), CLAIM], "wrong_phase"),
    # Giving up
    "given up when it is won": ([*WON, given_up("F")], "wrong_phase"),
    "given up without a contract": ([*of_dlu()[:4], given_up("F")], "abandon_not_allowed"),
    "a surrender": ([*of_dlu(), SURRENDER], "abandon_not_allowed"),
    # The director
    "a bid after a void deal": ([*a_deal(), VOID, *bids("F simple")], "wrong_phase"),
    "a bid after a ruling": ([*a_deal(), ruled(outcome="voided"), *bids("F simple")], "wrong_phase"),
    # What was paid
    "paid to seats": ([*WON, settled(**PAID)], ""),
    "paid to seats and names": ([*WON, settled(Anna=2, middlehand=-1, Carl=-1)], ""),
    "paid by a stranger": ([*WON, settled(Anna=2, Bo=-1, Dora=-1)], "settlement_mismatch"),
    "paid too much": ([*WON, settled(forehand=3, middlehand=-1, backhand=-2)], "settlement_mismatch"),
    "paid before, and so it ends": ([*of_dlu(), settled(**PAID), *tricks("FFFFF")], ""),
    "paid before, ends otherwise": ([*of_dlu(), settled(**PAID), *tricks("MMMMM")], "9 settlement_mismatch"),
    "paid as ruled": ([*WON, ruled(payments={F: 1, M: -1}), settled(forehand=1, middlehand=-1)], ""),
    "paid, one sitting out": ([*of_dlu("FFFFF", players=FOUR), settled(Anna=2, Bo=-1, Carl=-1, Dora=0)], ""),
    "paid by who took a hand over": ([*OF_PAIRS, settled(Anna=2, Dora=-1, Carl=-1)], ""),
    "closed": ([*WON, closed(**PAID)], ""),
    "closed otherwise": ([*WON, closed(forehand=4, middlehand=-2, backhand=-2)], "settlement_mismatch"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_of_an_ending(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


FORFEITED = {"outcome": "forfeited", "at_fault": M}
PAYS: dict[str, tuple[list[Event], str]] = {
    "a claim accepted": (TWO + ACCEPTED, "won 2 -1 -1"),
    "a claim answered by one": (TWO + ACCEPTED[:2], "open"),
    "a defender's claim": ([*CLAIM_OF_BO, *answered("F accept, B accept")], "codille -4 2 2"),
    "given up late": ([*LATE, given_up("F")], "abandoned -4 2 2"),
    "given up late for bete": ([*LATE, given_up("F", "bete")], "abandoned -2 1 1"),  # the table let it
    "ruled codille": ([*TWO, ruled(outcome="codille")], "codille -4 2 2"),
    "ruled given up": ([*of_dlu(), ruled(outcome="abandoned")], "abandoned -2 1 1"),
    "ruled in chips": ([*of_dlu(), ruled(**FORFEITED, payments={F: 2, M: -2})], "forfeited 2 -2 0"),
    "ruled in chips alone": ([*WON, ruled(payments={F: 1, M: -1})], "won 1 -1 0"),
    "a foul without a price": ([*of_dlu(), ruled(**FORFEITED)], "open"),
    "a penalty alone": ([*of_dlu(), ruled(penalty={M: 1})], "open"),
}


@pytest.mark.parametrize("name", PAYS)
def test_what_an_ending_pays_and_whether_it_is_one(name: str) -> None:
    events, expected = PAYS[name]
    assert payment(events) == expected
    assert (turn(events) == "over") is (expected != "open" or name == "a foul without a price")


def test_until_both_have_answered_a_claim_is_on_the_table() -> None:
    events = [*TWO, CLAIM]
    assert state_after(events)["claim"] == {"seat": F, "tricks": {F: 5, M: 3, B: 1}, "accepted": []}
    assert asked(events, "answer") == "B M"
    assert state_after(events + answered("M accept"))["claim"]["accepted"] == [M]
    assert turn(events + answered("M accept")) == "F play"
    assert state_after(TWO + CONTESTED)["claim"] is None
    assert turn(TWO + CONTESTED) == "F play"
    assert score_after(TWO + ACCEPTED)["tricks"] == {F: 5, M: 3, B: 1}


def test_a_deal_that_is_over_stays_over() -> None:
    for name in ("a bid after a void deal", "a bid after a ruling"):
        events = FOUND[name][0]
        assert (turn(events), state_after(events)["phase"]) == ("over", "finished"), name
    assert turn([*of_dlu(), given_up("M")]) == turn([*of_dlu(), SURRENDER]) == "F play"
    assert turn([*of_dlu(), closed()]) == "over"
