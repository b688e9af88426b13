"""What leaked once, each by a plain example."""

import uuid
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.spreadsheet.sheet_reader import read_slip_sheet
from schemas.spreadsheet.slip_logs import build_evening_logs
from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import MemoryStore
from service.http.service_context import queries
from service.records.live import Feed
from service.records.live.redacted_logs import RedactedLogCache
from tests.support.api.asking import API, correction, send
from tests.support.api.clients import holding, of_app, owner_of, token_for
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, Json, recorded_deal, recorded_table
from tests.support.engine.shorthand import dealt, plays, slip

HERE: Final = f"{API}/deals/{DEAL}"
HAND: Final = "HJ H7 S7 C5 CK HK C7 HA DQ"
OTHER_HAND: Final = "D6 S4 H6 D4 CA S6 D7 CQ S2"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def app(store: MemoryStore) -> Flask:
    return create_app(store)


def import_log(client: FlaskClient, *logs: Json) -> str:
    return client.post(f"{API}/import", json=list(logs)).get_json()["records"][0]["id"]


def test_the_id_of_an_imported_deal_cannot_be_made_of_what_it_says(app: Flask) -> None:
    """Every reader of the deal is told it, and could try out hands until one gives it."""
    owner = owner_of(app)
    one, again = (import_log(owner, OPENING, dealt("F", HAND)) for _ in range(2))
    assert one == again != import_log(owner, OPENING, dealt("F", OTHER_HAND))
    assert uuid.UUID(one).version == 8
    elsewhere = owner_of(create_app(MemoryStore()))
    assert import_log(elsewhere, OPENING, dealt("F", HAND)) != one, "anybody can make it of the log"


def test_the_ids_of_slips_say_nothing_of_their_notes() -> None:
    sheet = (
        "forehand;middlehand;backhand;declarer;contract;trump;tricks;note\nAnna;Bo;Carl;Bo;solo;hearts;5;{}\n"
    )
    ids = []
    for said in ("He held SA.", "He held CA."):
        read = read_slip_sheet(sheet.format(said).encode(), {"ruleset": ["dlu"]})
        ids.append(
            [log[0].metadata.id for one in build_evening_logs(read.tables) for log in (one.table, *one.deals)]
        )
    assert ids[0] == ids[1]


RULES = ("audit", "ledger", "ledger.csv", "slips.csv", "export.jsonl", "proof?records=all")


def table_that_names(owner: FlaskClient, deal: str, table: str = TABLE) -> None:
    """Imports a table whose log claims that it started that deal."""
    opened = {"type": "table_opened", "id": table, "ruleset": "dlu", "players": list(PLAYERS.values())}
    started = {"type": "deal_started", "deal": deal, "number": 1}
    assert owner.post(f"{API}/import", json=[opened, started]).status_code == 200


def test_a_table_tells_nothing_of_a_deal_that_its_log_merely_names(app: Flask) -> None:
    owner = owner_of(app)
    events = [{**OPENING, "id": DEAL}, slip("M", "solo", "3-4-2", trump="H")]
    assert owner.post(f"{API}/deals", json=events).status_code == 201
    table_that_names(owner, DEAL)
    viewer = holding(app, GrantTerms("viewer", Scope("table", TABLE)))
    assert viewer.get(HERE).status_code == 404
    for rule in RULES:
        answer = viewer.get(f"{API}/tables/{TABLE}/{rule}")
        assert answer.status_code == 200, rule
        assert "solo" not in answer.text, rule


def test_a_table_that_names_itself_is_no_deal_of_its_own(app: Flask) -> None:
    owner = owner_of(app)
    table_that_names(owner, TABLE)
    for rule in RULES:
        answer = owner.get(f"{API}/tables/{TABLE}/{rule}")
        assert answer.status_code == 200, rule
        assert answer.text.count("table_opened") <= 1, rule
    assert send(owner, f"tables/{TABLE}/deals", {"players": PLAYERS}, 2).status_code == 201


def test_a_player_who_sat_elsewhere_is_not_shown_the_seat(app: Flask, store: MemoryStore) -> None:
    recorded_deal(store, [OPENING, dealt("F", HAND)])
    owner = owner_of(app)
    anna = token_for(app, GrantTerms("player", Scope("deal", DEAL), person="Anna"))
    with app.test_request_context(headers={"Authorization": f"Bearer {anna}"}):
        reached = queries()
        feed = Feed(
            store, RedactedLogCache(store), reached.build_subscription(reached.find_deal(DEAL), "forehand")
        )
    assert b"HJ" in b"".join(feed.start(None))
    swapped = {"forehand": "Bo", "middlehand": "Anna", "backhand": "Carl"}
    discarded = {"type": "cards_discarded", "seat": "forehand", "cards": ["HJ", "H7"]}
    more = [correction({**OPENING, "players": swapped}, replaces=[1]), discarded]
    assert send(owner, f"deals/{DEAL}/events", more, 2).status_code == 201
    told = b"".join(feed.catch_up())
    assert b"event: reset" in told and b"cards_discarded" in told
    assert not any(card.encode() in told for card in HAND.split())


@pytest.mark.parametrize("wrongly", [False, True])
def test_a_proof_does_not_tell_whether_a_hidden_card_was_recorded(app: Flask, wrongly: bool) -> None:
    shapes = []
    owner, viewer = owner_of(app), holding(app, GrantTerms("viewer"))
    for hand in (HAND, " ".join(["??"] * 9), "S?" + HAND[2:]):
        name = str(uuid.uuid4())
        log = [{**OPENING, "id": name}, dealt("F", hand)]
        if wrongly:
            log += [*plays(f"F-{hand[:2]}"), correction(replaces=[2, 3])]
        assert owner.post(f"{API}/deals", json=log).status_code == 201
        (proven,) = viewer.get(f"{API}/deals/{name}/proof").get_json()["streams"]
        shapes.append([sorted(event) for event in proven["events"]])
        # Who holds the seat is proved the hand, even where a card of it is not known.
        seat = holding(app, GrantTerms("player", Scope("deal", name), seat="forehand"))
        (proven,) = seat.get(f"{API}/deals/{name}/proof").get_json()["streams"]
        assert wrongly or all("body" in event for event in proven["events"])
    assert shapes[0] == shapes[1] == shapes[2]


ASPECTS = (
    "", "/state", "/legal", "/score", "/findings", "/replay", "/audit", "/evidence", "/odds", "/events",
    "/events.jsonl", "/events.deal", "/state.svg", "/state.png",
)  # fmt: skip


def test_after_a_grant_is_revoked_no_version_of_it_is_confirmed(app: Flask, store: MemoryStore) -> None:
    """Who knew everything, and is a viewer now, is told the cut text; not that he has it already."""
    recorded_deal(store, [OPENING, dealt("F", HAND)])
    register = of_app(app).register
    more = register.create_grant(GrantTerms("recorder", Scope("deal", DEAL)))
    session = None
    for token in (more.token, token_for(app, GrantTerms("viewer", Scope("deal", DEAL)))):
        session = register.create_session(token or "", session).secret
    browser = app.test_client(use_cookies=False)
    browser.environ_base["HTTP_COOKIE"] = f"spadille-80={session}"
    known = {aspect: browser.get(f"{HERE}{aspect}") for aspect in ASPECTS}
    for aspect, answer in known.items():
        assert answer.headers["Cache-Control"] == "private, no-cache", aspect
    register.revoke_grant(more.grant.id)
    for aspect, before in known.items():
        for tag in (before.headers.get("ETag", '"2"'), "*"):
            after = browser.get(f"{HERE}{aspect}", headers={"If-None-Match": tag})
            assert (after.status_code, after.headers["Cache-Control"]) == (200, "no-store"), aspect
            assert after.data, aspect
            alike = ("", "/legal", "/score", "/findings", "/odds")
            assert after.data != before.data or aspect in alike, aspect
            if aspect not in ("/state.png", "/evidence", "/odds"):  # these name what may have been
                assert "HJ" not in after.text, aspect


def test_what_is_appended_is_told_to_its_sender_alone(app: Flask, store: MemoryStore) -> None:
    recorded_table(store)
    owner = owner_of(app)
    opened = owner.post(f"{API}/deals", json=OPENING)
    answers = [
        opened,
        owner.post(f"{API}/import", json=[OPENING]),
        send(owner, f"tables/{TABLE}/deals", {"players": PLAYERS}, 1),
        send(owner, f"tables/{TABLE}/events", {"type": "player_joined", "player": "Dora"}, 2),
        send(owner, f"deals/{opened.get_json()['deal']}/events", dealt("F", HAND), 1),
    ]
    assert [answer.headers["Cache-Control"] for answer in answers] == ["no-store"] * 5


@pytest.mark.parametrize("guide", ["README.md", "docs/api.md"])
def test_the_commands_that_a_guide_proposes_show_their_token_in_no_list_of_processes(guide: str) -> None:
    """`curl --oauth2-bearer $TOKEN` did: the shell puts the token into the command."""
    told = (Path(__file__).parents[3] / guide).read_text("utf-8")
    assert 'echo "oauth2-bearer = $(' in told and "--oauth2-bearer" not in told
