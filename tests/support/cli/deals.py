"""Deals by hand for the tests of the command line, and ways to run it."""

import json
import random
from collections.abc import Iterable
from typing import Any

from click.testing import CliRunner, Result

from service.cli import main
from tests.properties.slow.generator import random_deal
from tests.support.engine.shorthand import PLAYERS, bids, cards_shown, dealt, names, plays, slip

Json = dict[str, Any]


def opening(**fields: Any) -> Json:
    return {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS, **fields}


SLIP: list[Json] = [opening(), slip("M", "solo", "3-4-2", trump="H")]
PASSED_OUT = [opening(title="Nobody plays"), *bids("F pass, M pass, B pass")]
SHOWN = "S2 S3 S4 H5 H6 H7 C2 C3 D7"
OPEN: list[Json] = [
    opening(title="Open cards"), dealt("M", SHOWN),
    *bids("F simple, M nolo-ouvert, F pass, B pass"), *names("M", "nolo-ouvert"),
    *plays("F-CA"), cards_shown("M", SHOWN), *plays("M-C2 B-SK"),
]  # fmt: skip
"""A nolo ouvert lost by its first trick, of which one hand is known."""

REVOKED: list[Json] = [*OPEN[:9], *plays("M-H7")]
"""The same with a revoke at entry 10."""


def jsonl(*deals: list[Json]) -> bytes:
    return b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for one in deals for event in one)


def whole_deal(seed: int, **wanted: Any) -> list[Json]:
    """A random legal deal, always the same for the same seed."""
    return random_deal(random.Random(seed), **wanted)


def run(*arguments: str, given: bytes = b"", **environment: str) -> Result:
    """Runs `spadille` with these arguments, and ``given`` as standard input."""
    quiet = {"LC_ALL": "C.UTF-8", "COLUMNS": "80", "NO_COLOR": None}
    return CliRunner().invoke(main, arguments, input=given, env={**quiet, **environment})


def text_of(*arguments: str, given: bytes = b"", **environment: str) -> str:
    """What a command that ran to its end prints, in one line."""
    result = run(*arguments, given=given, **environment)
    assert result.exit_code in (0, 1), result.output
    return " ".join(result.stdout.split())


def refusal(*arguments: str, given: bytes = b"", **environment: str) -> str:
    """Why a command did nothing of what it was asked, in one line."""
    result = run(*arguments, given=given, **environment)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    return " ".join(result.stderr.split())


def lacking(text: str, sentences: Iterable[str]) -> list[str]:
    return [sentence for sentence in sentences if sentence not in text]


def answers(result: Result) -> list[Any]:
    """What was written for programs."""
    return [json.loads(line) for line in result.stdout.splitlines()]
