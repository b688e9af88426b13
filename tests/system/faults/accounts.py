"""What was acknowledged, held to what a store file has."""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from service.eventstore import SqliteReader, StoredEvent


class Acknowledged(NamedTuple):
    """An event as a client was told that it is stored."""

    stream: str
    seq: int
    id: str
    body: str


def lines_in(files: Iterable[Path]) -> dict[Path, list[Acknowledged]]:
    """What each client was told, in the order in which he was told; a line that is cut off was not."""
    found = {}
    for file in files:
        whole = file.read_text("utf-8").rpartition("\n")[0].splitlines() if file.exists() else []
        found[file] = [Acknowledged(**json.loads(line)) for line in whole]
    return found


def stored_in(store: Path) -> list[StoredEvent]:
    """Every event of a store file, by position; the service may be running."""
    events: list[StoredEvent] = []
    with SqliteReader(store) as reader:
        while page := reader.read_all(events[-1].position if events else 0, 5000):
            events += page
    return events


def amiss(
    told: dict[Path, list[Acknowledged]], stored: list[StoredEvent], may_be_erased: Collection[str] = ()
) -> list[str]:
    """What of it was lost, changed, doubled or left out, in sentences; none where all is as it should be."""
    found: list[str] = []
    by_id = {event.event_id: event for event in stored}
    versions: Counter[str] = Counter()
    for event in stored:
        versions[event.stream] += 1
        if event.seq != versions[event.stream]:
            found.append(f"gap: event {event.seq} of {event.stream} follows {versions[event.stream] - 1}")
    if len(by_id) != len(stored):
        found.append(f"doubled: {len(stored) - len(by_id)} ids stand in the store twice")
    if [event.position for event in stored] != list(range(1, len(stored) + 1)):
        found.append("gap: positions are left out")
    for file, lines in told.items():
        last = 0
        for line in lines:
            there = by_id.get(line.id)
            if there is None:
                found.append(f"lost: {line}")
                continue
            body = line.body if line.id in may_be_erased else there.body.decode()
            if (there.stream, there.seq, body) != (line.stream, line.seq, line.body):
                found.append(f"changed: {line} is {there}")
            if there.position <= last:
                found.append(f"order: {file.name} was told of {line} after one that stands behind it")
            last = there.position
        if len({line.id for line in lines}) != len(lines):
            found.append(f"doubled: {file.name} was told of an event twice")
    return found


def fault_counts(faults: Iterable[str]) -> str:
    """How many faults of each kind there are, also where there is none."""
    kinds = Counter(dict.fromkeys(("lost", "doubled", "gap", "order", "changed"), 0))
    kinds.update(one.partition(":")[0] for one in faults)
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items())
