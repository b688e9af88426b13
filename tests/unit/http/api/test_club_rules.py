"""The library and the rulesets: the published ones, and a club's own, which its deals are played by."""

from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

import replays
from engine.rulesets import PUBLISHED_RULESETS, compile_ruleset
from replays import Replay
from schemas.rulesets.ruleset_json import read_ruleset
from service.app import create_app
from service.eventstore import EventStore, MemoryStore, NewEvent, StreamAppend
from service.records import club_rules
from service.records.club_rules import RULESETS_STREAM, ClubRules, RevisionTaken
from tests.support.api.asking import API, CLOSING, again, body_of, fetch, parameters, problem, send
from tests.support.api.clients import owner_of
from tests.support.api.club_rules import CLUB, OURS, WON, dearer, opening
from tests.support.api.recording import Json, some_deal


def forehand_chips(client: FlaskClient, deal: str) -> int | None:
    payments = fetch(client, f"deals/{deal}/score")["payments"]
    return payments and payments["forehand"]


def post_won_deal(client: FlaskClient, **more: Any) -> str:
    return str(body_of(client.post(f"{API}/deals", json=[opening(**more), WON]), 201)["deal"])


def published(client: FlaskClient, *bodies: Json) -> list[int]:
    """The statuses of what is answered where these are published one after the other."""
    return [client.put(OURS, json=body).status_code for body in bodies]


def test_a_ruleset_is_published_listed_and_read(client: FlaskClient) -> None:
    made = client.put(OURS, json=CLUB)
    answer = body_of(made, 201)
    assert made.headers["Location"] == f"{OURS}?revision=1"
    assert [answer[name] for name in ("id", "revision", "revisions", "own")] == ["our-club", 1, [1], True]
    for query in ("", "?revision=1"):
        assert client.get(f"{OURS}{query}").get_json() == answer
    listed = fetch(client, "rulesets")["rulesets"]
    assert [(one["id"], one["own"]) for one in listed][-2:] == [("tresillo", False), ("our-club", True)]
    for won, path in enumerate((OURS, f"{OURS}?revision=1", f"{API}/rulesets"), 7):
        first = client.get(path)
        same = again(client, path, first)
        assert (same.status_code, same.data) == (304, b"")
        client.put(OURS, json=dearer(won))
        assert again(client, path, first).status_code == 200
    (score,) = body_of(client.post(f"{API}/score", json=[opening(revision=1), WON]))["scores"]
    assert score["payments"]["forehand"] == 8


def test_what_is_read_can_be_sent_again_under_another_id(client: FlaskClient) -> None:
    whole = client.get(f"{API}/rulesets/ombre").get_json()
    for member in ("revisions", "own", "links", "revision"):
        del whole[member]
    answer = client.put(f"{API}/rulesets/our-ombre", json={**whole, "id": "our-ombre"})
    assert body_of(answer, 201)["pool"] == whole["pool"]


def test_a_published_revision_never_changes_and_something_else_is_the_next(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert published(client, CLUB, CLUB, {**CLUB, "revision": 1}) == [201, 200, 200]
    refused = client.put(OURS, json={**dearer(9), "revision": 1})
    assert problem(refused) == (409, "revision-taken")
    assert "Publish this as revision 2." in refused.get_json()["detail"]
    (tariff,) = (one for one in fetch(client, "rulesets/our-club")["tariff"] if one["contract"] == "solo")
    assert tariff["won"] == 4
    assert published(client, dearer(9), dearer(9)) == [201, 200]
    assert fetch(client, "rulesets/our-club")["revisions"] == [1, 2]
    assert club_rules.MAX_CLUB_REVISIONS == 500
    assert "500 revisions" in str(club_rules.TooManyRevisions())
    monkeypatch.setattr(club_rules, "MAX_CLUB_REVISIONS", 4)
    assert published(client, *map(dearer, (4, 5, 6, 4))) == [201, 201, 413, 413]
    assert published(client, {**dearer(4), "revision": 3}) == [200]


def test_what_does_not_hold_together_is_refused_with_its_place(client: FlaskClient) -> None:
    for sent, pointer in (
        ({**CLUB, "id": "dlu"}, "/id"),
        ({**CLUB, "based_on": "whist"}, "/based_on"),
        ({**CLUB, "tariff": [{"contract": "solo", "won": -1}]}, "/tariff/"),
        ({"words": CLUB["words"]}, "/source"),
    ):
        refused = client.put(OURS, json=sent)
        assert problem(refused) == (422, "invalid-ruleset")
        error = refused.get_json()["errors"][0]
        assert error["pointer"].startswith(pointer)
        assert error["detail"] in refused.get_json()["detail"]
    assert client.get(OURS).status_code == 404
    for name in ("dlu", "Our-Club", "-club", "x" * 61):
        refused = client.put(f"{API}/rulesets/{name}", json=CLUB)
        assert (refused.status_code, refused.get_json()["errors"][0]["pointer"]) == (422, "/id"), name


def test_a_deal_keeps_the_revision_that_it_was_opened_by(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    named = "018f5e2a-7b1c-7d3e-9f40-00000000c1ab"
    body = [opening(id=named), {**WON, "id": f"{named[:-1]}c"}]
    old = client.post(f"{API}/deals", json=body).get_json()["deal"]
    client.put(OURS, json=dearer(9))
    # A lost answer, asked for again when another revision is the newest.
    assert client.post(f"{API}/deals", json=body).status_code == 200
    new = post_won_deal(client)
    assert (forehand_chips(client, old), forehand_chips(client, new)) == (8, 18)
    assert [client.get(f"{API}/deals/{deal}").get_json()["revision"] for deal in (old, new)] == [1, 2]


def test_a_table_keeps_its_revision_and_its_deals_do(client: FlaskClient) -> None:
    client.put(OURS, json=CLUB)
    sent = {"ruleset": "our-club", "players": ["Anna", "Bo", "Carl"]}
    table = body_of(client.post(f"{API}/tables", json=sent), 201)["table"]
    client.put(OURS, json=dearer(9))
    deal = body_of(send(client, f"tables/{table}/deals", {}, 1), 201)["deal"]
    send(client, f"deals/{deal}/events", WON, 1)
    assert fetch(client, f"tables/{table}/ledger")["lines"][0]["chips"]["Anna"] == 8
    assert fetch(client, f"tables/{table}")["revision"] == 1


def test_a_deal_that_named_it_before_is_judged_by_it_from_then_on(client: FlaskClient) -> None:
    deal = post_won_deal(client)
    send(client, f"deals/{deal}/events", CLOSING, 2)
    fixed = "score?at=3&known=3"
    for value in (None, 8):
        assert forehand_chips(client, deal) == value
        assert fetch(client, f"deals/{deal}")["score"]["decided"] == (value is not None)
        assert ("unknown_ruleset" in client.get(f"{API}/deals/{deal}/findings").text) == (value is None)
        # What could not be judged once is not kept for ever.
        assert "immutable" not in client.get(f"{API}/deals/{deal}/{fixed}").headers["Cache-Control"]
        client.put(OURS, json=CLUB)
    ours = post_won_deal(client)
    send(client, f"deals/{ours}/events", CLOSING, 2)
    assert "immutable" in client.get(f"{API}/deals/{ours}/{fixed}").headers["Cache-Control"]


def test_what_the_service_is_started_with_is_kept_too(store: EventStore) -> None:
    ruleset = read_ruleset({"id": "our-club", **CLUB})
    started = create_app(store, book=(*PUBLISHED_RULESETS, compile_ruleset(ruleset)))
    assert owner_of(started).get(OURS).get_json()["own"]
    assert forehand_chips(owner_of(create_app(store)), post_won_deal(owner_of(started))) == 8
    assert len(ClubRules(store).book) == len(PUBLISHED_RULESETS) + 1
    other = read_ruleset({"id": "our-club", **dearer(9)})
    with pytest.raises(RevisionTaken, match="Publish this as revision 2"):
        create_app(store, book=(*PUBLISHED_RULESETS, compile_ruleset(other)))


def test_what_another_service_on_the_store_publishes_is_known_here(store: EventStore) -> None:
    store.has_other_writers = True
    here, there = (owner_of(create_app(store)) for _ in range(2))
    assert here.get(OURS).status_code == 404
    assert published(there, CLUB) == [201]
    assert fetch(here, "rulesets/our-club")["own"]
    assert forehand_chips(here, post_won_deal(there)) == 8
    # What each of them publishes is a revision of its own, whoever was first.
    assert (published(here, dearer(9)), published(there, dearer(9), dearer(5))) == ([201], [200, 201])
    assert published(here, dearer(5)) == [200]
    for one in (here, there):
        assert fetch(one, "rulesets/our-club")["revisions"] == [1, 2, 3]


def test_one_that_cannot_be_read_is_passed_over(store: EventStore) -> None:
    unreadable = NewEvent("x", b'{"type":"ruleset_published"}')
    store.append(RULESETS_STREAM, [StreamAppend(RULESETS_STREAM, 0, [unreadable], "rulesets")])
    assert ClubRules(store).book == PUBLISHED_RULESETS


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    log = b"".join(orjson.dumps(event) + b"\n" for event in some_deal())
    return owner_of(create_app(MemoryStore(), library=[Replay("random", log)]))


def test_every_link_of_a_replay_leads_somewhere(reader: FlaskClient) -> None:
    (deal,) = fetch(reader, "replays")["replays"]
    assert fetch(reader, "replays/random") == deal
    assert deal["outcome"] is not None
    for name, link in deal["links"].items():
        assert reader.get(link).status_code == 200, name
    assert fetch(reader, "replays/random/state?at=1")["phase"] == "dealing"
    assert reader.get(f"{API}/replays/random/state?at=9999").status_code == 404
    assert fetch(reader, "replays/random/legal?known=4")["action"] == "bid"
    for path in ("", "/events", "/events.jsonl", "/replay"):
        assert problem(reader.get(f"{API}/replays/nobody{path}")) == (404, "unknown-replay")
    page = fetch(reader, "replays/random/events?limit=5")
    assert [event["seq"] for event in page["events"]] == [1, 2, 3, 4, 5]
    assert reader.get(page["next"]).get_json()["events"][0]["seq"] == 6
    lines = reader.get(f"{API}/replays/random/events.jsonl").data.splitlines()
    assert [orjson.loads(line)["seq"] for line in lines] == list(range(1, len(some_deal()) + 1))
    jsonl = {"Accept": "application/jsonl"}
    some = reader.get(f"{API}/replays/random/events?after=2&limit=3", headers=jsonl)
    assert some.data.splitlines() == lines[2:5]
    assert some.headers["Link"] == '</api/v1/replays/random/events?after=5&limit=3>; rel="next"'
    assert fetch(reader, "replays/random/events?after=9999")["events"] == []


def test_every_published_ruleset_is_shown_whole(reader: FlaskClient) -> None:
    listed = fetch(reader, "rulesets")["rulesets"]
    assert {ruleset["id"] for ruleset in listed} == {rules.ruleset.id for rules in PUBLISHED_RULESETS}
    for rules in PUBLISHED_RULESETS:
        ruleset = rules.ruleset
        shown = fetch(reader, f"rulesets/{ruleset.id}?revision={ruleset.revision}")
        assert [bid["id"] for bid in shown["bids"]] == [bid.id for bid in ruleset.bids]
        assert len(shown["clauses"]) == len(ruleset.clauses)
        assert {clause["ours"] for clause in shown["clauses"]} <= {True, False}
        assert all(clause["source"] for clause in shown["clauses"])
        assert shown["policies"]["auction"] == ruleset.auction
    for path in ("nobody", "dlu?revision=99"):
        answer = reader.get(f"{API}/rulesets/{path}")
        assert problem(answer) == (404, "unknown-ruleset")
        assert "dlu" in answer.get_json()["detail"]


def test_the_library_is_searched_by_all_that_is_asked_at_once(client: FlaskClient) -> None:
    def found(query: str) -> list[str]:
        return [deal["name"] for deal in fetch(client, f"replays?{query}")["replays"]]

    assert found("") == [deal.name for deal in replays.list_library()]
    belindas = ["belinda-as-printed", "belinda-second-reading", "belinda"]
    assert sorted(found("player=bELin")) == sorted(belindas)
    assert sorted(found("finding=revoke")) == ["findings-revoke", "findings-revoke-by-counting"]
    assert "dlu-solo-codille" in found("contract=solo&outcome=codille")
    for more in ("ruleset=dlu", "folder=dlu"):
        assert found(f"contract=solo&outcome=codille&{more}") == ["dlu-solo-codille"]
    assert found("player=nobody") == []
    # Pope tells which king and queen fell: the Baron played the queen of spades, Belinda had spadille.
    assert "belinda" in found("player=Belinda&card=SA")
    assert found("player=Baron&card=SA") == []
    assert "belinda" in found("player=Baron&card=SQ")
    assert parameters(client.get(f"{API}/replays?card=S9")) == ["card"]
