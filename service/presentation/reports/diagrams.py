"""Hands as a bridge column prints them: a row for every suit, and the trick or talon between them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from engine import Audit, Entry, State
from engine.audit_report import AuditReport
from engine.core.cards import (
    CARD_BITS,
    CARD_CODES,
    HIDDEN_CARD,
    SEATS,
    Card,
    Seat,
    cards_in_mask,
    slot_code,
)
from engine.core.events import CardPlayed
from engine.core.field_types import Seq
from engine.inference.unseen_cards import UnseenCards, analyze_unseen_cards
from engine.play.state import PLAY
from schemas.i18n.catalogs import rank_letter
from service.presentation.text import names
from service.presentation.text.findings import assumed_correction_phrase
from service.presentation.text.hands import SUIT_ORDER, KnownHand, KnownHands, sort_hand_mask
from service.presentation.text.hidden_cards import (
    AS_RECORDED,
    PossibleCards,
    deal_count_sentences,
    has_hidden_cards,
    has_many_cards,
    hidden_card_phrase,
    is_proved,
    list_possible_cards,
    listed_physical_cards,
    possible_cards_phrase,
    quantity_phrase,
)
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle

SEAT_SIDES: Final = {"anticlockwise": ("bottom", "right", "left"), "clockwise": ("bottom", "left", "right")}
"""Where forehand, middlehand and backhand sit, by the direction of play."""


class DiagramCard(NamedTuple):
    """A card in the row of its suit: whether it was legal, was played, or was known only later."""

    text: str
    is_legal: bool = False
    is_played: bool = False
    is_known_later: bool = False


class DiagramMarks(NamedTuple):
    """What is marked in the hands: legal cards, the card played, and cards known only later."""

    legal_cards: Collection[Card] = ()
    played_card: Card | None = None
    known_later_masks: tuple[int, ...] = (0, 0, 0)


NO_MARKS: Final = DiagramMarks()


def build_position_diagram(
    state: State, style: TextStyle, marks: DiagramMarks = NO_MARKS
) -> dict[str, Any] | None:
    """The hands at a point, and the trick or else the talon; None where no card is known."""
    play = state.play
    hands = tuple(
        KnownHand(
            play.known_cards[seat] | marks.known_later_masks[seat],
            _remaining_slots(play.hidden_slots[seat], marks.known_later_masks[seat]),
        )
        for seat in SEATS
    )
    if not any(hand.known_mask for hand in hands):
        return None
    laid = zip(play.seats, play.cards, strict=True) if state.phase == PLAY else ()
    trick = [
        {
            "side": _side(seat, state),
            "name": names.player_label(state, seat, style),
            "card": style.card(card),
            "leads": place == 0,
        }
        for place, (seat, card) in enumerate(laid)
    ]
    talon = () if state.phase == PLAY else state.exchange.talon
    return {
        **build_hands_diagram(hands, state, style, marks),
        "trick": trick,
        "talon": [style.card(card) for card in talon if card != HIDDEN_CARD],
    }


def build_hands_diagram(
    hands: KnownHands, state: State, style: TextStyle, marks: DiagramMarks = NO_MARKS
) -> dict[str, Any]:
    """A diagram of three hands at the sides where they sit, and which marks are used in it."""
    drawn = [_build_hand(seat, hands[seat], state, style, marks) for seat in SEATS]
    letters = [letter for hand in drawn for _, cards in hand["rows"] for letter in cards]
    return {
        "hands": drawn,
        "has_underlined": any(one.is_legal for one in letters),
        "has_boxed": any(one.is_played for one in letters),
        "has_leaning": any(one.is_known_later for one in letters),
    }


def cards_known_later(state: State, later_entries: Iterable[Entry], end_state: State) -> tuple[int, ...]:
    """By seat the cards of its hand that only later entries show: it played them, or has them at the end.

    None where these are more than the unknown cards of the hand: then the record contradicts itself.
    """
    masks = list(end_state.play.known_cards)
    if state.phase != PLAY:
        return (0, 0, 0)
    for entry in later_entries:
        event = entry.event
        if isinstance(event, CardPlayed):
            masks[event.seat] |= CARD_BITS[event.card]
    later = [masks[seat] & ~state.play.known_cards[seat] for seat in SEATS]
    return tuple(
        mask if mask.bit_count() <= len(slots) else 0
        for mask, slots in zip(later, state.play.hidden_slots, strict=True)
    )


def _remaining_slots(slots: tuple[int, ...], later: int) -> tuple[int, ...]:
    """What is still unknown of a hand besides the cards known later."""
    remaining = list(slots)
    for card in cards_in_mask(later):
        fitting = next((slot for slot in remaining if slot & CARD_BITS[card]), None)
        remaining.remove(remaining[0] if fitting is None else fitting)
    return tuple(remaining)


def _side(seat: Seat, state: State) -> str:
    return SEAT_SIDES[state.opening.rules.ruleset.direction][seat]


def _build_hand(
    seat: Seat, hand: KnownHand, state: State, style: TextStyle, marks: DiagramMarks
) -> dict[str, Any]:
    """A hand: its side, player and contract, its suits, and the number of unknown cards."""
    by_suit = _sort_by_suit(hand.known_mask, state, lambda card: _build_card(card, seat, state, style, marks))
    contract, slot_suits = state.contract_state, [slot_code(slot)[0] for slot in hand.slots]
    is_declarer = contract.declarer == seat and contract.contract_id is not None
    for suit in slot_suits:
        if suit != "?":
            by_suit[suit].append(DiagramCard("x", is_known_later=True))
    return {
        "side": _side(seat, state),
        "seat": seat,
        "name": names.player_label(state, seat, style),
        "game": names.game_name(state, contract.contract_id, contract.trump, style) if is_declarer else "",
        "rows": list(by_suit.items()) if any(by_suit.values()) else [],
        "hidden_count": slot_suits.count("?"),
        "is_empty": not (hand.known_mask or hand.slots),
    }


def _sort_by_suit(
    mask: int, state: State, build_card: Callable[[Card], DiagramCard]
) -> dict[str, list[DiagramCard]]:
    """The cards of ``mask`` by suit, each suit from high to low."""
    by_suit: dict[str, list[DiagramCard]] = {suit: [] for suit in SUIT_ORDER}
    for card in sort_hand_mask(mask, state):
        by_suit[CARD_CODES[card][0]].append(build_card(card))
    return by_suit


def _build_card(card: Card, seat: Seat, state: State, style: TextStyle, marks: DiagramMarks) -> DiagramCard:
    turn = state.play.turn if state.phase == PLAY else None
    return DiagramCard(
        rank_letter(CARD_CODES[card][1], style.lang),
        is_legal=seat == turn and card in marks.legal_cards,
        is_played=card == marks.played_card,
        is_known_later=bool(marks.known_later_masks[seat] & CARD_BITS[card]),
    )


# --- Hidden cards ----------------------------------------------------------------------------------


def build_article_hidden_cards(report: AuditReport, style: TextStyle) -> dict[str, Any] | None:
    """What the hidden cards can be; None where none is hidden, or the record contradicts itself.

    Where a mistake of the pen explains the record, this is about the corrected record, so that nobody is
    accused of what the report has just explained.
    """
    audit, corrected = report.likeliest_audit, report.corrected
    if not has_hidden_cards(audit):
        return None
    original_seqs = AS_RECORDED if corrected is None else corrected.original_seqs
    unseen_cards = analyze_unseen_cards(audit.history.entries, audit.state)
    found = build_hidden_cards(unseen_cards, audit, style, original_seqs)
    return found and {
        **found,
        "assumption": "" if corrected is None else assumed_correction_phrase(corrected, style),
    }


def build_hidden_cards(
    unseen_cards: UnseenCards, audit: Audit, style: TextStyle, original_seqs: Mapping[Seq, Seq] = AS_RECORDED
) -> dict[str, Any] | None:
    """What the hidden cards can be, owner by owner; None where nothing is to be said of them.

    ``original_seqs`` is as in `list_possible_cards`.
    """
    state = audit.state
    found = list_possible_cards(unseen_cards, audit, style, original_seqs=original_seqs)
    if unseen_cards.evidence.physical.is_consistent is False or not found:
        return None
    owners = [
        {
            "name": capitalize_first(
                hidden_card_phrase("talon", style) if seat is None else names.player_label(state, seat, style)
            ),
            "cards": [_build_possible_cards(one, state, style) for one in cards],
        }
        for seat, cards in groupby(found, key=lambda one: one.seat)
    ]
    return {
        "owners": owners,
        "notes": list(deal_count_sentences(unseen_cards, style, original_seqs)),
        "has_leaning": any(listed_physical_cards(one) for one in found),
        "has_underlined": any(one.certain_mask for one in found),
    }


def _build_possible_cards(one: PossibleCards, state: State, style: TextStyle) -> dict[str, Any]:
    """Leaning cards are possible only if a rule of play was broken; underlined ones are certain.

    Of very many cards, only the certain ones are listed.
    """
    by_suit = _sort_by_suit(
        one.certain_mask if has_many_cards(one) else one.possible_mask | listed_physical_cards(one),
        state,
        lambda card: DiagramCard(
            rank_letter(CARD_CODES[card][1], style.lang),
            is_legal=bool(one.certain_mask & CARD_BITS[card]),
            is_known_later=bool(one.physical_only_mask & CARD_BITS[card]),
        ),
    )
    return {
        "sentence": possible_cards_phrase(one, state, style),
        "label": capitalize_first(one.label),
        "quantity": quantity_phrase(one, style),
        "is_proved": is_proved(one),
        "rows": [(suit, cards) for suit, cards in by_suit.items() if cards],
    }
