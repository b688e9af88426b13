"""Appends on PostgreSQL: one statement that writes if the streams end as expected, and what happens if not.

Nearly every append fits, and goes to streams that this process has seen. So the first attempt is optimistic:
one statement, sent with the one that gives positions, inserts if the streams are at the expected versions.
Concurrent callers of one process share it. If it fails, nothing of it remains, and each caller continues
alone: a refusal affects only its own caller, and one that waits for a stream delays no other.

Alone, an append is pessimistic: it locks its streams, then either writes or raises why it is refused.

Locks are per stream (advisory, by name): the optimistic statement shares them, a pessimistic append holds
them exclusively. There is no global lock. All take their locks in one order; if two still wait for each
other, the server aborts one, which starts again.

If a connection breaks during a write, above all during its COMMIT, the outcome is unknown. The same append is
then attempted pessimistically: its lock waits for whatever the broken connection may have left running, and
stored events with exactly the leaf hashes that were sent, each of which includes a random salt, are ours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import psycopg

from service.eventstore import append_plan
from service.eventstore.append_plan import AppendPlan
from service.eventstore.errors import StoreUnavailable
from service.eventstore.events import AppendResult, Clock, StreamAppend, StreamInfo
from service.eventstore.group_commit import GroupCommit
from service.eventstore.postgres.connections import (
    Connection,
    PostgresAddress,
    PostgresPool,
    require_writable,
)
from service.eventstore.postgres.erasure import erase_events
from service.eventstore.postgres.event_queries import STREAM_CACHE_SIZE, find_stored_events
from service.eventstore.postgres.insert_statement import (
    SYNCED_INSERT_STATEMENT,
    build_insert_parameters,
    insert_plans,
    lock_streams,
    select_latest_streams,
)
from service.eventstore.postgres.sequencer import PositionNotAssigned, Positions, Sequencer
from service.eventstore.postgres.standby_sync import wait_for_standbys

_TRIES: Final = 20
"""Attempts at an append that is retried because others were quicker, or because of a deadlock."""

_CONFLICTS: Final = (psycopg.errors.UniqueViolation, psycopg.errors.DeadlockDetected)


class _PendingAppend(NamedTuple):
    """What to append in one step; ``sent_leaf_hashes`` collects those of all attempts."""

    root: str
    appends: Sequence[StreamAppend]
    event_ids: list[str]
    sent_leaf_hashes: set[bytes]

    def note_sent(self, plans: Iterable[AppendPlan]) -> None:
        """Record the leaf hashes, which distinguish these events from others with the same ids."""
        self.sent_leaf_hashes.update(entry.leaf_hash for plan in plans for entry in plan.new_events)


class _WriteOutcome(NamedTuple):
    """The result of an attempt: the current plans, and the ids of events found stored that are its own."""

    plans: list[AppendPlan]
    own_event_ids: frozenset[str]


class PostgresWriter:
    """Appends events. Thread-safe."""

    def __init__(
        self,
        connections: PostgresPool,
        address: PostgresAddress,
        schema: str,
        sequencer: Sequencer,
        clock: Clock,
    ) -> None:
        self._connections = connections
        self._address = address
        self._schema = schema
        self._sequencer = sequencer
        self._clock = clock
        self._hints: dict[str, StreamInfo] = {}
        self._group_commit: GroupCommit[_PendingAppend, list[AppendResult]] = GroupCommit(self._commit_group)

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """See `EventStore.append`."""
        request = _PendingAppend(root, appends, append_plan.collect_event_ids(appends), set())
        if not appends:
            with self._connections.translate_errors("written"), self._connections.connection() as connection:
                require_writable(connection)
            return []
        if self._can_join_group(request) and (results := self._group_commit.submit(request)):
            return results
        try:
            return self._append_alone(request)
        except PositionNotAssigned:
            # A new leader does not have what was written and not acknowledged.
            return self._append_alone(request)

    def _can_join_group(self, request: _PendingAppend) -> bool:
        """Whether it only adds to known streams, the common case."""
        return all(one.events and one.stream in self._hints for one in request.appends)

    def _commit_group(self, group: Sequence[_PendingAppend]) -> list[list[AppendResult]]:
        """Write what fits of a group, with positions, before the next group starts: later callers share the
        next statement. The result is empty for a caller that must continue alone."""
        planned = self._plan_group(group)
        positions = self._insert_group([plan for plans in planned for plan in plans])
        return [
            [] if positions is None else _build_results(request.root, plans, positions)
            for request, plans in zip(group, planned, strict=True)
        ]

    def _insert_group(self, plans: Sequence[AppendPlan]) -> Positions | None:
        """Write the plans with one statement, as if their ids were new and their streams at the last known
        versions, and assign positions; None if nothing was written, or if that is unknown."""
        if not plans:
            return None
        parameters = build_insert_parameters(self._schema, plans, self._hints)
        try:
            with self._connections.connection() as connection:
                cursor = connection.cursor()
                positions = self._sequencer.assign_new_positions(
                    connection, lambda: cursor.execute(SYNCED_INSERT_STATEMENT, parameters)
                )
                is_complete = cursor.rowcount == len(parameters["seqs"])
                if is_complete and positions.keys() >= set(_list_unpositioned(plans)):
                    return positions
        except psycopg.Error:
            pass  # each caller finds out what became of its append
        for plan in plans:
            self._hints.pop(plan.append.stream, None)
        return None

    def _plan_group(self, requests: Sequence[_PendingAppend]) -> list[list[AppendPlan]]:
        """Plan each append after those before it; no plan for one that must be handled alone."""
        now = self._clock()
        ids: set[tuple[str, str]] = set()
        planned: list[list[AppendPlan]] = []
        for request in requests:
            own_ids = {(request.root, one) for one in request.event_ids}
            plans = [] if ids & own_ids else self._plan_with_hints(request, now)
            planned.append(plans)
            if plans:
                ids |= own_ids
                self._remember_versions(request.root, plans)
        return planned

    def _plan_with_hints(self, request: _PendingAppend, now: str) -> list[AppendPlan]:
        streams = {one.stream: info for one in request.appends if (info := self._hints.get(one.stream))}
        if len(streams) < len(request.appends):
            return []
        try:
            plans = append_plan.plan_appends(request.root, request.appends, streams, {}, now)
        except Exception:  # also an exception in a writer's own `build_body`
            return []
        request.note_sent(plans)
        return plans

    def _append_alone(self, request: _PendingAppend) -> list[AppendResult]:
        """Write it, again if others are quicker or the connection breaks."""
        for _ in range(_TRIES):
            outcome = self._connections.retry("written", lambda: self._write_alone(request))
            if outcome is not None:
                positions = self._sequencer.assign_positions(_list_unpositioned(outcome.plans))
                self._remember_versions(request.root, outcome.plans)
                return _build_results(request.root, outcome.plans, positions, outcome.own_event_ids)
        raise StoreUnavailable(
            f"Other programs kept writing to the same streams of the store {self._address}. This append "
            "was not acknowledged: send it again with the same ids."
        )

    def _write_alone(self, request: _PendingAppend) -> _WriteOutcome | None:
        """Write it with its streams locked, or raise why it is refused; None if others were quicker."""
        try:
            with self._connections.connection() as connection:
                with connection.transaction():
                    outcome = self._write_under_lock(connection, request)
                if not any(plan.new_events for plan in outcome.plans):
                    wait_for_standbys(connection)
                return outcome
        except _CONFLICTS:
            return None
        except psycopg.Error:
            raise
        except Exception:
            # The event that causes the refusal may have no position yet; a caller that reads next must find
            # it.
            self._sequencer.catch_up()
            raise

    def _write_under_lock(self, connection: Connection, request: _PendingAppend) -> _WriteOutcome:
        root, appends, ids, sent_leaf_hashes = request
        names = [one.stream for one in appends]
        lock_streams(connection, self._schema, names)
        require_writable(connection)  # a former leader's data decides nothing
        streams = select_latest_streams(connection, names)
        stored = find_stored_events(connection, self._address, root, ids)
        plans = append_plan.plan_appends(root, appends, streams, stored, self._clock())
        own_event_ids = frozenset(
            event_id for event_id, one in stored.items() if one.sealed_event.leaf_hash in sent_leaf_hashes
        )
        request.note_sent(plans)
        insert_plans(connection, root, plans)
        return _WriteOutcome(plans, own_event_ids)

    def erase(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """Replace the bodies of events, by root and id, and record the erasure."""
        self._sequencer.catch_up()
        with (
            self._connections.translate_errors("written"),
            self._connections.connection() as connection,
            connection.transaction(),
        ):
            erase_events(connection, self._address, self._schema, replacements, self._clock())
        self._sequencer.catch_up()

    def _remember_versions(self, root: str, plans: Iterable[AppendPlan]) -> None:
        """Remember the versions of streams. This is only a hint: others write to them too."""
        if len(self._hints) > STREAM_CACHE_SIZE:
            self._hints.clear()
        for append, version, _, entries in plans:
            known = self._hints.get(append.stream)
            kind = append.kind if append.kind is not None else known.kind if known else None
            if kind is not None and entries:
                self._hints[append.stream] = StreamInfo(append.stream, root, kind, version + len(entries))


def _list_unpositioned(plans: Sequence[AppendPlan]) -> list[tuple[str, int]]:
    """Stream and version of each event of the plans whose position is unknown."""
    return [
        *((one.stream, one.seq) for plan in plans for one in plan.repeated_events if not one.position),
        *((plan.append.stream, entry.seq) for plan in plans for entry in plan.new_events),
    ]


def _build_results(
    root: str, plans: Iterable[AppendPlan], positions: Positions, own_event_ids: Collection[str] = ()
) -> list[AppendResult]:
    return append_plan.build_append_results(root, plans, lambda *key: positions[key], own_event_ids)
