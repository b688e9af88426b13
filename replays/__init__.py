"""The library of historic and annotated deals, one JSON Lines file each."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import orjson

from engine import Log
from schemas.reader import read_entry
from schemas.reports import opening_of

SUFFIX: Final = ".jsonl"


@dataclass(frozen=True)
class Replay:
    """A deal of the library. ``name`` is its file's name without the suffix."""

    name: str
    text: bytes

    def lines(self) -> bytes:
        """The log as JSON Lines."""
        return self.text

    def log(self) -> Log:
        """The log, its entries numbered 1, 2, …."""
        return _log_of(self)

    @property
    def title(self) -> str:
        """The deal's title, or its name where it has none."""
        opened = opening_of(self.log())
        return opened.title if opened and opened.title else self.name

    @property
    def source(self) -> str | None:
        """Where the deal was read."""
        opened = opening_of(self.log())
        return opened.source if opened else None


@cache
def _log_of(replay: Replay) -> Log:
    lines = enumerate(replay.text.splitlines(), 1)
    return tuple(read_entry(orjson.loads(line), seq) for seq, line in lines)


@cache
def library() -> tuple[Replay, ...]:
    """Every deal of the library, sorted by name."""
    folder = files(__name__)
    found = {file.name.removesuffix(SUFFIX): file for file in folder.iterdir() if file.name.endswith(SUFFIX)}
    return tuple(Replay(name, found[name].read_bytes()) for name in sorted(found))


def find(name: str) -> Replay | None:
    """The deal of that name; None if the library has none."""
    return next((replay for replay in library() if replay.name == name), None)
