"""Files of many deals, good and bad, in both forms."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import Result

from schemas.notation import written_log
from schemas.wire import lines
from schemas.wire.jsonlines import LISTED
from schemas.wire.reader import read_entry
from service.cli.commands import replay, score, validate
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, jsonl, opened

DEALS = (SLIP, OPEN, PASSED_OUT, REVOKED)
GOOD = jsonl(*DEALS)
LOGS = [tuple(read_entry(event, seq) for seq, event in enumerate(deal, 1)) for deal in DEALS]
WRITTEN = b"".join(written_log(log).encode() + b"\n" for log in LOGS)
"""The same deals in the notation."""
BAD_WRITTEN = WRITTEN + b"Deal: bad\nRules: dlu\nF laughs\n"
EVENING = b"Evening:\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
TABLE = b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"]}\n'
BROKEN_OPENING = b'{"type":"deal_opened","ruleset"\n'

MIXED = {
    "a bad line in every fourth deal": (GOOD + jsonl(SLIP).replace(b'"H"', b'"X"')) * 30,
    "more problems than are told": GOOD + (jsonl(SLIP) + b"rubbish\n") * (LISTED + 80) + GOOD,
    "tables and broken openings between": (GOOD + BROKEN_OPENING + TABLE) * 20,
    "broken off": (GOOD * 20)[:-30],
    "rubbish before the first deal": b"rubbish\n" * 300 + GOOD * 5,
    "one long deal": jsonl([opened(), *[{"type": "gap_noted", "text": "x" * 60}] * 1_500]) + GOOD,
    "UTF-16": (GOOD * 20).decode().encode("utf-16"),
    "notation: more problems than are told": WRITTEN + BAD_WRITTEN * (LISTED + 80) + WRITTEN,
    "notation: what begins and never ends": (WRITTEN + b"Deal: open\nF passes {\n" + WRITTEN + b"}\n") * 20,
    "notation: evenings between": (WRITTEN + EVENING) * 20,
    "notation: events after it": WRITTEN * 10 + GOOD * 5 + WRITTEN * 5,
    "notation: after events": GOOD * 5 + WRITTEN * 10,
}  # fmt: skip
"""Files with deals for many pieces; test_pieces.py cuts files anywhere."""


@contextmanager
def small_pieces(size: int = 700) -> Iterator[None]:
    """Pieces so small that these short files have many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", 300)
        for work in (validate.Validating, score.Scoring, replay.Replaying):
            patch.setattr(work, "piece", size)
        yield


def shown(result: Result) -> tuple[int, bytes, bytes]:
    return result.exit_code, result.stdout_bytes, result.stderr_bytes
