"""Reading one deal, or the log of one evening, from its lines."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from engine.cards import CARD_OF, SEAT_NAMES, SEAT_OF
from engine.events import ActionWithdrawn, CardPlayed, CorrectionMade
from engine.fold import evolve
from engine.history import effective
from engine.legality import legal
from engine.log import Entry, Log
from engine.state import START, State
from schemas.declaration import BOOKKEEPING, FieldSpec
from schemas.faults import NOTHING, Fault, WireError
from schemas.notation import opening
from schemas.notation.letters import ALPHABETS, alphabet
from schemas.notation.notes import is_note, read_note
from schemas.notation.opening import DEAL, LETTERS, NAMED, PLAYERS, Tag, read_tag
from schemas.notation.paragraphs import Line, lines_of_deal
from schemas.notation.plays import (
    Tricks,
    after,
    begins_trick,
    glued_mark,
    is_card,
    read_number,
    read_play,
    whole_trick,
)
from schemas.notation.telling import Told, candidates, read_sentence
from schemas.notation.tokens import STRING, CardUnread, Cursor, Misread, tokens_of
from schemas.notation.values import Reading, seat_of
from schemas.notation.words import SEATS, is_plain, terms_of
from schemas.reader import read_parts

ENTRIES: Final = 2_000
"""A log has at most so many entries, as in JSON Lines."""


class Trouble(NamedTuple):
    """What is wrong in a deal's text: the line and column, what was read and what was expected there."""

    line: int
    column: int
    read: str
    expected: str
    message: str


class Deal(NamedTuple):
    """What a deal's text says: its log as far as it could be read, and what is wrong with the rest."""

    log: Log
    troubles: tuple[Trouble, ...]


class OtherLetters(Exception):
    """A card of the deal is not written in the alphabet at hand; another may have it."""


def read_deal(lines: Sequence[tuple[int, str]]) -> Deal:
    """Reads a deal from its lines, each with its number; in English letters, or in those that fit."""
    put_together = list(lines_of_deal(lines))
    named = _letters_named(put_together)
    if named is not None:
        return _Deal(named, put_together).read()
    fits = []
    for language in ALPHABETS:
        try:
            deal = _Deal(language, put_together, others=True).read()
        except OtherLetters:
            continue
        if language == "en":
            return deal
        fits.append((language, deal))
    if not fits:
        return _Deal("en", put_together).read()
    if any(deal.log != fits[0][1].log for _, deal in fits[1:]):
        return _ambiguous([language for language, _ in fits], put_together, fits[0][1])
    return fits[0][1]


def _letters_named(lines: list[Line]) -> str | None:
    for line in lines:
        if line.tag is not None and line.tag[0] in LETTERS:
            language = line.tag[1].strip().lower()
            return language if language in ALPHABETS else None
    return None


def _ambiguous(languages: list[str], lines: list[Line], deal: Deal) -> Deal:
    line, column = lines[0].place(0)
    expected = f"Letters: {' or '.join(languages)}, on a line of its own"
    message = (
        f"The cards of this deal can be read in several languages; write {expected}, above the first hand."
    )
    return Deal(
        deal.log, (*deal.troubles, Trouble(line, column, "cards in several alphabets", expected, message))
    )


class _Deal:
    """A deal that is being read in one alphabet; ``others``: another one may be tried after it."""

    def __init__(self, language: str, lines: list[Line], others: bool = False) -> None:
        self.lines = lines
        self.others = others
        self.reading = Reading(alphabet(language))
        self.opener = opening.opener_of(lines[0].text) if lines else DEAL
        self.opened: dict[str, Any] = {}
        self.tags: dict[str, Line] = {}
        self.heading = True
        self.entries: list[Entry] = []
        self.troubles: list[Trouble] = []
        self.tricks = Tricks()
        self.turn = Turn()

    def read(self) -> Deal:
        """Reads every line; a bad one is told, and the next one read.

        Raises:
            OtherLetters: a card cannot be read, and another alphabet may be tried.
        """
        for line in self.lines:
            if self.heading and line.tag is not None:
                self._take_tag(line)
                continue
            if self.heading:
                self._open()
            found = whole_trick(line.text)
            if found is None or not self._take_trick(found):
                self._take_line(line)
            if len(self.entries) > ENTRIES:
                self._tell_full(line)
                break
        if self.heading and self.lines:
            self._open()
        return Deal(tuple(self.entries), tuple(self.troubles))

    # --- The opening ------------------------------------------------------------------------------

    def _take_tag(self, line: Line) -> None:
        assert line.tag is not None
        name, text, at = line.tag
        tag = NAMED[self.opener].get(name)
        try:
            if name in LETTERS:
                self._take_letters(text, at)
            elif tag is not None:
                self._put(tag, read_tag(self.opener, tag, text, self.reading), line)
            elif name in PLAYERS:
                self._take_players(text, line)
            else:
                raise Misread(
                    0,
                    f"{name}:",
                    "a tag of this log: " + ", ".join(t.name for t in opening.TAGS[self.opener]),
                )
        except Misread as misread:
            self._tell(line, misread, at)

    def _take_letters(self, text: str, at: int) -> None:
        if text.strip().lower() not in ALPHABETS:
            raise Misread(0, f'"{text}"', f"one of {', '.join(ALPHABETS)}")

    def _put(self, tag: Tag, value: Any, line: Line) -> None:
        self.tags["/" + "/".join(tag.path)] = line
        if value is not None and not opening.put(self.opened, tag.path, value):
            raise Misread(0, f"{tag.name}: a second time", "each tag once")

    def _take_players(self, text: str, line: Line) -> None:
        spec = opening.SPECS[opening.TABLE, ("players",)]
        names = opening.read_field(spec, Cursor(tokens_of(text), len(text)), self.reading)
        if len(names) != len(SEAT_NAMES):
            raise Misread(0, f"{len(names)} players", "three, in the order of forehand, middlehand, backhand")
        for seat, name in zip(SEAT_NAMES, names, strict=True):
            self._put(NAMED[DEAL][seat], name, line)

    def _open(self) -> None:
        """The heading is over: the log opens with what its tags say."""
        self.heading = False
        obj = {"type": self.opener, **self.opened}
        try:
            self._record(obj)
        except WireError as error:
            for fault in error.faults:
                self._tell_opening(fault)
        known = _seats_by_player(self.opened.get("players"))
        terms = terms_of(self.opened["ruleset"]) if "ruleset" in self.opened else self.reading.terms
        self.reading = self.reading._replace(terms=terms, players=known)

    def _tell_opening(self, fault: Fault) -> None:
        tag = next(
            (tag for tag in opening.TAGS[self.opener] if fault.pointer == "/" + "/".join(tag.path)), None
        )
        line = self.tags.get(fault.pointer)
        if line is not None and line.tag is not None:
            number, column = line.place(line.tag[2])
            self.troubles.append(Trouble(number, column, fault.read, fault.expected, fault.advice))
            return
        if fault.pointer == "/players":
            tag = NAMED[DEAL]["forehand"]
        number, column = self.lines[0].place(0)
        wanted = f"{tag.name}: …" if tag is not None else fault.expected
        message = f"The heading lacks {wanted}; write it on a line of its own below this one."
        self.troubles.append(Trouble(number, column, NOTHING, wanted, message))

    # --- Sentences --------------------------------------------------------------------------------

    def _take_trick(self, found: Any) -> bool:
        """A whole trick in canonical form; False where its cards are none of this alphabet's."""
        number, sign, first, one, second, two, third, three = found.groups()
        cards = self.reading.letters.cards
        codes = [cards.get(card) for card in (one, two, three)]
        if None in codes:
            return False
        trick = self.tricks.anchor(int(number), sign)
        for letter, code in zip((first, second, third), codes, strict=True):
            event = CardPlayed(SEAT_OF[SEATS[letter.lower()]], CARD_OF[str(code)], trick)
            self.entries.append(Entry(len(self.entries) + 1, event))
        return True

    def _take_line(self, line: Line) -> None:
        try:
            cursor = Cursor(tokens_of(line.text), len(line.text))
            while cursor.token is not None:
                if not (cursor.sign(";") or cursor.sign(",")):
                    self._take_sentence(cursor, line)
        except CardUnread as misread:
            if self.others:
                raise OtherLetters from None
            self._tell(line, misread)
        except Misread as misread:
            self._tell(line, misread)

    def _take_sentence(self, cursor: Cursor, line: Line) -> None:
        if is_note(cursor):
            told = Told(read_note(cursor, self.reading), {})
            self._finish(told, cursor, line)
        elif begins_trick(cursor):
            self._take_plays(cursor, line, read_number(cursor, self.tricks))
        elif self._is_play(cursor):
            self._take_plays(cursor, line, None)
        else:
            self._finish(self._told(cursor), cursor, line)

    def _is_play(self, cursor: Cursor) -> bool:
        ahead = 1 if cursor.word().lower() in SEATS else 0
        return is_card(cursor, self.reading, ahead)

    def _told(self, cursor: Cursor) -> Told:
        """The sentence that comes next, as an event's object."""
        start, seat = cursor.next, seat_of(cursor, self.reading)
        found = candidates(seat, cursor.word())
        if not found and seat is not None and cursor.word().lower() in SEATS:
            cursor.next, seat = start, None
            found = candidates(None, cursor.word())
        if found:
            cursor.next += 1
            return read_sentence(found, seat, cursor, self.reading, self._within)
        if seat is not None and (bid := self._bid(cursor)) is not None:
            return Told({"type": "bid_made", "seat": seat, "bid": bid}, {})
        if opening.is_opened(cursor):
            return Told(opening.read_opened(cursor, self.reading), {})
        raise cursor.misread(_WHAT_A_SEAT_DOES if seat is not None else _WHAT_STANDS_ALONE)

    def _bid(self, cursor: Cursor) -> str | None:
        """A bid without its verb: ``F solo``."""
        token = cursor.token
        if token is not None and token.kind == STRING:
            return None
        meant = self.reading.terms.meant(cursor.word())
        if meant not in self.reading.terms.ids:
            return None
        cursor.next += 1
        return meant

    def _take_plays(self, cursor: Cursor, line: Line, trick: int | None) -> None:
        """The cards of a trick, or of several, to the end of the line."""
        while True:
            played = read_play(cursor, self.reading, trick, self._due)
            self._finish(Told(played.obj, {"card": played.at}), cursor, line, played.mark)
            cursor.sign(",")
            if cursor.token is None or cursor.is_sign(";)"):
                return
            if begins_trick(cursor):
                trick = read_number(cursor, self.tricks)
            elif not self._is_play(cursor):
                raise cursor.misread("the next card with its seat, or the end of the line")

    def _due(self) -> str | None:
        """Whose card comes next: the seat after the last in a trick, else whoever leads."""
        return self.turn.of(self.entries)

    def _finish(self, told: Told, cursor: Cursor, line: Line, mark: str | None = None) -> None:
        """Records an event with its bookkeeping, and the notes that stand behind it."""
        own = told.obj["type"] != "note_added"
        if own:
            mark = mark or glued_mark(cursor)
        self._bracket(told, cursor)
        try:
            seq = self._record(told.obj)
        except WireError as error:
            raise _misread_of(error.faults[0], told, cursor) from None
        if mark is not None and not is_note(cursor):
            self._record({"type": "note_added", "text": "", "on": seq, "mark": mark})
        while own and is_note(cursor):
            note = read_note(cursor, self.reading, mark)
            mark = None
            note.setdefault("on", seq)
            self._finish(Told(note, {}), cursor, line)

    def _bracket(self, told: Told, cursor: Cursor) -> None:
        """Bookkeeping in brackets behind an entry: ``[basis printed; by Anna]``."""
        if not cursor.sign("["):
            return
        while not cursor.sign("]"):
            name = cursor.word().lower()
            spec = IN_BRACKETS.get(name)
            if spec is None or spec.name in told.obj:
                raise cursor.misread(f"bookkeeping, each piece once: {', '.join(IN_BRACKETS)}")
            cursor.next += 1
            told.places[spec.name] = cursor.at
            told.obj[spec.name] = opening.read_field(spec, cursor, self.reading)
            if not cursor.sign(";") and not cursor.is_sign("]"):
                raise cursor.misread("; or ]")

    def _within(self, cursor: Cursor) -> list[dict[str, Any]]:
        """The events that a correction puts in: sentences in parentheses, with semicolons between them."""
        cursor.sign("(")
        found: list[dict[str, Any]] = []
        while not cursor.sign(")"):
            if cursor.token is None:
                raise cursor.misread(") behind what the correction puts in")
            if not cursor.sign(";"):
                found.append(self._corrected(cursor))
        return found

    def _corrected(self, cursor: Cursor) -> dict[str, Any]:
        if is_note(cursor):
            return read_note(cursor, self.reading)
        number = begins_trick(cursor)
        if number or self._is_play(cursor):
            trick = read_number(cursor, None) if number else None
            return read_play(cursor, self.reading, trick, lambda: None).obj
        return self._told(cursor).obj

    # --- Recording and telling --------------------------------------------------------------------

    def _record(self, obj: dict[str, Any]) -> int:
        event, record, _ = read_parts(obj)
        self.entries.append(Entry(len(self.entries) + 1, event, record))
        return len(self.entries)

    def _tell(self, line: Line, misread: Misread, shift: int = 0) -> None:
        number, column = line.place(misread.at + shift)
        self.troubles.append(Trouble(number, column, misread.read, misread.expected, misread.advice))

    def _tell_full(self, line: Line) -> None:
        number, column = line.place(0)
        expected = f"at most {ENTRIES} entries in a log"
        message = f"A log has at most {ENTRIES} entries; begin the next one with Deal: and its title."
        self.troubles.append(Trouble(number, column, "one entry more", expected, message))
        del self.entries[ENTRIES:]


_WHAT_A_SEAT_DOES: Final = (
    "what this seat does: hand, bids, passes, names, discards, draws, stands, shows, holds, a card, …"
)
_WHAT_STANDS_ALONE: Final = (
    "a seat (F, M, B), the number of a trick, a note in braces, or Talon, Turned, Result, Ruling, Gap, "
    "Settled, Correction, …"
)
IN_BRACKETS: Final[dict[str, FieldSpec]] = {
    opening.IN_BRACKETS.get(spec.name, spec.name): spec for spec in BOOKKEEPING if spec.name != "seq"
}
"""Bookkeeping by its name in brackets."""


def _seats_by_player(players: Any) -> dict[str, str]:
    """The seat of each player whose name can stand for it, by the name in small letters."""
    if not isinstance(players, dict):
        return {}
    named = [(str(players.get(seat, "")).lower(), seat) for seat in SEAT_NAMES]
    alone = Counter(name for name, _ in named)
    return {name: seat for name, seat in named if alone[name] == 1 and is_plain((name.split() or [""])[0])}


def _misread_of(fault: Fault, told: Told, cursor: Cursor) -> Misread:
    """The first fault of an event as an error of the line, at the field that has it."""
    name = fault.pointer.split("/")[1] if "/" in fault.pointer else ""
    return Misread(told.places.get(name, cursor.tokens[0].at), fault.read, fault.expected)


class Turn:
    """Whose card comes next, by the deal as far as it is told; the fold goes on from where it stood."""

    def __init__(self) -> None:
        self.state: State = START
        self.done = 0

    def of(self, entries: list[Entry]) -> str | None:
        """The seat that is due; None where nobody can tell."""
        new = entries[self.done :]
        if any(isinstance(entry.event, CorrectionMade | ActionWithdrawn) for entry in new):
            self.state = START
            new = list(effective(tuple(entries)).entries)
        for entry in new:
            self.state = evolve(self.state, entry)
        self.done = len(entries)
        last = entries[-1].event if entries else None
        if isinstance(last, CardPlayed) and self.state.play.cards:
            return after(SEAT_NAMES[last.seat])
        due = legal(self.state)
        return (
            SEAT_NAMES[due.seat]
            if due is not None and due.action == "play" and due.seat is not None
            else None
        )
