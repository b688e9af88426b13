"""No hidden card is told, or follows from any byte; `python -m tests.system.secrets` tries many more."""

import importlib
from collections.abc import Iterator

import pytest

from engine import FULL_VIEWER
from engine.core.events import CardsDiscarded, HandDealt, NoteAdded
from service.application import queries
from service.http.api import cache_policies
from service.projections.summaries import SummaryCache
from service.records import strict_mode
from service.records.live import redacted_logs
from tests.support.effort import examples
from tests.support.logged import log_to
from tests.system.secrets.law import Leak
from tests.system.secrets.rounds import ask_round, hold_refusal
from tests.system.secrets.worlds import LOG

# `engine.view` is the function.
VIEW = importlib.import_module("engine.view")
ROUNDS = examples(6)
REFUSALS = examples(50, 15)
MAX_SEEDS = 60
"""After so many rounds a leak that was planted should have been found."""


@pytest.fixture(autouse=True)
def logged() -> Iterator[None]:
    with log_to(LOG):
        yield


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_two_worlds_that_differ_in_secrets_answer_alike(seed: int) -> None:
    ask_round(seed, questions=examples(40, 25))


def test_a_refusal_tells_no_more_than_the_seat_that_acts_may_know() -> None:
    assert sum(hold_refusal(seed) for seed in range(REFUSALS)) > REFUSALS / 5


SUMMARY = SummaryCache.deal_summary
PLANTED: dict[str, tuple[object, str, object]] = {
    "what was corrected stays to be seen": (VIEW, "_redact_replaced_event", lambda event: event),
    "a proof opens everything": (
        queries, "fully_visible_seqs", lambda log, viewer: frozenset(range(1, len(log) + 1))
    ),
    "what is cut is kept": (cache_policies, "NO_STORE", "private, no-cache"),
    "a variation is there for everybody": (queries.Queries, "_knows_beginning", lambda own, info: True),
    "summaries are kept for all viewers alike": (
        SummaryCache, "deal_summary", lambda own, deal, viewer, log: SUMMARY(own, deal, FULL_VIEWER, log)
    ),
    "live streams are cut for nobody": (redacted_logs, "view", lambda log, viewer: log),
    **{
        f"{kind.__name__} is not cut": (
            VIEW, "REDACTIONS", {one: cut for one, cut in VIEW.REDACTIONS.items() if one is not kind}
        )
        for kind in (CardsDiscarded, HandDealt, NoteAdded)
    },
}  # fmt: skip


@pytest.mark.property
@pytest.mark.parametrize("leak", PLANTED)
def test_a_leak_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[leak])
    with pytest.raises(Leak):
        for seed in range(MAX_SEEDS):
            ask_round(seed, questions=30)


def test_a_refusal_that_looks_into_other_hands_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_mode, "_as_known", lambda log, sent, viewer: (*log, *sent))
    with pytest.raises(Leak):
        for seed in range(20 * MAX_SEEDS):
            hold_refusal(seed)
