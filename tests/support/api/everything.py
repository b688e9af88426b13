"""A service that has a bit of everything."""

import re

from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import EventStore
from tests.support.api.asking import API, body_of, correction, send
from tests.support.api.clients import owner_of
from tests.support.api.club_rules import CLUB, OURS, WON, dearer, opening
from tests.support.api.recording import PLAYERS, recorded_deal, recorded_table

OTHER = "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e00"


def client_with_everything(store: EventStore) -> FlaskClient:
    """Rulesets, a table with deals, one of them corrected, deals alone and a variation."""
    client = owner_of(create_app(store))
    client.put(OURS, json=CLUB)
    client.put(OURS, json=dearer(9))
    recorded_deal(store)
    table = recorded_table(store)
    recorded_table(store, OTHER, ruleset="our-club", revision=1)
    events = ""
    for version, more in enumerate(({}, {"title": "The second"}), 1):
        started = send(client, f"tables/{table}/deals", {"players": PLAYERS, **more}, version)
        events = f"deals/{body_of(started, 201)['deal']}/events"
        send(client, events, WON, 1)
    send(client, events, correction(replaces=[2]), 2)
    alone = client.post(f"{API}/deals", json=[opening(title="Ærlig spil", revision=1), WON]).get_json()
    branch = {"deal": alone["deal"], "at": 1, "known": 2}
    body_of(client.post(f"{API}/deals", json=[opening(branch=branch), WON]), 201)
    return client


def bare(lines: str) -> list[str]:
    """Lines without who recorded them, and when this store stored them: tests of their own look at these."""
    signature = r'"(recorded_at|stored_at|recorded_by)":("[^"]*"|null)'
    return [re.sub(signature, r'"\1":""', line) for line in lines.splitlines()]
