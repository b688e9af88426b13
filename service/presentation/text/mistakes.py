"""A mistake of the pen in words: what would stand in the record instead, and what follows from it."""

from collections.abc import Iterator
from typing import Final

from engine import Entry, Finding, evolve, start
from engine.core.events import CorrectionMade
from engine.core.log import Log
from engine.diagnosis.misprints import Group
from engine.play.findings import Findings
from engine.rulesets import Book
from service.presentation.i18n.translate import told
from service.presentation.text.findings import begins_with_entry, with_cards
from service.presentation.text.sentences import Telling, sentence
from service.presentation.text.style import Style
from service.presentation.text.table_report_words import TABLE_REPORT

FOLLOWING: Final = 5
"""So many findings that follow from a mistake are told."""


def put_right(entries: Log, correction: CorrectionMade, book: Book, style: Style) -> Iterator[str]:
    """What would stand in place of what is corrected, each entry as it would be read there.

    ``entries`` are those of the record as it stands, in which the replaced one is.
    """
    before = start(book)
    for entry in entries:
        if entry.seq in correction.replaces:
            break
        before = evolve(before, entry)
    for event in correction.with_:
        entry = Entry(correction.replaces[0], event)
        after = evolve(before, entry)
        yield sentence(entry, Telling(before, after, style))
        before = after


def following(follows: Findings, style: Style) -> tuple[str, ...]:
    """The first of the findings that follow from a mistake, each after its entry; then how many more."""
    lines = [_after_its_entry(one, style) for one in follows[:FOLLOWING]]
    if (left := len(follows) - FOLLOWING) > 0:
        lines.append(TABLE_REPORT["more"][style.lang].format(count=left))
    return tuple(lines)


def _after_its_entry(one: Finding, style: Style) -> str:
    what = with_cards(told(one.message, style.lang), style)
    if begins_with_entry(what, one, style):
        return what
    return TABLE_REPORT["follows_at"][style.lang].format(seq=one.seq, what=what)


def like_it(group: Group, style: Style) -> str:
    """How many proposals are like the one that is told, and with which cards; empty where none is."""
    if not group.others:
        return ""
    cards = style.cards(group.cards)
    words = TABLE_REPORT["one_like_it" if len(group.others) == 1 else "like_it"]
    return words[style.lang].format(count=len(group.others), cards=cards)
