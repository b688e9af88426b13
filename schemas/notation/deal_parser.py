"""Reading one deal, or the log of one evening, from its lines."""

from collections.abc import Iterable
from itertools import repeat
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, Event, SurrenderOffered, TricksClaimed
from engine.core.log import NO_METADATA, Entry, Log
from engine.core.message import format_message
from engine.core.tuples import new_tuple
from schemas.notation.alphabets import ALPHABETS, Alphabet, is_card_word_in_any
from schemas.notation.card_lists import may_be_cards
from schemas.notation.deal_progress import EntryReferences, TrickCounter, TurnTracker
from schemas.notation.field_values import find_game_name, take_seat, take_value
from schemas.notation.heading_parser import (
    EXPECTED_HEADING,
    EveningDefaults,
    HeadingParser,
    fill_from_evening,
)
from schemas.notation.joined_lines import LocatedProblem, NotationLine
from schemas.notation.notation_words import (
    DANISH_WORDS,
    PASS_BID,
    SEAT_BY_WORD,
    SEAT_LETTER,
    SECTION_HEADING_WORDS,
    WORD_FORMS,
    build_game_names,
    is_form_of,
)
from schemas.notation.opening_tags import (
    DEAL_OPENED_TYPE,
    SPEC_BY_BRACKET_NAME,
    TAGS_BY_OPENER,
    find_opener,
    parse_tag,
    take_opening,
)
from schemas.notation.plain_sentences import make_play, match_whole_trick, parse_plain_sentences
from schemas.notation.plays_and_notes import (
    is_card_next,
    is_note_next,
    is_play_word_next,
    is_trick_number_next,
    take_mark,
    take_note,
    take_play,
    take_trick_number,
)
from schemas.notation.rewording import REWORDED_WORDS, insert_semicolons, reword_tokens, strip_full_stop
from schemas.notation.sentence_parser import (
    ANSWER_EVENT_TYPES,
    ParsedSentence,
    choose_answer_forms,
    find_draw_form,
    find_sentence_forms,
    take_sentence,
)
from schemas.notation.tokens import (
    WORD_TOKEN,
    AmbiguousNotation,
    NotationError,
    ParsingContext,
    Token,
    TokenCursor,
    give_reason,
    tokenize_line,
)
from schemas.wire.bad_lines import EXCERPT_LENGTH
from schemas.wire.event_reader import EXPECTED_NO_DEEPER_EVENTS, MAX_CORRECTION_DEPTH, read_entry_parts
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS
from schemas.wire.wire_faults import WireError, quote_value, quoted_message

MAX_DEAL_ENTRIES: Final = 2_000
MAX_DEAL_LINES: Final = 4 * MAX_DEAL_ENTRIES
"""Limit of lines, not counting those that continue another."""
MAX_TRICK_CARDS: Final = 3
"""More cards after a seat are its hand."""
DANISH_CLUE: Final = "words: da"
LANGUAGE_CLUES: Final = {
    **dict.fromkeys(DANISH_WORDS, DANISH_CLUE),
    **{name: DANISH_CLUE for tags in TAGS_BY_OPENER.values() for tag in tags for name in tag.danish},
    "bogstaver": DANISH_CLUE,
    **{word: language for language, letters in ALPHABETS.items() for word in letters.words},
}
"""What a word shows: a suit's the language of the cards, other Danish words only that of the text."""
MAX_CARD_WORD_LENGTH: Final = 2
"""Shorter words are mostly cards and seats, which do not show the language."""


class ParsedDeal(NamedTuple):
    """The log of a deal as far as it could be read, and what is wrong with the rest."""

    log: Log
    problems: tuple[LocatedProblem, ...]


class WrongAlphabet(Exception):
    """A card of the deal is not in the current alphabet; another may have it."""


class DealParser:
    """Reads a deal in one alphabet; ``may_try_others`` if another one may be tried after it.

    ``has_loose_ranks``: ranks stand apart from their suits somewhere, which another alphabet may read
    differently. ``language_clues``: values of ``LANGUAGE_CLUES`` for the words of the text.
    ``discarding_seat``: who discards on this line; the same seat's draw may follow without it.
    """

    def __init__(
        self,
        alphabet: Alphabet,
        lines: list[NotationLine],
        evening: EveningDefaults | None = None,
        may_try_others: bool = False,
    ) -> None:
        self.lines = lines
        self.may_try_others = may_try_others
        self.evening = evening
        self.entries: list[Entry] = []
        self.context = ParsingContext(alphabet, references=EntryReferences(self.entries))
        opener = find_opener(lines[0].text) if lines else None
        self.heading = HeadingParser(opener or DEAL_OPENED_TYPE, self.context)
        self.is_open = False
        self.problems: list[LocatedProblem] = []
        self.trick_counter = TrickCounter()
        self.turn_tracker = TurnTracker()
        self.has_loose_ranks = False
        self.language_clues: set[str] = set()
        self.discarding_seat: str | None = None

    def parse(self) -> ParsedDeal:
        """Read all lines, also after bad ones.

        Raises:
            WrongAlphabet: a card or nearly everything is unreadable, and another alphabet may be tried.
        """
        for line in self.lines[:MAX_DEAL_LINES]:
            if self.may_try_others and len(self.problems) > MAX_LISTED_PROBLEMS:
                raise WrongAlphabet
            if not self.is_open and line.tag is not None:
                self.heading.add_line(line)
                self._note_language({line.tag[0]})
                continue
            if not self.is_open:
                self._record_opening()
            if not self._add_whole_trick(line.text) and not self._add_plain_sentences(line.text):
                self._parse_line(line)
            if len(self.entries) > MAX_DEAL_ENTRIES:
                self._add_limit_problem(line, "entries", MAX_DEAL_ENTRIES)
                break
        if len(self.lines) > MAX_DEAL_LINES:
            self._add_limit_problem(self.lines[MAX_DEAL_LINES], "lines", MAX_DEAL_LINES)
        if not self.is_open and self.lines:
            self._record_opening()
        return ParsedDeal(tuple(self.entries), tuple(self.problems))

    def _record_opening(self) -> None:
        self.is_open = True
        self.problems += self.heading.problems
        if self.lines[0].tag is None:
            read = quote_value(self.lines[0].text[:EXCERPT_LENGTH])
            reason = format_message("No deal begins with {read}", read=quoted_message(read))
            message = give_reason(reason, EXPECTED_HEADING)
            self.problems.append(self.lines[0].problem(read, EXPECTED_HEADING, message))
            return
        if self.evening is not None and self.heading.opener == DEAL_OPENED_TYPE:
            fill_from_evening(self.heading.opening, self.evening)
        self.heading.resolve()
        try:
            self._record(self.heading.opening)
        except WireError as error:
            self.problems += self.heading.locate_faults(error.faults, self.lines[0])
        self.context = self.context._replace(
            game_names=build_game_names(self.heading.ruleset_id), seat_by_player=self.heading.seat_by_player
        )

    # --- Sentences --------------------------------------------------------------------------------

    def _add_plain_sentences(self, text: str) -> bool:
        """Record sentences in canonical form; False for a line of other sentences."""
        events = parse_plain_sentences(text, self.context)
        if events is None:
            return False
        self._add_events(events)
        return True

    def _add_events(self, events: Iterable[Event]) -> None:
        numbered = enumerate(events, len(self.entries) + 1)
        self.entries += [new_tuple(Entry, (seq, event, NO_METADATA)) for seq, event in numbered]

    def _add_whole_trick(self, text: str) -> bool:
        """Record a trick in canonical form; False for another line, or if a card is not in the alphabet."""
        found = match_whole_trick(text)
        if found is None:
            return False
        number, sign, *words = found.groups()
        find_card = self.context.alphabet.card_by_word.__getitem__
        try:
            cards = list(map(find_card, words[1::2]))
        except KeyError:
            return False
        trick = self.trick_counter.start_trick(int(number), sign)
        self._add_events(map(make_play, words[::2], cards, repeat(trick)))
        self.trick_counter.add_cards(len(cards))
        return True

    def _parse_line(self, line: NotationLine) -> None:
        try:
            cursor = TokenCursor(self._tokenize(line), len(line.text), self.context)
        except NotationError as misread:
            self.problems.append(line.describe_error(misread))
            return
        self.discarding_seat = None
        if cursor.word().lower() in SECTION_HEADING_WORDS and cursor.tokens[0].has_colon:
            cursor.index += 1
        try:
            while cursor.token is not None:
                if not (cursor.take_sign(";") or cursor.take_sign(",")):
                    _ = cursor.index and cursor.take_word(WORD_FORMS["and"])
                    self._parse_sentence(cursor)
        except NotationError as misread:
            word = cursor.word_at(misread.offset)
            may_try_others = self.may_try_others and not isinstance(misread, AmbiguousNotation)
            if may_try_others and word and is_card_word_in_any(word):
                raise WrongAlphabet from None
            late_tag = parse_tag(line.text) if misread.offset == 0 else None
            error = misread if late_tag is None else _late_tag_error(late_tag[0], word)
            self.problems.append(line.describe_error(error))
        self.has_loose_ranks |= cursor.has_loose_ranks

    def _tokenize(self, line: NotationLine) -> list[Token]:
        """The tokens of a line, reworded; notes the language that its words show."""
        tokens = strip_full_stop(tokenize_line(line.text))
        # The number of a trick is no sentence.
        if line.text.find(". ", len("10.")) > 0:
            tokens = insert_semicolons(tokens, self.context.seat_by_player)
        words = {
            token.text.lower()
            for token in tokens
            if len(token.text) > MAX_CARD_WORD_LENGTH and token.kind == WORD_TOKEN
        }
        self._note_language(words)
        return tokens if words.isdisjoint(REWORDED_WORDS) else reword_tokens(tokens)

    def _note_language(self, words: set[str]) -> None:
        for word in words:
            if word in LANGUAGE_CLUES and word not in self.context.seat_by_player:
                self.language_clues.add(LANGUAGE_CLUES[word])

    def _parse_sentence(self, cursor: TokenCursor) -> None:
        if is_note_next(cursor):
            self._record_sentence(ParsedSentence(take_note(cursor), {}), cursor)
        elif is_trick_number_next(cursor):
            self._parse_plays(cursor, take_trick_number(cursor, self.trick_counter))
        elif self._is_play_next(cursor):
            self._parse_plays(cursor, None)
        elif is_form_of(cursor.word(), "all") and is_form_of(cursor.word(1), "passes"):
            self._record_all_pass(cursor)
        else:
            self._record_sentence(self._take_event(cursor), cursor)

    def _record_all_pass(self, cursor: TokenCursor) -> None:
        """Record ``All pass``: each seat that is due to bid, once, until nobody is."""
        seats = set(SEAT_NAMES)
        if self._next_bidder(cursor) is None:
            raise _pass_without_seat_error(cursor)
        cursor.index += 2
        while (seat := self.turn_tracker.next_to_bid(self.entries)) in seats:
            seats.remove(seat)
            self._record({"type": "bid_made", "seat": seat, "bid": PASS_BID})

    def _next_bidder(self, cursor: TokenCursor) -> str | None:
        """Who is due to bid; None where that is unknown, as inside a correction."""
        return self.turn_tracker.next_to_bid(self.entries) if cursor.depth == 0 else None

    def _is_play_next(self, cursor: TokenCursor) -> bool:
        """Whether one card comes next, with a seat or without; several after a seat are its hand."""
        start = cursor.index
        seat = take_seat(cursor)
        hand = seat is not None and self._is_hand_next(seat, cursor)
        found = not hand and (is_card_next(cursor) or (seat is not None and is_play_word_next(cursor)))
        cursor.index = start
        return found

    def _is_hand_next(self, seat: str, cursor: TokenCursor) -> bool:
        """Whether the cards after a seat are its hand: more than a trick has, or a suit's together."""
        letters, ahead = self.context.alphabet, 0
        while ahead <= MAX_TRICK_CARDS and may_be_cards(cursor.word(ahead), letters):
            ahead += 1
        if len(letters.parse_run(cursor.word()) or ()) > 1:
            return True
        many = ahead > MAX_TRICK_CARDS
        if ahead > 1 and self.trick_counter.card_count > 0 and self._is_hand_or_plays(seat, many):
            raise _hand_or_plays_error(seat, cursor)
        return many

    def _is_hand_or_plays(self, seat: str, has_many_cards: bool) -> bool:
        """Whether cards after a seat may be its hand or plays: many during the play, few before it."""
        play_has_begun = self.trick_counter.next_number > 1
        return play_has_begun if has_many_cards else not play_has_begun and self._next_player() != seat

    def _take_event(self, cursor: TokenCursor) -> ParsedSentence:
        start, seat = cursor.index, take_seat(cursor)
        found = find_sentence_forms(seat, cursor.word())
        if not found and seat is not None and cursor.word().lower() in SEAT_BY_WORD:
            cursor.index, seat = start, None
            found = find_sentence_forms(None, cursor.word())
        if not found and seat is None and self.discarding_seat is not None:
            seat, found = self.discarding_seat, find_draw_form(self.discarding_seat, cursor.word())
        if not found and seat is None and is_form_of(cursor.word().rstrip("!?"), "passes"):
            seat = self._next_bidder(cursor)
            if seat is None:
                raise _pass_without_seat_error(cursor)
            found = find_sentence_forms(seat, cursor.word())
        if found:
            _ = cursor.take_word(WORD_FORMS[found[0].keyword]) or cursor.take_word(WORD_FORMS["takes"])
            if found[0].type in ANSWER_EVENT_TYPES:
                found = choose_answer_forms(found, self._offered_answer_type(), cursor)
            self.discarding_seat = seat if found[0].type == "cards_discarded" else None
        elif seat is not None and self._is_hand_next(seat, cursor):
            found = find_sentence_forms(seat, "hand")
        elif seat is not None and find_game_name(cursor)[0] is not None:
            found = find_sentence_forms(seat, "bids")
        elif (opening := take_opening(cursor)) is not None:
            return ParsedSentence(opening, {})
        else:
            raise cursor.error_here(_WHAT_A_SEAT_DOES if seat is not None else _WHAT_STANDS_ALONE)
        return take_sentence(found, seat, cursor, self._take_corrected_events)

    def _offered_answer_type(self) -> str | None:
        for entry in reversed(self.entries):
            if isinstance(entry.event, TricksClaimed | SurrenderOffered):
                return "claim_answered" if isinstance(entry.event, TricksClaimed) else "surrender_answered"
        return None

    def _parse_plays(self, cursor: TokenCursor, trick: int | None) -> None:
        """Record the cards of a trick, or of several, to the end of the line."""
        while True:
            play = take_play(cursor, trick, self._next_player)
            self.trick_counter.add_cards()
            self._record_sentence(ParsedSentence(play.obj, {"card": play.card_offset}), cursor, play.mark)
            _ = cursor.take_sign(",") or cursor.take_word(WORD_FORMS["and"])
            if cursor.token is None or cursor.is_sign_next(";)"):
                return
            if is_trick_number_next(cursor):
                trick = take_trick_number(cursor, self.trick_counter)
            elif not self._is_play_next(cursor):
                take_seat(cursor)
                raise cursor.error_here("the next card with its seat, or the end of the line")

    def _next_player(self) -> str | None:
        return None if self.trick_counter.has_gap else self.turn_tracker.next_to_play(self.entries)

    def _record_sentence(self, parsed: ParsedSentence, cursor: TokenCursor, mark: str | None = None) -> None:
        """Record an event with its bookkeeping, and the notes after it."""
        own = parsed.obj["type"] != "note_added"
        if own:
            mark = mark or take_mark(cursor, after_card=parsed.obj["type"] == "card_played")
        self._take_metadata(parsed, cursor)
        try:
            seq = self._record(parsed.obj)
        except WireError as error:
            fault = error.faults[0]
            field = fault.pointer.split("/")[1] if "/" in fault.pointer else ""
            offset = parsed.field_offsets.get(field, cursor.tokens[0].offset)
            raise NotationError(offset, fault.read, fault.expected) from None
        if mark is not None and not is_note_next(cursor):
            self._record({"type": "note_added", "text": "", "on": seq, "mark": mark})
        while own and is_note_next(cursor):
            note = take_note(cursor, mark)
            mark = None
            note.setdefault("on", seq)
            self._record_sentence(ParsedSentence(note, {}), cursor)

    def _take_metadata(self, parsed: ParsedSentence, cursor: TokenCursor) -> None:
        """Take bookkeeping in brackets: ``[basis printed; by Anna]``."""
        if not cursor.take_sign("["):
            return
        while not cursor.take_sign("]"):
            name = cursor.word().lower()
            spec = SPEC_BY_BRACKET_NAME.get(name)
            if spec is None or spec.name in parsed.obj:
                pieces = ", ".join(SPEC_BY_BRACKET_NAME)
                expected = format_message("bookkeeping, each piece once: {pieces}", pieces=pieces)
                raise cursor.error_here(expected)
            cursor.index += 1
            parsed.field_offsets[spec.name] = cursor.offset
            parsed.obj[spec.name] = take_value(spec, cursor)
            cursor.take_bracket_separator()

    def _take_corrected_events(self, cursor: TokenCursor) -> list[dict[str, Any]]:
        """Take the events of a correction: sentences in parentheses, with semicolons between them."""
        if cursor.depth == MAX_CORRECTION_DEPTH:
            raise cursor.error_here(EXPECTED_NO_DEEPER_EVENTS)
        cursor.take_sign("(")
        cursor.depth += 1
        found: list[dict[str, Any]] = []
        while not cursor.take_sign(")"):
            if cursor.token is None:
                raise cursor.error_here(") after the correction")
            if not cursor.take_sign(";"):
                found.append(self._take_corrected_event(cursor))
        cursor.depth -= 1
        return found

    def _take_corrected_event(self, cursor: TokenCursor) -> dict[str, Any]:
        if is_note_next(cursor):
            return take_note(cursor)
        number = is_trick_number_next(cursor)
        if number or self._is_play_next(cursor):
            trick = take_trick_number(cursor, None) if number else None
            return take_play(cursor, trick).obj
        return self._take_event(cursor).obj

    # --- Recording --------------------------------------------------------------------------------

    def _record(self, obj: dict[str, Any]) -> int:
        event, record, _ = read_entry_parts(obj)
        self.entries.append(Entry(len(self.entries) + 1, event, record))
        if isinstance(event, ActionWithdrawn):
            self.trick_counter.withdraw_card(event, self.entries, len(self.entries))
        return len(self.entries)

    def _add_limit_problem(self, line: NotationLine, what: str, maximum: int) -> None:
        count = f"{maximum} {what}"
        message = format_message(
            "A log has at most {count}; begin the next one with Deal: and its title.", count=count
        )
        self.problems.append(line.problem(f"more than {count}", f"at most {count} in a log", message))
        del self.entries[MAX_DEAL_ENTRIES:]


def _late_tag_error(name: str, text: str) -> NotationError:
    message = format_message("{read}: is a tag; move it up, before the first hand, bid or card.", read=text)
    return NotationError(0, f"{name}:", "tags only in the heading", message=message)


def _pass_without_seat_error(cursor: TokenCursor) -> NotationError:
    read = cursor.word()
    message = format_message(
        "The text above does not show who passes; write F, M or B before {read}.", read=read
    )
    return NotationError(cursor.offset, f"{read} without a seat", "F, M or B before it", message=message)


def _hand_or_plays_error(seat: str, cursor: TokenCursor) -> NotationError:
    letter = SEAT_LETTER[seat]
    expected = format_message("{seat} hand …, or a seat before each card", seat=letter)
    reason = format_message("This may be the hand of {read}, or cards that were played", read=letter)
    return NotationError(cursor.offset, "several cards", expected, reason)


_WHAT_A_SEAT_DOES: Final = (
    "an action of this seat: hand, bids, passes, names, discards, draws, stands, shows, holds, a card, …"
)
_WHAT_STANDS_ALONE: Final = (
    "a seat (F, M, B), the number of a trick, a note in braces, or Talon, Turned, Result, Ruling, Gap, "
    "Settled, Correction, …"
)
