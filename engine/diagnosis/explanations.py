"""What one mistake of the pen explains: an entry that was made wrongly, or a card written wrongly.

A card that is entered wrongly can make a dozen findings: it is where it cannot be, the trick falls to
another, the next lead is out of turn, the payment does not fit. Whoever judges the record wants the one entry
that is wrong. So it is tried what would put the record right, by the very fold and judging that found it
wrong; what falls away with that correction follows from it. Nothing is corrected by itself: the corrections
are entries that a person may accept (RULES 9).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from engine.audit import Audit, audit
from engine.audit import judge_history as judged_entries
from engine.core.cards import Seat
from engine.core.events import CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, count_events
from engine.core.message import Message, MessageArgument, TextList, format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.diagnosis.alternatives import Alternative, find_alternatives
from engine.diagnosis.finding_caveats import add_caveats
from engine.diagnosis.input_slips import list_suspected_mistakes, soften_swapped_entries
from engine.diagnosis.misprints import MisprintProposals, Proposal, find_misprints
from engine.diagnosis.mistakes import Mistake, SuspectedMistake
from engine.diagnosis.wrong_contract import PLAY_FAULT_CODES
from engine.fold import folding_cost
from engine.play.findings import FAULT_SEVERITIES, Finding, Findings, build_finding, card_findings
from engine.play.history import effective
from engine.play.state import initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook

RULE: Final = "9. Record"
DIRECTOR_SEVERITIES: Final = frozenset(("impossible", "error", "warning"))
"""The severities that matter to whoever judges a deal; what is worth knowing only is left out."""
EXPLANATION_WORK: Final = 7 * UNITS_PER_SECOND // 10
"""So much it may cost to look for mistakes in a deal, whatever it is like (`engine.core.work_budget`)."""
MAX_WRONG_ENTRIES: Final = 3
"""So many entries of a deal may have been made wrongly as a whole; more is no slip of the pen."""
DEFAULT_MISPRINT_WORK: Final = 1_000
"""Work to find a misprint (`engine.diagnosis.misprints`): a whole evening is looked through at once."""
MAX_CORRECTIONS_AUDITED: Final = 12
"""So many of the likeliest corrections of a misprint are judged in full."""
MAX_SUSPECTS_AUDITED: Final = 4
"""So many of the mistakes that entries can have are judged in full: what explains most at first sight."""


class Explanation(NamedTuple):
    """Mistakes of the pen that explain what is found in a deal.

    ``audit``: the audit of the deal with their corrections appended. What it still finds is another matter.
    ``misprints``: what corrections of cards would make the record possible, where that was asked.
    """

    mistakes: tuple[Mistake, ...]
    audit: Audit
    misprints: MisprintProposals | None = None

    @property
    def corrections(self) -> tuple[CorrectionMade, ...]:
        """The entries to append to the deal's log, in their order."""
        return tuple(correction for one in self.mistakes for correction in one.corrections)

    def combine(self, other: "Explanation") -> "Explanation":
        """Both, ``other`` being that of the deal as this one puts it right."""
        return Explanation((*self.mistakes, *other.mistakes), other.audit)

    def with_mistake(self, log: Log, mistake: Mistake, book: RulesetBook) -> "Explanation":
        """The same, and ``mistake`` besides, which is told by the entries of ``log``."""
        corrections = (*self.corrections, *mistake.corrections)
        return Explanation((*self.mistakes, mistake), audit(append_corrections(log, corrections), book))

    def original_seqs(self, log: Log) -> dict[Seq, Seq]:
        """By the entries that the corrections put into ``log``, those in whose place they stand.

        What is found at a correction itself is found at the end of the record, which it is then.
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
        """The same, with the mistakes told by the entries of ``log`` alone."""
        places = self.original_seqs(log)
        relocated = (one._replace(finding=relocate_finding(one.finding, places)) for one in self.mistakes)
        return self._replace(mistakes=tuple(relocated))

    def relocated_findings(self, log: Log) -> Findings:
        """What is found in the deal as put right, with the entries as they stand in ``log``."""
        places = self.original_seqs(log)
        return tuple(relocate_finding(one, places) for one in add_caveats(self.audit))

    def find_alternatives(self, log: Log) -> tuple[Alternative, ...]:
        """What else can have been, of the entries of ``log`` alone (`engine.diagnosis.finding_caveats`)."""
        recorded = {entry.seq for entry in log}
        places = self.original_seqs(log)
        return tuple(
            one._replace(mistake=one.mistake._replace(finding=relocate_finding(one.mistake.finding, places)))
            for one in find_alternatives(self.audit)
            if recorded.issuperset(seq for made in one.mistake.corrections for seq in made.replaces)
        )


def relocate_finding(one: Finding, original_seqs: Mapping[Seq, Seq]) -> Finding:
    """The finding with its entries renumbered by ``original_seqs``, in its sentence too."""
    evidence = dict.fromkeys(original_seqs.get(seq, seq) for seq in one.evidence)
    seq_texts: dict[MessageArgument, str] = {
        seq: str(original) for seq, original in original_seqs.items() if isinstance(seq, str)
    }
    message = _relocate_message(one.message, seq_texts)
    return one._replace(seq=original_seqs.get(one.seq, one.seq), evidence=tuple(evidence), message=message)


def _relocate_message(message: Message, seq_texts: Mapping[MessageArgument, str]) -> Message:
    """A sentence with the entries as they are called, also in the sentences that it was given."""
    arguments: dict[str, MessageArgument] = {
        name: _relocate_message(given, seq_texts)
        if isinstance(given, Message)
        else seq_texts.get(given, given)
        for name, given in message.arguments.items()
    }
    return message if arguments == message.arguments else Message(message.template, arguments)


def find_explanation(
    log: Log, deal_audit: Audit, book: RulesetBook = PUBLISHED_RULESETS
) -> Explanation | None:
    """The mistakes of the pen that explain findings of ``deal_audit``, the audit of ``log``; or None.

    What `explain_findings` finds, where it finds any.
    """
    explanation = explain_findings(log, deal_audit, book)
    return explanation if explanation.mistakes else None


def explain_findings(
    log: Log,
    deal_audit: Audit,
    book: RulesetBook = PUBLISHED_RULESETS,
    misprint_work: int = DEFAULT_MISPRINT_WORK,
) -> Explanation:
    """The mistakes of the pen that explain findings of ``deal_audit``, perhaps none, and what was looked for.

    Entries that were made twice, for another seat, in another's place or not at all; and where cards cannot
    be as recorded and that leaves something grave, one misprint: a card, or two that changed places. What
    leaves least wrong is taken, the fewer mistakes the better. ``misprint_work``: so much is done to find a
    misprint, as far as `EXPLANATION_WORK` allows.
    """
    unexplained, budget = Explanation((), deal_audit), WorkBudget(EXPLANATION_WORK)
    by_entries = _explain_by_entries(log, deal_audit, book, budget)
    remaining = (by_entries or unexplained).audit.findings
    if not card_findings(remaining) and not (
        card_findings(deal_audit.findings) and any(one.severity in FAULT_SEVERITIES for one in remaining)
    ):
        return (by_entries or unexplained).relocate_mistakes(log)
    proposals = find_misprints(log, book, misprint_work, budget)
    candidates = [unexplained if by_entries is None else by_entries]
    if (by_misprint := _explain_by_misprint(log, deal_audit, book, proposals, budget)) is not None:
        candidates.append(by_misprint)
    if by_entries is not None:
        corrected_log = append_corrections(log, by_entries.corrections)
        more_proposals = find_misprints(corrected_log, book, DEFAULT_MISPRINT_WORK, budget)
        more = _explain_by_misprint(corrected_log, by_entries.audit, book, more_proposals, budget)
        candidates += [] if more is None else [by_entries.combine(more)]
    candidates = [one for one in candidates if _replaces_only_recorded(one, deal_audit)]
    best = min(candidates, key=lambda one: (_weight(one.audit.findings), len(one.mistakes)))
    if best is by_entries and not card_findings(remaining):
        return best.relocate_mistakes(log)
    return best.relocate_mistakes(log)._replace(misprints=proposals)


def _replaces_only_recorded(explained: Explanation, judged: Audit) -> bool:
    """Whether only entries of the record are wrong, and none that a correction would put in."""
    recorded = {entry.seq for entry in judged.history.entries}
    return all(recorded.issuperset(one.replaces) for one in explained.corrections)


def append_corrections(log: Log, corrections: Iterable[CorrectionMade]) -> Log:
    """The log with these corrections behind it."""
    last = max((entry.seq for entry in log if isinstance(entry.seq, int)), default=0)
    return (*log, *(Entry(seq, one) for seq, one in enumerate(corrections, last + 1)))


def has_suspected_mistake(deal_audit: Audit) -> bool:
    """Whether some mistake of the pen may explain what is found; which one is not tried."""
    if not filter_for_director(deal_audit.findings):
        return False
    enough = (one.min_explained <= len(deal_audit.findings) for one in list_suspected_mistakes(deal_audit))
    return bool(card_findings(deal_audit.findings)) or any(enough)


def filter_for_director(findings: Iterable[Finding]) -> Findings:
    """Those of ``findings`` that matter to whoever judges a deal."""
    return tuple(one for one in findings if one.severity in DIRECTOR_SEVERITIES)


FindingsWeight = tuple[int, int, int]
"""How much is wrong with a deal: what is grave, what matters, all. Less is likelier to be so."""


def _weight(findings: Collection[Finding]) -> FindingsWeight:
    grave = sum(one.severity in FAULT_SEVERITIES for one in findings)
    return grave, len(filter_for_director(findings)), len(findings)


# --- Entries made wrongly as a whole ----------------------------------------------------------------


def _explain_by_entries(log: Log, judged: Audit, book: RulesetBook, budget: WorkBudget) -> Explanation | None:
    """Entries that were made wrongly as a whole, and without which less is wrong."""
    explanation = Explanation((), judged)
    while len(explanation.mistakes) < MAX_WRONG_ENTRIES:
        try:
            next_explanation = _explain_by_one_entry(
                append_corrections(log, explanation.corrections), explanation.audit, book, budget
            )
        except BudgetExceeded:
            break
        if next_explanation is None or not _replaces_only_recorded(next_explanation, judged):
            break
        explanation = explanation.combine(next_explanation)
    return _soften_if_unsure(explanation) if explanation.mistakes else None


def _soften_if_unsure(explanation: Explanation) -> Explanation:
    """The same; where somebody is still found at fault in the play, entries only may have changed places."""
    if not _play_fault_codes(explanation.audit.findings):
        return explanation
    mistakes = (
        soften_swapped_entries(one) if one.finding.code == "order_mistaken" else one
        for one in explanation.mistakes
    )
    return explanation._replace(mistakes=tuple(mistakes))


def _explain_by_one_entry(
    log: Log, judged: Audit, book: RulesetBook, budget: WorkBudget
) -> Explanation | None:
    """The deal without the one mistake that does the most harm; None where none explains enough.

    What is missing is left open where several cards or places do as well, and no other fault is lost by that.
    Raises `BudgetExceeded`.
    """
    best, least_weight = None, _weight(judged.findings)
    suspects = _rank_suspects(log, judged, book, budget)
    for weight, one in suspects[:MAX_SUSPECTS_AUDITED]:
        corrected = audit(append_corrections(log, one.mistake.corrections), book, budget)
        if _weight(corrected.findings) < least_weight and _explains_enough(one, judged, corrected):
            best = Explanation((one.mistake,), corrected)
            open_variants = [
                other.open_variant
                for suspect_weight, other in suspects
                if suspect_weight == weight and other.group == one.group
            ]
            if len(open_variants) > 1 and (open_variant := open_variants[0]) is not None:
                open_audit = audit(append_corrections(log, open_variant.corrections), book, budget)
                if _grave_faults(judged) & _grave_faults(corrected) <= _grave_faults(open_audit):
                    best = Explanation((open_variant,), open_audit)
            least_weight = _weight(corrected.findings)
    return best


def _grave_faults(judged: Audit) -> set[tuple[Seq, str, Seat | None]]:
    """What is grave, by entry, code and seat; a fault of its own stays one, whatever is put right."""
    return {(one.seq, one.code, one.seat) for one in judged.findings if one.severity in FAULT_SEVERITIES}


def _rank_suspects(
    log: Log, judged: Audit, book: RulesetBook, budget: WorkBudget
) -> list[tuple[FindingsWeight, SuspectedMistake]]:
    """What can have been entered wrongly; first that without which least is wrong as entries are judged.

    Raises:
        BudgetExceeded: it takes more than is left of the budget.
    """
    weighed = []
    cost = folding_cost(count_events(entry.event for entry in log))
    budget.spend(cost)
    for one in list_suspected_mistakes(judged):
        budget.spend(cost)
        history = effective(append_corrections(log, one.mistake.corrections))
        _, findings = judged_entries(history, initial_state(book))
        weighed.append((_weight((*findings, *history.faults)), one))
    return sorted(weighed, key=lambda one: one[0])


def _explains_enough(one: SuspectedMistake, judged: Audit, corrected: Audit) -> bool:
    """Whether so much falls away that it is no fault by itself; what a single finding says may well be so."""
    before, after = _weight(judged.findings), _weight(corrected.findings)
    if one.min_explained == 1:
        return True
    if after[0] >= before[0] or before[2] - after[2] < one.min_explained:
        return False
    cleared = _accused_seats(judged.findings) - _accused_seats(corrected.findings)
    if one.must_clear_play:
        cleared_codes = _play_fault_codes(judged.findings)
        if _play_fault_codes(corrected.findings) or not _grave_faults(corrected) <= _grave_faults(judged):
            return False
        return cleared_codes == PLAY_FAULT_CODES or len(cleared) >= one.min_cleared_seats
    turns = _count_out_of_turn(judged.findings)
    return len(cleared) >= one.min_cleared_seats or _count_out_of_turn(corrected.findings) < turns


def _play_fault_codes(findings: Findings) -> set[str]:
    """Whether somebody is found to have revoked, or to have acted out of turn, or both."""
    return {one.code for one in findings} & PLAY_FAULT_CODES


def _accused_seats(findings: Findings) -> set[Seat | None]:
    """The seats that something grave is found of."""
    return {one.seat for one in findings if one.severity in FAULT_SEVERITIES}


def _count_out_of_turn(findings: Findings) -> int:
    return sum(one.code == "wrong_seat" for one in findings)


# --- Cards written wrongly --------------------------------------------------------------------------


def _explain_by_misprint(
    log: Log, judged: Audit, book: RulesetBook, misprints: MisprintProposals, budget: WorkBudget
) -> Explanation | None:
    """Of the corrections that make the record possible, one that leaves least wrong."""
    try:
        audited = [
            (_weight(corrected.findings), proposal, corrected)
            for proposal in misprints.proposals[:MAX_CORRECTIONS_AUDITED]
            for corrected in (audit(append_corrections(log, proposal.corrections), book, budget),)
        ]
    except BudgetExceeded:
        return None
    least_weight = min((weight for weight, _, _ in audited), default=_weight(judged.findings))
    if least_weight >= _weight(judged.findings):
        return None
    best = [(proposal, corrected) for weight, proposal, corrected in audited if weight == least_weight]
    proposal, corrected = best[0]
    first, *others = (change.seq for change in proposal.changes)
    shown = (seq for finding in card_findings(judged.findings) for seq in (finding.seq, *finding.evidence))
    evidence = tuple(dict.fromkeys((*others, *misprints.contradicting_entries, *shown)))
    message = _describe_misprint(
        proposal, len(best) - 1, every=len(misprints.proposals) <= MAX_CORRECTIONS_AUDITED
    )
    finding = build_finding(first, "misprint_likely", message, RULE, evidence=evidence)
    return Explanation((Mistake(finding, proposal.corrections),), corrected)


def _describe_misprint(proposal: Proposal, as_good: int, *, every: bool) -> Message:
    """The misprint in words, and how many other corrections would do as well; ``every``: of all there are."""
    wrong = TextList((one.reason for one in proposal.corrections), " ")
    if not as_good:
        return format_message("{wrong} Put right, the record can be.", wrong=wrong)
    if not every:
        return format_message(
            "Perhaps it is this: {wrong} Put right, the record can be; at least {count} other corrections "
            "would do as well, and nothing shows which it was.",
            wrong=wrong,
            count=as_good,
        )
    if as_good == 1:
        return format_message(
            "Perhaps it is this: {wrong} Put right, the record can be; one other correction would do as "
            "well, and nothing shows which it was.",
            wrong=wrong,
        )
    return format_message(
        "Perhaps it is this: {wrong} Put right, the record can be; {count} other corrections would do as "
        "well, and nothing shows which it was.",
        wrong=wrong,
        count=as_good,
    )
