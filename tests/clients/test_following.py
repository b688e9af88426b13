"""A browser that follows a deal opens further links and loses what it held: it has what it may know now."""

from __future__ import annotations

from typing import Any

import pytest

from service.auth.grants import Scope, Terms
from tests.clients.client import Client, Follower
from tests.clients.house import House
from tests.clients.model import Grant, Holder, Record
from tests.clients.writing import SEATS, script_of

DEAL = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"


@pytest.fixture
def deal(owner: Client) -> Record:
    first, *rest = script_of(1)
    assert owner.post("/deals", [{**first, "id": DEAL}, *rest]).status_code == 201
    return Record(DEAL, DEAL, "deal", [first, *rest])


def given(house: House, browser: Client, role: Any, seat: str | None = None) -> str:
    """The grant of a link to the deal that the browser opens."""
    made = house.register.make(Terms(role, Scope("deal", DEAL), seat=seat))
    browser.open_link(made.token or "", Grant(role))
    return made.grant.id


def hands_heard(follower: Follower, version: int) -> set[str]:
    """The seats whose dealt hand the follower has seen, once it has heard the record up to a version."""
    assert follower.connect([]) == 200
    follower.hear({DEAL: version})
    log = follower.has.logs[DEAL]
    return {one["seat"] for one in log if one["type"] == "hand_dealt" and "??" not in one["cards"]}


def test_it_is_told_again_what_it_may_know_now(house: House, owner: Client, deal: Record) -> None:
    browser = Client(house.app, "a browser", Holder(browser=True))
    given(house, browser, "viewer")
    follower = Follower(browser, deal, False)
    assert hands_heard(follower, deal.version) == set()
    given(house, browser, "player", "backhand")
    assert follower.ends(), "the session that it followed with has ended"
    browser.post(f"/deals/{DEAL}/events", {"type": "note_added", "text": "My hand!"}, "*")
    assert hands_heard(follower, deal.version + 1) == {"backhand"}
    recorder = given(house, browser, "recorder")
    assert hands_heard(follower, deal.version + 1) == set(SEATS)
    assert owner.http.delete(f"/api/v1/grants/{recorder}").status_code == 200
    assert follower.ends()
    owner.post(f"/deals/{DEAL}/events", {"type": "note_added", "text": "Gone."}, "*")
    assert hands_heard(follower, deal.version + 2) == {"backhand"}


def test_where_nothing_is_hidden_it_hears_nothing_twice(house: House, owner: Client) -> None:
    opening = {"type": "deal_opened", "id": DEAL, "ruleset": "dlu", "players": script_of(1)[0]["players"]}
    slip = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    owner.post("/deals", [opening, slip])
    house.register.make(Terms("viewer", Scope("deal", DEAL), public=True))
    follower = Follower(Client(house.app, "everybody", Holder()), Record(DEAL, DEAL, "deal"), False)
    for version in (2, 3, 4):
        hands_heard(follower, version)
        assert follower.has.resets == 0
        owner.post(f"/deals/{DEAL}/events", {"type": "ruling_made", "text": "So be it."}, "*")
