"""What mistakes of the pen explain: an entry made wrongly, or a card written wrongly.

One wrong card can cause a dozen findings: it is where it cannot be, the trick goes to another player, the
next lead is out of turn, the payment does not fit. So corrections are tried, with the same fold and judging
that found the faults. Nothing is corrected automatically: corrections are entries that a person may accept
(RULES 9).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from engine.audit import Audit, audit, judge_history
from engine.core.cards import Seat
from engine.core.events import CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, count_events
from engine.core.message import Message, MessageArgument, TextList, format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.diagnosis.finding_caveats import Alternative, add_caveats, find_alternatives
from engine.diagnosis.input_slips import describe_possible_swap, list_suspected_mistakes
from engine.diagnosis.misprints import MisprintProposals, Proposal, find_misprints
from engine.diagnosis.mistakes import PLAY_FAULT_CODES, RULE, Mistake, SuspectedMistake, grave_faults
from engine.fold import folding_cost
from engine.play.findings import FAULT_SEVERITIES, Finding, Findings, build_finding, card_findings
from engine.play.history import effective
from engine.play.state import initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook

DIRECTOR_SEVERITIES: Final = frozenset(("impossible", "error", "warning"))
"""The severities that matter to a director: all but what is only worth knowing."""
EXPLANATION_WORK: Final = 7 * UNITS_PER_SECOND // 10
"""The work of a search for mistakes in a deal."""
MAX_WRONG_ENTRIES: Final = 3
"""How many entries of a deal may be wrong as a whole; more are no slips of the pen."""
DEFAULT_MISPRINT_WORK: Final = 1_000
"""Checks to find a misprint (`engine.diagnosis.misprints`): few, as a whole evening is searched together."""
MAX_CORRECTIONS_AUDITED: Final = 12
"""How many corrections of a misprint are judged in full, the likeliest first."""
MAX_SUSPECTS_AUDITED: Final = 4
"""How many suspected mistakes are judged in full, those first that explain most as entries are judged."""


class Explanation(NamedTuple):
    """Mistakes of the pen that explain findings of a deal.

    ``audit``: the audit of the deal with their corrections appended; its findings have other causes.
    ``misprints``: the corrections of cards that would make the record possible, if these were searched.
    """

    mistakes: tuple[Mistake, ...]
    audit: Audit
    misprints: MisprintProposals | None = None

    @property
    def corrections(self) -> tuple[CorrectionMade, ...]:
        """The entries to append to the log of the deal."""
        return tuple(correction for one in self.mistakes for correction in one.corrections)

    def combine(self, other: "Explanation") -> "Explanation":
        """Both; ``other`` explains the deal as corrected by this one."""
        return Explanation((*self.mistakes, *other.mistakes), other.audit)

    def with_mistake(self, log: Log, mistake: Mistake, book: RulesetBook) -> "Explanation":
        """The same with one more mistake in the entries of ``log``."""
        corrections = (*self.corrections, *mistake.corrections)
        return Explanation((*self.mistakes, mistake), audit(append_corrections(log, corrections), book))

    def original_seqs(self, log: Log) -> dict[Seq, Seq]:
        """By the entries that the corrections put into ``log``, the entries that they replace.

        A correction itself maps to the last entry of the record.
        """
        appended = append_corrections(log, self.corrections)[len(log) :]
        events = {entry.seq: entry.event for entry in log}
        originals: dict[Seq, Seq] = {
            f"{entry.seq}.{number}": next(
                (seq for seq in one.replaces if events.get(seq) == event), one.replaces[0]
            )
            for entry, one in zip(appended, self.corrections, strict=True)
            for number, event in enumerate(one.with_, 1)
        }
        return originals | {entry.seq: log[-1].seq for entry in appended}

    def relocate_mistakes(self, log: Log) -> "Explanation":
        """The same with the mistakes at entries of ``log`` only."""
        places = self.original_seqs(log)
        relocated = (one._replace(finding=relocate_finding(one.finding, places)) for one in self.mistakes)
        return self._replace(mistakes=tuple(relocated))

    def relocated_findings(self, log: Log) -> Findings:
        """The findings of the corrected deal, at the entries of ``log``."""
        places = self.original_seqs(log)
        return tuple(relocate_finding(one, places) for one in add_caveats(self.audit))

    def find_alternatives(self, log: Log) -> tuple[Alternative, ...]:
        """The alternatives that correct entries of ``log`` only (`engine.diagnosis.finding_caveats`)."""
        recorded = {entry.seq for entry in log}
        places = self.original_seqs(log)
        return tuple(
            one._replace(mistake=one.mistake._replace(finding=relocate_finding(one.mistake.finding, places)))
            for one in find_alternatives(self.audit)
            if recorded.issuperset(seq for made in one.mistake.corrections for seq in made.replaces)
        )


def relocate_finding(one: Finding, original_seqs: Mapping[Seq, Seq]) -> Finding:
    """The finding with its entries renumbered by ``original_seqs``, also in its message."""
    evidence = dict.fromkeys(original_seqs.get(seq, seq) for seq in one.evidence)
    seq_texts: dict[MessageArgument, str] = {
        seq: str(original) for seq, original in original_seqs.items() if isinstance(seq, str)
    }
    message = _relocate_message(one.message, seq_texts)
    return one._replace(seq=original_seqs.get(one.seq, one.seq), evidence=tuple(evidence), message=message)


def _relocate_message(message: Message, seq_texts: Mapping[MessageArgument, str]) -> Message:
    """A message with its entries renumbered, also in the messages among its arguments."""
    arguments: dict[str, MessageArgument] = {
        name: _relocate_message(given, seq_texts)
        if isinstance(given, Message)
        else seq_texts.get(given, given)
        for name, given in message.arguments.items()
    }
    return message if arguments == message.arguments else Message(message.template, arguments)


class _JudgedLog(NamedTuple):
    """The log of a deal with its audit, and the budget of its explanation."""

    log: Log
    audit: Audit
    book: RulesetBook
    budget: WorkBudget

    @property
    def weight(self) -> "FindingsWeight":
        """How much is wrong with the deal."""
        return _weight(self.audit.findings)

    def correct(self, mistakes: tuple[Mistake, ...]) -> Explanation:
        """The deal without these mistakes. Raises `BudgetExceeded`."""
        corrections = (correction for one in mistakes for correction in one.corrections)
        return Explanation(mistakes, audit(append_corrections(self.log, corrections), self.book, self.budget))

    def after(self, explanation: Explanation) -> "_JudgedLog":
        """The log with the corrections of ``explanation`` appended."""
        return self._replace(
            log=append_corrections(self.log, explanation.corrections), audit=explanation.audit
        )

    def holds(self, explanation: Explanation) -> bool:
        """Whether an explanation corrects only entries of this record, none put in by a correction."""
        recorded = {entry.seq for entry in self.audit.history.entries}
        return all(recorded.issuperset(one.replaces) for one in explanation.corrections)


def explain_findings(
    log: Log,
    deal_audit: Audit,
    book: RulesetBook = PUBLISHED_RULESETS,
    misprint_work: int = DEFAULT_MISPRINT_WORK,
) -> Explanation:
    """The mistakes of the pen that explain findings of ``deal_audit``, the audit of ``log``; perhaps none.

    Entries made twice, for another seat, in another's place or not at all; and if cards cannot be as recorded
    and something grave remains, one misprint: a card, or two that changed places. The explanation that leaves
    least wrong is chosen, the fewer mistakes the better. ``misprint_work`` limits the checks for a misprint,
    within `EXPLANATION_WORK`.
    """
    deal = _JudgedLog(log, deal_audit, book, WorkBudget(EXPLANATION_WORK))
    by_entries = _explain_by_entries(deal)
    remaining = by_entries.audit.findings
    has_card_fault, is_grave = bool(card_findings(deal_audit.findings)), bool(grave_faults(remaining))
    if not card_findings(remaining) and not (has_card_fault and is_grave):
        return by_entries.relocate_mistakes(log)
    proposals = find_misprints(log, book, misprint_work, deal.budget)
    candidates = [by_entries]
    if (by_misprint := _explain_by_misprint(deal, proposals)) is not None:
        candidates.append(by_misprint)
    if by_entries.mistakes:
        corrected = deal.after(by_entries)
        more_proposals = find_misprints(corrected.log, book, DEFAULT_MISPRINT_WORK, deal.budget)
        if (more := _explain_by_misprint(corrected, more_proposals)) is not None:
            candidates.append(by_entries.combine(more))
    best = min(
        (one for one in candidates if deal.holds(one)),
        key=lambda one: (_weight(one.audit.findings), len(one.mistakes)),
    )
    explanation = best.relocate_mistakes(log)
    if best is by_entries and not card_findings(remaining):
        return explanation
    return explanation._replace(misprints=proposals)


def append_corrections(log: Log, corrections: Iterable[CorrectionMade]) -> Log:
    """The log with these corrections at its end."""
    last = max((entry.seq for entry in log if isinstance(entry.seq, int)), default=0)
    return (*log, *(Entry(seq, one) for seq, one in enumerate(corrections, last + 1)))


def has_suspected_mistake(deal_audit: Audit) -> bool:
    """Whether some mistake of the pen may explain the findings, without a search which."""
    if not filter_for_director(deal_audit.findings):
        return False
    enough = (one.min_explained <= len(deal_audit.findings) for one in list_suspected_mistakes(deal_audit))
    return bool(card_findings(deal_audit.findings)) or any(enough)


def filter_for_director(findings: Iterable[Finding]) -> Findings:
    """The findings that matter to a director."""
    return tuple(one for one in findings if one.severity in DIRECTOR_SEVERITIES)


FindingsWeight = tuple[int, int, int]
"""The number of findings: the grave ones, those that matter, all."""


def _weight(findings: Collection[Finding]) -> FindingsWeight:
    grave = sum(one.severity in FAULT_SEVERITIES for one in findings)
    return grave, len(filter_for_director(findings)), len(findings)


# --- Entries made wrongly as a whole ----------------------------------------------------------------


def _explain_by_entries(deal: _JudgedLog) -> Explanation:
    """The entries made wrongly as a whole, perhaps none, with whose correction less is wrong."""
    explanation = Explanation((), deal.audit)
    while len(explanation.mistakes) < MAX_WRONG_ENTRIES:
        try:
            next_explanation = _explain_by_one_entry(deal.after(explanation))
        except BudgetExceeded:
            break
        if next_explanation is None or not deal.holds(next_explanation):
            break
        explanation = explanation.combine(next_explanation)
    if not _play_fault_codes(explanation.audit.findings):
        return explanation
    # With faults left in the play, swapped entries are only a possibility.
    return explanation._replace(mistakes=tuple(map(_soften_swapped_entries, explanation.mistakes)))


def _soften_swapped_entries(mistake: Mistake) -> Mistake:
    if mistake.finding.code != "order_mistaken":
        return mistake
    return mistake._replace(finding=mistake.finding._replace(message=describe_possible_swap(mistake)))


def _explain_by_one_entry(deal: _JudgedLog) -> Explanation | None:
    """The deal without the mistake that explains most; None if none explains enough.

    A missing card or place is left open if several fit equally well and no other fault is lost by that.
    Raises `BudgetExceeded`.
    """
    best, least_weight = None, deal.weight
    suspects = _rank_suspects(deal)
    for weight, one in suspects[:MAX_SUSPECTS_AUDITED]:
        found = deal.correct((one.mistake,))
        if _weight(found.audit.findings) < least_weight and _explains_enough(one, deal.audit, found.audit):
            best, least_weight = found, _weight(found.audit.findings)
            alike = [
                other
                for suspect_weight, other in suspects
                if suspect_weight == weight and other.group == one.group
            ]
            if len(alike) > 1 and (open_variant := alike[0].open_variant) is not None:
                left_open = deal.correct((open_variant,))
                lasting = grave_faults(deal.audit.findings) & grave_faults(found.audit.findings)
                if lasting <= grave_faults(left_open.audit.findings):
                    best = left_open
    return best


def _rank_suspects(deal: _JudgedLog) -> list[tuple[FindingsWeight, SuspectedMistake]]:
    """The suspected mistakes; first those with whose correction the judges find least.

    Raises `BudgetExceeded`.
    """
    weighed = []
    cost = folding_cost(count_events(entry.event for entry in deal.log))
    deal.budget.spend(cost)
    for one in list_suspected_mistakes(deal.audit):
        deal.budget.spend(cost)
        history = effective(append_corrections(deal.log, one.mistake.corrections))
        _, findings = judge_history(history, initial_state(deal.book))
        weighed.append((_weight((*findings, *history.faults)), one))
    return sorted(weighed, key=lambda one: one[0])


def _explains_enough(one: SuspectedMistake, judged: Audit, corrected: Audit) -> bool:
    """Whether a mistake removes enough findings; a single one may well be a real fault."""
    before, after = _weight(judged.findings), _weight(corrected.findings)
    if one.min_explained == 1:
        return True
    if after[0] >= before[0] or before[2] - after[2] < one.min_explained:
        return False
    cleared = _accused_seats(judged.findings) - _accused_seats(corrected.findings)
    if one.must_clear_play:
        cleared_codes = _play_fault_codes(judged.findings)
        if _play_fault_codes(corrected.findings) or grave_faults(corrected.findings) - grave_faults(
            judged.findings
        ):
            return False
        return cleared_codes == PLAY_FAULT_CODES or len(cleared) >= one.min_cleared_seats
    turns = _count_out_of_turn(judged.findings)
    return len(cleared) >= one.min_cleared_seats or _count_out_of_turn(corrected.findings) < turns


def _play_fault_codes(findings: Findings) -> set[str]:
    """The codes of revokes and acts out of turn that were found."""
    return {one.code for one in findings} & PLAY_FAULT_CODES


def _accused_seats(findings: Findings) -> set[Seat | None]:
    """The seats with grave findings."""
    return {one.seat for one in findings if one.severity in FAULT_SEVERITIES}


def _count_out_of_turn(findings: Findings) -> int:
    return sum(one.code == "wrong_seat" for one in findings)


# --- Cards written wrongly --------------------------------------------------------------------------


def _explain_by_misprint(deal: _JudgedLog, misprints: MisprintProposals) -> Explanation | None:
    """The explanation by the correction that makes the record possible and leaves least wrong."""
    try:
        audited = [
            (proposal, audit(append_corrections(deal.log, proposal.corrections), deal.book, deal.budget))
            for proposal in misprints.proposals[:MAX_CORRECTIONS_AUDITED]
        ]
    except BudgetExceeded:
        return None
    least_weight = min((_weight(corrected.findings) for _, corrected in audited), default=deal.weight)
    if least_weight >= deal.weight:
        return None
    best = [one for one in audited if _weight(one[1].findings) == least_weight]
    proposal, corrected = best[0]
    first, *others = (change.seq for change in proposal.changes)
    shown = (
        seq for finding in card_findings(deal.audit.findings) for seq in (finding.seq, *finding.evidence)
    )
    evidence = tuple(dict.fromkeys((*others, *misprints.contradicting_entries, *shown)))
    message = _describe_misprint(
        proposal, len(best) - 1, every=len(misprints.proposals) <= MAX_CORRECTIONS_AUDITED
    )
    finding = build_finding(first, "misprint_likely", message, RULE, evidence=evidence)
    return Explanation((Mistake(finding, proposal.corrections),), corrected)


def _describe_misprint(proposal: Proposal, as_good: int, *, every: bool) -> Message:
    """The misprint, and how many other corrections fit equally well; ``every``: all were judged."""
    wrong = TextList((one.reason for one in proposal.corrections), " ")
    if not as_good:
        return format_message("{wrong} Corrected, the record is possible.", wrong=wrong)
    if not every:
        return format_message(
            "Perhaps this: {wrong} Corrected, the record is possible; at least {count} other "
            "corrections work as well, and nothing shows which is right.",
            wrong=wrong,
            count=as_good,
        )
    if as_good == 1:
        return format_message(
            "Perhaps this: {wrong} Corrected, the record is possible; one other correction works "
            "as well, and nothing shows which is right.",
            wrong=wrong,
        )
    return format_message(
        "Perhaps this: {wrong} Corrected, the record is possible; {count} other corrections work "
        "as well, and nothing shows which is right.",
        wrong=wrong,
        count=as_good,
    )
