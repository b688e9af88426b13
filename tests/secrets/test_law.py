"""Over random records, rulesets, readers and addresses: no hidden card is told, or follows from any byte.

`python -m tests.secrets` tries many more.
"""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Iterator

import pytest

from engine import EVERYTHING
from engine.core.events import CardsDiscarded, HandDealt, NoteAdded
from service.application import queries
from service.http.api import event_pages
from service.projections.summaries import Summaries
from service.records import strict_mode
from service.records.live import cuts
from tests.secrets.deals import PLAYERS, recorded_deal
from tests.secrets.knowing import exchanged
from tests.secrets.law import Leak
from tests.secrets.questions import routes
from tests.secrets.rounds import ask_round, hold_refusal
from tests.secrets.worlds import API, LOG, OWNER, pair
from tests.support.api.recording import DEAL
from tests.support.effort import examples
from tests.support.engine.selfplay import PACK
from tests.support.logged import log_to

# `engine.view` is the function.
VIEW = importlib.import_module("engine.view")
ROUNDS = examples(6)
REFUSALS = examples(50, 15)
PATIENCE = 60
"""After so many rounds a leak that was planted should have been found."""


@pytest.fixture(autouse=True)
def logged() -> Iterator[None]:
    with log_to(LOG):
        yield


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_two_worlds_that_differ_in_secrets_answer_alike(seed: int) -> None:
    ask_round(seed, questions=40)


def test_a_refusal_tells_no_more_than_the_seat_that_acts_may_know() -> None:
    assert sum(hold_refusal(seed) for seed in range(REFUSALS)) > REFUSALS / 5


def test_every_route_that_reads_a_record_is_asked() -> None:
    """What is not asked for here is no record: the matrix of who may (tests/api) has all of them."""
    asked = {rule for rule, _ in routes(pair(False).one.app)}
    assert {rule for rule in asked if "<stream:" not in rule} >= {"/api/v1/deals", "/api/v1/tables", "/deals"}
    rules = {rule.rule for rule in pair(False).one.app.url_map.iter_rules()}
    named = {rule for rule in rules if "<stream:deal>" in rule or "<stream:table>" in rule}
    # Whoever may write at a table may know all hands there.
    at_table = "/api/v1/tables/<stream:table>"
    writes_only = {f"{at_table}/{rest}" for rest in ("deals", "pile", "pile/reading", "pile/pasted")}
    assert named - writes_only <= asked


# --- The law can fail -----------------------------------------------------------------------------


SUMMARY = Summaries.deal
PLANTED: dict[str, tuple[object, str, object]] = {
    "what was corrected stays to be seen": (VIEW, "_uncovered_by_mistake", lambda event: event),
    "a proof opens everything": (
        queries, "open_to", lambda log, viewer: frozenset(range(1, len(log) + 1))
    ),
    "what is cut is kept": (event_pages, "NEVER_KEPT", "private, no-cache"),
    "a variation is there for everybody": (queries.Queries, "_knows_beginning", lambda own, info: True),
    "summaries are kept for all viewers alike": (
        Summaries, "deal", lambda own, deal, viewer, log: SUMMARY(own, deal, EVERYTHING, log)
    ),
    "live streams are cut for nobody": (cuts, "view", lambda log, viewer: log),
    **{
        f"{kind.__name__} is not cut": (
            VIEW, "CUTTINGS", {one: cut for one, cut in VIEW.CUTTINGS.items() if one is not kind}
        )
        for kind in (CardsDiscarded, HandDealt, NoteAdded)
    },
}  # fmt: skip


@pytest.mark.property
@pytest.mark.parametrize("leak", PLANTED)
def test_a_leak_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[leak])
    with pytest.raises(Leak):
        for seed in range(PATIENCE):
            ask_round(seed, questions=30)


def test_a_refusal_that_looks_into_other_hands_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_mode, "_as_known", lambda log, sent, viewer: (*log, *sent))
    with pytest.raises(Leak):
        for seed in range(20 * PATIENCE):
            hold_refusal(seed)


def test_who_may_know_everything_does_see_the_difference() -> None:
    worlds, rng = pair(False), random.Random(3)
    log = recorded_deal(rng, "dlu", players=dict(PLAYERS))[:20]
    worlds.one.fill(log, log[:1])
    worlds.other.fill(exchanged(log, PACK, rng), log[:1])
    for rule in ("state", "events", "events.deal", "replay", "state.svg"):
        path = f"{API}/deals/{DEAL}/{rule}"
        one, other = (worlds.told(world, OWNER, "GET", path, {}) for world in worlds[:2])
        assert one != other, rule
    # And a player sees the own hand: what is hidden from everybody is alike in all worlds.
    (hand, *_) = (event for event in log if event["type"] == "hand_dealt" and event["seat"] == "forehand")
    for who in ("forehand", "Anna"):
        told = worlds.told(worlds.one, who, "GET", f"{API}/deals/{DEAL}/events", {})
        assert hand["cards"] in [event.get("cards") for event in json.loads(told.body)["events"]], who
