"""Files of many deals, good and bad, in both forms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import Result

from engine import log_of
from schemas.notation import written_log
from schemas.wire import lines
from schemas.wire.jsonlines import LISTED
from schemas.wire.reader import read_event
from service.cli.commands import replay, score, validate
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, jsonl, opened

GOOD = jsonl(SLIP, OPEN, PASSED_OUT, REVOKED)


WRITTEN = b"".join(
    written_log(log_of(map(read_event, deal))).encode() + b"\n" for deal in (SLIP, OPEN, PASSED_OUT, REVOKED)
)
"""The same deals as GOOD, in the notation."""
BAD_WRITTEN = WRITTEN + b"Deal: bad\nRules: dlu\nF laughs\n"


MIXED = {
    "good deals": GOOD * 12,
    "a bad line in every fourth deal": (GOOD + jsonl(SLIP).replace(b'"H"', b'"X"')) * 30,
    "more problems than are told": GOOD + (jsonl(SLIP) + b"rubbish\n") * (LISTED + 80) + GOOD,
    "lists that are spread out": (b"[\n" + GOOD + b"]\n{\n" + GOOD) * 20 + b"rubbish\n" * 200 + GOOD,
    "broken off": (GOOD * 20)[:-30],
    "rubbish before the first deal": b"rubbish\n" * 300 + GOOD * 5,
    "one long deal": jsonl([opened(), *[{"type": "gap_noted", "text": "x" * 60}] * 1_500]) + GOOD,
    "UTF-16": (GOOD * 20).decode().encode("utf-16"),
    "notation": WRITTEN * 12,
    "notation: a bad deal in every five": BAD_WRITTEN * 30,
    "notation: more problems than are told": WRITTEN + BAD_WRITTEN * (LISTED + 80) + WRITTEN,
    "notation: what begins and never ends": (WRITTEN + b"Deal: open\nF passes {\n" + WRITTEN + b"}\n") * 20,
    "notation: events after it": WRITTEN * 10 + GOOD * 5 + WRITTEN * 5,
    "notation: one long deal": b"Deal: long\nRules: dlu\n" + (b"Gap {" + b"x" * 60 + b"}\n") * 500 + WRITTEN,
}  # fmt: skip


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
