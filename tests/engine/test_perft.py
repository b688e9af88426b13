"""How many legal courses the last tricks of some deals have: fixed numbers, counted by engine and slow model.

A change in the duty to follow, in who wins a trick or in what ends a deal changes one of them.
"""

from typing import Any

import pytest

import replays
from engine import State, evolve, fold_all, legal, start
from engine.cards import CARD_OF, SEAT_NAMES, SUITS
from engine.events import CardPlayed
from engine.log import Entry
from tests.slow import cards as slow
from tests.slow.model import seats_from

COURSES = {
    ("la-bete-simple-bete", 4): 1_544,
    ("la-bete-tourne-codille", 4): 2_160,
    ("gamerules-spade-game-codille", 4): 1_364,
    ("gamerules-solo-bete", 4): 4_352,
    ("clockwise-solo-codille", 4): 3_456,
    ("clockwise-simple-nolo-codille", 4): 3_280,
    ("dlu-simple-bete", 4): 392,
    ("dlu-simple-nolo-bete", 4): 6_768,
    ("five-matadors-tourne-bete", 4): 176,
    ("dlu-tournament-spade-solo-codille", 4): 4_520,
    ("lomber-grandissimo-bete", 4): 1_440,
    ("ombre-play-codille", 4): 2_548,
    ("ombre-countervole-won", 4): 13_824,
    ("tresillo-solo-bete", 4): 1_480,
}
"""For a deal of the library and so many tricks left: the courses that its last tricks can take."""
POLICY = {"forced-by-higher": "higher", "can-beat-lead": "beats", "absolute": "always"}


def ending(name: str, left: int) -> State:
    """The deal before the first card of its last ``left`` tricks."""
    deal = replays.find(name)
    assert deal is not None
    log = deal.log()
    lead = [n for n, entry in enumerate(log) if isinstance(entry.event, CardPlayed)][3 * (9 - left)]
    return fold_all(log[:lead], start())


def courses(state: State) -> int:
    """The courses by asking the engine what is legal; the deal is played to its ninth trick or its end."""
    due = legal(state)
    if due is None:
        return 1
    assert due.seat is not None
    seat, seq = due.seat, 1000 + len(state.play.tricks) * 3 + len(state.play.cards)
    return sum(courses(evolve(state, Entry(seq, CardPlayed(seat, CARD_OF[code])))) for code in due.cards)


Table = dict[str, Any]


def second_count(state: State) -> int:
    """The same by the slow model's cards."""
    rules, bargain = state.opening.rules.ruleset, state.bargain
    assert bargain.contract is not None and bargain.declarer is not None
    trump = {4: None, 5: "aces"}.get(int(bargain.trump or 0), SUITS[int(bargain.trump or 0) % 4])
    table: Table = {
        "trump": trump,
        "policy": POLICY[rules.matadors],
        "red_ace_low": rules.red_trumps == "ace-after-jack",
        "declarer": SEAT_NAMES[bargain.declarer],
        "stops": 5 if bargain.contract.aim == "game" else bargain.contract.ends_at or 9,
    }
    hands = {
        SEAT_NAMES[seat]: [
            code for code, card in CARD_OF.items() if card < 40 and state.play.held[seat] >> card & 1
        ]
        for seat in range(3)
    }
    assert state.play.turn is not None
    return _count(table, hands, SEAT_NAMES[state.play.turn], [], state.play.won[bargain.declarer])


def _count(
    table: Table, hands: dict[str, list[str]], seat: str, trick: list[tuple[str, str]], own: int
) -> int:
    if len(trick) == 3:
        winner = slow.trick_winner(trick, table["trump"], table["red_ace_low"])
        own += winner == table["declarer"]
        over = own >= table["stops"] or not any(hands.values())
        return 1 if over else _count(table, hands, winner, [], own)
    total = 0
    led = trick[0][1] if trick else None
    for card in slow.playable(hands[seat], led, table["trump"], table["policy"]):
        left = {**hands, seat: [one for one in hands[seat] if one != card]}
        total += _count(table, left, seats_from(seat)[1], [*trick, (seat, card)], own)
    return total


@pytest.mark.parametrize(("name", "left"), list(COURSES))
def test_the_courses_of_an_ending(name: str, left: int) -> None:
    state = ending(name, left)
    assert courses(state) == COURSES[name, left]
    assert second_count(state) == COURSES[name, left]
