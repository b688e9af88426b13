"""``effective``: the log with its corrections and withdrawals applied (DESIGN 4).

The log keeps every entry for ever; the effective history has, in place of what a correction
replaces, what stands in its ``with``. A later correction that replaces an earlier one undoes
it, or, where it brings events of its own, betters it: these stand where the earlier one's
stood. What was withdrawn at the table leaves the history from the start.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.core.cards import Seat
from engine.core.events import (
    ActionWithdrawn,
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    CorrectionMade,
    DealAbandoned,
    DealClosed,
    ExchangeYielded,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
)
from engine.core.log import Entry, Log, begun, place
from engine.core.message import Said, said
from engine.core.vocabulary import Seq
from engine.play.findings import Finding, Findings, finding

NEAR: Final = 60
"""How many entries away an act is looked for that takes another's place; a deal has hardly more acts."""

Key = tuple[int, ...]
"""An entry's seq as numbers."""

TAKEABLE: Final = (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    DealAbandoned,
    ExchangeYielded,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
)
"""What a player can take back at the table."""


MENDING: Final = frozenset((CorrectionMade, ActionWithdrawn))
"""Entries that change what stands; where there is none, the log is its own history."""


class History(NamedTuple):
    """What happened, as the record has it now: entries in order, none of them a correction.

    ``reach``: for each entry of the log, also those replaced, how many entries stand up to and with
    it; None where nothing was mended, so that each stands where it was. ``faults``: corrections and
    withdrawals of what is not there; ``closed``: whether the record was ever closed. A closing that
    a later correction follows no longer stands, and one in the beginning of a variation is none of
    its own. ``replaced``: the entries, and parts of corrections, that corrections took away;
    ``mended``: the log itself, where anything in it was mended (`engine.play.mending`).
    """

    entries: Log
    reach: dict[Key, int] | None
    faults: Findings
    closed: bool
    replaced: frozenset[Seq] = frozenset()
    mended: Log = ()

    def up_to(self, seq: Seq) -> Log:
        """The entries up to and with ``seq``, or with what stands in its place.

        Raises:
            LookupError: the log has no such entry.
        """
        reach = self.reach
        if reach is None:
            reach = {place(entry.seq): count for count, entry in enumerate(self.entries, 1)}
            if count := begun(self.entries):
                reach[1,] = count
        key = place(seq)
        while key and key not in reach:
            key = key[:-1]
        if not key:
            raise LookupError(f"there is no entry {seq} in this log")
        return self.entries[: reach[key]]


@dataclass(slots=True)
class _Node:
    """An entry in the making of a history: a link of the chain, perhaps replaced."""

    key: Key
    entry: Entry
    after: "_Node | None" = None
    standing: bool = True
    replaced_by: "_Correction | None" = None


@dataclass(slots=True)
class _Correction:
    key: Key
    seq: Seq
    event: CorrectionMade
    parent: "_Correction | None"
    in_force: bool = True
    targets: tuple[Key, ...] = ()
    behind: Key | None = None
    parts: list[_Node] = field(default_factory=list)

    @property
    def brings(self) -> bool:
        """Whether it brings events of its own, not only corrections."""
        return any(not isinstance(part, CorrectionMade) for part in self.event.with_)


def effective(log: Log) -> History:
    """The effective history of ``log``; the log itself is left as it is."""
    kinds = {type(entry.event) for entry in log}
    if kinds.isdisjoint(MENDING):
        closed = DealClosed in kinds and any(type(entry.event) is DealClosed for entry in log[begun(log) :])
        return History(log, None, (), closed)
    return _Making(log).history()


class _Making:
    """One making of a history: the chain of entries, into which corrections are worked in order."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.faults: list[Finding] = []
        self.nodes: dict[Key, _Node] = {}
        self.corrections: dict[Key, _Correction] = {}
        self.last_applied: Key = ()
        self.head = _Node((), Entry(0, CorrectionMade("")), standing=False)
        last = self.head
        self.brought: dict[Key, _Node] = {}
        for entry in log:
            node = self._link(last, place(entry.seq), entry)
            last = node
            if isinstance(entry.event, CorrectionMade):
                self._gather(node.key, entry.seq, entry.event, None)
            elif isinstance(entry.seq, str):
                self._bring(node)

    def _bring(self, node: _Node) -> None:
        """An entry of the beginning in another deal: only its opening, as entry 1, is this deal's own."""
        if not self.brought:
            self.nodes[1,] = node
        self.brought[node.key] = node

    def history(self) -> History:
        self._decide_force()
        for key in sorted(self.corrections):
            self._find_targets(self.corrections[key])
            if self.corrections[key].in_force:
                self._apply(self.corrections[key])
        for node in self._chain():
            if node.standing and isinstance(node.entry.event, ActionWithdrawn):
                self._withdraw(node, node.entry.event)
        closings = [
            node
            for node in self._chain()
            if node.standing and isinstance(node.entry.event, DealClosed) and node.key not in self.brought
        ]
        for node in closings:
            node.standing = node.key > self.last_applied
        return self._read_off(bool(closings))

    def _link(self, before: _Node, key: Key, entry: Entry) -> _Node:
        node = _Node(key, entry, after=before.after)
        node.standing = not isinstance(entry.event, CorrectionMade)
        before.after = node
        self.nodes[key] = node
        return node

    def _gather(self, key: Key, seq: Seq, event: CorrectionMade, parent: _Correction | None) -> None:
        correction = _Correction(key, seq, event, parent)
        self.corrections[key] = correction
        for number, part in enumerate(event.with_, 1):
            if isinstance(part, CorrectionMade):
                self._gather((*key, number), f"{seq}.{number}", part, correction)

    def _decide_force(self) -> None:
        """A correction stands unless a later one that stands replaces it.

        One that was bettered has no events of its own any more, but what it undid stays undone.
        """
        replaced: set[Key] = set()
        bettered: set[Key] = set()
        for key in sorted(self.corrections, key=lambda k: tuple(-n for n in k)):
            correction = self.corrections[key]
            parent = correction.parent
            correction.in_force = key not in replaced and (parent is None or parent.in_force)
            targets = [target for target in map(place, correction.event.replaces) if target < key]
            if correction.in_force or key in bettered:
                replaced.update(targets)
            if key in bettered or (correction.in_force and correction.brings):
                bettered.update(targets)

    def _find_targets(self, correction: _Correction) -> None:
        """What a correction replaces, and behind what it stands; a bettered one lends its own.

        Corrections are gone through in their order, so that what is lent is known already.
        """
        event = correction.event
        targets: dict[Key, None] = {}
        behind = None if event.after is None else place(event.after)
        for target in dict.fromkeys(map(place, event.replaces)):
            earlier = self.corrections.get(target)
            if target >= correction.key or earlier is None:
                targets[target] = None
            elif correction.brings:
                targets |= dict.fromkeys(earlier.targets)
                behind = behind or earlier.behind or (None if earlier.targets else earlier.key[:1])
        correction.targets, correction.behind = tuple(targets), behind

    def _apply(self, correction: _Correction) -> None:
        targets, behind = correction.targets, correction.behind
        found = [node for key in sorted(targets) if (node := self._replaceable(key, correction))]
        anchor: _Node | None = found[0] if found else None
        if not targets:
            anchor = self._anchor(correction, behind)
        if anchor is None:
            return
        self.last_applied = max(self.last_applied, correction.key)
        for node in found:
            node.standing = False
            node.replaced_by = correction
        last = anchor
        for number, part in enumerate(correction.event.with_, 1):
            if isinstance(part, CorrectionMade):
                continue
            key, seq = (*correction.key, number), f"{correction.seq}.{number}"
            record = self.nodes[correction.key[:1]].entry.record
            last = self._link(last, key, Entry(seq, part, record))
            correction.parts.append(last)

    def _anchor(self, correction: _Correction, behind: Key | None) -> _Node | None:
        """Where a correction that replaces no entry puts its own; None where it has none to put."""
        if not correction.brings:
            return None
        if behind is None:
            return self.nodes[correction.key[:1]]
        if behind in self.brought:
            message = said(
                "It puts entries after {entry}, which belongs to the deal that this one leaves.",
                entry=_text(behind),
            )
            self._fault(correction.seq, message)
            return None
        if behind == (1,) and self.brought:
            return next(reversed(self.brought.values()))
        node = self.nodes.get(behind)
        if node is None or behind >= correction.key:
            message = said("It puts entries after {entry}, which is not there.", entry=_text(behind))
            self._fault(correction.seq, message)
            return None
        while node.replaced_by is not None and node.replaced_by.parts:
            node = node.replaced_by.parts[-1]
        return node

    def _replaceable(self, key: Key, correction: _Correction) -> _Node | None:
        node = self.nodes.get(key)
        of = self.corrections.get(key[:-1])
        if node is None and of is not None and not of.in_force and key[-1] <= len(of.event.with_):
            return None  # it lapses together with the correction that it corrected
        if node is None or key >= correction.key:
            message = said("It replaces entry {entry}, which is not there.", entry=_text(key))
        elif key in self.brought:
            message = said(
                "It replaces entry {entry}, which belongs to the deal that this one leaves.",
                entry=_text(key),
            )
        elif node.replaced_by is not None:
            message = said(
                "Entry {entry} has been replaced by {by}; correct that one.",
                entry=_text(key),
                by=_text(node.replaced_by.key),
            )
        else:
            return node
        self._fault(correction.seq, message)
        return None

    def _withdraw(self, withdrawal: _Node, event: ActionWithdrawn) -> None:
        withdrawal.standing = False
        node, seq = self.nodes.get(place(event.of)), withdrawal.entry.seq
        if node is None or node.key >= withdrawal.key:
            self._fault(seq, said("It withdraws entry {entry}, which is not there.", entry=event.of))
            return
        if node.key in self.brought:
            message = said(
                "It withdraws entry {entry}, which belongs to the deal that this one leaves.", entry=event.of
            )
            self._fault(seq, message)
            return
        standing = _standing_for(node)
        if not standing:
            self._fault(
                seq, said("It withdraws entry {entry}, which does not stand any more.", entry=event.of)
            )
        takeable = [one for one in standing if isinstance(one.entry.event, TAKEABLE)]
        for one in takeable:
            one.standing = False
            self._put_in_place(one, withdrawal)
        if len(takeable) < len(standing):
            message = said("It withdraws entry {entry}, which is no call and no card.", entry=event.of)
            self._fault(seq, message)

    def _put_in_place(self, taken_back: _Node, withdrawal: _Node) -> None:
        """Where others had acted before the act was taken back, the next of its seat takes its place.

        So a revoke mended before the trick is folded leaves those who played after it in turn.
        """
        kind, seat = type(taken_back.entry.event), _seat_of(taken_back)
        between, node = False, taken_back.after
        for _ in range(NEAR):
            if node is None or node is withdrawal:
                break
            between = between or (
                node.standing and isinstance(node.entry.event, kind) and _seat_of(node) != seat
            )
            node = node.after
        if not between or node is not withdrawal:
            return
        before = withdrawal
        for _ in range(NEAR):
            following = before.after
            if following is None:
                return
            if following.standing and isinstance(following.entry.event, kind) and _seat_of(following) == seat:
                before.after = following.after
                following.after = taken_back.after
                taken_back.after = following
                return
            before = following

    def _fault(self, seq: Seq, message: Said) -> None:
        self.faults.append(finding(seq, "correction_not_possible", message, "9. Record"))

    def _chain(self) -> list[_Node]:
        chain = []
        node = self.head.after
        while node is not None:
            chain.append(node)
            node = node.after
        return chain

    def _read_off(self, closed: bool) -> History:
        entries: list[Entry] = []
        reach: dict[Key, int] = {}
        chain = self._chain()
        for node in chain:
            if node.standing:
                entries.append(node.entry)
            reach[node.key] = len(entries)
        for node in reversed(chain):
            if node.replaced_by is not None and node.replaced_by.parts:
                reach[node.key] = max(reach[node.key], *(reach[part.key] for part in node.replaced_by.parts))
        if self.brought:
            reach[1,] = reach[next(reversed(self.brought))]
        faults, replaced = tuple(self.faults), self._replaced(chain)
        return History(tuple(entries), reach, faults, closed, replaced, self.log)

    def _replaced(self, chain: list[_Node]) -> frozenset[Seq]:
        """What corrections took away: entries they replace, and what stands in those that do not apply."""
        gone = {node.entry.seq for node in chain if node.replaced_by is not None}
        for correction in self.corrections.values():
            if not correction.parts:
                gone |= {f"{correction.seq}.{number}" for number in range(1, len(correction.event.with_) + 1)}
        return frozenset(gone)


def _seat_of(node: _Node) -> Seat | None:
    """The seat that acts in an entry."""
    return getattr(node.entry.event, "seat", None)


def _standing_for(node: _Node) -> list[_Node]:
    """The entry itself, or what corrections have put in its place."""
    standing: list[_Node] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.replaced_by is not None:
            waiting += reversed(one.replaced_by.parts)
        elif one.standing:
            standing.append(one)
    return standing


def _text(key: Key) -> str:
    return ".".join(map(str, key))
