"""Whether what is kept of the records is still what was kept."""

from __future__ import annotations

from typing import Final

from service.eventstore import EventReader
from service.projections.beside import PROJECTIONS
from service.projections.making import is_as_kept, maker

_AT_ONCE: Final = 200


def not_as_kept(store: EventReader) -> list[str]:
    """The roots of which something else is kept than was: a disk can turn a bit. Raises as the store does.

    Of what another version of Spadille made nothing is said.
    """
    return sorted({root for projection in PROJECTIONS for root in _not_as_kept(store, projection.name)})


def _not_as_kept(store: EventReader, name: str) -> list[str]:
    progress, places = store.projections.places(name)
    if progress is None or progress.maker != maker():
        return []
    roots, found = [root for root, _ in places], list[str]()
    for at in range(0, len(roots), _AT_ONCE):
        tagged = store.projections.tagged(name, roots[at : at + _AT_ONCE])
        found += [one.kept.root for one in tagged if not is_as_kept(one)]
    return found
