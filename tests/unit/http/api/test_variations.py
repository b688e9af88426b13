"""Variations: deals that begin in another, at every endpoint."""

import threading
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.grants import GrantTerms, Scope
from service.eventstore import EventStore
from service.records.live.feeds import HEARTBEAT_MESSAGE
from tests.support.api.asking import API, CLOSING, NOTE, Json, body_of, correction, fetch, problem, send
from tests.support.api.clients import holding, of_app
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, damaging, recorded_deal, recorded_table

BELINDA = "belinda"
WHAT_IF = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e10"
DEEPER = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e11"
NOWHERE = "018f5e2a-7b1c-7d3e-9f40-000000000000"
HERE, LEFT = f"deals/{WHAT_IF}", f"deals/{DEAL}"
POINTS = ("state", "legal", "score", "findings")
HAND = ["HJ", "H7", "S7", "C5", "CK", "HK", "C7", "HA", "DQ"]
DEALT: Json = {"type": "hand_dealt", "seat": "forehand", "cards": HAND}


def bids(*calls: str) -> list[Json]:
    """Calls, such as ``forehand solo``."""
    return [{"type": "bid_made", "seat": seat, "bid": bid} for seat, bid in map(str.split, calls)]


def branch(at: int | str, known: int | None = None, deal: str = DEAL, **more: Any) -> Json:
    left = {"deal": deal, "at": at} | ({} if known is None else {"known": known})
    return {**OPENING, "id": WHAT_IF, "branch": left, **more}


def post_deal(client: FlaskClient, *events: Json) -> Any:
    answer = body_of(client.post(f"{API}/deals", json=list(events)), 201)
    assert answer["deal"] == events[0]["id"]
    return answer


def deeper(client: FlaskClient, at: int | str = 1, *events: Json) -> None:
    post_deal(client, branch(at, deal=WHAT_IF, id=DEEPER), *events)


def appended(client: FlaskClient, event: Json, deal: str = DEAL) -> None:
    body_of(send(client, f"deals/{deal}/events", event, fetch(client, f"deals/{deal}")["version"]), 201)


def without_seqs(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: without_seqs(one) for name, one in part.items() if name not in ("seq", "seqs")}
    return [without_seqs(one) for one in part] if isinstance(part, list) else part


@pytest.fixture
def left(store: EventStore, client: FlaskClient) -> FlaskClient:
    recorded_deal(store, [OPENING, DEALT, *bids("forehand simple", "middlehand pass", "backhand pass")])
    return client


@pytest.fixture
def viewer(app: Flask) -> FlaskClient:
    return holding(app, GrantTerms("viewer"))


def test_it_stands_where_it_leaves_the_deal_before_anything_happens_in_it(left: FlaskClient) -> None:
    post_deal(left, branch(3))
    for point in POINTS[:3]:
        there = fetch(left, f"{LEFT}/{point}?at=3&known=5")
        for asked in ("", "?at=1", "?at=1.3", "?known=1", "?at=1&known=1"):
            assert without_seqs(fetch(left, f"{HERE}/{point}{asked}")) == without_seqs(there), (point, asked)
    for asked, says in (
        ("at=1.4", "The log has no entry 1.4. Its entries are 1 to 1, and 1.1 to 1.3 of the deal"),
        ("known=2", "The log has only 1 entries, not 2."),
    ):
        assert body_of(left.get(f"{API}/{HERE}/state?{asked}"), 404)["detail"].startswith(says)
    # At a fixed point it is kept for ever once it is closed.
    post_deal(left, branch(3, id=DEEPER), CLOSING)
    for asked, kept in ((f"{HERE}/state?at=1&known=1", False), (f"deals/{DEEPER}/state?at=1&known=2", True)):
        assert ("immutable" in left.get(f"{API}/{asked}").headers["Cache-Control"]) == kept


def test_its_log_is_its_own_and_what_comes_to_it_is_judged_after_the_beginning(left: FlaskClient) -> None:
    strict = f"{API}/deals?mode=strict"
    assert problem(left.post(strict, json=[branch(3), *bids("backhand solo")])) == (422, "against-the-rules")
    assert left.post(strict, json=[branch(3, id=DEEPER), *bids("middlehand solo")]).status_code == 201
    for call, status in (("backhand pass", 422), ("forehand pass", 201)):
        assert send(left, f"deals/{DEEPER}/events", bids(call), 2, mode="strict").status_code == status
    answer = post_deal(left, branch(3), *bids("middlehand solo", "backhand pass"))
    assert "wrong_seat" in [one["code"] for one in answer["findings"]]
    assert [event["seq"] for event in answer["events"]] == [1, 2, 3]
    calls = fetch(left, f"{HERE}/state")["calls"]
    assert [(call["seq"], call["bid"]) for call in calls] == [("1.3", "simple"), (2, "solo"), (3, "pass")]
    assert left.get(f"{API}/{HERE}/state.svg").status_code == 200
    assert fetch(left, f"{LEFT}/state")["calls"][1]["bid"] == "pass", "the deal knows nothing of it"
    for form in ("events", "events.jsonl", "events.deal?bookkeeping=all"):
        assert "HJ" not in left.get(f"{API}/{HERE}/{form}").text
    text = left.get(f"{API}/{HERE}/events.deal").text
    assert f'Branch:     "{DEAL}" at @3 known 5' in text
    copied = left.post(f"{API}/import", data=text, content_type="text/vnd.spadille.deal").get_json()
    (copy,) = (record["id"] for record in copied["records"])
    assert fetch(left, f"deals/{copy}")["branch"] == {"deal": DEAL, "at": 3, "known": 5}


def test_a_repeat_is_the_same_also_when_the_deal_went_on(left: FlaskClient) -> None:
    first = post_deal(left, branch(3))
    assert first["events"][0]["branch"] == {"deal": DEAL, "at": 3, "known": 5}
    before = fetch(left, f"{HERE}/state")
    appended(left, correction(*bids("forehand solo"), replaces=[3]))
    assert fetch(left, f"{HERE}/state") == before, "what the deal gets later changes nothing in it"
    assert body_of(left.post(f"{API}/deals", json=branch(3)))["events"] == first["events"]
    assert problem(left.post(f"{API}/deals", json=branch(4))) == (409, "id-conflict")
    post_deal(left, branch(3, id=DEEPER))
    assert fetch(left, f"deals/{DEEPER}/state")["calls"][0]["bid"] == "solo", "one opened now sees it"


def test_a_variation_of_a_variation_and_their_files(left: FlaskClient) -> None:
    post_deal(left, branch(3), *bids("middlehand solo", "backhand pass"))
    deeper(left, 2, *bids("backhand spade-solo"))
    expected = [("1.3", "simple"), ("1.4", "solo"), (2, "spade-solo")]
    assert [(one["seq"], one["bid"]) for one in fetch(left, f"deals/{DEEPER}/state")["calls"]] == expected
    for deal, leaves in ((WHAT_IF, DEAL), (DEEPER, WHAT_IF)):
        html = unescape(left.get(f"/deals/{deal}/file").text)
        assert f'Branch:     "{leaves}"' in html, "the text of its own record"
        assert all(card in html for card in HAND), "the hand that the first deal has"
    names = [DEEPER, *(f"018f5e2a-7b1c-7d3e-9f40-0000000001{number:02}" for number in range(18))]
    for before, deal in pairwise(names):
        post_deal(left, branch(1, deal=before, id=deal))
    refused = left.post(f"{API}/deals", json=branch(1, deal=names[-1], id=NOWHERE))
    assert problem(refused) == (422, "wrong-branch")
    assert "20 levels deep" in refused.get_json()["detail"]


def test_a_variation_of_a_deal_of_the_library(client: FlaskClient) -> None:
    opening = {**branch(28, deal=BELINDA), "ruleset": "ombre", "players": PLAYERS}
    post_deal(client, opening, {"type": "card_played", "seat": "middlehand", "card": "DK"})
    there, here = fetch(client, f"replays/{BELINDA}/state?at=28"), fetch(client, f"{HERE}/state?at=1")
    assert without_seqs(here["tricks"]) == without_seqs(there["tricks"])
    assert here["pool"] == there["pool"] == 5
    (listed,) = fetch(client, f"replays/{BELINDA}/variations")["variations"]
    assert (listed["id"], listed["links"]["leaves"]) == (WHAT_IF, f"{API}/replays/{BELINDA}")
    assert fetch(client, f"replays/{BELINDA}/replay")["links"]["variations"].endswith("/belinda/variations")
    # By its title too, as one writes it down.
    titled = {**opening, "id": DEEPER, "branch": {"deal": "Belinda’s game", "at": 28}}
    assert post_deal(client, titled)["events"][0]["branch"]["deal"] == BELINDA


def test_a_point_that_is_not_there_is_refused(left: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    for deal, at, known, member, says in (
        (NOWHERE, 1, None, "deal", f"There is no deal {NOWHERE} here to branch from."),
        (TABLE, 1, None, "deal", f"There is no deal {TABLE} here"),
        (WHAT_IF, 1, None, "deal", f"There is no deal {WHAT_IF} here"),
        (DEAL, 6, None, "at", "at is 6, which is not one of its first 5 entries."),
        (DEAL, 3, 6, "known", "known is 6, but that deal has 5 entries."),
    ):
        opening = branch(at, known, deal)
        for sent, place in ((opening, ""), ([opening, *bids("middlehand solo")], "/0")):
            refused = left.post(f"{API}/deals", json=sent)
            assert problem(refused) == (422, "wrong-branch"), says
            answer = refused.get_json()
            (error,) = answer["errors"]
            assert error["pointer"] == f"{place}/branch/{member}"
            assert (answer["stream"], answer["seq"]) == (deal, at)
            assert says in error["detail"] and says in answer["detail"]
    assert left.get(f"{API}/{HERE}").status_code == 404
    answer = send(left, f"tables/{TABLE}/deals", {"players": PLAYERS, "branch": {"deal": DEAL, "at": 3}}, 1)
    assert problem(answer) == (422, "wrong-stream")
    assert answer.get_json()["detail"] == f"A variation cannot belong to a table. Send it to {API}/deals."


def test_a_correction_of_its_opening_lets_it_begin_where_it_did(left: FlaskClient) -> None:
    post_deal(left, branch(3))
    elsewhere = {**OPENING, "branch": {"deal": DEAL, "at": 2, "known": 5}}
    refused = send(left, f"{HERE}/events", [correction(elsewhere, replaces=[1])], 1)
    assert problem(refused) == (422, "wrong-branch")
    assert refused.get_json()["errors"][0]["pointer"] == "/0/with/0/branch"
    appended(left, correction(OPENING, replaces=[1]), WHAT_IF)
    for path in (HERE, f"{HERE}/replay"):
        assert fetch(left, path)["branch"] == {"deal": DEAL, "at": 3, "known": 5}


def test_a_deal_lists_its_variations_a_page_at_a_time(left: FlaskClient) -> None:
    names = [f"018f5e2a-7b1c-7d3e-9f40-0000000002{number:02}" for number in range(3)]
    for at, deal in enumerate(names, 1):
        post_deal(left, branch(at, id=deal, title="Solo instead"))
    post_deal(left, branch(1, deal=names[0]))
    first = left.get(f"{API}/{LEFT}/variations?limit=2")
    following = first.get_json()["next"]
    assert first.headers["Link"] == f'<{following}>; rel="next"'
    last = left.get(following)
    assert "Link" not in last.headers and "next" not in last.get_json()
    found = [*first.get_json()["variations"], *last.get_json()["variations"]]
    assert [(one["id"], one["branch"]["at"]) for one in found] == list(zip(names, range(1, 4), strict=True))
    assert found[0]["links"]["leaves"] == f"{API}/{LEFT}"
    for path in (LEFT, f"{LEFT}/replay"):
        assert fetch(left, path)["links"]["variations"] == f"{API}/{LEFT}/variations"
    assert fetch(left, LEFT)["branch"] is None
    for path in (f"{LEFT}/variations?after={DEAL}", f"deals/{NOWHERE}/variations", "replays/x/variations"):
        assert left.get(f"{API}/{path}").status_code == 404
    # The pages lead there and back.
    assert f"/deals/{names[0]}" in left.get(f"/deals/{DEAL}").text
    page = left.get(f"/deals/{names[0]}").text
    assert f'href="/deals/{DEAL}"' in page and "Solo instead" in page


def test_one_damaged_deal_takes_no_other_from_the_lists(
    app: Flask, left: FlaskClient, viewer: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_table(store)
    post_deal(left, branch(3))
    post_deal(left, branch(2, id=DEEPER, title="Bo passes"))
    appended(left, CLOSING)
    damaging(monkeypatch, store, WHAT_IF, 1)
    of_all, of_deal = fetch(left, "deals"), fetch(left, f"{LEFT}/variations")
    assert {one["id"] for one in of_all["deals"]} >= {DEAL, DEEPER}
    assert of_all["damaged"] == [WHAT_IF]
    assert [one["id"] for one in of_deal["variations"]] == [DEEPER]
    assert fetch(left, "replays/belinda/variations") == {"variations": [], "damaged": []}
    page = left.get("/deals")
    assert (page.status_code, "Bo passes" in page.text, "damaged" in page.text) == (200, True, True)
    first = fetch(left, "deals?limit=1")
    assert first["deals"] or first["damaged"]
    # Whether it begins in a deal that is hidden from the viewer cannot be told: so it is not listed.
    for path in ("deals", "deals?limit=1"):
        assert WHAT_IF not in viewer.get(f"{API}/{path}").text
    assert {one["id"] for one in fetch(viewer, "deals")["deals"]} >= {DEAL, DEEPER}
    assert of_app(app).damage_tracker.places[0].stream == WHAT_IF
    assert problem(left.get(f"{API}/{HERE}")) == (500, "store-damaged")


def test_it_is_hidden_while_the_hands_are_closed(app: Flask, left: FlaskClient) -> None:
    post_deal(left, branch(3, title="Anna holds the king"), *bids("middlehand solo"))
    there, player = Scope("deal", WHAT_IF), GrantTerms("player", person="Anna")
    readers = [holding(app, terms) for terms in (
        GrantTerms("viewer"), player, GrantTerms("player", there, seat="forehand"),
        GrantTerms("recorder", there), GrantTerms("recorder", Scope("deal", DEAL)),
    )]  # fmt: skip
    for reader in readers:
        for part in ("", "/events", "/events.jsonl", "/events.deal", "/replay", "/state.svg", "/live",
                     "/proof", "/variations", *(f"/{point}" for point in POINTS)):  # fmt: skip
            assert reader.get(f"{API}/{HERE}{part}").status_code == 404, part
        assert reader.get(f"/deals/{WHAT_IF}").status_code == 404
        assert send(reader, f"{HERE}/events", NOTE).status_code == 404
        for path in ("deals", f"{LEFT}/variations", f"{LEFT}/replay"):
            text = reader.get(f"{API}/{path}").text
            assert WHAT_IF not in text and "the king" not in text, path
    assert "the king" not in readers[0].get("/deals").text + readers[0].get(f"/deals/{DEAL}").text
    assert holding(app, GrantTerms("recorder")).get(f"{API}/{HERE}/state").status_code == 200
    body_of(left.post(f"{API}/grants", json={"role": "viewer", "deal": WHAT_IF, "public": True}), 201)
    assert fetch(app.test_client(), "session")["published"] == []
    # Once they lie open it is there for all who may read it.
    appended(left, CLOSING)
    assert [reader.get(f"{API}/{HERE}/state").status_code for reader in readers[:4]] == [200] * 4
    assert WHAT_IF in readers[0].get(f"{API}/deals").text
    (published,) = fetch(app.test_client(), "session")["published"]
    assert published["scope"]["id"] == WHAT_IF


def test_its_beginning_is_cut_as_that_deal_is(left: FlaskClient) -> None:
    post_deal(left, branch(3), *bids("middlehand solo"))
    deeper(left, 2)
    for eyes in ("forehand", "middlehand"):
        there = fetch(left, f"{LEFT}/state?at=3&viewer={eyes}")["hands"]
        for deal in (WHAT_IF, DEEPER):
            for asked in ("", "&at=1", "&at=1.2", "&known=1"):
                answer = left.get(f"{API}/deals/{deal}/state?viewer={eyes}{asked}")
                assert answer.get_json()["hands"] == there
                assert answer.headers["Cache-Control"] == "no-store"
            for shown in (f"{API}/deals/{deal}/replay", f"/deals/{deal}/file"):
                assert ('"HJ"' in left.get(f"{shown}?viewer={eyes}").text) == (eyes == "forehand"), shown


def test_every_deal_in_a_row_has_to_lie_open(left: FlaskClient, viewer: FlaskClient) -> None:
    post_deal(left, branch(3))
    deeper(left)
    path = f"{API}/deals/{DEEPER}/state"
    for deal in (WHAT_IF, DEAL):
        assert viewer.get(path).status_code == 404
        assert "HJ" not in left.get(f"{API}/{HERE}/replay?viewer=public").text
        appended(left, CLOSING, deal)
    assert viewer.get(path).status_code == 200
    appended(left, correction(replaces=[6]))
    assert viewer.get(path).status_code == 404, "the closing was taken back"


def test_a_live_stream_ends_with_the_right_to_it(app: Flask, left: FlaskClient, viewer: FlaskClient) -> None:
    of_app(app).live_streams._heartbeat = 3600  # by itself it looks at nothing again
    post_deal(left, branch(3), CLOSING)
    deeper(left)
    appended(left, CLOSING)
    chunks = viewer.get(f"{API}/deals/{DEEPER}/live", buffered=False).iter_encoded()
    assert next(chunks).startswith(b"retry")
    assert b"deal_opened" in next(chunks)
    sent: list[bytes] = []
    reader = threading.Thread(target=sent.extend, args=(chunks,), daemon=True)
    reader.start()
    appended(left, NOTE)
    reader.join(0.2)
    assert reader.is_alive()
    appended(left, correction(replaces=[6]))
    reader.join(30)
    assert not reader.is_alive()
    assert set(sent) <= {HEARTBEAT_MESSAGE}


@pytest.mark.parametrize("order", [1, -1], ids=["parent first", "parent last"])
def test_a_variation_is_imported_with_the_deal_that_it_leaves(client: FlaskClient, order: int) -> None:
    head = "Rules: dlu\nForehand: Anna\nMiddlehand: Bo\nBackhand: Carl\n"
    deals = [
        f"Deal: The club’s game\n{head}\nF bids simple; M passes; B passes\n",
        f'Deal: Solo instead\n{head}Branch: "The club’s game" at @2\n\nM bids solo\n',
    ]
    text, kind = "\n".join(deals[::order]), "text/vnd.spadille.deal"
    (first, second) = client.post(f"{API}/import", data=text, content_type=kind).get_json()["records"]
    assert fetch(client, f"deals/{second['id']}")["branch"] == {"deal": first["id"], "at": 2, "known": 4}
    repeated = client.post(f"{API}/import", data=text, content_type=kind).get_json()["records"]
    assert [one["new"] for one in repeated] == [0, 0]


def test_one_that_leaves_nothing_is_not_imported_and_the_rest_is(left: FlaskClient) -> None:
    logs: dict[str, list[Json]] = {
        "from nowhere": [branch(3, deal=NOWHERE)],
        "from no point": [branch(9), *bids("middlehand solo")],
        "in a circle": [branch(1, deal=DEEPER), branch(1, deal=WHAT_IF, id=DEEPER)],
        "from itself": [branch(1, deal=WHAT_IF)],
    }
    for number, (name, log) in enumerate(logs.items()):
        other = f"018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e9{number}"
        answer = left.post(f"{API}/import", json=[*log, {**OPENING, "id": other}]).get_json()
        records = {one["id"]: one for one in answer["records"]}
        assert records.pop(other)["detail"] is None, name
        assert records and all(record["detail"] for record in records.values()), name


def test_a_missing_beginning_is_reported(client: FlaskClient, viewer: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [branch(3, deal=DEEPER), *bids("middlehand solo")], WHAT_IF)
    found = [(one["seq"], one["code"]) for one in fetch(client, f"{HERE}/findings")["findings"]]
    assert ("1.1", "beginning_missing") in found
    # In a circle they fold too.
    recorded_deal(store, [branch(1, deal=WHAT_IF, id=DEEPER)], DEEPER)
    assert fetch(client, f"deals/{DEEPER}/state")["incomplete"]
    assert len(fetch(client, "deals")["deals"]) == 2
    assert viewer.get(f"{API}/deals").status_code == 200
