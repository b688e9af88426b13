"""The requests by which a hostile log is tried: which endpoints, asked by whom."""

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

import orjson

from tests.system.hostile_logs.generator import LINES, LIST, NOTATION, HostileLog

API: Final = "/api/v1"
STRANGER: Final = "stranger"
RECORDER: Final = "recorder"
BATCH: Final = 500
BODY_BYTES: Final = 1 << 20

POSTED: Final = ("validate", "score", "replay", "compare", "evidence", "odds")
"""What judges, counts or draws a log without storing it."""
HEAVY: Final = ("evidence", "odds")
"""What may take about a second."""
READ: Final = (
    *(f"{API}/deals/{{deal}}/{aspect}" for aspect in (
        "state", "legal", "score", "findings", "replay", "audit", "evidence", "odds", "state.svg",
        "events", "events.jsonl", "events.deal", "variations",
    )),
    f"{API}/deals/{{deal}}",
    f"{API}/deals/{{deal}}/replay?viewer=public",
    f"{API}/deals/{{deal}}/evidence?viewer=forehand",
    *(f"/deals/{{deal}}{page}" for page in (
        "", "/report", "/file", "/print", "/embed", "/write", "/record", "/hidden-cards",
        "/compare", "/compare/belinda",
    )),
    f"{API}/deals",
)  # fmt: skip
"""What reads a stored deal."""
DRAWN: Final = f"{API}/deals/{{deal}}/state.png"
"""What another process draws; asked seldom, for it takes long."""


class Asked(NamedTuple):
    """A request: who asks, with which method, where and with which body."""

    caller: str
    method: str
    path: str
    body: bytes = b""
    media_type: str = ""
    version: int | None = None


def requests_of(log: HostileLog, seed: int, number: int) -> Iterator[Asked]:
    """The requests that try the log of that number: a few endpoints, chosen by the seed."""
    rng = random.Random(f"requests {seed} {number}")
    caller = RECORDER if rng.random() < 0.1 else STRANGER
    for path in rng.sample(POSTED, 2 if len(log.body) > 100_000 else 3):
        body = log.body
        if path == "compare" and len(log.deals) == 1 and log.media_type != LIST:
            body = body + b"\n" + body if len(body) * 2 < BODY_BYTES else body
        # Another process would answer an anonymous caller, and its processor time would not be counted here.
        yield Asked(RECORDER if path in HEAVY else caller, "POST", f"{API}/{path}", body, log.media_type)
    if rng.random() < 0.5:
        return
    yield from _recorded(log)
    for path in rng.sample(READ, 4):
        yield Asked(RECORDER, "GET", path)
    if rng.random() < 0.02:
        yield Asked(RECORDER, "GET", DRAWN)


def _recorded(log: HostileLog) -> Iterator[Asked]:
    """The first deal of a log as a recorder sends it: its opening, and the rest in batches."""
    deal = log.deals[0]
    if log.media_type == NOTATION and len(log.deals) == 1 and len(deal) <= BATCH:
        yield Asked(RECORDER, "POST", f"{API}/deals", log.body, NOTATION)
        return
    batch: list[bytes] = []
    size = sent = 0
    for event in deal:
        line = orjson.dumps(event)
        if batch and (len(batch) == BATCH or size + len(line) > BODY_BYTES - 1000):
            yield _batch(batch, sent)
            sent += len(batch)
            batch, size = [], 0
        batch.append(line)
        size += len(line) + 1
    yield _batch(batch, sent)


def _batch(lines: list[bytes], sent: int) -> Asked:
    body = b"\n".join(lines)
    if not sent:
        return Asked(RECORDER, "POST", f"{API}/deals", body, LINES)
    return Asked(RECORDER, "POST", f"{API}/deals/{{deal}}/events", body, LINES, sent)
