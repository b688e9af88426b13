"""Recording deals over HTTP: opening, appending, repeats, versions, reading back."""

import orjson
import pytest
from flask.testing import FlaskClient

from schemas.notation import MEDIA_TYPE
from schemas.wire.events import EventSchema
from schemas.wire.reader import read_entry
from service.eventstore import EventStore
from tests.support.api.asking import API, body_of, correction, parameters, problem, told
from tests.support.api.deals import ADDRESS, EVENTS, append, opened
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table, some_deal

NOTE = {"type": "note_added", "text": "Well played.", "id": "018f5e2b-0000-7000-8000-000000000001"}
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}


@pytest.fixture
def begun(client: FlaskClient) -> FlaskClient:
    assert opened(client).status_code == 201
    return client


@pytest.fixture
def played(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_deal(store)
    return client


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


def test_a_whole_deal_is_recorded_at_once_as_a_list_or_as_lines(client: FlaskClient) -> None:
    deal = some_deal()
    lines = b"\n".join(orjson.dumps(event) for event in deal) + b"\n\n"
    for content_type, body in (
        ("application/json", orjson.dumps(deal)),
        ("application/jsonl", lines),
        ("application/x-ndjson", lines),
    ):
        answer = client.post(f"{API}/deals", data=body, content_type=content_type)
        made = body_of(answer, 201)
        assert (made["version"], made["findings"], made["deal"][14]) == (len(deal), [], "7")
        stored = client.get(f"{API}/deals/{made['deal'].upper()}/events").get_json()["events"]
        bare = [{name: event[name] for name in sent} for event, sent in zip(stored, deal, strict=True)]
        assert bare == deal, content_type


def test_a_deal_that_does_not_begin_with_its_opening_is_refused(client: FlaskClient) -> None:
    refused = body_of(client.post(f"{API}/deals", json=[BID, OPENING]), 422)
    detail = "A deal begins with deal_opened, not with bid_made."
    assert refused["errors"] == [{"pointer": "/0", "detail": detail}]
    untyped = {name: value for name, value in OPENING.items() if name != "type"}
    (error,) = body_of(client.post(f"{API}/deals", json=untyped), 422)["errors"]
    assert error["pointer"] == "/type"


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
    for version in ("1", '"1', "", '"1" "2"', "*, *"):
        assert problem(append(begun, BID, version)) == (400, "malformed-header"), version


def test_what_may_come_at_any_time_needs_no_version(begun: FlaskClient) -> None:
    append(begun, BID, 1)
    for event in (
        NOTE,
        {"type": "irregularity_noted", "seat": "backhand", "kind": "slow"},
        {"type": "ruling_made", "text": "The card stands."},
        {"type": "deal_settled", "payments": {"Anna": 2, "Bo": -1, "Carl": -1}},
    ):
        assert append(begun, event, "*").status_code == 201, event["type"]
    for decided in (BID, [NOTE, BID]):
        assert problem(append(begun, decided, "*")) == (428, "version-required")


def test_a_repeat_is_answered_with_what_is_stored(begun: FlaskClient) -> None:
    first = append(begun, NOTE, 1).get_json()["events"]
    append(begun, BID, 2)
    # What its writer said decides, not what the store added to it.
    for sent in (NOTE, first[0]):
        again = append(begun, sent, 1)
        assert body_of(again)["events"] == first
        assert (again.get_json()["version"], again.headers["ETag"]) == (3, '"3"'), "the version now"
    other = append(begun, {**NOTE, "text": "Badly played."}, 1)
    assert (*problem(other), other.get_json()["seq"]) == (409, "id-conflict", 2)
    assert told(begun, f"deals/{DEAL}")["version"] == 3


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


def test_what_belongs_elsewhere_is_refused_and_a_correction_of_the_opening_is_not(begun: FlaskClient) -> None:
    for event, says in (
        (OPENING, "deal_opened opens a new deal"),
        ({"type": "table_closed"}, "table_closed belongs to a table"),
        ({"type": "deal_started", "deal": DEAL, "number": 1}, "started by sending its opening"),
        (correction({"type": "table_closed"}), "table_closed belongs to a table"),
    ):
        answer = append(begun, event, 1)
        assert problem(answer) == (422, "wrong-stream")
        assert says in answer.get_json()["detail"]
    append(begun, correction({**OPENING, "title": "Better"}, replaces=[1]), 1)
    assert told(begun, f"deals/{DEAL}")["title"] == "Better"


def test_the_answer_says_what_is_found_at_the_events_and_what_they_show(begun: FlaskClient) -> None:
    append(begun, [BID, {**BID, "seat": "middlehand", "bid": "pass"}], 1)
    findings = append(begun, {**BID, "seat": "backhand"}, 3).get_json()["findings"]
    assert (4, "bid_too_low") in {(finding["seq"], finding["code"]) for finding in findings}
    assert all(4 in {finding["seq"], *finding["evidence"]} for finding in findings)


def test_what_is_served_is_what_is_stored(played: FlaskClient, store: EventStore) -> None:
    lines = played.get(f"{EVENTS}.jsonl").data.splitlines()
    assert lines == [event.body for event in store.read(DEAL)]
    entries = [read_entry(orjson.loads(line), seq) for seq, line in enumerate(lines, 1)]
    assert lines == [orjson.dumps(EventSchema().dump(entry)) for entry in entries]
    assert played.get(EVENTS).get_json()["events"] == [orjson.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("application/x-ndjson, application/json;q=0.5", ".jsonl"),
        (f"{MEDIA_TYPE}, application/json;q=0.5", ".deal"),
        ("*/*", ""),
        ("application/json, text/event-stream;q=0.9", ""),
        ("text/html", ""),
        ("application/jsonl;q=0", ""),
    ],
)
def test_a_log_comes_in_the_form_that_accept_prefers(played: FlaskClient, accept: str, form: str) -> None:
    answer, named = played.get(EVENTS, headers={"Accept": accept}), played.get(f"{EVENTS}{form}")
    assert (answer.content_type, answer.data) == (named.content_type, named.data)
    assert answer.headers["Vary"] == "Accept, Authorization, Cookie"
    asked = played.get(f"{EVENTS}?after=1", headers={"Accept": accept})
    if form == ".deal":
        assert parameters(asked) == ["after"], "a text is the whole log"
    else:
        assert asked.status_code == 200


def test_pages_of_a_log_lead_to_its_end(played: FlaskClient, store: EventStore) -> None:
    version = store.version(DEAL)
    seqs, lines = list[int](), list[bytes]()
    address: str | None = f"{EVENTS}?limit=7"
    while address:
        answer = played.get(address)
        page = answer.get_json()
        assert (len(page["events"]) <= 7, page["version"]) == (True, version)
        seqs += [event["seq"] for event in page["events"]]
        address = page.get("next")
        assert answer.headers.get("Link") == (f'<{address}>; rel="next"' if address else None)
    assert seqs == list(range(1, version + 1))
    address = f"{EVENTS}.jsonl?limit=7"
    while address:
        answer = played.get(address)
        lines += answer.data.splitlines()
        address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert lines == played.get(f"{EVENTS}.jsonl").data.splitlines()
    assert played.get(f"{EVENTS}.jsonl?after=3&limit=2").data.splitlines() == lines[3:5]
    assert played.get(f"{EVENTS}.jsonl?after=10000").data == b""
    deals = [DEAL, *(recorded_deal(store, [OPENING], f"018f5e2a-7b1c-7d3e-9f41-{n:012}") for n in range(4))]
    first = told(played, "deals?limit=3")
    second = played.get(first["next"]).get_json()
    assert [deal["id"] for deal in (*first["deals"], *second["deals"])] == deals
    assert "next" not in second


def test_a_summary_says_how_the_deal_came_out(client: FlaskClient, store: EventStore) -> None:
    slip = {"type": "result_recorded", "declarer": "middlehand", "contract": "solo", "trump": "H",
            "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2}}  # fmt: skip
    recorded_deal(store, [OPENING, slip])
    deal = told(client, f"deals/{DEAL}")
    assert deal["score"]["payments"] == {"forehand": -3, "middlehand": 6, "backhand": -3}
    assert (deal["version"], deal["closed"], deal["table"]) == (2, False, None)
    for name, link in deal["links"].items():
        assert client.get(link).status_code == 200, name


def test_unknown_deals_and_parameters_are_refused(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    for path in ("", "/events", "/events.jsonl", "/state", "/replay"):
        for deal, kind in ((DEAL, "unknown-deal"), (TABLE, "unknown-deal"), ("nonsense", "not-found")):
            assert problem(client.get(f"{API}/deals/{deal}{path}")) == (404, kind)
    recorded_deal(store)
    for address in (ADDRESS, f"{API}/rulesets", f"{API}/replays/belinda"):
        assert parameters(client.get(f"{address}?viewer=public")) == ["viewer"], address
