"""Drawings at the API: which point, for whom, how they may be kept, and that nothing hidden is in them."""

import struct
import sys
import threading
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import EventStore, MemoryStore
from service.presentation.png import PictureUnavailable, picture, renderer
from service.presentation.svg import Manner, drawn
from tests.support.api.asking import API, CLOSING, again, parameters, problem
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, OPENING, recorded_deal, some_deal
from tests.support.drawing.looking import rules_of

ADDRESS = f"{API}/deals/{DEAL}"
BELINDA = f"{API}/replays/belinda"
PICTURES = ("state.svg", "state.png")


@pytest.fixture(scope="module")
def whole() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store)
    return owner_of(create_app(store))


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize(("at", "viewer"), [(1, "all"), (11, "public"), (len(some_deal()), "backhand")])
def test_a_drawing_is_made_of_what_state_answers(whole: FlaskClient, at: int, viewer: str) -> None:
    asked = f"at={at}&viewer={viewer}"
    state = whole.get(f"{ADDRESS}/state?{asked}").get_json()
    answer = whole.get(f"{ADDRESS}/state.svg?{asked}&lang=da&theme=dark&width=500")
    assert answer.content_type == "image/svg+xml"
    assert answer.get_data(as_text=True) == drawn(state, Manner("da", "dark", 500, None, rules_of(state)))
    ElementTree.fromstring(answer.data)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("image/svg+xml, application/json;q=0.5", "image/svg+xml"),
        ("image/png, image/svg+xml;q=0.5", "image/png"),
        # What a browser says for an image: it takes both as gladly, and gets the one that is light.
        ("image/png,image/svg+xml,*/*;q=0.5", "image/svg+xml"),
        ("*/*", "application/json"),
        ("application/json, image/svg+xml;q=0.9", "application/json"),
    ],
)
def test_state_itself_is_drawn_where_accept_prefers_it(whole: FlaskClient, accept: str, kind: str) -> None:
    answer = whole.get(f"{ADDRESS}/state?at=9", headers={"Accept": accept})
    assert answer.content_type == kind
    assert "Accept" in answer.vary
    if kind.startswith("image"):
        ending = kind.removeprefix("image/").removesuffix("+xml")
        assert answer.data == whole.get(f"{ADDRESS}/state.{ending}?at=9").data


def test_a_picture_has_the_size_that_was_asked_for(whole: FlaskClient) -> None:
    for size in ("1200x630", "600x315", "1080x1080"):
        answer = whole.get(f"{ADDRESS}/state.png?at=9&size={size}")
        assert answer.content_type == "image/png"
        assert "x".join(map(str, size_of(answer.data))) == size
    root = ElementTree.fromstring(whole.get(f"{BELINDA}/state.svg?at=26&width=320").data)
    assert root.get("width") == "320"
    assert whole.get(BELINDA).get_json()["links"]["drawing"] == f"{BELINDA}/state.svg"
    assert size_of(whole.get(whole.get(ADDRESS).get_json()["links"]["picture"]).data) == (1200, 630)


def test_what_cannot_be_drawn_is_told(whole: FlaskClient) -> None:
    for query, parameter in (
        ("state.svg?width=319", "width"),
        ("state.svg?width=1601", "width"),
        ("state.svg?lang=de", "lang"),
        ("state.svg?theme=green", "theme"),
        ("state.svg?size=600x315", "size"),
        ("state.png?size=9999x9999", "size"),
        ("state.png?width=800", "width"),
        ("state?lang=da", "lang"),
    ):
        assert parameters(whole.get(f"{ADDRESS}/{query}")) == [parameter], query
    for name in PICTURES:
        assert problem(whole.get(f"{ADDRESS}/{name}?at=999")) == (404, "unknown-point")
        assert problem(whole.get(f"{API}/replays/nobody/{name}")) == (404, "unknown-replay")


@pytest.mark.parametrize("name", PICTURES)
def test_drawings_are_kept_as_long_as_the_state_is(client: FlaskClient, store: EventStore, name: str) -> None:
    recorded_deal(store, [*some_deal(), CLOSING])
    for query in ("", "?at=9", "?at=9&known=12", "?at=9&viewer=public"):
        state = client.get(f"{ADDRESS}/state{query}").headers["Cache-Control"]
        assert client.get(f"{ADDRESS}/{name}{query}").headers["Cache-Control"] == state


@pytest.mark.parametrize("name", PICTURES)
def test_a_known_drawing_is_not_made(whole: FlaskClient, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = whole.get(f"{ADDRESS}/{name}?at=9")
    monkeypatch.setattr("service.http.api.drawings.picture", lambda _: pytest.fail("painted for nothing"))
    same = again(whole, f"{ADDRESS}/{name}?at=9", first)
    assert (same.status_code, same.data) == (304, b"")
    assert whole.get(f"{ADDRESS}/state.svg?at=10").headers["ETag"] != first.headers["ETag"]


def svg(name: str = "Anna") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>{name}</title></svg>'


def test_a_painter_that_fails_is_told(whole: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "command", lambda _: [sys.executable, "-c", "raise SystemExit(3)"])
    answer = whole.get(f"{ADDRESS}/state.png?at=13")
    assert problem(answer) == (503, "picture-unavailable")
    assert answer.headers["Retry-After"] == "5"
    monkeypatch.undo()
    assert whole.get(f"{ADDRESS}/state.png?at=13").status_code == 200


def test_a_painter_without_a_picture_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "PAINTING_SECONDS", 0.3)
    python = [sys.executable, "-c"]
    for painter in ([*python, "import time; time.sleep(60)"], [*python, "print('no')"], ["/nowhere/painter"]):
        with pytest.raises(PictureUnavailable):
            renderer.run(painter, svg())


def test_few_pictures_are_painted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes while all painters are at work waits, and then is told."""
    painting, go_on = threading.Semaphore(0), threading.Event()

    def slow(_: Any, drawing: str) -> bytes:
        painting.release()
        go_on.wait(10)
        return drawing.encode()

    monkeypatch.setattr(renderer, "run", slow)
    monkeypatch.setattr(renderer, "PATIENCE_SECONDS", 0.05)
    busy = [
        threading.Thread(target=picture, args=(svg(f"busy {number}"),)) for number in range(renderer.PAINTERS)
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

    monkeypatch.setattr(renderer, "run", painted)
    assert picture(svg("kept")) == picture(svg("kept")) == b"painted"
    assert len(runs) == 1
    # The machine's own fonts are asked only for letters that ours have not.
    assert "ours" in renderer.command(svg("Ærø"))
    assert "any" in renderer.command(svg("王小明"))


def test_a_drawing_names_a_member_until_it_is_forgotten(client: FlaskClient) -> None:
    member = client.post(f"{API}/members", json={"name": "Anna Ancher"}).get_json()["id"]
    opening = {**OPENING, "players": {**OPENING["players"], "forehand": member}}
    address = client.post(f"{API}/deals", json=opening).headers["Location"]

    def seen() -> list[str]:
        accepted = client.get(f"{address}/state", headers={"Accept": "image/svg+xml"})
        return [client.get(f"{address}/state.svg").text, accepted.text]

    assert all("Anna is forehand" in one and member not in one for one in seen())
    assert client.delete(f"{API}/members/{member}").status_code == 204
    assert all("Anna" not in one and member not in one and ">forehand<" in one for one in seen())
