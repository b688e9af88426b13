"""Over random records, rulesets, readers and addresses: no hidden card is told, or follows from any byte.

`python -m tests.secrets` tries many more.
"""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

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
from tests.secrets.law import Leak, require_alike
from tests.secrets.questions import routes
from tests.secrets.refusals import hold_refusal
from tests.secrets.rounds import ask_round
from tests.secrets.worlds import API, LOG, OWNER, Told, pair
from tests.support.api.recording import DEAL
from tests.support.effort import examples
from tests.support.engine.selfplay import PACK
from tests.support.logged import log_to

Json = dict[str, Any]

# `engine.view` is the function.
VIEW = importlib.import_module("engine.view")
ROUNDS = examples(6)
REFUSALS = 25
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
    named = {rule.rule for rule in pair(False).one.app.url_map.iter_rules() if "<stream:deal>" in rule.rule}
    named |= {rule.rule for rule in pair(False).one.app.url_map.iter_rules() if "<stream:table>" in rule.rule}
    # Whoever may write at a table may know all hands there.
    at_table = "/api/v1/tables/<stream:table>"
    writes_only = {f"{at_table}/{rest}" for rest in ("deals", "pile", "pile/reading", "pile/pasted")}
    assert named - writes_only <= asked


# --- The law can fail -----------------------------------------------------------------------------


def uncut(kind: type[Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.delitem(VIEW.CUTTINGS, kind)


def summaries_for_all(patch: pytest.MonkeyPatch) -> None:
    made = Summaries.deal
    patch.setattr(Summaries, "deal", lambda own, deal, viewer, log: made(own, deal, EVERYTHING, log))


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a kind of event is not cut": uncut(CardsDiscarded),
    "a dealt hand is not cut": uncut(HandDealt),
    "words are not cut": uncut(NoteAdded),
    "what was corrected stays to be seen": lambda patch: patch.setattr(
        VIEW, "_uncovered_by_mistake", lambda event: event
    ),
    "a proof opens everything": lambda patch: patch.setattr(
        queries, "open_to", lambda log, viewer: frozenset(range(1, len(log) + 1))
    ),
    "what is cut is kept": lambda patch: patch.setattr(event_pages, "NEVER_KEPT", "private, no-cache"),
    "a variation is there for everybody": lambda patch: patch.setattr(
        queries.Queries, "_knows_beginning", lambda own, info: True
    ),
    "summaries are kept for all viewers alike": summaries_for_all,
    "live streams are cut for nobody": lambda patch: patch.setattr(cuts, "view", lambda log, viewer: log),
}


@pytest.mark.property
@pytest.mark.parametrize("leak", PLANTED)
def test_a_leak_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[leak](monkeypatch)
    with pytest.raises(Leak):
        for seed in range(PATIENCE):
            ask_round(seed, questions=30)


def test_a_refusal_that_looks_into_other_hands_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_mode, "_as_known", lambda log, sent, viewer: (*log, *sent))
    with pytest.raises(Leak):
        for seed in range(20 * PATIENCE):
            hold_refusal(seed)


@pytest.mark.property
def test_who_may_know_everything_does_see_the_difference() -> None:
    worlds, rng = pair(False), random.Random(3)
    log = recorded_deal(rng, "dlu", players=dict(PLAYERS))[:20]
    worlds.one.fill(log, log[:1])
    worlds.other.fill(exchanged(log, PACK, rng), log[:1])
    for rule in ("state", "events", "events.deal", "replay", "state.svg"):
        path = f"{API}/deals/{DEAL}/{rule}"
        one, other = (worlds.told(world, OWNER, "GET", path, {}) for world in worlds[:2])
        assert one != other, rule


@pytest.mark.parametrize("who", ["forehand", "Anna"])
def test_a_player_sees_his_own_hand(who: str) -> None:
    worlds = pair(False)
    hand = random.Random(3).sample(PACK, 9)
    log: list[Json] = [
        {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS},
        {"type": "hand_dealt", "seat": "forehand", "cards": hand},
    ]
    worlds.one.fill(log, log[:1])
    told = worlds.told(worlds.one, who, "GET", f"{API}/deals/{DEAL}/events", {})
    assert json.loads(told.body)["events"][1]["cards"] == hand


def test_answers_that_differ_are_told_where() -> None:
    one, other = (Told(200, (), body, ()) for body in (b"the ace", b"the king"))
    with pytest.raises(Leak, match=r"at byte 4: b'the ace' and b'the king'"):
        require_alike(one, other, "here")
