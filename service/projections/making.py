"""How a projection is made: of which roots, by which programs, and by which rulesets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import blake2b, sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

import structlog

from engine import Log
from engine.events import DealOpened
from engine.rulesets import Book
from engine.table_events import TableOpened
from service.club_rules import is_own
from service.records import with_parts
from service.store import EventReader
from service.store.projecting import Due, Made, Projected

OWN_RULES: Final = "by rules of the club"
"""Tags what names a ruleset that Spadille does not come with: a newer revision of that may change what it
comes to."""
_MADE_OF: Final = (
    "engine", "schemas", "service.projections", "service/library_search.py", "service/records.py",
    "service/seasons.py", "service/tables.py",
)  # fmt: skip

_DIGEST_BYTES: Final = 16
_log = structlog.get_logger()


class Projection(NamedTuple):
    """A projection: of roots whose own stream is of one of these ``kinds``.

    ``make`` folds what is to be kept of one that is due; it raises as the store does, and `UnknownStream`.
    """

    name: str
    kinds: frozenset[str]
    make: Callable[[EventReader, Book, Due], Made]


@cache
def maker() -> str:
    """By what projections are made here: a digest of the programs that do it. Where one of them changes, what
    was kept is made again."""
    digest = sha256()
    for name in _MADE_OF:
        package, _, file = name.partition("/")
        for source in [files(package) / file] if file else _sources(files(package)):
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[Traversable]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            if one.name != "__pycache__":
                yield from _sources(one)
        elif not one.name.startswith("."):
            yield one


def rules_tags(logs: Iterable[Log]) -> frozenset[str]:
    """`OWN_RULES` where one of the logs names such a ruleset, else nothing."""
    openings = (part for log in logs for entry in log for part in with_parts(entry.event))
    own = any(is_own(one.ruleset) for one in openings if isinstance(one, DealOpened | TableOpened))
    return frozenset({OWN_RULES} if own else ())


def sealed(due: Due, place: str, said: bytes, tags: frozenset[str]) -> Made:
    """What was made, with a digest in front by which it is known that it is still what it was."""
    return Made(due, place, _digest(due.root, place, said) + said, tags)


def opened(projection: Projection, kept: Projected) -> bytes | None:
    """What was `sealed`; None where nothing is kept, or it is not what it was: a disk can turn a bit."""
    if kept.body is None:
        return None
    digest, said = kept.body[:_DIGEST_BYTES], kept.body[_DIGEST_BYTES:]
    if digest != _digest(kept.root, kept.place or "", said):
        _log.warning("not as it was kept", projection=projection.name, root=kept.root)
        return None
    return said


def _digest(root: str, place: str, said: bytes) -> bytes:
    return blake2b(b"\0".join((root.encode(), place.encode(), said)), digest_size=_DIGEST_BYTES).digest()
