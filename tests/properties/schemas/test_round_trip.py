"""What is written is read as the same log, and what is read is written as the same text."""

import io
import random
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replays
from bench.deals import random_deal
from engine.core.cards import SEATS, Card
from engine.core.events import ActionWithdrawn, CardPlayed, DealOpened, Event, GapNoted, NoteAdded
from engine.core.field_types import Players
from engine.core.log import Log, build_log
from schemas.notation import format_notation_log, read_notation_logs
from schemas.wire.jsonlines import ParsedLog
from tests.support.effort import THOROUGH, examples
from tests.support.hidden.records import RULESETS
from tests.support.schemas import strategies

WORDS = [
    "the", "Pool:", "Deal:", "F", "M:", "passes", "SA", "1.", "2:", "Anna", "“so”", "\"", "\\",
    "\\n", "C:\\temp", "}", "{", "[", ")", ";", "@12", "by", "on", "!", "?!", "æble", "♠️", "word",
    "a:", "\n", "\t", ".", "Gap",
]  # fmt: skip


def read_all_logs(text: str) -> list[ParsedLog]:
    """The logs of a text, all of which can be read."""
    found = []
    for log in read_notation_logs(io.BytesIO(text.encode("utf-8")), "a file"):
        assert isinstance(log, ParsedLog), (log.problems, text)
        found.append(log)
    return found


@settings(max_examples=examples(300))
@given(strategies.logs())
def test_any_log_comes_back(log: Log) -> None:
    text = format_notation_log(log)
    (again,) = read_all_logs(text)
    assert again.log == log
    assert format_notation_log(again.log) == text


def test_the_library_comes_back(subtests: pytest.Subtests) -> None:
    for replay in (*replays.list_library(), *replays.list_examples()[:: 1 if THOROUGH else 4]):
        with subtests.test(msg=str(replay.name)):
            text = format_notation_log(replay.read_log())
            (again,) = read_all_logs(text)
            assert again.log == replay.read_log()
            assert format_notation_log(again.log) == text


LONG_TEXTS = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
"""Texts that are folded, of words that mean something else where they stand alone."""


def told_at_length(event: Event, text: str) -> Event:
    """An event with ``text`` as its text, where it has one; corrections keep what they put in."""
    named = {one.name for one in fields(event)} & {"text", "said", "reason", "why", "title", "source"}
    return replace(event, **dict.fromkeys(named, text))


def put_in() -> st.SearchStrategy[Event]:
    """What may come between the entries of a deal, of a later entry too."""
    places = st.integers(1, 70)
    return st.one_of(
        st.builds(ActionWithdrawn, places),
        st.builds(GapNoted),
        st.builds(
            CardPlayed, st.sampled_from(SEATS), st.integers(0, 39).map(Card), st.none() | st.integers(1, 11)
        ),
        st.builds(NoteAdded, LONG_TEXTS, places),
        strategies.events().filter(lambda one: type(one).__name__ not in ("DealOpened", "TableOpened")),
    )


@settings(max_examples=examples(20))
@pytest.mark.parametrize("ruleset", RULESETS)
@given(
    st.integers(0, 1 << 30),
    st.sets(st.integers(1, 60), max_size=6),
    st.lists(st.tuples(st.integers(1, 70), put_in(), LONG_TEXTS), max_size=12),
    LONG_TEXTS,
)
def test_whole_deals_come_back_whatever_happens_in_them(
    ruleset: str, seed: int, gone: set[int], more: list[tuple[int, Event, str]], title: str
) -> None:
    players = Players("Anna", "Bo", "Carl")
    opened = DealOpened(ruleset, players, pool=5, title=f"On {title}"[:200], source=f"{title} by one")
    deal = [entry.event for entry in random_deal(random.Random(seed), ruleset, opened)]
    events = [event for at, event in enumerate(deal) if at not in gone]
    for place, event, text in more:
        events.insert(min(place, len(events)), told_at_length(event, text) if text else event)
    log = build_log(events)
    written = format_notation_log(log)
    (again,) = read_all_logs(written)
    assert again.log == log
    assert format_notation_log(again.log) == written
