"""The tricks in columns: the leader first, the winning card marked, the count running along."""

from typing import Final

from engine import State
from engine.core.cards import Card, Seat, seat_after
from engine.play.state import Trick
from service.presentation.text import names
from service.presentation.text.layout import columns, wrapped
from service.presentation.text.sheet import INDENT, Line, Section
from service.presentation.text.style import Style
from service.presentation.text.words import HEADINGS, LABELS

LETTERS: Final = "FMB"
"""The seats by their first letter, the same in both languages."""

CARDS: Final = 3
"""So many cards make a trick."""


def tricks_section(state: State, style: Style) -> Section:
    """Every trick on a line, also the one that is being played, and what was played after the end."""
    play = state.play
    tricks = list(play.tricks)
    if play.cards:
        tricks.append(Trick(len(tricks) + 1, play.seats, play.cards, play.seqs, None))
    if not tricks:
        return Section("", [])
    head = ("", LABELS["leader"][style.lang], "", "", "", LABELS["order"][style.lang])
    texts = columns([head, *_rows(tricks, state, style)], right=(0,))
    lines = [
        Line(style.dim(INDENT + texts[0])),
        *(Line(INDENT + text, trick.seqs) for text, trick in zip(texts[1:], tricks, strict=True)),
        *_played_on(state, style),
    ]
    return Section(HEADINGS["tricks"][style.lang], lines)


def _rows(tricks: list[Trick], state: State, style: Style) -> list[tuple[str, ...]]:
    rows = []
    won = [0, 0, 0]
    for trick in tricks:
        if trick.winner is not None:
            won[trick.winner] += 1
        cards = [_card(trick, place, style) for place in range(len(trick.cards))]
        cards += [""] * (CARDS - len(cards))
        leader = names.short(state, trick.seats[0], style) if trick.seats else ""
        count = style.counts(tuple(won)) if trick.winner is not None else ""
        if trick.winner is None and trick.number <= len(state.play.tricks):
            count = "?"
        rows.append((str(trick.number), leader, *cards, count))
    return rows


def _card(trick: Trick, place: int, style: Style) -> str:
    """A card of a trick: marked where it won, with its seat where that is not the next in order."""
    seat, shown = trick.seats[place], style.card(trick.cards[place])
    if seat == trick.winner:
        shown = style.bold(shown) + "*"
    return shown if _in_order(trick, place) else f"{shown} ({LETTERS[seat]})"


def _in_order(trick: Trick, place: int) -> bool:
    return place == 0 or trick.seats[place] == seat_after(trick.seats[place - 1])


def _played_on(state: State, style: Style) -> list[Line]:
    """Cards played after the deal was over, which do not count."""
    beyond = state.ending.beyond
    if not beyond:
        return []
    cards = ", ".join(_of(seat, card, style) for _, seat, card in beyond)
    told = wrapped(f"{LABELS['played_on'][style.lang]}: {cards}", style.width, INDENT)
    return [Line("\n".join(told), tuple(seq for seq, _, _ in beyond))]


def _of(seat: Seat, card: Card, style: Style) -> str:
    return f"{LETTERS[seat]} {style.card(card)}"
