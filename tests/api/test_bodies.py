"""What no body may hold, whatever it is sent to: tokens, names that stand twice, a coding."""

import gzip
import re
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from schemas.wire.doubled_names import doubled_name
from service.eventstore import EventStore
from tests.support.api.asking import API, NOTE, body_of, problem, told
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

ANYTIME = {"If-Match": "*"}


def test_a_name_that_stands_twice_is_found_wherever_it_stands() -> None:
    found: dict[bytes, str | None] = {
        b'{"a": 1, "a": 1}': "/a",
        b'{"a":{"b":[{"c":1},{"c":":","c/d":2,"c/d":3}]},"z":"::"}': "/a/b/1/c~1d",
        b'{"a":{"x":1,"x":2},"a":1}': "/a",
        b'[{"text":"one: two"},{"text":"\\u003a\\u003A","text":"x"}]': "/1/text",
        b'{"a":1,"\\u0061":2}': "/a",
        b'{"a":1,"a":%s}' % (b"9" * 300): "/a",
        b'{"a":"x:y","b":["\\":"],"c":{"a":1}}': None,
        b'{"a":"\\u003a\\u003ab"}': None,
        b'"a:b:c"': None,
        b"[" * 90 + b'{"a":1}' + b"]" * 90: None,
        b"[" * 90 + b'{"a":1,"a":2}' + b"]" * 90: "/0" * 90 + "/a",
    }
    for body, pointer in found.items():
        doubled = doubled_name(body, orjson.loads(body))
        assert (doubled and doubled.pointer) == pointer, body


def test_a_name_that_stands_twice_is_refused_with_its_place(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    note = b'{"type":"note_added","text":"a","text":"b"}'
    events, opening = f"deals/{DEAL}/events", orjson.dumps(OPENING)
    asked: list[tuple[str, bytes, str, dict[str, Any]]] = [
        (events, b"[%s]" % note, "json", {"pointer": "/0/text"}),
        (events, b'{"type":"note_added","text":"a"}\n%s\n' % note, "jsonl", {"line": 2, "pointer": "/text"}),
        (f"tables/{TABLE}/events", note, "json", {"pointer": "/text"}),
        ("members", b'{"name":"Anna","name":"Bo"}', "json", {"pointer": "/name"}),
        ("validate", b"[%s,%s]" % (opening, note), "json", {"pointer": "/1/text"}),
        ("import", b"[%s,%s]" % (opening, note), "json", {"pointer": "/1/text"}),
    ]
    for path, body, kind, place in asked:
        answer = client.post(f"{API}/{path}", data=body, headers=ANYTIME, content_type=f"application/{kind}")
        assert problem(answer) == (400, "malformed-json"), path
        (error,) = answer.get_json()["errors"]
        assert {**place, "detail": error["detail"]} == error and "twice" in error["detail"]
    assert (store.version(DEAL), store.version(TABLE)) == (1, 1)


def test_json_that_nests_too_deep_is_refused_by_every_route(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    known = {"deal": DEAL, "table": TABLE, "name": "belinda", "ruleset": "dlu"}
    nested = b'{"type":"note_added","text":%s}' % (b"[" * 300 + b"]" * 300)
    asked = 0
    for rule in client.application.url_map.iter_rules():
        address = f"/{rule.rule.lstrip('/')}"
        for name in rule.arguments:
            address = re.sub(rf"<(\w+:)?{name}>", known.get(name, "1"), address)
        for method in {"POST", "PUT", "PATCH"} & (rule.methods or set()):
            for kind in ("application/json", "application/jsonl"):
                answer = client.open(address, method=method, data=nested, headers=ANYTIME, content_type=kind)
                assert 400 <= answer.status_code < 500, (address, kind, answer.text)
                asked += 1
    assert asked > 20
    answer = client.post(f"{API}/validate", data=nested, content_type="application/json")
    assert answer.get_json()["detail"].startswith("The body nests too deep. At line 1, column ")


def test_a_body_that_is_coded_is_not_read(client: FlaskClient, store: EventStore) -> None:
    body, headers = orjson.dumps(OPENING), {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    answer = client.post(f"{API}/deals", data=gzip.compress(body), headers=headers)
    assert problem(answer) == (415, "unsupported-media-type")
    assert answer.headers["Accept-Encoding"] == "identity" and "gzip" in answer.get_json()["detail"]
    assert store.streams() == []
    plain = {**headers, "Content-Encoding": "identity"}
    assert client.post(f"{API}/deals", data=body, headers=plain).status_code == 201


def test_a_deal_of_a_table_is_recorded_there_or_imported(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    recorded_table(store)
    opening = {**OPENING, "table": TABLE, "number": 3}
    for sent, pointer in (
        ([opening, NOTE], "/0/table"),
        (opening, "/table"),
        ({**opening, "branch": {"deal": DEAL, "at": 1}}, "/table"),
    ):
        answer = client.post(f"{API}/deals", json=sent)
        assert problem(answer) == (422, "wrong-stream")
        assert "/api/v1/tables/" in answer.get_json()["detail"]
        assert answer.get_json()["errors"][0]["pointer"] == pointer
    assert store.head() == 2
    elsewhere = {**opening, "table": TABLE[:-4] + "ffff"}
    (record,) = body_of(client.post(f"{API}/import", json=[elsewhere, NOTE]))["records"]
    assert (record["kind"], record["version"], record["detail"]) == ("deal", 2, None)
    first, _ = told(client, f"deals/{record['id']}/events")["events"]
    assert (first["table"], first["number"]) == (elsewhere["table"], 3)


def test_of_many_faults_the_first_hundred_are_listed(client: FlaskClient) -> None:
    event = {"type": "gap_noted", **{f"field{number}": 1 for number in range(1_000)}}
    answer = client.post(f"{API}/deals", json=event)
    assert (answer.status_code, len(answer.get_json()["errors"])) == (422, 100)


@pytest.mark.parametrize(
    "name", ["oB \u202e,04+", "Bo\u200b", "Bo\u3164"], ids=["turned round", "invisible", "a filler"]
)
def test_a_name_with_hidden_characters_is_refused_with_its_place(client: FlaskClient, name: str) -> None:
    players = {"forehand": "Anna", "middlehand": name, "backhand": "Carl"}
    (error,) = body_of(client.post(f"{API}/deals", json={**OPENING, "players": players}), 422)["errors"]
    assert error["pointer"] == "/players/middlehand"
    rules = {"based_on": "dlu", "words": {"en": name, "da": "Vores"}, "source": "Ours."}
    for path, body in (
        ("tables", {"ruleset": "dlu", "players": ["Anna", name, "Carl"]}),
        ("members", {"name": name}),
        ("grants", {"role": "viewer", "label": name}),
    ):
        assert client.post(f"{API}/{path}", json=body).status_code == 422, path
    assert client.put(f"{API}/rulesets/ours", json=rules).status_code == 422
    opened = client.post(f"{API}/deals", json=[OPENING, {**NOTE, "text": "\u200eשלום"}])
    assert opened.status_code == 201, "a text of several words may be in any script"


def test_a_report_shows_hidden_characters_by_a_sign(client: FlaskClient, store: EventStore) -> None:
    players = {"forehand": "Anna", "middlehand": "oB \u202e,04+", "backhand": "Carl"}
    recorded_deal(store, [{**OPENING, "players": players}])
    assert "\u202e" in client.get(f"{API}/deals/{DEAL}/events.jsonl").text, "the record keeps what it has"
    html = client.get(f"/deals/{DEAL}/report").text
    assert "\u202e" not in html and "oB \N{REPLACEMENT CHARACTER},04+" in html
