"""Which events of a log somebody may know in full: of the others a proof shows him the commitment alone."""

from __future__ import annotations

from engine import Log, Viewer, view


def open_to(log: Log, viewer: Viewer) -> frozenset[int]:
    """The seqs of the entries of which nothing is cut for that viewer. ``log`` is the whole log, as ever."""
    both = zip(log, view(log, viewer), strict=True)
    return frozenset(place for place, (entry, cut) in enumerate(both, 1) if entry == cut)
