"""The library: historic and annotated deals, and in folders made-up examples.

Each is a text in the notation (``belinda.deal``). ``python -m bench.library`` derives the JSON Lines next to
it, which are faster to read; a test compares them.

There is an example of every contract, outcome and extra in the folder of its ruleset, and one of
every finding in ``findings``. The example in ``dlu/solo-won.deal`` is called ``dlu-solo-won``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engine import Log
from engine.play.history import find_deal_opening
from schemas.wire.event_reader import read_entry_text

REPLAY_SUFFIX: Final = ".jsonl"
_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Replay:
    """A deal of the library. ``name`` is its file's name without the suffix, its folder before it."""

    name: str
    jsonl: bytes
    folder: str = ""
    """The folder of an example; empty for a historic deal."""

    def read_log(self) -> Log:
        """The log, its entries numbered 1, 2, …."""
        return _parse_replay(self)

    @property
    def title(self) -> str:
        """The deal's title, or its name where it has none."""
        opening_event = find_deal_opening(self.read_log())
        return opening_event.title if opening_event and opening_event.title else self.name

    @property
    def source(self) -> str | None:
        """Where the deal was read."""
        opening_event = find_deal_opening(self.read_log())
        return opening_event.source if opening_event else None


@cache
def _parse_replay(replay: Replay) -> Log:
    lines = enumerate(replay.jsonl.splitlines(), 1)
    return tuple(read_entry_text(line, seq) for seq, line in lines)


@cache
def list_library() -> tuple[Replay, ...]:
    """The historic and annotated deals, sorted by name."""
    return tuple(_iterate_deals(_FOLDER, ""))


@cache
def list_examples() -> tuple[Replay, ...]:
    """The made-up examples, sorted by folder and name."""
    folders = sorted((one for one in _FOLDER.iterdir() if one.is_dir()), key=lambda one: one.name)
    return tuple(replay for folder in folders for replay in _iterate_deals(folder, folder.name))


def _iterate_deals(folder: Path, name: str) -> Iterator[Replay]:
    # Sorted by deal: by file name "belinda-as-printed" would precede "belinda".
    for file in sorted(folder.glob(f"*{REPLAY_SUFFIX}"), key=lambda file: file.stem):
        yield Replay(f"{name}-{file.stem}" if name else file.stem, file.read_bytes(), name)


def list_example_folders() -> tuple[str, ...]:
    """The folders of examples."""
    return tuple(dict.fromkeys(replay.folder for replay in list_examples()))


def find_library_deal(name: str) -> Replay | None:
    """The deal or example of that name, or None."""
    return next((replay for replay in (*list_library(), *list_examples()) if replay.name == name), None)
