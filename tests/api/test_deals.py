"""Recording deals over HTTP: opening, appending, repeats, versions, reading back."""

import threading

import orjson
import pytest
from flask.testing import FlaskClient

from schemas.events import EventSchema
from schemas.reader import read_entry
from service.app import create_app
from service.store import EventStore, MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.deals import ADDRESS, EVENTS, append, opened
from tests.support.api.recording import DEAL, OPENING, TABLE, Json, recorded_deal, recorded_table, some_deal

NOTE_ID = "018f5e2b-0000-7000-8000-000000000001"
NOTE = {"type": "note_added", "text": "Well played.", "id": NOTE_ID}
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}


# Opening


def test_a_deal_is_opened_under_the_id_of_its_opening(client: FlaskClient) -> None:
    answer = opened(client)
    assert answer.status_code == 201
    assert answer.headers["Location"] == ADDRESS
    assert answer.headers["ETag"] == '"1"'
    assert {**answer.get_json(), "events": None} == {
        "deal": DEAL,
        "version": 1,
        "events": None,
        "findings": answer.get_json()["findings"],
    }
    (event,) = answer.get_json()["events"]
    assert (event["id"], event["seq"]) == (DEAL, 1)
    assert event["stored_at"].endswith("Z")
    assert client.get(ADDRESS).headers["ETag"].startswith('"1-')


def test_an_opening_may_leave_out_its_id(client: FlaskClient) -> None:
    opening = {"type": "deal_opened", "ruleset": "dlu", "players": OPENING["players"]}
    answer = client.post("/api/v1/deals", json=opening)
    assert answer.status_code == 201
    deal = answer.get_json()["deal"]
    assert deal[14] == "7"
    assert client.get(f"/api/v1/deals/{deal.upper()}").status_code == 200


def test_an_opening_names_its_type_as_the_contract_requires(client: FlaskClient) -> None:
    answer = client.post("/api/v1/deals", json={"ruleset": "dlu", "players": OPENING["players"]})
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["pointer"] == "/type"


def test_an_opening_sent_twice_is_one_deal(client: FlaskClient) -> None:
    first, again = opened(client), opened(client)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_json() == first.get_json()
    assert len(client.get("/api/v1/deals").get_json()["deals"]) == 1


def test_another_opening_under_a_taken_id_is_refused(client: FlaskClient) -> None:
    opened(client)
    answer = client.post("/api/v1/deals", json={**OPENING, "id": DEAL, "title": "Another"})
    assert answer.status_code == 409
    assert answer.get_json()["type"] == "/problems/id-conflict"


def test_the_id_of_a_table_is_no_id_for_a_deal(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    answer = client.post("/api/v1/deals", json={**OPENING, "id": TABLE})
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/id-conflict")


@pytest.mark.parametrize("content_type", ["application/json", "application/jsonl", "application/x-ndjson"])
def test_a_whole_deal_is_recorded_at_once(client: FlaskClient, content_type: str) -> None:
    deal = some_deal()
    as_list = content_type == "application/json"
    body = orjson.dumps(deal) if as_list else b"\n".join(orjson.dumps(event) for event in deal) + b"\n\n"
    answer = client.post("/api/v1/deals", data=body, content_type=content_type)
    assert answer.status_code == 201
    assert answer.get_json()["version"] == len(deal)
    assert [finding["severity"] for finding in answer.get_json()["findings"]] == []
    stored = client.get(answer.headers["Location"] + "/events").get_json()["events"]
    bare = [{name: event[name] for name in sent} for event, sent in zip(stored, deal, strict=True)]
    assert bare == deal


def test_a_deal_begins_with_its_opening(client: FlaskClient) -> None:
    answer = client.post("/api/v1/deals", json=[BID, OPENING])
    assert answer.status_code == 422
    assert answer.get_json()["errors"] == [
        {"pointer": "/0", "detail": "A deal begins with deal_opened, not with bid_made."}
    ]


# Appending


def test_an_event_is_appended_at_the_version_that_is_named(client: FlaskClient) -> None:
    opened(client)
    answer = append(client, BID, 1)
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"2"')
    assert answer.get_json()["version"] == 2
    assert [event["type"] for event in answer.get_json()["events"]] == ["bid_made"]


def test_a_stale_version_is_refused_and_told_the_current_one(client: FlaskClient) -> None:
    opened(client)
    append(client, BID, 1)
    answer = append(client, {**BID, "seat": "middlehand", "bid": "pass"}, 1)
    assert (answer.status_code, answer.headers["ETag"]) == (412, '"2"')
    assert answer.get_json()["type"] == "/problems/stale-version"
    assert answer.get_json()["version"] == 2
    assert client.get(ADDRESS).get_json()["version"] == 2


@pytest.mark.parametrize("version", ['W/"1"', '"abc"', '"0", "7"'])
def test_a_tag_that_is_not_the_current_version_is_stale(client: FlaskClient, version: str) -> None:
    opened(client)
    assert append(client, BID, version).status_code == 412


def test_of_several_tags_the_current_one_counts(client: FlaskClient) -> None:
    opened(client)
    assert append(client, BID, '"9", W/"2", "1"').status_code == 201


@pytest.mark.parametrize("version", ["1", '"1', "", '"1" "2"', "*, *"])
def test_a_header_that_is_no_tag_is_refused(client: FlaskClient, version: str) -> None:
    opened(client)
    answer = append(client, BID, version)
    assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/malformed-header")


def test_without_a_version_nothing_is_appended(client: FlaskClient) -> None:
    opened(client)
    answer = client.post(EVENTS, json=BID)
    assert (answer.status_code, answer.get_json()["type"]) == (428, "/problems/version-required")
    assert client.get(ADDRESS).get_json()["version"] == 1


@pytest.mark.parametrize(
    "event",
    [
        NOTE,
        {"type": "irregularity_noted", "seat": "backhand", "kind": "slow"},
        {"type": "ruling_made", "text": "The card stands."},
        {"type": "deal_settled", "payments": {"Anna": 2, "Bo": -1, "Carl": -1}},
    ],
)
def test_what_may_come_at_any_time_needs_no_version(client: FlaskClient, event: Json) -> None:
    opened(client)
    append(client, BID, 1)
    assert append(client, event, "*").status_code == 201


@pytest.mark.parametrize("events", [BID, [NOTE, BID]])
def test_what_was_decided_on_a_version_has_to_name_it(client: FlaskClient, events: Json | list[Json]) -> None:
    opened(client)
    answer = append(client, events, "*")
    assert (answer.status_code, answer.get_json()["type"]) == (428, "/problems/version-required")


def test_a_repeat_is_answered_with_what_is_stored(client: FlaskClient) -> None:
    opened(client)
    first = append(client, NOTE, 1)
    append(client, BID, 2)
    for version in (1, 3, "*", '"abc"'):
        again = append(client, NOTE, version)
        assert (again.status_code, again.get_json()["events"]) == (200, first.get_json()["events"])
        assert (again.get_json()["version"], again.headers["ETag"]) == (3, '"3"')  # the record's, now
    assert client.get(ADDRESS).get_json()["version"] == 3


def test_a_repeat_is_known_by_what_its_writer_said_alone(client: FlaskClient) -> None:
    opened(client)
    first = append(client, NOTE, 1)
    stored = first.get_json()["events"][0]
    assert append(client, stored, 1).status_code == 200


def test_the_same_id_with_another_body_is_a_conflict_at_whatever_version(client: FlaskClient) -> None:
    opened(client)
    append(client, NOTE, 1)
    for version in (1, 2, "*"):
        answer = append(client, {**NOTE, "text": "Badly played."}, version)
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/id-conflict")
        assert answer.get_json()["seq"] == 2


def test_of_a_batch_whose_beginning_is_stored_the_rest_is_appended(client: FlaskClient) -> None:
    opened(client)
    append(client, NOTE, 1)
    batch = [NOTE, {**BID, "id": "018f5e2b-0000-7000-8000-000000000002"}]
    answer = append(client, batch, 1)
    assert answer.status_code == 201
    assert [event["seq"] for event in answer.get_json()["events"]] == [2, 3]
    assert append(client, batch, 1).status_code == 200


def test_a_batch_is_stored_whole_or_not_at_all(client: FlaskClient) -> None:
    opened(client)
    answer = append(client, [BID, {**BID, "seat": "nobody"}, {"type": "bid_mad"}, 7], 1)
    assert answer.status_code == 422
    pointers = [error["pointer"] for error in answer.get_json()["errors"]]
    assert pointers == ["/1/seat", "/2/type", "/3"]
    assert client.get(ADDRESS).get_json()["version"] == 1


def test_a_batch_has_at_most_so_many_events(client: FlaskClient) -> None:
    opened(client)
    assert append(client, [{"type": "gap_noted"}] * 500, 1).status_code == 201
    answer = append(client, [{"type": "gap_noted"}] * 501, 501)
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/too-large")
    assert append(client, [], 501).status_code == 422


def test_a_seq_that_is_sent_has_to_fit(client: FlaskClient) -> None:
    opened(client)
    assert append(client, {**BID, "seq": 2}, 1).status_code == 201
    answer = append(client, [{"type": "gap_noted"}, {"type": "gap_noted", "seq": 7}], 2)
    assert answer.status_code == 422
    (error,) = answer.get_json()["errors"]
    assert error["pointer"] == "/1/seq"
    assert client.get(ADDRESS).get_json()["version"] == 2


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (OPENING, "deal_opened opens a new deal"),
        ({"type": "table_closed"}, "table_closed belongs to a table"),
        ({"type": "deal_started", "deal": DEAL, "number": 1}, "started by sending its opening"),
        (
            {"type": "correction_made", "reason": "?", "with": [{"type": "table_closed"}]},
            "table_closed belongs to a table",
        ),
    ],
)
def test_what_belongs_elsewhere_is_refused(client: FlaskClient, event: Json, says: str) -> None:
    opened(client)
    answer = append(client, event, 1)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/wrong-stream")
    assert says in answer.get_json()["detail"]


def test_the_opening_itself_can_be_corrected(client: FlaskClient) -> None:
    opened(client)
    better = {**OPENING, "title": "Better"}
    append(client, {"type": "correction_made", "replaces": [1], "reason": "title", "with": [better]}, 1)
    assert client.get(ADDRESS).get_json()["title"] == "Better"


def test_the_answer_says_what_is_found_at_the_events_and_what_they_show(client: FlaskClient) -> None:
    opened(client)
    append(client, [BID, {**BID, "seat": "middlehand", "bid": "pass"}], 1)
    answer = append(client, {**BID, "seat": "backhand", "bid": "simple"}, 3)
    found = {(finding["seq"], finding["code"]) for finding in answer.get_json()["findings"]}
    assert (4, "bid_too_low") in found
    seqs = {4}
    assert all(seqs & {f["seq"], *f["evidence"]} for f in answer.get_json()["findings"])


def test_of_many_who_append_to_one_version_one_wins() -> None:
    store = MemoryStore()
    recorded_deal(store, [OPENING])
    app = create_app(store)
    statuses: list[int] = []

    def race() -> None:
        statuses.append(append(owner_of(app), {"type": "gap_noted"}, 1).status_code)

    racers = [threading.Thread(target=race) for _ in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert sorted(statuses) == [201] + [412] * 7


# Reading back


def test_what_is_served_is_what_is_stored_and_what_the_schema_dumps(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store)
    stored = [event.body for event in store.read(DEAL)]
    lines = client.get(f"{EVENTS}.jsonl").data.splitlines()
    assert lines == stored
    entries = [read_entry(orjson.loads(line), seq) for seq, line in enumerate(lines, 1)]
    assert lines == [orjson.dumps(EventSchema().dump(entry)) for entry in entries]
    assert client.get(EVENTS).get_json()["events"] == [orjson.loads(line) for line in lines]


@pytest.mark.parametrize("accept", ["application/jsonl", "application/x-ndjson, application/json;q=0.5"])
def test_a_log_comes_as_lines_to_whoever_asks_for_them(
    client: FlaskClient, store: EventStore, accept: str
) -> None:
    recorded_deal(store)
    answer = client.get(EVENTS, headers={"Accept": accept})
    assert answer.content_type == "application/jsonl"
    assert answer.headers["Vary"] == "Accept, Authorization, Cookie"
    assert answer.data == client.get(f"{EVENTS}.jsonl").data


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html", "application/jsonl;q=0"])
def test_a_log_comes_as_json_to_everybody_else(client: FlaskClient, store: EventStore, accept: str) -> None:
    recorded_deal(store)
    assert client.get(EVENTS, headers={"Accept": accept}).content_type == "application/json"


def test_pages_of_a_log_lead_to_its_end(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store)
    version = store.version(DEAL)
    seqs: list[int] = []
    address: str | None = f"{EVENTS}?limit=7"
    while address:
        answer = client.get(address)
        page = answer.get_json()
        assert len(page["events"]) <= 7
        assert page["version"] == version
        seqs += [event["seq"] for event in page["events"]]
        address = page.get("next")
        assert ("Link" in answer.headers) == (address is not None)
        assert address is None or answer.headers["Link"] == f'<{address}>; rel="next"'
    assert seqs == list(range(1, version + 1))


def test_lines_begin_and_end_where_they_are_asked_to(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store)
    lines = client.get(f"{EVENTS}.jsonl?after=3&limit=2").data.splitlines()
    assert [orjson.loads(line)["seq"] for line in lines] == [4, 5]
    assert client.get(f"{EVENTS}.jsonl?after=10000").data == b""
    pages, address = list[bytes](), f"{EVENTS}.jsonl?limit=7"
    while address:
        answer = client.get(address)
        pages += answer.data.splitlines()
        address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert pages == client.get(f"{EVENTS}.jsonl").data.splitlines()


def test_a_log_that_has_not_changed_is_not_sent_again(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    tag = client.get(EVENTS).headers["ETag"]
    assert client.get(EVENTS, headers={"If-None-Match": tag}).status_code == 304
    append(client, NOTE, "*")
    assert client.get(EVENTS, headers={"If-None-Match": tag}).status_code == 200


def test_pages_of_deals_lead_to_the_last(client: FlaskClient, store: EventStore) -> None:
    made = [recorded_deal(store, [OPENING], f"018f5e2a-7b1c-7d3e-9f40-{n:012}") for n in range(7)]
    found: list[str] = []
    address: str | None = "/api/v1/deals?limit=3"
    while address:
        page = client.get(address).get_json()
        found += [deal["id"] for deal in page["deals"]]
        address = page.get("next")
    assert found == made


def test_a_summary_says_how_the_deal_came_out(client: FlaskClient, store: EventStore) -> None:
    slip = {"type": "result_recorded", "declarer": "middlehand", "contract": "solo", "trump": "H",
            "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2}}  # fmt: skip
    recorded_deal(store, [OPENING, slip])
    deal = client.get(ADDRESS).get_json()
    assert deal["score"]["payments"] == {"forehand": -3, "middlehand": 6, "backhand": -3}
    assert (deal["version"], deal["closed"], deal["table"]) == (2, False, None)
    for name, link in deal["links"].items():
        assert client.get(link).status_code == 200, name


@pytest.mark.parametrize("path", ["", "/events", "/events.jsonl", "/state", "/replay"])
@pytest.mark.parametrize("deal", [DEAL, TABLE, "nonsense"])
def test_a_deal_that_is_not_there_is_told(
    client: FlaskClient, store: EventStore, path: str, deal: str
) -> None:
    recorded_table(store)
    answer = client.get(f"/api/v1/deals/{deal}{path}")
    assert answer.status_code == 404
    kind = "not-found" if deal == "nonsense" else "unknown-deal"
    assert answer.get_json()["type"] == f"/problems/{kind}"
