"""Applications that answer on a port of this machine, for a browser."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from werkzeug.serving import make_server

from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.servers import free_port
from tests.support.web.club import Club


@contextmanager
def serving(app: Any, port: int = 0) -> Iterator[str]:
    """Serve ``app`` on ``port``, or on any free one; yield its origin."""
    server = make_server("127.0.0.1", port, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@contextmanager
def serving_store(store: MemoryStore, **options: Any) -> Iterator[Club]:
    """Serve what ``store`` keeps; requests to any other host or port are refused."""
    port = free_port()
    app = create_app(store, port=port, **options)
    with serving(app, port) as origin:
        yield Club(app, origin)
