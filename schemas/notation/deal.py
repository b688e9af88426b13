"""Reading one deal, or the log of one evening, from its lines."""

from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_OF, SEAT_NAMES, SEAT_OF
from engine.core.events import ActionWithdrawn, CardPlayed, SurrenderOffered, TricksClaimed
from engine.core.log import Entry, Log
from schemas.notation import opening
from schemas.notation.evenings import Evening, fill
from schemas.notation.heading import Heading, Trouble, headless, seats_by_player, trouble
from schemas.notation.holdings import may_be_cards
from schemas.notation.languages import LANGUAGE_OF, SHORT
from schemas.notation.letters import Alphabet, says_in_any
from schemas.notation.notes import is_note, read_note
from schemas.notation.opening import DEAL
from schemas.notation.paragraphs import Line
from schemas.notation.phrases import ALL, OTHERWISE, put_otherwise, with_semicolons
from schemas.notation.plays import (
    begins_trick,
    glued_mark,
    is_card,
    plays_ahead,
    read_number,
    read_play,
    whole_trick,
)
from schemas.notation.references import References
from schemas.notation.sentences import Sentence
from schemas.notation.telling import ANSWERS, TAKING, Told, answering, candidates, drawing, read_sentence
from schemas.notation.terms import PASS, name_ahead
from schemas.notation.tokens import WORD, Ambiguous, Cursor, Misread, Token, tokens_of, without_full_stop
from schemas.notation.tricks import Tricks
from schemas.notation.turn import Turn
from schemas.notation.values import Reading, seat_of
from schemas.notation.words import FORMS, LETTER, NO_TERMS, SEATS, SECTIONS, is_word, terms_of
from schemas.wire.declaration import BOOKKEEPING, FieldSpec
from schemas.wire.faults import Fault, WireError
from schemas.wire.jsonlines import LISTED
from schemas.wire.reader import DEEPEST, NO_DEEPER, read_parts

ENTRIES: Final = 2_000
"""A log has at most so many entries, as in JSON Lines."""
LINES: Final = 4 * ENTRIES
"""A deal is written on at most so many lines, not counting those that go on from the one above."""
AND: Final = FORMS["and"]
LONGEST_TRICK: Final = 3
"""More cards than that behind a seat are its hand."""


class Deal(NamedTuple):
    """What a deal's text says: its log as far as it could be read, and what is wrong with the rest."""

    log: Log
    troubles: tuple[Trouble, ...]


class OtherLetters(Exception):
    """A card of the deal is not written in the alphabet at hand; another may have it."""


class DealText:
    """A deal that is being read in one alphabet; ``others``: another one may be tried after it."""

    def __init__(
        self, letters: Alphabet, lines: list[Line], evening: Evening | None = None, others: bool = False
    ) -> None:
        self.lines = lines
        self.others = others
        self.evening = evening
        self.entries: list[Entry] = []
        self.reading = Reading(letters, references=References(self.entries))
        self.heading = Heading(opening.opener_of(lines[0].text) if lines else DEAL, self.reading)
        self.open = False
        self.troubles: list[Trouble] = []
        self.tricks = Tricks()
        self.turn = Turn()
        self.apart = False
        """Whether ranks stand apart from their suits somewhere: another alphabet may read them otherwise."""
        self.spoken: set[str] = set()
        """What the words of the text say of its language."""
        self.actor: str | None = None
        """Who discards on this line: what he draws may follow without him."""

    def read(self) -> Deal:
        """Reads every line; a bad one is told, and the next one read.

        Raises:
            OtherLetters: a card cannot be read, or hardly anything, and another alphabet may be tried.
        """
        for line in self.lines[:LINES]:
            if self.others and len(self.troubles) > LISTED:
                raise OtherLetters
            if not self.open and line.tag is not None:
                self.heading.take(line)
                self._listen(line.tag[0])
                continue
            if not self.open:
                self._open()
            found = whole_trick(line.text)
            if found is None or not self._take_trick(found):
                self._take_line(line)
            if len(self.entries) > ENTRIES:
                self._tell_full(line, "entries", ENTRIES)
                break
        if len(self.lines) > LINES:
            self._tell_full(self.lines[LINES], "lines", LINES)
        if not self.open and self.lines:
            self._open()
        return Deal(tuple(self.entries), tuple(self.troubles))

    def _open(self) -> None:
        """The heading is over: the log opens with what its tags say."""
        self.open = True
        self.troubles += self.heading.troubles
        if not self.heading.told:
            self.troubles.append(headless(self.lines[0]))
            return
        if self.evening is not None and self.heading.opener == DEAL:
            fill(self.heading.obj, self.evening)
        self.heading.settle()
        try:
            self._record(self.heading.obj)
        except WireError as error:
            self.troubles += self.heading.faulty(error.faults, self.lines[0])
        obj = self.heading.obj
        terms = terms_of(obj["ruleset"]) if "ruleset" in obj else NO_TERMS
        self.reading = self.reading._replace(terms=terms, players=seats_by_player(obj.get("players"), terms))

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
        self.tricks.add(len(codes))
        return True

    def _take_line(self, line: Line) -> None:
        try:
            cursor = Cursor(self._tokens(line), len(line.text))
        except Misread as misread:
            self._tell(line, misread)
            return
        self.actor = None
        if cursor.token is not None and cursor.token.colon and cursor.word().lower() in SECTIONS:
            cursor.next += 1
        try:
            while cursor.token is not None:
                if not (cursor.sign(";") or cursor.sign(",")):
                    _ = cursor.next and cursor.takes(AND)
                    self._take_sentence(cursor)
        except Misread as misread:
            word = cursor.word_at(misread.at)
            if self.others and not isinstance(misread, Ambiguous) and word and says_in_any(word):
                raise OtherLetters from None
            late = opening.tag_of(line.text) if misread.at == 0 else None
            self._tell(line, misread if late is None else _too_late(late[0], word))
        self.apart |= cursor.apart

    def _tokens(self, line: Line) -> list[Token]:
        """The tokens of a line, put as the notation has it; what they say of the language is noticed."""
        tokens = without_full_stop(tokens_of(line.text))
        # The number of a trick is no sentence.
        if line.text.find(". ", len("10.")) > 0:
            tokens = with_semicolons(tokens, self.reading.players)
        otherwise = False
        for token in tokens:
            if len(token.text) > SHORT and token.kind == WORD:
                word = token.text.lower()
                if word in LANGUAGE_OF:
                    self._listen(word)
                otherwise = otherwise or word in OTHERWISE
        return put_otherwise(tokens) if otherwise else tokens

    def _listen(self, word: str) -> None:
        """Takes notice of a word, in small letters, that says in which language the text is."""
        said = LANGUAGE_OF.get(word)
        if said is not None and word not in self.reading.players:
            self.spoken.add(said)

    def _take_sentence(self, cursor: Cursor) -> None:
        if is_note(cursor):
            told = Told(read_note(cursor, self.reading), {})
            self._finish(told, cursor)
        elif begins_trick(cursor):
            self._take_plays(cursor, read_number(cursor, self.tricks))
        elif self._is_play(cursor):
            self._take_plays(cursor, None)
        elif cursor.word().lower() in ALL and is_word(cursor.word(1), "passes"):
            self._all_pass(cursor)
        else:
            self._finish(self._told(cursor), cursor)

    def _all_pass(self, cursor: Cursor) -> None:
        """``All pass``: every seat that is due to bid, each once, until nobody is."""
        seats = set(SEAT_NAMES)
        if self._to_bid(cursor) is None:
            raise _whose_call(cursor)
        cursor.next += 2
        while (seat := self.turn.to_bid(self.entries)) in seats:
            seats.remove(seat)
            self._record({"type": "bid_made", "seat": seat, "bid": PASS})

    def _to_bid(self, cursor: Cursor) -> str | None:
        """Who is due to bid; None where nobody can tell, as inside a correction."""
        return self.turn.to_bid(self.entries) if cursor.depth == 0 else None

    def _is_play(self, cursor: Cursor) -> bool:
        """Whether one card comes next, with a seat or without; several behind a seat are its hand."""
        start = cursor.next
        seat = seat_of(cursor, self.reading)
        hand = seat is not None and self._is_hand(seat, cursor)
        found = not hand and (is_card(cursor, self.reading) or (seat is not None and plays_ahead(cursor)))
        cursor.next = start
        return found

    def _is_hand(self, seat: str, cursor: Cursor) -> bool:
        """Whether the cards behind a seat are its hand: more than a trick has, or a suit's together.

        Raises:
            Misread: they may be its hand, or what it and those after it play.
        """
        letters, ahead = self.reading.letters, 0
        while ahead <= LONGEST_TRICK and may_be_cards(cursor.word(ahead), letters):
            ahead += 1
        if len(letters.fan(cursor.word()) or ()) > 1:
            return True
        many = ahead > LONGEST_TRICK
        if ahead > 1 and self.tricks.cards > 0 and self._may_be_either(seat, many):
            raise _hand_or_plays(seat, cursor)
        return many

    def _may_be_either(self, seat: str, many: bool) -> bool:
        """Whether cards behind a seat may be its hand as well as plays: many in the play, few before it."""
        at_play = self.tricks.next > 1
        return at_play if many else not at_play and self._due() != seat

    def _told(self, cursor: Cursor) -> Told:
        """The sentence that comes next, as an event's object."""
        start, seat = cursor.next, seat_of(cursor, self.reading)
        found = candidates(seat, cursor.word())
        if not found and seat is not None and cursor.word().lower() in SEATS:
            cursor.next, seat = start, None
            found = candidates(None, cursor.word())
        if not found and seat is None and self.actor is not None:
            seat, found = self.actor, drawing(self.actor, cursor.word())
        if not found and seat is None and is_word(cursor.word().rstrip("!?"), "passes"):
            seat = self._to_bid(cursor)
            if seat is None:
                raise _whose_call(cursor)
            found = candidates(seat, cursor.word())
        if found:
            self._skip_verb(found, cursor)
            if found[0].type in ANSWERS:
                found = answering(found, self._offered(), cursor)
            self.actor = seat if found[0].type == "cards_discarded" else None
            return read_sentence(found, seat, cursor, self.reading, self._within)
        if seat is not None and self._is_hand(seat, cursor):
            return read_sentence(candidates(seat, "hand"), seat, cursor, self.reading, self._within)
        if seat is not None and self._is_bid(cursor):
            return read_sentence(candidates(seat, "bids"), seat, cursor, self.reading, self._within)
        if opening.is_opened(cursor):
            return Told(opening.read_opened(cursor, self.reading), {})
        raise cursor.misread(_WHAT_A_SEAT_DOES if seat is not None else _WHAT_STANDS_ALONE)

    def _skip_verb(self, found: tuple[Sentence, ...], cursor: Cursor) -> None:
        if not cursor.takes(FORMS[found[0].key]):
            cursor.takes(TAKING)

    def _offered(self) -> str | None:
        """The type of answer that the last offer of the deal asks for."""
        for entry in reversed(self.entries):
            if isinstance(entry.event, TricksClaimed | SurrenderOffered):
                return "claim_answered" if isinstance(entry.event, TricksClaimed) else "surrender_answered"
        return None

    def _is_bid(self, cursor: Cursor) -> bool:
        """Whether a bid comes next without its verb: ``F solo``."""
        return name_ahead(cursor, self.reading.terms)[0] is not None

    def _take_plays(self, cursor: Cursor, trick: int | None) -> None:
        """The cards of a trick, or of several, to the end of the line."""
        while True:
            played = read_play(cursor, self.reading, trick, self._due)
            self.tricks.add()
            self._finish(Told(played.obj, {"card": played.at}), cursor, played.mark)
            _ = cursor.sign(",") or cursor.takes(AND)
            if cursor.token is None or cursor.is_sign(";)"):
                return
            if begins_trick(cursor):
                trick = read_number(cursor, self.tricks)
            elif not self._is_play(cursor):
                seat_of(cursor, self.reading)
                raise cursor.misread("the next card with its seat, or the end of the line")

    def _due(self) -> str | None:
        """Whose card comes next: the seat after the last in a trick, else whoever leads."""
        return None if self.tricks.gap else self.turn.to_play(self.entries)

    def _finish(self, told: Told, cursor: Cursor, mark: str | None = None) -> None:
        """Records an event with its bookkeeping, and the notes that stand behind it."""
        own = told.obj["type"] != "note_added"
        if own:
            mark = mark or glued_mark(cursor, card=told.obj["type"] == "card_played")
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
            self._finish(Told(note, {}), cursor)

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
        if cursor.depth == DEEPEST:
            raise cursor.misread(NO_DEEPER)
        cursor.sign("(")
        cursor.depth += 1
        found: list[dict[str, Any]] = []
        while not cursor.sign(")"):
            if cursor.token is None:
                raise cursor.misread(") behind what the correction puts in")
            if not cursor.sign(";"):
                found.append(self._corrected(cursor))
        cursor.depth -= 1
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
        if isinstance(event, ActionWithdrawn):
            self.tricks.take_back(event, self.entries, len(self.entries))
        return len(self.entries)

    def _tell(self, line: Line, misread: Misread, shift: int = 0) -> None:
        self.troubles.append(trouble(line, misread, shift))

    def _tell_full(self, line: Line, what: str, most: int) -> None:
        number, column = line.place(0)
        expected = f"at most {most} {what} in a log"
        message = f"A log has at most {most} {what}; begin the next one with Deal: and its title."
        self.troubles.append(Trouble(number, column, f"more than {most} {what}", expected, message))
        del self.entries[ENTRIES:]


def _too_late(name: str, written: str) -> Misread:
    """The error of a tag below the heading."""
    said = f"{written}: is a tag; write it further up, before the first hand, bid or card."
    return Misread(0, f"{name}:", "tags only in the heading", said)


def _whose_call(cursor: Cursor) -> Misread:
    """The error of a pass without a seat, where nobody is known to be due."""
    read = cursor.word()
    said = f"Nobody can tell from what stands above who passes; write F, M or B before {read}."
    return Misread(cursor.at, f"{read} without a seat", "F, M or B before it", said)


def _hand_or_plays(seat: str, cursor: Cursor) -> Misread:
    """The error of cards behind a seat, of which nobody can tell what they are."""
    letter = LETTER[seat]
    expected = f"{letter} hand …, or a seat before each card"
    said = f"These may be the hand of {letter}, or cards played; write {expected}."
    return Misread(cursor.at, "several cards", expected, said)


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


def _misread_of(fault: Fault, told: Told, cursor: Cursor) -> Misread:
    """The first fault of an event as an error of the line, at the field that has it."""
    name = fault.pointer.split("/")[1] if "/" in fault.pointer else ""
    return Misread(told.places.get(name, cursor.tokens[0].at), fault.read, fault.expected)
