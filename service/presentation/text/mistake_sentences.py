"""A mistake of the pen in words: what would stand in the record instead, and what follows from it."""

from collections.abc import Iterator
from typing import Final

from engine import Entry, Finding, evolve, initial_state
from engine.core.events import CorrectionMade
from engine.core.log import Log
from engine.diagnosis.misprints import ProposalGroup
from engine.play.findings import Findings
from engine.rulesets import RulesetBook
from schemas.i18n.translate import translate
from service.presentation.text.findings import begins_with_entry, format_card_codes
from service.presentation.text.sentences import SentenceContext, entry_sentence
from service.presentation.text.style import TextStyle

MAX_CONSEQUENCES: Final = 5
"""So many findings that follow from a mistake are told."""


def corrected_entry_sentences(
    entries: Log, correction: CorrectionMade, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """What would stand in place of what is corrected, each entry as it would be read there.

    ``entries`` are those of the record as it stands, in which the replaced one is.
    """
    before = initial_state(book)
    for entry in entries:
        if entry.seq in correction.replaces:
            break
        before = evolve(before, entry)
    for event in correction.with_:
        entry = Entry(correction.replaces[0], event)
        after = evolve(before, entry)
        yield entry_sentence(entry, SentenceContext(before, after, style))
        before = after


def consequence_sentences(consequences: Findings, style: TextStyle) -> tuple[str, ...]:
    """The first of the findings that follow from a mistake, each after its entry; then how many more."""
    lines = [finding_after_entry(one, style) for one in consequences[:MAX_CONSEQUENCES]]
    if (omitted_count := len(consequences) - MAX_CONSEQUENCES) > 0:
        lines.append(style.phrase("And {count} more.", count=omitted_count))
    return tuple(lines)


def finding_after_entry(one: Finding, style: TextStyle) -> str:
    """A finding behind the entry that it is about."""
    what = format_card_codes(translate(one.message, style.lang), style)
    if begins_with_entry(what, one, style):
        return what
    return style.phrase("entry {seq}: {what}", seq=one.seq, what=what)


def similar_proposals_phrase(group: ProposalGroup, style: TextStyle) -> str:
    """How many proposals are like the one that is told, and with which cards; empty where none is."""
    if not group.others:
        return ""
    cards = style.cards(group.cards)
    return style.phrase(
        "And another like it, with {cards}."
        if len(group.others) == 1
        else "And {count} others like it, with {cards}.",
        count=len(group.others),
        cards=cards,
    )
