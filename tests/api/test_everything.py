"""All of a store as one file: streamed to its owner, and the same again in an empty store."""

import re
from typing import Any, NoReturn

import orjson
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.exporting import lines_of_all
from service.store import EventReader, EventStore, MemoryStore, StoreDamaged, StoredEvent
from tests.support.api.clients import of_app, owner_of
from tests.support.api.club_rules import CLUB, OURS, WON, dearer, opening
from tests.support.api.everything import API, bare, filled
from tests.support.api.recording import PLAYERS, posted, recorded_deal, recorded_table

ALL = f"{API}/export.jsonl"
PUBLISHED = "ruleset_published"


def answers(client: FlaskClient) -> dict[str, Any]:
    """What is told of all that is there, but for when it was stored."""
    told: dict[str, Any] = {}
    for kind in ("tables", "deals"):
        for one in client.get(f"{API}/{kind}").get_json()[kind]:
            told[one["links"]["self"]] = {**one, "recorded_at": "", "opened_at": "", "changed_at": ""}
            if kind == "tables":
                told[one["links"]["ledger"]] = client.get(one["links"]["ledger"]).get_json()
    return told


def test_import_into_an_empty_store_gives_the_same(store: EventStore) -> None:
    client = filled(store)
    lines = client.get(ALL).text
    empty = MemoryStore()
    other = owner_of(create_app(empty))
    done = other.post(f"{API}/import", data=lines, content_type="application/jsonl")
    told = done.get_json()
    assert (done.status_code, told["problems"]) == (200, [])
    assert [(one["id"], one["revision"], one["new"]) for one in told["rulesets"]] == [
        ("our-club", 1, True), ("our-club", 2, True),
    ]  # fmt: skip
    assert [one["detail"] for one in told["records"]] == [None] * 7
    assert bare(other.get(ALL).text) == bare(lines)
    assert answers(other) == answers(client)
    assert empty.head() == store.head()


def test_when_it_was_recorded_comes_along(store: EventStore) -> None:
    told = [orjson.loads(line) for line in filled(store).get(ALL).text.splitlines()]
    then = {one["id"]: one["recorded_at"] or one["stored_at"] for one in told if one["type"] != PUBLISHED}
    later = MemoryStore(lambda: "2099-01-01T00:00:00.000Z")
    other = owner_of(create_app(later))
    lines = b"".join(orjson.dumps(one) + b"\n" for one in told)
    for _ in range(2):
        # By way of a third store, too: what is exported again still knows it.
        done = other.post(f"{API}/import", data=lines, content_type="application/jsonl")
        assert [one["detail"] for one in done.get_json()["records"]] == [None] * 7
        lines = other.get(ALL).data
        found = [one for one in map(orjson.loads, lines.splitlines()) if one["type"] != PUBLISHED]
        assert {one["id"]: one["recorded_at"] for one in found} == then
        assert {one["stored_at"] for one in found} == {"2099-01-01T00:00:00.000Z"}
        (first, *_) = other.get(f"{API}/deals").get_json()["deals"]
        assert (first["recorded_at"], first["opened_at"]) == (then[first["id"]], "2099-01-01T00:00:00.000Z")
        other = owner_of(create_app(MemoryStore(lambda: "2099-01-01T00:00:00.000Z")))


def test_what_came_by_way_of_another_store_is_still_the_same(store: EventStore) -> None:
    client = filled(store)
    other = owner_of(create_app(MemoryStore()))
    other.post(f"{API}/import", data=client.get(ALL).data, content_type="application/jsonl")
    back = client.post(f"{API}/import", data=other.get(ALL).data, content_type="application/jsonl").get_json()
    assert {(one["new"], one["detail"]) for one in (*back["records"], *back["rulesets"])} == {(0, None)}


def test_its_own_export_again_adds_nothing(store: EventStore) -> None:
    client = filled(store)
    before = store.head()
    again = client.post(f"{API}/import", data=client.get(ALL).data, content_type="application/jsonl")
    told = again.get_json()
    assert {one["new"] for one in (*told["records"], *told["rulesets"])} == {0}
    assert store.head() == before


def test_the_order_is_rules_tables_with_their_deals_then_deals_alone(store: EventStore) -> None:
    types = re.findall(
        r'^\{"type":"(ruleset_published|table_opened|deal_opened)"', filled(store).get(ALL).text, re.M
    )
    assert (
        types
        == ["ruleset_published"] * 2
        + ["table_opened"]
        + ["deal_opened"] * 2
        + ["table_opened"]
        + ["deal_opened"] * 3
    )


def test_it_is_as_it_stood_when_it_began(store: EventStore) -> None:
    client = filled(store)
    before = list(lines_of_all(store))
    reading = lines_of_all(store)
    got = [next(reading)]
    started = client.post(f"{API}/deals", json=[opening(revision=1), WON])
    assert started.status_code == 201
    recorded_table(store, "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e01")
    assert [*got, *reading] == before


def test_it_is_read_as_it_is_sent(store: EventStore) -> None:
    client = filled(store)
    asked: list[str] = []
    real = of_app(client.application).store

    class Counted:
        """The store, noting which streams are read."""

        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

        def read(self, stream: str, *more: Any, **named: Any) -> Any:
            asked.append(stream)
            return real.read(stream, *more, **named)

    counted: EventReader = Counted()
    reading = lines_of_all(counted)
    for _ in range(3):
        next(reading)
    assert len(set(asked)) == 2, "rulesets and the first table: the rest is not read before it is asked for"


def test_it_is_for_the_owner_and_never_kept(store: EventStore) -> None:
    client = filled(store)
    answer = client.get(ALL)
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/jsonl", "no-store")
    assert not answer.is_streamed or answer.headers.get("Content-Length") is None
    assert client.application.test_client().get(ALL).status_code == 401


def test_a_file_of_rulesets_alone_is_imported_and_a_bad_one_spoils_nothing(client: FlaskClient) -> None:
    bad = '{"type":"ruleset_published","ruleset":{"id":"our-club","based_on":"whist"}}'
    good = (
        '{"type":"ruleset_published","ruleset":{"id":"two","based_on":"dlu","words":{"en":"Two","da":"To"}}}'
    )
    told = client.post(f"{API}/import", data=f"{bad}\n{good}\n", content_type="application/jsonl").get_json()
    assert [one["id"] for one in told["rulesets"]] == ["two"]
    (problem,) = told["problems"]
    assert (problem["line"], problem["column"], problem["pointer"]) == (1, 67, "/ruleset/based_on")
    assert problem["expected"].startswith("the id of a ruleset")
    assert client.get(f"{API}/rulesets/two").status_code == 200


def test_another_ruleset_under_a_revision_that_is_there_is_told_and_spoils_nothing(
    client: FlaskClient,
) -> None:
    client.put(OURS, json=CLUB)
    line = {"type": "ruleset_published", "ruleset": {"id": "our-club", **dearer(9)}}
    told = client.post(f"{API}/import", json=[line, opening(), WON]).get_json()
    assert told["rulesets"][0]["detail"].startswith("Revision 1 of our-club is there already")
    assert [one["detail"] for one in told["records"]] == [None]


def test_what_is_only_judged_is_judged_by_the_rulesets_in_the_file(client: FlaskClient) -> None:
    line = {"type": "ruleset_published", "ruleset": {"id": "our-club", **CLUB}}
    (score,) = client.post(f"{API}/score", json=[line, opening(), WON]).get_json()["scores"]
    assert score["payments"]["forehand"] == 8
    assert client.get(OURS).status_code == 404


def test_a_recorder_imports_no_rules(store: EventStore) -> None:
    from service.identity.grants import Terms
    from tests.support.api.clients import holding

    line = {"type": "ruleset_published", "ruleset": {"id": "our-club", **CLUB}}
    app = create_app(store)
    refused = holding(app, Terms("recorder")).post(f"{API}/import", json=[opening(), WON, line])
    assert refused.status_code == 403
    assert store.head() == 0
    assert posted(opening()).reading.event is not None


def test_what_is_damaged_is_a_problem_and_no_answer_that_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    client = owner_of(create_app(store))
    recorded_table(store)
    recorded_deal(store)

    def damaged(*_: object, **__: object) -> NoReturn:
        raise StoreDamaged("Event 1 is not as it was recorded.")

    tables = client.get(f"{API}/tables").get_json()["tables"]
    monkeypatch.setattr(store, "read", damaged)
    for address in (ALL, f"{tables[0]['links']['self']}/export.jsonl"):
        answer = client.get(address)
        assert (answer.status_code, answer.get_json()["type"]) == (500, "/problems/store-damaged"), address


def test_a_record_is_read_whole_before_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is damaged behind the first page, or in a table's last deal, is a problem just as well."""
    store = MemoryStore()
    client = owner_of(create_app(store))
    table = recorded_table(store)
    started = client.post(
        f"{API}/tables/{table}/deals", json={"players": PLAYERS}, headers={"If-Match": '"1"'}
    )
    deal = started.get_json()["deal"]
    notes = [{"type": "note_added", "text": str(number)} for number in range(200)]
    for _ in range(6):
        sent = client.post(f"{API}/deals/{deal}/events", json=notes, headers={"If-Match": "*"})
        assert sent.status_code == 201
    read = store.read

    def damaged(stream: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        if stream == deal and after + limit > 1100:
            raise StoreDamaged("Event 1100 is not as it was recorded.")
        return read(stream, after, limit)

    monkeypatch.setattr(store, "read", damaged)
    assert client.get(f"{API}/deals/{deal}/events?limit=5").status_code == 200
    for address in (f"{API}/deals/{deal}/events.jsonl", f"{API}/tables/{table}/export.jsonl"):
        answer = client.get(address)
        assert (answer.status_code, answer.content_type) == (500, "application/problem+json"), address
