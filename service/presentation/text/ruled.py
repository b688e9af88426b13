"""What rulings come to, and the penalty points of each seat, in lines of the report."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.rulesets.model import Words
from engine.rulings import Penalty, Ruled
from service.presentation.text.sentences import Telling
from service.presentation.text.style import Style

RULED: Final = {
    "without": Words("Without it: {payments}.", "Uden den: {payments}."),
    "open": Words(
        "Without it the record leaves open what is paid.",
        "Uden den siger optegnelsen ikke, hvad der skal betales.",
    ),
    "changed": Words("What it changes: {payments}.", "Hvad den ændrer: {payments}."),
    "as_it_was": Words("It changes no payment.", "Den ændrer ingen betaling."),
    "unpaid": Words("The rules do not say what that pays.", "Reglerne siger ikke, hvad der så skal betales."),
    "replaced": Words(
        "The deal is not paid by it: something else was decided since.",
        "Spillet betales ikke efter den: noget andet er afgjort siden.",
    ),
    "possible": Words(
        "{name}: {points} possible, for {entries}; {given} given",
        "{name}: {points} kan gives, for {entries}; {given} givet",
    ),
    "given": Words(
        "{name}: {given} given in {entries}",
        "{name}: {given} givet i {entries}",
    ),
}
"""The lines; ``{points}`` and ``{given}`` are numbers of penalty points."""
ENTRIES: Final = {1: Words("entry {seqs}", "post {seqs}"), 2: Words("entries {seqs}", "posterne {seqs}")}


def ruling_lines(ruled: Ruled, telling: Telling) -> Iterator[str]:
    """What a ruling changes of what the deal pays, each as a sentence."""
    lang = telling.style.lang
    if not ruled.in_force:
        yield RULED["replaced"][lang]
        return
    if ruled.without is None:
        yield RULED["open"][lang]
    else:
        yield RULED["without"][lang].format(payments=telling.chips(ruled.without))
    if ruled.pays is None:
        yield RULED["unpaid"][lang]
    elif ruled.changed:
        yield RULED["changed"][lang].format(payments=telling.chips(ruled.changed))
    elif ruled.changed is not None:
        yield RULED["as_it_was"][lang]


def penalty_lines(penalties: Iterable[Penalty], telling: Telling) -> Iterator[str]:
    """The penalty points that are possible, and those that were given, a line for each seat."""
    style = telling.style
    for one in penalties:
        yield RULED["possible" if one.offences else "given"][style.lang].format(
            name=telling.name(one.seat),
            points=one.possible,
            given=one.given,
            entries=_entries(one.offences or one.rulings, style),
        )


def _entries(seqs: tuple[int | str, ...], style: Style) -> str:
    return ENTRIES[min(len(seqs), 2)][style.lang].format(seqs=", ".join(map(str, seqs)))
