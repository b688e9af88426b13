"""What the heading, a note and the words around a deal are read as, and what of them is asked about."""

import io

import pytest

from schemas.logs.pieces import Stretch, pieces_of
from schemas.notation import read_logs, written_log
from schemas.wire.jsonlines import DealLog, Unreadable
from tests.support.notation.tolerant import HEADING, body, read, said


def test_names_in_a_tag_may_be_any_words() -> None:
    log = read("", "Deal: x\nRules: DLU\nPlayers: Solo, Hand, Pass the Elder\nDealer: B\n")
    assert isinstance(log, DealLog)
    text = written_log(log.log)
    assert "Rules:      dlu\nForehand:   Solo\nMiddlehand: Hand\nBackhand:   Pass the Elder\n" in text
    assert "Dealer:     Pass the Elder\n" in text


@pytest.mark.parametrize("opening", ['Rules: "DLU"', 'Rules: dlu\nDealer: "b"'])
def test_quotation_marks_keep_what_would_be_read_as_something_else(opening: str) -> None:
    log = read("", f"Deal: x\n{opening}\nPlayers: Anna, Bo, Carl\n")
    assert isinstance(log, DealLog)
    text = written_log(log.log)
    assert opening.rpartition(" ")[2] in text
    assert read("", text).log == log.log


FILE_NAME = "may be the name of a file, or"


@pytest.mark.parametrize(
    ("text", "column", "asks"),
    [
        ("{see C:\\temp\\new}", 6, f"C:\\t {FILE_NAME} \\t a sign; write C:\\\\t for a backslash"),
        ("{see C:\\new}", 6, f"C:\\n {FILE_NAME} \\n a sign; write C:\\\\n for a backslash"),
        ('Gap "see C:\\new"', 10, f"C:\\n {FILE_NAME} \\n a sign; write C:\\\\n for a backslash"),
        ("{!  a\\q}", 6, "In place of \\q, write \\\\ for a backslash, or one of \\} \\n \\u0000."),
        ("{a\\tb}", 3, "In place of \\t, write \\\\ for a backslash"),
        ("Irregularity M reveke", 16, 'In place of "reveke", write revoke, or this word in quotation marks.'),
    ],
)
def test_a_word_or_a_backslash_is_never_dropped(text: str, column: int, asks: str) -> None:
    ((line, at, message),) = said(text)
    assert (line, at) == (1, column), message
    assert message.startswith(asks)


def test_signs_with_a_backslash_in_a_note() -> None:
    assert body("{a \\} brace, \\\\ and \\! }") == "{a \\} brace, \\\\ and !}"
    assert body('Irregularity M "reveke"') == 'Irregularity M "reveke"'


def test_ids_stand_in_quotation_marks_or_not() -> None:
    number = "019aa7b2-7c00-7000-8000-000000000001"
    evening = "Evening: x\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
    assert body(f'Gap [id "{number}"]') == body(f"Gap [id {number}]") == f"Gap [id {number}]"
    assert body('Started 1 "deal-1"', evening) == body("Started 1 deal-1", evening) == "Started 1 deal-1"


EVENING = "Evening: Thursday\nRules: dlu\nPlayers: Bo, Carl, Dora, Anna\n\nSeats Anna, Bo, Carl, Dora\n"
IN_IT = "Deal: One\nDealer: Anna\nNumber: 1\n\nF passes; M passes; Anna passes\n"


def logs(text: str) -> list[DealLog | Unreadable]:
    return list(read_logs(io.BytesIO(text.encode()), "evening.deal"))


def test_deals_below_an_evening_take_rules_and_seats_from_it() -> None:
    _, first, second = logs(EVENING + IN_IT + IN_IT.replace("Anna", "Dora").replace("One", "Two"))
    assert isinstance(first, DealLog) and isinstance(second, DealLog)
    below, next_below = written_log(first.log), written_log(second.log)
    assert "Rules:      dlu\nForehand:   Bo\nMiddlehand: Dora\nBackhand:   Anna\nSitting out: Carl\n" in below
    assert "Forehand:   Anna\nMiddlehand: Carl\nBackhand:   Dora\nSitting out: Bo\n" in next_below
    assert read("", below).log == first.log


@pytest.mark.parametrize(
    "text",
    [
        EVENING + IN_IT.replace("Dealer: Anna\n", ""),
        EVENING + "Left Bo\n" + IN_IT,
        EVENING + IN_IT.replace("Anna", "Erik"),
        HEADING + EVENING + IN_IT,
    ],
    ids=["no dealer", "players change", "a stranger deals", "the evening is not first"],
)
def test_nobody_is_seated_where_nobody_can_tell_who_sits_there(text: str) -> None:
    assert any("lacks Players: …" in one.message for one in logs(text)[-1].problems)


def test_a_file_that_begins_with_an_evening_is_not_cut() -> None:
    data = ("\n" + EVENING + IN_IT * 50).encode()
    (whole,) = pieces_of([data], 100)
    assert isinstance(whole, Stretch) and b"".join(whole.chunks()) == data
