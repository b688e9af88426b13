"""Recording deals over HTTP: opening, appending, repeats, versions, reading back."""

import orjson
import pytest
from flask.testing import FlaskClient

from schemas.wire.events import EventSchema
from schemas.wire.jsonlines import ENTRIES
from schemas.wire.reader import read_entry
from service.eventstore import EventStore
from tests.support.api.asking import API, body_of, correction, problem, told
from tests.support.api.deals import ADDRESS, EVENTS, append, opened
from tests.support.api.recording import DEAL, OPENING, TABLE, Json, recorded_deal, recorded_table, some_deal

NOTE = {"type": "note_added", "text": "Well played.", "id": "018f5e2b-0000-7000-8000-000000000001"}
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}


@pytest.fixture
def begun(client: FlaskClient) -> FlaskClient:
    """A client of a service with a deal that is opened and no more."""
    assert opened(client).status_code == 201
    return client


@pytest.fixture
def played(client: FlaskClient, store: EventStore) -> FlaskClient:
    """A client of a service with a whole deal."""
    recorded_deal(store)
    return client


# Opening


def test_a_deal_is_opened_once_under_the_id_of_its_opening(client: FlaskClient, store: EventStore) -> None:
    answer = opened(client)
    assert answer.status_code == 201
    assert (answer.headers["Location"], answer.headers["ETag"]) == (ADDRESS, '"1"')
    made = answer.get_json()
    assert set(made) == {"deal", "version", "events", "findings"}
    assert (made["deal"], made["version"]) == (DEAL, 1)
    (event,) = made["events"]
    assert (event["id"], event["seq"]) == (DEAL, 1)
    assert event["stored_at"].endswith("Z")
    assert client.get(ADDRESS).headers["ETag"].startswith('"1-')
    assert body_of(opened(client)) == made
    assert len(told(client, "deals")["deals"]) == 1
    recorded_table(store)
    for taken, other in ((DEAL, {"title": "Another"}), (TABLE, {})):
        refused = client.post(f"{API}/deals", json={**OPENING, "id": taken, **other})
        assert problem(refused) == (409, "id-conflict")


def test_an_opening_may_leave_out_its_id_and_not_its_type(client: FlaskClient) -> None:
    deal = body_of(client.post(f"{API}/deals", json=OPENING), 201)["deal"]
    assert deal[14] == "7"
    assert client.get(f"{API}/deals/{deal.upper()}").status_code == 200
    bare = {name: value for name, value in OPENING.items() if name != "type"}
    (error,) = body_of(client.post(f"{API}/deals", json=bare), 422)["errors"]
    assert error["pointer"] == "/type"


@pytest.mark.parametrize("content_type", ["application/json", "application/jsonl", "application/x-ndjson"])
def test_a_whole_deal_is_recorded_at_once(client: FlaskClient, content_type: str) -> None:
    deal = some_deal()
    as_list = content_type == "application/json"
    body = orjson.dumps(deal) if as_list else b"\n".join(orjson.dumps(event) for event in deal) + b"\n\n"
    answer = client.post(f"{API}/deals", data=body, content_type=content_type)
    made = body_of(answer, 201)
    assert (made["version"], made["findings"]) == (len(deal), [])
    stored = client.get(answer.headers["Location"] + "/events").get_json()["events"]
    bare = [{name: event[name] for name in sent} for event, sent in zip(stored, deal, strict=True)]
    assert bare == deal


def test_a_deal_begins_with_its_opening(client: FlaskClient) -> None:
    refused = body_of(client.post(f"{API}/deals", json=[BID, OPENING]), 422)
    detail = "A deal begins with deal_opened, not with bid_made."
    assert refused["errors"] == [{"pointer": "/0", "detail": detail}]


# Appending


def test_an_event_is_appended_at_the_version_that_is_named_and_at_no_other(begun: FlaskClient) -> None:
    answer = append(begun, BID, '"9", W/"2", "1"')
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"2"')
    assert answer.get_json()["version"] == 2
    assert [event["type"] for event in answer.get_json()["events"]] == ["bid_made"]
    for version in (1, 'W/"2"', '"abc"', '"0", "7"'):
        stale = append(begun, {**BID, "seat": "middlehand", "bid": "pass"}, version)
        assert problem(stale) == (412, "stale-version")
        assert (stale.headers["ETag"], stale.get_json()["version"]) == ('"2"', 2)
    assert problem(begun.post(EVENTS, json=BID)) == (428, "version-required")
    assert told(begun, f"deals/{DEAL}")["version"] == 2


@pytest.mark.parametrize("version", ["1", '"1', "", '"1" "2"', "*, *"])
def test_a_header_that_is_no_tag_is_refused(begun: FlaskClient, version: str) -> None:
    assert problem(append(begun, BID, version)) == (400, "malformed-header")


@pytest.mark.parametrize(
    "event",
    [
        NOTE,
        {"type": "irregularity_noted", "seat": "backhand", "kind": "slow"},
        {"type": "ruling_made", "text": "The card stands."},
        {"type": "deal_settled", "payments": {"Anna": 2, "Bo": -1, "Carl": -1}},
    ],
)
def test_what_may_come_at_any_time_needs_no_version(begun: FlaskClient, event: Json) -> None:
    append(begun, BID, 1)
    assert append(begun, event, "*").status_code == 201
    for decided in (BID, [NOTE, BID]):
        assert problem(append(begun, decided, "*")) == (428, "version-required")


def test_a_repeat_is_answered_with_what_is_stored(begun: FlaskClient) -> None:
    first = append(begun, NOTE, 1).get_json()["events"]
    append(begun, BID, 2)
    # It is known by what its writer said alone.
    for sent in (NOTE, first[0]):
        for version in (1, 3, "*", '"abc"'):
            again = append(begun, sent, version)
            assert body_of(again)["events"] == first
            assert (again.get_json()["version"], again.headers["ETag"]) == (3, '"3"')  # the record's, now
    for version in (1, 2, "*"):
        other = append(begun, {**NOTE, "text": "Badly played."}, version)
        assert (*problem(other), other.get_json()["seq"]) == (409, "id-conflict", 2)
    assert told(begun, f"deals/{DEAL}")["version"] == 3


def test_of_a_batch_whose_beginning_is_stored_the_rest_is_appended(begun: FlaskClient) -> None:
    append(begun, NOTE, 1)
    batch = [NOTE, {**BID, "id": "018f5e2b-0000-7000-8000-000000000002"}]
    answer = append(begun, batch, 1)
    assert [event["seq"] for event in body_of(answer, 201)["events"]] == [2, 3]
    assert append(begun, batch, 1).status_code == 200


def test_a_batch_is_stored_whole_or_not_at_all(begun: FlaskClient) -> None:
    refused = body_of(append(begun, [BID, {**BID, "seat": "nobody"}, {"type": "bid_mad"}, 7], 1), 422)
    assert [error["pointer"] for error in refused["errors"]] == ["/1/seat", "/2/type", "/3"]
    (error,) = body_of(append(begun, [BID, {"type": "gap_noted", "seq": 7}], 1), 422)["errors"]
    assert error["pointer"] == "/1/seq"
    assert told(begun, f"deals/{DEAL}")["version"] == 1
    assert append(begun, {**BID, "seq": 2}, 1).status_code == 201


def test_a_batch_has_at_most_so_many_events(begun: FlaskClient) -> None:
    assert append(begun, [{"type": "gap_noted"}] * 500, 1).status_code == 201
    assert problem(append(begun, [{"type": "gap_noted"}] * 501, 501)) == (413, "too-large")
    assert append(begun, [], 501).status_code == 422


def test_a_lost_answer_may_be_asked_for_again_where_a_deal_is_full(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [OPENING, *[{"type": "note_added", "text": "on and on"}] * (ENTRIES - 3)])
    last = [{**NOTE, "id": f"018f5e2a-0000-7000-8000-{n:012d}"} for n in range(3)]
    for status in (201, 200):
        assert append(client, last[:2], "*").status_code == status
    assert problem(append(client, last, "*")) == (413, "record-full")
    assert store.version(DEAL) == ENTRIES


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (OPENING, "deal_opened opens a new deal"),
        ({"type": "table_closed"}, "table_closed belongs to a table"),
        ({"type": "deal_started", "deal": DEAL, "number": 1}, "started by sending its opening"),
        (correction({"type": "table_closed"}), "table_closed belongs to a table"),
    ],
)
def test_what_belongs_elsewhere_is_refused(begun: FlaskClient, event: Json, says: str) -> None:
    answer = append(begun, event, 1)
    assert problem(answer) == (422, "wrong-stream")
    assert says in answer.get_json()["detail"]


def test_the_opening_itself_can_be_corrected(begun: FlaskClient) -> None:
    append(begun, correction({**OPENING, "title": "Better"}, replaces=[1]), 1)
    assert told(begun, f"deals/{DEAL}")["title"] == "Better"


def test_the_answer_says_what_is_found_at_the_events_and_what_they_show(begun: FlaskClient) -> None:
    append(begun, [BID, {**BID, "seat": "middlehand", "bid": "pass"}], 1)
    findings = append(begun, {**BID, "seat": "backhand"}, 3).get_json()["findings"]
    assert (4, "bid_too_low") in {(finding["seq"], finding["code"]) for finding in findings}
    assert all(4 in {finding["seq"], *finding["evidence"]} for finding in findings)


# Reading back


def test_what_is_served_is_what_is_stored_and_what_the_schema_dumps(
    played: FlaskClient, store: EventStore
) -> None:
    lines = played.get(f"{EVENTS}.jsonl").data.splitlines()
    assert lines == [event.body for event in store.read(DEAL)]
    entries = [read_entry(orjson.loads(line), seq) for seq, line in enumerate(lines, 1)]
    assert lines == [orjson.dumps(EventSchema().dump(entry)) for entry in entries]
    assert played.get(EVENTS).get_json()["events"] == [orjson.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/jsonl", "application/jsonl"),
        ("application/x-ndjson, application/json;q=0.5", "application/jsonl"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/json, text/event-stream;q=0.9", "application/json"),
        ("text/html", "application/json"),
        ("application/jsonl;q=0", "application/json"),
    ],
)
def test_a_log_comes_as_lines_to_whoever_asks_for_them(played: FlaskClient, accept: str, kind: str) -> None:
    answer = played.get(EVENTS, headers={"Accept": accept})
    assert answer.content_type == kind
    assert answer.headers["Vary"] == "Accept, Authorization, Cookie"
    if kind == "application/jsonl":
        assert answer.data == played.get(f"{EVENTS}.jsonl").data


def test_pages_of_a_log_lead_to_its_end(played: FlaskClient, store: EventStore) -> None:
    version = store.version(DEAL)
    seqs: list[int] = []
    address: str | None = f"{EVENTS}?limit=7"
    while address:
        answer = played.get(address)
        page = answer.get_json()
        assert len(page["events"]) <= 7
        assert page["version"] == version
        seqs += [event["seq"] for event in page["events"]]
        address = page.get("next")
        assert answer.headers.get("Link") == (f'<{address}>; rel="next"' if address else None)
    assert seqs == list(range(1, version + 1))
    lines, address = list[bytes](), f"{EVENTS}.jsonl?limit=7"
    while address:
        answer = played.get(address)
        lines += answer.data.splitlines()
        address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert lines == played.get(f"{EVENTS}.jsonl").data.splitlines()
    assert played.get(f"{EVENTS}.jsonl?after=3&limit=2").data.splitlines() == lines[3:5]
    assert played.get(f"{EVENTS}.jsonl?after=10000").data == b""


def test_pages_of_deals_lead_to_the_last(client: FlaskClient, store: EventStore) -> None:
    made = [recorded_deal(store, [OPENING], f"018f5e2a-7b1c-7d3e-9f40-{n:012}") for n in range(7)]
    found: list[str] = []
    address: str | None = f"{API}/deals?limit=3"
    while address:
        page = client.get(address).get_json()
        found += [deal["id"] for deal in page["deals"]]
        address = page.get("next")
    assert found == made


def test_a_summary_says_how_the_deal_came_out(client: FlaskClient, store: EventStore) -> None:
    slip = {"type": "result_recorded", "declarer": "middlehand", "contract": "solo", "trump": "H",
            "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2}}  # fmt: skip
    recorded_deal(store, [OPENING, slip])
    deal = told(client, f"deals/{DEAL}")
    assert deal["score"]["payments"] == {"forehand": -3, "middlehand": 6, "backhand": -3}
    assert (deal["version"], deal["closed"], deal["table"]) == (2, False, None)
    for name, link in deal["links"].items():
        assert client.get(link).status_code == 200, name


@pytest.mark.parametrize("path", ["", "/events", "/events.jsonl", "/state", "/replay"])
def test_a_deal_that_is_not_there_is_told(client: FlaskClient, store: EventStore, path: str) -> None:
    recorded_table(store)
    for deal, kind in ((DEAL, "unknown-deal"), (TABLE, "unknown-deal"), ("nonsense", "not-found")):
        assert problem(client.get(f"{API}/deals/{deal}{path}")) == (404, kind)


def test_an_address_that_takes_no_parameters_refuses_them(played: FlaskClient) -> None:
    for address in (ADDRESS, f"{API}/rulesets", f"{API}/replays/belinda"):
        assert problem(played.get(f"{address}?viewer=public")) == (422, "invalid-parameter"), address
