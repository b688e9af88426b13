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
from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.rulesets import RulesetBook
from service.eventstore import EventReader
from service.eventstore.projection_interface import (
    PendingRoot,
    ProjectionRow,
    ProjectionUpdate,
    TaggedProjectionRow,
)
from service.records.club_rules import is_club_ruleset
from service.records.record_streams import flatten_corrections

CLUB_RULES_TAG: Final = "by rules of the club"
"""Tags what names a ruleset that Spadille does not come with: a newer revision of that may change what it
comes to."""
_BUILDER_SOURCES: Final = (
    "engine", "schemas", "service.projections",
    "service/records/record_streams.py", "service/records/tables.py",
)  # fmt: skip

_DIGEST_BYTES: Final = 16
_SHORT_DIGEST_BYTES: Final = 8
_log = structlog.get_logger()


class Projection(NamedTuple):
    """A projection: of roots whose own stream is of one of these ``kinds``.

    ``build`` folds what is to be kept of one that is due; it raises as the store does, and `UnknownStream`.
    """

    name: str
    kinds: frozenset[str]
    build: Callable[[EventReader, RulesetBook, PendingRoot], ProjectionUpdate]


@cache
def builder_version() -> str:
    """By what projections are made here: a digest of the programs that do it. Where one of them changes, what
    was kept is made again."""
    digest = sha256()
    for name in _BUILDER_SOURCES:
        package, _, file = name.partition("/")
        for source in [files(package) / file] if file else _iterate_sources(files(package)):
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()


def _iterate_sources(folder: Traversable) -> Iterator[Traversable]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            if one.name != "__pycache__":
                yield from _iterate_sources(one)
        elif not one.name.startswith("."):
            yield one


def club_rules_tags(logs: Iterable[Log]) -> frozenset[str]:
    """`CLUB_RULES_TAG` where one of the logs names such a ruleset, else nothing."""
    openings = (part for log in logs for entry in log for part in flatten_corrections(entry.event))
    own = any(is_club_ruleset(one.ruleset) for one in openings if isinstance(one, DealOpened | TableOpened))
    return frozenset({CLUB_RULES_TAG} if own else ())


# A disk can turn a bit. So a place has a digest behind it, for it is read alone; and a body has two in front:
# of the tags by which it is found, which are not read with it, and of everything.


def build_checked_update(
    pending_root: PendingRoot, sort_key: str, content: bytes, tags: frozenset[str]
) -> ProjectionUpdate:
    """What was made, so that it is known to be still what it was. What is of no place has "" for it."""
    checked_sort_key = f"{sort_key} {_digest(_SHORT_DIGEST_BYTES, pending_root.root, sort_key).hex()}"
    checked_content = _tags_digest(tags) + content
    return ProjectionUpdate(
        pending_root,
        checked_sort_key,
        _digest(_DIGEST_BYTES, pending_root.root, checked_sort_key, checked_content) + checked_content,
        tags,
    )


def read_checked_content(projection: Projection, row: ProjectionRow) -> bytes | None:
    """What was given to `build_checked_update`; None where nothing is kept, or it is not what it was."""
    if row.body is None:
        return None
    if not _is_body_intact(row, row.body):
        _log.warning("not as it was kept", projection=projection.name, root=row.root)
        return None
    return row.body[_DIGEST_BYTES + _SHORT_DIGEST_BYTES :]


def parse_checked_sort_key(root: str, checked_sort_key: str | None) -> str | None:
    """The place by which that root is kept; None where none is, or it is not what it was."""
    sort_key, _, checksum = (checked_sort_key or "").rpartition(" ")
    return sort_key if checksum == _digest(_SHORT_DIGEST_BYTES, root, sort_key).hex() else None


def is_row_intact(tagged_row: TaggedProjectionRow) -> bool:
    """Whether what is kept, its place and its tags are what they were; also where nothing is kept."""
    row = tagged_row.row
    if row.body is None:
        return True
    return _is_body_intact(row, row.body) and row.body[_DIGEST_BYTES:].startswith(
        _tags_digest(tagged_row.tags)
    )


def _is_body_intact(row: ProjectionRow, body: bytes) -> bool:
    return body.startswith(_digest(_DIGEST_BYTES, row.root, row.sort_key or "", body[_DIGEST_BYTES:]))


def _tags_digest(tags: frozenset[str]) -> bytes:
    return _digest(_SHORT_DIGEST_BYTES, *sorted(tags))


def _digest(size: int, *parts: str | bytes) -> bytes:
    encoded_parts = (one.encode() if isinstance(one, str) else one for one in parts)
    return blake2b(b"\0".join(encoded_parts), digest_size=size).digest()
