"""Texts that cannot be read: each is told with its place and what to do; what is good is still read."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from schemas.i18n.translate import translate
from schemas.notation import notation_reader, read_notation_logs
from schemas.notation.deal_parser import MAX_DEAL_ENTRIES, MAX_DEAL_LINES
from schemas.notation.tokens import MAX_TOKENS
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS, LineProblem, ParsedLog, UnreadableLog
from tests.properties.fuzz.laws import grows_evenly, hold
from tests.support.cli.docs import surroundings

HEADING = "Deal: A\nRules: dlu\nPlayers: Anna, Bo, Carl\n"
GOOD = HEADING + "F passes; M passes; B passes\n"
MIB = 1 << 20


def read_logs(text: str | bytes) -> list[ParsedLog | UnreadableLog]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_notation_logs(io.BytesIO(data), "evening.deal"))


def problems(text: str | bytes) -> list[LineProblem]:
    """What is wrong with a text; the deals around it are whole."""
    data = text if isinstance(text, bytes) else text.encode()
    before, bad, after = read_logs(GOOD.encode() + data + b"\n" + GOOD.encode())
    assert isinstance(before, ParsedLog) and isinstance(after, ParsedLog) and len(after.log) == 4
    assert isinstance(bad, UnreadableLog)
    above = GOOD.count("\n")
    assert bad.line == above + 1
    return [one._replace(line=one.line - above) for one in bad.problems]


BAD: list[tuple[str | bytes, int, int, str]] = [
    # cards
    (HEADING + "F hand SA S8 H2", 4, 11, 'In place of "S8", write a card, such as SA, ♥7 or ??'),
    (HEADING + "1. F SA  M XX", 4, 12, 'In place of "XX", write the next card with its seat'),
    (HEADING + "Turned", 4, 7, "Nothing more follows; write a card, such as"),
    (HEADING + "F hand " + "SA " * 41, 4, 8, "a list of at most 40 cards."),
    # heading
    ("Deal: A\nPlayers: Anna, Bo, Carl\nF passes", 1, 1, "The heading lacks Rules: …; write it on"),
    ("Deal: A\nRules: dlu\nF passes", 1, 1, "The heading lacks Players: … (forehand, middlehand"),
    ("Deal: A\nRules: dlu\nForehand: Anna\nBackhand: Bo", 1, 1, "The heading lacks Middlehand: …"),
    (HEADING + "Pool: 5\nRules: ombre", 5, 8, "Rules: appears here for the second time; write each tag"),
    (HEADING + "Players: Anna, Bo, Carl", 4, 10, "Forehand: appears here for the second time; write each"),
    ("Deal: A\nRules: dlu\nPlayers: Anna, Bo", 3, 10, "In place of 2 players, write three, in the order"),
    (HEADING + "Pool: five", 4, 7, 'In place of "five", write a number.'),
    (HEADING + "Pool: 99999999999", 4, 7, 'In place of "99999999999", write a number.'),
    (HEADING + "Pool: 5 7", 4, 9, "In place of \"7\", write the next tag on its own line."),
    (HEADING + "Letters: no", 4, 10, 'In place of "no", write one of en, da, es, fr.'),
    (HEADING + "Switches: a = 1, b = 2, a = 3", 4, 25, "“a” appears twice here; write each of them once."),
    (HEADING + "Id: seven", 4, 5, 'In place of "seven", write'),
    # what is never closed, or closes nothing
    (HEADING + "F SA {Bold.", 4, 6, "This { is never closed; write }, and indent the lines that"),
    (HEADING + 'F passes "I', 4, 10, 'This " is never closed; write ", and indent the lines that'),
    (HEADING + "F passes “I", 4, 10, "This “ is never closed; write ”, and indent the lines that"),
    (HEADING + 'Rules: "dlu', 4, 8, 'This " is never closed; write ", and indent the lines that'),
    (HEADING + "F SA }", 4, 6, "There is no open brace for this }; leave it out."),
    (HEADING + "F SA [basis told", 4, 17, "Nothing more follows; write ; or ]."),
    (HEADING + "F SA [basis told]]", 4, 18, 'In place of "]", write the next card with its seat'),
    (HEADING + 'Correction "x" (F SA', 4, 21, "Nothing more follows; write ) after the"),
    (HEADING + "F passes)", 4, 9, 'In place of ")", write'),
    (HEADING + 'Gap "\\q"', 4, 6, 'In place of a backslash, write one of \\" \\\\ \\n \\t \\u0000.'),
    # numbers and names
    (HEADING + "F claims six", 4, 10, 'In place of "six", write a number for each seat, such as 5-2-2'),
    (HEADING + "F claims F 1 F 2", 4, 14, "Forehand appears twice here; write each of them once."),
    (HEADING + "Settled F +2 F -2", 4, 14, "Forehand appears twice here; write each of them once."),
    (HEADING + "Withdrawn 12", 4, 11, 'In place of "12", write the number of an entry, such as @12'),
    (HEADING + "Withdrawn @0", 4, 11, "In place of 0, write"),
    (HEADING + 'Ruling "He pays.", penalty Anna', 4, 28, 'In place of "Anna", write a number for each'),
    (HEADING + "F frobs solo", 4, 3, 'In place of "frobs", write an action of this seat: hand, bids'),
    (HEADING + "Frobnicate", 4, 1, 'In place of "Frobnicate", write a seat (F, M, B), the number of'),
    (HEADING + "F names", 4, 8, "Nothing more follows; write a name."),
    (HEADING + "Opened [rules: dlu]", 4, 1, "write"),
    # a place in a line that is put together from several
    (HEADING + "F SA {A note\n   that goes on} frobs", 5, 18, 'In place of "frobs", write'),
    (HEADING + "Switches: a = 1,\n   b = 2,\n   a = 3", 6, 4, "“a” appears twice here; write each"),
    # Corrections in one another, deeper than any has to be.
    (HEADING + 'Correction "x" (' * 9, 4, 80, 'In place of "(", write no events: corrections nest'),
    (HEADING + 'Correction "x" (' * 9_999, 4, 80, 'In place of "(", write no events: corrections nest'),
    (HEADING + "(" * 100_000, 4, 1, 'In place of "(", write a seat (F, M, B)'),
    # bytes
    (HEADING.encode() + b'Gap "\xe6ble"', 4, 6, "The byte 0xE6 is not UTF-8 here; save the file"),
    (HEADING.encode() + b"F SA\0", 4, 5, "There is a NUL byte here; the file is damaged or is not text."),
    (HEADING.encode() + b"F " * MIB, 4, 1, "A line is at most 1048576 bytes long; continue it in"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    BAD,
    ids=lambda value: value[-24:] if isinstance(value, str) else None,
)
def test_what_is_wrong_has_its_place_and_advice(
    text: str | bytes, line: int, column: int, message: str
) -> None:
    (problem,) = problems(text)
    assert (problem.line, problem.column) == (line, column), problem
    assert message in problem.message and problem.message.endswith(".")
    assert problem.read and problem.expected and len(problem.message) < 400


def test_a_text_that_is_no_log() -> None:
    (letter,) = read_logs(b"Dear Bo,\n\nthank you for the game last night.\nYours, Anna\n")
    assert isinstance(letter, UnreadableLog) and letter.log == ()
    first, *others = letter.problems
    assert (first.line, first.column) == (1, 1)
    assert first.message.startswith('No deal begins with "Dear Bo,"; write first the heading: Deal: a title')
    assert [one.line for one in others] == [1, 3, 4]


def test_every_way_of_breaking_off_is_told_or_harmless() -> None:
    text = HEADING + 'F bids solo "Jeg spiller solo!"\n1. F SA {A note.} M S3\n'
    for end in range(len(text)):
        hold(text[:end].encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_named(encoding: str) -> None:
    (nothing,) = read_logs(GOOD.encode(encoding))
    (problem,) = nothing.problems
    assert (problem.line, problem.column) == (1, 1)
    assert problem.message == "This file is in UTF-16 or UTF-32; save it as UTF-8 and read it again."


OTHER_FORMS = {
    "windows": GOOD.replace("\n", "\r\n"),
    "old macintosh": GOOD.replace("\n", "\r"),
    "tabs": GOOD.replace("\n", "\n\n").replace(" ", "\t").replace("Bo,\t", "Bo,\t \t"),
    "byte order mark": "\ufeff" + GOOD,
    "blank lines": "\n \n" + GOOD,
    "indented": "".join(f"    {line}\n" for line in GOOD.splitlines()),
    "no last line end": GOOD.rstrip(),
    "small and large": GOOD.replace("Deal:", "deal :").replace("Rules", "RULES"),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_forms_that_are_fine(form: str) -> None:
    (deal,) = read_logs(GOOD)
    (again,) = read_logs(OTHER_FORMS[form])
    assert isinstance(again, ParsedLog) and again.log == deal.log


MEASURED = """
import sys

from schemas.notation import read_notation_logs
*_, last = (type(log).__name__ for log in read_notation_logs(sys.stdin.buffer, "rubbish.deal"))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(last, int(status["VmHWM"].split()[0]) >> 10)
"""
"""Prints what the last of the logs on standard input is, and how many MiB the process took at most."""


@pytest.mark.property
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "bad",
    [
        [b"rubbish\n" * 10_000] * 200,
        [b"rubbish " * 8192] * 1_600,
        [HEADING.encode(), b"(\n", *[b"  " + b"F " * 20_000 + b"\n"] * 1_000],
        [HEADING.encode(), b"{\n", *[b"  " + b"F " * 20_000 + b"\n"] * 1_000],
        [HEADING[:-1].encode(), *[b"\n  " + "😀 ".encode() * 10_000] * 800],
        [HEADING.encode(), *[b"  " + b"F " * 400_000 + b"\n"] * 50],
    ],
    ids=["two million lines", "a line of 100 MB", "a parenthesis", "a brace", "a tag", "a deal without end"],
)
def test_rubbish_of_any_size_takes_little_memory_and_what_follows_is_read(bad: list[bytes]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MEASURED], env=surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        for piece in (*bad, b"\n", GOOD.encode()):
            process.stdin.write(piece)
        out, _ = process.communicate()
    last, mib = out.split()
    assert (last, int(mib) < 200) == (b"ParsedLog", True), out


UNITS = [
    "{", '"', "“", "(", "[", ")", "F ", "SA ", "F hand SA ", ",", "@1 ", "1 ", "1. ", ";", "{a} ", '"a" ',
    "\\", '\\"', "?", "+ ", "S ", "k ", "F SA ", "F passes; ", "F bids solo! ", "♠", "12", "es", "M SA{a}",
]  # fmt: skip
BEGINNINGS = [
    "", "F ", "F hand ", "F hand e", "Seen by ", "Settled ", 'Correction "x" (', "{", 'Ruling "x" payments ',
]  # fmt: skip


@pytest.mark.property
@pytest.mark.parametrize("unit", UNITS)
def test_a_line_costs_as_it_is_long(unit: str) -> None:
    for start in BEGINNINGS:

        def make(size: int, start: str = start) -> bytes:
            return (HEADING + start + unit * (size // len(unit.encode()))).encode()

        grows_evenly(make, 1 << 12 if start else 1 << 15, read_notation_logs)


FOLDED = "F bids solo; M passes; B passes\nF names solo in H\nM stands; B stands\n"


@pytest.mark.property
@pytest.mark.parametrize(
    ("start", "unit"),
    [
        (FOLDED, "SA\nS3\nS4\n"), (FOLDED, "SA\nWithdrawn @9\n"),
        (FOLDED + "SA\n", 'S3\nCorrection of @9 "x" (M S3)\n'),
        ("", "F frobs\n"), ("", "F hand rE S8\n"), ("", "Rules: dlu\n"), ("", "Deal: b\n"), ("", "Dato: x\n"),
        ("Source: a\n", "  b\n"), ("Source: a\n", "  Pool: 5\n"), ("Partners: a\n", "  + b, c\n"),
        ("F sE\n", "Rules:\n"), ("(\n", "  F F F F\n"),
        ("F SA ", "{a}\n"), ("F SA ", "{" + "word " * 4_000 + "}"), ("F SA [", "basis told; "),
        ('Correction "x" (', "F SA; "), ("Switches: ", "a = 1, "), ("Deal", " "), ("Source", " "),
    ],
)  # fmt: skip
def test_many_lines_cost_as_they_are_many(start: str, unit: str) -> None:
    def make(size: int) -> bytes:
        return (HEADING + start + unit * (size // len(unit))).encode()

    grows_evenly(make, 1 << 16, read_notation_logs)


def test_a_deal_of_two_thousand_cards_without_seats_knows_who_leads() -> None:
    (deal,) = read_logs(HEADING + FOLDED + "SA S3 S4\n" * 700)
    # Declarer has won after five tricks; whose turn it is then nobody can tell.
    assert isinstance(deal, UnreadableLog) and len(deal.log) >= 7 + 15
    assert "The text above does not show" in deal.problems[0].message


def test_a_deal_has_an_end_and_the_next_is_read() -> None:
    first, second = read_logs(HEADING + "Gap\n" * (MAX_DEAL_ENTRIES + 5) + GOOD)
    assert isinstance(first, UnreadableLog) and isinstance(second, ParsedLog)
    assert len(first.log) == MAX_DEAL_ENTRIES
    assert f"at most {MAX_DEAL_ENTRIES} entries" in first.problems[0].message
    bad, good = read_logs(HEADING + "F frobs\n" * 3 * MAX_DEAL_LINES + GOOD)
    assert isinstance(bad, UnreadableLog) and isinstance(good, ParsedLog)
    unlisted = MAX_DEAL_LINES - 3 - MAX_LISTED_PROBLEMS + 1
    assert (len(bad.problems), bad.unlisted) == (MAX_LISTED_PROBLEMS, unlisted)
    long, _ = read_logs(HEADING + "Gap\n" * (MAX_DEAL_LINES + 50) + GOOD)
    assert sum(f"at most {MAX_DEAL_LINES} lines" in one.message for one in long.problems) == 1


def test_a_deal_that_takes_too_much_memory_ends_where_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation_reader, "MAX_DEAL_MEMORY", 5_000)
    (full,) = (one for one in problems(HEADING + f"# {'å' * 40}\n" * 40) if one.read == "one line more")
    assert HEADING.count("\n") < full.line < 40


def test_a_sentence_has_no_more_words_than_any_needs() -> None:
    lines = "  F F F F F F F F\n" * (MAX_TOKENS // 8 + 1)
    (problem,) = problems(HEADING + "(\n" + lines)
    assert problem.message.startswith(
        f"This line has more than {MAX_TOKENS} words and signs; write a line for"
    )


ENGLISH = re.compile(r"\b(write|with|such|here|stands|the|of|or|and|line)\b")


def test_every_known_problem_has_a_danish_sentence() -> None:
    told = {problem.message for text, *_ in BAD for log in read_logs(text) for problem in log.problems}
    assert len(told) > 30
    danish = {one: translate(one, "da") for one in told}
    assert "I stedet for »S8«: skriv et kort" in " ".join(danish.values())
    assert {one: words for one, words in danish.items() if ENGLISH.search(words)} == {}
