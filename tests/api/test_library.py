"""The library and the rulesets over HTTP."""

import orjson
import pytest
from flask.testing import FlaskClient

import replays
from engine.rulesets import PUBLISHED
from replays import Replay
from schemas.rulesets import read_ruleset_file
from service.app import create_app
from service.store import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import some_deal
from tests.support.schemas.rulesets import CLUB_FILE

LOG = b"".join(orjson.dumps(event) + b"\n" for event in some_deal())


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    return owner_of(create_app(MemoryStore(), library=[Replay("random", LOG)]))


def test_the_library_is_the_package_s_unless_told_otherwise() -> None:
    listed = owner_of(create_app(MemoryStore())).get("/api/v1/replays").get_json()["replays"]
    assert [deal["name"] for deal in listed] == [deal.name for deal in replays.library()]
    assert listed


def test_every_link_of_a_replay_leads_somewhere(reader: FlaskClient) -> None:
    (deal,) = reader.get("/api/v1/replays").get_json()["replays"]
    assert reader.get("/api/v1/replays/random").get_json() == deal
    assert deal["outcome"] is not None
    for name, link in deal["links"].items():
        assert reader.get(link).status_code == 200, name


def test_a_replay_s_log_comes_in_pages_and_in_lines(reader: FlaskClient) -> None:
    page = reader.get("/api/v1/replays/random/events?limit=5").get_json()
    assert [event["seq"] for event in page["events"]] == [1, 2, 3, 4, 5]
    rest = reader.get(page["next"]).get_json()
    assert rest["events"][0]["seq"] == 6
    lines = reader.get("/api/v1/replays/random/events.jsonl").data.splitlines()
    assert [orjson.loads(line)["seq"] for line in lines] == list(range(1, len(some_deal()) + 1))
    some = reader.get(
        "/api/v1/replays/random/events?after=2&limit=3", headers={"Accept": "application/jsonl"}
    )
    assert some.data.splitlines() == lines[2:5]
    assert some.headers["Link"] == '</api/v1/replays/random/events?after=5&limit=3>; rel="next"'
    assert reader.get("/api/v1/replays/random/events?after=9999").get_json()["events"] == []


def test_a_replay_is_asked_at_any_point(reader: FlaskClient) -> None:
    assert reader.get("/api/v1/replays/random/state?at=1").get_json()["phase"] == "dealing"
    assert reader.get("/api/v1/replays/random/state?at=9999").status_code == 404
    assert reader.get("/api/v1/replays/random/legal?known=4").get_json()["action"] == "bid"


@pytest.mark.parametrize("path", ["", "/events", "/events.jsonl", "/replay"])
def test_a_replay_that_is_not_there_is_told(reader: FlaskClient, path: str) -> None:
    answer = reader.get(f"/api/v1/replays/nobody{path}")
    assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/unknown-replay")


@pytest.mark.parametrize("path", ["/api/v1/healthz", "/healthz"])
def test_it_says_that_it_is_well(reader: FlaskClient, path: str) -> None:
    answer = reader.get(path)
    assert answer.get_json()["status"] == "ok"
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_published_ruleset_is_shown_whole(reader: FlaskClient) -> None:
    listed = reader.get("/api/v1/rulesets").get_json()["rulesets"]
    assert {ruleset["id"] for ruleset in listed} == {rules.ruleset.id for rules in PUBLISHED}
    for rules in PUBLISHED:
        ruleset = rules.ruleset
        shown = reader.get(f"/api/v1/rulesets/{ruleset.id}?revision={ruleset.revision}").get_json()
        assert [bid["id"] for bid in shown["bids"]] == [bid.id for bid in ruleset.bids]
        assert len(shown["clauses"]) == len(ruleset.clauses)
        assert {clause["ours"] for clause in shown["clauses"]} <= {True, False}
        assert all(clause["source"] for clause in shown["clauses"])
        assert shown["policies"]["auction"] == ruleset.auction


def test_the_danish_table_reads_as_the_source_has_it(reader: FlaskClient) -> None:
    dlu = reader.get("/api/v1/rulesets/dlu").get_json()
    ranks = {bid["id"]: bid["rank"] for bid in dlu["bids"]}
    assert ranks["tourne"] == ranks["simple-nolo"] < ranks["solo"]
    naming = {row["bid"]: [one["contract"] for one in row["names"]] for row in dlu["naming"]}
    assert naming["simple"] == ["simple", "spade-game", "tourne", "simple-nolo"]
    (tourne,) = [contract for contract in dlu["contracts"] if contract["id"] == "tourne"]
    assert tourne["declarer_exchange"] == {"min": 2, "max": 9}
    (ouvert,) = [row for row in dlu["tariff"] if row["contract"] == "nolo-ouvert"]
    assert (ouvert["won"], ouvert["bete"], ouvert["codille"]) == (6, None, [7])


@pytest.mark.parametrize("path", ["nobody", "dlu?revision=99"])
def test_a_ruleset_that_is_not_there_is_told(reader: FlaskClient, path: str) -> None:
    answer = reader.get(f"/api/v1/rulesets/{path}")
    assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/unknown-ruleset")
    assert "dlu" in answer.get_json()["detail"]


def test_a_club_s_own_ruleset_is_known_where_it_was_given() -> None:
    """Shown with the others, judged and paid by, and at its tables."""
    book = (*PUBLISHED, read_ruleset_file(CLUB_FILE.encode()))
    client = owner_of(create_app(MemoryStore(), book=book))
    assert "our-club" in [one["id"] for one in client.get("/api/v1/rulesets").get_json()["rulesets"]]
    assert client.get("/api/v1/rulesets/our-club").get_json()["policies"]["matadors"] == "forced-by-higher"
    opened = client.post("/api/v1/tables", json={"ruleset": "our-club", "players": ["Anna", "Bo", "Carl"]})
    table = opened.headers["Location"]
    started = client.post(f"{table}/deals", json={}, headers={"If-Match": '"1"'}).get_json()
    assert started["events"][0]["revision"] == 1
    assert "unknown_ruleset" not in [one["code"] for one in started["findings"]]
    slip = {
        "type": "result_recorded",
        "declarer": "forehand",
        "contract": "solo",
        "trump": "H",
        "outcome": "codille",
    }
    deal = f"/api/v1/deals/{started['deal']}"
    assert client.post(f"{deal}/events", json=slip, headers={"If-Match": '"1"'}).status_code == 201
    assert client.get(f"{deal}/score").get_json()["payments"]["forehand"] == -12
    assert client.get(deal).get_json()["score"]["outcome"] == "codille"
    assert client.get(f"{table}/ledger").get_json()["totals"]["Anna"] == -12
    assert client.get(f"/deals/{started['deal']}").status_code == 200
    elsewhere = owner_of(create_app(MemoryStore()))
    assert elsewhere.get("/api/v1/rulesets/our-club").status_code == 404


def names_found(reader: FlaskClient, query: str) -> list[str]:
    listed = reader.get(f"/api/v1/replays?{query}").get_json()["replays"]
    return [deal["name"] for deal in listed]


@pytest.fixture(scope="module")
def whole() -> FlaskClient:
    return owner_of(create_app(MemoryStore()))


def test_the_library_is_searched_by_all_that_is_asked_at_once(whole: FlaskClient) -> None:
    belindas = ["belinda-as-printed", "belinda-second-reading", "belinda"]
    assert sorted(names_found(whole, "player=bELin")) == sorted(belindas)
    assert sorted(names_found(whole, "finding=revoke")) == ["findings-revoke", "findings-revoke-by-counting"]
    kodilles = names_found(whole, "contract=solo&outcome=codille")
    assert "dlu-solo-codille" in kodilles
    assert names_found(whole, "contract=solo&outcome=codille&ruleset=dlu") == ["dlu-solo-codille"]
    assert names_found(whole, "contract=solo&outcome=codille&folder=dlu") == ["dlu-solo-codille"]
    assert names_found(whole, "player=nobody") == []


def test_a_card_is_looked_for_in_the_hand_of_the_player_who_is_named(whole: FlaskClient) -> None:
    """Pope tells which king and queen fell: the Baron played the queen of spades, Belinda had spadille."""
    assert "belinda" in names_found(whole, "player=Belinda&card=SA")
    assert names_found(whole, "player=Baron&card=SA") == []
    assert "belinda" in names_found(whole, "player=Baron&card=SQ")
    refused = whole.get("/api/v1/replays?card=S9")
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["parameter"] == "card"
