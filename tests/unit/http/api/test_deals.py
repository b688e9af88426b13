"""Recording deals over HTTP, as events and in the notation: opening, appending, versions, reading back."""

from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import replays
from schemas.notation import NOTATION_MEDIA_TYPE, format_notation_log, read_notation_logs
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_object
from service.eventstore import EventStore
from service.http.api.request_bodies import MAX_BATCH_EVENTS
from tests.support.api.asking import API, again, body_of, correction, fetch, parameters, problem, send
from tests.support.api.recording import DEAL, OPENING, SLIP, TABLE, recorded_deal, recorded_table, some_deal

HERE = f"deals/{DEAL}"
EVENTS = f"{API}/{HERE}/events"
NOTE = {"type": "note_added", "text": "Well played.", "id": "018f5e2b-0000-7000-8000-000000000001"}
BID = {"type": "bid_made", "seat": "forehand", "bid": "simple"}


def post_opening(client: FlaskClient) -> TestResponse:
    return client.post(f"{API}/deals", json={**OPENING, "id": DEAL})


def append(client: FlaskClient, events: Any, version: int | str) -> TestResponse:
    return send(client, f"{HERE}/events", events, version)


@pytest.fixture
def begun(client: FlaskClient) -> FlaskClient:
    assert post_opening(client).status_code == 201
    return client


@pytest.fixture
def played(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_deal(store)
    return client


def test_a_deal_is_opened_once_under_the_id_of_its_opening(client: FlaskClient, store: EventStore) -> None:
    answer = post_opening(client)
    made = body_of(answer, 201)
    assert (answer.headers["Location"], answer.headers["ETag"]) == (f"{API}/{HERE}", '"1"')
    assert set(made) == {"deal", "version", "events", "findings"}
    (event,) = made["events"]
    assert (made["deal"], made["version"], event["id"], event["seq"]) == (DEAL, 1, DEAL, 1)
    assert event["stored_at"].endswith("Z")
    assert client.get(f"{API}/{HERE}").headers["ETag"].startswith('"1-')
    assert body_of(post_opening(client)) == made
    assert len(fetch(client, "deals")["deals"]) == 1
    recorded_table(store)
    for taken, other in ((DEAL, {"title": "Another"}), (TABLE, {})):
        refused = client.post(f"{API}/deals", json={**OPENING, "id": taken, **other})
        assert problem(refused) == (409, "id-conflict")


def test_a_whole_deal_is_recorded_at_once_as_a_list_or_as_lines(client: FlaskClient) -> None:
    deal = some_deal()
    lines = b"\n".join(orjson.dumps(event) for event in deal) + b"\n\n"
    for kind, body in (("json", orjson.dumps(deal)), ("jsonl", lines), ("x-ndjson", lines)):
        made = body_of(client.post(f"{API}/deals", data=body, content_type=f"application/{kind}"), 201)
        assert (made["version"], made["findings"], made["deal"][14]) == (len(deal), [], "7")
        stored = client.get(f"{API}/deals/{made['deal'].upper()}/events").get_json()["events"]
        bare = [{name: event[name] for name in sent} for event, sent in zip(stored, deal, strict=True)]
        assert bare == deal, kind


def test_a_deal_that_does_not_begin_with_its_opening_is_refused(client: FlaskClient) -> None:
    refused = body_of(client.post(f"{API}/deals", json=[BID, OPENING]), 422)
    detail = "A deal begins with deal_opened, not with bid_made."
    assert refused["errors"] == [{"pointer": "/0", "detail": detail}]
    untyped = {name: value for name, value in OPENING.items() if name != "type"}
    (error,) = body_of(client.post(f"{API}/deals", json=untyped), 422)["errors"]
    assert error["pointer"] == "/type"


def test_an_event_is_appended_at_the_version_that_is_named_and_at_no_other(begun: FlaskClient) -> None:
    answer = append(begun, BID, '"9", W/"2", "1"')
    made = body_of(answer, 201)
    assert (made["version"], answer.headers["ETag"]) == (2, '"2"')
    assert [event["type"] for event in made["events"]] == ["bid_made"]
    for version in (1, 'W/"2"', '"abc"', '"0", "7"'):
        stale = append(begun, {**BID, "seat": "middlehand", "bid": "pass"}, version)
        assert problem(stale) == (412, "stale-version")
        assert (stale.headers["ETag"], stale.get_json()["version"]) == ('"2"', 2)
    assert problem(begun.post(EVENTS, json=BID)) == (428, "version-required")
    assert fetch(begun, HERE)["version"] == 2
    for version in ("1", '"1', "", '"1" "2"', "*, *"):
        assert problem(append(begun, BID, version)) == (400, "malformed-header"), version


def test_what_may_come_at_any_time_needs_no_version(begun: FlaskClient) -> None:
    append(begun, BID, 1)
    ruling = {"type": "ruling_made", "text": "The card stands."}
    settled = {"type": "deal_settled", "payments": {"Anna": 2, "Bo": -1, "Carl": -1}}
    for event in (NOTE, {"type": "irregularity_noted", "seat": "backhand", "kind": "slow"}, ruling, settled):
        assert append(begun, event, "*").status_code == 201, event["type"]
    for decided in (BID, [NOTE, BID]):
        assert problem(append(begun, decided, "*")) == (428, "version-required")


def test_a_repeat_is_answered_with_what_is_stored(begun: FlaskClient) -> None:
    first = append(begun, NOTE, 1).get_json()["events"]
    append(begun, BID, 2)
    # What its writer said decides, not what the store added to it.
    for sent in (NOTE, first[0]):
        repeat = append(begun, sent, 1)
        assert body_of(repeat)["events"] == first
        assert (repeat.get_json()["version"], repeat.headers["ETag"]) == (3, '"3"'), "the version now"
    other = append(begun, {**NOTE, "text": "Badly played."}, 1)
    assert (*problem(other), other.get_json()["seq"]) == (409, "id-conflict", 2)
    assert fetch(begun, HERE)["version"] == 3


def test_a_batch_is_stored_whole_or_not_at_all(begun: FlaskClient) -> None:
    refused = body_of(append(begun, [BID, {**BID, "seat": "nobody"}, {"type": "bid_mad"}, 7], 1), 422)
    assert [error["pointer"] for error in refused["errors"]] == ["/1/seat", "/2/type", "/3"]
    (error,) = body_of(append(begun, [BID, {"type": "gap_noted", "seq": 7}], 1), 422)["errors"]
    assert error["pointer"] == "/1/seq"
    assert fetch(begun, HERE)["version"] == 1
    assert append(begun, {**BID, "seq": 2}, 1).status_code == 201


def test_a_batch_has_at_most_so_many_events(begun: FlaskClient) -> None:
    assert append(begun, [{"type": "gap_noted"}] * 500, 1).status_code == 201
    assert problem(append(begun, [{"type": "gap_noted"}] * 501, 501)) == (413, "too-large")
    assert append(begun, [], 501).status_code == 422


def test_what_belongs_elsewhere_is_refused_and_a_correction_of_the_opening_is_not(begun: FlaskClient) -> None:
    for event, says in (
        (OPENING, "deal_opened opens a new deal"),
        ({"type": "table_closed"}, "table_closed belongs to a table"),
        ({"type": "deal_started", "deal": DEAL, "number": 1}, "To start a deal of a table, send its opening"),
        (correction({"type": "table_closed"}), "table_closed belongs to a table"),
    ):
        answer = append(begun, event, 1)
        assert problem(answer) == (422, "wrong-stream")
        assert says in answer.get_json()["detail"]
    append(begun, correction({**OPENING, "title": "Better"}, replaces=[1]), 1)
    assert fetch(begun, HERE)["title"] == "Better"


def test_the_answer_says_what_is_found_at_the_events_and_what_they_show(begun: FlaskClient) -> None:
    append(begun, [BID, {**BID, "seat": "middlehand", "bid": "pass"}], 1)
    findings = append(begun, {**BID, "seat": "backhand"}, 3).get_json()["findings"]
    assert (4, "bid_too_low") in {(finding["seq"], finding["code"]) for finding in findings}
    assert all(4 in {finding["seq"], *finding["evidence"]} for finding in findings)


def test_what_is_served_is_what_is_stored(played: FlaskClient, store: EventStore) -> None:
    lines = played.get(f"{EVENTS}.jsonl").data.splitlines()
    assert lines == [event.body for event in store.read_stream(DEAL)]
    entries = [read_entry(orjson.loads(line), seq) for seq, line in enumerate(lines, 1)]
    assert lines == [orjson.dumps(entry_object(entry)) for entry in entries]
    assert played.get(EVENTS).get_json()["events"] == [orjson.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("application/x-ndjson, application/json;q=0.5", ".jsonl"),
        (f"{NOTATION_MEDIA_TYPE}, application/json;q=0.5", ".deal"),
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
    version = store.stream_version(DEAL)
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
    first = fetch(played, "deals?limit=3")
    second = played.get(first["next"]).get_json()
    assert [deal["id"] for deal in (*first["deals"], *second["deals"])] == deals
    assert "next" not in second


def test_a_summary_says_how_the_deal_came_out(client: FlaskClient, store: EventStore) -> None:
    slip = {"type": "result_recorded", "declarer": "middlehand", "contract": "solo", "trump": "H",
            "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2}}  # fmt: skip
    recorded_deal(store, [OPENING, slip])
    deal = fetch(client, HERE)
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
    for path in (HERE, "rulesets", "replays/belinda"):
        assert parameters(client.get(f"{API}/{path}?viewer=public")) == ["viewer"], path


ANOTHER = SLIP.replace("Thursday, the third", "Thursday, the fourth")


def posted(client: FlaskClient, path: str, text: str, **more: Any) -> TestResponse:
    return client.post(f"{API}/{path}", data=text.encode(), content_type=NOTATION_MEDIA_TYPE, **more)


def test_a_deal_is_judged_and_recorded_from_its_text_and_read_back_as_text(client: FlaskClient) -> None:
    (log,) = read_notation_logs([SLIP.encode()], "-")
    made = posted(client, "deals", SLIP)
    deal = client.get(made.headers["Location"]).get_json()
    assert (made.status_code, deal["title"]) == (201, "Thursday, the third")
    answer = client.get(deal["links"]["text"])
    assert answer.content_type == f"{NOTATION_MEDIA_TYPE}; charset=utf-8"
    assert answer.text == format_notation_log(log.log)
    assert again(client, deal["links"]["text"], answer).status_code == 304
    lines = client.get(f"{made.headers['Location']}/events.jsonl").data
    as_lines = client.post(f"{API}/validate", data=lines, content_type="application/jsonl")
    assert body_of(posted(client, "validate", SLIP)) == as_lines.get_json()
    scores = body_of(posted(client, "score?name=thursday", SLIP + "\n" + ANOTHER))["scores"]
    assert [score["payments"]["middlehand"] for score in scores] == [6, 6]


def test_what_cannot_be_read_is_reported_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    text = "Deal: A\nRules: dlu\nPlayers: Anna, Bo, Carl\nF frobs\nF passes\n"
    for lang, message in (("da", "I stedet for »frobs«: skriv"), ("en", 'In place of "frobs", write')):
        answer = posted(client, "replay?unread=skipped", text, headers={"Accept-Language": lang})
        assert (answer.status_code, answer.headers["Content-Language"]) == (200, lang)
        (found,) = answer.get_json()["problems"]
        assert found["message"].startswith(message)
        assert (found["line"], found["column"]) == (4, 3)


def test_with_all_bookkeeping_the_very_log_comes_back(client: FlaskClient) -> None:
    post_opening(client)
    append(client, {"type": "note_added", "text": "Late start.", "at": "2026-11-19T19:02:11+01:00"}, "*")
    whole, text = client.get(f"{EVENTS}.deal?bookkeeping=all"), client.get(f"{EVENTS}.deal").text
    (read,) = read_notation_logs([whole.data], "-")
    events = fetch(client, f"{HERE}/events")["events"]
    assert read.log == tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))
    assert DEAL in whole.text and DEAL not in text and "19:02" not in text
    assert client.get(f"{EVENTS}.deal?bookkeeping=some").status_code == 422


def test_members_are_called_by_name_where_a_person_reads_the_text(client: FlaskClient) -> None:
    eva = client.post(f"{API}/members", json={"name": "Eva Engel"}).get_json()["id"]
    opening = {**OPENING, "players": {**OPENING["players"], "forehand": eva}}
    address = client.post(f"{API}/deals", json=opening).headers["Location"]
    assert "Forehand:   Eva\n" in client.get(f"{address}/events.deal?names=display").text
    assert f"Forehand:   {eva}\n" in client.get(f"{address}/events.deal").text


def test_a_table_and_a_deal_of_the_library_have_their_text(client: FlaskClient) -> None:
    client.post(f"{API}/tables", json={"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "id": TABLE})
    assert client.get(f"{API}/tables/{TABLE}/events.deal").text.startswith("Evening:")
    text = client.get(fetch(client, "replays/belinda")["links"]["text"])
    known = replays.find_library_deal("belinda")
    assert known is not None
    (read,) = read_notation_logs([text.data], "belinda")
    assert read.log == known.read_log()
    asked = client.get(f"{API}/replays/belinda/events", headers={"Accept": NOTATION_MEDIA_TYPE})
    assert asked.data == text.data
    assert client.get(f"{API}/replays/nobody/events.deal").status_code == 404


def test_a_text_that_cannot_be_recorded_is_told_with_its_place(client: FlaskClient) -> None:
    for text, said in (
        (SLIP.replace("3-4-2", "three"), "At line 7, column 26"),
        (SLIP + "\n" + ANOTHER, "At line 9, column 1: Another log begins here"),
        ("", "The text is empty"),
        ("Dear diary,\n", "At line 1, column 1"),
    ):
        assert said in body_of(posted(client, "deals", text), 422)["detail"]
    assert problem(posted(client, "deals", SLIP + '{ "Hm." }\n' * MAX_BATCH_EVENTS)) == (413, "too-large")
    assert fetch(client, "deals")["deals"] == []
    post_opening(client)
    for path in (f"{HERE}/events", "tables"):
        refused = posted(client, path, SLIP, headers={"If-Match": '"1"'})
        assert "application/jsonl" in body_of(refused, 415)["detail"], "no whole deal is meant there"
