"""The tricks in columns: the leader first, the winning card marked, the count running along."""

from typing import Final

from engine import State
from engine.core.cards import Card, Seat, next_seat
from engine.play.state import Trick
from engine.play.tricks import cards_beside_tricks, tricks_on_record
from service.presentation.text import names
from service.presentation.text.layout import align_columns, wrap_text
from service.presentation.text.style import TextStyle
from service.presentation.text.text_sections import INDENT, TextLine, TextSection

SEAT_LETTERS: Final = "FMB"
"""The seats by their first letter, the same in both languages."""

CARDS_PER_TRICK: Final = 3
"""So many cards make a trick."""


def tricks_section(state: State, style: TextStyle) -> TextSection:
    """Every trick on a line, also the one that is being played, and what was played after the end."""
    tricks = tricks_on_record(state)
    if not tricks:
        return TextSection("", [])
    head = (
        "",
        style.phrase("leader"),
        "",
        "",
        "",
        style.phrase("F–M–B"),
    )
    texts = align_columns([head, *_rows(tricks, state, style)], right_aligned=(0,))
    lines = [
        TextLine(style.dim(INDENT + texts[0])),
        *(TextLine(INDENT + text, trick.seqs) for text, trick in zip(texts[1:], tricks, strict=True)),
        *_beside_tricks_lines(state, style),
    ]
    return TextSection(style.phrase("Tricks (* wins)"), lines)


def _rows(tricks: tuple[Trick, ...], state: State, style: TextStyle) -> list[tuple[str, ...]]:
    rows = []
    won = [0, 0, 0]
    for trick in tricks:
        if trick.winner is not None:
            won[trick.winner] += 1
        cards = [_trick_card_cell(trick, place, style) for place in range(len(trick.cards))]
        cards += [""] * (CARDS_PER_TRICK - len(cards))
        leader = names.short_player_label(state, trick.seats[0], style) if trick.seats else ""
        count = style.counts(tuple(won)) if trick.winner is not None else ""
        if trick.winner is None and trick.number <= len(state.play.tricks):
            count = "?"
        if trick in state.ending.tricks_played_on:
            count = style.phrase("played on")
        rows.append((str(trick.number), leader, *cards, count))
    return rows


def _trick_card_cell(trick: Trick, place: int, style: TextStyle) -> str:
    """A card of a trick: marked where it won, with its seat where that is not the next in order."""
    seat, text = trick.seats[place], style.card(trick.cards[place])
    if seat == trick.winner:
        text = style.bold(text) + "*"
    return text if _is_played_in_turn(trick, place) else f"{text} ({SEAT_LETTERS[seat]})"


def _is_played_in_turn(trick: Trick, place: int) -> bool:
    return place == 0 or trick.seats[place] == next_seat(trick.seats[place - 1])


def _beside_tricks_lines(state: State, style: TextStyle) -> list[TextLine]:
    """Cards that belong to no trick and do not count."""
    plays = cards_beside_tricks(state)
    if not plays:
        return []
    cards = ", ".join(_seat_and_card(seat, card, style) for _, seat, card in plays)
    lines = wrap_text(f"{style.phrase('Played, and does not count')}: {cards}", style.width, INDENT)
    return [TextLine("\n".join(lines), tuple(seq for seq, _, _ in plays))]


def _seat_and_card(seat: Seat, card: Card, style: TextStyle) -> str:
    return f"{SEAT_LETTERS[seat]} {style.card(card)}"
