"""The threads that answer requests."""

import threading
from collections.abc import Iterator

import pytest

from service.server.http_server import ThreadDispatcher


@pytest.fixture
def dispatcher() -> Iterator[ThreadDispatcher]:
    dispatcher = ThreadDispatcher()
    yield dispatcher
    dispatcher.shutdown()


def test_a_thread_that_cannot_start_does_not_count(
    dispatcher: ThreadDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    dispatcher.set_thread_count(2)
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        for _ in range(3):
            with pytest.raises(RuntimeError):
                dispatcher.set_thread_count(3)
            dispatcher.set_thread_count(2)
    assert (len(dispatcher.threads), dispatcher.stop_count) == (2, 0)
    dispatcher.set_thread_count(3)
    assert len(dispatcher.threads) == 3
