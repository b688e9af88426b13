"""Read a file in the notation: many deals and evenings, each as soon as the next begins.

A deal begins with a line ``Deal: …``, an evening's log with ``Evening: …``. The deals of a file that begins
with an evening may leave out what it says. Every deal is read, also after a bad one; memory is bounded by one
deal.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from sys import getsizeof
from typing import BinaryIO, Final

from engine.core.message import format_message
from schemas.notation.alphabets import ALPHABETS, get_alphabet
from schemas.notation.deal_parser import DANISH_CLUE, MAX_DEAL_LINES, DealParser, ParsedDeal, WrongAlphabet
from schemas.notation.heading_parser import EveningDefaults, find_evening_defaults
from schemas.notation.joined_lines import NotationLine, join_lines
from schemas.notation.opening_tags import LETTERS_TAG_NAMES, find_opener
from schemas.notation.tokens import give_reason
from schemas.wire.bad_lines import EXPECTED_UTF8, BadLine, diagnose_nul_byte, diagnose_utf16, is_utf16
from schemas.wire.jsonlines import (
    MAX_LISTED_PROBLEMS,
    LineProblem,
    ParsedLog,
    UnreadableLog,
)
from schemas.wire.line_reader import MAX_LINE_BYTES, iterate_lines
from schemas.wire.wire_faults import NO_VALUE

MAX_DEAL_MEMORY: Final = 32 << 20
"""Limit of the bytes that a deal's lines take; joined and parsed, they take more."""
LINE_MEMORY_OVERHEAD: Final = 100
_BYTE_ORDER_MARK: Final = "\ufeff"
DEFAULT_LANGUAGE: Final = "en"
MAX_LENGTH_TO_TRY_ALL: Final = 100_000
"""A longer text is read in English letters, or in those that it names: each alphabet takes time."""
EXPECTED_DEAL: Final = "a deal, such as one that begins with Deal: and its title"


@dataclass(slots=True)
class _DealLines:
    """The lines of a deal so far, and the problems of unreadable ones."""

    log_number: int
    first_line: int
    lines: list[tuple[int, str]] = field(default_factory=list)
    size: int = 0
    bad_lines: list[tuple[int, BadLine]] = field(default_factory=list)
    unlisted_count: int = 0
    is_full: bool = False

    def add_line(self, number: int, line: str) -> None:
        self.size += getsizeof(line) + LINE_MEMORY_OVERHEAD
        if self.size <= MAX_DEAL_MEMORY:
            self.lines.append((number, line))
            return
        if self.is_full:
            self.unlisted_count += 1
        else:
            self.is_full = True
            self.add_bad_line(number, _DEAL_TOO_LARGE)

    def add_blank_line(self, number: int) -> None:
        """Add a blank line, which ends the one above it; further ones say nothing."""
        if self.lines and self.lines[-1][1]:
            self.lines.append((number, ""))

    def add_bad_line(self, number: int, line: BadLine) -> None:
        if len(self.bad_lines) < MAX_LISTED_PROBLEMS:
            self.bad_lines.append((number, line))
        else:
            self.unlisted_count += 1


_DEAL_TOO_LARGE: Final = BadLine(
    1, "one line more", f"a deal that takes at most {MAX_DEAL_MEMORY >> 20} MiB",
    format_message(
        "This deal takes more than {count} MiB; begin the next one with Deal: and its title.",
        count=MAX_DEAL_MEMORY >> 20,
    ),
)  # fmt: skip
_LINE_TOO_LONG: Final = BadLine(
    1, f"a line of more than {MAX_LINE_BYTES} bytes", "a shorter line",
    format_message(
        "A line is at most {count} bytes long; continue it in an indented line below.", count=MAX_LINE_BYTES
    ),
)  # fmt: skip
_NOTHING_HERE: Final = BadLine(
    1, NO_VALUE, EXPECTED_DEAL, give_reason("The text is empty", EXPECTED_DEAL)
)  # fmt: skip


def read_notation_logs(stream: BinaryIO | Iterable[bytes], name: str) -> Iterator[ParsedLog | UnreadableLog]:
    """Read the logs of a text, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is the file's name in problems.
    """
    file = _NotationFile(name)
    deal: _DealLines | None = None
    for number, content in enumerate(_iterate_lines_of_any_end(stream), 1):
        if number == 1 and content is not None and is_utf16(content):
            yield file.build_log(_DealLines(1, 1, bad_lines=[(1, diagnose_utf16())]))
            return
        if content == b"":
            if deal is not None:
                deal.add_blank_line(number)
            continue
        line = _decode_line(content)
        if isinstance(line, BadLine):
            deal = deal or file.start_log(number)
            deal.add_bad_line(number, line)
            continue
        if deal is not None and find_opener(line):
            yield file.build_log(deal)
            deal = None
        if deal is None:
            if not line.strip():
                continue
            deal = file.start_log(number)
        deal.add_line(number, line)
    if deal is None and file.log_number == 0:
        deal = _DealLines(1, 1, bad_lines=[(1, _NOTHING_HERE)])
    if deal is not None:
        yield file.build_log(deal)


def _iterate_lines_of_any_end(stream: BinaryIO | Iterable[bytes]) -> Iterator[bytes | None]:
    """The lines of a text, also if they end with a carriage return alone."""
    for content, _ in iterate_lines(stream):
        if content is None or b"\r" not in content or content.find(b"\r") == len(content) - 1:
            yield content
        else:
            yield from content.removesuffix(b"\r").split(b"\r")


def _decode_line(content: bytes | None) -> str | BadLine:
    """A line as text, or why it is none; files joined to one keep their byte order marks."""
    if content is None:
        return _LINE_TOO_LONG
    if b"\0" in content:
        return diagnose_nul_byte(content)
    try:
        return content.decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        column = len(content[: error.start].decode("utf-8")) + 1
        byte = f"0x{content[error.start]:02X}"
        return BadLine(
            column, f"the byte {byte}", EXPECTED_UTF8,
            format_message(
                "The byte {read} is not UTF-8 here; save the file as UTF-8 and read it again.", read=byte
            ),
        )  # fmt: skip


class _NotationFile:
    """The number of logs read from a file, and of problems listed.

    ``evening_defaults``: the evening that the file begins with, from which its deals take defaults.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.log_number = 0
        self.listed_count = 0
        self.evening_defaults: EveningDefaults | None = None

    def start_log(self, line: int) -> _DealLines:
        self.log_number += 1
        return _DealLines(self.log_number, line)

    def build_log(self, deal: _DealLines) -> ParsedLog | UnreadableLog:
        read = _parse_deal(deal.lines, self.evening_defaults)
        if deal.log_number == 1 or self.evening_defaults is not None:
            self.evening_defaults = find_evening_defaults(read.log) or self.evening_defaults
        if not deal.bad_lines and not read.problems:
            return ParsedLog(self.name, deal.log_number, deal.first_line, read.log)
        found = sorted((*deal.bad_lines, *read.problems), key=lambda one: (one[0], one[1].column))
        problems = [
            LineProblem(self.name, line, bad.column, "", bad.read, bad.expected, bad.message)
            for line, bad in found
        ]
        max_listed = MAX_LISTED_PROBLEMS - self.listed_count
        listed, unlisted_count = problems[:max_listed], len(problems[max_listed:])
        self.listed_count += len(listed)
        return UnreadableLog(
            self.name,
            deal.log_number,
            deal.first_line,
            read.log,
            tuple(listed),
            unlisted_count + deal.unlisted_count,
        )


def _parse_deal(lines: Sequence[tuple[int, str]], defaults: EveningDefaults | None = None) -> ParsedDeal:
    """Read a deal from its numbered lines, in English letters or in an alphabet that fits.

    English cards with the suit first are the canonical form. Other cards must mean the same in every alphabet
    that has them, unless the words of the text show its language.
    """
    joined_lines = list(islice(join_lines(lines), MAX_DEAL_LINES + 1))
    language = _find_named_alphabet(joined_lines)
    if language is not None:
        return DealParser(get_alphabet(language), joined_lines, defaults).parse()
    canonical = DealParser(
        get_alphabet(DEFAULT_LANGUAGE, allow_rank_first=False), joined_lines, defaults, may_try_others=True
    )
    canonical_deal: ParsedDeal | None = None
    with suppress(WrongAlphabet):
        canonical_deal = canonical.parse()
    if canonical_deal is not None and not canonical.has_loose_ranks and not canonical.language_clues:
        return canonical_deal
    return _parse_in_fitting_alphabet(
        joined_lines, defaults, None if canonical.has_loose_ranks else canonical_deal
    )


def _parse_in_fitting_alphabet(
    lines: list[NotationLine], defaults: EveningDefaults | None, canonical: ParsedDeal | None
) -> ParsedDeal:
    """Read a deal in the alphabet that fits; ``canonical`` is the deal if its cards are canonical."""
    fits: dict[str, ParsedDeal] = {}
    language_clues: set[str] = set()
    is_short = sum(len(line.text) for line in lines) <= MAX_LENGTH_TO_TRY_ALL
    for language in ALPHABETS if is_short else ():
        deal = DealParser(get_alphabet(language), lines, defaults, may_try_others=True)
        with suppress(WrongAlphabet):
            fits[language] = deal.parse()
            language_clues |= deal.language_clues
    if not fits:
        return DealParser(get_alphabet(DEFAULT_LANGUAGE), lines, defaults).parse()
    fits = {language: deal for language, deal in fits.items() if not deal.problems} or fits
    first = next(iter(fits.values()))
    if all(deal.log == first.log for deal in fits.values()):
        return first
    chosen = _detect_language(language_clues)
    # A word that stands there by chance does not change the meaning of canonical cards.
    if chosen in fits and (canonical is None or canonical.problems or chosen == DEFAULT_LANGUAGE):
        return fits[chosen]
    return _add_ambiguity_problem(list(fits), lines, first)


def _find_named_alphabet(lines: list[NotationLine]) -> str | None:
    for line in lines:
        if line.tag is None:
            break  # The heading is over.
        if line.tag[0] in LETTERS_TAG_NAMES:
            language = line.tag[1].strip().lower()
            return language if language in ALPHABETS else None
    return None


def _add_ambiguity_problem(languages: list[str], lines: list[NotationLine], deal: ParsedDeal) -> ParsedDeal:
    expected = format_message("Letters: {language}, on its own line", language=" or ".join(languages))
    message = format_message(
        "The cards of this deal can be read in several languages; write {expected} above the first hand.",
        expected=expected,
    )
    problem = lines[0].problem("cards in several alphabets", expected, message)
    return ParsedDeal(deal.log, (*deal.problems, problem))


def _detect_language(clues: set[str]) -> str | None:
    """The language that the clues (values of ``LANGUAGE_CLUES``) show; None for none, or for two."""
    suits = clues - {DANISH_CLUE}
    if len(suits) == 1:
        return next(iter(suits))
    return "da" if clues == {DANISH_CLUE} else None
