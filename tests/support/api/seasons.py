"""A club whose evenings are counted."""

from typing import Any

from flask import Flask

from tests.support.api.clients import Owner

Json = dict[str, Any]


API = "/api/v1"


class Club(Owner):
    """A club of four members."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.members = {
            name: self.post("/members", {"name": f"{name} Larsen", "short": name})["id"]
            for name in ("Anna", "Bo", "Carl", "Dora")
        }

    def evening(
        self, day: str, *results: Json, players: tuple[str, ...] = ("Anna", "Bo", "Carl"), **more: Any
    ) -> str:
        """The id of a table that was opened on a day, with deals of these results."""
        named = [self.members.get(name, name) for name in players]
        opening = {"ruleset": "dlu", "players": named, "recorded_at": f"{day}T19:00:00Z", **more}
        table = str(self.post("/tables", opening)["table"])
        for version, result in enumerate(results, 1):
            deal = self.post(f"/tables/{table}/deals", {}, version)["deal"]
            self.post(f"/deals/{deal}/events", {"type": "result_recorded", **result}, 1)
        return table


SOLO = {"declarer": "forehand", "contract": "solo", "trump": "H", "outcome": "won"}


FOUR = ("Anna", "Bo", "Carl", "Dora")


LOST = {"declarer": "middlehand", "contract": "simple", "trump": "C", "outcome": "codille"}
