"""Parts of what several commands show of a deal: its entries in words, and its hidden cards."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from engine import Audit, History, initial_state
from engine.core.cards import PACK_MASK, Seat
from engine.core.field_types import Seq
from engine.inference.unseen_cards import UnseenCards
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from service.presentation.text import names
from service.presentation.text.hidden_cards import (
    AS_RECORDED,
    contradiction_sentences,
    deal_count_sentences,
    hidden_card_phrase,
    list_possible_cards,
    possible_cards_phrase,
)
from service.presentation.text.layout import INDENT, pad_text, wrap_text
from service.presentation.text.sentences import capitalize_first, successive_sentences
from service.presentation.text.style import TextStyle

PACK_SIZE: Final = PACK_MASK.bit_count()


def history_lines(
    history: History, style: TextStyle, book: RulesetBook = PUBLISHED_RULESETS
) -> Iterator[str]:
    """The entries in words, each after its number."""
    width = max((len(str(entry.seq)) for entry in history.entries), default=0) + 2
    sentences = successive_sentences(initial_state(book), history.entries, style)
    for entry, sentence in zip(history.entries, sentences, strict=True):
        number = pad_text(str(entry.seq), width, align_right=True) + "  "
        yield from wrap_text(sentence, style.width, number)


def sentence_lines(
    sentence: str, style: TextStyle, indent: str = INDENT * 2, other_indent: str | None = None
) -> list[str]:
    """A sentence on lines; its last part may have brought a full stop of its own."""
    if sentence.endswith("..") and not sentence.endswith("..."):
        sentence = sentence[:-1]
    return wrap_text(sentence, style.width, indent, other_indent)


def hidden_cards_lines(
    unseen_cards: UnseenCards,
    audited: Audit,
    style: TextStyle,
    only_seat: Seat | None = None,
    original_seqs: Mapping[Seq, Seq] = AS_RECORDED,
    max_cards: int = PACK_SIZE,
) -> Iterator[str]:
    """List what the hidden cards can be, player by player, and how many deals agree.

    ``original_seqs`` maps entries that are not in the record to those they are reported as; of more than
    ``max_cards`` only the number is stated.
    """
    for line in contradiction_sentences(unseen_cards, audited, style):
        yield from wrap_text(line, style.width, INDENT, INDENT * 2)
    if unseen_cards.evidence.physical.is_consistent is False:
        return
    found = list_possible_cards(unseen_cards, audited, style, only_seat, original_seqs)
    if not found:
        yield INDENT + hidden_card_phrase("nothing", style)
    for seat, cards in groupby(found, key=lambda one: one.seat):
        owner = (
            hidden_card_phrase("talon", style)
            if seat is None
            else names.player_label(audited.state, seat, style)
        )
        yield INDENT + capitalize_first(owner)
        for one in cards:
            yield from wrap_text(
                possible_cards_phrase(one, audited.state, style, max_cards),
                style.width,
                INDENT * 2,
                INDENT * 3,
            )
    for line in deal_count_sentences(unseen_cards, style, original_seqs) if found else ():
        yield from wrap_text(line, style.width, INDENT)
