"""Words of the command line in both languages, their layout on a page, and what a terminal must not obey."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import build_log, initial_state
from engine.core.cards import CARD_BY_CODE, CARD_CODES, FOREHAND, SUIT_BY_LETTER
from engine.core.events import BidMade, CorrectionMade, NoteAdded
from engine.core.field_types import ALL_OUTCOMES
from engine.play.findings import FINDING_CODES as FINDING_CODES
from engine.play.state import ContractState
from engine.rulesets import DLU, compile_ruleset
from schemas.i18n.card_words import OUTCOME_TERMS
from service.cli.io.terminal_text import sanitize_line, sanitize_log
from service.presentation.text import names, words
from service.presentation.text.hands import format_hand, sort_into_suits
from service.presentation.text.layout import align_columns, clip_text, display_width, pad_text, wrap_text
from service.presentation.text.style import TextStyle, detect_text_style


def test_outcomes_have_their_words() -> None:
    assert set(ALL_OUTCOMES) <= set(OUTCOME_TERMS)
    assert set(ALL_OUTCOMES) == set(words.RESULT_PHRASES)


def test_cards_in_both_languages() -> None:
    english, danish = TextStyle("en"), TextStyle("da")
    codes = ["SA", "HJ", "DQ", "C2", "CK", "??", "S?"]
    assert [english.card(CARD_BY_CODE[code]) for code in codes] == ["♠A", "♥J", "♦Q", "♣2", "♣K", "??", "♠?"]
    assert [danish.card(CARD_BY_CODE[code]) for code in codes] == ["♠E", "♥Kn", "♦D", "♣2", "♣K", "??", "♠?"]
    state = initial_state()
    assert names.card_name(state, CARD_BY_CODE["SK"], english) == "the king of spades"
    assert names.card_name(state, CARD_BY_CODE["SK"], danish) == "spar konge"
    assert names.card_name(state, CARD_BY_CODE["??"], danish) == "et skjult kort"
    assert names.card_name(state, CARD_BY_CODE["D?"], english) == "one of the diamonds"
    assert len({names.card_name(state, CARD_BY_CODE[code], english) for code in CARD_CODES}) == 45


def test_where_symbols_cannot_be_written_letters_stand_for_them() -> None:
    style = TextStyle(symbols=False)
    assert (style.chips(-2), style.suit("H"), detect_text_style("da").lang) == ("-2", "H", "da")


def test_only_red_suits_are_red() -> None:
    style = TextStyle(colour=True)
    red = {code for code in CARD_CODES if "\x1b[31m" in style.card(CARD_BY_CODE[code])}
    assert {code[0] for code in red} == {"D", "H"}
    assert len(red) == 22


@pytest.mark.parametrize(("trump", "hand"), [
    (None, "♠A ♠2   ♥A ♥4 ♥7   ♦Q ♦3   ♣A ♣K"),
    ("H", "♠A ♥7 ♣A ♥A ♥4   ♠2   ♦Q ♦3   ♣K"),
    ("S", "♠A ♠2 ♣A   ♥A ♥4 ♥7   ♦Q ♦3   ♣K"),
    ("nolo", "♠2 ♠A   ♥A ♥4 ♥7   ♦Q ♦3   ♣K ♣A"),
])  # fmt: skip
def test_a_hand_is_fanned_trumps_first(trump: str | None, hand: str) -> None:
    suit = None if trump is None else SUIT_BY_LETTER.get(trump, 4)
    bargain = ContractState(None, "solo", None, suit, True, False)  # type: ignore[arg-type]
    state = replace(initial_state(), contract_state=bargain)
    state = replace(state, opening=state.opening._replace(rules=compile_ruleset(DLU)))
    mask = sum(1 << CARD_BY_CODE[code] for code in ["CA", "CK", "HA", "H7", "H4", "SA", "S2", "DQ", "D3"])
    assert format_hand(mask, (), state, TextStyle()) == hand
    assert sum(map(len, sort_into_suits(mask, state))) == 9


def test_a_contract_says_its_suit_once() -> None:
    state = initial_state()
    state = replace(state, opening=state.opening._replace(rules=compile_ruleset(DLU)))
    english, danish = TextStyle("en"), TextStyle("da")
    assert names.game_name(state, "solo", SUIT_BY_LETTER["H"], english) == "solo in hearts"
    assert names.game_name(state, "solo", SUIT_BY_LETTER["H"], danish) == "solo i hjerter"
    assert names.game_name(state, "spade-solo", SUIT_BY_LETTER["S"], danish) == "solo spar"
    assert names.game_name(state, "pure-nolo", None, english) == "pure nolo"
    assert names.game_name(state, "whist", SUIT_BY_LETTER["D"], english) == "whist in diamonds"
    assert names.game_words(state, english).bid("whist") == "whist"
    assert names.game_words(state, danish).bid("self") == "kan selv"


WORDS = st.text(st.sampled_from("ab é漢\u0301♥"), max_size=60)


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("♥7", 2), ("漢字", 4), ("e\u0301", 1), ("\x1b[31m♥7\x1b[0m", 2), ("a\u200db", 2), ("Åse", 3)],
)
def test_a_width_is_what_a_terminal_shows(text: str, width: int) -> None:
    assert display_width(text) == width


def test_columns_line_up_whatever_is_in_them() -> None:
    assert align_columns([("a", "\x1b[31m♥7\x1b[0m", "1"), ("漢字", "♠K", "−10")], right_aligned=(2,)) == [
        "a     \x1b[31m♥7\x1b[0m    1",
        "漢字  ♠K  −10",
    ]
    assert pad_text("ab", 4) == "ab  "
    assert pad_text("ab", 4, align_right=True) == "  ab"
    assert pad_text("abcd", 2) == "abcd"


@given(WORDS, st.integers(min_value=1, max_value=20))
def test_what_is_clipped_fits_and_says_so(text: str, width: int) -> None:
    short = clip_text(text, width)
    assert display_width(short) <= width
    assert short == text or short.endswith("…")


@given(WORDS, st.integers(min_value=6, max_value=30), st.sampled_from(["", "  ", "│ "]))
def test_what_is_wrapped_fits_and_loses_no_word(text: str, width: int, first: str) -> None:
    lines = wrap_text(text, width, first, first)
    assert all(display_width(line) <= width for line in lines)
    told = "".join("".join(line.removeprefix(first.rstrip()).split()) for line in lines)
    assert told == "".join(text.split())


def test_words_in_colour_are_not_cut() -> None:
    word = "\x1b[31m" + "♥" * 12 + "\x1b[0m"
    assert wrap_text(word, 8) == [word]


@given(st.text())
def test_what_is_printable_is_one_line_without_commands(text: str) -> None:
    shown = sanitize_line(text)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in shown)
    assert not set(shown) & set("\u202e\u2066\u2028\u2029\u200f")
    assert len(shown.splitlines()) <= 1
    assert sanitize_line(shown) == shown


def test_a_log_is_made_readable_wherever_texts_stand() -> None:
    mark = "\N{REPLACEMENT CHARACTER}"
    bid = BidMade(FOREHAND, "pass", said="\x1b[2J")
    read = sanitize_log(build_log([
        BidMade(FOREHAND, "pass", said="no\x07\nthing"),
        NoteAdded("one\r\ntwo\x1b", author="B\to"),
        CorrectionMade("so\x7f", with_=(bid,)),
    ]))  # fmt: skip
    assert [entry.event for entry in read] == [
        BidMade(FOREHAND, "pass", said=f"no{mark} thing"),
        NoteAdded(f"one\ntwo{mark}", author="B o"),
        CorrectionMade(f"so{mark}", with_=(BidMade(FOREHAND, "pass", said=f"{mark}[2J"),)),
    ]
