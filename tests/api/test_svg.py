"""Drawings at the API: which point, for whom, how they may be kept, and that nothing hidden is in them."""

import random
import struct
import sys
import threading
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CODES, SEAT_NAMES
from schemas.reader import read_entry
from service.app import create_app
from service.drawing import Manner, drawn
from service.identity.grants import Scope, Terms
from service.pictures import PictureUnavailable, picture, studio
from service.store import EventStore, MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import DEAL, OPENING, Json, recorded_deal, some_deal
from tests.support.drawing.looking import rules_of
from tests.support.effort import examples

ADDRESS = f"/api/v1/deals/{DEAL}"
BELINDA = "/api/v1/replays/belinda"
HIDING = ("hand_dealt", "cards_discarded", "cards_drawn", "talon_laid")
CLOSING = {"type": "deal_closed", "payments": {}, "engine": "0.1.0"}
PICTURES = ("state.svg", "state.png")


@pytest.fixture(scope="module")
def whole() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store)
    return owner_of(create_app(store))


def size_of(png: bytes) -> tuple[int, int]:
    """The width and height of a picture, from its first bytes."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("at", [1, 5, 11, 20, len(some_deal())])
@pytest.mark.parametrize("viewer", ["all", "public", "backhand"])
def test_a_drawing_is_made_of_what_state_answers(whole: FlaskClient, at: int, viewer: str) -> None:
    asked = f"at={at}&viewer={viewer}"
    state = whole.get(f"{ADDRESS}/state?{asked}").get_json()
    answer = whole.get(f"{ADDRESS}/state.svg?{asked}&lang=da&theme=dark&width=500")
    assert answer.content_type == "image/svg+xml"
    assert answer.get_data(as_text=True) == drawn(state, Manner("da", "dark", 500, None, rules_of(state)))
    ElementTree.fromstring(answer.data)


def test_state_itself_is_drawn_where_accept_prefers_it(whole: FlaskClient) -> None:
    plain = whole.get(f"{ADDRESS}/state?at=9", headers={"Accept": "image/svg+xml, application/json;q=0.5"})
    assert plain.data == whole.get(f"{ADDRESS}/state.svg?at=9").data
    assert "Accept" in plain.vary
    for accept in ("*/*", "application/json", "application/json, image/svg+xml;q=0.9"):
        answer = whole.get(f"{ADDRESS}/state?at=9", headers={"Accept": accept})
        assert answer.is_json
        assert "Accept" in answer.vary


def test_state_itself_is_pictured_where_accept_prefers_that(whole: FlaskClient) -> None:
    picture = whole.get(f"{ADDRESS}/state?at=9", headers={"Accept": "image/png, image/svg+xml;q=0.5"})
    assert (picture.content_type, picture.data) == ("image/png", whole.get(f"{ADDRESS}/state.png?at=9").data)
    assert "Accept" in picture.vary
    # What a browser says for an image: it takes both as gladly, and gets the one that is light.
    either = whole.get(f"{ADDRESS}/state?at=9", headers={"Accept": "image/png,image/svg+xml,*/*;q=0.5"})
    assert either.content_type == "image/svg+xml"


@pytest.mark.parametrize("size", ["1200x630", "600x315", "1080x1080"])
def test_a_picture_has_the_size_that_was_asked_for(whole: FlaskClient, size: str) -> None:
    answer = whole.get(f"{ADDRESS}/state.png?at=9&size={size}")
    assert answer.content_type == "image/png"
    assert "x".join(map(str, size_of(answer.data))) == size


def test_a_replay_is_drawn_too(whole: FlaskClient) -> None:
    root = ElementTree.fromstring(whole.get(f"{BELINDA}/state.svg?at=26&width=320").data)
    assert root.get("width") == "320"
    assert whole.get(BELINDA).get_json()["links"]["drawing"] == f"{BELINDA}/state.svg"
    assert size_of(whole.get(whole.get(ADDRESS).get_json()["links"]["picture"]).data) == (1200, 630)


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("state.svg?width=319", "width"),
        ("state.svg?width=1601", "width"),
        ("state.svg?width=8e2", "width"),
        ("state.svg?lang=de", "lang"),
        ("state.svg?theme=green", "theme"),
        ("state.svg?size=600x315", "size"),
        ("state.png?size=9999x9999", "size"),
        ("state.png?width=800", "width"),
        ("state?lang=da", "lang"),
    ],
)
def test_what_cannot_be_drawn_is_told(whole: FlaskClient, query: str, parameter: str) -> None:
    answer = whole.get(f"{ADDRESS}/{query}")
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.get_json()["errors"]] == [parameter]


@pytest.mark.parametrize("name", PICTURES)
def test_a_point_or_deal_that_is_not_there_is_told(whole: FlaskClient, name: str) -> None:
    assert whole.get(f"{ADDRESS}/{name}?at=999").get_json()["type"] == "/problems/unknown-point"
    assert whole.get(f"/api/v1/replays/nobody/{name}").get_json()["type"] == "/problems/unknown-replay"


@pytest.mark.parametrize("name", PICTURES)
def test_drawings_are_kept_as_long_as_the_state_is(client: FlaskClient, store: EventStore, name: str) -> None:
    recorded_deal(store, [*some_deal(), CLOSING])
    for query in ("", "?at=9", "?at=9&known=12", "?at=9&viewer=public"):
        state = client.get(f"{ADDRESS}/state{query}").headers["Cache-Control"]
        assert client.get(f"{ADDRESS}/{name}{query}").headers["Cache-Control"] == state


@pytest.mark.parametrize("name", PICTURES)
def test_a_drawing_that_the_client_has_is_not_sent_again(
    whole: FlaskClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = whole.get(f"{ADDRESS}/{name}?at=9")
    monkeypatch.setattr("service.api.drawings.picture", lambda _: pytest.fail("painted for nothing"))
    again = whole.get(f"{ADDRESS}/{name}?at=9", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert whole.get(f"{ADDRESS}/state.svg?at=10").headers["ETag"] != first.headers["ETag"]


# What a viewer may not know


def otherwise(events: list[Json], seat: str, rng: random.Random) -> list[Json]:
    """The same deal with other cards wherever ``seat`` could not see them."""
    seen = {
        card
        for event in events
        for card in (*event.get("cards", ()), event.get("card"))
        if event["type"] not in HIDING or event.get("seat") == seat
    }
    unseen = [code for code in CODES[:40] if code not in seen]
    change = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    changed = []
    for event in events:
        hides = event["type"] in HIDING and event.get("seat") != seat
        cards = [change.get(card, card) for card in event["cards"]] if hides else event.get("cards")
        changed.append({**event, "cards": cards} if hides else event)
    return changed


@settings(max_examples=examples(40))
@given(st.integers(0, 10_000), st.sampled_from(SEAT_NAMES), st.integers(4, 40))
def test_two_deals_that_differ_only_in_what_he_may_not_know_are_drawn_alike(
    seed: int, seat: str, stop: int
) -> None:
    events = [event for event in some_deal(seed, talon=True, stop=stop) if event["type"] != "deal_closed"]
    other = otherwise(events, seat, random.Random(seed))
    drawings = []
    for deal in (events, other):
        store = MemoryStore()
        recorded_deal(store, deal)
        drawings.append(owner_of(create_app(store)).get(f"{ADDRESS}/state.svg?viewer={seat}").data)
    assert drawings[0] == drawings[1]


def test_the_deals_of_that_test_do_differ_for_whoever_sees_all() -> None:
    events = some_deal(3, stop=8)
    log = tuple(
        read_entry(event, seq) for seq, event in enumerate(otherwise(events, "forehand", random.Random(3)), 1)
    )
    assert log != tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))


# What a picture may cost


def svg(name: str = "Anna") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>{name}</title></svg>'


def test_a_painter_that_fails_is_told(whole: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio, "command", lambda _: [sys.executable, "-c", "raise SystemExit(3)"])
    answer = whole.get(f"{ADDRESS}/state.png?at=13")
    assert answer.status_code == 503
    assert answer.get_json()["type"] == "/problems/picture-unavailable"
    assert answer.headers["Retry-After"] == "5"
    monkeypatch.undo()
    assert whole.get(f"{ADDRESS}/state.png?at=13").status_code == 200


@pytest.mark.parametrize(
    "painter",
    [
        [sys.executable, "-c", "import time; time.sleep(60)"],
        [sys.executable, "-c", "print('no picture')"],
        ["/nowhere/painter"],
    ],
)
def test_a_painter_that_takes_too_long_or_paints_nothing_is_let_go(
    painter: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studio, "PAINTING_SECONDS", 0.3)
    with pytest.raises(PictureUnavailable):
        studio.run(painter, svg())


def test_few_pictures_are_painted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes while all painters are at work waits, and then is told."""
    painting, go_on = threading.Semaphore(0), threading.Event()

    def slow(_: Any, drawing: str) -> bytes:
        painting.release()
        go_on.wait(10)
        return drawing.encode()

    monkeypatch.setattr(studio, "run", slow)
    monkeypatch.setattr(studio, "PATIENCE_SECONDS", 0.05)
    busy = [
        threading.Thread(target=picture, args=(svg(f"busy {number}"),)) for number in range(studio.PAINTERS)
    ]
    for thread in busy:
        thread.start()
    for _ in busy:
        assert painting.acquire(timeout=10)
    with pytest.raises(PictureUnavailable, match="being made"):
        picture(svg("one too many"))
    go_on.set()
    for thread in busy:
        thread.join()
    assert picture(svg("one too many")) == svg("one too many").encode()


def test_a_picture_is_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def painted(_: Any, drawing: str) -> bytes:
        runs.append(drawing)
        return b"painted"

    monkeypatch.setattr(studio, "run", painted)
    assert picture(svg("kept")) == picture(svg("kept")) == b"painted"
    assert len(runs) == 1


def test_the_machine_s_own_fonts_are_asked_only_for_letters_that_ours_have_not() -> None:
    assert "ours" in studio.command(svg("Ærø"))
    assert "any" in studio.command(svg("王小明"))


def test_a_record_with_nothing_but_its_opening_is_drawn(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    assert b"Anna is forehand" in client.get(f"{ADDRESS}/state.svg").data


# Members of the club


@pytest.mark.parametrize("asked", [("state.svg", "*/*"), ("state", "image/svg+xml")])
def test_a_member_is_called_by_the_name_that_the_club_knows_until_it_is_forgotten(
    client: FlaskClient, asked: tuple[str, str]
) -> None:
    name, accept = asked
    member = client.post("/api/v1/members", json={"name": "Anna Ancher"}).get_json()["id"]
    opening = {**OPENING, "players": {**OPENING["players"], "forehand": member}}
    address = client.post("/api/v1/deals", json=opening).headers["Location"]

    def seen() -> str:
        return client.get(f"{address}/{name}", headers={"Accept": accept}).get_data(as_text=True)

    assert "Anna" in seen()
    assert member not in seen()
    assert client.delete(f"/api/v1/members/{member}").status_code == 204
    assert "Anna" not in seen()
    assert member not in seen()
    assert ">forehand<" in seen()


def test_whoever_holds_nothing_sees_no_drawing(store: EventStore) -> None:
    recorded_deal(store)
    stranger = create_app(store).test_client()
    for name in PICTURES:
        assert stranger.get(f"{ADDRESS}/{name}").status_code == 401
        assert stranger.get(f"{BELINDA}/{name}").status_code == 200


@pytest.mark.parametrize("seat", SEAT_NAMES)
def test_a_player_sees_what_his_seat_knew_without_asking_for_it(store: EventStore, seat: str) -> None:
    recorded_deal(store, some_deal(3, stop=20))
    app = create_app(store)
    player = holding(app, Terms("player", Scope("deal", DEAL), seat=seat))
    own = player.get(f"{ADDRESS}/state.svg?at=9")
    assert own.data == owner_of(app).get(f"{ADDRESS}/state.svg?at=9&viewer={seat}").data
    assert own.headers["Cache-Control"] == "no-store"
    assert player.get(f"{ADDRESS}/state.png?viewer=all").status_code == 403
