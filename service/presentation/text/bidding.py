"""The auction and the exchange, and what may be done next, in words."""

from typing import NamedTuple

from engine import Entry, History, LegalActions, State, legal
from engine.core.cards import CARD_BY_CODE, Card, Seat, mask_of_cards
from engine.core.events import BidMade, CardsDiscarded, CardsDrawn, ContractNamed, TalonTurned, TrumpNamed
from engine.core.field_types import Seq
from service.presentation.text import names
from service.presentation.text.hands import sort_into_suits
from service.presentation.text.layout import (
    COLUMN_GAP,
    INDENT,
    align_columns,
    display_width,
    pad_text,
    wrap_text,
)
from service.presentation.text.sentences import SentenceContext, bid_remarks, capitalize_first, entry_sentence
from service.presentation.text.style import TextStyle
from service.presentation.text.text_sections import TextLine, TextSection
from service.presentation.text.words import NEXT_ACTION_PHRASES, SECTION_HEADINGS


def auction_section(history: History, state: State, style: TextStyle) -> TextSection:
    """The calls in words, the contract, and the card that was turned."""
    entries = [entry for entry in history.entries if isinstance(entry.event, AUCTION_EVENTS)]
    callers = [entry.event.seat for entry in entries if isinstance(entry.event, BidMade)]
    width = max((display_width(names.short_player_label(state, seat, style)) for seat in callers), default=0)
    lines = [_auction_line(entry, state, style, width) for entry in entries]
    return TextSection(style.phrase("Auction"), lines)


AUCTION_EVENTS = (BidMade, ContractNamed, TrumpNamed, TalonTurned)
"""The events that settle who plays what."""


def _auction_line(entry: Entry, state: State, style: TextStyle, width: int) -> TextLine:
    event = entry.event
    if isinstance(event, BidMade):
        name = INDENT + pad_text(names.short_player_label(state, event.seat, style), width) + COLUMN_GAP
        text = call_phrase(event, state, style)
    else:
        name, text = INDENT, entry_sentence(entry, SentenceContext(state, state, style))
    return TextLine("\n".join(wrap_text(text, style.width, name)), (entry.seq,))


def call_phrase(event: BidMade, state: State, style: TextStyle) -> str:
    """A call in words."""
    return names.game_words(state, style).bid(event.bid) + bid_remarks(event, style)


class SeatExchange(NamedTuple):
    """What a seat discarded and drew; None where the record has no such entry."""

    seat: Seat
    seqs: tuple[Seq, ...]
    discards: tuple[Card, ...] | None
    draws: tuple[Card, ...] | None


def list_exchanges(history: History) -> list[SeatExchange]:
    """Who exchanged what, in order; a draw belongs to the discard before it."""
    found: list[SeatExchange] = []
    for entry in history.entries:
        event = entry.event
        if isinstance(event, CardsDiscarded):
            found.append(SeatExchange(event.seat, (entry.seq,), event.cards, None))
        elif isinstance(event, CardsDrawn):
            last = found[-1] if found else None
            if last is not None and last.seat == event.seat and last.draws is None:
                found[-1] = last._replace(seqs=(*last.seqs, entry.seq), draws=event.cards)
            else:
                found.append(SeatExchange(event.seat, (entry.seq,), None, event.cards))
    return found


def exchange_section(history: History, state: State, style: TextStyle) -> TextSection:
    """What everybody discarded and drew, and the cards known to be left in the talon."""
    found = list_exchanges(history)
    rows = [
        (names.short_player_label(state, one.seat, style), *exchange_phrases(one, style)) for one in found
    ]
    texts = [INDENT + text for text in align_columns(rows)] if rows else []
    if any(display_width(text) > style.width for text in texts):
        texts = [_stack_row(row, style.width) for row in rows]
    lines = [TextLine(text, one.seqs) for text, one in zip(texts, found, strict=True)]
    talon = tuple(state.exchange.talon)
    if found and any(card < 40 for card in talon):
        text = style.phrase("left in the talon: {cards}", cards=names.format_cards(talon, style))
        lines.append(TextLine("\n".join(wrap_text(text, style.width, INDENT))))
    return TextSection(style.phrase("Exchange"), lines)


def _stack_row(row: tuple[str, ...], width: int) -> str:
    """A row that is too wide for a line."""
    name, *cards = row
    return "\n".join(
        [INDENT + name, *(line for text in cards if text for line in wrap_text(text, width, INDENT * 2))]
    )


def exchange_phrases(one: SeatExchange, style: TextStyle) -> tuple[str, str]:
    """What a seat discarded and what it drew; empty where the record has no such entry."""
    discards = draws = ""
    if one.discards is not None:
        cards = names.format_cards(one.discards, style)
        discards = style.phrase("discards {cards}" if one.discards else "stands", cards=cards)
    if one.draws is not None:
        draws = style.phrase("draws {cards}", cards=names.format_cards(one.draws, style))
    return discards, draws


def next_action_section(state: State, style: TextStyle) -> TextSection:
    """Whose turn it is and what is legal; empty when the deal is over."""
    next_action = legal(state)
    if next_action is None:
        return TextSection("", [])
    text = "\n".join(
        wrap_text(capitalize_first(next_action_phrase(next_action, state, style)), style.width, INDENT)
    )
    return TextSection(style.phrase(SECTION_HEADINGS["next"]), [TextLine(text)])


def next_action_phrase(legal: LegalActions, state: State, style: TextStyle) -> str:
    """Who may do what, in a phrase without a full stop."""
    player, options = names.player_label(state, legal.seat, style), _options_phrase(legal, state, style)
    phrase = style.phrase(
        NEXT_ACTION_PHRASES[legal.action],
        name=player,
        what=options,
        least=legal.min_count,
        most=legal.max_count,
    )
    # No card can be named of a hand that is not known, or empty by a mistake in the record.
    return phrase.removesuffix(": ")


def _options_phrase(legal: LegalActions, state: State, style: TextStyle) -> str:
    """What may be called, named or played: the lowest bid first, the cards as in a hand."""
    rules = state.opening.rules
    if legal.action == "bid":
        ranks = {bid.id: bid.rank for bid in rules.bids.values()}
        calls = sorted(legal.calls, key=lambda call: (ranks.get(call, 0), call))
        return ", ".join(names.game_words(state, style).bid(call) for call in calls)
    if legal.action == "name":
        choices = dict(legal.contracts)
        return ", ".join(
            _contract_choice_phrase(name, choices[name], state, style)
            for name in rules.contracts
            if name in choices
        )
    mask = mask_of_cards(tuple(CARD_BY_CODE[code] for code in legal.cards))
    known = " ".join(style.cards(group) for group in sort_into_suits(mask, state))
    if not legal.hidden:
        return known
    hidden = style.phrase("an unseen card")
    return f"{known}, {hidden}" if known else hidden


def _contract_choice_phrase(contract: str, trumps: tuple[str, ...], state: State, style: TextStyle) -> str:
    """A contract that may be named, with its suits if there is a choice."""
    name = names.game_name(state, contract, None, style)
    return f"{name} ({' '.join(style.suit(suit) for suit in trumps)})" if len(trumps) > 1 else name
