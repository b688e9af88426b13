"""Variations among logs that lie beside each other in files: which of them leaves which, and in what order.

A file may name the deal that a variation leaves by its id, or as people do, by its title.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import replays
from engine import Log, Viewer, view
from engine.branching import behind, branch_of
from engine.core.events import DealOpened
from engine.core.vocabulary import Branch
from schemas.answers.reports import opening_of
from service.records.variations import titled

MOST: Final = 1000
"""So many deals of a family are kept in mind while a file is read."""


class Family:
    """Deals as they are read from a file, a variation right behind the deal that it leaves.

    Others of its kind may stand between them, and it may leave one of these, or a deal of the library. One
    that leaves none of them begins with a gap.
    """

    def __init__(self) -> None:
        self._near: dict[str, Log] = {}

    def course(self, log: Log, viewer: Viewer) -> Log:
        """The next deal of the file as ``viewer`` may know it, a variation behind its beginning."""
        if branch_of(log) is None:
            self._near.clear()
        course = behind(view(log, viewer), viewer, self._left_by)
        if len(self._near) < MOST:
            self._near |= dict.fromkeys(_names_of(log), log)
        return course

    def _left_by(self, branch: Branch) -> Log | None:
        return self._near.get(branch.deal.lower()) or _in_library(branch.deal)


def _names_of(log: Log) -> list[str]:
    """What a file may call a deal, in small letters."""
    opened = opening_of(log)
    names = (log[0].record.id, opened.title if opened else None)
    return [name.lower() for name in names if name]


def _in_library(name: str) -> Log | None:
    replay = replays.find(name) or titled(replays.library(), name)
    return replay.log() if replay else None


class Member(NamedTuple):
    """A deal of a file, and the id of the record that it becomes."""

    record: str
    log: Log


def parents_first(deals: Sequence[Member], others: Iterable[Member]) -> Iterator[tuple[int, Log]]:
    """The deals by their places, each behind the one that it leaves, otherwise as they stand.

    The log of a variation names the deal that it leaves by its record, if that is one of them or of the
    ``others``.
    """
    records = _by_name((*deals, *others))
    places = {deal.record: place for place, deal in enumerate(deals)}
    logs = [_leaving(deal.log, records) for deal in deals]
    waiting: dict[int, list[int]] = {}
    ready: list[int] = []
    for place, log in enumerate(logs):
        branch = branch_of(log)
        left = places.get(branch.deal) if branch is not None else None
        if left is None:
            ready.append(place)
        else:
            waiting.setdefault(left, []).append(place)
    heapq.heapify(ready)
    while ready:
        place = heapq.heappop(ready)
        yield place, logs[place]
        for one in waiting.pop(place, ()):
            heapq.heappush(ready, one)
    # What is left goes round in a circle: none of them has a beginning.
    for place in sorted(place for left in waiting.values() for place in left):
        yield place, logs[place]


def _by_name(deals: Iterable[Member]) -> dict[str, str | None]:
    """The records by the names of their deals; None for a title that several have."""
    ids: dict[str, str | None] = {}
    titles: dict[str, str | None] = {}
    for record, log in deals:
        ids[record.lower()] = record
        opened = opening_of(log)
        if opened is not None and opened.title:
            titles[opened.title] = None if opened.title in titles else record
    return {**titles, **ids}


def _leaving(log: Log, records: dict[str, str | None]) -> Log:
    """The log, naming the deal that it leaves by its record."""
    branch, first = branch_of(log), log[0].event
    if branch is None or not isinstance(first, DealOpened):
        return log
    record = records.get(branch.deal.lower()) or records.get(branch.deal) or branch.deal
    named = replace(first, branch=replace(branch, deal=record))
    return (log[0]._replace(event=named), *log[1:])
