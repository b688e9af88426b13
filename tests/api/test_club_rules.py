"""A club's own rulesets: published over HTTP, kept in the store, and played by from then on."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.rulesets import PUBLISHED, rules_of
from schemas.rulesets import read_ruleset
from service.app import create_app
from service.club_rules import MOST, STREAM, ClubRules, RevisionTaken, TooManyRevisions
from service.evidence.verifying import verify_store
from service.store import EventStore, MemoryStore, SqliteReader, SqliteStore
from tests.support.api.clients import owner_of
from tests.support.api.club_rules import API, CLUB, OURS, WON, Json, dearer, opening


def paid(client: FlaskClient, deal: str) -> int | None:
    payments = client.get(f"{API}/deals/{deal}/score").get_json()["payments"]
    return payments and payments["forehand"]


def recorded(client: FlaskClient, **more: Any) -> str:
    answer = client.post(f"{API}/deals", json=[opening(**more), WON])
    assert answer.status_code == 201, answer.text
    deal: str = answer.get_json()["deal"]
    return deal


def test_a_ruleset_is_published_listed_and_read(client: FlaskClient) -> None:
    made = client.put(OURS, json=CLUB)
    assert (made.status_code, made.headers["Location"]) == (201, f"{OURS}?revision=1")
    told = made.get_json()
    assert (told["id"], told["revision"], told["revisions"], told["own"]) == ("our-club", 1, [1], True)
    assert client.get(OURS).get_json() == told
    assert client.get(f"{OURS}?revision=1").get_json() == told
    listed = client.get(f"{API}/rulesets").get_json()["rulesets"]
    assert [(one["id"], one["own"]) for one in listed][-2:] == [("tresillo", False), ("our-club", True)]


def test_what_a_client_has_is_not_sent_again_until_it_is_another(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    for path in (OURS, f"{OURS}?revision=1", f"{API}/rulesets"):
        tag = {"If-None-Match": client.get(path).headers["ETag"]}
        assert (client.get(path, headers=tag).status_code, client.get(path, headers=tag).data) == (304, b"")
        client.put(OURS, json=dearer(9))
        assert client.get(path, headers=tag).status_code == 200
        client.put(OURS, json=dearer(10))


def test_what_is_read_can_be_sent_again_under_another_id(client: FlaskClient) -> None:
    whole = client.get(f"{API}/rulesets/ombre").get_json()
    for member in ("revisions", "own", "links", "revision"):
        del whole[member]
    answer = client.put(f"{API}/rulesets/our-ombre", json={**whole, "id": "our-ombre"})
    assert answer.status_code == 201, answer.text
    assert answer.get_json()["pool"] == whole["pool"]


def test_the_same_again_is_harmless_and_something_else_is_the_next_revision(client: FlaskClient) -> None:
    statuses = [client.put(OURS, json=sent).status_code for sent in (CLUB, CLUB, {**CLUB, "revision": 1})]
    assert statuses == [201, 200, 200]
    changed = client.put(OURS, json=dearer(9))
    assert (changed.status_code, changed.get_json()["revisions"]) == (201, [1, 2])
    assert client.put(OURS, json=dearer(9)).status_code == 200


def test_a_published_revision_never_changes(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    refused = client.put(OURS, json={**dearer(9), "revision": 1})
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/revision-taken")
    assert "Give it revision 2." in refused.get_json()["detail"]
    (tariff,) = (one for one in client.get(OURS).get_json()["tariff"] if one["contract"] == "solo")
    assert tariff["won"] == 4


@pytest.mark.parametrize(
    ("sent", "pointer"),
    [
        ({**CLUB, "id": "dlu"}, "/id"),
        ({**CLUB, "based_on": "whist"}, "/based_on"),
        ({**CLUB, "policies": {"sitter_pays": "yes"}}, "/policies/sitter_pays"),
        ({**CLUB, "tariff": [{"contract": "solo", "won": -1}]}, "/tariff/"),
        ({**CLUB, "tea": 1}, "/tea"),
        ({**CLUB, "revision": 0}, "/revision"),
        ({"words": CLUB["words"]}, "/source"),
    ],
    ids=["published-id", "no-base", "no-flag", "negative", "unknown", "revision", "not-whole"],
)
def test_what_does_not_hold_together_is_refused_with_its_place(
    client: FlaskClient, sent: Json, pointer: str
) -> None:
    refused = client.put(OURS, json=sent)
    problem = refused.get_json()
    assert (refused.status_code, problem["type"]) == (422, "/problems/invalid-ruleset")
    assert problem["errors"][0]["pointer"].startswith(pointer)
    assert problem["errors"][0]["detail"] in problem["detail"]
    assert client.get(OURS).status_code == 404


@pytest.mark.parametrize(
    "name", ["dlu", "Our-Club", "-club", "x" * 61], ids=["published", "capitals", "hyphen", "long"]
)
def test_an_id_is_plain_and_the_clubs_own(client: FlaskClient, name: str) -> None:
    refused = client.put(f"{API}/rulesets/{name}", json=CLUB)
    assert (refused.status_code, refused.get_json()["errors"][0]["pointer"]) == (422, "/id")


def test_a_deal_keeps_the_revision_that_it_was_opened_by(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    named = "018f5e2a-7b1c-7d3e-9f40-00000000c1ab"
    body = [opening(id=named), {**WON, "id": f"{named[:-1]}c"}]
    old = client.post(f"{API}/deals", json=body).get_json()["deal"]
    client.put(OURS, json=dearer(9))
    # A lost answer, asked for again when another revision is the newest.
    assert client.post(f"{API}/deals", json=body).status_code == 200
    new = recorded(client)
    assert (paid(client, old), paid(client, new)) == (8, 18)
    assert [client.get(f"{API}/deals/{deal}").get_json()["revision"] for deal in (old, new)] == [1, 2]


def test_a_table_keeps_its_revision_and_its_deals_do(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    sent = {"ruleset": "our-club", "players": ["Anna", "Bo", "Carl"]}
    table = client.post(f"{API}/tables", json=sent).get_json()["table"]
    client.put(OURS, json=dearer(9))
    started = client.post(f"{API}/tables/{table}/deals", json={}, headers={"If-Match": '"1"'}).get_json()
    client.post(f"{API}/deals/{started['deal']}/events", json=WON, headers={"If-Match": '"1"'})
    assert client.get(f"{API}/tables/{table}/ledger").get_json()["lines"][0]["chips"]["Anna"] == 8
    assert client.get(f"{API}/tables/{table}").get_json()["revision"] == 1


def test_a_deal_that_named_it_before_is_judged_by_it_from_then_on(client: FlaskClient) -> None:
    deal = recorded(client)
    assert paid(client, deal) is None
    assert not client.get(f"{API}/deals/{deal}").get_json()["score"]["decided"]
    assert "unknown_ruleset" in client.get(f"{API}/deals/{deal}/findings").text
    client.put(OURS, json=CLUB)
    assert paid(client, deal) == 8
    assert client.get(f"{API}/deals/{deal}").get_json()["score"]["decided"]


def test_what_cannot_be_judged_yet_is_not_kept_for_ever(client: FlaskClient) -> None:
    deal = recorded(client)
    close = {"type": "deal_closed", "payments": {}, "engine": "0.1.0"}
    client.post(f"{API}/deals/{deal}/events", json=close, headers={"If-Match": '"2"'})
    fixed = f"{API}/deals/{deal}/score?at=3&known=3"
    assert "immutable" not in client.get(fixed).headers["Cache-Control"]
    client.put(OURS, json=CLUB)
    assert "immutable" not in client.get(fixed).headers["Cache-Control"]
    ours = recorded(client)
    client.post(f"{API}/deals/{ours}/events", json=close, headers={"If-Match": '"2"'})
    assert "immutable" in client.get(f"{API}/deals/{ours}/score?at=3&known=3").headers["Cache-Control"]


def test_validate_and_score_know_it(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    (score,) = client.post(f"{API}/score", json=[opening(), WON]).get_json()["scores"]
    assert score["payments"]["forehand"] == 8


def test_it_is_there_after_a_new_start_without_its_file(tmp_path: Path) -> None:
    file = tmp_path / "spadille.db"
    with SqliteStore(file) as store:
        client = owner_of(create_app(store))
        client.put(OURS, json=CLUB)
        client.put(OURS, json=dearer(9))
        deal = recorded(client, revision=1)
    with SqliteStore(file) as store:
        again = owner_of(create_app(store))
        assert again.get(OURS).get_json()["revisions"] == [1, 2]
        assert paid(again, deal) == 8
    with SqliteReader(file) as reader:
        verdict = verify_store(reader.inspection(), None, None)
    assert (verdict.faults, verdict.events) == ((), 4)


def test_what_the_service_is_started_with_is_kept_too(store: EventStore) -> None:
    ruleset = read_ruleset({"id": "our-club", **CLUB})
    started = create_app(store, book=(*PUBLISHED, rules_of(ruleset)))
    assert owner_of(started).get(OURS).get_json()["own"]
    assert paid(owner_of(create_app(store)), recorded(owner_of(started))) == 8
    other = read_ruleset({"id": "our-club", **dearer(9)})
    with pytest.raises(RevisionTaken, match="Give it revision 2"):
        create_app(store, book=(*PUBLISHED, rules_of(other)))


def test_what_another_service_on_the_store_publishes_is_known_here(store: EventStore) -> None:
    here, there = (owner_of(create_app(store)) for _ in range(2))
    assert here.get(OURS).status_code == 404
    assert there.put(OURS, json=CLUB).status_code == 201
    assert here.get(OURS).get_json()["own"]
    assert paid(here, recorded(there)) == 8
    assert here.put(OURS, json=dearer(4)).status_code == 201
    assert there.get(OURS).get_json()["revisions"] == [1, 2]


def test_a_store_takes_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST == 500
    monkeypatch.setattr("service.club_rules.MOST", 2)
    client = owner_of(create_app(MemoryStore()))
    statuses = [client.put(OURS, json=dearer(won)).status_code for won in (4, 5, 6, 4)]
    assert statuses == [201, 201, 413, 413]
    assert client.put(OURS, json={**dearer(4), "revision": 1}).status_code == 200


def test_one_that_cannot_be_read_is_passed_over(store: EventStore) -> None:
    from service.store import Append, NewEvent

    store.append(STREAM, [Append(STREAM, 0, [NewEvent("x", b'{"type":"ruleset_published"}')], "rulesets")])
    assert ClubRules(store).book == PUBLISHED


def test_too_many_is_an_error_of_its_own() -> None:
    assert "500 revisions" in str(TooManyRevisions())


def test_what_was_published_by_another_process_is_known_at_the_next_request() -> None:
    store = MemoryStore()
    here, there = owner_of(create_app(store)), owner_of(create_app(store))
    assert there.get(OURS).status_code == 404
    assert here.put(OURS, json=CLUB).status_code == 201
    assert there.get(OURS).get_json()["revision"] == 1
    assert here.put(OURS, json=dearer(9)).status_code == 201
    assert paid(there, recorded(there)) == 18
    # What each of them publishes is a revision of its own, whoever was first.
    statuses = [
        one.put(OURS, json=dearer(won)).status_code for one, won in ((there, 9), (there, 5), (here, 5))
    ]
    assert statuses == [200, 201, 200]
    assert here.get(OURS).get_json()["revisions"] == there.get(OURS).get_json()["revisions"] == [1, 2, 3]
