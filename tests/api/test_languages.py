"""What is found, told in the language that a request asks for."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.languages import TELLING
from service.app import create_app
from service.store import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table

API = "/api/v1"
HERE = f"{API}/deals/{DEAL}"
SOLO = {"type": "bid_made", "seat": "forehand", "bid": "solo"}
TOO_LOW = {"type": "bid_made", "seat": "middlehand", "bid": "simple"}
ENGLISH = "says simple, which does not outbid solo."
DANISH = "melder spil, men det er ikke højere end solo."
DA = {"Accept-Language": "da"}


@pytest.fixture
def app() -> Flask:
    store = MemoryStore()
    recorded_deal(store, [OPENING, SOLO, TOO_LOW])
    recorded_table(store)
    return create_app(store)


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    return owner_of(app)


def sentences(told: dict[str, Any]) -> str:
    return " ".join(one["message"] for one in told["findings"])


@pytest.mark.parametrize(
    ("asked", "lang"),
    [
        (None, "en"),
        ("*", "en"),
        ("de", "en"),
        ("en,da;q=0.5", "en"),
        ("da", "da"),
        ("da-DK,da;q=0.9,en;q=0.8", "da"),
        ("de, da;q=0.5", "da"),
    ],
)
@pytest.mark.parametrize("aspect", ["findings", "replay", "audit"])
def test_danish_where_it_is_preferred_else_english(
    owner: FlaskClient, aspect: str, asked: str | None, lang: str
) -> None:
    answer = owner.get(f"{HERE}/{aspect}", headers={"Accept-Language": asked} if asked else {})
    assert (DANISH if lang == "da" else ENGLISH) in sentences(answer.get_json())
    assert answer.headers["Content-Language"] == lang
    assert "Accept-Language" in answer.headers["Vary"]


def test_whoever_has_one_language_does_not_have_the_other(owner: FlaskClient) -> None:
    tags = {lang: asked_for(owner, lang).headers["ETag"] for lang in ("en", "da")}
    assert tags["en"] != tags["da"]
    for lang in tags:
        for other, tag in tags.items():
            answer = asked_for(owner, lang, **{"If-None-Match": tag})
            assert answer.status_code == (304 if lang == other else 200)
            assert answer.headers["ETag"] == tags[lang]
            assert "Accept-Language" in answer.headers["Vary"]


def asked_for(client: FlaskClient, lang: str, **headers: str) -> TestResponse:
    return client.get(f"{HERE}/findings", headers={"Accept-Language": lang, **headers})


def test_all_but_the_sentences_is_the_same(owner: FlaskClient) -> None:
    told = {lang: asked_for(owner, lang).get_json() for lang in ("en", "da")}
    for one in told.values():
        for finding in one["findings"]:
            finding.pop("message")
    assert told["en"] == told["da"]
    state = owner.get(f"{HERE}/state", headers=DA)
    assert "Content-Language" not in state.headers
    assert "Accept-Language" not in state.headers["Vary"]


def test_what_is_appended_is_judged_in_danish(owner: FlaskClient) -> None:
    late = {"type": "card_played", "seat": "forehand", "card": "SA"}
    version = owner.get(f"{HERE}/events").headers["ETag"]
    refused = owner.post(f"{HERE}/events?mode=strict", json=late, headers={**DA, "If-Match": version})
    problem = refused.get_json()
    found = "spiller SA, men meldingerne er ikke slut."
    assert refused.status_code == 422
    assert problem["detail"].endswith(
        "(regel »5. Spillet«). Intet er gemt. "
        "Skriv det rigtige, eller send det med mode=as_played, hvis det virkelig skete."
    )
    assert found in sentences(problem)
    assert found in problem["errors"][0]["detail"]
    assert refused.headers["Content-Language"] == "da"
    stored = owner.post(f"{HERE}/events", json=late, headers={**DA, "If-Match": version})
    assert found in sentences(stored.get_json())
    assert stored.headers["Content-Language"] == "da"


def test_a_log_that_is_not_stored_and_a_deal_of_the_library(owner: FlaskClient) -> None:
    report = owner.post(f"{API}/validate", json=[OPENING, SOLO, TOO_LOW], headers=DA).get_json()["reports"][0]
    assert DANISH in sentences(report)
    replayed = owner.get(f"{API}/replays/findings-revoke/findings", headers=DA)
    assert "kulørsvigt" in sentences(replayed.get_json())
    english = owner.get(
        f"{API}/replays/findings-revoke/findings", headers={"If-None-Match": replayed.headers["ETag"]}
    )
    assert english.status_code == 200


def test_a_table_and_its_ledger(owner: FlaskClient) -> None:
    stranger = {"type": "payment_made", "from": "Anna", "to": "Nobody", "amount": 2}
    version = owner.get(f"{API}/tables/{TABLE}/events").headers["ETag"]
    stored = owner.post(f"{API}/tables/{TABLE}/events", json=stranger, headers={"If-Match": version})
    assert stored.status_code == 201
    ledger = owner.get(f"{API}/tables/{TABLE}/ledger", headers=DA)
    assert "Nobody sidder ikke ved bordet." in sentences(ledger.get_json())
    assert ledger.headers["Content-Language"] == "da"
    assert {"Accept", "Accept-Language"} <= set(ledger.headers["Vary"].split(", "))


def test_a_pile_is_told_in_the_language_that_its_body_names(owner: FlaskClient) -> None:
    row = {"contract": "solo", "trump": "h", "declarer": "Bo", "outcome": "5", "dealer": "Anna"}
    for lang, found in (("en", "By the record Anna deals"), ("da", "Skrevet ned: Anna giver")):
        answer = owner.post(f"{API}/tables/{TABLE}/pile/reading", json={"rows": [row, row], "lang": lang})
        assert found in sentences(answer.get_json()["rows"][1])


def test_the_contract_says_where_findings_are_told(owner: FlaskClient) -> None:
    contract = owner.get(f"{API}/openapi.json").get_json()
    schemas = contract["components"]["schemas"]

    def holds(part: Any, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a schema holds findings."""
        if isinstance(part, list):
            return any(holds(one, seen) for one in part)
        if not isinstance(part, dict):
            return False
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name in schemas and name not in seen and holds(schemas[name], seen | {name}):
            return True
        return {"code", "severity", "evidence"} <= set(part.get("properties", ())) or holds(
            list(part.values()), seen
        )

    found, said = set(), set()
    for methods in contract["paths"].values():
        for operation in methods.values():
            if not isinstance(operation, dict):
                continue
            answers = [one for status, one in operation["responses"].items() if status in ("200", "201")]
            if any(holds(answer.get("content")) for answer in answers):
                found.add(operation["operationId"])
            if any("Content-Language" in answer.get("headers", {}) for answer in answers):
                said.add(operation["operationId"])
    assert said == TELLING
    assert found - {"piles_read_rows"} == TELLING, "a pile is told in the language that its body names"
