"""Variations among logs that lie beside each other in files: which of them leaves which, and in what order.

A file may name the deal that a variation leaves by its id, or as people do, by its title.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import replays
from engine import Log, Viewer, view
from engine.branching import branch_of, join_inherited
from engine.core.events import DealOpened
from engine.core.field_types import Branch
from schemas.answers.deal_reports import find_deal_opening
from service.records.variations import find_replay_by_title

MAX_NEARBY_LOGS: Final = 1000
"""So many deals of a family are kept in mind while a file is read."""


class VariationExpander:
    """Deals as they are read from a file, a variation right behind the deal that it leaves.

    Others of its kind may stand between them, and it may leave one of these, or a deal of the library. One
    that leaves none of them begins with a gap.
    """

    def __init__(self) -> None:
        self._nearby_logs: dict[str, Log] = {}

    def expand_log(self, log: Log, viewer: Viewer) -> Log:
        """The next deal of the file as ``viewer`` may know it, a variation behind its beginning."""
        if branch_of(log) is None:
            self._nearby_logs.clear()
        course = join_inherited(view(log, viewer), viewer, self._find_parent_log)
        if len(self._nearby_logs) < MAX_NEARBY_LOGS:
            self._nearby_logs |= dict.fromkeys(_lookup_names(log), log)
        return course

    def _find_parent_log(self, branch: Branch) -> Log | None:
        return self._nearby_logs.get(branch.deal.lower()) or _find_library_log(branch.deal)


def _lookup_names(log: Log) -> list[str]:
    """What a file may call a deal, in small letters."""
    opened = find_deal_opening(log)
    names = (log[0].metadata.id, opened.title if opened else None)
    return [name.lower() for name in names if name]


def _find_library_log(name: str) -> Log | None:
    replay = replays.find_library_deal(name) or find_replay_by_title(replays.list_library(), name)
    return replay.read_log() if replay else None


class IdentifiedLog(NamedTuple):
    """A deal of a file, and the id of the record that it becomes."""

    record_id: str
    log: Log


def sort_parents_first(
    deals: Sequence[IdentifiedLog], others: Iterable[IdentifiedLog]
) -> Iterator[tuple[int, Log]]:
    """The deals by their places, each behind the one that it leaves, otherwise as they stand.

    The log of a variation names the deal that it leaves by its record, if that is one of them or of the
    ``others``.
    """
    records = _index_by_name((*deals, *others))
    places = {deal.record_id: place for place, deal in enumerate(deals)}
    logs = [_resolve_parent(deal.log, records) for deal in deals]
    waiting_for: dict[int, list[int]] = {}
    ready: list[int] = []
    for place, log in enumerate(logs):
        branch = branch_of(log)
        parent = places.get(branch.deal) if branch is not None else None
        if parent is None:
            ready.append(place)
        else:
            waiting_for.setdefault(parent, []).append(place)
    heapq.heapify(ready)
    while ready:
        place = heapq.heappop(ready)
        yield place, logs[place]
        for one in waiting_for.pop(place, ()):
            heapq.heappush(ready, one)
    # What is left goes round in a circle: none of them has a beginning.
    for place in sorted(place for parent in waiting_for.values() for place in parent):
        yield place, logs[place]


def _index_by_name(deals: Iterable[IdentifiedLog]) -> dict[str, str | None]:
    """The records by the names of their deals; None for a title that several have."""
    ids: dict[str, str | None] = {}
    titles: dict[str, str | None] = {}
    for record, log in deals:
        ids[record.lower()] = record
        opened = find_deal_opening(log)
        if opened is not None and opened.title:
            titles[opened.title] = None if opened.title in titles else record
    return {**titles, **ids}


def _resolve_parent(log: Log, record_ids: dict[str, str | None]) -> Log:
    """The log, naming the deal that it leaves by its record."""
    branch, first = branch_of(log), log[0].event
    if branch is None or not isinstance(first, DealOpened):
        return log
    record = record_ids.get(branch.deal.lower()) or record_ids.get(branch.deal) or branch.deal
    named_opening = replace(first, branch=replace(branch, deal=record))
    return (log[0]._replace(event=named_opening), *log[1:])
