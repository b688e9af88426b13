"""Judging what the director rules: that it can be paid in this deal (RULES 9)."""

from engine.core.events import RulingMade
from engine.core.field_types import Seq
from engine.core.message import TextList, format_message
from engine.judging.ending import payments_by_seat
from engine.play.findings import NO_FINDINGS, Findings, build_finding
from engine.play.state import State

RULE = "9. Ruling"


def judge_ruling_made(state: State, event: RulingMade, seq: Seq) -> Findings:
    """The payments of a ruling: to players of this deal, and no more than lies there."""
    if not event.payments or not state.opening.rules.is_known:
        return NO_FINDINGS
    paid, problems = payments_by_seat(state, event.payments)
    surplus, opening_event = sum(paid.values()), state.opening.event
    found: Findings = NO_FINDINGS
    if state.opening.rules.ruleset.pool is None:
        if surplus:
            problems.append(
                format_message(
                    "{chips:+d} in all, and there is no pool that gives or takes it", chips=surplus
                )
            )
    elif opening_event is not None and opening_event.pool is not None:
        pool_total = opening_event.pool + sum(opening_event.reserved)
        if surplus > pool_total:
            message = format_message(
                "By the ruling {chips} are taken out of the pool, in which {lies} lie.",
                chips=surplus,
                lies=pool_total,
            )
            found = (build_finding(seq, "pool_mismatch", message, RULE),)
    if problems:
        message = format_message("The ruling pays {payments}.", payments=TextList(problems))
        found = (build_finding(seq, "settlement_mismatch", message, RULE), *found)
    return found
