"""Icelandic lomber, by deals that a player of it would recognise (its account of 1985)."""

from itertools import pairwise

import pytest

from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.shorthand import (
    Event,
    due_after,
    given_up,
    legal_after,
    named,
    opened,
    plays,
    said,
    score_after,
    slip,
    stands,
    swap,
)

RISING = [
    "simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "grandissimo", "solo", "spade-solo",
    "pure-nolo", "nolo-ouvert",
]  # fmt: skip
KINGS = "SA SK SQ HK HQ H7 DK CK C7"
BASTI = "CA S2 S3 S4 C2 C3 H2 H3 D2"
REST = "S5 S6 S7 SJ H4 H5 D3 D4 C4"


def lomber(*hands: str, **switches: object) -> list[Event]:
    return opened(*hands, ruleset="lomber", switches=switches)


def won(contract: str, *hands: str) -> list[Event]:
    return lomber(*hands) + said(f"F {contract}, M pass, B pass")


def grandissimo(*hands: str) -> list[Event]:
    return won("grandissimo", *hands) + named("F", "grandissimo") + stands("M B")


KUPP = won("simple-nolo") + named("F", "simple-nolo") + stands("F")
COURSE = "F-SA M-CA B-S5 F-SK M-S2 B-S6 F-HK M-H2 B-H4 F-DK M-D2 B-D3 F-CK M-C2 B-C4"
SPADDA_LED = grandissimo(KINGS, BASTI, REST) + plays("F-SA")
BASTI_LED = grandissimo(BASTI, KINGS, REST) + plays("F-CA")

FOUND: dict[str, tuple[list[Event], str]] = {
    "the younger says the same": (lomber() + said("F simple, M tourne, F self, M self"), "bid_not_allowed"),
    "spil becomes grandissimo": (won("simple") + named("F", "grandissimo"), "contract_not_allowed"),
    "spadda and the four kings": (grandissimo(KINGS, BASTI, REST) + plays(COURSE), ""),
    "the declarer buys": (grandissimo()[:-2] + swap("F", "H2"), "exchange_not_allowed"),
    "the others buy": (grandissimo()[:-2] + swap("M", "H2", "H3") + swap("B", "D2", "D3"), ""),
    "basti withheld from spadda": (SPADDA_LED + plays("M-S2"), "revoke"),
    "spadda withheld from basti": (BASTI_LED + plays("M-C7 B-C4"), ""),
    "another buys in kupp": (KUPP + swap("M", "H2"), "exchange_not_allowed"),
    "grandissimo given up": ([*grandissimo(), given_up("F")], "abandon_not_allowed"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_in_lomber(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


def test_every_bid_outbids_the_one_before_it() -> None:
    for lower, higher in pairwise(RISING):
        assert findings(lomber() + said(f"F {lower}, M {higher}")) == "", higher
        assert findings(lomber() + said(f"F {higher}, M {lower}")).startswith("bid_too_low"), lower


def test_only_basti_answers_a_spadda_lead_and_no_other_spade_is_a_trump() -> None:
    assert due_after(SPADDA_LED)["cards"] == ["CA"]
    assert len(due_after([*SPADDA_LED, *plays("M-CA")])["cards"]) == 9
    assert len(due_after(BASTI_LED)["cards"]) == 9
    for trick in ("F-CA M-SA B-C4", "F-DK M-CA B-D3", "F-S2 M-SA B-SK", "F-DA M-DJ B-D2"):
        assert turn(grandissimo() + plays(trick)) == "M play", trick


def test_kupp_is_played_out() -> None:
    three_taken = [*KUPP, *plays("F-HK M-H2 B-H3 F-HQ M-H4 B-H5 F-HJ M-H6 B-H7")]
    assert legal_after(three_taken) is not None
    assert payment(three_taken) == "open"


@pytest.mark.parametrize("contract", ["spade-solo", "pure-nolo", "nolo-ouvert"])
def test_what_krukk_costs_in_the_dearest_contracts_is_not_known(contract: str) -> None:
    told = score_after([*lomber(), slip("F", contract, outcome="codille")])
    assert not told["decided"]
    assert {*told["reachable"]["codille"].values()} == {None}


@pytest.mark.parametrize(
    ("most", "taken", "each"), [(0, 2, 3), (0, 3, 4), (0, 9, 10), (4, 2, 3), (4, 4, 4), (4, 5, 4), (5, 9, 5)]
)
def test_a_lost_kupp_costs_one_more_for_each_trick_up_to_the_limit(most: int, taken: int, each: int) -> None:
    deal = [*lomber(**{"kupp-most": most}), slip("F", "simple-nolo", f"{taken}-{9 - taken}-0")]
    assert payment(deal) == f"codille {-2 * each} {each} {each}"


def test_what_a_deal_pays() -> None:
    assert payment(FOUND["spadda and the four kings"][0]) == "won 4 -2 -2"
    assert payment([*lomber(), slip("F", "nolo-ouvert", outcome="bete")]) == "bete -12 6 6"
    remis = [*lomber(**{"remis-en-quatre": True}), slip("F", "simple", "1-4-4")]
    assert payment(remis) == "bete -2 1 1"
    given = [*won("simple"), *named("F", "simple", "H"), *stands(), given_up("F")]
    assert payment(given) == "abandoned -2 1 1"


def test_who_sits_out_pays_as_an_opponent() -> None:
    four = opened(ruleset="lomber", players={"sitting_out": ["Dora"]})
    told = score_after([*four, slip("F", "solo", outcome="won")])
    assert list(told["payments"].values()) == [6, -2, -2, -2]
