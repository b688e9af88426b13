"""Growth: a file that shows that a later log begins with an earlier one, for who keeps only checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from service.eventstore.merkle.tree import MOST_LEAVES, is_consistent
from service.transparency.faults import Fault
from service.transparency.kept import Kept
from service.transparency.notes import Note, encoded
from service.transparency.reading import opened, whole_at
from service.transparency.verdict import Verdict

FORMAT: Final = "spadille-consistency/1"


class Growth(NamedTuple):
    """From how many events a log grew, to which checkpoint, and the consistency proof (RFC 6962, 2.1.2)."""

    first: int
    note: Note
    hashes: tuple[bytes, ...]


def growth_object(growth: Growth) -> dict[str, object]:
    """The growth as its file has it."""
    return {
        "format": FORMAT,
        "from": growth.first,
        "to": growth.note.checkpoint.size,
        "checkpoint": str(growth.note),
        "hashes": [encoded(one) for one in growth.hashes],
    }


def read_growth(data: bytes) -> Growth:
    """The growth in a file. Whether it shows anything is not looked at here. Raises `NotAProof`."""
    obj, note, hashes = opened(data, FORMAT)
    return Growth(whole_at(obj.get("from"), "/from", MOST_LEAVES), note, tuple(hashes))


def verify_growth(growth: Growth, kept: Kept) -> Verdict:
    """Whether the log of its checkpoint begins with the one that was kept."""
    size = growth.note.checkpoint.size
    faults = tuple(_amiss(growth, kept))
    return Verdict(size, 0, faults, 0 if faults else growth.first, first=growth.first)


def _amiss(growth: Growth, kept: Kept) -> Iterator[Fault]:
    known = [one.checkpoint for one in kept.notes if one.checkpoint.size == growth.first]
    if not known:
        sizes = ", ".join(str(one.checkpoint.size) for one in kept.notes[-5:])
        yield Fault("checkpoint", "other_first", parts={"size": growth.first, "kept": sizes})
    now = growth.note.checkpoint
    for then in known:
        grown = is_consistent(then.size, then.root, now.size, now.root, growth.hashes)
        if not grown or then.origin != now.origin:
            yield Fault("rewritten", "not_grown", parts={"size": now.size, "first": then.size})
