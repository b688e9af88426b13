"""Evenings at a table: a table's log and its deals', dealt by what the ledger says is due."""

import random
from typing import Any

from bench.deals import random_deal
from engine import Log
from engine.core.events import DealOpened, Event
from engine.core.field_types import Players
from engine.core.log import build_log
from engine.core.table_events import DealStarted, TableOpened
from engine.tables import EveningDeal, Ledger, compute_ledger, fold_evening_deal

NAMES = ("Anna", "Bo", "Carl", "Dora", "Else", "Finn")


class Evening:
    """An evening in the making."""

    def __init__(self, ruleset: str = "dlu", players: int = 3, **opening: Any) -> None:
        self.ruleset = ruleset
        self.table: list[Event] = [TableOpened(ruleset, NAMES[:players], **opening)]
        self.logs: dict[str, list[Event]] = {}
        self.folded: dict[str, EveningDeal] = {}

    def log(self) -> Log:
        return build_log(self.table)

    def deal_logs(self) -> dict[str, Log]:
        return {name: build_log(events) for name, events in self.logs.items()}

    def ledger(self) -> Ledger:
        told = compute_ledger(self.log(), self.folded)
        assert told is not None
        return told

    def opening(self, game: int = 0, **more: Any) -> DealOpened:
        """The opening of the next deal, as it is due."""
        due = next(one for one in self.ledger().next_deals if one.game == game)
        opened = self.table[0]
        assert isinstance(opened, TableOpened)
        fields = {
            "players": Players(*due.seating.active, due.seating.sitting_out), "dealer": due.seating.dealer,
            "pool": due.pool, "reserved": due.reserved, "switches": opened.switches, "number": due.number,
        }  # fmt: skip
        return self.bare(**{**fields, **more})

    def bare(self, **more: Any) -> DealOpened:
        """An opening that says nothing but who plays."""
        return DealOpened(**{"ruleset": self.ruleset, **more})

    def play(self, *events: Event, opening: DealOpened | None = None, game: int = 0) -> str:
        """A deal of these events behind its opening; its name."""
        opened = opening or self.opening(game)
        name = f"deal-{len(self.logs) + 1}"
        self.logs[name] = [opened, *events]
        self.table.append(DealStarted(name, len(self.logs)))
        self.fold(name)
        return name

    def play_randomly(self, rng: random.Random, game: int = 0) -> str:
        """A whole random deal."""
        opened = self.opening(game)
        course = [entry.event for entry in random_deal(rng, self.ruleset, opened)[1:]]
        return self.play(*course, opening=opened)

    def add(self, name: str, event: Event) -> None:
        """A further entry of a deal."""
        self.logs[name].append(event)
        self.fold(name)

    def fold(self, name: str) -> None:
        self.folded[name] = fold_evening_deal(build_log(self.logs[name]))
