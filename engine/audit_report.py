"""The report of a deal: what a director needs to judge it, from the whole record.

It judges nothing that `engine.audit` does not judge. Findings that an input slip explains
(`engine.diagnosis.explanations`) are listed below that slip; the others are listed as they are once the slip
is corrected, with their condition (`engine.diagnosis.finding_caveats`). The report corrects nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from engine.audit import Audit, audit
from engine.core.events import CorrectionMade, DealSettled, DealVoided, IrregularityNoted, RulingMade
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, seq_key
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.diagnosis.explanations import Explanation, explain_findings
from engine.diagnosis.finding_caveats import Alternative
from engine.diagnosis.misprints import MisprintProposals
from engine.fold import evolve, fold_all
from engine.inference.called_revokes import IrregularityAnswer
from engine.inference.irregularity_answers import answer_irregularities
from engine.judging.ending import payments_by_seat
from engine.legality import LegalActions, legal
from engine.play.amendments import Amendment, list_amendments
from engine.play.findings import Finding, Findings, card_findings
from engine.play.state import State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.payments import payment_differences
from engine.solver.evaluation import PlayEvaluation, evaluate_deal

BEST_PLAY_BUDGET: Final = UNITS_PER_SECOND // 2
"""Work units for the value of the cards played (`engine.core.work_budget`)."""
MISPRINT_BUDGET: Final = 3_000
"""Work units for finding misprints: some tenths of a second (`engine.diagnosis.misprints`)."""
RULING_EVENTS: Final = (IrregularityNoted, RulingMade, DealVoided)
"""Entries in which people judge: an irregularity is called, a ruling, a deal is declared void."""


class EntryReport(NamedTuple):
    """An entry with findings.

    ``state_before`` is the deal before the entry, ``legal_actions`` what was legal then. Both are None if the
    entry is not in the history, for example a correction. If the correction of a slip removes the entry, they
    are those of the deal without it. ``play_value`` is what the card was worth, if the entry plays a card and
    all hands are known.

    If an input slip is found there, ``corrections`` are the entries that a person may append to correct it,
    and ``consequences`` are the findings that would then disappear.
    """

    entry: Entry
    findings: Findings
    state_before: State | None = None
    legal_actions: LegalActions | None = None
    play_value: PlayEvaluation | None = None
    consequences: Findings = ()
    corrections: tuple[CorrectionMade, ...] = ()


class ReportedAmendment(NamedTuple):
    """A correction or a withdrawal, the deal before its place, and the entries that it inserted and that
    stand."""

    amendment: Amendment
    state_before: State
    replacement_entries: Log


class SettlementCheck(NamedTuple):
    """What was paid at the table, and by how much each name received more or less than was due.

    ``differences``: empty if it was right, None if the deal has no certain payments.
    """

    entry: Entry
    payments: tuple[tuple[str, int], ...]
    differences: tuple[tuple[str, int], ...] | None


class CorrectedDeal(NamedTuple):
    """The deal with the corrections that are proposed for input slips.

    ``original_seqs`` maps entries that the corrections insert to the entries that they replace.
    """

    explanation: Explanation
    settlements: tuple[SettlementCheck, ...]
    original_seqs: Mapping[Seq, Seq]

    @property
    def audit(self) -> Audit:
        """The audit of the record with the corrections appended."""
        return self.explanation.audit

    @property
    def corrected_seqs(self) -> tuple[Seq, ...]:
        """The corrected entries, in their order."""
        return tuple(
            sorted({seq for one in self.explanation.corrections for seq in one.replaces}, key=seq_key)
        )


class AuditReport(NamedTuple):
    """The report of a deal.

    ``entry_reports``, ``amendments`` and ``rulings`` are in the order of entries. ``audit`` is that of the
    record as it is. ``misprints`` are the corrections of cards that would make it possible; None if it is
    possible, or would be without other slips, and no card has to change. ``corrected`` is None if no input
    slip explains anything; ``alternatives`` are the slips that may have happened instead of a revoke, each
    corrected (`engine.diagnosis.finding_caveats`). ``answers``: to each irregularity that was called.
    """

    log: Log
    audit: Audit
    entry_reports: tuple[EntryReport, ...]
    amendments: tuple[ReportedAmendment, ...]
    rulings: Log
    settlements: tuple[SettlementCheck, ...]
    misprints: MisprintProposals | None
    corrected: CorrectedDeal | None
    alternatives: tuple[CorrectedDeal, ...] = ()
    answers: tuple[IrregularityAnswer, ...] = ()

    @property
    def likeliest_audit(self) -> Audit:
        """The deal as it probably went: the corrected record if there is one, else the record as it is."""
        return self.audit if self.corrected is None else self.corrected.audit


def build_audit_report(
    log: Log, book: RulesetBook = PUBLISHED_RULESETS, existing_audit: Audit | None = None
) -> AuditReport:
    """Build the report of a whole deal; ``existing_audit`` is its audit, if it exists already."""
    judged = audit(log, book) if existing_audit is None else existing_audit
    explained = (
        explain_findings(log, judged, book, MISPRINT_BUDGET) if judged.findings else Explanation((), judged)
    )
    alternatives = explained.find_alternatives(log)
    return AuditReport(
        log,
        judged,
        tuple(_EntryReportBuilder(log, judged, explained, alternatives, book).build()),
        tuple(_report_amendments(judged, book)),
        tuple(entry for entry in judged.history.entries if isinstance(entry.event, RULING_EVENTS)),
        _check_settlements(judged),
        explained.misprints,
        _build_corrected_deal(log, explained) if explained.mistakes else None,
        tuple(
            _build_corrected_deal(log, explained.with_mistake(log, one.mistake, book)) for one in alternatives
        ),
        tuple(_answer_irregularities(log, explained)),
    )


def _answer_irregularities(log: Log, explanation: Explanation) -> Iterator[IrregularityAnswer]:
    """The answers by the corrected deal, at the entries of ``log``."""
    places, judged = explanation.original_seqs(log), explanation.audit
    for one in answer_irregularities(judged.history, judged.state, judged.findings):
        evidence = dict.fromkeys(places.get(seq, seq) for seq in one.evidence)
        yield one._replace(seq=places.get(one.seq, one.seq), evidence=tuple(evidence))


def _build_corrected_deal(log: Log, explanation: Explanation) -> CorrectedDeal:
    """The deal of ``log`` with the corrections that are proposed for its findings."""
    return CorrectedDeal(explanation, _check_settlements(explanation.audit), explanation.original_seqs(log))


class _EntryReportBuilder:
    """Reports on entries with findings, and on the deal before each, with mistakes corrected if possible.

    ``original_seqs`` maps entries that corrections insert to the entries that they stand for.
    """

    def __init__(
        self,
        log: Log,
        recorded_audit: Audit,
        explanation: Explanation,
        alternatives: tuple[Alternative, ...],
        book: RulesetBook,
    ) -> None:
        self.log, self.recorded_audit, self.explanation, self.book = log, recorded_audit, explanation, book
        self.original_seqs = explanation.original_seqs(log)
        self.findings_by_seq: dict[Seq, list[Finding]] = {}
        mistakes = (*explanation.mistakes, *(one.mistake for one in alternatives))
        for one in (*(mistake.finding for mistake in mistakes), *explanation.relocated_findings(log)):
            self.findings_by_seq.setdefault(one.seq, []).append(one)
        self.corrections_by_seq = {mistake.finding.seq: mistake.corrections for mistake in reversed(mistakes)}
        self.consequences = _consequent_findings(recorded_audit, explanation, self.findings_by_seq)

    def build(self) -> list[EntryReport]:
        """The reports in the order of their entries."""
        states = self._states_before()
        play_values = self._play_values(states)
        recorded = {entry.seq: entry for entry in (*self.log, *self.recorded_audit.history.entries)}
        reports = []
        for seq, found in self.findings_by_seq.items():
            entry = recorded.get(seq) or recorded[seq_key(seq)[0]]
            before = states.get(seq)
            legal_here = None if before is None else legal(before)
            consequences, corrections = self.consequences.get(seq, ()), self.corrections_by_seq.get(seq, ())
            reports.append(
                EntryReport(
                    entry, tuple(found), before, legal_here, play_values.get(seq), consequences, corrections
                )
            )
        return sorted(reports, key=lambda one: seq_key(one.findings[0].seq))

    def _states_before(self) -> dict[Seq, State]:
        """The deal before each entry with findings, by entry."""
        states: dict[Seq, State] = {}
        known = {entry.seq for entry in self.recorded_audit.history.entries}
        for judged in (self.explanation.audit, self.recorded_audit)[: 2 if self.corrections_by_seq else 1]:
            state = initial_state(self.book)
            for entry in judged.history.entries:
                seq = self.original_seqs.get(entry.seq, entry.seq)
                if seq in self.findings_by_seq and seq in known:
                    states.setdefault(seq, state)
                state = evolve(state, entry)
            self._add_states_of_removed_entries(judged, states, known)
        return states

    def _add_states_of_removed_entries(
        self, judged: Audit, states: dict[Seq, State], known: set[Seq]
    ) -> None:
        """Add the deal before entries of the record that ``judged`` lacks: as it is there without them."""
        entries = judged.history.entries
        present = {self.original_seqs.get(entry.seq, entry.seq) for entry in entries}
        for seq in self.findings_by_seq.keys() & known - present:
            before = [
                one for one in entries if seq_key(self.original_seqs.get(one.seq, one.seq)) < seq_key(seq)
            ]
            states.setdefault(seq, fold_all(before, initial_state(self.book)))

    def _play_values(self, states: Mapping[Seq, State]) -> dict[Seq, PlayEvaluation]:
        """The value of the cards played; empty if the hands are impossible, or if it takes too long."""
        explained_audit = self.explanation.audit
        if not states or card_findings(explained_audit.findings):
            return {}
        try:
            plays = evaluate_deal(
                explained_audit.history.entries, initial_state(self.book), WorkBudget(BEST_PLAY_BUDGET)
            ).plays
        except BudgetExceeded:
            return {}
        played = {self.original_seqs.get(one.seq, one.seq): one for one in plays}
        return {seq: one for seq, one in played.items() if seq not in self.corrections_by_seq}


def _consequent_findings(
    judged: Audit, explained: Explanation, findings_by_seq: Mapping[Seq, list[Finding]]
) -> dict[Seq, Findings]:
    """The findings that disappear once slips are corrected, by the entry of the last slip before them."""
    still_found = {
        (one.seq, one.code, one.about) for findings in findings_by_seq.values() for one in findings
    }
    mistake_seqs = sorted((mistake.finding.seq for mistake in explained.mistakes), key=seq_key)
    consequences: dict[Seq, Findings] = {}
    for one in judged.findings:
        if (one.seq, one.code, one.about) not in still_found:
            before = [seq for seq in mistake_seqs if seq_key(seq) <= seq_key(one.seq)]
            mistake_seq = before[-1] if before else mistake_seqs[0]
            consequences[mistake_seq] = (*consequences.get(mistake_seq, ()), one)
    return consequences


def _report_amendments(judged: Audit, book: RulesetBook) -> Iterator[ReportedAmendment]:
    """The corrections and withdrawals, each at its place in the deal as the record is now."""
    entries = judged.history.entries
    states: list[State] = []
    for amendment in list_amendments(judged.history):
        # Folded once, and only for a deal with corrections.
        states = states or list(accumulate(entries, evolve, initial=initial_state(book)))
        amendment_key = seq_key(amendment.entry.seq)
        replacements = (
            entry for entry in entries if amendment_key == seq_key(entry.seq)[: len(amendment_key)]
        )
        yield ReportedAmendment(amendment, states[amendment.start_index], tuple(replacements))


def _check_settlements(judged: Audit) -> tuple[SettlementCheck, ...]:
    """Compare each payment at the table with what is due."""
    history = judged.history.entries
    return tuple(
        _check_settlement(entry, judged) for entry in history if isinstance(entry.event, DealSettled)
    )


def _check_settlement(entry: Entry, judged: Audit) -> SettlementCheck:
    """Compare a payment at the table with what is due, by seat, or by name for a player who sits out."""
    event = entry.event
    assert isinstance(event, DealSettled)
    payments = judged.score.payments
    if payments is None:
        return SettlementCheck(entry, event.payments, None)
    paid, _ = payments_by_seat(judged.state, event.payments)
    return SettlementCheck(entry, event.payments, payment_differences(payments, paid.items()))
