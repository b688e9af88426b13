"""What people write into records: the next of a deal, and whatever else comes up at a table."""

from __future__ import annotations

import random
import uuid
from typing import Any

from tests.properties.slow import generator
from tests.system.clients.model import Record

Json = dict[str, Any]
SEATS = ("forehand", "middlehand", "backhand")
PEOPLE = ("Anna", "Bo", "Carl", "Dora", "Else")
IN_A_DEAL = (
    "next", "next", "next", "next", "next", "next", "next", "note", "note", "correct", "correct", "undo",
    "withdraw", "ruling", "settle", "irregular", "slip", "take over", "close", "stray",
)  # fmt: skip
AT_A_TABLE = ("join", "leave", "seats", "pay", "penalty", "note", "correct", "stray", "end")


def script_of(seed: int) -> list[Json]:
    return generator.random_deal(random.Random(seed), talon=seed % 2 == 0)


class Hand:
    """Writes events with ids of its own, the same each time for the same seed."""

    def __init__(self) -> None:
        self._count = 0

    def new_id(self) -> str:
        self._count += 1
        return str(uuid.UUID(int=(0x018F5E2A << 96) | (0x7 << 76) | (0b10 << 62) | self._count))

    def signed(self, event: Json, by: str) -> Json:
        return {**event, "id": self.new_id(), "recorded_by": by}

    def write(self, record: Record, what: str, rng: random.Random, by: str) -> Json:
        made = self._deal if record.kind == "deal" else self._table
        return self.signed(made(record, what, rng), by)

    def _deal(self, record: Record, what: str, rng: random.Random) -> Json:
        seat, version = rng.choice(SEATS), max(record.version, 1)
        payments = dict(zip(SEATS, rng.choice([(2, -1, -1), (-4, 2, 2), (3, -3, 0)]), strict=True))
        seq, kind = rng.randint(1, version), rng.choice(["revoke", "sneezed"])
        if what == "next" and record.typed < len(record.script):
            record.typed += 1
            return record.script[record.typed - 1]
        if what == "correct":
            return self._correction(record, rng)
        made: dict[str, Json] = {
            "next": {"type": "gap_noted"},
            "undo": {"type": "correction_made", "replaces": [seq], "reason": "not so", "with": []},
            "withdraw": {"type": "action_withdrawn", "of": seq},
            "ruling": {"type": "ruling_made", "text": "So be it.", "penalty": {seat: 1}},
            "settle": {"type": "deal_settled", "payments": payments},
            "irregular": {"type": "irregularity_noted", "seat": seat, "kind": kind},
            "slip": {"type": "result_recorded", "outcome": rng.choice(["won", "bete"]), "declarer": seat,
                     "contract": rng.choice(["solo", "simple", "play"])},
            "take over": {"type": "hand_taken_over", "seat": seat, "player": rng.choice(PEOPLE)},
            "close": {"type": "deal_closed", "payments": payments, "engine": "0.1.0"},
            "stray": {"type": "player_joined", "player": "Dora"},
        }  # fmt: skip
        note = {"type": "note_added", "text": f"{rng.randrange(100)} thought so.", "on": seq}
        return made.get(what, note)

    def _correction(self, record: Record, rng: random.Random) -> Json:
        """Another card, another hand, or the same again, in the place of an entry."""
        seq = rng.randint(1, max(record.version, 1))
        old = record.events[seq - 1] if record.events else {"type": "gap_noted"}
        bookkeeping = ("id", "seq", "stored_at", "recorded_by")
        instead = {name: value for name, value in old.items() if name not in bookkeeping}
        if "seat" in instead and rng.random() < 0.5:
            instead["seat"] = rng.choice(SEATS)
        if instead["type"] in ("correction_made", "deal_started", "deal_opened", "table_opened"):
            instead = {"type": "gap_noted"}
        return {"type": "correction_made", "replaces": [seq], "reason": "misheard", "with": [instead]}

    def _table(self, record: Record, what: str, rng: random.Random) -> Json:
        one, other = rng.sample(PEOPLE, 2)
        if what == "correct":
            return self._correction(record, rng)
        made: dict[str, Json] = {
            "join": {"type": "player_joined", "player": one},
            "leave": {"type": "player_left", "player": one},
            "seats": {"type": "seats_set", "players": rng.sample(PEOPLE, 3)},
            "pay": {"type": "payment_made", "from": one, "to": other, "amount": rng.randint(1, 9)},
            "penalty": {"type": "penalty_given", "player": one, "points": 2},
            "stray": {"type": "card_played", "seat": "forehand", "card": "SA"},
            "end": {"type": "table_closed"},
        }
        return made.get(what, {"type": "note_added", "text": f"{one} laughed."})
