"""Whatever is sent: the answer is one that the contract knows, and never a fault of the program.

pytest tries a few requests at each operation, the same each time; `python -m tests.api.test_fuzz
--examples 300` so many, others each time.
"""

import argparse
import os
import sys
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from schemas.rulesets import read_ruleset
from service.app import create_app
from service.identity.grants import Terms
from service.settings import Settings
from service.store import MemoryStore
from tests.api.clients import token_for
from tests.api.recording import BELINDA, DEAL, TABLE, recorded_deal, recorded_table
from tests.api.test_club_rules import CLUB

TOLD = os.environ.get("SPADILLE_FUZZ_EXAMPLES")
EXAMPLES = int(TOLD or 12)
CONFIG = schemathesis.Config.from_dict(
    {
        # What is asked for is there, so that more is tried than how nothing is answered.
        "parameters": {
            "path.deal": DEAL,
            "path.table": TABLE,
            "path.name": BELINDA,
            "path.ruleset": "our-club",
        },
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
    """Texts are sent as they are."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else str(value).encode()


STORE = MemoryStore()
recorded_deal(STORE)
recorded_table(STORE)
# So much is asked by one client that he would be told to wait.
APP = create_app(STORE, settings=Settings(rate=1e6, burst=1_000_000))
APP.extensions["spadille"].club_rules.keep(read_ruleset({"id": "our-club", **CLUB}))
OWNER = {"Authorization": f"Bearer {token_for(APP, Terms('owner'))}"}
CONTRACT = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", APP, config=CONFIG)
# Called as an application nothing unpacks what is compressed (tests/web/test_light.py does).
PLAIN = {"Accept-Encoding": "identity"}
# Live streams do not end; they have tests of their own (test_live).
ENDING = CONTRACT.exclude(path_regex="/live$")


@ENDING.parametrize()
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
def test_every_operation_keeps_the_contract(case: schemathesis.Case) -> None:
    tag = str(dict(case.headers or {}).get("If-Match", ""))
    if len(tag) % 3:
        stream = DEAL if "deal" in (case.path_parameters or {}) else TABLE
        case.headers["If-Match"] = f'"{STORE.version(stream)}"'
    # Of a log that is only judged, what can be read is answered, whatever else is in it.
    left_out: list[schemathesis.CheckFunction] = []
    judged = ("validate", "score", "replay", "evidence", "likely")
    if case.operation.path in {f"/api/v1/{name}" for name in judged}:
        left_out.append(negative_data_rejection)
    if case.media_type in TEXTS:
        # The contract does not say which texts are logs.
        left_out += [negative_data_rejection, positive_data_acceptance]
    case.call_and_validate(excluded_checks=left_out, headers=OWNER | PLAIN)


def main() -> int:
    """Tries many requests at each operation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--examples", type=int, default=300, help="how many at each operation")
    os.environ["SPADILLE_FUZZ_EXAMPLES"] = str(parser.parse_args().examples)
    return pytest.main(["-q", "-p", "no:cacheprovider", __file__])


if __name__ == "__main__":
    sys.exit(main())
