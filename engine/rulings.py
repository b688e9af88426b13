"""The effect of rulings: what the deal would pay without them, and the penalty points they give (RULES 9)."""

from typing import NamedTuple

from engine.audit import Audit
from engine.core.cards import SEATS, Seat
from engine.core.events import RulingMade
from engine.core.field_types import Seq
from engine.fold import fold_all
from engine.play.state import initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.payments import Payments, payment_differences
from engine.scoring.score import score


class RulingEffect(NamedTuple):
    """A ruling on what the deal pays.

    ``is_in_force``: whether the deal is paid by it; a later ruling, or declaring the deal void, replaces it.
    ``payments_without``: what the deal would pay without any ruling; ``payments``: what it pays as it is, by
    seat, or by name for someone who sits out. Either is None if not certain. ``differences``: what the ruling
    brought (+) or cost (−) everyone whose chips it changes; None if one of the two is not certain.
    """

    seq: Seq
    is_in_force: bool
    payments_without: Payments | None
    payments: Payments | None
    differences: Payments | None


class SeatPenalty(NamedTuple):
    """The penalty points of one seat, which are kept apart from the chips.

    ``possible_points``: points that the ruleset states for the offences at ``offence_seqs``, whether or not
    any were given; ``given_points``: points that the rulings at ``ruling_seqs`` gave for any reason.
    """

    seat: Seat
    possible_points: int
    offence_seqs: tuple[Seq, ...]
    given_points: int
    ruling_seqs: tuple[Seq, ...]


def list_ruling_effects(audit: Audit, book: RulesetBook = PUBLISHED_RULESETS) -> tuple[RulingEffect, ...]:
    """The rulings on outcome or payments in an audited deal, in the order of entries."""
    entries = audit.history.entries
    rulings = [(entry.seq, entry.event) for entry in entries if isinstance(entry.event, RulingMade)]
    found = [seq for seq, event in rulings if event.outcome is not None or event.payments]
    if not found:
        return ()
    unruled = (entry for entry in entries if not isinstance(entry.event, RulingMade))
    without = score(fold_all(unruled, initial_state(book))).payments
    pays, ending = audit.score.payments, audit.state.ending
    changed = None if without is None or pays is None else payment_differences(without, pays)
    return tuple(
        RulingEffect(seq, True, without, pays, changed)
        if seq == ending.ruling_seq and not ending.is_voided
        else RulingEffect(seq, False, without, None, None)
        for seq in found
    )


def list_penalties(audit: Audit) -> tuple[SeatPenalty, ...]:
    """The points of each seat that committed an offence or was given points, in the order of play."""
    return tuple(one for seat in SEATS if (one := _seat_penalty(seat, audit)).offence_seqs or one.ruling_seqs)


def _seat_penalty(seat: Seat, audit: Audit) -> SeatPenalty:
    terms = audit.state.opening.rules.ruleset.penalties
    findings = (one for one in audit.findings if one.code == "penalty_possible")
    offences = tuple(one.seq for one in findings if one.seat == seat)
    given_penalties = [
        (entry.seq, points)
        for entry in audit.history.entries
        if isinstance(entry.event, RulingMade)
        for penalized_seat, points in entry.event.penalty
        if penalized_seat == seat
    ]
    return SeatPenalty(
        seat,
        0 if terms is None else terms.points * len(offences),
        tuple(dict.fromkeys(offences)),
        sum(points for _, points in given_penalties),
        tuple(seq for seq, _ in given_penalties),
    )
