"""Appends on PostgreSQL: one statement that writes if the stream ends as expected, and what happens if not.

Nearly every append fits. So the first attempt is optimistic: one statement that is its own transaction.
It inserts if the streams are at the expected versions, and the unique keys decide between two that do so at
once. If it fails, the next attempt is pessimistic: it locks the streams of the append, then either writes or
raises why the append is refused.

Concurrent callers of one process share that statement, and one lookup of their positions. If it fails,
nothing of it remains, and each caller continues alone: a refusal affects only its own caller, and one that
waits for a stream delays no other.

Locks are per stream (advisory, by name): optimistic attempts share them, a pessimistic attempt holds them
exclusively. There is no global lock. All attempts take their locks in one order; if two still wait for each
other, the server aborts one, which starts again.

If a connection breaks during a write, above all during its COMMIT, the outcome is unknown. The same append is
then attempted pessimistically: its lock waits for whatever the broken connection may have left running, and
stored events with exactly the leaf hashes that were sent, each of which includes a random salt, are ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import psycopg

from service.eventstore import append_plan
from service.eventstore.append_plan import AppendPlan
from service.eventstore.errors import StoreError, StoreUnavailable
from service.eventstore.events import AppendResult, Clock, StoredEvent, StreamAppend, StreamInfo
from service.eventstore.group_commit import GroupCommit, Ticket
from service.eventstore.postgres.connections import (
    WAIT_TIMEOUT_SECONDS,
    Connection,
    PostgresAddress,
    PostgresPool,
    can_retry_on_new_connection,
    is_connection_lost,
    require_writable,
    translate_error,
)
from service.eventstore.postgres.erasure import erase_events
from service.eventstore.postgres.event_queries import STREAM_CACHE_SIZE, StreamKeyCache, find_stored_events
from service.eventstore.postgres.insert_statement import (
    PipelinedInsert,
    insert_plans,
    load_stream_keys,
    lock_streams,
    select_latest_streams,
)
from service.eventstore.postgres.sequencer import PositionNotAssigned, Positions, Sequencer
from service.eventstore.postgres.standby_sync import wait_for_standbys

_TRIES: Final = 20
"""So often an append is begun anew because others were quicker, or waited for each other."""
_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 0.4

_CONFLICTS: Final = (psycopg.errors.UniqueViolation, psycopg.errors.DeadlockDetected)


class _PendingAppend(NamedTuple):
    """What is to be appended in one step; ``sent_leaf_hashes`` gathers those of attempts at it."""

    root: str
    appends: Sequence[StreamAppend]
    event_ids: list[str]
    sent_leaf_hashes: set[bytes]


class _WriteOutcome(NamedTuple):
    """What an append came to: the plans that hold now, and the ids of those found stored that are its own."""

    plans: list[AppendPlan]
    own_event_ids: frozenset[str]


class _Attempt(NamedTuple):
    """What became of a first attempt at an append, and whether the next has to be pessimistic.

    ``results``: what is answered at once, where it was written with others.
    """

    outcome: _WriteOutcome | None
    retry_pessimistic: bool
    results: list[AppendResult] | None = None


_NOT_ATTEMPTED: Final = _Attempt(None, False)
_NO_POSITIONS: Final[Positions] = {}


class PostgresWriter:
    """Appends events. For any number of threads at once."""

    def __init__(
        self,
        connections: PostgresPool,
        address: PostgresAddress,
        schema: str,
        keys: StreamKeyCache,
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
        self._group_commit: GroupCommit[_PendingAppend, _Attempt] = GroupCommit(
            self._commit_one, self._commit_group
        )

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """See `EventStore.append`."""
        request = _PendingAppend(root, appends, append_plan.collect_event_ids(appends), set())
        if not appends:
            with self._connections.translate_errors("written"), self._connections.connection() as connection:
                require_writable(connection)
            return []
        attempt = self._group_commit.submit(request) if self._can_join_group(request) else _NOT_ATTEMPTED
        if attempt.results is not None:
            return attempt.results
        try:
            return self._build_results(
                [(root, attempt.outcome or self._write_with_retries(request, attempt.retry_pessimistic))]
            )[0]
        except PositionNotAssigned:
            # Another server leads since, and does not have what was written and not acknowledged.
            return self._build_results([(root, self._write_with_retries(request, pessimistic=True))])[0]

    def _can_join_group(self, request: _PendingAppend) -> bool:
        """Whether all it does is to add to streams that were seen before, as callers mostly do."""
        return all(one.events and one.stream in self._hints for one in request.appends)

    def _commit_one(self, request: _PendingAppend) -> _Attempt:
        ticket: Ticket[_PendingAppend, _Attempt] = Ticket(request)
        self._commit_group([ticket])
        attempt = ticket.result()
        return attempt if attempt.results is not None else _Attempt(None, True)

    def _commit_group(self, group: Sequence[Ticket[_PendingAppend, _Attempt]]) -> None:
        """Write what fits of a group, and have it placed, before the next group's turn: who comes meanwhile
        waits for one statement with more in it."""
        attempts, positions = self._attempt_group([one.work for one in group])
        for ticket, attempt in zip(group, attempts, strict=True):
            ticket.answer = attempt
        self._deliver_results(group, positions)

    def _deliver_results(
        self, group: Sequence[Ticket[_PendingAppend, _Attempt]], positions: Positions
    ) -> None:
        """Each caller of a group that was written is told where his events stand."""
        written = [(each, attempt.outcome) for each in group if (attempt := each.answer) and attempt.outcome]
        try:
            results = self._build_results(
                [(ticket.work.root, outcome) for ticket, outcome in written], positions
            )
        except PositionNotAssigned:
            for ticket, _ in written:
                ticket.answer = _Attempt(None, True)
        except StoreError as error:
            for ticket, _ in written:
                ticket.error = error
        else:
            for (ticket, _), answer in zip(written, results, strict=True):
                ticket.answer = _Attempt(None, False, answer)

    def _attempt_group(self, requests: Sequence[_PendingAppend]) -> tuple[list[_Attempt], Positions]:
        """Write what fits of them by one statement, as if their ids were new and their streams where they
        were last seen, and have it placed. Where that fails nothing of it is written or all is unknown, and
        each sees to his own.
        """
        plans = self._plan_group(requests)
        group_plans = [plan for each in plans for plan in each or ()]
        unknown = False
        try:
            with self._connections.connection() as connection:
                keys = load_stream_keys(connection, group_plans, self._keys)
                if group_plans and keys:
                    insert = PipelinedInsert(connection, self._schema, group_plans, keys)
                    positions = self._sequencer.assign_new_positions(connection, insert.send)
                    if insert.has_inserted:
                        outcomes = (_WriteOutcome(each, frozenset()) if each else None for each in plans)
                        return [
                            _Attempt(one, False) if one else _NOT_ATTEMPTED for one in outcomes
                        ], positions
        except psycopg.Error as error:
            unknown = is_connection_lost(error)
        self._forget_hints(group_plans)
        return [_Attempt(None, unknown and each is not None) for each in plans], {}

    def _plan_group(self, requests: Sequence[_PendingAppend]) -> list[list[AppendPlan] | None]:
        """What each comes to behind those before it; None for what has to be looked into for itself."""
        now = self._clock()
        ids: set[tuple[str, str]] = set()
        planned: list[list[AppendPlan] | None] = []
        for request in requests:
            own_ids = {(request.root, one) for one in request.event_ids}
            plans = None if ids & own_ids else self._plan_with_hints(request, now)
            planned.append(plans)
            if plans is not None:
                ids |= own_ids
                self._remember_versions(request.root, plans)
        return planned

    def _plan_with_hints(self, request: _PendingAppend, now: str) -> list[AppendPlan] | None:
        streams = {one.stream: info for one in request.appends if (info := self._hints.get(one.stream))}
        if len(streams) < len(request.appends):
            return None
        try:
            plans = append_plan.plan_appends(request.root, request.appends, streams, {}, now)
        except Exception:  # also what a writer's own `build_body` raised
            return None
        request.sent_leaf_hashes.update(entry.leaf_hash for plan in plans for entry in plan.new_events)
        return plans

    def _write_with_retries(self, request: _PendingAppend, pessimistic: bool) -> _WriteOutcome:
        """Write it optimistically unless that was tried, then pessimistically, as often as others are
        quicker or the connection breaks."""
        deadline: float | None = None
        pause = _PAUSE_SECONDS
        attempt_count = 1 if pessimistic else 0
        while attempt_count < _TRIES:
            try:
                outcome = (
                    self._write_optimistic(request)
                    if attempt_count == 0
                    else self._write_pessimistic(request)
                )
                if outcome is not None:
                    return outcome
            except _CONFLICTS:
                pass
            except psycopg.Error as error:
                deadline = deadline or time.monotonic() + WAIT_TIMEOUT_SECONDS
                if not can_retry_on_new_connection(error) or time.monotonic() > deadline:
                    raise translate_error(error, self._address, "written") from error
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
                self._connections.discard_broken()
                attempt_count = max(attempt_count - 1, 0)  # this was nobody's being quicker
            attempt_count += 1
        raise StoreUnavailable(
            f"Others wrote to the same streams of the store {self._address} again and again. This append was "
            f"not acknowledged: send it again with the same ids."
        )

    def _write_optimistic(self, request: _PendingAppend) -> _WriteOutcome | None:
        """Write it as if its ids were new and its streams where they were last seen; None where not so.

        What only holds a stream to its version is left to a pessimistic attempt, which keeps others out.
        """
        root, appends, _, sent_leaf_hashes = request
        if not all(one.events for one in appends):
            return None
        with self._connections.connection() as connection:
            streams = self._load_hints(connection, appends)
            try:
                plans = append_plan.plan_appends(root, appends, streams, {}, self._clock())
            except Exception:  # also what a writer's own `build_body` raised
                return None
            sent_leaf_hashes.update(entry.leaf_hash for plan in plans for entry in plan.new_events)
            if not insert_plans(connection, self._schema, root, plans, self._keys):
                return None
        self._remember_versions(root, plans)
        return _WriteOutcome(plans, frozenset())

    def _write_pessimistic(self, request: _PendingAppend) -> _WriteOutcome | None:
        """Write it with its streams to itself, or raise why it is refused; None where others were quicker."""
        try:
            with self._connections.connection() as connection:
                with connection.transaction():
                    outcome = self._write_under_lock(connection, request)
                if outcome is not None and not any(plan.new_events for plan in outcome.plans):
                    wait_for_standbys(connection)
        except psycopg.Error:
            raise
        except Exception:
            # What it is refused for may have no position yet; who reads it then is to find it.
            self._sequencer.catch_up()
            raise
        if outcome is not None:
            self._remember_versions(request.root, outcome.plans)
        return outcome

    def _write_under_lock(self, connection: Connection, request: _PendingAppend) -> _WriteOutcome | None:
        root, appends, ids, sent_leaf_hashes = request
        names = [one.stream for one in appends]
        lock_streams(connection, self._schema, names)
        require_writable(connection)  # what a former leader has decides nothing
        streams = select_latest_streams(connection, names)
        found = find_stored_events(connection, self._address, root, ids)
        stored_by_id = {event_id: one.stored for event_id, one in found.items()}
        plans = append_plan.plan_appends(root, appends, streams, stored_by_id, self._clock())
        own_event_ids = frozenset(
            event_id for event_id, one in found.items() if one.leaf_hash in sent_leaf_hashes
        )
        if any(plan.new_events for plan in plans):
            sent_leaf_hashes.update(entry.leaf_hash for plan in plans for entry in plan.new_events)
            if not insert_plans(connection, self._schema, root, plans, self._keys):
                return None
        return _WriteOutcome(plans, own_event_ids)

    def _build_results(
        self, outcomes: Sequence[tuple[str, _WriteOutcome]], known: Positions = _NO_POSITIONS
    ) -> list[list[AppendResult]]:
        """What is told of each, by its root, when all events have their positions, ``known`` or not."""
        events = [
            [[*plan.repeated_events, *_unpositioned_events(root, plan)] for plan in outcome.plans]
            for root, outcome in outcomes
        ]
        unpositioned = [
            (outcome.stream, outcome.seq)
            for each in events
            for of in each
            for outcome in of
            if not outcome.position
        ]
        positions = known
        if any(outcome not in known for outcome in unpositioned):
            positions = self._sequencer.assign_positions(unpositioned)
        return [
            [
                _build_append_result(plan, of, positions, outcome.own_event_ids)
                for plan, of in zip(outcome.plans, each, strict=True)
            ]
            for (_, outcome), each in zip(outcomes, events, strict=True)
        ]

    def erase(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """Put other bodies in the place of events', by root and id, and record that they were erased."""
        self._sequencer.catch_up()
        with (
            self._connections.translate_errors("written"),
            self._connections.connection() as connection,
            connection.transaction(),
        ):
            erase_events(connection, self._address, self._schema, self._keys, replacements, self._clock())
        self._sequencer.catch_up()

    def _load_hints(self, connection: Connection, appends: Sequence[StreamAppend]) -> dict[str, StreamInfo]:
        """The streams as they were last seen; one that is expected to be new is not among them."""
        not_hinted = [
            one.stream
            for one in appends
            if one.stream not in self._hints and not (one.expected_version == 0 and one.kind is not None)
        ]
        hinted = {name: info for one in appends if (info := self._hints.get(name := one.stream)) is not None}
        return {**hinted, **select_latest_streams(connection, not_hinted)} if not_hinted else hinted

    def _forget_hints(self, plans: Iterable[AppendPlan]) -> None:
        """Streams of which it is not known how far they have come are looked up by whoever comes next."""
        for plan in plans:
            self._hints.pop(plan.append.stream, None)

    def _remember_versions(self, root: str, plans: Iterable[AppendPlan]) -> None:
        """Keep in mind how far streams have come. It is no more than a hint: others write to them too."""
        if len(self._hints) > STREAM_CACHE_SIZE:
            self._hints.clear()
        for append, version, _, entries in plans:
            known = self._hints.get(append.stream)
            kind = append.kind if append.kind is not None else known.kind if known else None
            if kind is not None and entries:
                self._hints[append.stream] = StreamInfo(append.stream, root, kind, version + len(entries))


def _unpositioned_events(root: str, plan: AppendPlan) -> list[StoredEvent]:
    """The events of a plan that was written, which have no position yet."""
    return [
        StoredEvent(0, root, plan.append.stream, seq, event_id, stored_at, body)
        for seq, event_id, _, stored_at, body, _, _ in plan.new_events
    ]


def _build_append_result(
    plan: AppendPlan, events: Sequence[StoredEvent], positions: Positions, own_event_ids: frozenset[str]
) -> AppendResult:
    return AppendResult(
        plan.append.stream,
        plan.base_version + len(plan.new_events),
        tuple(
            one if one.position else one._replace(position=positions[one.stream, one.seq]) for one in events
        ),
        sum(one.event_id not in own_event_ids for one in plan.repeated_events),
    )
