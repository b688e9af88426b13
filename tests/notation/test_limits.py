"""So much of a deal, and of a line, is held and no more, however long they are; the rest is still read."""

from __future__ import annotations

import io

import pytest

from schemas.notation import deal, read_logs, reader
from schemas.wire.jsonlines import DealLog, Unreadable

SLIP = b"Deal:\nRules: dlu\nPlayers: Anna, Bo, Carl\n\nResult M solo H tricks 3-4-2\n\n"
HEADING = b"Deal: long\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"


def read(data: bytes) -> list[DealLog | Unreadable]:
    return list(read_logs(io.BytesIO(data), "evening.deal"))


def test_a_deal_of_too_many_lines_is_told_once_and_the_next_is_read() -> None:
    before, long, after = read(SLIP + HEADING + b"Gap\n" * (deal.LINES + 50) + SLIP)
    assert not before.problems and not after.problems
    assert isinstance(long, Unreadable)
    full = [one for one in long.problems if f"at most {deal.LINES} lines" in one.message]
    assert len(full) == 1


def test_a_deal_that_takes_too_much_memory_is_told_and_the_next_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "SIZE", 5_000)
    note = "# " + "å" * 40 + "\n"
    lines = note.encode() * 40
    before, long, after = read(SLIP + HEADING + lines + SLIP)
    assert not before.problems and not after.problems
    (full,) = (one for one in long.problems if one.read == "one line more")
    assert SLIP.count(b"\n") + HEADING.count(b"\n") < full.line < 40
