"""The verbs one after another over a whole log: its history, its state, everything it breaks."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.core.log import Log, place
from engine.core.message import said
from engine.core.vocabulary import Seq
from engine.core.work_budget import Work
from engine.fold import FOLDS, REOPENING, cost_of
from engine.inference.afterwards import found_afterwards
from engine.judging import JUDGEMENTS
from engine.judging.ending import result_against_cards, settled_against_score
from engine.play.findings import Finding, Findings, finding
from engine.play.history import History, effective
from engine.play.phases import resumed
from engine.play.state import FINISHED, OPEN, State, start
from engine.rulesets import PUBLISHED, Book
from engine.scoring.score import Score, score


class Audit(NamedTuple):
    """A whole log judged: the effective history, where it ends, what it breaks, what it pays."""

    history: History
    state: State
    findings: Findings
    score: Score

    @property
    def ok(self) -> bool:
        """Whether nothing in the log is impossible or against the rules."""
        return not any(one.severity in ("impossible", "error") for one in self.findings)


def audit(log: Log, book: Book = PUBLISHED, work: Work | None = None) -> Audit:
    """Folds and judges ``log`` from its first entry to its last.

    Raises:
        Spent: it takes more than the ``work`` that was given. Unless some was, what takes long is left out.
    """
    history = effective(log)
    if work is not None:
        work.spend(cost_of(len(history.entries)))
    state, findings = judged(history, start(book))
    due = score(state)
    findings += found_afterwards(history.entries, state, findings, work)
    return Audit(history, state, gathered((*findings, *review(state, due, log), *history.faults)), due)


def judged(history: History, state: State) -> tuple[State, list[Finding]]:
    """The fold of ``history`` from ``state``, with what each entry breaks.

    Each entry is judged and folded as `judge` and `evolve` do it, what both look up being looked up once:
    every event of every file goes through here.
    """
    findings: list[Finding] = []
    for seq, event, _ in history.entries:
        kind = type(event)
        judgement, fold = JUDGEMENTS.get(kind), FOLDS.get(kind)
        if state.ending is not OPEN and state.ending.slip and kind in REOPENING:
            state = resumed(state, REOPENING[kind])
        if judgement is not None:
            findings += judgement(state, event, seq)
        if fold is not None:
            state = fold(state, event, seq)
    return state, findings


def review(state: State, due: Score, log: Log) -> Findings:
    """What only the whole record shows: an end that is missing, results that do not fit.

    ``due`` is the score of ``state``.
    """
    found = (*result_against_cards(state), *settled_against_score(state))
    if log and state.opening.opened is None:
        message = said("The deal is never opened: a log begins with deal_opened.")
        found = (*found, finding(log[0].seq, "wrong_phase", message, "9. Record"))
    if due.decided or not log:
        return found
    message = said("The record ends before it is known what the deal pays.")
    if state.phase == FINISHED:
        message = said("The deal is over; what it pays is not stated, or hangs on what was not recorded.")
    return (*found, finding(log[-1].seq, "incomplete", message, "9. Record"))


def gathered(findings: Iterable[Finding]) -> Findings:
    """Findings in the order of their entries; what is found twice stands once, with all its evidence."""
    by_fault: dict[tuple[Seq, str, int | None, str], Finding] = {}
    for one in findings:
        key = (one.seq, one.code, one.seat, one.about or one.message)
        earlier = by_fault.get(key)
        if earlier is not None:
            evidence = dict.fromkeys((*earlier.evidence, *one.evidence))
            one = one._replace(evidence=tuple(sorted(evidence, key=place)))
        by_fault[key] = one._replace(evidence=tuple(sorted(set(one.evidence), key=place)))
    return tuple(sorted(by_fault.values(), key=lambda one: (place(one.seq), one.code)))
