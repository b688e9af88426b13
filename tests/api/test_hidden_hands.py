"""Over random deals, roles and addresses: no hidden card is in any byte of an answer, or follows from it.

Two cards that a caller cannot tell apart change places everywhere in the log. Whatever he asks of the two
worlds then is answered alike, to the byte. Ids and the clock are the same in both.
"""

import json
import random
import re
import uuid
from itertools import islice
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.club_rules import ClubRules
from service.evidence.notary import Notary
from service.identity.grants import Scope, Terms
from service.identity.register import Register
from service.live import Live
from service.recording import continue_deal
from service.store import ANY, EventStore, MemoryStore
from service.summaries import Summaries
from service.tables import start_deal
from tests.api.clients import of_app
from tests.api.recording import DEAL, PLAYERS, TABLE, Json, posted, recorded_table, some_deal
from tests.engine.annotated import annotated_deal, seen_by
from tests.engine.test_view import codes_in, swapped
from tests.slow import model

API = "/api/v1"
NOW = "2026-11-20T19:30:05.250Z"
HERE, THERE = f"{API}/deals/{DEAL}", f"{API}/tables/{TABLE}"
SEAT_OF_NAME = {name: seat for seat, name in PLAYERS.items()}

WHO: dict[str, tuple[Terms, set[str]]] = {
    "everybody": (Terms("viewer", Scope("table", TABLE), public=True), set()),
    "viewer": (Terms("viewer", Scope("deal", DEAL)), set()),
    "forehand": (Terms("player", Scope("deal", DEAL), seat="forehand"), {"forehand"}),
    "backhand": (Terms("player", Scope("deal", DEAL), seat="backhand"), {"backhand"}),
    "Bo at the table": (Terms("player", Scope("table", TABLE), person="Bo"), {"middlehand"}),
    "Eva, who does not play": (Terms("player", Scope("table", TABLE), person="Eva"), set()),
}

ASPECTS = ("state", "legal", "score", "findings", "replay")
ACCEPTED = (
    "application/json", "application/jsonl", "text/vnd.spadille.deal", "text/csv", "text/html",
    "image/svg+xml",
)  # fmt: skip


def worlds() -> tuple[Flask, Flask]:
    """Two applications whose stores are to be filled, with one register."""
    register = Register(clock=lambda: NOW)
    return create_app(register=register), create_app(register=register)


ONE, OTHER = worlds()
TOKENS = {who: of_app(ONE).register.make(terms).token for who, (terms, _) in WHO.items()}
OWNER = of_app(ONE).register.make(Terms("owner")).token


def filled(app: Flask, events: list[Json]) -> None:
    """Gives the application a store in which that is the first deal of a table."""
    store: EventStore = MemoryStore(lambda: NOW)
    recorded_table(store)
    named = [
        {**event, "id": str(uuid.uuid5(uuid.UUID(DEAL), str(number)))} for number, event in enumerate(events)
    ]
    opening = {**named[0], "id": DEAL, "table": TABLE, "number": 1}
    start_deal(store, store.describe(TABLE), 1, posted(opening))
    if len(named) > 1:
        rest = [posted(event) for event in named[1:]]
        continue_deal(store, store.describe(DEAL), ANY, rest, strict=False)
    serving = of_app(app)._replace(
        store=store,
        summaries=Summaries(),
        club_rules=ClubRules(store),
        live=Live(store),
        notary=Notary.in_memory(),
    )
    app.extensions["spadille"] = serving


def questions(events: list[Json], rng: random.Random) -> list[tuple[str, str, dict[str, Any]]]:
    """Method, address and the rest of requests: reading, guessing, adding."""
    length = len(events)
    at, known = rng.randint(1, length), rng.randint(1, length)
    queries = ["", f"?at={at}", f"?known={known}", f"?at={at}&known={length}", "?viewer=public", "?at=999"]
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", f"{HERE}/{aspect}{query}", {}) for aspect in ASPECTS for query in queries
    ]
    asked += [("GET", f"{HERE}/{aspect}?viewer={seat}", {}) for aspect in ASPECTS for seat in PLAYERS]
    logs = [f"{HERE}/events", f"{HERE}/events?after={at}&limit=3", f"{THERE}/events"]
    asked += [("GET", log, {"headers": {"Accept": accept}}) for log in logs for accept in ACCEPTED]
    asked += [
        (method, path, {"headers": headers})
        for path in (
            HERE, THERE, f"{API}/deals", f"{API}/tables", f"{HERE}/events.jsonl", f"{HERE}/events.deal",
            f"{HERE}/events.deal?bookkeeping=all", f"{THERE}/events.deal", f"{THERE}/ledger",
            f"{THERE}/ledger.csv", "/deals", f"/deals/{DEAL}", f"{API}/grants", f"{API}/session",
            f"{HERE}/events?viewer=all", f"{HERE}/state?viewer=all",
        )
        for method in ("GET", "HEAD")
        for headers in ({}, {"If-None-Match": f'"{length}"'}, {"Accept": "text/html"})
    ]  # fmt: skip
    asked += [
        ("GET", f"{path}{query}", {"headers": headers})
        for path in (f"{HERE}/live", f"{THERE}/live")
        for query in ("", "?viewer=public", "?viewer=all")
        for headers in ({}, {"Last-Event-ID": "1" if path == f"{HERE}/live" else f"{TABLE}:1"})
        if length > 1
    ]
    asked += [("GET", f"{THERE}/{rule}", {}) for rule in ("export.jsonl", "slips.csv", "slips.csv?lang=en")]
    asked += [
        ("GET", f"{HERE}/state.{form}{query}", {})
        for form, query in (("svg", ""), ("svg", f"?at={at}"), ("svg", "?viewer=backhand"), ("png", ""))
    ]
    # What is in the log, sent again as it is and in another's words, with the id that the cut log tells.
    picked = rng.sample(list(enumerate(events)), min(6, length))
    for number, event in picked:
        again = {**event, "id": str(uuid.uuid5(uuid.UUID(DEAL), str(number)))}
        for mode in ("", "?mode=strict"):
            asked.append(
                ("POST", f"{HERE}/events{mode}", {"json": again, "headers": {"If-Match": f'"{length}"'}})
            )
    note = {"type": "note_added", "text": "Well played.", "on": at}
    for number, mode in enumerate(("", "?mode=strict", "?mode=as_played")):
        sent = {**note, "id": str(uuid.uuid5(uuid.UUID(TABLE), str(number)))}
        asked.append(("POST", f"{HERE}/events{mode}", {"json": sent, "headers": {"If-Match": "*"}}))
        asked.append(("POST", f"{HERE}/events{mode}", {"json": [sent], "headers": {"If-Match": "*"}}))
    asked.append(("POST", f"{THERE}/deals", {"json": {"players": PLAYERS}, "headers": {"If-Match": '"2"'}}))
    asked += [("GET", f"{HERE}{rule}", {}) for rule in ("/state", "/events", "/replay")]
    return asked


def told(app: Flask, who: str | None, method: str, path: str, more: dict[str, Any]) -> tuple[Any, ...]:
    """Everything that is answered, but for the moment at which."""
    client = app.test_client(use_cookies=False)
    token = OWNER if who is None else TOKENS[who]
    headers = {**more.get("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
    answer = client.open(path, method=method, **{**more, "headers": headers})
    shown = sorted((name, value) for name, value in answer.headers if name not in ("Date", "X-Request-Id"))
    if answer.mimetype != "text/event-stream" or method == "HEAD":
        return answer.status_code, shown, answer.get_data()
    # What is there already comes at once; then it would wait for more.
    chunks = list(islice(answer.iter_encoded(), 2))
    answer.close()
    return answer.status_code, shown, b"".join(chunks)


@pytest.mark.parametrize("who", WHO)
@settings(max_examples=3)
@given(seed=st.integers(0, 10**6))
def test_no_hidden_card_is_told_or_betrayed(who: str, seed: int) -> None:
    rng = random.Random(seed)
    deal = annotated_deal(rng)
    events = deal[: rng.randint(1, len(deal))]
    events[0] = {**events[0], "players": {**events[0]["players"], **PLAYERS}}
    unseen = sorted(set(model.PACK) - seen_by(WHO[who][1], events))
    one, other = rng.sample(unseen, 2) if len(unseen) > 1 else ("SA", "SA")
    filled(ONE, events)
    filled(OTHER, swapped(events, one, other) if one != other else events)
    for method, path, more in questions(events, rng):
        told_of_one, told_of_other = (told(world, who, method, path, more) for world in (ONE, OTHER))
        where = f"{method} {path} {json.dumps(more)[:200]}: {one} and {other}"
        assert told_of_one == told_of_other, where
        assert told_of_one[0] < 500, where
        sent = codes_in(json.dumps(more)) if told_of_one[0] < 300 else set()
        # A picture is no text: two bytes of it may look like a card.
        text = "" if ".png" in path else told_of_one[2].decode()
        assert not (codes_in(text) - sent) & set(unseen), where
    # Salts and signatures differ, so proofs are only looked through.
    proof = json.loads(told(ONE, who, "GET", f"{HERE}/proof", {})[2])
    (stream,) = proof["streams"]
    assert len(stream["events"]) >= len(events)
    for event in stream["events"]:
        assert ("salt" in event) == ("body" in event) != ("commitment" in event)
        assert not codes_in(event.get("body", "")) & set(unseen)


def test_who_may_know_everything_does_see_the_difference() -> None:
    """The test above can fail: for the owner the two worlds do differ."""
    events = annotated_deal(random.Random(3))
    hands = [event for event in events if event["type"] == "hand_dealt"]
    one, other = hands[0]["cards"][0], hands[1]["cards"][0]
    filled(ONE, events)
    filled(OTHER, swapped(events, one, other))
    for path in (f"{HERE}/state?at=4", f"{HERE}/events", f"{HERE}/events.deal", f"{HERE}/replay"):
        assert told(ONE, None, "GET", path, {}) != told(OTHER, None, "GET", path, {}), path


@pytest.mark.parametrize("who", ["forehand", "Bo at the table"])
def test_a_player_sees_his_own_hand(who: str) -> None:
    events = some_deal()
    events[0] = {**events[0], "players": {**events[0]["players"], **PLAYERS}}
    filled(ONE, events)
    (seat,) = WHO[who][1]
    dealt = next(e for e in events if e["type"] == "hand_dealt" and e["seat"] == seat)
    body = told(ONE, who, "GET", f"{HERE}/events.jsonl", {})[2].decode()
    line = next(line for line in body.splitlines() if re.search(rf'"hand_dealt","seat":"{seat}"', line))
    assert json.loads(line)["cards"] == dealt["cards"]
