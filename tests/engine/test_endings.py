"""What else ends a deal: claims, giving up, rulings, a void deal; and what was paid at the table."""

from typing import Any

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    answered,
    claimed,
    corrected,
    due_after,
    given_up,
    named,
    opened,
    plays,
    ruled,
    said,
    score_after,
    settled,
    stands,
    state_after,
    swap,
    tricks,
    turned,
)


def bargain(contract: str = "simple", trump: str | None = "H", **opening: Any) -> list[Event]:
    """Forehand's contract, named; nothing else has happened."""
    return opened(**opening) + said(f"F {contract}, M pass, B pass") + named("F", contract, trump)


def game(winners: str = "", **opening: Any) -> list[Event]:
    return bargain(**opening) + stands() + tricks(winners)


def closed(**payments: int) -> Event:
    return {"type": "deal_closed", "payments": payments, "engine": "0.1.0"}


CLAIM = claimed("F", 5, 3, 1)
ACCEPTED = [CLAIM, *answered("M accept, B accept")]
CONTESTED = [CLAIM, *answered("M accept, B contest")]
CLAIM_OF_BO = [*game("MMMM"), claimed("M", 3, 5, 1)]
WON, TWO = game("FFFFF"), game("FF")
LATE = game() + plays("F-D2 M-D3")
"""Two cards have been played."""
VOID: Event = {"type": "deal_voided", "reason": "misdeal"}
SURRENDER: Event = {"type": "surrender_offered", "seat": F}
PAID = {"forehand": 2, "middlehand": -1, "backhand": -1}
FOUR = {"sitting_out": ["Dora"]}
PARTNERS = {"sitting_out": ["Dora"], "partners": [["Anna", "Dora"]]}
TAKEN_OVER: Event = {"type": "hand_taken_over", "seat": M, "player": "Dora"}
OF_PAIRS = [*bargain(players=PARTNERS), TAKEN_OVER, *stands(), *tricks("FFFFF")]
"""Pairs play: who bids a hand and who plays it can differ (RULES 9)."""

FOUND: dict[str, tuple[list[Event], str]] = {
    # Claims
    "accepted": (TWO + ACCEPTED, ""),
    "eleven claimed": ([*TWO, claimed("F", 6, 4, 1)], "claim_not_possible"),
    "fewer claimed than won": ([*TWO, claimed("F", 1, 5, 3)], "claim_not_possible"),
    "answered without a claim": (TWO + answered("M accept"), "wrong_phase"),
    "answered by the claimer": ([*TWO, CLAIM, *answered("F accept")], "wrong_seat"),
    "a card after it": (TWO + ACCEPTED + plays("F-D7"), "play_after_end"),
    "claimed in the auction": ([*opened(), *said("F simple"), CLAIM], "wrong_phase"),
    "claimed after giving up": ([*game(), given_up("F"), CLAIM], "wrong_phase"),
    # Giving up
    "given up when it is won": ([*WON, given_up("F")], "wrong_phase"),
    "given up by another": ([*game(), given_up("M")], "abandon_not_allowed"),
    "given up without a contract": ([*game()[:4], given_up("F")], "abandon_not_allowed"),
    "given up too late for bete": ([*LATE, given_up("F", "bete")], "abandon_not_allowed"),
    "a surrender": ([*game(), SURRENDER], "abandon_not_allowed"),
    # The director
    "a bid after a void deal": ([*opened(), VOID, *said("F simple")], "wrong_phase"),
    "a bid after a ruling": ([*opened(), ruled(outcome="voided"), *said("F simple")], "wrong_phase"),
    # What was paid
    "paid to seats": ([*WON, settled(**PAID)], ""),
    "paid to seats and names": ([*WON, settled(Anna=2, middlehand=-1, Carl=-1)], ""),
    "paid the other way": ([*WON, settled(forehand=-2, middlehand=1, backhand=1)], "settlement_mismatch"),
    "paid by a stranger": ([*WON, settled(Anna=2, Bo=-1, Dora=-1)], "settlement_mismatch"),
    "paid too much": ([*WON, settled(forehand=3, middlehand=-1, backhand=-2)], "settlement_mismatch"),
    "paid before, and so it ends": ([*game(), settled(**PAID), *tricks("FFFFF")], ""),
    "paid before, ends otherwise": ([*game(), settled(**PAID), *tricks("MMMMM")], "9 settlement_mismatch"),
    "paid as ruled": ([*WON, ruled(payments={F: 1, M: -1}), settled(forehand=1, middlehand=-1)], ""),
    "paid where one sits out": ([*game("FFFFF", players=FOUR), settled(Anna=2, Bo=-1, Carl=-1, Dora=0)], ""),
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
    "a tourne given up": ([*bargain("tourne", None), given_up("F")], "abandoned -4 2 2"),
    "given up late": ([*LATE, given_up("F")], "abandoned -4 2 2"),
    "given up late for bete": ([*LATE, given_up("F", "bete")], "abandoned -2 1 1"),  # the table let it
    "ruled kodille": ([*TWO, ruled(outcome="codille")], "codille -4 2 2"),
    "ruled against the cards": ([*WON, ruled(outcome="bete")], "bete -2 1 1"),
    "ruled given up": ([*game(), ruled(outcome="abandoned")], "abandoned -2 1 1"),
    "ruled in chips": ([*game(), ruled(**FORFEITED, payments={F: 2, M: -2})], "forfeited 2 -2 0"),
    "ruled in chips alone": ([*WON, ruled(payments={F: 1, M: -1})], "won 1 -1 0"),
    "a foul without a price": ([*game(), ruled(**FORFEITED)], "open"),
    "a penalty alone": ([*game(), ruled(penalty={M: 1})], "open"),
}


@pytest.mark.parametrize("name", PAYS)
def test_what_an_ending_pays_and_whether_it_is_one(name: str) -> None:
    events, expected = PAYS[name]
    assert payment(events) == expected
    assert (turn(events) == "over") is (expected != "open" or name == "a foul without a price")


# --- Claims and giving up -----------------------------------------------------------------------


def test_until_both_have_answered_a_claim_is_on_the_table() -> None:
    events = [*TWO, CLAIM]
    assert state_after(events)["claim"] == {"seat": F, "tricks": {F: 5, M: 3, B: 1}, "accepted": []}
    assert asked(events, "answer") == "B M"
    assert state_after(events + answered("M accept"))["claim"]["accepted"] == [M]
    assert turn(events + answered("M accept")) == "F play"
    assert state_after(TWO + CONTESTED)["claim"] is None
    assert turn(TWO + CONTESTED) == "F play"
    assert score_after(TWO + ACCEPTED)["tricks"] == {F: 5, M: 3, B: 1}


def gives_up_for(events: list[Event]) -> str:
    """What giving up would pay as now."""
    also = due_after(events).get("also", [])
    return " ".join(one["pays"] for one in also if one["action"] == "abandon")


def test_the_small_games_are_given_up_for_bete_until_two_cards_have_been_played() -> None:
    buys = turned("H4") + swap("F", "?? ??", "H4 ??") + stands("M B")
    for events, exchanged in ((bargain(), stands()), (bargain("grand-tourne", None), buys)):
        assert gives_up_for(events) == "bete codille"
        assert gives_up_for(events + exchanged + plays("F-D2")) == "bete codille"
        assert gives_up_for(events + exchanged + plays("F-D2 M-D3")) == "codille"
    for events in (bargain("solo"), bargain("simple-nolo", None)):
        assert gives_up_for(events) == "codille"
        assert findings([*events, given_up("F", "bete")]) == "abandon_not_allowed"
        assert payment([*events, given_up("F")]).startswith("abandoned")


def test_a_deal_that_is_over_stays_over() -> None:
    for name in ("a bid after a void deal", "a bid after a ruling"):
        events = FOUND[name][0]
        assert (turn(events), state_after(events)["phase"]) == ("over", "finished"), name
    assert turn([*game(), given_up("M")]) == turn([*game(), SURRENDER]) == "F play"
    assert turn([*game(), closed()]) == "over"


def test_a_correction_opens_a_closed_record_again() -> None:
    last = len(WON)
    events = [*WON[: last - 3], *tricks("M"), closed(**PAID)]  # the last trick entered wrongly, say
    assert turn(events) == "over"
    again = [*events, corrected([last - 2, last - 1, last], *plays("F-D7 M-C7 B-S7"))]
    assert state_after(again)["tricks_won"][F] == 5
    assert payment(again).startswith("won")


