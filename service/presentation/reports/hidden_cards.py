"""What the hidden cards can be, as the template sets it: by players, each set of cards in its suits."""

from itertools import groupby
from typing import Any

from engine import State
from engine.audit_report import AuditReport
from engine.core.cards import CARD_BITS
from engine.inference.unseen_cards import analyze_unseen_cards
from service.presentation.reports.diagrams import DiagramCard, card_letter, sort_by_suit
from service.presentation.text import names
from service.presentation.text.hidden_cards import (
    AS_RECORDED,
    PossibleCards,
    deal_count_sentences,
    has_hidden_cards,
    hidden_card_phrase,
    list_possible_cards,
    possible_cards_phrase,
    quantity_phrase,
)
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle
from service.presentation.text.suggestions import assumed_correction_phrase


def build_article_hidden_cards(report: AuditReport, style: TextStyle) -> dict[str, Any] | None:
    """What the hidden cards can be; None where none is hidden, or the record cannot be.

    Where a mistake of the pen explains the record, it is told of the record put right: nobody is accused of
    what the report has just explained.
    """
    audit, corrected = report.likeliest_audit, report.corrected
    if not has_hidden_cards(audit):
        return None
    original_seqs = AS_RECORDED if corrected is None else corrected.original_seqs
    unseen_cards, state = analyze_unseen_cards(audit.history.entries, audit.state), audit.state
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
        "assumption": "" if corrected is None else assumed_correction_phrase(corrected, style),
        "owners": owners,
        "notes": deal_count_sentences(unseen_cards, style, original_seqs),
        "has_leaning": any(one.physical_only_mask for one in found),
        "has_underlined": any(one.certain_mask for one in found),
    }


def _build_possible_cards(one: PossibleCards, state: State, style: TextStyle) -> dict[str, Any]:
    """A card that leans is possible as matter alone; one that is underlined is there for certain."""
    by_suit = sort_by_suit(
        one.possible_mask | one.physical_only_mask,
        state,
        lambda card: DiagramCard(
            card_letter(card, style),
            is_legal=bool(one.certain_mask & CARD_BITS[card]),
            is_known_later=bool(one.physical_only_mask & CARD_BITS[card]),
        ),
    )
    return {
        "sentence": possible_cards_phrase(one, state, style),
        "label": capitalize_first(one.label),
        "quantity": quantity_phrase(one, style),
        "rows": [(suit, cards) for suit, cards in by_suit.items() if cards],
    }
