"""What the hidden cards can be, as the template sets it: by players, each set of cards in its suits."""

from itertools import groupby
from typing import NamedTuple

from engine import State
from engine.audit_report import AuditReport
from engine.core.cards import CARD_BITS, CARD_CODES
from engine.inference.unseen_cards import analyze_unseen_cards
from schemas.i18n.catalogs import rank_letter
from service.presentation.reports.diagrams import DiagramCard, SuitRow
from service.presentation.text import names
from service.presentation.text.hand_format import SUIT_ORDER, sort_into_suits
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


class ArticlePossibleCards(NamedTuple):
    """Some hidden cards: ``sentence`` in a sentence, and to be drawn: what they are of, how many, in which
    suits.

    A card that leans is possible as matter alone; one that is underlined is there for certain.
    """

    sentence: str
    label: str
    quantity: str
    rows: tuple[SuitRow, ...]


class HiddenCardOwner(NamedTuple):
    """Whose hidden cards they are, or the talon."""

    name: str
    cards: tuple[ArticlePossibleCards, ...]


class ArticleHiddenCards(NamedTuple):
    """What the hidden cards of a deal can be; ``notes`` say how many deals agree and what was not tried.

    ``assumption`` says of which entries put right it holds, where a mistake of the pen explains the record.
    ``has_leaning``, ``has_underlined``: whether any card is marked so.
    """

    assumption: str
    owners: tuple[HiddenCardOwner, ...]
    notes: tuple[str, ...]
    has_leaning: bool
    has_underlined: bool


def build_article_hidden_cards(report: AuditReport, style: TextStyle) -> ArticleHiddenCards | None:
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
    owners = tuple(
        HiddenCardOwner(
            capitalize_first(
                hidden_card_phrase("talon", style) if seat is None else names.player_label(state, seat, style)
            ),
            tuple(_build_possible_cards(one, state, style) for one in cards),
        )
        for seat, cards in groupby(found, key=lambda one: one.seat)
    )
    letters = [letter for owner in owners for one in owner.cards for row in one.rows for letter in row.cards]
    return ArticleHiddenCards(
        "" if corrected is None else assumed_correction_phrase(corrected, style),
        owners,
        tuple(deal_count_sentences(unseen_cards, style, original_seqs)),
        any(one.is_known_later for one in letters),
        any(one.is_legal for one in letters),
    )


def _build_possible_cards(one: PossibleCards, state: State, style: TextStyle) -> ArticlePossibleCards:
    by_suit: dict[str, list[DiagramCard]] = {suit: [] for suit in SUIT_ORDER}
    for card in (
        card for group in sort_into_suits(one.possible_mask | one.physical_only_mask, state) for card in group
    ):
        code = CARD_CODES[card]
        letter = rank_letter(code[1], style.lang)
        by_suit[code[0]].append(
            DiagramCard(
                letter,
                is_legal=bool(one.certain_mask & CARD_BITS[card]),
                is_known_later=bool(one.physical_only_mask & CARD_BITS[card]),
            )
        )
    rows = tuple(SuitRow(suit, tuple(letters)) for suit, letters in by_suit.items() if letters)
    return ArticlePossibleCards(
        possible_cards_phrase(one, state, style),
        capitalize_first(one.label),
        quantity_phrase(one, style),
        rows,
    )
