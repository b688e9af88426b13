"""What rulings come to, and the penalty points of each seat, in lines of the report."""

from collections.abc import Iterable, Iterator

from engine.rulings import RulingEffect, SeatPenalty
from service.presentation.text.sentences import SentenceContext


def ruling_lines(ruling: RulingEffect, context: SentenceContext) -> Iterator[str]:
    """What a ruling changes of what the deal pays, each as a sentence."""
    style = context.style
    if not ruling.is_in_force:
        yield style.phrase("The deal is not paid by it: something else was decided since.")
        return
    if ruling.payments_without is None:
        yield style.phrase("Without it the record leaves open what is paid.")
    else:
        payments = context.format_chips(ruling.payments_without)
        yield style.phrase("Without it: {payments}.", payments=payments)
    if ruling.payments is None:
        yield style.phrase("The rules do not say what that pays.")
    elif ruling.differences:
        payments = context.format_chips(ruling.differences)
        yield style.phrase("What it changes: {payments}.", payments=payments)
    elif ruling.differences is not None:
        yield style.phrase("It changes no payment.")


def penalty_lines(penalties: Iterable[SeatPenalty], context: SentenceContext) -> Iterator[str]:
    """The penalty points that are possible, and those that were given, a line for each seat."""
    style = context.style
    for one in penalties:
        seqs = one.offence_seqs or one.ruling_seqs
        listed = ", ".join(map(str, seqs))
        yield style.phrase(
            "{name}: {points} possible, for {entries}; {given} given"
            if one.offence_seqs
            else "{name}: {given} given in {entries}",
            name=context.player_label(one.seat),
            points=one.possible_points,
            given=one.given_points,
            entries=style.phrase("entry {seqs}" if len(seqs) == 1 else "entries {seqs}", seqs=listed),
        )
