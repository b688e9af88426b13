"""A wire between a store and its server that can be cut at a chosen moment."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

_CHUNK: Final = 1 << 16

BEFORE: Final = "before the server gets it"
AFTER: Final = "before the answer comes back"


class Wire:
    """Passes on what is sent between a socket in ``folder`` and the server's, until ``cut`` says otherwise.

    ``cut`` is asked about each piece that a client sends, and says when its connection is to end: `BEFORE`
    the server gets it, `AFTER` the server got it, so that nobody hears what became of it; or not at all.
    """

    def __init__(self, folder: Path, server: Path, cut: Callable[[bytes], str | None]) -> None:
        self.lead_to(server)
        self._cut = cut
        self.cuts = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def lead_to(self, server: Path) -> None:
        """Connections that are made from now on are to the server whose socket is in this folder."""
        self._server = server / ".s.PGSQL.5432"

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server))
            except OSError:  # it was killed
                client.close()
                continue
            silent = threading.Event()
            up = threading.Thread(target=self._up, args=(client, server, silent), daemon=True)
            up.start()
            threading.Thread(target=self._down, args=(client, server, silent, up), daemon=True).start()

    def _up(self, client: socket.socket, server: socket.socket, silent: threading.Event) -> None:
        try:
            while piece := client.recv(_CHUNK):
                moment = self._cut(piece)
                if moment is None:
                    server.sendall(piece)
                    continue
                self.cuts += 1
                silent.set()
                if moment == AFTER:
                    server.sendall(piece)
                client.shutdown(socket.SHUT_RDWR)
                break
        except OSError:
            pass
        finally:
            # The server is let finish what it got; it then meets the end of its connection.
            with suppress(OSError):
                server.shutdown(socket.SHUT_WR)

    def _down(
        self, client: socket.socket, server: socket.socket, silent: threading.Event, up: threading.Thread
    ) -> None:
        try:
            while piece := server.recv(_CHUNK):
                if not silent.is_set():
                    client.sendall(piece)
        except OSError:
            pass
        finally:
            # Closed when nobody reads from them any more: the number of one that is closed is the next one's.
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
            up.join()
            client.close()
            server.close()
