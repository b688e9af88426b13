"""What is found, told in the language that a request asks for."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.eventstore import EventStore
from service.http.api.openapi.languages import TELLING
from tests.support.api.asking import API, again, send
from tests.support.api.recording import DEAL, OPENING, TABLE, some_records

HERE = f"{API}/deals/{DEAL}"
SOLO = {"type": "bid_made", "seat": "forehand", "bid": "solo"}
TOO_LOW = {"type": "bid_made", "seat": "middlehand", "bid": "simple"}
ENGLISH = "says simple, which does not outbid solo."
DANISH = "melder spil, men det er ikke højere end solo."
DA = {"Accept-Language": "da"}


@pytest.fixture
def store() -> EventStore:
    return some_records([OPENING, SOLO, TOO_LOW])


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
    client: FlaskClient, aspect: str, asked: str | None, lang: str
) -> None:
    answer = client.get(f"{HERE}/{aspect}", headers={"Accept-Language": asked} if asked else {})
    assert (DANISH if lang == "da" else ENGLISH) in sentences(answer.get_json())
    assert answer.headers["Content-Language"] == lang
    assert "Accept-Language" in answer.headers["Vary"]


def test_whoever_has_one_language_does_not_have_the_other(client: FlaskClient) -> None:
    path = f"{HERE}/findings"
    answers = {lang: client.get(path, headers={"Accept-Language": lang}) for lang in ("en", "da")}
    tags = {lang: answer.headers["ETag"] for lang, answer in answers.items()}
    assert tags["en"] != tags["da"]
    for lang in tags:
        for other, first in answers.items():
            answer = again(client, path, first, **{"Accept-Language": lang})
            assert answer.status_code == (304 if lang == other else 200)
            assert answer.headers["ETag"] == tags[lang]
            assert "Accept-Language" in answer.headers["Vary"]
    told = [answer.get_json() for answer in answers.values()]
    for one in told:
        for finding in one["findings"]:
            finding.pop("message")
    assert told[0] == told[1], "all but the sentences is the same"
    state = client.get(f"{HERE}/state", headers=DA)
    assert "Content-Language" not in state.headers
    assert "Accept-Language" not in state.headers["Vary"]


def test_what_is_appended_is_judged_in_danish(client: FlaskClient) -> None:
    late = {"type": "card_played", "seat": "forehand", "card": "SA"}
    version = client.get(f"{HERE}/events").headers["ETag"]
    refused = client.post(f"{HERE}/events?mode=strict", json=late, headers={**DA, "If-Match": version})
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
    stored = client.post(f"{HERE}/events", json=late, headers={**DA, "If-Match": version})
    assert found in sentences(stored.get_json())
    assert stored.headers["Content-Language"] == "da"


def test_a_log_that_is_not_stored_and_a_deal_of_the_library(client: FlaskClient) -> None:
    report = client.post(f"{API}/validate", json=[OPENING, SOLO, TOO_LOW], headers=DA).get_json()["reports"][
        0
    ]
    assert DANISH in sentences(report)
    replayed = client.get(f"{API}/replays/findings-revoke/findings", headers=DA)
    assert "kulørsvigt" in sentences(replayed.get_json())
    assert again(client, f"{API}/replays/findings-revoke/findings", replayed).status_code == 200


def test_a_table_and_its_ledger(client: FlaskClient) -> None:
    stranger = {"type": "payment_made", "from": "Anna", "to": "Nobody", "amount": 2}
    assert send(client, f"tables/{TABLE}/events", stranger, 1).status_code == 201
    ledger = client.get(f"{API}/tables/{TABLE}/ledger", headers=DA)
    assert "Nobody sidder ikke ved bordet." in sentences(ledger.get_json())
    assert ledger.headers["Content-Language"] == "da"
    assert {"Accept", "Accept-Language"} <= set(ledger.headers["Vary"].split(", "))


def test_a_pile_is_told_in_the_language_that_its_body_names(client: FlaskClient) -> None:
    row = {"contract": "solo", "trump": "h", "declarer": "Bo", "outcome": "5", "dealer": "Anna"}
    for lang, found in (("en", "By the record Anna deals"), ("da", "Skrevet ned: Anna giver")):
        answer = client.post(f"{API}/tables/{TABLE}/pile/reading", json={"rows": [row, row], "lang": lang})
        assert found in sentences(answer.get_json()["rows"][1])


def test_the_contract_says_where_findings_are_told(client: FlaskClient) -> None:
    contract = client.get(f"{API}/openapi.json").get_json()
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
