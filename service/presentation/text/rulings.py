"""What rulings come to, and the penalty points of each seat, in lines of the report."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.rulings import RulingEffect, SeatPenalty
from schemas.i18n.catalogs import gettext
from service.presentation.text.sentences import SentenceContext
from service.presentation.text.style import TextStyle

RULING_PHRASES: Final = {
    "without": "Without it: {payments}.",
    "open": "Without it the record leaves open what is paid.",
    "changed": "What it changes: {payments}.",
    "as_it_was": "It changes no payment.",
    "unpaid": "The rules do not say what that pays.",
    "replaced": "The deal is not paid by it: something else was decided since.",
    "possible": "{name}: {points} possible, for {entries}; {given} given",
    "given": "{name}: {given} given in {entries}",
}
"""The lines; ``{points}`` and ``{given}`` are numbers of penalty points."""
ENTRY_COUNT_PHRASES: Final = {
    1: "entry {seqs}",
    2: "entries {seqs}",
}


def ruling_lines(ruling: RulingEffect, context: SentenceContext) -> Iterator[str]:
    """What a ruling changes of what the deal pays, each as a sentence."""
    lang = context.style.lang
    if not ruling.is_in_force:
        yield gettext(RULING_PHRASES["replaced"], lang)
        return
    if ruling.payments_without is None:
        yield gettext(RULING_PHRASES["open"], lang)
    else:
        yield gettext(RULING_PHRASES["without"], lang).format(
            payments=context.format_chips(ruling.payments_without)
        )
    if ruling.payments is None:
        yield gettext(RULING_PHRASES["unpaid"], lang)
    elif ruling.differences:
        yield gettext(RULING_PHRASES["changed"], lang).format(
            payments=context.format_chips(ruling.differences)
        )
    elif ruling.differences is not None:
        yield gettext(RULING_PHRASES["as_it_was"], lang)


def penalty_lines(penalties: Iterable[SeatPenalty], context: SentenceContext) -> Iterator[str]:
    """The penalty points that are possible, and those that were given, a line for each seat."""
    style = context.style
    for one in penalties:
        yield gettext(RULING_PHRASES["possible" if one.offence_seqs else "given"], style.lang).format(
            name=context.player_label(one.seat),
            points=one.possible_points,
            given=one.given_points,
            entries=_entry_count_phrase(one.offence_seqs or one.ruling_seqs, style),
        )


def _entry_count_phrase(seqs: tuple[int | str, ...], style: TextStyle) -> str:
    return gettext(ENTRY_COUNT_PHRASES[min(len(seqs), 2)], style.lang).format(seqs=", ".join(map(str, seqs)))
