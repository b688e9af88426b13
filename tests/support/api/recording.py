"""What tests of the API and the pages record: a deal and a table with ids of their own, and random deals."""

import itertools
import random
from typing import Any

import pytest

from schemas.wire.event_reader import read_submitted_entry
from service.eventstore import EventStore, MemoryStore, StoreDamaged
from service.records.append import open_deal, open_table
from service.records.record_streams import SubmittedEvent
from tests.properties.slow import generator

Json = dict[str, Any]

DEAL = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"
TABLE = "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e5f"
BELINDA = "belinda"
PLAYERS = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
OPENING: Json = {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS}
SLIP = """\
Deal: Thursday, the third
Rules: dlu
Forehand: Anna
Middlehand: Bo
Backhand: Carl

Result: M solo H, tricks 3-4-2
"""


def posted(event: Json) -> SubmittedEvent:
    return SubmittedEvent(read_submitted_entry(event))


def some_deal(seed: int = 7, **wishes: Any) -> list[Json]:
    return generator.random_deal(random.Random(seed), **wishes)


def corrected(deal: list[Json], rng: random.Random) -> list[Json]:
    """The deal with corrections, corrections of corrections, notes and a closing put in somewhere."""
    told = list(deal)
    for _ in range(rng.randrange(4)):
        seq = rng.randrange(2, len(told) + 1)
        at = rng.randrange(seq, len(told) + 1)
        old = deal[seq - 1] if seq <= len(deal) else {"type": "gap_noted"}
        instead = [] if rng.random() < 0.4 or old["type"].startswith("correction") else [old]
        told.insert(at, {"type": "correction_made", "replaces": [seq], "reason": "slip", "with": instead})
    if rng.random() < 0.5:
        closing = {"type": "deal_closed", "engine": "0.1.0", "payments": dict.fromkeys(PLAYERS, 0)}
        told.insert(rng.randrange(len(told) // 2, len(told) + 1), closing)
    return told


def recorded_deal(store: EventStore, events: list[Json] | None = None, deal: str = DEAL) -> str:
    """Records a deal, a random one unless told which, under the id that it returns."""
    first, *rest = events or some_deal()
    open_deal(store, [posted(event) for event in ({**first, "id": deal}, *rest)], strict=False)
    return deal


def recorded_table(store: EventStore, table: str = TABLE, **more: Any) -> str:
    """Opens a table, under the id that it returns."""
    opening = {"type": "table_opened", "id": table, "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    open_table(store, posted({**opening, **more}))
    return table


def some_records(events: list[Json] | None = None) -> MemoryStore:
    """A store with a deal, a random one unless told which, and a table."""
    store = MemoryStore()
    recorded_deal(store, events)
    recorded_table(store)
    return store


def damaging(monkeypatch: pytest.MonkeyPatch, store: EventStore, deal: str, *seqs: int) -> None:
    """Reading the deal meets damage: at these entries, one after the other and then again from the first."""
    read, met = store.read_stream, itertools.cycle(seqs)

    def damaged(stream: str, after: int = 0, limit: int = 1000) -> Any:
        if stream == deal:
            raise StoreDamaged("An entry is not as it was recorded.", deal, next(met))
        return read(stream, after, limit)

    monkeypatch.setattr(store, "read_stream", damaged)
