"""Whatever is sent: the answer is one that the contract knows, and never a fault of the program.

pytest tries a few requests at each operation, the same each time; `python -m tests.contract.api.test_fuzz
--examples 300` so many, others each time.
"""

import argparse
import os
import sys
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from schemas.rulesets.ruleset_json import read_ruleset
from service.app import create_app
from service.auth.grants import GrantTerms
from service.config.settings import Settings
from service.eventstore import MemoryStore
from tests.support.api.clients import token_for
from tests.support.api.club_rules import CLUB
from tests.support.api.recording import BELINDA, DEAL, TABLE, some_records
from tests.support.effort import examples

TOLD = os.environ.get("SPADILLE_FUZZ_EXAMPLES")
EXAMPLES = int(TOLD or examples(12, 2))
THERE = {"deal": DEAL, "table": TABLE, "name": BELINDA, "ruleset": "our-club"}
CONFIG = schemathesis.Config.from_dict(
    {
        # What is asked for is there, so that more is tried than how nothing is answered.
        "parameters": {f"path.{name}": named for name, named in THERE.items()},
        "phases": {"coverage": {"enabled": False}},
        "generation": {"mode": "all", "deterministic": TOLD is None, "no-shrink": True, "database": "none"},
        "checks": {
            "negative_data_rejection": {"expected-statuses": [400, 404, 409, 412, 413, 415, 422, 428]},
            "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 401, 404, 409, 412, 422, 428]},
        },
    }
)
TEXTS = ("application/jsonl", "text/vnd.spadille.deal")


@schemathesis.serializer(*TEXTS)
def as_text(_: schemathesis.SerializationContext, value: Any) -> Any:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else str(value).encode()


@pytest.fixture(scope="module")
def filled_store() -> MemoryStore:
    return some_records()


@pytest.fixture(scope="module")
def app(filled_store: MemoryStore) -> Flask:
    # So much is asked by one client that it would be told to wait.
    app = create_app(filled_store, settings=Settings(rate=1e6, burst=1_000_000))
    app.extensions["spadille"].club_rules.publish_revision(read_ruleset({"id": "our-club", **CLUB}))
    return app


@pytest.fixture(scope="module")
def owner(app: Flask) -> dict[str, str]:
    return {"Authorization": f"Bearer {token_for(app, GrantTerms('owner'))}"}


@pytest.fixture(scope="module")
def contract(app: Flask) -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=CONFIG)


DECLARED = [
    content_type_conformance, response_headers_conformance, response_schema_conformance,
    status_code_conformance,
]  # fmt: skip

# Called as an application nothing unpacks what is compressed (tests/js/test_first_load.py does).
PLAIN = {"Accept-Encoding": "identity"}


def request_cases(operation: Any) -> st.SearchStrategy[schemathesis.Case]:
    """Requests as the contract allows them, and, where any can break it, as it does not."""
    modes = [GenerationMode.POSITIVE]
    if operation.body or operation.query or operation.headers:
        modes.append(GenerationMode.NEGATIVE)
    return st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_every_operation_keeps_the_contract(
    contract: Any, filled_store: MemoryStore, owner: dict[str, str], method: str
) -> None:
    def answered(case: schemathesis.Case) -> None:
        if len(str(dict(case.headers or {}).get("If-Match", ""))) % 3:
            stream = DEAL if "deal" in (case.path_parameters or {}) else TABLE
            case.headers["If-Match"] = f'"{filled_store.stream_version(stream)}"'
        case.call_and_validate(excluded_checks=left_out(case), headers=owner | PLAIN)

    for path, operations in contract.items():
        # Live streams do not end; they have tests of their own (test_feeds).
        if any(method == one.lower() for one in operations) and not path.endswith("/live"):
            check = given(request_cases(operations[method]))(answered)
            settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))(check)()


SOMETIMES = ("Link", "Spadille-Position")
"""Headers that are told where there is a next page, or a standby of the store."""


def test_an_evening_is_recorded_by_the_contract_and_its_examples_alone() -> None:
    app = create_app(MemoryStore())
    contract: Any = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=CONFIG)
    operations = {
        operation["operationId"]: (path, method, operation)
        for path, address in contract.raw_schema["paths"].items()
        for method, operation in address.items()
        if method != "parameters"
    }
    secret = {"Authorization": f"Bearer {token_for(app, GrantTerms('owner'))}"}

    def ask(name: str, status: int, body: Any = None, tag: str = "", **named: str) -> Any:
        """The answer to an operation, which the contract declares with that status."""
        path, method, operation = operations[name]
        if body == "example":
            body = operation["requestBody"]["content"]["application/json"]["example"]
        more: Any = {"body": body, "media_type": "application/json"} if body is not None else {}
        sent = {"If-Match": tag} if tag else {}
        case = contract[path][method].Case(path_parameters=named, headers=sent, **more)
        answer = case.call_and_validate(checks=DECLARED, headers=secret | PLAIN)
        assert answer.status_code == status, answer.text
        assert str(status) in operation["responses"], f"{name}: only `default` declares {status}"
        told = set(operation["responses"][str(status)].get("headers", {})) - set(SOMETIMES)
        assert {one.lower() for one in told} <= set(answer.headers), name
        return answer

    opened = ask("deals_record_deal", 201, "example")
    deal, tag = opened.json()["deal"], opened.headers["etag"][0]
    for status in (201, 412):
        ask("deals_append_events", status, "example", tag, deal=deal)
    assert ask("deals_score", 200, deal=deal).json()["items"] is not None
    rules = ask("rulesets_publish_ruleset", 201, "example", ruleset="our-club").json()["id"]
    players = {"ruleset": rules, "players": ["Anna", "Bo", "Carl"]}
    table = ask("tables_record_table", 201, players)
    named, tag = table.json()["table"], table.headers["etag"][0]
    started = ask("tables_record_start", 201, "example", tag, table=named)
    result = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    deal, tag = started.json()["deal"], started.headers["etag"][0]
    ask("deals_append_events", 201, result, tag, deal=deal)
    assert ask("tables_show_ledger", 200, table=named).json()["totals"]["Anna"] == 8
    assert ask("files_export_everything", 200).text.count("\n") == 8
    secret.clear()
    ask("tables_show_table", 401, table=named)
    ask("members_list_members", 401)


def left_out(case: schemathesis.Case) -> list[schemathesis.CheckFunction]:
    found: list[schemathesis.CheckFunction] = []
    # Of a log that is only judged, what can be read is answered, whatever else is in it.
    if case.operation.path.removeprefix("/api/v1/") in ("validate", "score", "replay", "evidence", "odds"):
        found.append(negative_data_rejection)
    if case.media_type in TEXTS:
        # The contract does not say which texts are logs.
        found += [negative_data_rejection, positive_data_acceptance]
    return found


def main() -> int:
    """Tries many requests at each operation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--examples", type=int, default=300, help="how many at each operation")
    os.environ["SPADILLE_FUZZ_EXAMPLES"] = str(parser.parse_args().examples)
    return pytest.main(["-q", "-p", "no:cacheprovider", __file__])


if __name__ == "__main__":
    sys.exit(main())
