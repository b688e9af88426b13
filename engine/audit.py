"""Runs the verbs over a whole log: its history, its state, everything it breaks."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import format_message
from engine.core.work_budget import WorkBudget
from engine.fold import REOPENING_PHASES, folding_cost
from engine.inference.hidden_card_findings import judge_hidden_cards
from engine.judging import EVENT_STEPS
from engine.judging.ending import find_result_mismatch, find_settlement_mismatch
from engine.play.findings import Finding, Findings, build_finding
from engine.play.history import History, effective
from engine.play.phases import resume_after_slip
from engine.play.state import FINISHED, NO_ENDING, State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.score import Score, score


class Audit(NamedTuple):
    """A judged log: its effective history, the final state, what it breaks and what it pays."""

    history: History
    state: State
    findings: Findings
    score: Score

    @property
    def ok(self) -> bool:
        """Whether nothing in the log is impossible or against the rules."""
        return not any(one.severity in ("impossible", "error") for one in self.findings)


def audit(log: Log, book: RulesetBook = PUBLISHED_RULESETS, work: WorkBudget | None = None) -> Audit:
    """Fold and judge ``log`` from the first entry to the last.

    Raises:
        BudgetExceeded: it takes more than ``work``. Without ``work``, expensive checks are left out.
    """
    history = effective(log)
    if work is not None:
        work.spend(folding_cost(len(history.entries)))
    return audit_history(history, log, book, work)


def audit_history(
    history: History, log: Log, book: RulesetBook = PUBLISHED_RULESETS, work: WorkBudget | None = None
) -> Audit:
    """Fold and judge a history, and the record of ``log`` unless it is empty."""
    state, findings = judge_history(history, initial_state(book))
    computed = score(state)
    findings += judge_hidden_cards(history.entries, state, findings, work)
    return Audit(
        history,
        state,
        merge_findings((*findings, *review_record(state, computed, log), *history.faults)),
        computed,
    )


def judge_history(history: History, state: State) -> tuple[State, list[Finding]]:
    """Fold ``history`` from ``state``, with the findings of each entry.

    Equivalent to `judge` and `evolve`, but shares their lookups: every event of every file passes through
    here.
    """
    findings: list[Finding] = []
    for entry in history.entries:
        event, seq = entry.event, entry.seq
        judge_event, fold_event = EVENT_STEPS[type(event)]
        if state.ending is not NO_ENDING and state.ending.ended_by_slip and type(event) in REOPENING_PHASES:
            state = resume_after_slip(state, REOPENING_PHASES[type(event)])
        if found := judge_event(state, event, seq):
            findings += found
        state = fold_event(state, event, seq)
    return state, findings


def review_record(state: State, final_score: Score, log: Log) -> Findings:
    """Findings about the whole record: no end, or results that do not fit the ``final_score``."""
    found = (*find_result_mismatch(state), *find_settlement_mismatch(state))
    if log and state.opening.event is None:
        message = format_message("The deal is never opened: a log begins with deal_opened.")
        found = (*found, build_finding(log[0].seq, "wrong_phase", message, "9. Record"))
    if final_score.decided or not log:
        return found
    message = format_message("The record ends before it is known what the deal pays.")
    if state.phase == FINISHED:
        message = format_message(
            "The deal is over; what it pays is not stated, or depends on something that was not recorded."
        )
    return (*found, build_finding(log[-1].seq, "incomplete", message, "9. Record"))


def merge_findings(findings: Iterable[Finding]) -> Findings:
    """Findings in the order of their entries; duplicates are merged, with all their evidence."""
    by_fault: dict[tuple[Seq, str, int | None, str], Finding] = {}
    for one in findings:
        key = (one.seq, one.code, one.seat, one.about or one.message)
        earlier = by_fault.get(key)
        if earlier is not None:
            evidence = dict.fromkeys((*earlier.evidence, *one.evidence))
            one = one._replace(evidence=tuple(sorted(evidence, key=seq_key)))
        by_fault[key] = one._replace(evidence=tuple(sorted(set(one.evidence), key=seq_key)))
    return tuple(sorted(by_fault.values(), key=lambda one: (seq_key(one.seq), one.code)))
