"""The course of a deal as a column: the hands, the calls, the exchange, the tricks."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import History, State, evolve, initial_state
from engine.core.cards import SEATS, Seat
from engine.core.events import BidMade, CardPlayed, ContractNamed, TalonTurned, TrumpNamed
from engine.core.field_types import Seq
from engine.play.state import Trick
from engine.play.tricks import cards_outside_tricks, tricks_on_record
from service.presentation.reports.diagrams import (
    DiagramMarks,
    build_hands_diagram,
    build_position_diagram,
    cards_known_later,
)
from service.presentation.text import hands, names
from service.presentation.text.bidding import call_phrase, exchange_phrases, list_exchanges
from service.presentation.text.sentences import SentenceContext, entry_sentence
from service.presentation.text.style import TextStyle

FootnoteNumbers = Mapping[Seq, int]
"""The number of the report on an entry, for a footnote."""


class CourseCell(NamedTuple):
    """A call or a card played, with its footnote number if it has one."""

    text: str
    mark: int | None = None
    leads: bool = False
    wins: bool = False


CourseRow = tuple[tuple[CourseCell, ...], ...]
"""A line of a table: the cells of forehand, middlehand and backhand."""


def build_deal_course(
    history: History, state: State, style: TextStyle, footnote_numbers: FootnoteNumbers
) -> dict[str, Any]:
    """A deal from the hands to the last trick; parts that are not recorded are None or empty."""
    dealt, played = hands.dealt_hands(history, state), hands.played_hands(history, state)
    changed = played is not None and any(
        one.known_mask != before.known_mask for one, before in zip(played, dealt, strict=True)
    )
    course = {
        "dealt_hands": build_hands_diagram(dealt, state, style) if hands.has_known_card(dealt) else None,
        "calls": _build_call_rows(history, state, style, footnote_numbers),
        "contract_sentences": _contract_sentences(history, state, style),
        "exchanges": _build_exchange_rows(history, state, style, footnote_numbers),
        "played_hands": _hands_before_play(history, state, style) if changed else None,
        "tricks": _build_course_tricks(state, style, footnote_numbers),
    }
    players = [names.player_label(state, seat, style) for seat in SEATS]
    return {**course, "players": players, "has_content": any(course.values())}


def _hands_before_play(history: History, state: State, style: TextStyle) -> dict[str, Any] | None:
    """The hands before the first card was led; cards known only from the play lean."""
    before = initial_state(state.opening.book)
    for place, entry in enumerate(history.entries):
        if isinstance(entry.event, CardPlayed):
            later = cards_known_later(before, history.entries[place:], state)
            return build_position_diagram(before, style, DiagramMarks(known_later_masks=later))
        before = evolve(before, entry)
    return build_position_diagram(state, style)


def _build_call_rows(
    history: History, state: State, style: TextStyle, marked: FootnoteNumbers
) -> list[CourseRow]:
    """The calls in order; a new line begins when the next seat is not further on."""
    lines: list[list[tuple[CourseCell, ...]]] = []
    last = len(SEATS)
    for entry in history.entries:
        event = entry.event
        if not isinstance(event, BidMade):
            continue
        if event.seat <= last or not lines:
            lines.append([(), (), ()])
        last = event.seat
        lines[-1][event.seat] = (CourseCell(call_phrase(event, state, style), marked.get(entry.seq)),)
    return [tuple(line) for line in lines]


def _contract_sentences(history: History, state: State, style: TextStyle) -> list[str]:
    """The contract and its trumps, in sentences."""
    return [
        entry_sentence(entry, SentenceContext(state, state, style))
        for entry in history.entries
        if isinstance(entry.event, ContractNamed | TrumpNamed | TalonTurned)
    ]


def _build_exchange_rows(
    history: History, state: State, style: TextStyle, marked: FootnoteNumbers
) -> list[dict[str, Any]]:
    """What each player discarded and drew, in words."""
    return [
        {
            "name": names.player_label(state, one.seat, style),
            "phrases": list(filter(None, exchange_phrases(one, style))),
            "mark": next((marked[seq] for seq in one.seqs if seq in marked), None),
        }
        for one in list_exchanges(history)
    ]


def _build_course_tricks(state: State, style: TextStyle, marked: FootnoteNumbers) -> dict[str, Any] | None:
    """The tricks by number, how many each seat took, and what does not count."""
    tricks = tricks_on_record(state)
    if not tricks:
        return None
    return {
        "rows": [
            (trick.number, [_build_cells(trick, seat, style, marked) for seat in SEATS]) for trick in tricks
        ],
        "trick_counts": state.play.tricks_won,
        "numbers_played_on": ", ".join(str(trick.number) for trick in state.ending.tricks_played_on),
        "cards_outside_tricks": ", ".join(
            f"{names.player_label(state, seat, style)} {style.card(card)}"
            for _, seat, card in cards_outside_tricks(state)
        ),
    }


def _build_cells(
    trick: Trick, seat: Seat, style: TextStyle, marked: FootnoteNumbers
) -> tuple[CourseCell, ...]:
    """What a seat played to a trick, usually one card."""
    return tuple(
        CourseCell(style.card(card), marked.get(seq), leads=place == 0, wins=seat == trick.winner)
        for place, (player_seat, card, seq) in enumerate(
            zip(trick.seats, trick.cards, trick.seqs, strict=True)
        )
        if player_seat == seat
    )
