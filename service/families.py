"""Variations among logs that lie beside each other in files: which of them leaves which, and in what order.

A file may name the deal that a variation leaves by its id, or as people do, by its title.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine import Log
from engine.branching import branch_of
from engine.events import DealOpened
from schemas.reports import opening_of


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
