"""Icelandic lomber, by deals that a player of it would recognise (its account of 1985)."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    given_up,
    legal_after,
    named,
    opened,
    paid,
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

KINGS = "SA SK SQ HK HQ H7 DK CK C7"
BASTI = "CA S2 S3 S4 C2 C3 H2 H3 D2"
REST = "S5 S6 S7 SJ H4 H5 D3 D4 C4"


def lomber(*hands: str, **switches: object) -> list[Event]:
    return opened(*hands, ruleset="lomber", switches=switches)


def grandissimo(*hands: str) -> list[Event]:
    deal = [*lomber(*hands), *said("F grandissimo, M pass, B pass"), *named("F", "grandissimo")]
    return deal + stands("M B")


def game(contract: str = "simple", trump: str | None = "H") -> list[Event]:
    """Forehand plays; everybody has stood who may exchange."""
    deal = [*lomber(), *said(f"F {contract}, M pass, B pass"), *named("F", contract, trump)]
    return deal + stands("F M B" if contract == "simple" else "M B")


# --- The auction ----------------------------------------------------------------------------------


def test_who_is_outbid_may_say_the_same() -> None:
    assert found([*lomber(), *said("F simple, M tourne, F self, M simple-nolo, F pass, B pass")]) == []
    against_backhand = "F pass, M simple, B tourne, M self, B pass"
    assert found([*lomber(), *said(against_backhand)]) == []
    assert state_after([*lomber(), *said(against_backhand)])["declarer"] == M


def test_the_younger_may_not_say_the_same() -> None:
    deal = [*lomber(), *said("F simple, M tourne, F self, M self")]
    assert found(deal) == [(len(deal), "bid_not_allowed")]


def test_hrein_nolo_outbids_a_spadasolo_and_not_the_reverse() -> None:
    assert found([*lomber(), *said("F spade-solo, M pure-nolo")]) == []
    assert found([*lomber(), *said("F pure-nolo, M spade-solo")])[0][1] == "bid_too_low"


def test_grand_turnir_is_for_him_who_was_dealt_both_black_aces() -> None:
    assert found([*lomber(KINGS), *said("F grand-tourne")])[0][1] == "bid_not_allowed"
    assert found([*lomber("SA CA H2 H3 H4 H5 D2 D3 D4"), *said("F grand-tourne")]) == []


def test_spil_may_become_kupp_but_never_grandissimo() -> None:
    won = [*lomber(), *said("F simple, M pass, B pass")]
    named_open = [one["contract"] for one in due_after(won)["contracts"]]
    assert set(named_open) == {"simple", "spade-game", "tourne", "simple-nolo"}
    assert found([*won, *named("F", "simple-nolo")]) == []
    assert found([*won, *named("F", "grandissimo")])[0][1] == "contract_not_allowed"


def test_solo_is_not_named_in_spades() -> None:
    won = [*lomber(), *said("F solo, M pass, B pass")]
    assert due_after(won)["contracts"] == [{"contract": "solo", "trumps": ["C", "D", "H"]}]
    assert found([*won, *named("F", "spade-solo", "S")])[0][1] == "contract_not_allowed"


# --- Grandissimo ----------------------------------------------------------------------------------


def test_spadda_and_the_four_kings_are_five_tricks() -> None:
    course = "F-SA M-CA B-S5 F-SK M-S2 B-S6 F-HK M-H2 B-H4 F-DK M-D2 B-D3 F-CK M-C2 B-C4"
    deal = grandissimo(KINGS, BASTI, REST) + plays(course)
    assert found(deal) == []
    assert paid(deal) == ("won", [4, -2, -2])


def test_declarer_buys_nothing_in_grandissimo() -> None:
    won = [*lomber(), *said("F grandissimo, M pass, B pass"), *named("F", "grandissimo")]
    assert (due_after(won)["seat"], due_after(won)["action"]) == (M, "exchange")
    assert found([*won, *swap("F", "H2", "H3")])[0][1] == "exchange_not_allowed"
    assert found([*won, *swap("M", "H2", "H3"), *swap("B", "D2", "D3")]) == []


def test_only_basti_answers_a_spadda_lead() -> None:
    led = grandissimo(KINGS, BASTI, REST) + plays("F-SA")
    assert due_after(led)["cards"] == ["CA"]
    assert len(due_after([*led, *plays("M-CA")])["cards"]) == 9  # no other spade is a trump
    withheld = [*led, *plays("M-S2")]
    assert found(withheld) == [(len(withheld), "revoke")]


def test_a_basti_lead_leaves_spadda_free_and_loses_to_her() -> None:
    led = grandissimo(BASTI, KINGS, REST) + plays("F-CA")
    assert len(due_after(led)["cards"]) == 9
    assert found([*led, *plays("M-C7 B-C4")]) == []
    taken = state_after([*led, *plays("M-SA B-C4")])
    assert taken["tricks_won"] == {F: 0, M: 1, B: 0}


def test_basti_takes_a_suit_that_her_holder_lacks() -> None:
    no_diamond = "CA S2 S3 S4 C2 C3 H2 H3 H6"
    deal = grandissimo(KINGS, no_diamond, REST) + plays("F-DK M-CA B-D3")
    assert found(deal) == []
    assert state_after(deal)["tricks_won"][M] == 1


def test_a_red_ace_stands_behind_the_jack_in_grandissimo() -> None:
    deal = grandissimo() + plays("F-DA M-DJ B-D2")
    assert state_after(deal)["tricks_won"][M] == 1


# --- Kúpp and the nólós ---------------------------------------------------------------------------


def kupp(**switches: object) -> list[Event]:
    deal = [*lomber(**switches), *said("F simple-nolo, M pass, B pass"), *named("F", "simple-nolo")]
    return deal + stands("F")


def test_nobody_but_declarer_buys_in_kupp_and_it_is_played_out() -> None:
    deal = kupp()
    assert due_after(deal)["action"] == "play"
    assert found([*deal, *swap("M", "H2", "H3")])[0][1] == "exchange_not_allowed"
    three_taken = [*deal, *plays("F-HK M-H2 B-H3 F-HQ M-H4 B-H5 F-HJ M-H6 B-H7")]
    assert legal_after(three_taken) is not None
    assert not score_after(three_taken)["decided"]


@pytest.mark.parametrize(
    ("most", "taken", "each"), [(0, 2, 3), (0, 3, 4), (0, 9, 10), (4, 2, 3), (4, 4, 4), (5, 9, 5), (6, 9, 6)]
)
def test_what_a_lost_kupp_costs(most: int, taken: int, each: int) -> None:
    deal = [*lomber(**{"kupp-most": most}), slip("F", "simple-nolo", f"{taken}-{9 - taken}-0")]
    assert paid(deal) == ("codille", [-2 * each, each, each])


def test_the_open_hand_is_due_after_the_first_lead() -> None:
    deal = [*lomber(), *said("F pass, M nolo-ouvert, B pass"), *named("M", "nolo-ouvert")]
    show = {"action": "show", "seat": M}
    assert show not in due_after(deal).get("also", [])
    assert show in due_after([*deal, *plays("F-D2")])["also"]
    open_hand = [*deal, *plays("F-D2"), shown("M", "D3 D4 H2 H3 H4 C2 C3 S2 S3")]
    assert show not in due_after(open_hand).get("also", [])


def test_a_lost_yfir_costs_what_it_would_have_won() -> None:
    assert paid([*lomber(), slip("F", "nolo-ouvert", outcome="won")]) == ("won", [12, -6, -6])
    assert paid([*lomber(), slip("F", "nolo-ouvert", "1-4-4")]) == ("bete", [-12, 6, 6])


@pytest.mark.parametrize("contract", ["spade-solo", "pure-nolo", "nolo-ouvert"])
def test_what_krukk_costs_in_the_dearest_contracts_is_not_known(contract: str) -> None:
    told = score_after([*lomber(), slip("F", contract, outcome="codille")])
    assert not told["decided"]
    assert told["reachable"] == {"codille": {F: None, M: None, B: None}}


# --- Games ----------------------------------------------------------------------------------------


def test_one_trick_against_four_and_four_is_krukk_unless_agreed_otherwise() -> None:
    assert paid([*lomber(), slip("F", "simple", "1-4-4")]) == ("codille", [-4, 2, 2])
    agreed = lomber(**{"remis-en-quatre": True})
    assert paid([*agreed, slip("F", "simple", "1-4-4")]) == ("bete", [-2, 1, 1])


def test_turnir_takes_its_trumps_from_the_stock() -> None:
    deal = [*lomber(), *said("F tourne, M pass, B pass"), *named("F", "tourne"), *turned("CA")]
    assert state_after(deal)["trump"] == "C"


def test_who_was_unlucky_in_buying_may_lay_himself_down() -> None:
    assert paid([*game(), given_up("F")]) == ("abandoned", [-2, 1, 1])
    before_buying = game()[:-3]
    assert found([*before_buying, given_up("F")])[0][1] == "abandon_not_allowed"


@pytest.mark.parametrize(
    ("contract", "trump"), [("solo", "H"), ("spade-solo", "S"), ("grandissimo", None), ("pure-nolo", None)]
)
def test_who_bought_nothing_may_not_lay_himself_down(contract: str, trump: str | None) -> None:
    deal = game(contract, trump) if contract != "pure-nolo" else [*lomber(), *said("F pure-nolo")]
    assert found([*deal, given_up("F")])[-1][1] == "abandon_not_allowed"


def test_kupp_has_to_be_played_whatever_it_costs() -> None:
    deal = kupp()
    assert found([*deal, given_up("F")]) == [(len(deal) + 1, "abandon_not_allowed")]


def test_totus_is_said_after_the_first_five_tricks() -> None:
    said_it = {"type": "slam_announced", "seat": F}
    assert found([*game(), *tricks("FFFF"), said_it])[0][1] == "slam_not_allowed"
    five = [*game(), *tricks("FFFFF")]
    assert paid(five) == ("won", [2, -1, -1])
    assert found([*five, said_it]) == []
    assert paid([*game(), *tricks("FFFFFFFFF")]) == ("won", [4, -2, -2])
    assert paid([*game(), *tricks("FFFFFFM")]) == ("won", [0, 0, 0])
