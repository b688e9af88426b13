"""``effective``: the log with its corrections and withdrawals applied (DESIGN 4).

In the history, the events in a correction's ``with`` stand in place of what it replaces. A later correction
that replaces an earlier one undoes it or, if it brings events of its own, puts them in place of the earlier
one's.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.core import events
from engine.core.cards import Seat
from engine.core.field_types import Seq
from engine.core.log import Entry, Log, inherited_count, seq_key
from engine.core.message import Message, format_message
from engine.play.findings import Finding, Findings, build_finding

MAX_REPLACEMENT_DISTANCE: Final = 60
"""The maximum distance to an act that takes another's place, in entries; a deal hardly has more acts."""

SeqKey = tuple[int, ...]
"""An entry's seq as numbers."""

WITHDRAWABLE_EVENTS: Final = (
    events.BidMade,
    events.CardPlayed,
    events.CardsDiscarded,
    events.CardsDrawn,
    events.CardsShown,
    events.ClaimAnswered,
    events.ContractNamed,
    events.DealAbandoned,
    events.ExchangeYielded,
    events.SlamAnnounced,
    events.SurrenderAnswered,
    events.SurrenderOffered,
    events.TalonTurned,
    events.TricksClaimed,
    events.TrumpNamed,
)
"""What a player can take back at the table."""


CORRECTING_EVENTS: Final = frozenset((events.CorrectionMade, events.ActionWithdrawn))
"""Entries that change the history; without any, the log is its own history."""


class History(NamedTuple):
    """What happened, as the record has it now: entries in order, none of them a correction.

    ``standing_counts``: for each entry of the log, also a replaced one, how many entries the history has up
    to and including it; None if nothing was corrected and each entry is at its own place. ``faults``:
    corrections and withdrawals of entries that do not exist; ``is_closed``: whether the record was ever
    closed. A closing that a later correction follows is not in force, and one in the beginning of a variation
    does not count. ``replaced_seqs``: the entries, and parts of corrections, that corrections removed;
    ``corrected_log``: the log itself, if anything in it was corrected (`engine.play.amendments`).
    """

    entries: Log
    standing_counts: dict[SeqKey, int] | None
    faults: Findings
    is_closed: bool
    replaced_seqs: frozenset[Seq] = frozenset()
    corrected_log: Log = ()

    def entries_up_to(self, seq: Seq) -> Log:
        """The entries up to and including ``seq``, or its replacement.

        Raises:
            LookupError: the log has no such entry.
        """
        counts = self.standing_counts
        if counts is None:
            counts = {seq_key(entry.seq): count for count, entry in enumerate(self.entries, 1)}
            if count := inherited_count(self.entries):
                counts[1,] = count
        key = seq_key(seq)
        while key and key not in counts:
            key = key[:-1]
        if not key:
            raise LookupError(f"there is no entry {seq} in this log")
        return self.entries[: counts[key]]


@dataclass(slots=True)
class _Node:
    """An entry while a history is built: a link of the chain, perhaps replaced."""

    key: SeqKey
    entry: Entry
    next_node: "_Node | None" = None
    is_standing: bool = True
    replaced_by: "_Correction | None" = None


@dataclass(slots=True)
class _Correction:
    key: SeqKey
    seq: Seq
    event: events.CorrectionMade
    parent: "_Correction | None"
    is_in_force: bool = True
    targets: tuple[SeqKey, ...] = ()
    after_key: SeqKey | None = None
    parts: list[_Node] = field(default_factory=list)

    @property
    def has_own_events(self) -> bool:
        """Whether it brings events of its own, not only corrections."""
        return any(not isinstance(part, events.CorrectionMade) for part in self.event.with_)


def effective(log: Log) -> History:
    """The effective history of ``log``; the log itself is unchanged."""
    kinds = {type(entry.event) for entry in log}
    if kinds.isdisjoint(CORRECTING_EVENTS):
        closed = events.DealClosed in kinds and any(
            type(entry.event) is events.DealClosed for entry in log[inherited_count(log) :]
        )
        return History(log, None, (), closed)
    return _HistoryBuilder(log).build()


def find_deal_opening(log: Log) -> events.DealOpened | None:
    """The event that opens the deal as the record has it now; None if there is none."""
    entries = effective(log).entries
    return next((entry.event for entry in entries if isinstance(entry.event, events.DealOpened)), None)


class _HistoryBuilder:
    """Builds one history: a chain of entries, into which corrections are inserted in order."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.faults: list[Finding] = []
        self.nodes: dict[SeqKey, _Node] = {}
        self.corrections: dict[SeqKey, _Correction] = {}
        self.last_applied: SeqKey = ()
        self.head = _Node((), Entry(0, events.CorrectionMade("")), is_standing=False)
        last = self.head
        self.inherited_nodes: dict[SeqKey, _Node] = {}
        for entry in log:
            node = self._link(last, seq_key(entry.seq), entry)
            last = node
            if isinstance(entry.event, events.CorrectionMade):
                self._add_correction(node.key, entry.seq, entry.event, None)
            elif isinstance(entry.seq, str):
                self._add_inherited(node)

    def _add_inherited(self, node: _Node) -> None:
        """Add an entry of the beginning in another deal: only its opening, as entry 1, belongs to this
        deal."""
        if not self.inherited_nodes:
            self.nodes[1,] = node
        self.inherited_nodes[node.key] = node

    def build(self) -> History:
        self._decide_which_apply()
        for key in sorted(self.corrections):
            self._find_targets(self.corrections[key])
            if self.corrections[key].is_in_force:
                self._apply(self.corrections[key])
        for node in self._chain():
            if node.is_standing and isinstance(node.entry.event, events.ActionWithdrawn):
                self._withdraw(node, node.entry.event)
        closings = [
            node
            for node in self._chain()
            if node.is_standing
            and isinstance(node.entry.event, events.DealClosed)
            and node.key not in self.inherited_nodes
        ]
        for node in closings:
            node.is_standing = node.key > self.last_applied
        return self._build_history(bool(closings))

    def _link(self, before: _Node, key: SeqKey, entry: Entry) -> _Node:
        node = _Node(key, entry, next_node=before.next_node)
        node.is_standing = not isinstance(entry.event, events.CorrectionMade)
        before.next_node = node
        self.nodes[key] = node
        return node

    def _add_correction(
        self, key: SeqKey, seq: Seq, event: events.CorrectionMade, parent: _Correction | None
    ) -> None:
        correction = _Correction(key, seq, event, parent)
        self.corrections[key] = correction
        for number, part in enumerate(event.with_, 1):
            if isinstance(part, events.CorrectionMade):
                self._add_correction((*key, number), f"{seq}.{number}", part, correction)

    def _decide_which_apply(self) -> None:
        """A correction is in force unless a later one in force replaces it.

        A replaced correction no longer has events of its own, but what it undid stays undone.
        """
        replaced: set[SeqKey] = set()
        bettered: set[SeqKey] = set()
        for key in sorted(self.corrections, key=lambda k: tuple(-n for n in k)):
            correction = self.corrections[key]
            parent = correction.parent
            correction.is_in_force = key not in replaced and (parent is None or parent.is_in_force)
            targets = [target for target in map(seq_key, correction.event.replaces) if target < key]
            if correction.is_in_force or key in bettered:
                replaced.update(targets)
            if key in bettered or (correction.is_in_force and correction.has_own_events):
                bettered.update(targets)

    def _find_targets(self, correction: _Correction) -> None:
        """What a correction replaces, and after what its events go; a replaced correction passes on its own.

        Corrections are processed in order, so what they pass on is known already.
        """
        event = correction.event
        targets: dict[SeqKey, None] = {}
        after_key = None if event.after is None else seq_key(event.after)
        for target in dict.fromkeys(map(seq_key, event.replaces)):
            earlier = self.corrections.get(target)
            if target >= correction.key or earlier is None:
                targets[target] = None
            elif correction.has_own_events:
                targets |= dict.fromkeys(earlier.targets)
                after_key = after_key or earlier.after_key or (None if earlier.targets else earlier.key[:1])
        correction.targets, correction.after_key = tuple(targets), after_key

    def _apply(self, correction: _Correction) -> None:
        targets, after_key = correction.targets, correction.after_key
        found = [node for key in sorted(targets) if (node := self._find_replaceable(key, correction))]
        anchor: _Node | None = found[0] if found else None
        if not targets:
            anchor = self._insertion_point(correction, after_key)
        if anchor is None:
            return
        self.last_applied = max(self.last_applied, correction.key)
        for node in found:
            node.is_standing = False
            node.replaced_by = correction
        last = anchor
        for number, part in enumerate(correction.event.with_, 1):
            if isinstance(part, events.CorrectionMade):
                continue
            key, seq = (*correction.key, number), f"{correction.seq}.{number}"
            record = self.nodes[correction.key[:1]].entry.metadata
            last = self._link(last, key, Entry(seq, part, record))
            correction.parts.append(last)

    def _insertion_point(self, correction: _Correction, after_key: SeqKey | None) -> _Node | None:
        """Where a correction that replaces no entry puts its events; None if it has none."""
        if not correction.has_own_events:
            return None
        if after_key is None:
            return self.nodes[correction.key[:1]]
        if after_key in self.inherited_nodes:
            message = format_message(
                "It inserts entries after {entry}, which belongs to the deal that this one branches from.",
                entry=_format_key(after_key),
            )
            self._add_fault(correction.seq, message)
            return None
        if after_key == (1,) and self.inherited_nodes:
            return next(reversed(self.inherited_nodes.values()))
        node = self.nodes.get(after_key)
        if node is None or after_key >= correction.key:
            message = format_message(
                "It inserts entries after {entry}, which does not exist.", entry=_format_key(after_key)
            )
            self._add_fault(correction.seq, message)
            return None
        while node.replaced_by is not None and node.replaced_by.parts:
            node = node.replaced_by.parts[-1]
        return node

    def _find_replaceable(self, key: SeqKey, correction: _Correction) -> _Node | None:
        node = self.nodes.get(key)
        of = self.corrections.get(key[:-1])
        if node is None and of is not None and not of.is_in_force and key[-1] <= len(of.event.with_):
            return None  # it lapses together with the correction that it corrected
        if node is None or key >= correction.key:
            message = format_message(
                "It replaces entry {entry}, which does not exist.", entry=_format_key(key)
            )
        elif key in self.inherited_nodes:
            message = format_message(
                "It replaces entry {entry}, which belongs to the deal that this one branches from.",
                entry=_format_key(key),
            )
        elif node.replaced_by is not None:
            message = format_message(
                "Entry {entry} has been replaced by {by}; correct that one.",
                entry=_format_key(key),
                by=_format_key(node.replaced_by.key),
            )
        else:
            return node
        self._add_fault(correction.seq, message)
        return None

    def _withdraw(self, withdrawal: _Node, event: events.ActionWithdrawn) -> None:
        withdrawal.is_standing = False
        node, seq = self.nodes.get(seq_key(event.of)), withdrawal.entry.seq
        if node is None or node.key >= withdrawal.key:
            self._add_fault(
                seq, format_message("It withdraws entry {entry}, which does not exist.", entry=event.of)
            )
            return
        if node.key in self.inherited_nodes:
            message = format_message(
                "It withdraws entry {entry}, which belongs to the deal that this one branches from.",
                entry=event.of,
            )
            self._add_fault(seq, message)
            return
        nodes = _standing_nodes(node)
        if not nodes:
            self._add_fault(
                seq,
                format_message("It withdraws entry {entry}, which no longer stands.", entry=event.of),
            )
        takeable = [one for one in nodes if isinstance(one.entry.event, WITHDRAWABLE_EVENTS)]
        for one in takeable:
            one.is_standing = False
            self._move_replacement_act(one, withdrawal)
        if len(takeable) < len(nodes):
            message = format_message(
                "It withdraws entry {entry}, which is neither a call nor a card.", entry=event.of
            )
            self._add_fault(seq, message)

    def _move_replacement_act(self, taken_back: _Node, withdrawal: _Node) -> None:
        """If others acted before the act was taken back, the next act of its seat takes its place.

        So after a revoke is corrected before the trick is folded, those who played after it stay in turn.
        """
        kind, seat = type(taken_back.entry.event), _seat_of(taken_back)
        between, node = False, taken_back.next_node
        for _ in range(MAX_REPLACEMENT_DISTANCE):
            if node is None or node is withdrawal:
                break
            between = between or (
                node.is_standing and isinstance(node.entry.event, kind) and _seat_of(node) != seat
            )
            node = node.next_node
        if not between or node is not withdrawal:
            return
        before = withdrawal
        for _ in range(MAX_REPLACEMENT_DISTANCE):
            following = before.next_node
            if following is None:
                return
            if (
                following.is_standing
                and isinstance(following.entry.event, kind)
                and _seat_of(following) == seat
            ):
                before.next_node = following.next_node
                following.next_node = taken_back.next_node
                taken_back.next_node = following
                return
            before = following

    def _add_fault(self, seq: Seq, message: Message) -> None:
        self.faults.append(build_finding(seq, "correction_not_possible", message, "9. Record"))

    def _chain(self) -> list[_Node]:
        chain = []
        node = self.head.next_node
        while node is not None:
            chain.append(node)
            node = node.next_node
        return chain

    def _build_history(self, closed: bool) -> History:
        entries: list[Entry] = []
        counts: dict[SeqKey, int] = {}
        chain = self._chain()
        for node in chain:
            if node.is_standing:
                entries.append(node.entry)
            counts[node.key] = len(entries)
        for node in reversed(chain):
            if node.replaced_by is not None and node.replaced_by.parts:
                counts[node.key] = max(
                    counts[node.key], *(counts[part.key] for part in node.replaced_by.parts)
                )
        if self.inherited_nodes:
            counts[1,] = counts[next(reversed(self.inherited_nodes))]
        faults, replaced = tuple(self.faults), self._collect_replaced_seqs(chain)
        return History(tuple(entries), counts, faults, closed, replaced, self.log)

    def _collect_replaced_seqs(self, chain: list[_Node]) -> frozenset[Seq]:
        """The entries that corrections removed: those they replace, and the parts of corrections not in
        force."""
        replaced_seqs = {node.entry.seq for node in chain if node.replaced_by is not None}
        for correction in self.corrections.values():
            if not correction.parts:
                replaced_seqs |= {
                    f"{correction.seq}.{number}" for number in range(1, len(correction.event.with_) + 1)
                }
        return frozenset(replaced_seqs)


def _seat_of(node: _Node) -> Seat | None:
    """The seat that acts in an entry."""
    return getattr(node.entry.event, "seat", None)


def _standing_nodes(node: _Node) -> list[_Node]:
    """The entry itself, or what corrections have replaced it with."""
    nodes: list[_Node] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.replaced_by is not None:
            waiting += reversed(one.replaced_by.parts)
        elif one.is_standing:
            nodes.append(one)
    return nodes


def _format_key(key: SeqKey) -> str:
    return ".".join(map(str, key))
