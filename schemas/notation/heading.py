"""Reading the heading of a deal: its tags, and what is wrong or lacking among them."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from schemas.notation import opening
from schemas.notation.letters import ALPHABETS
from schemas.notation.opening import (
    DATES,
    DEAL,
    LETTERS,
    NAMED,
    PLAYERS,
    TAGS,
    Tag,
    begins_anew,
    is_seat,
    published_id,
    read_tag,
)
from schemas.notation.paragraphs import Line
from schemas.notation.tokens import Misread, Open
from schemas.notation.values import Reading
from schemas.notation.words import SEATS, Terms, is_plain
from schemas.wire.faults import NOTHING, Fault, nearest, shown
from schemas.wire.unparsable import GLIMPSE

A_HEADING: Final = "its heading first: Deal: a title, Rules: dlu, Players: Anna, Bo, Carl, each on a line"


class Trouble(NamedTuple):
    """What is wrong in a deal's text: the line and column, what was read and what was expected there."""

    line: int
    column: int
    read: str
    expected: str
    message: str


def trouble(line: Line, misread: Misread, shift: int = 0) -> Trouble:
    """An error of a line, at its place; ``shift`` is where in the line the part that was read begins."""
    number, column = line.place(misread.at + shift)
    return Trouble(number, column, misread.read, misread.expected, misread.advice)


def headless(line: Line) -> Trouble:
    """A text that begins with something else than a heading."""
    number, column = line.place(0)
    read = shown(line.text[:GLIMPSE])
    return Trouble(number, column, read, A_HEADING, f"No deal begins with {read}; write {A_HEADING}.")


class Heading:
    """The tags of a log that is being read. ``obj`` is the opening's object as far as they tell it."""

    def __init__(self, opener: str, reading: Reading) -> None:
        self.opener = opener
        self.reading = reading
        self.obj: dict[str, Any] = {"type": opener}
        self.troubles: list[Trouble] = []
        self.told = False
        self._lines: dict[str, Line] = {}
        self._failed: list[str] = []
        self._plain: set[tuple[str, ...]] = set()
        """What stands there without quotation marks."""

    def settle(self) -> None:
        """Reads what depends on other tags, now that all are there: a dealer's seat, a ruleset's id."""
        obj = self.obj
        dealer, players = obj.get("dealer"), obj.get("players")
        if ("dealer",) in self._plain and isinstance(players, dict) and is_seat(dealer, players):
            obj["dealer"] = players.get(SEATS[str(dealer).lower()], dealer)
        if ("ruleset",) in self._plain and "ruleset" in obj:
            obj["ruleset"] = published_id(obj["ruleset"])

    def take(self, line: Line) -> None:
        """Takes a line with a tag."""
        assert line.tag is not None
        name, text, at = line.tag
        tag = NAMED[self.opener].get(name)
        self.told = True
        try:
            self._take(name, tag, text, line)
        except Misread as misread:
            self._failed.append(_pointer(("players",) if tag is None else tag.path))
            self.troubles.append(trouble(line, misread, at))

        if tag is not None or name in PLAYERS:
            self._ask_about_lines_below(line)

    def _ask_about_lines_below(self, line: Line) -> None:
        """Asks about indented lines, which go on with a tag's value, but could be something of their own."""
        opened, ends = Open(), [piece.at for piece in line.pieces[1:]]
        for begin, end in pairwise((0, *ends, len(line.text))):
            if begin and not opened.inside and begins_anew(line.text[begin:end]):
                read = shown(line.text[begin:end][:GLIMPSE])
                expected = "it at the beginning of the line, or the whole text in quotation marks"
                said = f"{read} goes on with the line above, or is something of its own; write {expected}."
                self.troubles.append(trouble(line, Misread(begin, read, expected, said)))
            opened.feed(line.text[begin:end])

    def _take(self, name: str, tag: Tag | None, text: str, line: Line) -> None:
        if name in LETTERS:
            if text.strip().lower() not in ALPHABETS:
                raise Misread(0, shown(text), f"one of {', '.join(ALPHABETS)}")
        elif tag is not None:
            self._put(tag, read_tag(self.opener, tag, text, self.reading), line)
            if not text.startswith(('"', "“")):
                self._plain.add(tag.path)
        elif name in PLAYERS:
            self._take_players(text, line)
        else:
            raise self._no_such_tag(line)

    def _no_such_tag(self, line: Line) -> Misread:
        assert line.tag is not None
        tags = f"a tag of this log: {', '.join(tag.name for tag in TAGS[self.opener])}"
        written = shown(line.text.partition(":")[0])
        if line.tag[0] in DATES:
            expected = "it in the title (Deal: …) or the source (Source: …)"
            said = f"There is no tag {written}: a deal has no date of its own; write {expected}."
            return Misread(-line.tag[2], written, expected, said)
        near = nearest(line.tag[0], {**NAMED[self.opener], **dict.fromkeys(PLAYERS)})
        if near is not None:
            tags = f"{near.capitalize()}: …, if that is meant, or another tag of this log"
        return Misread(-line.tag[2], written, tags, f"There is no tag {written} here; write {tags}.")

    def _put(self, tag: Tag, value: Any, line: Line) -> None:
        self._lines[_pointer(tag.path)] = line
        if value is not None and not opening.put(self.obj, tag.path, value):
            said = f"{tag.name}: stands here a second time; write each tag once."
            raise Misread(0, f"{tag.name}: a second time", "each tag once", said)

    def _take_players(self, text: str, line: Line) -> None:
        spec = opening.SPECS[opening.TABLE, ("players",)]
        names = opening.read_names(spec, text)
        if len(names) != len(SEAT_NAMES):
            raise Misread(0, f"{len(names)} players", "three, in the order of forehand, middlehand, backhand")
        for seat, name in zip(SEAT_NAMES, names, strict=True):
            self._put(NAMED[DEAL][seat], name, line)

    def faulty(self, faults: Iterable[Fault], first: Line) -> list[Trouble]:
        """What is wrong with the opening, each fault at its tag; ``first`` is the log's first line."""
        return [self._told(fault, first) for fault in faults if not self._told_already(fault)]

    def _told_already(self, fault: Fault) -> bool:
        return fault.read == NOTHING and any(fault.pointer.startswith(path) for path in self._failed)

    def _told(self, fault: Fault, first: Line) -> Trouble:
        line = self._lines.get(fault.pointer)
        if line is not None and line.tag is not None:
            return Trouble(*line.place(line.tag[2]), fault.read, fault.expected, fault.advice)
        wanted = next(
            (f"{tag.name}: …" for tag in TAGS[self.opener] if _pointer(tag.path) == fault.pointer), ""
        )
        if fault.pointer == "/players" and self.opener == DEAL:
            wanted = "Players: … (forehand, middlehand, backhand)"
        message = (
            f"The heading lacks {wanted or fault.expected}; write it on a line of its own below this one."
        )
        return Trouble(*first.place(0), NOTHING, wanted or fault.expected, message)


def _pointer(path: tuple[str, ...]) -> str:
    return "/" + "/".join(path)


def seats_by_player(players: Any, terms: Terms) -> dict[str, str]:
    """The seat of each player whose name can stand for it, by the name in small letters.

    A name that the ruleset has for a game, or that two have, stands for nobody.
    """
    if not isinstance(players, dict):
        return {}
    named = [(str(players.get(seat, "")).lower(), seat) for seat in SEAT_NAMES]
    alone = Counter(name for name, _ in named)
    return {name: seat for name, seat in named if alone[name] == 1 and _stands_for_one(name, terms)}


def _stands_for_one(name: str, terms: Terms) -> bool:
    first = (name.split() or [""])[0]
    return is_plain(first) and terms.id_of(name) is None and terms.id_of(first) is None
