"""Matadors that were not played to a trump lead, by right, where somebody called it a revoke (RULES 5, 9).

What the privilege excuses is no fault, and is told only to answer the call: a record in which nobody calls
anything has nothing of it.
"""

from collections.abc import Iterator
from typing import Final

from engine.core.cards import BIT, SEATS, Card, Seat, codes_in
from engine.core.events import IrregularityNoted
from engine.core.log import Log, place
from engine.core.message import Listed, Said, said
from engine.core.vocabulary import Seq
from engine.inference.duties import led_known
from engine.judging.revokes import called, played_since, story
from engine.play.calls import calls_a_revoke
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.state import State, Trick

RULE: Final = "5. Play"


def withheld(entries: Log, state: State, revoked: frozenset[Seq]) -> Findings:
    """Trump leads not followed, and called a revoke, from a hand known to have held matadors.

    ``entries`` and ``state`` are those of the whole record; ``revoked`` are the plays that were revokes.
    None is told where entries are missing: which card was led would hang on them.
    """
    calls = [(seq, event) for seq, event, _ in entries if isinstance(event, IrregularityNoted)]
    if not calls or not state.play.table.matadors or state.incomplete:
        return NONE
    found = []
    for trick, seat, seq, held in _kept_back(state):
        behind = (one for one in calls if place(one[0]) > place(seq))
        call = next((at for at, event in behind if event.seat == seat and calls_a_revoke(event)), None)
        if call is not None and seq not in revoked:
            found.append(_told(state, trick, seat, seq, held, call))
    return tuple(found)


def _kept_back(state: State) -> Iterator[tuple[Trick, Seat, Seq, int]]:
    """The plays that did not follow a trump: the trick, whose, the entry, the matadors held then.

    From the last to the first: what is played later was held before.
    """
    play, table = state.play, state.play.table
    tricks = play.tricks
    if play.seats:
        tricks = (*tricks, Trick(len(tricks) + 1, play.seats, play.cards, play.seqs, None))
    held = [play.held[seat] & table.matadors for seat in SEATS]
    for number in range(len(tricks) - 1, -1, -1):
        trick = tricks[number]
        compelling = table.compelling[trick.cards[0]]
        if BIT[trick.cards[0]] & table.trumps and led_known(tricks, number):
            for seat, card, seq in zip(trick.seats[1:], trick.cards[1:], trick.seqs[1:], strict=True):
                if BIT[card] & ~table.trumps and held[seat] and not held[seat] & compelling:
                    yield trick, seat, seq, held[seat]
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            held[seat] |= BIT[card] & table.matadors


def _told(state: State, trick: Trick, seat: Seat, seq: Seq, held: int, call: Seq) -> Finding:
    course = story(state, seat, trick.number, held)
    message = said(
        "{course} {excuse}",
        course=Listed(course, " "),
        excuse=_excuse(state, seat, trick.cards[0], held),
    )
    shown = (later for _, card, later in played_since(state, seat, trick.number) if BIT[card] & held)
    return finding(seq, "matador_withheld", message, RULE, seat, (trick.seqs[0], *shown, call))


def _excuse(state: State, seat: Seat, lead: Card, held: int) -> Said:
    table = state.play.table
    freeing = table.freeing[lead]
    if held & freeing:
        return said(
            "The matador privilege excuses it: {lead} does not compel {cards}.",
            lead=called(lead),
            cards=Listed(codes_in(held)),
        )
    return said(
        "The matador privilege excuses it only if {player} held {cards} too.",
        player=name_of(state, seat),
        cards=Listed(codes_in(freeing & table.trumps)),
    )
