"""Deals in the notation, over the API: judged, recorded, read back."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import replays
from schemas.notation import MEDIA_TYPE, read_logs, written_log
from schemas.wire.reader import read_entry
from service.http.api.request_bodies import BATCH
from tests.support.api.asking import API, again, body_of, problem, told
from tests.support.api.deals import EVENTS, append, opened
from tests.support.api.notation import SLIP
from tests.support.api.recording import DEAL, OPENING
from tests.support.api.tables import ADDRESS

ANOTHER = SLIP.replace("Thursday, the third", "Thursday, the fourth")


def posted(client: FlaskClient, path: str, text: str, **more: Any) -> TestResponse:
    return client.post(f"{API}/{path}", data=text.encode(), content_type=MEDIA_TYPE, **more)


def test_a_deal_is_judged_and_recorded_from_its_text_and_read_back_as_text(client: FlaskClient) -> None:
    (log,) = read_logs([SLIP.encode()], "-")
    made = posted(client, "deals", SLIP)
    deal = client.get(made.headers["Location"]).get_json()
    assert (made.status_code, deal["title"]) == (201, "Thursday, the third")
    answer = client.get(deal["links"]["text"])
    assert answer.content_type == f"{MEDIA_TYPE}; charset=utf-8"
    assert answer.text == written_log(log.log)
    assert again(client, deal["links"]["text"], answer).status_code == 304
    lines = client.get(f"{made.headers['Location']}/events.jsonl").data
    as_lines = client.post(f"{API}/validate", data=lines, content_type="application/jsonl")
    assert body_of(posted(client, "validate", SLIP)) == as_lines.get_json()
    scores = body_of(posted(client, "score?name=thursday", SLIP + "\n" + ANOTHER))["scores"]
    assert [score["payments"]["middlehand"] for score in scores] == [6, 6]


def test_what_cannot_be_read_is_told_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    text = "Deal: A\nRules: dlu\nPlayers: Anna, Bo, Carl\nF frobs\nF passes\n"
    for lang, message in (("da", "I stedet for »frobs« skal her stå"), ("en", 'In place of "frobs", write')):
        answer = posted(client, "replay?unread=skipped", text, headers={"Accept-Language": lang})
        assert (answer.status_code, answer.headers["Content-Language"]) == (200, lang)
        (problem,) = answer.get_json()["problems"]
        assert problem["message"].startswith(message)
        assert (problem["line"], problem["column"]) == (4, 3)


def test_with_all_bookkeeping_the_very_log_comes_back(client: FlaskClient) -> None:
    opened(client)
    append(client, {"type": "note_added", "text": "Late start.", "at": "2026-11-19T19:02:11+01:00"}, "*")
    whole = client.get(f"{EVENTS}.deal?bookkeeping=all")
    (read,) = read_logs([whole.data], "-")
    events = client.get(EVENTS).get_json()["events"]
    assert read.log == tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))
    text = client.get(f"{EVENTS}.deal").text
    assert DEAL in whole.text
    assert DEAL not in text and "19:02" not in text
    assert client.get(f"{EVENTS}.deal?bookkeeping=some").status_code == 422


def test_members_are_called_by_name_where_a_person_reads_the_text(client: FlaskClient) -> None:
    eva = client.post(f"{API}/members", json={"name": "Eva Engel"}).get_json()["id"]
    opening = {**OPENING, "players": {**OPENING["players"], "forehand": eva}}
    address = client.post(f"{API}/deals", json=opening).headers["Location"]
    assert "Forehand:   Eva\n" in client.get(f"{address}/events.deal?names=display").text
    assert f"Forehand:   {eva}\n" in client.get(f"{address}/events.deal").text


def test_a_table_and_a_deal_of_the_library_have_their_text(client: FlaskClient) -> None:
    table = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "id": ADDRESS[-36:]}
    client.post(f"{API}/tables", json=table)
    assert client.get(f"{ADDRESS}/events.deal").text.startswith("Evening:")
    text = client.get(told(client, "replays/belinda")["links"]["text"])
    known = replays.find("belinda")
    assert known is not None
    (read,) = read_logs([text.data], "belinda")
    assert read.log == known.log()
    asked = client.get(f"{API}/replays/belinda/events", headers={"Accept": MEDIA_TYPE})
    assert asked.data == text.data
    assert client.get(f"{API}/replays/nobody/events.deal").status_code == 404


def test_a_text_that_cannot_be_recorded_is_told_with_its_place(client: FlaskClient) -> None:
    for text, said in (
        (SLIP.replace("3-4-2", "three"), "At line 7, column 26"),
        (SLIP + "\n" + ANOTHER, "At line 9, column 1: Another log begins here"),
        ("", "There is nothing here"),
        ("Dear diary,\n", "At line 1, column 1"),
    ):
        assert said in body_of(posted(client, "deals", text), 422)["detail"]
    assert problem(posted(client, "deals", SLIP + '{ "Hm." }\n' * BATCH)) == (413, "too-large")
    assert told(client, "deals")["deals"] == []
    opened(client)
    for path in (f"deals/{DEAL}/events", "tables"):
        refused = posted(client, path, SLIP, headers={"If-Match": '"1"'})
        assert "application/jsonl" in body_of(refused, 415)["detail"], "no whole deal is meant there"
