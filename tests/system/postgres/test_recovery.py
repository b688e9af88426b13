"""Back to a moment: a base backup and the write-ahead log that was kept make the store as it was then."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.eventstore import ANY_VERSION, StoredEvent
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.merkle_tree import all_sealed, require_whole_tree
from tests.support.store.postgres_pair import Node, first_node
from tests.support.store.writing import deal, event
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

NAME = "cards"


@pytest.fixture
def archiving() -> Iterator[tuple[Node, Path]]:
    """A server that keeps its write-ahead log in a folder, with an empty store."""
    with TemporaryDirectory(prefix="kept-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        archive = folder / "wal"
        archive.mkdir()
        archive.chmod(0o777)
        node = first_node(folder / "1")
        node.start(archive_mode="on", archive_command=f"test ! -f {archive}/%f && cp %p {archive}/%f")
        node.execute(f"CREATE DATABASE {NAME} TEMPLATE template0")
        yield node, archive
        node.kill()


def append_and_read_all(node: Node, count: int) -> list[StoredEvent]:
    """All events, after so many more."""
    with PostgresStore(node.address(NAME)) as store:
        for number in range(count):
            store.append(f"r{number % 3}", [deal(f"s{number % 3}", ANY_VERSION, event())])
        return store.read_all(limit=1000)


def test_a_store_goes_back_to_a_moment_and_on_from_there(archiving: tuple[Node, Path]) -> None:
    node, archive = archiving
    append_and_read_all(node, 10)
    restored = Node(node.folder.parent / "2", node.programs, node.account)
    restored.copy_of(node)
    then = append_and_read_all(node, 10)
    node.execute("SELECT pg_create_restore_point('before the mistake')")
    append_and_read_all(node, 10)
    last = node.execute("SELECT pg_walfile_name(pg_switch_wal())")
    until(lambda: node.execute("SELECT last_archived_wal FROM pg_stat_archiver") == last, "the log")
    node.kill()

    (restored.data / "recovery.signal").touch()
    restored.start(
        restore_command=f"cp {archive}/%f %p",
        recovery_target_name="before the mistake",
        recovery_target_action="promote",
    )
    try:
        until(lambda: restored.execute("SELECT pg_is_in_recovery()") == [(False,)], "the end of recovery")
        with PostgresStore(restored.address(NAME)) as store:
            assert store.read_all(limit=1000) == then
            (appended,) = store.append("r0", [deal("s0", ANY_VERSION, event())])
            assert [one.position for one in appended.events] == [21]
            require_whole_tree(store)
            assert len(all_sealed(store)) == 21
        assert restored.execute("SELECT count(*) FROM eras", NAME) == [(1,)]
    finally:
        restored.kill()
