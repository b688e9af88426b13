"""State, legal actions, score, findings, replay and drawings at any point, for any viewer."""

import struct
import sys
import threading
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from engine import audit, fold_all, legal
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import EventStore, MemoryStore
from service.presentation.png import PictureUnavailable, render_png, renderer
from service.presentation.svg import DrawingOptions, draw_table
from tests.support.api.asking import API, CLOSING, again, correction, parameters, problem
from tests.support.api.clients import holding, of_app, owner_of
from tests.support.api.recording import DEAL, OPENING, recorded_deal, some_deal
from tests.support.drawing.looking import rules_of
from tests.support.engine.shorthand import log_from

ADDRESS = f"{API}/deals/{DEAL}"
ASPECTS = ("state", "legal", "score", "findings", "replay", "audit", "evidence", "odds")
PICTURES = ("state.svg", "state.png")
CORRECTION = correction({"type": "bid_made", "seat": "forehand", "bid": "pass"}, replaces=[2])
CALLS = (("forehand", "simple"), ("middlehand", "pass"))
BIDS = [OPENING, *({"type": "bid_made", "seat": seat, "bid": bid} for seat, bid in CALLS)]


@pytest.fixture(scope="module")
def whole() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store)
    return owner_of(create_app(store))


def test_a_point_is_the_fold_up_to_there_and_the_end_the_audit_of_the_whole(whole: FlaskClient) -> None:
    def told(aspect: str) -> Any:
        return whole.get(f"{ADDRESS}/{aspect}").get_json()

    log = log_from(some_deal())
    for at in (1, 4, 9, 20, len(log)):
        state, replay = fold_all(log[:at]), told(f"replay?at={at}")
        assert told(f"state?at={at}") == state_object(state)
        assert told(f"legal?at={at}") == legal_object(legal(state))
        assert [frame["seq"] for frame in replay["frames"]] == list(range(1, at + 1))
        assert replay["frames"][-1]["state"] == state_object(state)
        assert replay["score"] == told(f"score?at={at}")
    judged = audit(log)
    found = {"ok": judged.ok, "findings": finding_objects(judged.findings)}
    assert [told(one) for one in ("legal", "score", "findings")] == [None, score_object(judged.score), found]


def test_a_correction_has_its_own_points(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [*BIDS, CORRECTION])
    then = client.get(f"{ADDRESS}/state?known=3").get_json()
    assert [call["bid"] for call in then["calls"]] == ["simple", "pass"]
    part = client.get(f"{ADDRESS}/state?at=4.1").get_json()
    assert [call["seq"] for call in part["calls"]] == ["4.1"]
    assert client.get(f"{ADDRESS}/state?at=2").get_json() == part


def test_a_point_that_is_not_there_or_is_none_is_refused(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [*BIDS, CORRECTION])
    for query in ("at=5", "at=4.2", "at=3.1", "at=4.1.1", "known=5", "at=4&known=3"):
        for aspect in ASPECTS:
            answer = client.get(f"{ADDRESS}/{aspect}?{query}")
            assert problem(answer) == (404, "unknown-point"), (aspect, query)
    for query in ("at=x", "at=0", "at=-1", "at=1e2", "at=", "known=0", "known=2.0", "viewer=me", "konwn=2",
                  "at=%00"):  # fmt: skip
        assert parameters(client.get(f"{ADDRESS}/state?{query}")) == [query.partition("=")[0]], query


def test_what_is_found_at_a_point_was_known_there(client: FlaskClient, store: EventStore) -> None:
    low = {"type": "bid_made", "seat": "middlehand", "bid": "simple"}
    faulty = {"type": "correction_made", "replaces": [9], "reason": "?"}
    recorded_deal(store, [*BIDS[:2], low, faulty])
    for point, codes in {
        "": ["bid_too_low", "correction_not_possible", "incomplete"],
        "?at=2": [],
        "?at=3": ["bid_too_low"],
        "?at=4": ["bid_too_low", "correction_not_possible"],
        "?known=2": ["incomplete"],
    }.items():
        found = client.get(f"{ADDRESS}/findings{point}").get_json()["findings"]
        assert [one["code"] for one in found] == codes, point


@pytest.mark.parametrize("viewer", ["public", "middlehand"])
def test_answers_follow_from_the_cut_log(client: FlaskClient, store: EventStore, viewer: str) -> None:
    deal, other = some_deal(talon=True), "018f5e2a-7b1c-7d3e-9f40-000000000001"
    hidden = ("hand_dealt", "cards_discarded", "cards_drawn", "talon_laid")
    cut = [dict(event) for event in deal]
    for event in cut:
        if event["type"] in hidden and event.get("seat") != viewer:
            event["cards"] = ["??"] * len(event["cards"])
    recorded_deal(store, deal)
    recorded_deal(store, cut, other)
    at = len(deal) - 4
    for aspect in ASPECTS if viewer == "public" else ("state", "legal", "findings", "replay"):
        shown = client.get(f"{ADDRESS}/{aspect}?viewer={viewer}&at={at}")
        assert shown.headers["Cache-Control"] == "no-store"
        of_cut = client.get(f"/api/v1/deals/{other}/{aspect}?at={at}")
        assert comparable(aspect, shown.get_json()) == comparable(aspect, of_cut.get_json()), aspect


def comparable(aspect: str, told: Any) -> Any:
    """What of an answer follows from the log alone, but for what is written down in it."""
    if aspect == "replay":
        return [frame["state"] for frame in told["frames"]]
    if aspect == "audit":
        course = [(one["type"], one.get("card"), one.get("cards")) for one in told["course"]]
        return course, *(told[name] for name in ("findings", "matters", "mendings", "score"))
    return told


@pytest.mark.parametrize(
    ("closed", "query", "kept"),
    [
        (True, "?at=5&known=7", "private, max-age=31536000, immutable"),
        (False, "?at=5&known=7", "private, no-cache"),
        *((True, query, "private, no-cache") for query in ("?at=5", "?known=7", "")),
        (True, "?at=5&known=7&viewer=public", "no-store"),
    ],
)
def test_what_cannot_change_may_be_kept_for_ever(
    client: FlaskClient, store: EventStore, closed: bool, query: str, kept: str
) -> None:
    gap = {"type": "gap_noted"}
    recorded_deal(store, [*BIDS, gap, gap, gap, CLOSING if closed else gap])
    for aspect in (*ASPECTS, *PICTURES):
        answer = client.get(f"{ADDRESS}/{aspect}{query}")
        assert answer.headers["Cache-Control"] == kept, aspect
        assert aspect in PICTURES or answer.headers["ETag"].startswith('"7-'), aspect


@pytest.mark.parametrize(
    ("events", "query", "kept"),
    [
        ([CLOSING], "?at=5&known=8", "public, max-age=300"),
        ([CLOSING], "?at=5", "no-store"),
        ([CLOSING], "", "no-store"),
        ([], "?at=5&known=7", "no-store"),
        ([CLOSING, correction(replaces=[8])], "?at=5&known=8", "no-store"),
    ],
    ids=["closed", "at what is known now", "as it is now", "open", "opened again"],
)
def test_what_everybody_may_know_is_kept_for_a_while_and_no_longer(
    client: FlaskClient, store: EventStore, events: list[Any], query: str, kept: str
) -> None:
    recorded_deal(store, [OPENING, *some_deal()[1:7], *events])
    app, published = client.application, GrantTerms("viewer", Scope("deal", DEAL), public=True)
    stranger, viewer = holding(app), holding(app, published._replace(public=False))
    register = of_app(app).register
    for aspect in (*ASPECTS, "state.svg"):
        asked = f"{ADDRESS}/{aspect}{query}"
        assert viewer.get(asked).headers["Cache-Control"] == "no-store"
        grant = register.create_grant(published).grant
        for reader in (stranger, viewer):
            told = reader.get(asked)
            assert (told.status_code, told.headers["Cache-Control"]) == (200, kept), aspect
            assert {"Authorization", "Cookie"} <= set(told.headers["Vary"].split(", "))
            if kept != "no-store":
                assert told.data == reader.get(f"{asked}&viewer=public").data == client.get(asked).data
                again = reader.get(asked, headers={"If-None-Match": told.headers["ETag"]})
                assert (again.status_code, again.headers["Cache-Control"]) == (304, kept)
        register.revoke_grant(grant.id)
        assert viewer.get(asked).headers["Cache-Control"] == "no-store"
        assert stranger.get(asked).status_code == 401


BELINDA = f"{API}/replays/belinda"


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
    asked_for = DrawingOptions("da", "dark", 500, None, rules_of(state))
    assert answer.get_data(as_text=True) == draw_table(state, asked_for)
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


def test_what_cannot_be_drawn_is_reported(whole: FlaskClient) -> None:
    for query in ("svg?width=319", "svg?width=1601", "svg?lang=de", "svg?theme=green", "svg?size=600x315",
                  "png?size=9999x9999", "png?width=800"):  # fmt: skip
        named = query.partition("?")[2].partition("=")[0]
        assert parameters(whole.get(f"{ADDRESS}/state.{query}")) == [named], query
    assert parameters(whole.get(f"{ADDRESS}/state?lang=da")) == ["lang"]
    for name in PICTURES:
        assert problem(whole.get(f"{ADDRESS}/{name}?at=999")) == (404, "unknown-point")
        assert problem(whole.get(f"{API}/replays/nobody/{name}")) == (404, "unknown-replay")


@pytest.mark.parametrize("name", PICTURES)
def test_a_known_drawing_is_not_made(whole: FlaskClient, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = whole.get(f"{ADDRESS}/{name}?at=9")
    rendered = Mock()
    monkeypatch.setattr("service.http.api.drawing_responses.render_png", rendered)
    same = again(whole, f"{ADDRESS}/{name}?at=9", first)
    assert (same.status_code, same.data, rendered.called) == (304, b"", False)
    assert whole.get(f"{ADDRESS}/state.svg?at=10").headers["ETag"] != first.headers["ETag"]


def svg(name: str = "Anna") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>{name}</title></svg>'


def test_a_renderer_that_fails_is_reported(whole: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = [sys.executable, "-c", "raise SystemExit(3)"]
    monkeypatch.setattr(renderer, "build_render_command", lambda _: failing)
    answer = whole.get(f"{ADDRESS}/state.png?at=13")
    assert problem(answer) == (503, "picture-unavailable")
    assert answer.headers["Retry-After"] == "5"
    monkeypatch.undo()
    assert whole.get(f"{ADDRESS}/state.png?at=13").status_code == 200


def test_a_renderer_without_a_picture_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "RENDER_TIMEOUT_SECONDS", 0.3)
    python = [sys.executable, "-c"]
    for command in ([*python, "import time; time.sleep(60)"], [*python, "print('no')"], ["/no/renderer"]):
        with pytest.raises(PictureUnavailable):
            renderer.run_render_command(command, svg())


def test_few_pictures_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request waits while all render processes are busy, and is refused after the timeout."""
    rendering, go_on = threading.Semaphore(0), threading.Event()

    def slow(_: Any, drawing: str) -> bytes:
        rendering.release()
        go_on.wait(10)
        return drawing.encode()

    monkeypatch.setattr(renderer, "run_render_command", slow)
    monkeypatch.setattr(renderer, "QUEUE_TIMEOUT_SECONDS", 0.05)
    drawings = [svg(f"busy {number}") for number in range(renderer.MAX_RENDER_PROCESSES)]
    busy = [threading.Thread(target=render_png, args=(drawing,)) for drawing in drawings]
    for thread in busy:
        thread.start()
    for _ in busy:
        assert rendering.acquire(timeout=10)
    with pytest.raises(PictureUnavailable, match="being made"):
        render_png(svg("one too many"))
    go_on.set()
    for thread in busy:
        thread.join()
    assert render_png(svg("one too many")) == svg("one too many").encode()


def test_a_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    command = Mock(return_value=b"drawn")
    monkeypatch.setattr(renderer, "run_render_command", command)
    assert render_png(svg("kept")) == render_png(svg("kept")) == b"drawn"
    command.assert_called_once()
    # The machine's own fonts are asked only for letters that ours have not.
    assert "ours" in renderer.build_render_command(svg("Ærø"))
    assert "any" in renderer.build_render_command(svg("王小明"))


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
