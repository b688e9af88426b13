"""The library and the rulesets over HTTP."""

import orjson
import pytest
from flask.testing import FlaskClient

import replays
from engine.rulesets import PUBLISHED
from replays import Replay
from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.asking import API, parameters, problem, told
from tests.support.api.clients import owner_of
from tests.support.api.recording import some_deal

LOG = b"".join(orjson.dumps(event) + b"\n" for event in some_deal())


@pytest.fixture(scope="module")
def reader() -> FlaskClient:
    return owner_of(create_app(MemoryStore(), library=[Replay("random", LOG)]))


def test_the_library_is_the_package_s_unless_told_otherwise() -> None:
    listed = owner_of(create_app(MemoryStore())).get(f"{API}/replays").get_json()["replays"]
    assert [deal["name"] for deal in listed] == [deal.name for deal in replays.library()]
    assert listed


def test_every_link_of_a_replay_leads_somewhere(reader: FlaskClient) -> None:
    (deal,) = reader.get(f"{API}/replays").get_json()["replays"]
    assert reader.get(f"{API}/replays/random").get_json() == deal
    assert deal["outcome"] is not None
    for name, link in deal["links"].items():
        assert reader.get(link).status_code == 200, name


def test_a_replay_s_log_comes_in_pages_and_in_lines(reader: FlaskClient) -> None:
    page = told(reader, "replays/random/events?limit=5")
    assert [event["seq"] for event in page["events"]] == [1, 2, 3, 4, 5]
    rest = reader.get(page["next"]).get_json()
    assert rest["events"][0]["seq"] == 6
    lines = reader.get(f"{API}/replays/random/events.jsonl").data.splitlines()
    assert [orjson.loads(line)["seq"] for line in lines] == list(range(1, len(some_deal()) + 1))
    jsonl = {"Accept": "application/jsonl"}
    some = reader.get(f"{API}/replays/random/events?after=2&limit=3", headers=jsonl)
    assert some.data.splitlines() == lines[2:5]
    assert some.headers["Link"] == '</api/v1/replays/random/events?after=5&limit=3>; rel="next"'
    assert told(reader, "replays/random/events?after=9999")["events"] == []


def test_a_replay_is_asked_at_any_point(reader: FlaskClient) -> None:
    assert reader.get(f"{API}/replays/random/state?at=1").get_json()["phase"] == "dealing"
    assert reader.get(f"{API}/replays/random/state?at=9999").status_code == 404
    assert reader.get(f"{API}/replays/random/legal?known=4").get_json()["action"] == "bid"


@pytest.mark.parametrize("path", ["", "/events", "/events.jsonl", "/replay"])
def test_a_replay_that_is_not_there_is_told(reader: FlaskClient, path: str) -> None:
    assert problem(reader.get(f"{API}/replays/nobody{path}")) == (404, "unknown-replay")


def test_every_published_ruleset_is_shown_whole(reader: FlaskClient) -> None:
    listed = reader.get(f"{API}/rulesets").get_json()["rulesets"]
    assert {ruleset["id"] for ruleset in listed} == {rules.ruleset.id for rules in PUBLISHED}
    for rules in PUBLISHED:
        ruleset = rules.ruleset
        shown = reader.get(f"{API}/rulesets/{ruleset.id}?revision={ruleset.revision}").get_json()
        assert [bid["id"] for bid in shown["bids"]] == [bid.id for bid in ruleset.bids]
        assert len(shown["clauses"]) == len(ruleset.clauses)
        assert {clause["ours"] for clause in shown["clauses"]} <= {True, False}
        assert all(clause["source"] for clause in shown["clauses"])
        assert shown["policies"]["auction"] == ruleset.auction


@pytest.mark.parametrize("path", ["nobody", "dlu?revision=99"])
def test_a_ruleset_that_is_not_there_is_told(reader: FlaskClient, path: str) -> None:
    answer = reader.get(f"{API}/rulesets/{path}")
    assert problem(answer) == (404, "unknown-ruleset")
    assert "dlu" in answer.get_json()["detail"]


def names_found(reader: FlaskClient, query: str) -> list[str]:
    return [deal["name"] for deal in told(reader, f"replays?{query}")["replays"]]


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
    assert parameters(whole.get(f"{API}/replays?card=S9")) == ["card"]
