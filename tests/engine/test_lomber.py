"""Icelandic lomber, by deals that a player of it would recognise (its account of 1985)."""

from itertools import pairwise

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.shorthand import (
    Event,
    F,
    M,
    due_after,
    given_up,
    legal_after,
    named,
    opened,
    plays,
    said,
    score_after,
    shown,
    slip,
    stands,
    state_after,
    swap,
    tricks,
    turned,
)

RISING = [
    "simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "grandissimo", "solo", "spade-solo",
    "pure-nolo", "nolo-ouvert",
]  # fmt: skip
KINGS = "SA SK SQ HK HQ H7 DK CK C7"
BASTI = "CA S2 S3 S4 C2 C3 H2 H3 D2"
REST = "S5 S6 S7 SJ H4 H5 D3 D4 C4"
TOTUS: Event = {"type": "slam_announced", "seat": F}


def lomber(*hands: str, **switches: object) -> list[Event]:
    return opened(*hands, ruleset="lomber", switches=switches)


def auction(words: str, *hands: str) -> list[Event]:
    return lomber(*hands) + said(words)


def won(contract: str, *hands: str) -> list[Event]:
    return auction(f"F {contract}, M pass, B pass", *hands)


def grandissimo(*hands: str) -> list[Event]:
    return won("grandissimo", *hands) + named("F", "grandissimo") + stands("M B")


def game(contract: str = "simple", trump: str | None = "H") -> list[Event]:
    """Forehand plays; everybody has stood who may exchange."""
    return won(contract) + named("F", contract, trump) + stands("F M B" if contract == "simple" else "M B")


KUPP = won("simple-nolo") + named("F", "simple-nolo") + stands("F")
COURSE = "F-SA M-CA B-S5 F-SK M-S2 B-S6 F-HK M-H2 B-H4 F-DK M-D2 B-D3 F-CK M-C2 B-C4"
SPADDA_LED = grandissimo(KINGS, BASTI, REST) + plays("F-SA")
BASTI_LED = grandissimo(BASTI, KINGS, REST) + plays("F-CA")

FOUND: dict[str, tuple[list[Event], str]] = {
    # The auction
    "who is outbid says the same": (auction("F simple, M tourne, F self, M simple-nolo, F pass, B pass"), ""),
    "the younger says the same": (auction("F simple, M tourne, F self, M self"), "bid_not_allowed"),
    "grand turnir without aces": (auction("F grand-tourne", KINGS), "bid_not_allowed"),
    "grand turnir with both": (auction("F grand-tourne", "SA CA H2 H3 H4 H5 D2 D3 D4"), ""),
    "spil becomes kupp": (won("simple") + named("F", "simple-nolo"), ""),
    "spil becomes grandissimo": (won("simple") + named("F", "grandissimo"), "contract_not_allowed"),
    "solo in spades": (won("solo") + named("F", "spade-solo", "S"), "contract_not_allowed"),
    # Grandissimo
    "spadda and the four kings": (grandissimo(KINGS, BASTI, REST) + plays(COURSE), ""),
    "the declarer buys": (
        won("grandissimo") + named("F", "grandissimo") + swap("F", "H2"),
        "exchange_not_allowed",
    ),
    "the others buy": (
        won("grandissimo") + named("F", "grandissimo") + swap("M", "H2", "H3") + swap("B", "D2", "D3"),
        "",
    ),
    "basti withheld from spadda": (SPADDA_LED + plays("M-S2"), "revoke"),
    "spadda withheld from basti": (BASTI_LED + plays("M-C7 B-C4"), ""),
    "basti takes a suit its holder lacks": (
        grandissimo(KINGS, "CA S2 S3 S4 C2 C3 H2 H3 H6", REST) + plays("F-DK M-CA B-D3"),
        "",
    ),
    # Kupp and giving up
    "another buys in kupp": (KUPP + swap("M", "H2"), "exchange_not_allowed"),
    "kupp given up": ([*KUPP, given_up("F")], "abandon_not_allowed"),
    "given up before buying": ([*game()[:-3], given_up("F")], "abandon_not_allowed"),
    "a solo given up": ([*game("solo"), given_up("F")], "abandon_not_allowed"),
    "a spadasolo given up": ([*game("spade-solo", "S"), given_up("F")], "abandon_not_allowed"),
    "grandissimo given up": ([*grandissimo(), given_up("F")], "abandon_not_allowed"),
    "a hreinn given up": ([*won("pure-nolo"), given_up("F")], "abandon_not_allowed"),
    "totus said after four": ([*game(), *tricks("FFFF"), TOTUS], "slam_not_allowed"),
    "totus said after five": ([*game(), *tricks("FFFFF"), TOTUS], ""),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_in_lomber(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


def test_every_bid_outbids_the_one_before_it() -> None:
    for lower, higher in pairwise(RISING):
        assert findings(auction(f"F {lower}, M {higher}")) == "", higher
        assert findings(auction(f"F {higher}, M {lower}")).startswith("bid_too_low"), lower


def test_who_wins_the_auction_and_what_may_be_named() -> None:
    events = auction("F pass, M simple, B tourne, M self, B pass")
    assert (state_after(events)["declarer"], findings(events)) == (M, "")
    spil = {one["contract"] for one in due_after(won("simple"))["contracts"]}
    assert spil == {"simple", "spade-game", "tourne", "simple-nolo"}
    assert due_after(won("solo"))["contracts"] == [{"contract": "solo", "trumps": ["C", "D", "H"]}]
    turnir = won("tourne") + named("F", "tourne") + turned("CA")
    assert state_after(turnir)["trump"] == "C"
    assert turn(won("grandissimo") + named("F", "grandissimo")) == "M exchange"
    assert (turn(grandissimo()), state_after(grandissimo())["trump"]) == ("F play", None)


def test_only_basti_answers_a_spadda_lead_and_no_other_spade_is_a_trump() -> None:
    assert due_after(SPADDA_LED)["cards"] == ["CA"]
    assert len(due_after([*SPADDA_LED, *plays("M-CA")])["cards"]) == 9
    assert len(due_after(BASTI_LED)["cards"]) == 9
    assert len(due_after(grandissimo(BASTI, f"SA {KINGS[9:]} D5 D6", REST) + plays("F-S2"))["cards"]) == 9


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("F-CA M-SA B-C4", "M"), ("F-DK M-CA B-D3", "M"), ("F-S2 M-SA B-SK", "M"), ("F-DA M-DJ B-D2", "M")],
)
def test_who_wins_a_trick_in_grandissimo(trick: str, winner: str) -> None:
    assert turn(grandissimo() + plays(trick)) == f"{winner} play"


def test_the_open_hand_is_due_after_the_first_lead() -> None:
    deal = auction("F pass, M nolo-ouvert, B pass") + named("M", "nolo-ouvert")
    led = [*deal, *plays("F-D2")]
    open_hand = [*led, shown("M", "D3 D4 H2 H3 H4 C2 C3 S2 S3")]
    assert [asked(events, "show") for events in (deal, led, open_hand)] == ["", "M", ""]


def test_kupp_is_played_out() -> None:
    three_taken = [*KUPP, *plays("F-HK M-H2 B-H3 F-HQ M-H4 B-H5 F-HJ M-H6 B-H7")]
    assert legal_after(three_taken) is not None
    assert payment(three_taken) == "open"


# --- What is paid ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "outcome", "each"),
    [
        ("simple", "won", 1),
        ("spade-game", "codille", -2),
        ("tourne", "bete", -1),
        ("grand-tourne", "won", 2),
        ("grandissimo", "won", 2),
        ("grandissimo", "codille", -3),
        ("solo", "bete", -2),
        ("solo", "codille", -3),
        ("spade-solo", "won", 3),
        ("pure-nolo", "bete", -3),
        ("nolo-ouvert", "won", 6),
        ("nolo-ouvert", "bete", -6),
    ],
)
def test_what_a_contract_pays(contract: str, outcome: str, each: int) -> None:
    deal = [*lomber(), slip("F", contract, outcome=outcome)]
    assert payment(deal) == f"{outcome} {2 * each} {-each} {-each}"


@pytest.mark.parametrize("contract", ["spade-solo", "pure-nolo", "nolo-ouvert"])
def test_what_krukk_costs_in_the_dearest_contracts_is_not_known(contract: str) -> None:
    told = score_after([*lomber(), slip("F", contract, outcome="codille")])
    assert not told["decided"]
    assert {*told["reachable"]["codille"].values()} == {None}


@pytest.mark.parametrize(
    ("most", "taken", "each"),
    [(0, 2, 3), (0, 3, 4), (0, 5, 6), (0, 9, 10), (4, 2, 3), (4, 4, 4), (4, 5, 4), (5, 9, 5), (6, 9, 6)],
)
def test_a_lost_kupp_costs_one_more_for_each_trick_up_to_what_is_agreed(
    most: int, taken: int, each: int
) -> None:
    deal = [*lomber(**{"kupp-most": most}), slip("F", "simple-nolo", f"{taken}-{9 - taken}-0")]
    assert payment(deal) == f"codille {-2 * each} {each} {each}"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (FOUND["spadda and the four kings"][0], "won 4 -2 -2"),
        ([*lomber(), slip("F", "simple", "1-4-4")], "codille -4 2 2"),
        ([*lomber(**{"remis-en-quatre": True}), slip("F", "simple", "1-4-4")], "bete -2 1 1"),
        ([*game(), given_up("F")], "abandoned -2 1 1"),
        (game() + tricks("FFFFF"), "won 2 -1 -1"),
        (game() + tricks("FFFFFFFFF"), "won 4 -2 -2"),
        (game() + tricks("FFFFFFM"), "won 0 0 0"),
    ],
    ids=["grandissimo", "krukk", "remis en quatre", "given up", "five", "totus", "a try lost"],
)
def test_what_a_deal_pays(events: list[Event], expected: str) -> None:
    assert payment(events) == expected


def test_who_sits_out_pays_as_an_opponent() -> None:
    four = opened(ruleset="lomber", players={"sitting_out": ["Dora"]})
    told = score_after([*four, slip("F", "solo", outcome="won")])
    assert list(told["payments"].values()) == [6, -2, -2, -2]
