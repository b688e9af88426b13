"""Files of many deals, good and bad, in both forms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import Result

from engine import Log
from schemas.notation import written_log
from schemas.wire import lines
from schemas.wire.jsonlines import LISTED
from schemas.wire.reader import read_entry
from service.cli.commands import replay, score, validate
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, Json, jsonl, opened


def read_entries(deal: list[Json]) -> Log:
    """A deal's events as a log."""
    return tuple(read_entry(event, seq) for seq, event in enumerate(deal, 1))


GOOD = jsonl(SLIP, OPEN, PASSED_OUT, REVOKED)


TABLE = b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"]}\n'


ESCAPED = jsonl(SLIP).replace(b"deal_opened", b"deal\\u005fopened")


WRITTEN = b"".join(
    written_log(read_entries(deal)).encode() + b"\n" for deal in (SLIP, OPEN, PASSED_OUT, REVOKED)
)
"""The same deals as GOOD, in the notation."""


BAD_WRITTEN = WRITTEN + b"Deal: bad\nRules: dlu\nF laughs\n"


EVENING = b"Evening:\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"


BROKEN_OPENING = b'{"type":"deal_opened","ruleset"\n'


MIXED = {
    "good deals": GOOD * 12,
    "a bad line in every fourth deal": (GOOD + jsonl(SLIP).replace(b'"H"', b'"X"')) * 30,
    "more problems than are told": GOOD + (jsonl(SLIP) + b"rubbish\n") * (LISTED + 80) + GOOD,
    "lists that are spread out": (b"[\n" + GOOD + b"]\n{\n" + GOOD) * 20 + b"rubbish\n" * 200 + GOOD,
    "openings that do not look like it": (GOOD + ESCAPED + BROKEN_OPENING + TABLE) * 20,
    "broken off": (GOOD * 20)[:-30],
    "no line end": (GOOD * 20)[:-1],
    "joined with their marks": (b"\xef\xbb\xbf" + GOOD) * 20,
    "nothing before the first deal": b"\n\n" * 300 + GOOD * 5,
    "rubbish before the first deal": b"rubbish\n" * 300 + GOOD * 5,
    "one long deal": jsonl([opened(), *[{"type": "gap_noted", "text": "x" * 60}] * 1_500]) + GOOD,
    "UTF-16": (GOOD * 20).decode().encode("utf-16"),
    "notation": WRITTEN * 12,
    "notation: a bad deal in every five": BAD_WRITTEN * 30,
    "notation: more problems than are told": WRITTEN + BAD_WRITTEN * (LISTED + 80) + WRITTEN,
    "notation: what begins and never ends": (WRITTEN + b"Deal: open\nF passes {\n" + WRITTEN + b"}\n") * 20,
    "notation: broken off": (WRITTEN * 20)[:-30],
    "notation: evenings between": (WRITTEN + EVENING) * 20,
    "notation: joined with their marks": (b"\xef\xbb\xbf" + WRITTEN) * 20,
    "notation: nothing before the first deal": b"\n\n" * 300 + WRITTEN * 5,
    "notation: events after it": WRITTEN * 10 + GOOD * 5 + WRITTEN * 5,
    "notation: after events": GOOD * 5 + WRITTEN * 10,
    "notation: one long deal": b"Deal: long\nRules: dlu\n" + (b"Gap {" + b"x" * 60 + b"}\n") * 500 + WRITTEN,
    "notation: UTF-16": (WRITTEN * 20).decode().encode("utf-16"),
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
