"""The auction and the exchange, written out."""

from typing import NamedTuple

from engine import Entry, History, State
from engine.core.cards import Card, Seat
from engine.core.events import BidMade, CardsDiscarded, CardsDrawn, ContractNamed, TalonTurned, TrumpNamed
from engine.core.vocabulary import Seq
from service.presentation.text import names
from service.presentation.text.layout import GAP, cells, columns, padded, wrapped
from service.presentation.text.phrases import PHRASES
from service.presentation.text.sentences import Telling, sentence
from service.presentation.text.sheet import INDENT, Line, Section
from service.presentation.text.style import Style
from service.presentation.text.words import HEADINGS, LABELS


def auction_section(history: History, state: State, style: Style) -> Section:
    """The calls in words, who has the contract, and the card that was turned."""
    entries = [entry for entry in history.entries if isinstance(entry.event, AUCTION)]
    callers = [entry.event.seat for entry in entries if isinstance(entry.event, BidMade)]
    width = max((cells(names.short(state, seat, style)) for seat in callers), default=0)
    lines = [_auction_line(entry, state, style, width) for entry in entries]
    return Section(HEADINGS["auction"][style.lang], lines)


AUCTION = (BidMade, ContractNamed, TrumpNamed, TalonTurned)
"""What settles who plays what."""


def _auction_line(entry: Entry, state: State, style: Style, width: int) -> Line:
    event = entry.event
    if isinstance(event, BidMade):
        name = INDENT + padded(names.short(state, event.seat, style), width) + GAP
        text = _call(event, state, style)
    else:
        name, text = INDENT, sentence(entry, Telling(state, state, style))
    return Line("\n".join(wrapped(text, style.width, name)), (entry.seq,))


def _call(event: BidMade, state: State, style: Style) -> str:
    told = names.bid(state, event.bid, style)
    if event.trump is not None:
        told += PHRASES["too_early"][style.lang].format(suit=names.suit(event.trump, style))
    if event.said is not None:
        told += PHRASES["in_these_words"][style.lang].format(said=event.said)
    return told


class Bought(NamedTuple):
    """What a seat laid away and drew; None where the record has no such entry."""

    seat: Seat
    seqs: tuple[Seq, ...]
    discarded: tuple[Card, ...] | None
    drawn: tuple[Card, ...] | None


def exchanges(history: History) -> list[Bought]:
    """Who exchanged what, in order; a draw is laid to the discard before it."""
    found: list[Bought] = []
    for entry in history.entries:
        event = entry.event
        if isinstance(event, CardsDiscarded):
            found.append(Bought(event.seat, (entry.seq,), event.cards, None))
        elif isinstance(event, CardsDrawn):
            last = found[-1] if found else None
            if last is not None and last.seat == event.seat and last.drawn is None:
                found[-1] = last._replace(seqs=(*last.seqs, entry.seq), drawn=event.cards)
            else:
                found.append(Bought(event.seat, (entry.seq,), None, event.cards))
    return found


def exchange_section(history: History, state: State, style: Style) -> Section:
    """What everybody laid away and drew, and what is known to be left of the talon."""
    found = exchanges(history)
    rows = [(names.short(state, one.seat, style), _discard(one, style), _draw(one, style)) for one in found]
    texts = [INDENT + text for text in columns(rows)] if rows else []
    if any(cells(text) > style.width for text in texts):
        texts = [_one_below_the_other(row, style.width) for row in rows]
    lines = [Line(text, one.seqs) for text, one in zip(texts, found, strict=True)]
    left = tuple(state.exchange.talon)
    if found and any(card < 40 for card in left):
        told = LABELS["left"][style.lang].format(cards=names.cards(left, style))
        lines.append(Line("\n".join(wrapped(told, style.width, INDENT))))
    return Section(HEADINGS["exchange"][style.lang], lines)


def _one_below_the_other(row: tuple[str, ...], width: int) -> str:
    """A row that is too wide for a line."""
    name, *cards = row
    return "\n".join(
        [INDENT + name, *(line for text in cards if text for line in wrapped(text, width, INDENT * 2))]
    )


def _discard(one: Bought, style: Style) -> str:
    if one.discarded is None:
        return ""
    key = "discards" if one.discarded else "stands"
    return LABELS[key][style.lang].format(cards=names.cards(one.discarded, style))


def _draw(one: Bought, style: Style) -> str:
    if one.drawn is None:
        return ""
    return LABELS["draws"][style.lang].format(cards=names.cards(one.drawn, style))
