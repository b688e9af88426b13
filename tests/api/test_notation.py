"""Deals in the notation, over the API: judged, recorded, read back."""

import pytest
from flask.testing import FlaskClient

import replays
from schemas.notation import MEDIA_TYPE, read_logs, written_log
from schemas.reader import read_entry
from service.api.bodies import BATCH
from tests.support.api.deals import EVENTS, append, opened
from tests.support.api.notation import SLIP
from tests.support.api.recording import DEAL
from tests.support.api.tables import ADDRESS

ANOTHER = SLIP.replace("Thursday, the third", "Thursday, the fourth")
API = "/api/v1"


def send(client: FlaskClient, path: str, text: str) -> tuple[int, dict[str, object]]:
    answer = client.post(f"{API}/{path}", data=text.encode(), content_type=MEDIA_TYPE)
    return answer.status_code, answer.get_json()


def test_a_text_is_judged_like_the_events_it_says(client: FlaskClient) -> None:
    (log,) = read_logs([SLIP.encode()], "-")
    events = b"".join(line + b"\n" for line in _lines_of(client, SLIP))
    status, told = send(client, "validate", SLIP)
    assert status == 200
    lines = client.post(f"{API}/validate", data=events, content_type="application/jsonl")
    assert len(log.log) == 2
    assert told == lines.get_json()
    _, scores = send(client, "score?name=thursday", SLIP + "\n" + ANOTHER)
    assert [score["payments"]["middlehand"] for score in scores["scores"]] == [6, 6]  # type: ignore[attr-defined]


def _lines_of(client: FlaskClient, text: str) -> list[bytes]:
    made = client.post(f"{API}/deals", data=text.encode(), content_type=f"{MEDIA_TYPE}; charset=utf-8")
    assert made.status_code == 201
    return client.get(f"{made.headers['Location']}/events.jsonl").data.splitlines()


def test_a_deal_is_recorded_from_its_text_and_read_back_as_text(client: FlaskClient) -> None:
    made = client.post(f"{API}/deals", data=SLIP.encode(), content_type=MEDIA_TYPE)
    deal = client.get(made.headers["Location"]).get_json()
    assert deal["title"] == "Thursday, the third"
    answer = client.get(deal["links"]["text"])
    assert answer.content_type == f"{MEDIA_TYPE}; charset=utf-8"
    (log,) = read_logs([SLIP.encode()], "-")
    assert answer.text == written_log(log.log)
    assert (
        client.get(deal["links"]["text"], headers={"If-None-Match": answer.headers["ETag"]}).status_code
        == 304
    )


def test_with_all_bookkeeping_the_very_log_comes_back(client: FlaskClient) -> None:
    opened(client)
    append(client, {"type": "note_added", "text": "Late start.", "at": "2026-11-19T19:02:11+01:00"}, "*")
    whole = client.get(f"{EVENTS}.deal?bookkeeping=all")
    (read,) = read_logs([whole.data], "-")
    events = client.get(EVENTS).get_json()["events"]
    assert read.log == tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))
    told = client.get(f"{EVENTS}.deal").text
    assert DEAL in whole.text
    assert DEAL not in told
    assert "19:02" not in told
    assert client.get(f"{EVENTS}.deal?bookkeeping=some").status_code == 422


def test_a_log_comes_as_text_to_whoever_asks_for_it(client: FlaskClient) -> None:
    opened(client)
    answer = client.get(EVENTS, headers={"Accept": f"{MEDIA_TYPE}, application/json;q=0.5"})
    assert answer.data == client.get(f"{EVENTS}.deal").data
    assert answer.headers["Vary"] == "Accept, Authorization, Cookie"
    part = client.get(f"{EVENTS}?after=1", headers={"Accept": MEDIA_TYPE})
    assert part.status_code == 422
    assert part.get_json()["errors"][0]["parameter"] == "after"


def test_a_table_and_a_deal_of_the_library_have_their_text(client: FlaskClient) -> None:
    client.post(
        f"{API}/tables", json={"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "id": ADDRESS[-36:]}
    )
    assert client.get(f"{ADDRESS}/events.deal").text.startswith("Evening:")
    belinda = client.get(f"{API}/replays/belinda").get_json()
    text = client.get(belinda["links"]["text"])
    (read,) = read_logs([text.data], "belinda")
    known = replays.find("belinda")
    assert known is not None
    assert read.log == known.log()
    asked = client.get(f"{API}/replays/belinda/events", headers={"Accept": MEDIA_TYPE})
    assert asked.data == text.data
    assert client.get(f"{API}/replays/nobody/events.deal").status_code == 404


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SLIP.replace("3-4-2", "three"), "At line 7, column 26"),
        (SLIP + "\n" + ANOTHER, "At line 9, column 1: Another log begins here"),
        ("", "There is nothing here"),
        ("Dear diary,\n", "At line 1, column 1"),
    ],
)
def test_a_text_that_cannot_be_recorded_is_told_with_its_place(
    client: FlaskClient, text: str, said: str
) -> None:
    status, problem = send(client, "deals", text)
    assert status == 422
    assert said in str(problem["detail"])
    assert client.get(f"{API}/deals").get_json()["deals"] == []


def test_a_text_of_too_many_entries_is_too_large(client: FlaskClient) -> None:
    status, problem = send(client, "deals", SLIP + '{ "Hm." }\n' * BATCH)
    assert (status, problem["type"]) == (413, "/problems/too-large")


@pytest.mark.parametrize("path", [f"deals/{DEAL}/events", "tables"])
def test_where_no_whole_deal_is_meant_it_is_not_read(client: FlaskClient, path: str) -> None:
    opened(client)
    answer = client.post(
        f"{API}/{path}", data=SLIP.encode(), content_type=MEDIA_TYPE, headers={"If-Match": '"1"'}
    )
    assert answer.status_code == 415
    assert "application/jsonl" in answer.get_json()["detail"]
