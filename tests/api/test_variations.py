"""Variations: deals that begin in another, at every door."""

import threading
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.rulesets import PUBLISHED
from service.app import create_app
from service.context import give_context
from service.evidence.notary import Notary
from service.identity.grants import Scope, Terms
from service.identity.register import Register
from service.live import Live
from service.live.messages import HEARTBEAT
from service.store import (
    PAGE,
    EventStore,
    MemoryStore,
    SqliteStore,
    StoreDamaged,
    StoredEvent,
    StoreError,
    StoreUnavailable,
)
from service.variations import Variations
from tests.support.api.clients import holding, of_app, owner_of
from tests.support.api.recording import (
    BELINDA,
    DEAL,
    OPENING,
    PLAYERS,
    TABLE,
    Json,
    recorded_deal,
    recorded_table,
)

API = "/api/v1"
WHAT_IF = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e10"
DEEPER = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e11"
NOWHERE = "018f5e2a-7b1c-7d3e-9f40-000000000000"
POINTS = ("state", "legal", "score", "findings")
CLOSING = {"type": "deal_closed", "payments": {}, "engine": "0.1.0"}
HAND = ["HJ", "H7", "S7", "C5", "CK", "HK", "C7", "HA", "DQ"]
DEALT = {"type": "hand_dealt", "seat": "forehand", "cards": HAND}


def bids(*calls: str) -> list[Json]:
    """Calls, such as ``forehand solo``."""
    told = (call.split() for call in calls)
    return [{"type": "bid_made", "seat": seat, "bid": bid} for seat, bid in told]


LEFT = [OPENING, DEALT, *bids("forehand simple", "middlehand pass", "backhand pass")]


def branch(at: int | str, known: int | None = None, deal: str = DEAL, **more: Any) -> Json:
    """The opening of a variation."""
    told = {"deal": deal, "at": at} | ({} if known is None else {"known": known})
    return {**OPENING, "id": WHAT_IF, "branch": told, **more}


def opened(client: FlaskClient, *events: Json, deal: str = WHAT_IF) -> Json:
    """What is answered where a variation is recorded, which succeeds."""
    answer = client.post(f"{API}/deals", json=list(events))
    assert answer.status_code == 201, answer.text
    assert answer.get_json()["deal"] == deal
    told: Json = answer.get_json()
    return told


def told(client: FlaskClient, path: str) -> Any:
    """What is answered there, which succeeds."""
    answer = client.get(f"{API}/{path}")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def refused(client: FlaskClient, sent: Any) -> Json:
    """The problem of an opening that is refused."""
    answer = client.post(f"{API}/deals", json=sent)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/wrong-branch"), answer.text
    problem: Json = answer.get_json()
    return problem


@pytest.fixture
def left(store: EventStore, client: FlaskClient) -> FlaskClient:
    """A client of a service that has a deal to be left."""
    recorded_deal(store, LEFT)
    return client


class Houses:
    """One application, its routes made once, over a store of its own each time."""

    def __init__(self) -> None:
        self.app = create_app()

    def over(self, store: EventStore) -> Flask:
        """The application over a store, and nothing known of any other."""
        before = of_app(self.app)
        library, notary = before.library.values(), Notary.in_memory()
        live, book = Live(store), PUBLISHED
        metrics, damage = before.metrics, before.damage
        give_context(self.app, store, Register(), notary, library, book, live, metrics, damage)
        return self.app


@pytest.fixture(scope="module")
def houses() -> Houses:
    return Houses()


@pytest.fixture
def store() -> EventStore:
    return MemoryStore()


@pytest.fixture
def app(houses: Houses, store: EventStore) -> Flask:
    return houses.over(store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return owner_of(app)


# --- Its course ---------------------------------------------------------------------------------------


def test_it_stands_where_it_leaves_the_deal_before_anything_happens_in_it(left: FlaskClient) -> None:
    opened(left, branch(3))
    for point in POINTS[:3]:
        there = told(left, f"deals/{DEAL}/{point}?at=3&known=5")
        for asked in ("", "?at=1", "?at=1.3", "?known=1", "?at=1&known=1"):
            here = told(left, f"deals/{WHAT_IF}/{point}{asked}")
            assert without_seqs(here) == without_seqs(there), (point, asked)
    frames = told(left, f"deals/{WHAT_IF}/replay")["frames"]
    assert [frame["seq"] for frame in frames] == ["1.1", "1.2", "1.3"]


def test_a_middlehand_who_says_solo_instead(left: FlaskClient) -> None:
    answer = opened(left, branch(3), *bids("middlehand solo", "forehand pass", "backhand pass"))
    assert [one["code"] for one in answer["findings"]] == ["incomplete"]
    assert [event["seq"] for event in answer["events"]] == [1, 2, 3, 4]
    state = told(left, f"deals/{WHAT_IF}/state")
    assert [(call["seq"], call["bid"]) for call in state["calls"]] == [
        ("1.3", "simple"), (2, "solo"), (3, "pass"), (4, "pass")
    ]  # fmt: skip
    assert (
        state["hands"]["forehand"]["cards"] == sorted(HAND) or len(state["hands"]["forehand"]["cards"]) == 9
    )
    assert told(left, f"deals/{WHAT_IF}/legal")["seat"] == "middlehand"
    assert len(told(left, f"deals/{WHAT_IF}/state?at=2")["calls"]) == 2
    drawn = left.get(f"{API}/deals/{WHAT_IF}/state.svg")
    assert drawn.status_code == 200
    # The deal itself knows nothing of it.
    assert told(left, f"deals/{DEAL}/state")["calls"][1]["bid"] == "pass"


def test_its_log_is_its_own_and_holds_nothing_of_the_beginning(left: FlaskClient) -> None:
    opened(left, branch(3), *bids("middlehand solo"))
    here = f"{API}/deals/{WHAT_IF}"
    assert [event["type"] for event in told(left, f"deals/{WHAT_IF}/events")["events"]] == [
        "deal_opened", "bid_made"
    ]  # fmt: skip
    for form in ("events.jsonl", "events.deal?bookkeeping=all"):
        assert "HJ" not in left.get(f"{here}/{form}").text
    text = left.get(f"{here}/events.deal").text
    assert f'Branch:     "{DEAL}" at @3 known 5' in text
    copy = left.post(f"{API}/import", data=text, content_type="text/vnd.spadille.deal").get_json()["records"]
    (there,) = (record["id"] for record in copy)
    assert told(left, f"deals/{there}")["branch"] == {"deal": DEAL, "at": 3, "known": 5}


def test_what_the_deal_gets_later_changes_nothing_in_it(left: FlaskClient) -> None:
    opened(left, branch(3), *bids("middlehand solo"))
    before = {point: told(left, f"deals/{WHAT_IF}/{point}") for point in POINTS}
    mended = {"type": "correction_made", "replaces": [3], "with": bids("forehand solo"), "reason": "misheard"}
    answer = left.post(f"{API}/deals/{DEAL}/events", json=mended, headers={"If-Match": '"5"'})
    assert answer.status_code == 201
    assert {point: told(left, f"deals/{WHAT_IF}/{point}") for point in POINTS} == before
    # One that is opened now sees what stands now.
    opened(left, branch(3, id=DEEPER), deal=DEEPER)
    assert told(left, f"deals/{DEEPER}/state")["calls"][0]["bid"] == "solo"


def test_a_repeat_is_the_same_also_when_the_deal_went_on(left: FlaskClient) -> None:
    first = opened(left, branch(3))
    assert first["events"][0]["branch"] == {"deal": DEAL, "at": 3, "known": 5}
    note = {"type": "note_added", "text": "A long think."}
    assert left.post(f"{API}/deals/{DEAL}/events", json=note, headers={"If-Match": "*"}).status_code == 201
    again = left.post(f"{API}/deals", json=branch(3))
    assert (again.status_code, again.get_json()["events"]) == (200, first["events"])
    other = left.post(f"{API}/deals", json=branch(4))
    assert (other.status_code, other.get_json()["type"]) == (409, "/problems/id-conflict")


def test_a_variation_of_a_variation(left: FlaskClient) -> None:
    opened(left, branch(3), *bids("middlehand solo", "backhand pass"))
    opened(left, branch(2, deal=WHAT_IF, id=DEEPER), *bids("backhand spade-solo"), deal=DEEPER)
    calls = told(left, f"deals/{DEEPER}/state")["calls"]
    assert [(call["seq"], call["bid"]) for call in calls] == [
        ("1.3", "simple"), ("1.4", "solo"), (2, "spade-solo")
    ]  # fmt: skip
    inside = opened(left, branch("1.2", deal=WHAT_IF, id=NOWHERE), deal=NOWHERE)
    assert inside["version"] == 1
    assert told(left, f"deals/{NOWHERE}/state")["calls"] == []


def test_its_file_has_its_whole_course_and_its_own_text(left: FlaskClient) -> None:
    opened(left, branch(3), *bids("middlehand solo"))
    opened(left, branch(2, deal=WHAT_IF, id=DEEPER), *bids("backhand spade-solo"), deal=DEEPER)
    for deal, leaves in ((WHAT_IF, DEAL), (DEEPER, WHAT_IF)):
        file = left.get(f"/deals/{deal}/file")
        assert file.status_code == 200, file.text
        html = unescape(file.text)
        assert f'Branch:     "{leaves}"' in html, "the text of its own record"
        assert all(card in html for card in HAND), "the hand that the first deal has"


def test_a_variation_of_a_deal_of_the_library(client: FlaskClient) -> None:
    opening = {**branch(28, deal=BELINDA), "ruleset": "ombre", "players": PLAYERS}
    opened(client, opening, {"type": "card_played", "seat": "middlehand", "card": "DK"})
    there, here = told(client, f"replays/{BELINDA}/state?at=28"), told(client, f"deals/{WHAT_IF}/state?at=1")
    assert without_seqs(here["tricks"]) == without_seqs(there["tricks"])
    assert here["pool"] == there["pool"] == 5
    (listed,) = told(client, f"replays/{BELINDA}/variations")["variations"]
    assert listed["id"] == WHAT_IF
    assert listed["links"]["leaves"] == f"{API}/replays/{BELINDA}"
    assert told(client, f"replays/{BELINDA}/replay")["links"]["variations"].endswith("/belinda/variations")
    # By its title too, as one writes it down.
    titled = {**opening, "id": DEEPER, "branch": {"deal": "Belinda’s game", "at": 28}}
    assert opened(client, titled, deal=DEEPER)["events"][0]["branch"]["deal"] == BELINDA


def test_strict_mode_judges_behind_the_beginning(left: FlaskClient) -> None:
    strict = f"{API}/deals?mode=strict"
    wrong = left.post(strict, json=[branch(3), *bids("backhand solo")])
    assert (wrong.status_code, wrong.get_json()["type"]) == (422, "/problems/against-the-rules")
    assert left.get(f"{API}/deals/{WHAT_IF}").status_code == 404
    assert left.post(strict, json=[branch(3), *bids("middlehand solo")]).status_code == 201
    more = {"json": bids("backhand pass"), "headers": {"If-Match": '"2"'}}
    answer = left.post(f"{API}/deals/{WHAT_IF}/events?mode=strict", **more)
    assert answer.get_json()["findings"][0]["code"] == "wrong_seat"
    right = {"json": bids("forehand pass"), "headers": {"If-Match": '"2"'}}
    assert left.post(f"{API}/deals/{WHAT_IF}/events?mode=strict", **right).status_code == 201


def test_what_is_appended_is_judged_behind_the_beginning(left: FlaskClient) -> None:
    opened(left, branch(3))
    sent = {"json": bids("backhand solo"), "headers": {"If-Match": '"1"'}}
    answer = left.post(f"{API}/deals/{WHAT_IF}/events", **sent).get_json()
    assert (2, "wrong_seat") in [(one["seq"], one["code"]) for one in answer["findings"]]


def test_its_beginning_is_not_corrected_through_it(left: FlaskClient) -> None:
    opened(left, branch(3))
    mended = {"type": "correction_made", "replaces": ["1.3"], "with": bids("forehand solo"), "reason": "?"}
    answer = left.post(f"{API}/deals/{WHAT_IF}/events", json=mended, headers={"If-Match": '"1"'})
    assert "correction_not_possible" in [one["code"] for one in answer.get_json()["findings"]]
    assert told(left, f"deals/{WHAT_IF}/state")["calls"][0]["bid"] == "simple"
    assert told(left, f"deals/{DEAL}/state")["calls"][0]["bid"] == "simple"


def test_a_point_that_it_does_not_have_is_told_of(left: FlaskClient) -> None:
    opened(left, branch(3))
    answer = left.get(f"{API}/deals/{WHAT_IF}/state?at=1.4")
    assert answer.status_code == 404
    said = (
        "The log has no entry 1.4. Its entries are 1 to 1, and those of the deal that it leaves 1.1 to 1.3."
    )
    assert answer.get_json()["detail"].startswith(said)
    answer = left.get(f"{API}/deals/{WHAT_IF}/state?known=2")
    assert answer.get_json()["detail"].startswith("The log has 1 entries, and known=2 asks for more.")


def without_seqs(told: Any) -> Any:
    """What is told, but for where the entries stand."""
    if isinstance(told, dict):
        return {name: without_seqs(part) for name, part in told.items() if name not in ("seq", "seqs")}
    return [without_seqs(part) for part in told] if isinstance(told, list) else told


# --- At the door --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "at", "known", "pointer", "says"),
    [
        (NOWHERE, 1, None, "/branch/deal", f"There is no deal {NOWHERE} here that this one could leave."),
        ("nobody’s game", 1, None, "/branch/deal", "There is no deal nobody’s game here"),
        (TABLE, 1, None, "/branch/deal", f"There is no deal {TABLE} here"),
        (WHAT_IF, 1, None, "/branch/deal", f"There is no deal {WHAT_IF} here"),
        (DEAL, 6, None, "/branch/at", "at is 6, which is none of its first 5 entries."),
        (DEAL, 4, 3, "/branch/at", "at is 4, which is none of its first 3 entries."),
        (DEAL, "3.1", None, "/branch/at", "at is 3.1, which is none"),
        (DEAL, 3, 6, "/branch/known", "known is 6, and that deal has 5 entries."),
    ],
    ids=["no deal", "no title", "a table", "itself", "no entry", "not known then", "no part", "not so long"],
)
def test_a_point_that_is_not_there_is_refused(
    left: FlaskClient, store: EventStore, deal: str, at: int | str, known: int | None, pointer: str, says: str
) -> None:
    recorded_table(store)
    problem = refused(left, branch(at, known, deal))
    (error,) = problem["errors"]
    assert (error["pointer"], problem["stream"], problem["seq"]) == (pointer, deal, at)
    assert says in error["detail"] and says in problem["detail"]
    in_list = refused(left, [branch(at, known, deal), *bids("middlehand solo")])
    assert in_list["errors"][0]["pointer"] == f"/0{pointer}"
    assert left.get(f"{API}/deals/{WHAT_IF}").status_code == 404


def test_deals_leave_each_other_so_often_and_no_more(left: FlaskClient) -> None:
    before = DEAL
    for number in range(20):
        deal = f"018f5e2a-7b1c-7d3e-9f40-0000000001{number:02}"
        opened(left, branch(1, deal=before, id=deal), deal=deal)
        before = deal
    assert told(left, f"deals/{before}/state")["phase"] == "dealing"
    assert "20 times over" in refused(left, branch(1, deal=before))["detail"]


def test_a_correction_of_its_opening_lets_it_begin_where_it_did(left: FlaskClient) -> None:
    opened(left, branch(3))

    def mended(**opening: Any) -> Any:
        new = {name: value for name, value in {**OPENING, **opening}.items() if value is not None}
        event = {"type": "correction_made", "replaces": [1], "with": [new], "reason": "a name"}
        version = told(left, f"deals/{WHAT_IF}")["version"]
        there = f"{API}/deals/{WHAT_IF}/events"
        return left.post(there, json=[event], headers={"If-Match": f'"{version}"'})

    elsewhere = mended(branch={"deal": DEAL, "at": 2, "known": 5})
    assert elsewhere.get_json()["type"] == "/problems/wrong-branch"
    assert elsewhere.get_json()["errors"][0]["pointer"] == "/0/with/0/branch"
    named = mended(players={**PLAYERS, "middlehand": "Dora"})
    assert named.status_code == 201, named.text
    state = told(left, f"deals/{WHAT_IF}/state")
    assert (state["players"]["middlehand"], len(state["calls"])) == ("Dora", 1)
    assert told(left, f"deals/{WHAT_IF}")["branch"] == {"deal": DEAL, "at": 3, "known": 5}
    assert told(left, f"deals/{WHAT_IF}/replay")["branch"] == {"deal": DEAL, "at": 3, "known": 5}


def test_a_table_has_no_variations_among_its_deals(left: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    sent = {"json": {"players": PLAYERS, "branch": {"deal": DEAL, "at": 3}}, "headers": {"If-Match": '"1"'}}
    answer = left.post(f"{API}/tables/{TABLE}/deals", **sent)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/wrong-stream")
    assert answer.get_json()["detail"] == f"A variation is no deal of a table. Send it to {API}/deals."


# --- Lists --------------------------------------------------------------------------------------------


def test_a_deal_lists_its_variations_a_page_at_a_time(left: FlaskClient) -> None:
    assert told(left, f"deals/{DEAL}/variations") == {"variations": [], "damaged": []}
    names = [f"018f5e2a-7b1c-7d3e-9f40-0000000002{number:02}" for number in range(5)]
    for at, deal in enumerate(names, 1):
        opened(left, branch(at, id=deal), deal=deal)
        opened(left, branch(1, deal=deal, id=f"{deal[:-4]}9{deal[-3:]}"), deal=f"{deal[:-4]}9{deal[-3:]}")
    address, found = f"{API}/deals/{DEAL}/variations?limit=2", []
    while address:
        answer = left.get(address)
        page = answer.get_json()
        found += page["variations"]
        address = page.get("next")
        assert answer.headers.get("Link") == (f'<{address}>; rel="next"' if address else None)
    assert [(one["id"], one["branch"]["at"]) for one in found] == list(zip(names, range(1, 6), strict=True))
    assert found[0]["links"]["leaves"] == f"{API}/deals/{DEAL}"
    assert told(left, f"deals/{DEAL}")["links"]["variations"] == f"{API}/deals/{DEAL}/variations"
    assert told(left, f"deals/{DEAL}/replay")["links"]["variations"] == f"{API}/deals/{DEAL}/variations"
    assert told(left, f"deals/{DEAL}")["branch"] is None
    assert left.get(f"{API}/deals/{DEAL}/variations?after={DEAL}").status_code == 404
    assert left.get(f"{API}/deals/{NOWHERE}/variations").status_code == 404
    assert left.get(f"{API}/replays/nobody/variations").status_code == 404


def damaging(store: EventStore, monkeypatch: pytest.MonkeyPatch, deal: str, error: StoreError) -> None:
    """Has the store fail where that deal is read."""
    read = store.read

    def failing(stream: str, *asked: Any, **named: Any) -> Any:
        if stream == deal:
            raise error
        return read(stream, *asked, **named)

    monkeypatch.setattr(store, "read", failing)


def test_one_damaged_deal_takes_no_other_from_the_lists(
    app: Flask, left: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = holding(app, Terms("viewer"))
    recorded_table(store)
    opened(left, branch(3))
    opened(left, branch(2, id=DEEPER, title="He passes"), deal=DEEPER)
    left.post(f"{API}/deals/{DEAL}/events", json=CLOSING, headers={"If-Match": '"5"'})
    damaging(store, monkeypatch, WHAT_IF, StoreDamaged("another leaf", WHAT_IF, 1))
    of_all, of_deal = told(left, "deals"), told(left, f"deals/{DEAL}/variations")
    assert {one["id"] for one in of_all["deals"]} >= {DEAL, DEEPER}
    assert of_all["damaged"] == [WHAT_IF]
    assert [one["id"] for one in of_deal["variations"]] == [DEEPER]
    assert told(left, "replays/belinda/variations") == {"variations": [], "damaged": []}
    page = left.get("/deals")
    assert (page.status_code, "He passes" in page.text, "damaged" in page.text) == (200, True, True)
    assert told(left, "deals?limit=1")["deals"] or told(left, "deals?limit=1")["damaged"]
    # Whether it begins in a deal that he may not know cannot be told: so he is not told of it.
    assert WHAT_IF not in viewer.get(f"{API}/deals").text
    assert WHAT_IF not in viewer.get(f"{API}/deals?limit=1").text
    assert {one["id"] for one in told(viewer, "deals")["deals"]} >= {DEAL, DEEPER}
    assert of_app(app).damage.places[0].stream == WHAT_IF
    answer = left.get(f"{API}/deals/{WHAT_IF}")
    assert (answer.status_code, answer.get_json()["type"]) == (500, "/problems/store-damaged")


def test_a_list_that_failed_once_tells_each_variation_once(
    left: FlaskClient, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(left, branch(3))
    opened(left, branch(2, id=DEEPER), deal=DEEPER)
    with monkeypatch.context() as failing:
        damaging(store, failing, DEEPER, StoreUnavailable("The disk is asleep."))
        assert left.get(f"{API}/deals/{DEAL}/variations").status_code == 503
    assert [one["id"] for one in told(left, f"deals/{DEAL}/variations")["variations"]] == [WHAT_IF, DEEPER]


def test_what_is_published_does_not_tell_of_a_hidden_variation(app: Flask, left: FlaskClient) -> None:
    opened(left, branch(3))
    sent = {"role": "viewer", "deal": WHAT_IF, "public": True}
    answer = left.post(f"{API}/grants", json=sent)
    assert answer.status_code == 201, answer.text
    anybody = app.test_client()
    assert told(anybody, "session")["published"] == []
    left.post(f"{API}/deals/{DEAL}/events", json=CLOSING, headers={"If-Match": '"5"'})
    (published,) = told(anybody, "session")["published"]
    assert published["scope"]["id"] == WHAT_IF


def test_the_page_of_a_deal_leads_to_its_variations_and_back(left: FlaskClient) -> None:
    opened(left, branch(3, title="Solo instead"))
    assert f'href="/deals/{WHAT_IF}"' in left.get(f"/deals/{DEAL}").text
    page = left.get(f"/deals/{WHAT_IF}").text
    assert f'href="/deals/{DEAL}"' in page
    assert "Solo instead" in page


# --- Who may know of it -------------------------------------------------------------------------------

KNOWS: dict[str, Terms] = {
    "viewer of everything": Terms("viewer"),
    "player of everything": Terms("player", person="Anna"),
    "viewer of the variation": Terms("viewer", Scope("deal", WHAT_IF)),
    "player in the variation": Terms("player", Scope("deal", WHAT_IF), seat="forehand"),
    "recorder of the variation": Terms("recorder", Scope("deal", WHAT_IF)),
}


@pytest.fixture
def service(app: Flask, store: EventStore) -> Flask:
    """An application with a deal whose hands do not lie open."""
    recorded_deal(store, LEFT)
    return app


@pytest.mark.parametrize("who", KNOWS)
def test_while_the_hands_are_closed_nobody_is_told_of_it_who_may_not_know_them(
    service: Flask, who: str
) -> None:
    owner = owner_of(service)
    opened(owner, branch(3, title="He holds the king"), *bids("middlehand solo"))
    reader = holding(service, KNOWS[who])
    here = f"{API}/deals/{WHAT_IF}"
    for part in ("", "/events", "/events.jsonl", "/events.deal", "/replay", "/state.svg", "/live", "/proof",
                 "/variations", *(f"/{point}" for point in POINTS)):  # fmt: skip
        assert reader.get(here + part).status_code == 404, part
    assert reader.get(f"/deals/{WHAT_IF}").status_code == 404
    note = {"type": "note_added", "text": "Who has it?"}
    assert reader.post(f"{here}/events", json=note, headers={"If-Match": "*"}).status_code == 404
    for path in ("deals", f"deals/{DEAL}/variations", f"deals/{DEAL}/replay"):
        answer = reader.get(f"{API}/{path}")
        assert WHAT_IF not in answer.text and "king" not in answer.text, path
    for path in ("/deals", f"/deals/{DEAL}"):
        assert WHAT_IF not in reader.get(path).text, path
    # Once they lie open it is there for whoever may read it.
    closed = owner.post(f"{API}/deals/{DEAL}/events", json=CLOSING, headers={"If-Match": '"5"'})
    assert closed.status_code == 201
    assert reader.get(f"{here}/state").status_code == 200
    assert WHAT_IF in reader.get(f"{API}/deals").text


def test_who_knows_all_of_the_deal_reads_it(service: Flask) -> None:
    opened(owner_of(service), branch(3), *bids("middlehand solo"))
    knows_one = holding(service, Terms("recorder", Scope("deal", DEAL)))
    assert knows_one.get(f"{API}/deals/{WHAT_IF}").status_code == 404
    recorder = holding(service, Terms("recorder"))
    assert recorder.get(f"{API}/deals/{WHAT_IF}/state").status_code == 200


@pytest.mark.parametrize("viewer", ["public", "forehand", "middlehand"])
def test_its_beginning_is_cut_as_that_deal_is(service: Flask, viewer: str) -> None:
    owner = owner_of(service)
    opened(owner, branch(3), *bids("middlehand solo"))
    opened(owner, branch(2, deal=WHAT_IF, id=DEEPER), deal=DEEPER)
    there = told(owner, f"deals/{DEAL}/state?at=3&viewer={viewer}")["hands"]
    for deal in (WHAT_IF, DEEPER):
        for asked in ("", "&at=1", "&at=1.2", "&known=1"):
            answer = owner.get(f"{API}/deals/{deal}/state?viewer={viewer}{asked}")
            assert answer.get_json()["hands"] == there
            assert answer.headers["Cache-Control"] == "no-store"
        for shown in (f"{API}/deals/{deal}/replay", f"/deals/{deal}/file"):
            told_card = '"HJ"' in owner.get(f"{shown}?viewer={viewer}").text
            assert told_card == (viewer == "forehand"), shown


def test_a_deal_whose_closing_is_taken_back_hides_its_variations_again(service: Flask) -> None:
    owner, viewer = owner_of(service), holding(service, Terms("viewer"))
    opened(owner, branch(3))
    assert viewer.get(f"{API}/deals/{WHAT_IF}/state").status_code == 404
    steps: list[tuple[Json, int]] = [
        (CLOSING, 200),
        ({"type": "correction_made", "replaces": [6], "with": [], "reason": "too early"}, 404),
    ]
    for event, status in steps:
        version = told(owner, f"deals/{DEAL}")["version"]
        sent = {"json": event, "headers": {"If-Match": f'"{version}"'}}
        assert owner.post(f"{API}/deals/{DEAL}/events", **sent).status_code == 201
        assert viewer.get(f"{API}/deals/{WHAT_IF}/state").status_code == status


@pytest.mark.parametrize("deal", [WHAT_IF, DEEPER], ids=["leaves it", "leaves one that leaves it"])
def test_a_live_stream_ends_when_the_deal_that_is_left_is_covered_again(service: Flask, deal: str) -> None:
    owner, viewer = owner_of(service), holding(service, Terms("viewer"))
    opened(owner, branch(3), CLOSING)
    opened(owner, branch(1, deal=WHAT_IF, id=DEEPER), deal=DEEPER)
    appended(owner, CLOSING)
    live = of_app(service).live
    # By itself nothing is looked at again.
    live._heartbeat = 3600
    chunks = viewer.get(f"{API}/deals/{deal}/live", buffered=False).iter_encoded()
    assert next(chunks).startswith(b"retry")
    assert b"deal_opened" in next(chunks)
    sent: list[bytes] = []
    reader = threading.Thread(target=sent.extend, args=(chunks,), daemon=True)
    reader.start()
    appended(owner, {"type": "note_added", "text": "Well played."})
    reader.join(0.2)
    assert reader.is_alive()
    appended(owner, {"type": "correction_made", "replaces": [6], "with": [], "reason": "too early"})
    reader.join(30)
    assert not reader.is_alive()
    assert set(sent) <= {HEARTBEAT}


def appended(client: FlaskClient, event: Json) -> None:
    """Something more comes to the deal that is left."""
    answer = client.post(
        f"{API}/deals/{DEAL}/events", json=event, headers={"If-Match": f'"{version_of(client)}"'}
    )
    assert answer.status_code == 201, answer.text


def version_of(client: FlaskClient) -> int:
    version: int = told(client, f"deals/{DEAL}")["version"]
    return version


def test_every_deal_in_a_row_has_to_lie_open(service: Flask) -> None:
    owner, viewer = owner_of(service), holding(service, Terms("viewer"))
    opened(owner, branch(3))
    opened(owner, branch(1, deal=WHAT_IF, id=DEEPER), deal=DEEPER)
    for deal, version in ((WHAT_IF, 1), (DEAL, 5)):
        assert viewer.get(f"{API}/deals/{DEEPER}/state").status_code == 404
        sent = {"json": CLOSING, "headers": {"If-Match": f'"{version}"'}}
        assert owner.post(f"{API}/deals/{deal}/events", **sent).status_code == 201
    assert viewer.get(f"{API}/deals/{DEEPER}/state").status_code == 200


def test_a_closed_variation_opens_nothing_of_the_deal_that_it_leaves(service: Flask) -> None:
    owner, viewer = owner_of(service), holding(service, Terms("viewer"))
    opened(owner, branch(3), CLOSING)
    assert viewer.get(f"{API}/deals/{WHAT_IF}/state").status_code == 404
    assert "HJ" not in owner.get(f"{API}/deals/{WHAT_IF}/replay?viewer=public").text


def test_its_answers_at_a_fixed_point_are_kept_as_long_as_any_deal_s(service: Flask) -> None:
    owner = owner_of(service)
    opened(owner, branch(3), CLOSING)
    kept = owner.get(f"{API}/deals/{WHAT_IF}/state?at=1&known=2").headers["Cache-Control"]
    assert "immutable" in kept
    opened(owner, branch(3, id=DEEPER), deal=DEEPER)
    kept = owner.get(f"{API}/deals/{DEEPER}/state?at=1&known=1").headers["Cache-Control"]
    assert "immutable" not in kept


# --- What came from elsewhere -------------------------------------------------------------------------


def test_all_that_is_exported_is_imported_again_variations_behind_what_they_leave(left: FlaskClient) -> None:
    opened(left, branch(3), *bids("middlehand solo"))
    opened(left, branch(2, deal=WHAT_IF, id=DEEPER), *bids("backhand pass"), deal=DEEPER)
    text = left.get(f"{API}/export.jsonl").text
    turned = reversed_logs(text)
    for exported in (text, turned):
        other = owner_of(create_app(MemoryStore()))
        answer = other.post(f"{API}/import", data=exported, content_type="application/jsonl")
        assert answer.status_code == 200, answer.text
        assert not [one for one in answer.get_json()["records"] if one["detail"]]
        for deal in (DEAL, WHAT_IF, DEEPER):
            for point in POINTS:
                assert told(other, f"deals/{deal}/{point}") == told(left, f"deals/{deal}/{point}")
        assert [one["id"] for one in told(other, f"deals/{WHAT_IF}/variations")["variations"]] == [DEEPER]


def reversed_logs(text: str) -> str:
    """The same logs, the last first."""
    logs: list[list[str]] = []
    for line in text.splitlines(keepends=True):
        if "deal_opened" in line:
            logs.append([])
        logs[-1].append(line)
    return "".join(line for log in reversed(logs) for line in log)


NOTATION = """Deal:       The club’s game
Rules:      dlu
Forehand:   Anna
Middlehand: Bo
Backhand:   Carl

F bids simple; M passes; B passes

Deal:       Solo instead
Rules:      dlu
Forehand:   Anna
Middlehand: Bo
Backhand:   Carl
Branch:     "The club’s game" at @2

M bids solo
"""


@pytest.mark.parametrize("order", [1, -1], ids=["parent first", "parent last"])
def test_a_variation_written_by_hand_is_imported_with_the_deal_that_it_leaves(
    client: FlaskClient, order: int
) -> None:
    text = "\n".join(f"Deal:{part}" for part in NOTATION.split("Deal:")[1:][::order])
    kind = "text/vnd.spadille.deal"
    (first, second) = client.post(f"{API}/import", data=text, content_type=kind).get_json()["records"]
    state = told(client, f"deals/{second['id']}/state")
    assert [call["bid"] for call in state["calls"]] == ["simple", "solo"]
    assert told(client, f"deals/{second['id']}")["branch"] == {"deal": first["id"], "at": 2, "known": 4}
    again = client.post(f"{API}/import", data=text, content_type=kind).get_json()["records"]
    assert [one["new"] for one in again] == [0, 0]


@pytest.mark.parametrize(
    "log",
    [
        [branch(3, deal=NOWHERE)],
        [branch(9), *bids("middlehand solo")],
        [branch(1, deal=DEEPER), branch(1, deal=WHAT_IF, id=DEEPER)],
        [branch(1, deal=WHAT_IF)],
    ],
    ids=["from nowhere", "from no point", "in a circle", "from itself"],
)
def test_one_that_leaves_nothing_is_not_imported_and_the_rest_is(left: FlaskClient, log: list[Json]) -> None:
    other = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e99"
    answer = left.post(f"{API}/import", json=[*log, {**OPENING, "id": other}]).get_json()
    records = {one["id"]: one for one in answer["records"]}
    assert records[other]["detail"] is None
    assert all(record["detail"] for deal, record in records.items() if deal != other)


# --- What was stored before it was looked at ------------------------------------------------------------


def test_one_that_leaves_a_deal_that_is_not_here_says_so_and_still_folds(
    client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [branch(3, deal=NOWHERE), *bids("middlehand solo")], WHAT_IF)
    state = told(client, f"deals/{WHAT_IF}/state")
    assert (state["incomplete"], len(state["calls"])) == (True, 1)
    (_, gap, _) = told(client, f"deals/{WHAT_IF}/replay")["frames"]
    assert gap["event"]["text"] == "The deal that this one leaves is not here."
    findings = told(client, f"deals/{WHAT_IF}/findings")["findings"]
    assert ("1.1", "beginning_missing") in [(one["seq"], one["code"]) for one in findings]


def test_those_that_leave_each_other_in_a_circle_still_fold(
    app: Flask, client: FlaskClient, store: EventStore
) -> None:
    recorded_deal(store, [branch(1, deal=DEEPER)], WHAT_IF)
    recorded_deal(store, [branch(1, deal=WHAT_IF, id=DEEPER)], DEEPER)
    assert told(client, f"deals/{WHAT_IF}/state")["incomplete"]
    for one in (client, holding(app, Terms("viewer"))):
        assert one.get(f"{API}/deals").status_code == 200
    assert len(told(client, "deals")["deals"]) == 2


def test_a_store_that_is_opened_again_has_its_variations(tmp_path: Path, houses: Houses) -> None:
    with SqliteStore(tmp_path / "spadille.db") as before:
        client = owner_of(houses.over(before))
        recorded_deal(before, LEFT)
        opened(client, branch(3), *bids("middlehand solo"))
        state = told(client, f"deals/{WHAT_IF}/state")
    with SqliteStore(tmp_path / "spadille.db") as after:
        client = owner_of(houses.over(after))
        assert told(client, f"deals/{WHAT_IF}/state") == state
        opened(client, branch(2, id=DEEPER), deal=DEEPER)
        listed = told(client, f"deals/{DEAL}/variations")["variations"]
        assert [one["id"] for one in listed] == [WHAT_IF, DEEPER]
        repeated = client.post(f"{API}/deals", json=branch(2, id=DEEPER))
        assert repeated.status_code == 200


def test_a_log_that_is_judged_without_being_stored_may_have_variations(client: FlaskClient) -> None:
    left = [{**event, "id": DEAL} if event is OPENING else event for event in LEFT]
    log = [*left, branch(3), *bids("middlehand solo", "backhand pass"), branch(3, deal=NOWHERE)]
    reports = client.post(f"{API}/validate", json=log).get_json()["reports"]
    found = [[(one["seq"], one["code"]) for one in report["findings"]] for report in reports]
    assert (3, "wrong_seat") in found[1] and "wrong_phase" not in str(found)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("deal", "at", "says"),
    [
        (NOWHERE, 3, "The deal that this one leaves is not here."),
        ("belinda", 999, "The deal that this one leaves cannot be left there: at is 999, which is none of"),
    ],
    ids=["no such deal", "no such point"],
)
def test_one_whose_beginning_is_missing_is_told_so_where_it_is_judged(
    client: FlaskClient, deal: str, at: int, says: str
) -> None:
    log = [branch(at, deal=deal), *bids("forehand simple")]
    (report,) = client.post(f"{API}/validate", json=log).get_json()["reports"]
    (found,) = (one for one in report["findings"] if one["code"] == "beginning_missing")
    assert (found["seq"], found["severity"]) == ("1.1", "warning")
    assert found["message"].startswith(says)


def test_of_more_deals_than_are_remembered_the_others_alone_are_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, read = MemoryStore(), list[str]()
    deals = [f"018f5e2a-7b1c-7d3e-9f40-{number:012}" for number in range(8)]
    for deal in deals:
        recorded_deal(store, [{**OPENING, "id": deal}] if deal < deals[6] else [branch(1, id=deal)], deal)
    monkeypatch.setattr("service.variations.KEPT", 5)
    known = Variations(store)
    reading = store.read

    def counted(stream: str, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        read.append(stream)
        return reading(stream, after, limit)

    monkeypatch.setattr(store, "read", counted)
    for _ in range(3):
        assert [known.branch(deal) is not None for deal in deals] == [False] * 6 + [True] * 2
    assert read == [*deals, *deals[5:], *deals[5:]]
