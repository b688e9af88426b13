"""Appends on PostgreSQL: one statement that writes where the stream still ends, and what happens where not.

Nearly every append fits. So it is first written hopefully, in one statement that is a transaction by itself:
it inserts if the streams are at the versions it counts on, and the unique keys decide between two who do so
at once. Where that fails it is looked into carefully, with the streams of the append to itself, and then
either fits or is refused for a reason.

Callers of one process who come at the same time share that one statement, and one look for their positions.
Where it fails nothing of it is left, and each of them goes on by himself: who is refused is refused alone,
and who has to wait for a stream keeps nobody else waiting.

Locks are of single streams (advisory, by their names): who writes hopefully shares them, who looks carefully
has them alone. There is no lock for all. Everybody takes his in one order, and where two wait for each other
all the same the server ends one, who begins again.

Where a connection breaks while something is written, in its COMMIT above all, it is unknown what became of
it. The same append is then looked into carefully: its lock waits for whatever the broken connection may have
left running, and events that stand there with the very leaf hashes that were sent, each of which has a random
salt in it, are ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import psycopg

from service.eventstore import appending
from service.eventstore.appending import Plan
from service.eventstore.errors import StoreError, StoreUnavailable
from service.eventstore.group_commit import GroupCommit, Ticket
from service.eventstore.interface import Append, Appended, Clock, StoredEvent, StreamInfo
from service.eventstore.postgres.confirming import confirm
from service.eventstore.postgres.connections import (
    WAIT_SECONDS,
    Address,
    Connection,
    Connections,
    is_gone,
    may_be_done_elsewhere,
    require_writable,
    told,
)
from service.eventstore.postgres.erasing import erase
from service.eventstore.postgres.rows import STREAMS_AT_HAND, KeysAtHand, found_in
from service.eventstore.postgres.sequencer import Positions, Sequencer, Unplaced
from service.eventstore.postgres.statement import Sent, insert, keys_of, lock_alone, versions_of

_TRIES: Final = 20
"""So often an append is begun anew because others were quicker, or waited for each other."""
_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 0.4

_QUICKER: Final = (psycopg.errors.UniqueViolation, psycopg.errors.DeadlockDetected)


class _Request(NamedTuple):
    """What is to be appended in one step; ``sent`` gathers the leaf hashes of attempts at it."""

    root: str
    appends: Sequence[Append]
    ids: list[str]
    sent: set[bytes]


class _Written(NamedTuple):
    """What an append came to: the plans that hold now, and the ids of those found stored that are its own."""

    plans: list[Plan]
    own: frozenset[str]


class _Tried(NamedTuple):
    """What became of a first attempt at an append, and whether the next has to be a careful one.

    Who was written with others is told at once what is ``told`` of it.
    """

    written: _Written | None
    carefully: bool
    told: list[Appended] | None = None


_UNTRIED: Final = _Tried(None, False)
_NOWHERE: Final[Positions] = {}


class Writer:
    """Appends events. For any number of threads at once."""

    def __init__(
        self,
        connections: Connections,
        address: Address,
        schema: str,
        keys: KeysAtHand,
        sequencer: Sequencer,
        clock: Clock,
    ) -> None:
        self._connections = connections
        self._address = address
        self._schema = schema
        self._keys = keys
        self._sequencer = sequencer
        self._clock = clock
        self._hints: dict[str, StreamInfo] = {}
        self._turns: GroupCommit[_Request, _Tried] = GroupCommit(self._alone, self._together)

    def append(self, root: str, appends: Sequence[Append]) -> list[Appended]:
        """See `EventStore.append`."""
        request = _Request(root, appends, appending.event_ids(appends), set())
        if not appends:
            with self._connections.told("written"), self._connections.lend() as connection:
                require_writable(connection)
            return []
        tried = self._turns.submit(request) if self._goes_with_others(request) else _UNTRIED
        if tried.told is not None:
            return tried.told
        try:
            return self._answers([(root, tried.written or self._write(request, tried.carefully))])[0]
        except Unplaced:
            # Another server leads since, and does not have what was written and not acknowledged.
            return self._answers([(root, self._write(request, carefully=True))])[0]

    def _goes_with_others(self, request: _Request) -> bool:
        """Whether all it does is to add to streams that were seen before, as callers mostly do."""
        return all(one.events and one.stream in self._hints for one in request.appends)

    def _alone(self, request: _Request) -> _Tried:
        ticket: Ticket[_Request, _Tried] = Ticket(request)
        self._together([ticket])
        tried = ticket.settled()
        return tried if tried.told is not None else _Tried(None, True)

    def _together(self, group: Sequence[Ticket[_Request, _Tried]]) -> None:
        """Write what fits of a group, and have it placed, before the next group's turn: who comes meanwhile
        waits for one statement with more in it."""
        attempts, positions = self._try([one.work for one in group])
        for ticket, tried in zip(group, attempts, strict=True):
            ticket.answer = tried
        self._tell(group, positions)

    def _tell(self, group: Sequence[Ticket[_Request, _Tried]], positions: Positions) -> None:
        """Each caller of a group that was written is told where his events stand."""
        written = [(each, tried.written) for each in group if (tried := each.answer) and tried.written]
        try:
            told = self._answers([(ticket.work.root, one) for ticket, one in written], positions)
        except Unplaced:
            for ticket, _ in written:
                ticket.answer = _Tried(None, True)
        except StoreError as error:
            for ticket, _ in written:
                ticket.error = error
        else:
            for (ticket, _), answer in zip(written, told, strict=True):
                ticket.answer = _Tried(None, False, answer)

    def _try(self, requests: Sequence[_Request]) -> tuple[list[_Tried], Positions]:
        """Write what fits of them by one statement, as if their ids were new and their streams where they
        were last seen, and have it placed. Where that fails nothing of it is written or all is unknown, and
        each sees to his own.
        """
        plans = self._planned_together(requests)
        hoped = [plan for each in plans for plan in each or ()]
        unknown = False
        try:
            with self._connections.lend() as connection:
                keys = keys_of(connection, hoped, self._keys)
                if hoped and keys:
                    sent = Sent(connection, self._schema, hoped, keys)
                    positions = self._sequencer.placed_by(connection, sent.send)
                    if sent.fitted:
                        written = (_Written(each, frozenset()) if each else None for each in plans)
                        return [_Tried(one, False) if one else _UNTRIED for one in written], positions
        except psycopg.Error as error:
            unknown = is_gone(error)
        self._forget(hoped)
        return [_Tried(None, unknown and each is not None) for each in plans], {}

    def _planned_together(self, requests: Sequence[_Request]) -> list[list[Plan] | None]:
        """What each comes to behind those before it; None for what has to be looked into for itself."""
        now = self._clock()
        ids: set[tuple[str, str]] = set()
        planned: list[list[Plan] | None] = []
        for request in requests:
            mine = {(request.root, one) for one in request.ids}
            plans = None if ids & mine else self._planned(request, now)
            planned.append(plans)
            if plans is not None:
                ids |= mine
                self._remember(request.root, plans)
        return planned

    def _planned(self, request: _Request, now: str) -> list[Plan] | None:
        streams = {one.stream: info for one in request.appends if (info := self._hints.get(one.stream))}
        if len(streams) < len(request.appends):
            return None
        try:
            plans = appending.plan(request.root, request.appends, streams, {}, now)
        except Exception:  # also what a writer's own `finish` raised
            return None
        request.sent.update(entry.leaf for plan in plans for entry in plan.entries)
        return plans

    def _write(self, request: _Request, carefully: bool) -> _Written:
        """Write it hopefully unless that was tried, then carefully, as often as others are quicker or the
        connection breaks."""
        deadline: float | None = None
        pause = _PAUSE_SECONDS
        tries = 1 if carefully else 0
        while tries < _TRIES:
            try:
                written = self._hopefully(request) if tries == 0 else self._carefully(request)
                if written is not None:
                    return written
            except _QUICKER:
                pass
            except psycopg.Error as error:
                deadline = deadline or time.monotonic() + WAIT_SECONDS
                if not may_be_done_elsewhere(error) or time.monotonic() > deadline:
                    raise told(error, self._address, "written") from error
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
                self._connections.renew()
                tries = max(tries - 1, 0)  # this was nobody's being quicker
            tries += 1
        raise StoreUnavailable(
            f"Others wrote to the same streams of the store {self._address} again and again. This append was "
            f"not acknowledged: send it again with the same ids."
        )

    def _hopefully(self, request: _Request) -> _Written | None:
        """Write it as if its ids were new and its streams where they were last seen; None where not so.

        What only holds a stream to its version is left to the careful way, which keeps others out meanwhile.
        """
        root, appends, _, sent = request
        if not all(one.events for one in appends):
            return None
        with self._connections.lend() as connection:
            streams = self._hinted(connection, appends)
            try:
                plans = appending.plan(root, appends, streams, {}, self._clock())
            except Exception:  # also what a writer's own `finish` raised
                return None
            sent.update(entry.leaf for plan in plans for entry in plan.entries)
            if not insert(connection, self._schema, root, plans, self._keys):
                return None
        self._remember(root, plans)
        return _Written(plans, frozenset())

    def _carefully(self, request: _Request) -> _Written | None:
        """Write it with its streams to itself, or raise why it is refused; None where others were quicker."""
        try:
            with self._connections.lend() as connection:
                with connection.transaction():
                    written = self._decided(connection, request)
                if written is not None and not any(plan.entries for plan in written.plans):
                    confirm(connection)
        except psycopg.Error:
            raise
        except Exception:
            # What it is refused for may have no position yet; who reads it then is to find it.
            self._sequencer.catch_up()
            raise
        if written is not None:
            self._remember(request.root, written.plans)
        return written

    def _decided(self, connection: Connection, request: _Request) -> _Written | None:
        root, appends, ids, sent = request
        names = [one.stream for one in appends]
        lock_alone(connection, self._schema, names)
        require_writable(connection)  # what a former leader has decides nothing
        streams = versions_of(connection, names)
        found = found_in(connection, self._address, root, ids)
        remembered = {event_id: one.remembered for event_id, one in found.items()}
        plans = appending.plan(root, appends, streams, remembered, self._clock())
        own = frozenset(event_id for event_id, one in found.items() if one.leaf in sent)
        if any(plan.entries for plan in plans):
            sent.update(entry.leaf for plan in plans for entry in plan.entries)
            if not insert(connection, self._schema, root, plans, self._keys):
                return None
        return _Written(plans, own)

    def _answers(
        self, written: Sequence[tuple[str, _Written]], known: Positions = _NOWHERE
    ) -> list[list[Appended]]:
        """What is told of each, by its root, when all events have their positions, ``known`` or not."""
        events = [[[*plan.stored, *_events_of(root, plan)] for plan in one.plans] for root, one in written]
        unplaced = [(one.stream, one.seq) for each in events for of in each for one in of if not one.position]
        positions = known
        if any(one not in known for one in unplaced):
            positions = self._sequencer.positions(unplaced)
        return [
            [_answer(plan, of, positions, one.own) for plan, of in zip(one.plans, each, strict=True)]
            for (_, one), each in zip(written, events, strict=True)
        ]

    def erase(self, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
        """Put other bodies in the place of events', by root and id, and record that they were erased."""
        self._sequencer.catch_up()
        with (
            self._connections.told("written"),
            self._connections.lend() as connection,
            connection.transaction(),
        ):
            erase(connection, self._address, self._schema, self._keys, bodies, self._clock())
        self._sequencer.catch_up()

    def _hinted(self, connection: Connection, appends: Sequence[Append]) -> dict[str, StreamInfo]:
        """The streams as they were last seen; one that is expected to be new is not among them."""
        unseen = [
            one.stream
            for one in appends
            if one.stream not in self._hints and not (one.expected == 0 and one.kind is not None)
        ]
        seen = {name: info for one in appends if (info := self._hints.get(name := one.stream)) is not None}
        return {**seen, **versions_of(connection, unseen)} if unseen else seen

    def _forget(self, plans: Iterable[Plan]) -> None:
        """Streams of which it is not known how far they have come are looked up by whoever comes next."""
        for plan in plans:
            self._hints.pop(plan.append.stream, None)

    def _remember(self, root: str, plans: Iterable[Plan]) -> None:
        """Keep in mind how far streams have come. It is no more than a hint: others write to them too."""
        if len(self._hints) > STREAMS_AT_HAND:
            self._hints.clear()
        for append, version, _, entries in plans:
            known = self._hints.get(append.stream)
            kind = append.kind if append.kind is not None else known.kind if known else None
            if kind is not None and entries:
                self._hints[append.stream] = StreamInfo(append.stream, root, kind, version + len(entries))


def _events_of(root: str, plan: Plan) -> list[StoredEvent]:
    """The events of a plan that was written, which have no position yet."""
    return [
        StoredEvent(0, root, plan.append.stream, seq, event_id, stored_at, body)
        for seq, event_id, _, stored_at, body, _, _ in plan.entries
    ]


def _answer(plan: Plan, events: Sequence[StoredEvent], positions: Positions, own: frozenset[str]) -> Appended:
    return Appended(
        plan.append.stream,
        plan.version + len(plan.entries),
        tuple(
            one if one.position else one._replace(position=positions[one.stream, one.seq]) for one in events
        ),
        sum(one.event_id not in own for one in plan.stored),
    )
