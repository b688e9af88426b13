"""A club whose evenings are counted."""

from typing import Any

from flask import Flask

from tests.support.api.asking import Json
from tests.support.api.clients import Owner

SOLO = {"declarer": "forehand", "contract": "solo", "trump": "H", "outcome": "won"}
LOST = {"declarer": "middlehand", "contract": "simple", "trump": "C", "outcome": "codille"}
FOUR = ("Anna", "Bo", "Carl", "Dora")


class Club(Owner):
    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        named = [{"name": f"{name} Larsen", "short": name} for name in FOUR]
        self.members = {one["short"]: self.post("/members", one)["id"] for one in named}

    def evening(self, day: str, *results: Json, players: tuple[str, ...] = FOUR[:3], **more: Any) -> str:
        """The id of a table that was opened on a day, with deals of these results."""
        named = [self.members.get(name, name) for name in players]
        opening = {"ruleset": "dlu", "players": named, "recorded_at": f"{day}T19:00:00Z", **more}
        table = str(self.post("/tables", opening)["table"])
        for version, result in enumerate(results, 1):
            deal = self.post(f"/tables/{table}/deals", {}, version)["deal"]
            self.post(f"/deals/{deal}/events", {"type": "result_recorded", **result}, 1)
        return table
