"""Random appends, repeats and reads: a store does what the plain model says, whatever the order."""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from service.eventstore import ANY_VERSION, EventStore, MemoryStore, NewEvent, SqliteStore, StreamAppend
from service.eventstore.postgres.store import PostgresStore
from tests.support.effort import examples
from tests.support.store.model import Model
from tests.support.store.postgres_server import a_store

ROOTS = st.sampled_from(["r", "q"])
# So few streams, ids and bodies that repeats, conflicts and half-known batches come about all the time.
STREAMS = st.sampled_from(["a", "b", "c"])
EVENTS = st.tuples(
    st.integers(1, 12).map("id {}".format),
    st.sampled_from([b'{"card":"SA"}', b'{"card":"SA"}', b'{"card":"SA"}', b'{"card":"D2"}']),
).map(lambda sent: NewEvent(*sent))
APPENDS = st.builds(
    StreamAppend,
    STREAMS,
    st.one_of(st.just(ANY_VERSION), st.integers(0, 9)),
    st.lists(EVENTS, max_size=4),
    st.sampled_from(["deal", "deal", "deal", "table", None]),
    st.sampled_from([None, None, None, 0, 1, 3, 6, 9]),
)


class StoreMachine(RuleBasedStateMachine):
    again: Callable[[], EventStore]

    def open_store(self) -> EventStore:
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.place = ExitStack()
        self.store = self.open_store()
        self.model = Model()

    def teardown(self) -> None:
        self.store.close()
        self.place.close()

    @rule(root=ROOTS, appends=st.lists(APPENDS, min_size=1, max_size=3))
    def append(self, root: str, appends: list[StreamAppend]) -> None:
        self._compare(root, appends)

    @rule(
        root=ROOTS,
        stream=STREAMS,
        new=st.lists(EVENTS, min_size=1, max_size=4, unique_by=lambda e: e.event_id),
    )
    def append_at_the_end(self, root: str, stream: str, new: list[NewEvent]) -> None:
        self._compare(root, [StreamAppend(stream, len(self.model.of(stream)), new, "deal")])

    @rule(data=st.data(), more=st.lists(EVENTS, max_size=3), count=st.integers(1, 3))
    def repeat(self, data: st.DataObject, more: list[NewEvent], count: int) -> None:
        if not self.model.log:
            return
        first = data.draw(st.sampled_from(self.model.log))
        old = [NewEvent(e.event_id, e.body) for e in self.model.of(first.stream)[first.seq - 1 :][:count]]
        self._compare(first.root, [StreamAppend(first.stream, first.seq - 1, [*old, *more])])

    def _compare(self, root: str, appends: list[StreamAppend]) -> None:
        told = self.model.append(root, appends)
        if isinstance(told, type):
            with pytest.raises(told):
                self.store.append(root, appends)
            return
        answers = self.store.append(root, appends)
        assert [(a.version, a.repeated_count, [e.seq for e in a.events]) for a in answers] == told
        for append, answer in zip(appends, answers, strict=True):
            assert [e.event_id for e in answer.events] == [e.event_id for e in append.events]
            for event in answer.events:
                assert self.store.read_stream(event.stream, event.seq - 1, 1) == [event]

    @invariant()
    def same_log(self) -> None:
        followed = self.store.read_all()
        ids = [(e.root, e.stream, e.seq, e.event_id) for e in self.model.log]
        assert [(e.root, e.stream, e.seq, e.event_id) for e in followed] == ids
        assert all(e.body.startswith(h.body[:-1]) for e, h in zip(followed, self.model.log, strict=True))
        assert self.store.head() == (followed[-1].position if followed else 0)

    @invariant()
    def same_streams(self) -> None:
        kinds = self.model.kinds.items()
        due = [(name, root, kind, len(self.model.of(name))) for name, (root, kind) in kinds]
        assert self.store.list_streams() == due
        for stream in self.model.kinds:
            ids = [e.event_id for e in self.model.of(stream)]
            pages = [self.store.read_stream(stream, after, 2) for after in range(0, len(ids), 2)]
            assert [e.event_id for page in pages for e in page] == ids

    @invariant()
    def same_ids(self) -> None:
        ids = [f"id {number}" for number in range(1, 13)]
        for root in ("r", "q"):
            found = {event_id: e.stream for event_id, e in self.store.find_events(root, ids).items()}
            assert found == {e.event_id: e.stream for e in self.model.log if e.root == root}


class MemoryMachine(StoreMachine):
    def open_store(self) -> EventStore:
        return MemoryStore()


class SqliteMachine(StoreMachine):
    def open_store(self) -> EventStore:
        folder = self.place.enter_context(tempfile.TemporaryDirectory())
        self.again = lambda: SqliteStore(Path(folder) / "store.db")
        return self.again()

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self.again()


class PostgresMachine(SqliteMachine):
    def open_store(self) -> EventStore:
        url = self.place.enter_context(a_store())
        self.again = lambda: PostgresStore(url)
        return self.again()


TestMemory = MemoryMachine.TestCase
TestMemory.settings = settings(max_examples=examples(60), stateful_step_count=25)
TestSqlite = SqliteMachine.TestCase
TestSqlite.settings = settings(max_examples=examples(40, 5), stateful_step_count=25)
TestPostgres = pytest.mark.postgres(PostgresMachine.TestCase)
TestPostgres.settings = settings(max_examples=examples(12), stateful_step_count=25)
