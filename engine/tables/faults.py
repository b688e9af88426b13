"""The faults of an evening, each told once, with what follows from it.

One mistake is found in many places: a card that was written wrongly changes who won a trick, that what the
deal pays, that the pool of every later deal. What is not found any more once a mistake is put right follows
from it. What is found in a record that cannot be, and that nothing puts right, follows from that: whose entry
is wrong decides what the others prove.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from engine.core.events import CorrectionMade
from engine.core.log import place
from engine.core.table_events import DealStarted
from engine.core.vocabulary import Seq
from engine.diagnosis.alternatives import Fault as Wrong
from engine.diagnosis.explanations import Explanation
from engine.diagnosis.mistakes import Mistake
from engine.play.findings import Finding
from engine.play.history import effective
from engine.tables.following import carried_on
from engine.tables.judging import Judged, found_in
from engine.tables.ledger import TableFinding
from engine.tables.missing import missing_numbers, unfinished
from engine.tables.mistakes import Mistakes, entered_twice

OF_CHIPS = ("settlement_mismatch", "pool_mismatch")
"""Codes of findings by which the table's account and the rules part."""


class Fault(NamedTuple):
    """Something that is wrong with an evening.

    ``deal``: the deal's stream, None for an entry of the table's own log; ``number``: the deal's that it is
    about, None for none; ``finding``: its entries are those of that log; ``follows``: what would not be found
    without it; ``corrections``: entries to append to the deal's log that would put it right, where they are
    known; ``instead``: the mistakes of the pen that may have been instead of a revoke
    (`engine.diagnosis.conditions`).
    """

    deal: str | None
    number: int | None
    finding: Finding
    follows: tuple[TableFinding, ...] = ()
    corrections: tuple[CorrectionMade, ...] = ()
    instead: tuple[Mistake, ...] = ()


def faults_of(told: Judged, again: Judged, mistakes: Mistakes) -> tuple[Fault, ...]:
    """The faults of an evening: those of the table's own log first, then deal by deal.

    ``told`` is the evening as recorded, ``again`` without its ``mistakes``.
    """
    making = _Making(told, again, mistakes)
    making.mistaken()
    making.found_again()
    making.missing()
    making.found_no_more()
    making.otherwise()
    return making.made()


Key = tuple[str | None, Seq, str, str]


def _key(one: TableFinding) -> Key:
    """What makes a finding that one, whatever it is told with: amounts differ once a mistake is put right."""
    about = one.finding.about or (str(one.finding.message) if one.deal is None else "")
    return one.deal, one.finding.seq, one.finding.code, about


class _Making:
    """Faults in the making: by its key each fault, and what follows from it."""

    def __init__(self, told: Judged, again: Judged, mistakes: Mistakes) -> None:
        self.told, self.again, self.mistakes = told, again, mistakes
        self.lines = dict(told.lines())
        self.order = {name: at for at, name in enumerate(told.logs)}
        self.faults: dict[Key, Fault] = {}
        self.follows: dict[Key, dict[Key, TableFinding]] = {}
        self.cannot_be: dict[str | None, TableFinding] = {}
        """By the deals whose record cannot be, and that nothing puts right: what shows it first."""

    def made(self) -> tuple[Fault, ...]:
        """The faults in their order."""
        told = (
            fault._replace(follows=tuple(self.follows.get(key, {}).values()))
            for key, fault in self.faults.items()
        )
        return tuple(sorted(told, key=self._place))

    def _place(self, fault: Fault) -> tuple[int, tuple[int, ...]]:
        return -1 if fault.deal is None else self.order[fault.deal], place(fault.finding.seq)

    def _add(self, deal: str | None, one: Finding, corrections: tuple[CorrectionMade, ...] = ()) -> None:
        number = self._number_at(one.seq) if deal is None else self.lines[deal].number
        self.faults.setdefault(_key(TableFinding(deal, one)), Fault(deal, number, one, (), corrections))

    def _number_at(self, seq: Seq) -> int | None:
        """The number of the deal that an entry of the table's log starts."""
        for entry in effective(self.told.log).entries:
            if entry.seq == seq and isinstance(entry.event, DealStarted):
                return entry.event.number
        return None

    def _add_below(self, head: Key, one: TableFinding) -> None:
        if _key(one) != head:
            self.follows.setdefault(head, {}).setdefault(_key(one), one)

    def mistaken(self) -> None:
        """What was plainly entered wrongly."""
        for name, twice in self.mistakes.doubled.items():
            self._add(name, entered_twice(self.told, name, twice))
        for name, explained in self.mistakes.explained.items():
            for one in explained.mistakes:
                self._add(name, one.finding, one.corrections)

    def found_again(self) -> None:
        """What is found without that too, but for what follows from something else there."""
        found = [self._as_recorded(one) for one in found_in(self.again)]
        self.cannot_be = {one.deal: one for one in reversed(found) if one.finding.severity == "impossible"}
        sources = _sources(self.again, {name for name in self.cannot_be if name is not None})
        waiting: list[tuple[str, TableFinding]] = []
        for one in found:
            source = None if one.deal is None else sources.get(one.deal)
            if one.deal in self.cannot_be:
                self._add(one.deal, self.cannot_be[one.deal].finding)
                self._add_below(_key(self.cannot_be[one.deal]), one)
            elif source is not None and one.finding.code in OF_CHIPS:
                waiting.append((source, one))
            else:
                self._add(one.deal, one.finding)
        for source, one in waiting:
            head = self._head_in(source, OF_CHIPS) or self._head_in(source)
            if head is None:
                self._add(one.deal, one.finding)
            else:
                self._add_below(head, one)

    def _as_recorded(self, one: TableFinding) -> TableFinding:
        if one.deal is None:
            return one
        return one._replace(finding=self.mistakes.as_recorded(one.deal, one.finding))

    def _head_in(self, deal: str | None, codes: Iterable[str] = ()) -> Key | None:
        """The first fault of a deal, of these codes if some are named."""
        wanted = tuple(codes)
        for key in self.faults:
            if key[0] == deal and (not wanted or key[2] in wanted):
                return key
        return None

    def missing(self) -> None:
        """Numbers, ends and closings that are missing."""
        for one in missing_numbers(self.told.log):
            self._add(None, one)
        ending = unfinished(self.again.ledger, self.again.logs, self.again.folded)
        for found in map(self._as_recorded, ending):
            if found.deal in self.cannot_be:
                self._add_below(_key(self.cannot_be[found.deal]), found)
            else:
                self._add(found.deal, found.finding)

    def found_no_more(self) -> None:
        """What is found only as recorded follows from a mistake: in that deal, else in the last before it."""
        present = {*self.faults, *(key for below in self.follows.values() for key in below)}
        mistaken = [
            name for name in self.told.logs if name in {*self.mistakes.doubled, *self.mistakes.explained}
        ]
        sources = _sources(self.told, set(self._paying_otherwise()))
        for one in found_in(self.told, lambda judged: judged.findings):
            if _key(one) in present:
                continue
            source = sources.get(one.deal or "") if one.finding.code == "pool_mismatch" else None
            by = source if source in mistaken else self._mistaken_before(one, mistaken)
            head = self._head_in(by)
            if head is None:
                self._add(one.deal, one.finding)
            else:
                self._add_below(head, one)

    def otherwise(self) -> None:
        """What may have been instead of the revokes that are found."""
        for name in dict.fromkeys(key[0] for key in self.faults if key[2] == "revoke"):
            if name is None:
                continue
            explained = self.mistakes.explained.get(name) or Explanation((), self.again.audits[name])
            log = self.told.logs[name]
            places = explained.places(log)
            for other in explained.may_be_instead(log):
                for seq, code, seat in other.explains:
                    self._offer(name, (places.get(seq, seq), code, seat), other.mistake)

    def _offer(self, deal: str, wrong: Wrong, mistake: Mistake) -> None:
        """A mistake that may have been instead of a fault."""
        for key, fault in self.faults.items():
            if fault.deal == deal and (fault.finding.seq, fault.finding.code, fault.finding.seat) == wrong:
                self.faults[key] = fault._replace(instead=(*fault.instead, mistake))

    def _paying_otherwise(self) -> Iterator[str]:
        """The deals that would pay something else without their mistakes."""
        right = dict(self.again.lines())
        for name in self.mistakes.explained:
            if (self.lines[name].decided, self.lines[name].chips) != (right[name].decided, right[name].chips):
                yield name

    def _mistaken_before(self, one: TableFinding, mistaken: list[str]) -> str | None:
        """The deal by whose mistake something was found: itself, else the last of its game before it."""
        if one.deal is None:
            number = self._number_at(one.finding.seq)
            return next((name for name in mistaken if self.lines[name].number == number), None)
        if one.deal in mistaken:
            return one.deal
        game, at = self.lines[one.deal].game, self.order[one.deal]
        before = [name for name in mistaken if self.lines[name].game == game and self.order[name] < at]
        return before[-1] if before else None


def _sources(evening: Judged, unsure: Collection[str]) -> dict[str, str]:
    """By the deals whose pool is another because of an earlier deal: that one."""
    return carried_on(evening.ledger, evening.folded, evening.apart(), unsure)
