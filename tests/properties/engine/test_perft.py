"""How many legal courses the last tricks of some deals have: fixed numbers, which a slow model counted too.

A change in the duty to follow, in who wins a trick or in what ends a deal changes one of them.
"""

import pytest

import replays
from engine import State, evolve, fold_all, initial_state, legal
from engine.core.cards import CARD_BY_CODE
from engine.core.events import CardPlayed
from engine.core.log import Entry

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


def ending(name: str, left: int) -> State:
    """The deal before the first card of its last ``left`` tricks."""
    deal = replays.find_library_deal(name)
    assert deal is not None
    log = deal.read_log()
    lead = [n for n, entry in enumerate(log) if isinstance(entry.event, CardPlayed)][3 * (9 - left)]
    return fold_all(log[:lead], initial_state())


def courses(state: State) -> int:
    """The courses by asking the engine what is legal; the deal is played to its ninth trick or its end."""
    due = legal(state)
    if due is None:
        return 1
    assert due.seat is not None
    seat, seq = due.seat, 1000 + len(state.play.tricks) * 3 + len(state.play.cards)
    return sum(courses(evolve(state, Entry(seq, CardPlayed(seat, CARD_BY_CODE[code])))) for code in due.cards)


@pytest.mark.parametrize(("name", "left"), list(COURSES))
def test_the_courses_of_an_ending(name: str, left: int) -> None:
    assert courses(ending(name, left)) == COURSES[name, left]
