"""A browser that follows a deal opens further links and loses what it held: it has what it may know now."""

from __future__ import annotations

from typing import Any

import pytest

from service.auth.grants import Scope, Terms
from tests.clients.client import Client, Follower
from tests.clients.house import House
from tests.clients.model import Grant, Holder, Record
from tests.clients.writing import script_of

DEAL = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"


def link(house: House, **terms: Any) -> str:
    """The token of a link to the deal."""
    made = house.register.make(Terms(scope=Scope("deal", DEAL), **terms))
    assert made.token is not None
    return made.token


def hands_in(log: list[dict[str, Any]]) -> dict[str, bool]:
    """Of which seats the hand that was dealt is known."""
    return {one["seat"]: "??" not in one["cards"] for one in log if one["type"] == "hand_dealt"}


@pytest.fixture
def deal(owner: Client) -> Record:
    first, *rest = script_of(1)
    assert owner.post("/deals", [{**first, "id": DEAL}, *rest]).status_code == 201
    return Record(DEAL, DEAL, "deal", [first, *rest])


def test_it_is_told_again_what_a_further_link_shows(house: House, deal: Record) -> None:
    browser = Client(house.app, "a browser", Holder(browser=True))
    browser.open_link(link(house, role="viewer"), Grant("viewer"))
    follower = Follower(browser, deal, False)
    assert follower.connect([]) == 200
    follower.hear({DEAL: deal.version})
    assert hands_in(follower.has.logs[DEAL]) == {"forehand": False, "middlehand": False, "backhand": False}
    browser.open_link(link(house, role="player", seat="backhand"), Grant("player"))
    assert follower.ends(), "what the session was is no more"
    assert follower.connect([]) == 200
    browser.post(f"/deals/{DEAL}/events", {"type": "note_added", "text": "My hand!"}, "*")
    follower.hear({DEAL: deal.version + 1})
    assert hands_in(follower.has.logs[DEAL]) == {"forehand": False, "middlehand": False, "backhand": True}
    browser.open_link(link(house, role="recorder"), Grant("recorder"))
    assert follower.connect([]) == 200
    browser.post(f"/deals/{DEAL}/events", {"type": "note_added", "text": "All hands!"}, "*")
    follower.hear({DEAL: deal.version + 2})
    assert hands_in(follower.has.logs[DEAL]) == {"forehand": True, "middlehand": True, "backhand": True}


def test_it_is_told_again_where_it_may_know_less_than_it_did(
    house: House, owner: Client, deal: Record
) -> None:
    browser = Client(house.app, "a browser", Holder(browser=True))
    browser.open_link(link(house, role="viewer"), Grant("viewer"))
    seat = house.register.make(Terms("player", Scope("deal", DEAL), seat="forehand"))
    assert seat.token is not None
    browser.open_link(seat.token, Grant("player"))
    follower = Follower(browser, deal, False)
    follower.connect([])
    follower.hear({DEAL: deal.version})
    assert hands_in(follower.has.logs[DEAL])["forehand"]
    assert owner.http.delete(f"/api/v1/grants/{seat.grant.id}").status_code == 200
    assert follower.ends()
    follower.connect([])
    owner.post(f"/deals/{DEAL}/events", {"type": "note_added", "text": "He has gone."}, "*")
    follower.hear({DEAL: deal.version + 1})
    assert not hands_in(follower.has.logs[DEAL])["forehand"]


def test_where_nothing_is_hidden_it_hears_nothing_twice(house: House, owner: Client) -> None:
    opening = {"type": "deal_opened", "id": DEAL, "ruleset": "dlu", "players": script_of(1)[0]["players"]}
    slip = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    owner.post("/deals", [opening, slip])
    house.register.make(Terms("viewer", Scope("deal", DEAL), public=True))
    everybody = Client(house.app, "everybody", Holder())
    follower = Follower(everybody, Record(DEAL, DEAL, "deal"), False)
    for version in (2, 3, 4):
        follower.connect([])
        follower.hear({DEAL: version})
        assert follower.has.resets == 0
        owner.post(f"/deals/{DEAL}/events", {"type": "ruling_made", "text": "So be it."}, "*")
