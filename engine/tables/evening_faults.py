"""The faults of an evening, each listed once, with its consequences.

Findings that disappear when a mistake is corrected are its consequences. So are findings in an impossible
record that nothing corrects.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from engine.core.events import CorrectionMade, DealClosed
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import format_message
from engine.diagnosis.explanations import Explanation
from engine.diagnosis.mistakes import FaultKey, Mistake
from engine.play.findings import Finding, build_finding
from engine.play.history import effective
from engine.play.state import FINISHED
from engine.tables.evening_audit import EveningAudit, list_evening_findings
from engine.tables.evening_mistakes import EveningMistakes, build_duplicate_finding
from engine.tables.ledger import Ledger, LedgerLine, TableFinding, chips_out_of_pool, recorded_pot
from engine.tables.table import list_started_deals, withdrawn_numbers

RULE: Final = "9. Record"
CHIP_CODES: Final = ("settlement_mismatch", "pool_mismatch")
"""Codes of findings where the table's account differs from the rules."""


class EveningFault(NamedTuple):
    """Something that is wrong with an evening.

    ``deal``: the deal's stream, None for an entry of the table's own log; ``number``: the deal's that it is
    about, None for none; ``finding``: its entries are those of that log; ``consequences``: what would not be
    found without it; ``corrections``: entries to append to the deal's log that would correct it, where they
    are known; ``alternatives``: the mistakes of the pen that may have been instead of a revoke
    (`engine.diagnosis.finding_caveats`).
    """

    deal: str | None
    number: int | None
    finding: Finding
    consequences: tuple[TableFinding, ...] = ()
    corrections: tuple[CorrectionMade, ...] = ()
    alternatives: tuple[Mistake, ...] = ()


def collect_faults(
    recorded: EveningAudit, corrected: EveningAudit, mistakes: EveningMistakes
) -> tuple[EveningFault, ...]:
    """The faults of an evening: those of the table's own log first, then deal by deal.

    ``recorded`` is the evening as it stands, ``corrected`` the evening without its ``mistakes``.
    """
    collector = _FaultCollector(recorded, corrected, mistakes)
    collector.add_mistakes()
    collector.add_remaining_findings()
    collector.add_missing_records()
    collector.add_resolved_findings()
    collector.add_alternatives()
    return collector.build()


EveningFaultKey = tuple[str | None, Seq, str, str]


def _fault_key(one: TableFinding) -> EveningFaultKey:
    """What identifies a finding, without its amounts: these differ once a mistake is corrected."""
    about = one.finding.about or (str(one.finding.message) if one.deal is None else "")
    return one.deal, one.finding.seq, one.finding.code, about


class _FaultCollector:
    """Collects faults and their consequences, by the key of each fault."""

    def __init__(self, recorded: EveningAudit, corrected: EveningAudit, mistakes: EveningMistakes) -> None:
        self.recorded, self.corrected, self.mistakes = recorded, corrected, mistakes
        self.lines = dict(recorded.list_deal_lines())
        self.order = {name: index for index, name in enumerate(recorded.logs)}
        self.faults: dict[EveningFaultKey, EveningFault] = {}
        self.consequences: dict[EveningFaultKey, dict[EveningFaultKey, TableFinding]] = {}
        self.impossible_deals: dict[str | None, TableFinding] = {}
        """By each deal whose record is impossible and not corrected: the finding that shows it first."""

    def build(self) -> tuple[EveningFault, ...]:
        """The faults in their order."""
        faults = (
            fault._replace(consequences=tuple(self.consequences.get(key, {}).values()))
            for key, fault in self.faults.items()
        )
        return tuple(sorted(faults, key=self._sort_key))

    def _sort_key(self, fault: EveningFault) -> tuple[int, tuple[int, ...]]:
        return -1 if fault.deal is None else self.order[fault.deal], seq_key(fault.finding.seq)

    def _add(self, deal: str | None, one: Finding, corrections: tuple[CorrectionMade, ...] = ()) -> None:
        number = self._number_at(one.seq) if deal is None else self.lines[deal].number
        self.faults.setdefault(
            _fault_key(TableFinding(deal, one)), EveningFault(deal, number, one, (), corrections)
        )

    def _number_at(self, seq: Seq) -> int | None:
        """The number of the deal that an entry of the table's log starts."""
        return next((number for number, at in list_started_deals(self.recorded.log) if at == seq), None)

    def _add_consequence(self, fault_key: EveningFaultKey, one: TableFinding) -> None:
        if _fault_key(one) != fault_key:
            self.consequences.setdefault(fault_key, {}).setdefault(_fault_key(one), one)

    def add_mistakes(self) -> None:
        """Obvious input errors."""
        for name, duplicate in self.mistakes.duplicates.items():
            self._add(name, build_duplicate_finding(self.recorded, duplicate))
        for name, explained in self.mistakes.explanations.items():
            for one in explained.mistakes:
                self._add(name, one.finding, one.corrections)

    def add_remaining_findings(self) -> None:
        """Findings that remain once mistakes are corrected, except consequences of other findings."""
        findings = [self._relocate(one) for one in list_evening_findings(self.corrected)]
        self.impossible_deals = {
            one.deal: one for one in reversed(findings) if one.finding.severity == "impossible"
        }
        sources = find_inherited_pool_errors(
            self.corrected, {name for name in self.impossible_deals if name is not None}
        )
        inherited: list[tuple[str, TableFinding]] = []
        for one in findings:
            source = None if one.deal is None else sources.get(one.deal)
            if one.deal in self.impossible_deals:
                self._add(one.deal, self.impossible_deals[one.deal].finding)
                self._add_consequence(_fault_key(self.impossible_deals[one.deal]), one)
            elif source is not None and one.finding.code in CHIP_CODES:
                inherited.append((source, one))
            else:
                self._add(one.deal, one.finding)
        for source, one in inherited:
            fault_key = self._first_fault_of(source, CHIP_CODES) or self._first_fault_of(source)
            if fault_key is None:
                self._add(one.deal, one.finding)
            else:
                self._add_consequence(fault_key, one)

    def _relocate(self, one: TableFinding) -> TableFinding:
        if one.deal is None:
            return one
        return one._replace(finding=self.mistakes.relocate_finding(one.deal, one.finding))

    def _first_fault_of(self, deal: str | None, codes: Collection[str] = ()) -> EveningFaultKey | None:
        """The first fault of a deal, of these codes if some are named."""
        return next((key for key in self.faults if key[0] == deal and (not codes or key[2] in codes)), None)

    def add_missing_records(self) -> None:
        """Numbers, ends and closings that are missing."""
        for one in find_missing_numbers(self.recorded.log):
            self._add(None, one)
        ending = find_unfinished_deals(self.corrected)
        for found in map(self._relocate, ending):
            if found.deal in self.impossible_deals:
                self._add_consequence(_fault_key(self.impossible_deals[found.deal]), found)
            else:
                self._add(found.deal, found.finding)

    def add_resolved_findings(self) -> None:
        """Add what correcting removes, as consequences of the mistake there or of the last one before."""
        present = {
            *self.faults,
            *(key for consequences in self.consequences.values() for key in consequences),
        }
        mistaken_deals = [
            name
            for name in self.recorded.logs
            if name in {*self.mistakes.duplicates, *self.mistakes.explanations}
        ]
        sources = find_inherited_pool_errors(self.recorded, set(self._list_differently_paid_deals()))
        for one in list_evening_findings(self.recorded, lambda judged: judged.findings):
            if _fault_key(one) in present:
                continue
            source = sources.get(one.deal or "") if one.finding.code == "pool_mismatch" else None
            by = source if source in mistaken_deals else self._find_mistaken_deal_before(one, mistaken_deals)
            fault_key = self._first_fault_of(by)
            if fault_key is None:
                self._add(one.deal, one.finding)
            else:
                self._add_consequence(fault_key, one)

    def add_alternatives(self) -> None:
        """Mistakes of the pen that may explain the revokes found."""
        for name in dict.fromkeys(key[0] for key in self.faults if key[2] == "revoke"):
            if name is None:
                continue
            explained = self.mistakes.explanations.get(name) or Explanation((), self.corrected.audits[name])
            log = self.recorded.logs[name]
            places = explained.original_seqs(log)
            for other in explained.find_alternatives(log):
                for seq, code, seat in other.explained_faults:
                    self._add_alternative(name, (places.get(seq, seq), code, seat), other.mistake)

    def _add_alternative(self, deal: str, key: FaultKey, mistake: Mistake) -> None:
        """A mistake that may have been instead of a fault."""
        for place, fault in self.faults.items():
            if fault.deal == deal and (fault.finding.seq, fault.finding.code, fault.finding.seat) == key:
                self.faults[place] = fault._replace(alternatives=(*fault.alternatives, mistake))

    def _list_differently_paid_deals(self) -> Iterator[str]:
        """The deals that would pay something else without their mistakes."""
        right = dict(self.corrected.list_deal_lines())
        for name in self.mistakes.explanations:
            if (self.lines[name].is_decided, self.lines[name].chips) != (
                right[name].is_decided,
                right[name].chips,
            ):
                yield name

    def _find_mistaken_deal_before(self, one: TableFinding, mistaken_deals: list[str]) -> str | None:
        """The deal by whose mistake something was found: itself, else the last of its game before it."""
        if one.deal is None:
            number = self._number_at(one.finding.seq)
            return next((name for name in mistaken_deals if self.lines[name].number == number), None)
        if one.deal in mistaken_deals:
            return one.deal
        game, index = self.lines[one.deal].game, self.order[one.deal]
        before = [
            name for name in mistaken_deals if self.lines[name].game == game and self.order[name] < index
        ]
        return before[-1] if before else None


def find_missing_numbers(log: Log) -> Iterator[Finding]:
    """A finding for each gap in the numbers, up to the highest, at the table's entry of the deal after it.

    ``log`` is the table's. Two games at a table count together. A number whose deal was taken back, as it
    was entered twice, is accounted for.
    """
    before, withdrawn = 0, withdrawn_numbers(log)
    for number, seq in sorted(list_started_deals(log), key=lambda one: one[0]):
        left_out = [one for one in range(before + 1, number) if one not in withdrawn]
        before = number
        if not left_out:
            continue
        first, last = left_out[0], left_out[-1]
        message = format_message(
            "There is no deal number {first}; number {following} comes next.", first=first, following=number
        )
        if last > first:
            message = format_message(
                "There are no deals number {first} to {last}; number {following} comes next.",
                first=first,
                last=last,
                following=number,
            )
        yield build_finding(seq, "number_missing", message, RULE)


def find_unfinished_deals(evening: EveningAudit) -> Iterator[TableFinding]:
    """The deals whose end or closing was not recorded although the table went on, at their last entry.

    A closing is missed only where cards were played, and another such deal of the table was closed: many
    tables close none.
    """
    logs = evening.logs
    played = {name for name in logs if evening.deals[name].state.play.tricks}
    closed = {name for name in played if _is_closed(logs[name])}
    for name, line in _list_followed_deals(evening.ledger):
        if name not in logs or not logs[name]:
            continue
        last = (effective(logs[name]).entries or logs[name])[-1].seq
        is_finished = line.is_decided or evening.deals[name].state.phase == FINISHED
        if not is_finished and not _is_closed(logs[name]):
            message = format_message(
                "The record of this deal ends before the deal does, and the table went on."
            )
        elif closed and name in played - closed:
            message = format_message("This deal was never closed; other deals of this table were.")
        else:
            continue
        yield TableFinding(name, build_finding(last, "deal_unfinished", message, RULE))


def _is_closed(log: Log) -> bool:
    """Whether a deal was ever closed, also where a correction came later and it no longer is."""
    replaced = effective(log).replaced_seqs
    return any(isinstance(entry.event, DealClosed) and entry.seq not in replaced for entry in log)


def _list_followed_deals(table: Ledger) -> Iterator[tuple[str, LedgerLine]]:
    """The deals after which another of the same game was started; all, where the evening is over."""
    dealt = [(line.deal, line) for line in table.lines if line.deal is not None]
    last = {line.game: name for name, line in dealt}
    return ((name, line) for name, line in dealt if table.is_closed or last[line.game] != name)


class _BelievedPool(NamedTuple):
    """What a table believes of a pool.

    ``excess``: how much more lies in it than should, None where nobody knows; ``source``: the deal from which
    that comes.
    """

    excess: int | None = 0
    source: str | None = None


def find_inherited_pool_errors(evening: EveningAudit, uncertain_deals: Collection[str]) -> dict[str, str]:
    """By the deals whose pool is another only because of an earlier deal: that deal.

    A pool that was counted or paid out wrongly stays so, deal after deal; only the first one is a mistake.
    ``uncertain_deals``: those of which nobody knows what they paid.
    """
    differences = evening.find_differences()
    accounts: dict[int, _BelievedPool] = {}
    found: dict[str, str] = {}
    for name, line in evening.list_deal_lines():
        if line.game is None or line.pot_before is None:
            continue
        believed = accounts.get(line.game, _BelievedPool())
        recorded = recorded_pot(evening.deals[name].state)
        if recorded is not None:
            excess = recorded.total - line.pot_before.opening_pot.total
            if excess and believed.source is not None and believed.excess in (None, excess):
                found[name] = believed.source
                believed = _BelievedPool(excess, believed.source)
            else:
                believed = _BelievedPool(excess, name if excess else None)
        taken = chips_out_of_pool(differences[name])
        if name in uncertain_deals:
            believed = _BelievedPool(None, name)
        elif taken and believed.excess is not None:
            believed = _BelievedPool(believed.excess - taken, believed.source or name)
        accounts[line.game] = believed
    return found
