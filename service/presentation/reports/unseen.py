"""What the hidden cards can be, as the template sets it: by players, each set of cards in its suits."""

from itertools import groupby
from typing import NamedTuple

from engine import State
from engine.core.cards import BIT, CODES
from engine.inference.unseen import unseen
from engine.report import Report
from service.presentation.reports.diagrams import Letter, Row
from service.presentation.text import names
from service.presentation.text.fan import ORDER, suits_of
from service.presentation.text.put_right import once_told
from service.presentation.text.sentences import upper
from service.presentation.text.style import Style
from service.presentation.text.unseen import (
    AS_RECORDED,
    Possible,
    hides_cards,
    lead_of,
    levels_told,
    possibilities,
    possible_told,
)
from service.presentation.text.unseen_words import UNSEEN
from service.presentation.text.words import LETTERS


class PossibleTold(NamedTuple):
    """Some hidden cards: ``told`` in a sentence, and to be drawn: what they are of, how many, in which suits.

    A card that leans is possible as matter alone; one that is underlined is there for certain.
    """

    told: str
    what: str
    lead: str
    rows: tuple[Row, ...]


class Owner(NamedTuple):
    """Whose hidden cards they are, or the talon."""

    name: str
    cards: tuple[PossibleTold, ...]


class UnseenTold(NamedTuple):
    """What the hidden cards of a deal can be; ``notes`` say how many deals agree and what was not tried.

    ``once`` says of which entries put right it holds, where a mistake of the pen explains the record.
    ``leaning``, ``underlined``: whether any card is marked so.
    """

    once: str
    owners: tuple[Owner, ...]
    notes: tuple[str, ...]
    leaning: bool
    underlined: bool


def unseen_of(report: Report, style: Style) -> UnseenTold | None:
    """What the hidden cards can be; None where none is hidden, or the record cannot be.

    Where a mistake of the pen explains the record, it is told of the record put right: nobody is accused of
    what the report has just explained.
    """
    audit, right = report.likeliest, report.put_right
    if not hides_cards(audit):
        return None
    called = AS_RECORDED if right is None else right.called
    made, state = unseen(audit.history.entries, audit.state), audit.state
    found = possibilities(made, audit, style, called=called)
    if made.found.physical.agrees is False or not found:
        return None
    owners = tuple(
        Owner(
            upper(UNSEEN["talon"][style.lang] if seat is None else names.player(state, seat, style)),
            tuple(_told(one, state, style) for one in cards),
        )
        for seat, cards in groupby(found, key=lambda one: one.seat)
    )
    letters = [
        letter for owner in owners for one in owner.cards for row in one.rows for letter in row.letters
    ]
    return UnseenTold(
        "" if right is None else once_told(right, style),
        owners,
        tuple(levels_told(made, style, called)),
        any(one.later for one in letters),
        any(one.open for one in letters),
    )


def _told(one: Possible, state: State, style: Style) -> PossibleTold:
    by_suit: dict[str, list[Letter]] = {suit: [] for suit in ORDER}
    for card in (card for group in suits_of(one.cards | one.also, state) for card in group):
        code = CODES[card]
        letter = LETTERS[style.lang].get(code[1], code[1])
        by_suit[code[0]].append(
            Letter(letter, open=bool(one.certain & BIT[card]), later=bool(one.also & BIT[card]))
        )
    rows = tuple(Row(suit, tuple(letters)) for suit, letters in by_suit.items() if letters)
    return PossibleTold(possible_told(one, state, style), upper(one.what), lead_of(one, style), rows)
