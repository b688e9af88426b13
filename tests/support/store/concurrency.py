"""Work in many threads, and stores that many wrote to."""

import threading
import time
from collections import Counter
from collections.abc import Callable

from service.eventstore import EventReader, EventStore, StoredEvent


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """Run `work` in threads that start together; what one of them raises is raised here."""
    start = threading.Barrier(count)
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def follow(store: EventReader, done: threading.Event, page_size: int) -> list[StoredEvent]:
    """All that a reader meets who goes on from the last position that he got."""
    followed: list[StoredEvent] = []
    while True:
        last_look = done.is_set()
        page = store.read_all(followed[-1].position if followed else 0, page_size)
        followed += page
        if not page:
            if last_look:
                return followed
            time.sleep(0.002)


def assert_whole(store: EventStore, sent: Counter[str]) -> None:
    """Every stream is numbered without a gap, and every event sent is in it once."""
    stored: Counter[str] = Counter()
    for info in store.list_streams():
        page = store.read_stream(info.stream, limit=100_000)
        assert [e.seq for e in page] == list(range(1, info.version + 1))
        stored.update(e.event_id for e in page)
    assert stored == sent
    followed = store.read_all(limit=100_000)
    assert len(followed) == sent.total()
    assert [e.position for e in followed] == sorted({e.position for e in followed})
