"""Shared by tests that use what the tests of seasons do."""

from typing import Any

from flask import Flask

from tests.support.api.clients import owner_of

Json = dict[str, Any]


API = "/api/v1"


class Club:
    """A club over HTTP, with the owner's eyes."""

    def __init__(self, app: Flask) -> None:
        self.client = owner_of(app)
        self.members = {
            name: self.post("/members", {"name": f"{name} Larsen", "short": name})["id"]
            for name in ("Anna", "Bo", "Carl", "Dora")
        }

    def post(self, path: str, body: Any, version: int | None = None) -> Json:
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        told = self.client.post(f"{API}{path}", json=body, headers=headers)
        assert told.status_code == 201, told.get_json()
        answer: Json = told.get_json()
        return answer

    def get(self, path: str) -> Json:
        told = self.client.get(f"{API}{path}")
        assert told.status_code == 200, told.get_json()
        answer: Json = told.get_json()
        return answer

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
