"""What every store promises of projections: what was made of the events, and is kept beside them."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.eventstore import EventStore, MemoryStore, UnknownEvent
from service.eventstore.projections import (
    ChangedRoots,
    PendingRoot,
    ProjectionProgress,
    ProjectionRow,
    ProjectionUpdate,
)
from tests.support.effort import examples
from tests.support.store.concurrency import in_threads
from tests.support.store.writing import content, deal, event, table

NAME = "counts"
VERSION = 3


def add_events(store: EventStore, *roots: str) -> None:
    for root in roots:
        known = {one.stream: one.version for one in store.list_streams(root)}
        store.append(root, [table(root, known.get(root, 0), event())])


def begun(store: EventStore) -> ProjectionProgress:
    return ProjectionProgress(VERSION, store.projections.begin(NAME, VERSION))


def noted(store: EventStore, *roots: str, tag: str | None = None) -> int:
    """Takes in what was added meanwhile, of which these roots are due."""
    progress, head = begun(store), store.head()
    assert store.projections.advance(NAME, progress, head, roots, tag)
    return head


def made(store: EventStore, tags: Iterable[str] = (), place: str | None = "2026-11-20") -> list[str]:
    """Makes what is due; of which roots."""
    found = store.projections.list_pending_roots(NAME, store.head(), 100)
    kept = [
        ProjectionUpdate(one, place, f"{one.root} at {one.generation}".encode(), frozenset(tags))
        for one in found
    ]
    store.projections.save_updates(NAME, VERSION, kept)
    return [one.root for one in found]


def come(store: EventStore) -> int:
    """How far it has come."""
    progress = store.projections.read_progress(NAME)
    assert progress is not None
    return progress.position


def due(store: EventStore) -> PendingRoot:
    """The one root that is due."""
    (one,) = store.projections.list_pending_roots(NAME, store.head(), 10)
    return one


def bodies(store: EventStore, **asked: str) -> dict[str, bytes | None]:
    return {one.root: one.body for one in store.projections.read_projection_rows(NAME, **asked).rows}


def test_roots_that_changed_are_told_with_the_kinds_of_their_streams(store: EventStore) -> None:
    add_events(store, "a", "b")
    store.append("c", [deal("a deal of it", 0, event())])
    add_events(store, "a")
    changed = store.projections.list_changed_roots
    assert changed(0, 100) == ChangedRoots(4, {"a": "table", "b": "table", "c": ""})
    assert changed(0, 1) == ChangedRoots(1, {"a": "table"})
    assert changed(3, 100) == ChangedRoots(4, {"a": "table"})
    assert changed(4, 100) == ChangedRoots(4, {})
    assert changed(9, 100) == ChangedRoots(9, {})


def test_what_is_due_is_made_and_kept(store: EventStore) -> None:
    add_events(store, "a", "b")
    noted(store, "a", "b")
    assert bodies(store) == {"a": None, "b": None}
    assert made(store) == ["b", "a"]
    assert bodies(store) == {"a": b"a at 0", "b": b"b at 0"}
    assert (made(store), store.projections.read_progress(NAME)) == ([], ProjectionProgress(VERSION, 2))
    add_events(store, "a")
    noted(store, "a")
    (row,) = store.projections.read_projection_rows(NAME, tag="nobody's").rows
    assert row == ProjectionRow("a", "2026-11-20", None)
    assert made(store) == ["a"]
    assert bodies(store)["a"] == b"a at 1"


def test_what_changed_while_it_was_made_is_not_kept(store: EventStore) -> None:
    add_events(store, "a")
    noted(store, "a")
    one = due(store)
    add_events(store, "a")
    behind = ProjectionProgress(VERSION, 0)
    assert not store.projections.advance(NAME, behind, 2, ["a"]), "it goes on only from where it stands"
    noted(store, "a")
    assert store.projections.read_progress(NAME) == ProjectionProgress(VERSION, 2)
    update = ProjectionUpdate(one, "2026-11-20", b"of one event", frozenset({"player"}))
    store.projections.save_updates(NAME, VERSION, [update])
    assert bodies(store) == {"a": None}
    assert bodies(store, tag="player") == {"a": None}
    one = due(store)
    add_events(store, "rulesets")
    noted(store, tag="by rules of the club")
    store.projections.save_updates(
        NAME, VERSION, [ProjectionUpdate(one, "2026-11-20", b"of an older ruleset")]
    )
    assert bodies(store) == {"a": None}
    one = due(store)
    assert made(store) == ["a"]
    store.projections.save_updates(NAME, VERSION, [ProjectionUpdate(one, "2026-11-20", b"too late")])
    assert bodies(store)["a"] != b"too late"


def test_what_cannot_be_made_is_left_to_whoever_wants_it(store: EventStore) -> None:
    add_events(store, "a")
    noted(store, "a")
    store.projections.save_updates(NAME, VERSION, [ProjectionUpdate(due(store), None, None)])
    assert bodies(store) == {"a": None}
    assert made(store) == []


def test_the_latest_is_due_first_and_what_is_quiet_can_be_told_apart(store: EventStore) -> None:
    for root in ("a", "b", "c"):
        add_events(store, root)
        noted(store, root)
    assert store.projections.list_pending_roots(NAME, 2, 10) == [PendingRoot("b", 0), PendingRoot("a", 0)]
    assert store.projections.list_pending_roots(NAME, 3, 1) == [PendingRoot("c", 0)]


def test_what_is_kept_is_found_by_its_place(store: EventStore) -> None:
    for number in range(1, 5):
        add_events(store, f"of day {number}")
        noted(store, f"of day {number}")
        made(store, place=f"2026-11-0{number}")
    add_events(store, "without a day")
    noted(store, "without a day")

    def found(**span: str) -> list[str]:
        return sorted(bodies(store, **span))

    assert found(first="2026-11-02", last="2026-11-03") == ["of day 2", "of day 3", "without a day"]
    assert found(first="2026-11-04") == ["of day 4", "without a day"]
    assert found(last="2026-11-01") == ["of day 1", "without a day"]
    assert dict(store.projections.list_sort_keys(NAME).rows)["of day 3"] == "2026-11-03"
    assert dict(store.projections.list_sort_keys(NAME).rows)["without a day"] is None


def test_what_is_kept_is_found_by_its_tags(store: EventStore) -> None:
    add_events(store, "a", "b", "c")
    noted(store, "a")
    made(store, tags=("Anna, of Ribe", "Bo 🂡"))
    noted(store, "b")
    made(store, tags=("Carl",))
    noted(store, "c")
    made(store)
    assert bodies(store, tag="Anna, of Ribe") == {"a": b"a at 0"}
    assert bodies(store, tag="Carl", first="2026-11-21") == {}
    assert bodies(store, tag="a zero\0") == {}
    noted(store, tag="Bo 🂡")
    assert bodies(store, tag="Carl") == {"a": None, "b": b"b at 0"}
    made(store, tags=("Dan",))
    assert bodies(store, tag="Anna, of Ribe") == {}
    assert bodies(store, tag="Dan") == {"a": b"a at 1"}


def test_what_another_version_folded_is_dropped_and_cannot_come_back(store: EventStore) -> None:
    add_events(store, "a", "b")
    noted(store, "a", "b")
    made(store, tags=("Anna",))
    add_events(store, "a")
    noted(store, "a")
    late = ProjectionUpdate(due(store), "2026-11-20", b"of the other version")
    assert store.projections.begin(NAME, VERSION + 1) == 0
    assert store.projections.begin(NAME, VERSION + 1) == 0
    progress, rows = store.projections.read_projection_rows(NAME)
    assert progress == ProjectionProgress(VERSION + 1, 0)
    assert sorted(rows) == [ProjectionRow("a", None, None), ProjectionRow("b", None, None)]
    one = store.projections.list_pending_roots(NAME, store.head(), 10)[0]
    for update in (late, ProjectionUpdate(one, None, b"of the other version")):
        store.projections.save_updates(NAME, VERSION, [update])
    assert bodies(store) == {"a": None, "b": None}
    assert not store.projections.advance(NAME, ProjectionProgress(VERSION, 0), 3, "ab")


def test_set_back_to_any_position_it_comes_to_the_same(store: EventStore) -> None:
    add_events(store, "a", "b", "a", "c")
    noted(store, "a", "b", "c")
    made(store)
    for position in (0, 2, 3, 4, 9):
        store.projections.rewind(NAME, position)
        assert come(store) == min(position, 4)
        changed = store.projections.list_changed_roots(come(store), 100)
        assert store.projections.advance(NAME, begun(store), changed.position, changed.kinds)
        made(store)
        made_of = {root: body.split(b" at ")[0] for root, body in bodies(store).items() if body}
        assert made_of == {"a": b"a", "b": b"b", "c": b"c"}


def test_what_was_made_of_erased_contents_is_gone_with_them(store: EventStore) -> None:
    add_events(store, "a", "b")
    noted(store, "a", "b")
    made(store, tags=("Anna",))
    noted(store, "a")
    one = due(store)
    (stored,) = store.read_stream("a")
    with pytest.raises(UnknownEvent):
        store.erase({"a": {stored.event_id: b"{}", "no such event": b"{}"}})
    assert bodies(store)["b"] is not None
    store.erase({"a": {stored.event_id: b"{}"}})
    update = ProjectionUpdate(one, "2026-11-20", b"with the name in it", frozenset({"Anna"}))
    store.projections.save_updates(NAME, VERSION, [update])
    assert bodies(store) == {"a": None, "b": b"b at 0"}
    made(store)
    assert sorted(bodies(store, tag="Anna")) == ["b"]


def test_of_two_who_go_on_at_once_one_does(store: EventStore) -> None:
    add_events(store, *"abcdefgh")
    progress = begun(store)
    done = list[bool]()

    def go_on(_: int) -> None:
        done.append(store.projections.advance(NAME, progress, 8, "abcdefgh"))

    in_threads(4, go_on)
    assert sorted(done) == [False, False, False, True]
    assert {one.generation for one in store.projections.list_pending_roots(NAME, 8, 10)} == {0}


@given(st.lists(st.tuples(st.sampled_from(["make", "note", "add", "erase", "rewind"]), st.integers(0, 3))))
@settings(max_examples=examples(60))
def test_whatever_happens_nothing_is_kept_that_is_not_so(acts: list[tuple[str, int]]) -> None:
    """What is kept of a root, and of which nothing is told as changed since, is of all its events."""
    store = MemoryStore()
    for act, which in acts:
        root = "abcd"[which]
        now = begun(store)
        if act == "add":
            add_events(store, root)
        elif act == "erase":
            for stored in [one for one in store.read_all() if one.root == root][:1]:
                store.erase({root: {stored.event_id: stored.body + b" "}})
        elif act == "note":
            changed = store.projections.list_changed_roots(now.position, which + 1)
            store.projections.advance(NAME, now, changed.position, changed.kinds)
        elif act == "rewind":
            store.projections.rewind(NAME, which)
        else:
            found = store.projections.list_pending_roots(NAME, store.head(), which + 1)
            kept = [ProjectionUpdate(one, None, content(store, one.root)) for one in found]
            store.projections.save_updates(NAME, VERSION, kept)
        later = store.projections.list_changed_roots(come(store), 1000).kinds
        for one_root, body in bodies(store).items():
            assert body is None or one_root in later or body == content(store, one_root)
