"""Text on a page of a fixed width, and text that a terminal must not obey."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import log_of
from engine.core.cards import FOREHAND
from engine.core.events import BidMade, CorrectionMade, NoteAdded
from service.cli.io.terminal_text import printable, readable
from service.presentation.text.layout import cells, clipped, columns, wrapped

WORDS = st.text(st.sampled_from("ab é漢\u0301♥"), max_size=60)


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("♥7", 2), ("漢字", 4), ("e\u0301", 1), ("\x1b[31m♥7\x1b[0m", 2), ("a\u200db", 2), ("Åse", 3)],
)
def test_a_width_is_what_a_terminal_shows(text: str, width: int) -> None:
    assert cells(text) == width


def test_columns_line_up_whatever_is_in_them() -> None:
    assert columns([("a", "\x1b[31m♥7\x1b[0m", "1"), ("漢字", "♠K", "−10")], right=(2,)) == [
        "a     \x1b[31m♥7\x1b[0m    1",
        "漢字  ♠K  −10",
    ]


@given(WORDS, st.integers(min_value=1, max_value=20))
def test_what_is_clipped_fits_and_says_so(text: str, width: int) -> None:
    short = clipped(text, width)
    assert cells(short) <= width
    assert short == text or short.endswith("…")


@given(WORDS, st.integers(min_value=6, max_value=30), st.sampled_from(["", "  ", "│ "]))
def test_what_is_wrapped_fits_and_loses_no_word(text: str, width: int, first: str) -> None:
    lines = wrapped(text, width, first, first)
    assert all(cells(line) <= width for line in lines)
    told = "".join("".join(line.removeprefix(first.rstrip()).split()) for line in lines)
    assert told == "".join(text.split())


@given(st.text())
def test_what_is_printable_is_one_line_without_commands(text: str) -> None:
    shown = printable(text)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in shown)
    assert not set(shown) & set("\u202e\u2066\u2028\u2029\u200f")
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown


def test_a_log_is_made_readable_wherever_texts_stand() -> None:
    log = log_of(
        [
            BidMade(FOREHAND, "pass", said="no\x07\nthing"),
            NoteAdded("one\r\ntwo\x1b", author="B\to"),
            CorrectionMade("so\x7f", with_=(BidMade(FOREHAND, "pass", said="\x1b[2J"),)),
        ]
    )
    bid, note, correction = (entry.event for entry in readable(log))
    mark = "\N{REPLACEMENT CHARACTER}"
    assert bid == BidMade(FOREHAND, "pass", said=f"no{mark} thing")
    assert note == NoteAdded(f"one\ntwo{mark}", author="B o")
    assert correction == CorrectionMade(f"so{mark}", with_=(BidMade(FOREHAND, "pass", said=f"{mark}[2J"),))
