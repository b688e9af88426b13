"""Inputs for the fuzzer: logs in both forms, the words of both, and ways of spoiling them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import replays
from engine.core.cards import CARD_CODES
from engine.rulesets import PUBLISHED_RULESETS
from schemas.i18n.catalogs import list_translations
from schemas.notation import format_notation_log
from schemas.notation.alphabets import ALPHABETS, SUIT_BY_WORD, SUIT_SIGNS
from schemas.notation.notation_words import CHOICE_BY_WORD, COLLOQUIAL_NAMES, KNOWN_WORDS, SEAT_BY_WORD
from schemas.notation.opening_tags import LETTERS_TAG_NAMES, PLAYERS_TAG_NAMES, TAGS_BY_OPENER
from schemas.notation.tokens import NOTE_MARKS
from schemas.wire.field_specs import EVENT_SPECS
from tests.support.api.recording import OPENING

DOC: Final = Path(__file__).parents[3] / "docs" / "notation.md"
HEADING: Final = b"Deal: a\nRules: dlu\nPlayers: Anna, Bo, Carl\n"
OPENED: Final = json.dumps(OPENING).encode() + b"\n"
LARGEST: Final = 1 << 14
"""An input grows to so many bytes."""


@cache
def seeds(form: str) -> tuple[bytes, ...]:
    """Logs to begin with, in the notation, as JSON Lines, or in both forms."""
    library = (*replays.list_library(), *replays.list_examples())
    lines = [replay.jsonl for replay in library]
    texts = [format_notation_log(replay.read_log()).encode() for replay in library]
    doc = DOC.read_text(encoding="utf-8")
    texts += [found.encode() for found in re.findall(r"```(?:deal|text)\n(.*?)```", doc, re.DOTALL)]
    texts += [HEADING + said.replace(b"\\", b"") + b"\n" for said in sentences()]
    return tuple({"notation": texts, "jsonlines": lines, "both": [*texts, *lines]}[form])


@cache
def sentences() -> tuple[bytes, ...]:
    """The sentences that docs/notation.md has for each event, whole and without what may be left out."""
    doc = DOC.read_text(encoding="utf-8")
    rows = [line for line in doc.splitlines() if re.match(r"\| `[a-z_]+` \|", line)]
    said = [found for row in rows for found in re.findall(r"`([^`]+)`", row)[1:]]
    return tuple(
        form.encode() for one in said for form in (re.sub(r" ?\[[^]]*\]", "", one), re.sub(r"[][…]", "", one))
    )


@cache
def words() -> tuple[bytes, ...]:
    """What means something in either form, and what looks as if it did."""
    cards = [suit + rank for one in ALPHABETS.values() for suit in one.suits for rank in (*one.ranks, "7")]
    tags = [
        f"{name}:" for tags in TAGS_BY_OPENER.values() for tag in tags for name in (tag.name, *tag.aliases)
    ]
    named = [
        word
        for one in PUBLISHED_RULESETS
        for bid in one.ruleset.bids
        for word in list_translations(bid.words)
    ]
    fields = {f'"{spec.name}":' for specs in EVENT_SPECS.values() for spec in specs}
    signs = [*"{}[]();,:.@#'“”\"\\!?+-–−=/\t\r\0\ufeff\u2028\x85", "\n", "\n  ", "\r\n", "\\n", '\\"', "\\}"]
    junk = ["1", "0", "-1", "1.", "2:", "3)", "@1", "@2.1", "@", "5-2-2", "1" * 11, "??", "S?", "Anna", "x"]
    junk += ["none", "true", "null", "1e3", "2026-11-20T21:30:00Z", "9" * 400, "å" * 201, "SAK2", "s a k 2"]
    junk += ["\ud7ff"]
    chosen = [
        *cards, *CARD_CODES, *tags, *named, *fields, *signs, *junk, *NOTE_MARKS,
        *sorted(KNOWN_WORDS), *SEAT_BY_WORD, *CHOICE_BY_WORD, *COLLOQUIAL_NAMES, *SUIT_SIGNS, *SUIT_BY_WORD,
        *(f"{name}:" for name in LETTERS_TAG_NAMES | PLAYERS_TAG_NAMES),
        *(json.dumps(name) for name in EVENT_SPECS),
    ]  # fmt: skip
    return (*(word.encode() for word in dict.fromkeys(chosen)), b"\xff", b"\xe6", b"\xff\xfe", b"\xc3")


_parts: Final = re.compile(rb'\n|[^\S\n]+|[\w:.@?!"-]+|[^\w\s]').findall


def spoilt(data: bytes, chance: random.Random, form: str = "both", largest: int = LARGEST) -> bytes:
    """``data`` changed in a few places, by words of the forms rather than by single bytes."""
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        data = chance.choice(_WAYS)(data, chance, form)
    return data[:largest]


def _in_parts(change: Callable[[list[bytes], int, random.Random], None]) -> Callable[..., bytes]:
    def way(data: bytes, chance: random.Random, form: str) -> bytes:
        parts = _parts(data) or [b""]
        change(parts, chance.randrange(len(parts)), chance)
        return b"".join(parts)

    return way


def _put(parts: list[bytes], at: int, chance: random.Random) -> None:
    parts[at:at] = [chance.choice(words()), chance.choice((b"", b" "))]


def _replace(parts: list[bytes], at: int, chance: random.Random) -> None:
    parts[at] = chance.choice(words())


def _take_out(parts: list[bytes], at: int, chance: random.Random) -> None:
    del parts[at : at + chance.randint(1, 4)]


def _swap(parts: list[bytes], at: int, chance: random.Random) -> None:
    other = chance.randrange(len(parts))
    parts[at], parts[other] = parts[other], parts[at]


def _repeat(parts: list[bytes], at: int, chance: random.Random) -> None:
    size = chance.randint(1, 12)
    parts[at : at + size] = parts[at : at + size] * chance.choice((2, 3, 30, 1000))


def _stir_line(data: bytes, chance: random.Random, form: str) -> bytes:
    """A line gone, doubled, indented, moved, or another sentence in its place."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    correction = b'Correction of @2 "x" (' + b"; ".join(chance.choices(sentences(), k=2)) + b")"
    lines[at : at + 1] = chance.choice((
        [], [lines[at]] * 2, [b"  " + lines[at]], [b"; ".join(lines[at : at + 3])],
        [chance.choice(sentences())], [correction, lines[at]],
    ))  # fmt: skip
    if chance.random() < 1 / 6:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines or [b""]))
    return b"\n".join(lines)


def _break_off(data: bytes, chance: random.Random, form: str) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _splice(data: bytes, chance: random.Random, form: str) -> bytes:
    other = chance.choice(seeds(form))
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other)) :]


def _flip(data: bytes, chance: random.Random, form: str) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


_WAYS: Final[tuple[Callable[..., bytes], ...]] = (
    _in_parts(_put), _in_parts(_put), _in_parts(_replace), _in_parts(_replace), _in_parts(_take_out),
    _in_parts(_swap), _in_parts(_repeat), _stir_line, _stir_line, _break_off, _splice, _flip,
)  # fmt: skip


def stretched(data: bytes, chance: random.Random) -> Callable[[int], bytes]:
    """Makes inputs of any size of one: a piece of it is repeated until the size is reached."""
    begin = chance.randrange(max(1, len(data)))
    piece = data[begin : begin + chance.choice((1, 2, 5, 20, 200))] or b"F "
    rest = data[begin + len(piece) :]
    return lambda size: data[:begin] + piece * max(1, size // len(piece)) + rest
