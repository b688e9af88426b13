"""A link between two nodes, cut while a file is there: ``python -m tests.system.cluster.link LISTEN TO
FILE``."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from tests.system.cluster.layout import HOST

LOOKS_EVERY = 0.05
PIECE = 1 << 16


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.CancelledError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()


class Link:
    """What arrives at one port goes to another, and back; nothing does while ``cut`` is there."""

    def __init__(self, to: int, cut: Path) -> None:
        self.to, self.cut = to, cut
        self.passing: set[asyncio.Task[None]] = set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.cut.exists():
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection(HOST, self.to)
        except OSError:
            writer.transport.abort()
            return
        for one in (_pass_on(reader, back), _pass_on(there, writer)):
            task = asyncio.create_task(one)
            self.passing.add(task)
            task.add_done_callback(self.passing.discard)

    async def watch(self) -> None:
        """Breaks what is connected as soon as the link is cut."""
        while True:
            if self.cut.exists():
                for task in list(self.passing):
                    task.cancel()
            await asyncio.sleep(LOOKS_EVERY)


async def run_link(listen: int, to: int, cut: Path) -> None:
    link = Link(to, cut)
    server = await asyncio.start_server(link.take, HOST, listen)
    async with server:
        await asyncio.gather(server.serve_forever(), link.watch())


if __name__ == "__main__":
    asyncio.run(run_link(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
