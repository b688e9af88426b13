"""Whether what is kept of the records is still what was kept."""

from __future__ import annotations

from typing import Final

from service.eventstore import EventReader
from service.projections.projection import builder_version, is_row_intact
from service.projections.projection_worker import ALL_PROJECTIONS

_ROOTS_PER_PAGE: Final = 200


def find_damaged_roots(store: EventReader) -> list[str]:
    """The roots of which something else is kept than was: a disk can turn a bit. Raises as the store does.

    Of what another version of Spadille made nothing is said.
    """
    return sorted(
        {root for projection in ALL_PROJECTIONS for root in _find_damaged_roots_of(store, projection.name)}
    )


def _find_damaged_roots_of(store: EventReader, name: str) -> list[str]:
    progress, places = store.projections.list_sort_keys(name)
    if progress is None or progress.builder != builder_version():
        return []
    roots, found = [root for root, _ in places], list[str]()
    for at in range(0, len(roots), _ROOTS_PER_PAGE):
        tagged = store.projections.read_tagged_rows(name, roots[at : at + _ROOTS_PER_PAGE])
        found += [one.row.root for one in tagged if not is_row_intact(one)]
    return found
