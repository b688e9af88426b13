"""Rounds: a random record, a reader, two worlds, and what is asked of them; live streams, and refusals."""

import random
from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple

from service.http.service_context import queries
from service.records.live import EventCursor, Feed
from service.records.live.redacted_logs import RedactedLogCache
from tests.support.api.recording import DEAL, OPENING, TABLE
from tests.support.engine.selfplay import PACK
from tests.system.secrets.deals import PLAYERS, RULESETS, Json, cut_off, recorded_deal
from tests.system.secrets.disclosure import cards_of, exchanged, is_open, rewritten, seen
from tests.system.secrets.law import Case, hold, hold_proof, require, require_alike
from tests.system.secrets.questions import readings, writings
from tests.system.secrets.worlds import ALL, API, OTHER, OWNER, READERS, World, as_text, pair


def ask_round(seed: int, questions: int = 60) -> int:
    """One random record and reader, some questions. How many were asked; raises `Leak`."""
    rng = random.Random(f"round {seed}")
    case = some_case(rng, f"seed {seed}")
    if case is None:
        return 0
    world = case.worlds.one
    asked = [*readings(world.app, len(case.log), rng, questions), *writings(case.log, rng)]
    asked += readings(world.app, len(case.log), rng, 5)
    for question in asked:
        if rng.random() < 0.2 and question.method in ("GET", "HEAD"):
            # Others who may know more ask the same first: nothing that is kept of it may come to the reader.
            for who in (OWNER, rng.choice(list(READERS))):
                for each in case.worlds[:2]:
                    case.worlds.told(each, who, *question[1:])
        hold(case, question)
    hold_proof(case)
    hold_growth(case, rng)
    return len(asked) + 2


def some_case(rng: random.Random, name: str) -> Case | None:
    """A record cut off somewhere, one who asks, and the worlds filled for him; None where all lies open."""
    who = rng.choice(list(READERS))
    worlds = pair(rng.random() < 0.5)
    ruleset = rng.choice(RULESETS)
    logs = {deal: cut_off(recorded_deal(rng, ruleset, players=dict(PLAYERS)), rng) for deal in (DEAL, OTHER)}
    how = rng.choice(("exchanged", "rewritten"))
    twins = {deal: _twin(log, READERS[who].seats(deal, log), how, rng) for deal, log in logs.items()}
    worlds.one.fill(logs[DEAL], logs[OTHER], "Bo held SA.")
    worlds.other.fill(twins[DEAL], twins[OTHER], "They had coffee, and it rained.")
    log, seats = logs[DEAL], READERS[who].seats(DEAL, logs[DEAL])
    if is_open(log):
        return None
    unseen = frozenset(PACK) - seen(log, seats) - seen(logs[OTHER], READERS[who].seats(OTHER, logs[OTHER]))
    unseen -= set(PACK) if READERS[who].seats(OTHER, logs[OTHER]) is ALL or is_open(logs[OTHER]) else set()
    return Case(worlds, who, unseen, log, seats, f"{name}, {ruleset}, {who}, {len(log)} entries, {how}")


def _twin(log: list[Json], seats: Collection[str], how: str, rng: random.Random) -> list[Json]:
    """A record that looks the same to those who sit there; the record itself where all lies open."""
    if seats is ALL or is_open(log):
        return log
    unseen = sorted(set(PACK) - seen(log, seats))
    return exchanged(log, unseen, rng) if how == "exchanged" else rewritten(log, seats, unseen, rng)


class Way(NamedTuple):
    """How somebody follows: where, as which viewer, from where on, and how the record grows meanwhile."""

    path: str
    asked: str | None
    last_seq: int | None
    steps: list[int]
    """Its lengths, one after the other."""


def hold_growth(case: Case, rng: random.Random) -> None:
    """Holds what he is told while a record grows to the law, as long as no hand lies open. Raises `Leak`."""
    closing = (
        place for place, event in enumerate(case.log)
        if "deal_closed" in [part["type"] for part in (event, *event.get("with", ()))]
    )  # fmt: skip
    log = case.log[: next(closing, None)]
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


def _told(case: Case, world: World, log: list[Json], way: Way, rng: random.Random) -> list[bytes]:
    """All that he is sent meanwhile; the status alone where he may not follow."""
    world.fill(log[: way.steps[0]], [OPENING])
    answer = case.worlds.told(world, case.who, "HEAD", f"{API}{way.path}/live", {})
    if answer.status != 200:
        return [str(answer.status).encode()]
    with world.app.test_request_context(f"{API}{way.path}", headers=case.worlds.shown[case.who]):
        reached, at_table = queries(), way.path.startswith("/tables")
        info = reached.find_table(TABLE) if at_table else reached.find_deal(DEAL)
        subscription = reached.build_subscription(info, way.asked, with_deals=at_table)
        feed = Feed(world.store, RedactedLogCache(world.store), subscription)
    cursor = EventCursor(DEAL, min(way.last_seq, way.steps[0])) if way.last_seq else None
    messages = list(feed.start(cursor))
    for first, last in pairwise(way.steps):
        head = world.store.head()
        world.append(DEAL, log, first, last)
        messages += feed.forward(world.store.read_all(head)) if rng.random() < 0.5 else feed.catch_up()
    return messages


def hold_refusal(seed: int) -> bool:
    """Who enters an act in strict mode learns no more than its seat knows; was it refused? Raises `Leak`."""
    rng = random.Random(f"refusal {seed}")
    worlds, ruleset = pair(False), rng.choice(RULESETS)
    whole = recorded_deal(rng, ruleset, players=dict(PLAYERS))
    log = cut_off(whole, rng)
    act = _some_act(whole, log, rng)
    seats = [act["seat"]] if "seat" in act else []
    if is_open(log):
        return False
    unseen = sorted(set(PACK) - seen(log, seats) - set(cards_of(act)))
    twin = exchanged(log, unseen, rng) if rng.random() < 0.5 else rewritten(log, seats, unseen, rng)
    worlds.one.fill(log, log[:1])
    worlds.other.fill(twin, log[:1])
    path = f"{API}/deals/{DEAL}/events?mode=strict"
    sent = {"json": act, "headers": {"If-Match": f'"{len(log)}"'}}
    one, other = (worlds.told(world, OWNER, "POST", path, sent) for world in worlds[:2])
    require_alike(one, other, f"refusal seed {seed}, {ruleset}, {len(log)} entries: {as_text(act)}")
    return one.status == 422


def _some_act(whole: list[Json], log: list[Json], rng: random.Random) -> Json:
    """What comes next, or something that a seat might do wrongly."""
    acts = [event for event in whole[len(log) :] if event["type"] not in ("deal_opened", "correction_made")]
    seat = rng.choice(list(PLAYERS))
    tricks = {"forehand": 5, "middlehand": 2, "backhand": 2}
    acts = [
        *acts[:2],
        {"type": "card_played", "seat": seat, "card": rng.choice(PACK)},
        {"type": "cards_drawn", "seat": seat, "cards": rng.sample(PACK, 3)},
        {"type": "cards_discarded", "seat": seat, "cards": rng.sample(PACK, 3)},
        {"type": "cards_shown", "seat": seat, "cards": rng.sample(PACK, 2)},
        {"type": "tricks_claimed", "seat": seat, "tricks": tricks},
        {"type": "talon_turned", "card": rng.choice(PACK)},
        {"type": "hand_held", "seat": seat, "cards": rng.sample(PACK, 9)},
        {"type": "note_added", "text": "Well."},
    ]
    act = {name: value for name, value in rng.choice(acts).items() if name not in ("recorded_by", "accounts")}
    return {**act, "id": "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4eaa"}
