"""What is found, told in the language that a request asks for."""

from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from service.eventstore import EventStore
from service.http.api.openapi.languages import LOCALIZED_OPERATIONS
from tests.support.api.asking import API, again, send
from tests.support.api.contract import components, contract
from tests.support.api.recording import DEAL, OPENING, TABLE, some_records

HERE = f"{API}/deals/{DEAL}"
SOLO = {"type": "bid_made", "seat": "forehand", "bid": "solo"}
TOO_LOW = {"type": "bid_made", "seat": "middlehand", "bid": "simple"}
ENGLISH = "says simple game, which does not outbid solo."
DANISH = "melder spil, men det er ikke højere end solo."
DA = {"Accept-Language": "da"}


@pytest.fixture
def store() -> EventStore:
    return some_records([OPENING, SOLO, TOO_LOW])


def sentences(told: dict[str, Any]) -> str:
    return " ".join(one["message"] for one in (*told.get("faults", ()), *told.get("findings", ())))


def test_danish_where_it_is_preferred_else_english(client: FlaskClient) -> None:
    asked = [
        (None, "en"), ("*", "en"), ("de", "en"), ("en,da;q=0.5", "en"), ("da", "da"),
        ("da-DK,da;q=0.9,en;q=0.8", "da"), ("de, da;q=0.5", "da"),
    ]  # fmt: skip
    stranger = {"type": "payment_made", "from": "Anna", "to": "Nobody", "amount": 2}
    assert send(client, f"tables/{TABLE}/events", stranger, 1).status_code == 201
    at_table = ("Nobody does not sit at", "Nobody sidder ikke ved bordet.")
    found = {f"{HERE}/{aspect}": (ENGLISH, DANISH) for aspect in ("findings", "replay", "audit")}
    found |= {f"{API}/tables/{TABLE}/{aspect}": at_table for aspect in ("ledger", "audit")}
    found[f"{API}/replays/findings-revoke/findings"] = ("revoke", "kulørsvigt")
    for path, said in found.items():
        for accepted, lang in asked if path.endswith("/findings") else (("en", "en"), ("da", "da")):
            answer = client.get(path, headers={"Accept-Language": accepted} if accepted else {})
            assert said[lang == "da"] in sentences(answer.get_json()), (path, accepted)
            assert answer.headers["Content-Language"] == lang
            assert "Accept-Language" in answer.headers["Vary"].split(", ")
    row = {"contract": "solo", "trump": "h", "declarer": "Bo", "outcome": "5", "dealer": "Anna"}
    for lang, doubt in (("en", "By the record Anna deals"), ("da", "Skrevet ned: Anna giver")):
        sent = {"rows": [row, row], "lang": lang}
        answer = client.post(f"{API}/tables/{TABLE}/slip-batches:read", json=sent)
        assert doubt in sentences(answer.get_json()["rows"][1]), "the body names its language"


def test_a_client_that_has_one_language_does_not_have_the_other(client: FlaskClient) -> None:
    path = f"{HERE}/findings"
    answers = {lang: client.get(path, headers={"Accept-Language": lang}) for lang in ("en", "da")}
    for lang in answers:
        for other, first in answers.items():
            answer = again(client, path, first, **{"Accept-Language": lang})
            assert answer.status_code == (304 if lang == other else 200)
            assert answer.headers["ETag"] == answers[lang].headers["ETag"]
    told = [answer.get_json() for answer in answers.values()]
    for one in told:
        for finding in one["findings"]:
            finding.pop("message")
    assert told[0] == told[1], "all but the sentences is the same"
    state = client.get(f"{HERE}/state", headers=DA)
    assert "Content-Language" not in state.headers
    assert "Accept-Language" not in state.headers["Vary"]


def test_what_is_sent_is_judged_in_danish(client: FlaskClient) -> None:
    late = {"type": "card_played", "seat": "forehand", "card": "SA"}
    version = client.get(f"{HERE}/events").headers["ETag"]
    refused = client.post(f"{HERE}/events?mode=strict", json=late, headers={**DA, "If-Match": version})
    problem = refused.get_json()
    found = "spiller SA, men meldingerne er ikke slut."
    what_to_do = "Skriv det rigtige, eller send det med mode=as_played, hvis det virkelig skete."
    assert problem["detail"].endswith(f"(regel »5. Spillet«). Intet er gemt. {what_to_do}")
    assert refused.status_code == 422
    assert found in sentences(problem) and found in problem["errors"][0]["detail"]
    assert refused.headers["Content-Language"] == "da"
    stored = client.post(f"{HERE}/events", json=late, headers={**DA, "If-Match": version})
    assert found in sentences(stored.get_json())
    assert stored.headers["Content-Language"] == "da"
    judged = client.post(f"{API}/validate", json=[OPENING, SOLO, TOO_LOW], headers=DA)
    assert DANISH in sentences(judged.get_json()["reports"][0])


def test_the_contract_says_where_findings_and_payments_are_told() -> None:
    schemas, told = components("schemas"), ({"code", "severity", "evidence"}, {"label", "each", "rule"})
    texts = {name: orjson.dumps(held).decode() for name, held in schemas.items()}
    findings = {
        name
        for name, held in schemas.items()
        for members in told
        if members <= set(held.get("properties", ()))
    }

    def holds_one(text: str) -> bool:
        return any(f'schemas/{one}"' in text for one in findings)

    while more := {name for name, text in texts.items() if name not in findings and holds_one(text)}:
        findings |= more
    found, said = set(), set()
    for methods in contract()["paths"].values():
        for operation in [one for one in methods.values() if isinstance(one, dict)]:
            answers = [one for status, one in operation["responses"].items() if status in ("200", "201")]
            text = str([answer.get("content") for answer in answers])
            if any(f"schemas/{one}'" in text for one in findings):
                found.add(operation["operationId"])
            if any("Content-Language" in answer.get("headers", {}) for answer in answers):
                said.add(operation["operationId"])
    assert said == LOCALIZED_OPERATIONS
    lists = {"deals_list_deals", "deals_show_deal", "deals_list_variations", "replays_list_variations"}
    assert found - {"slip_batches_read"} - lists == LOCALIZED_OPERATIONS, "its body names the language"
