"""The same law for who follows a record while it grows: message by message, in either world."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any, NamedTuple

from service.http.context import queries
from service.records.live import Cursor, Feed
from service.records.live.cuts import CutLogs
from tests.secrets.knowing import exchanged, seen
from tests.secrets.law import Case, require
from tests.secrets.worlds import API, READERS, World
from tests.support.api.recording import DEAL, OPENING, TABLE
from tests.support.engine.selfplay import PACK

Json = dict[str, Any]


class Way(NamedTuple):
    """How somebody follows: where, as which viewer, from where on, and how the record grows meanwhile."""

    path: str
    asked: str | None
    last_seq: int | None
    steps: list[int]
    """Its lengths, one after the other."""


def hold_growth(case: Case, rng: random.Random) -> None:
    """Holds what he is told while a record grows to the law, as long as no hand lies open. Raises `Leak`."""
    log = case.log[: next((n for n, event in enumerate(case.log) if _may_open(event)), None)]
    seats = READERS[case.who].seats
    shown = (seen(log[:length], seats(DEAL, log[:length])) for length in range(1, len(log) + 1))
    twin = exchanged(log, sorted(set(PACK).difference(*shown)), rng)
    path, last_seq = rng.choice(((f"/deals/{DEAL}", None), (f"/tables/{TABLE}", None), (f"/deals/{DEAL}", 2)))
    steps = sorted([*rng.sample(range(1, len(log) + 1), min(len(log), 8)), len(log)])
    way = Way(path, rng.choice((None, None, "public")), last_seq, steps)
    state = rng.getstate()
    told = []
    for world, events in zip(case.worlds[:2], (log, twin), strict=True):
        rng.setstate(state)
        told.append(_told(case, world, events, way, rng))
    for number, (one, other) in enumerate(zip(*told, strict=True)):
        require(one == other, f"{case.name}: live, {way}", f"message {number}: {one!r} and {other!r}")


def _may_open(event: Json) -> bool:
    return any(part["type"] == "deal_closed" for part in (event, *event.get("with", ())))


def _told(case: Case, world: World, log: list[Json], way: Way, rng: random.Random) -> list[bytes]:
    """All that he is sent meanwhile; the status alone where he may not follow."""
    world.fill(log[: way.steps[0]], [OPENING])
    answer = case.worlds.told(world, case.who, "HEAD", f"{API}{way.path}/live", {})
    if answer.status != 200:
        return [str(answer.status).encode()]
    with world.app.test_request_context(f"{API}{way.path}", headers=case.worlds.shown[case.who]):
        reached, at_table = queries(), way.path.startswith("/tables")
        info = reached.table(TABLE) if at_table else reached.deal(DEAL)
        feed = Feed(
            world.store,
            CutLogs(world.store),
            reached.following(info, way.asked, with_deals=at_table),
        )
    cursor = Cursor(DEAL, min(way.last_seq, way.steps[0])) if way.last_seq else None
    messages = list(feed.begin(cursor))
    for first, last in pairwise(way.steps):
        head = world.store.head()
        world.append(DEAL, log, first, last)
        messages += feed.go_on(world.store.follow(head)) if rng.random() < 0.5 else feed.catch_up()
    return messages
