"""Several applications over one store: what one of them erases is kept in no other's memory."""

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import EventStore, StoreUnavailable
from service.records.erase_person import forget, named_in
from tests.support.api.asking import API, body_of, send
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

TOLD = (f"{API}/deals", f"{API}/deals/{DEAL}", f"{API}/deals/{DEAL}/replay", f"{API}/deals/{DEAL}/events")


def told(client: FlaskClient) -> str:
    return "".join(client.get(path).text for path in (*TOLD, f"{API}/tables/{TABLE}", f"{API}/seasons"))


def test_a_name_that_another_process_erased_is_told_no_more(store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    here, there = owner_of(create_app(store)), owner_of(create_app(store))
    assert told(here).count("Anna") == told(there).count("Anna") > 4
    forget(store, named_in(store, "Anna", "N. N."))
    for client in (here, there):
        assert "Anna" not in told(client) and "N. N." in told(client)


def test_what_comes_after_is_judged_by_what_is_there_now(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    passed = [{"type": "bid_made", "seat": "forehand", "bid": "pass"}]
    body_of(send(client, f"deals/{DEAL}/events", passed, 1), 201)
    forget(store, named_in(store, "Anna", "N. N."))
    answer = send(client, f"deals/{DEAL}/events", passed, 2)
    assert answer.status_code == 201 and "Anna" not in answer.text


def test_while_the_store_fails_that_is_told_by_whoever_needs_it(
    client: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> int:
        raise StoreUnavailable("The disk is away.")

    monkeypatch.setattr(store, "head", fails)
    assert client.get(f"{API}/session").status_code == 200
