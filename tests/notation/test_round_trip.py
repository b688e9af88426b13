"""What is written is read as the same log, and what is read is written as the same text."""

import io

import pytest
from hypothesis import given, settings

import replays
from engine.log import Log
from schemas.jsonlines import DealLog
from schemas.notation import read_logs, written_log
from tests.schemas import strategies


def read(text: str) -> list[DealLog]:
    """The logs of a text, all of which can be read."""
    found = []
    for log in read_logs(io.BytesIO(text.encode("utf-8")), "a file"):
        assert isinstance(log, DealLog), (log.problems, text)
        found.append(log)
    return found


@settings(max_examples=300, deadline=None)
@given(strategies.logs())
def test_any_log_comes_back(log: Log) -> None:
    text = written_log(log)
    (again,) = read(text)
    assert again.log == log
    assert written_log(again.log) == text


@pytest.mark.parametrize("replay", (*replays.library(), *replays.examples()), ids=lambda one: one.name)
def test_the_library_comes_back(replay: replays.Replay) -> None:
    text = written_log(replay.log())
    (again,) = read(text)
    assert again.log == replay.log()
    assert written_log(again.log) == text
