"""How a value of each kind is read from the words of a sentence.

What is read is the value as JSON has it; whether it may be is for the reader of events to say, which is
as strict here as for JSON Lines (``schemas.wire.event_reader``).
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.view import PUBLIC_IRREGULARITY_KINDS
from schemas.notation.alphabets import Alphabet
from schemas.notation.card_lists import take_cards
from schemas.notation.entry_references import LAST_ENTRY_WORDS, TRICK_PLAY_WORDS, EntryReferences
from schemas.notation.escapes import unquote_text
from schemas.notation.game_name_parser import take_game_name
from schemas.notation.notation_words import (
    CANONICAL_WORD,
    CHOICE_BY_WORD,
    GAME_NAME_FIELDS,
    IRREGULARITY_KIND_FIELD,
    NO_GAME_NAMES,
    RESERVED_WORDS,
    SEAT_BY_WORD,
    WORD_FORMS,
    GameNames,
    is_form_of,
    is_misspelled_kind,
)
from schemas.notation.sentence_forms import sentence_forms_by_keyword
from schemas.notation.tokenizer import SIGN_TOKEN, STRING_TOKEN, NotationError, TokenCursor
from schemas.wire.field_specs import FieldSpec
from schemas.wire.wire_faults import find_nearest_word

EXPECTED_CARD_WORD: Final = "a card, such as SA, ♥7 or ?? (the letters of cards: Letters: en, da, es or fr)"
EXPECTED_CARD_LIST: Final = "cards, such as SA H7 ??, or none"
UNSEEN_CARD: Final = "??"

_number: Final = re.compile(r"[+\-−]?[0-9]{1,10}").fullmatch
_is_card_count: Final = re.compile(r"[0-9]|1[0-3]").fullmatch
_is_counts_by_seat: Final = re.compile(r"[0-9]{1,10}(?:[-–][0-9]{1,10}){2}").fullmatch


class ParsingContext(NamedTuple):
    """By what the words of a deal are read: its letters, its ruleset's names, its players' seats.

    ``references`` are the entries that have been read, to which others may refer by their place.
    """

    alphabet: Alphabet
    game_names: GameNames = NO_GAME_NAMES
    seat_by_player: Mapping[str, str] = MappingProxyType({})
    references: EntryReferences = EntryReferences()


FieldParser = Callable[[FieldSpec, TokenCursor, ParsingContext], Any]


def take_value(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> Any:
    """The value of a field, as JSON has it.

    Raises:
        NotationError: what stands there is no value of the field's kind.
    """
    return _FIELD_PARSERS[spec.kind.name](spec, cursor, context)


def _take_quoted(cursor: TokenCursor) -> str:
    """Takes the text in quotation marks that comes next."""
    token = cursor.take_token()
    return unquote_text(token.text, token.offset)


def _take_text(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> str:
    """A text in quotation marks; where a name is due, a word or several of a known name will do."""
    token = cursor.token
    if token is not None and token.kind == STRING_TOKEN:
        return _take_quoted(cursor)
    if spec.name in GAME_NAME_FIELDS:
        return take_game_name(cursor, context.game_names)
    if spec.name == IRREGULARITY_KIND_FIELD and is_misspelled_kind(cursor.word()):
        nearest = find_nearest_word(cursor.word(), PUBLIC_IRREGULARITY_KINDS)
        raise cursor.error_here(f"{nearest}, or this word in quotation marks")
    if spec.kind.minimum == 0 or not cursor.word() or cursor.word().lower() in RESERVED_WORDS:
        raise cursor.error_here("a name" if spec.kind.minimum else 'a text in quotation marks, such as "…"')
    return cursor.take_token().text


def _take_integer(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> int:
    if not _number(cursor.word()):
        raise cursor.error_here("a number")
    return int(cursor.take_token().text.replace("−", "-"))


def _take_integers(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> list[int]:
    found: list[int] = []
    while _number(cursor.word()):
        found.append(_take_integer(spec, cursor, context))
        cursor.take_sign(",")
    if not found and not _take_none(cursor):
        raise cursor.error_here("numbers, or none")
    return found


def _take_none(cursor: TokenCursor) -> bool:
    """Takes the word for nothing at all, if it comes next."""
    if not is_form_of(cursor.word(), "none"):
        return False
    cursor.index += 1
    return True


def _take_flag(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> bool:
    """Yes or no; where nothing is said, what was named is so."""
    for word in ("yes", "no"):
        if is_form_of(cursor.word(), word):
            cursor.index += 1
            return word == "yes"
    if cursor.is_sentence_over() or cursor.is_sign_next(","):
        return True
    raise cursor.error_here("yes or no")


def _take_choice(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> str:
    word = find_choice(cursor.word(), spec.kind.choices)
    if word is None:
        raise cursor.error_here(f"one of {', '.join(spec.kind.choices)}")
    cursor.index += 1
    return word


def find_choice(word: str, choices: tuple[str, ...]) -> str | None:
    """Which of some words is meant, if one is."""
    lowered = word.lower()
    for choice in (lowered, CHOICE_BY_WORD.get(lowered)):
        if choice in choices:
            return choice
    return None


def _take_seat(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> str:
    seat = take_seat(cursor, context)
    if seat is None:
        raise cursor.error_here("a seat: F, M or B")
    return seat


def take_seat(cursor: TokenCursor, context: ParsingContext) -> str | None:
    """Takes a seat, or the name of the player who has it, if one comes next."""
    seat = SEAT_BY_WORD.get(cursor.word().lower())
    if seat is not None:
        cursor.index += 1
        return seat
    if not context.seat_by_player:
        return None
    token = cursor.token
    if token is not None and token.kind == STRING_TOKEN:
        seat = context.seat_by_player.get(unquote_text(token.text, token.offset).lower())
        cursor.index += seat is not None
        return seat
    for count in (3, 2, 1):
        words = [cursor.word(ahead) for ahead in range(count)]
        seat = context.seat_by_player.get(" ".join(words).lower()) if all(words) else None
        if seat is not None:
            cursor.index += count
            return seat
    return None


def _is_seat_next(cursor: TokenCursor, context: ParsingContext) -> bool:
    """Whether a seat, or a player's name, comes next."""
    start = cursor.index
    seat = take_seat(cursor, context)
    cursor.index = start
    return seat is not None


def _take_seats(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> list[str]:
    found: list[str] = []
    while (seat := take_seat(cursor, context)) is not None:
        found.append(seat)
        cursor.take_sign(",")
    if not found and not _take_none(cursor):
        raise cursor.error_here("seats, such as F M, or none")
    return found


def _take_suit(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> str:
    suit = context.alphabet.find_suit(cursor.word())
    if suit is None:
        raise cursor.error_here("a suit, such as S, ♥ or clubs")
    cursor.index += 1
    return suit


def _take_card(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> str:
    card = context.alphabet.find_card(cursor.word())
    if card is None:
        raise cursor.error_here(EXPECTED_CARD_WORD)
    cursor.index += 1
    return card


def _take_cards(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> list[str]:
    """Cards as they stand on paper, how many of them nobody saw, or none."""
    found = take_cards(cursor, context.alphabet)
    if not found and _is_card_count(cursor.word()) and _is_count_of_cards(cursor, context):
        number = int(cursor.take_token().text)
        if is_form_of(cursor.word(), "cards"):
            cursor.index += 1
        return [UNSEEN_CARD] * number
    if not found and not _take_none(cursor):
        raise cursor.error_here(EXPECTED_CARD_LIST)
    if (
        cursor.word()
        and cursor.word().lower() not in CANONICAL_WORD
        and not is_new_sentence_next(cursor, context)
    ):
        raise cursor.error_here(EXPECTED_CARD_WORD)
    return found


def is_new_sentence_next(cursor: TokenCursor, context: ParsingContext) -> bool:
    """Whether the next sentence begins here, though no sign parts it: ``F pass M pass``, ``3 draws 3``."""
    start = cursor.index
    cursor.take_word(WORD_FORMS["and"])
    begins = is_form_of(cursor.word(), "draws")
    if not begins and take_seat(cursor, context) is not None:
        begins = (True, cursor.word().lower()) in sentence_forms_by_keyword()
    cursor.index = start
    return begins


def _is_count_of_cards(cursor: TokenCursor, context: ParsingContext) -> bool:
    """Whether a number that comes next says how many cards: ``3 cards``, or 3 and nothing more."""
    if is_form_of(cursor.word(1), "cards"):
        return True
    cursor.index += 1
    is_alone = cursor.is_sentence_over() or cursor.is_sign_next(",") or is_new_sentence_next(cursor, context)
    cursor.index -= 1
    return is_alone


def _take_seq(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> int | str:
    word = cursor.word()
    if not word.startswith("@") or len(word) == 1:
        raise cursor.error_here("the number of an entry, such as @12 or @30.1, or @last or @trick 1 B")
    if word.lower() in TRICK_PLAY_WORDS or word.lower() in LAST_ENTRY_WORDS:
        return _take_reference(cursor, context)
    cursor.index += 1
    return int(word[1:]) if word[1:].isdecimal() and len(word) < 12 else word[1:]


def _take_reference(cursor: TokenCursor, context: ParsingContext) -> int:
    """The number of an entry that is named by where it stands."""
    at, word = cursor.offset, cursor.take_token().text
    if word.lower() in LAST_ENTRY_WORDS:
        last = context.references.last_entry_number()
        if last is None:
            raise NotationError(at, word, "the number of an entry: none stands above")
        return last
    trick, cursor_at = cursor.word().rstrip(".:"), cursor.offset
    if not trick.isdecimal() or len(trick) > 2:
        raise cursor.error_here("the number of a trick, and the seat that played")
    cursor.index += 1
    seat = take_seat(cursor, context)
    if seat is None:
        raise cursor.error_here("a seat: F, M or B")
    found = context.references.find_plays(int(trick), seat)
    if len(found) != 1:
        read = f"{seat} in trick {trick}"
        message = f"{'No card' if not found else 'More than one card'} of {read} stands above"
        raise NotationError(
            cursor_at, read, "@ and an entry's number", f"{message}; write @ and the entry's number."
        )
    return found[0]


def _take_seqs(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> list[int | str]:
    found = [_take_seq(spec, cursor, context)]
    while cursor.take_sign(",") or cursor.word().startswith("@"):
        found.append(_take_seq(spec, cursor, context))
    return found


def _take_seat_counts(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> dict[str, int]:
    """A number for each of some seats: ``5-2-2`` in the order of the seats, or ``F 5 M 2``."""
    if _is_counts_by_seat(cursor.word()):
        counts = re.split("[-–]", cursor.take_token().text)
        return dict(zip(SEAT_NAMES, map(int, counts), strict=True))
    found: dict[str, int] = {}
    while (seat := SEAT_BY_WORD.get(cursor.word().lower())) is not None:
        _require_new(seat, found, cursor)
        cursor.index += 1
        found[seat] = _take_integer(spec, cursor, context)
        if not (
            cursor.is_sign_next(",") and cursor.word(1).lower() in SEAT_BY_WORD and cursor.take_sign(",")
        ):
            continue
    if not found and not _take_none(cursor):
        raise cursor.error_here("a number for each seat, such as 5-2-2 or F 5 M 2")
    return found


def _require_new(name: str, seen: dict[str, Any], cursor: TokenCursor, step_back: int = 0) -> None:
    """Refuses what was told already.

    Raises:
        NotationError: ``name`` is among what was found.
    """
    if name in seen:
        cursor.index -= step_back
        name = name.capitalize() if name in SEAT_NAMES else f"“{name}”"
        raise NotationError(
            cursor.offset, name, "each of them once", f"{name} stands here twice; write each of them once."
        )


def _take_chips(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> dict[str, int]:
    """Chips for seats or for players by name: ``F +2 M -1 B -1``."""
    found: dict[str, int] = {}
    while not cursor.is_sentence_over():
        start = cursor.index
        cursor.take_sign(",")
        name = _take_party(cursor)
        if name is None or not _number(cursor.word()):
            cursor.index = start
            break
        _require_new(name, found, cursor, step_back=1)
        found[name] = _take_integer(spec, cursor, context)
    if not found and not _take_none(cursor):
        raise cursor.error_here("chips for each, such as F +2 M -1 B -1")
    return found


def _take_party(cursor: TokenCursor) -> str | None:
    """A seat or a player's name, if one comes next; names of several words stand in quotation marks."""
    token = cursor.token
    if token is None or token.kind == SIGN_TOKEN:
        return None
    if token.kind == STRING_TOKEN:
        return _take_quoted(cursor)
    word = cursor.word()
    if word.lower() in SEAT_BY_WORD:
        cursor.index += 1
        return SEAT_BY_WORD[word.lower()]
    if not word or word.lower() in RESERVED_WORDS:
        return None
    cursor.index += 1
    return word


def _take_names(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> list[str]:
    """Names with commas between them; one of several words needs no quotation marks."""
    if _take_none(cursor):
        return []
    found = [_take_name(cursor)]
    while cursor.is_sign_next(",") and cursor.word(1).lower() not in CANONICAL_WORD:
        cursor.index += 1
        found.append(_take_name(cursor))
    return found


def _take_name(cursor: TokenCursor) -> str:
    token = cursor.token
    if token is not None and token.kind == STRING_TOKEN:
        return _take_quoted(cursor)
    words: list[str] = []
    while cursor.word() and cursor.word().lower() not in CANONICAL_WORD and cursor.word() not in "+=":
        words.append(cursor.take_token().text)
    if not words:
        raise cursor.error_here("a name")
    return " ".join(words)


def _take_groups(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> list[list[str]]:
    """Partners with ``+`` between them, pairs with commas."""
    found: list[list[str]] = []
    while True:
        group = [] if _take_none(cursor) else [_take_name(cursor)]
        while group and cursor.word() == "+":
            cursor.index += 1
            group.append(_take_name(cursor))
        found.append(group)
        if not cursor.take_sign(","):
            return found


def _take_switches(
    spec: FieldSpec, cursor: TokenCursor, context: ParsingContext
) -> dict[str, bool | int | str]:
    """House switches: ``sitter-pays = yes, kupp-most = 5``."""
    found: dict[str, bool | int | str] = {}
    while True:
        name = _take_name(cursor)
        _require_new(name, found, cursor, step_back=1)
        if cursor.word() != "=":
            raise cursor.error_here("= and the switch's value: yes, no, a number or a word")
        cursor.index += 1
        found[name] = _take_switch_value(spec, cursor, context)
        if not cursor.take_sign(","):
            return found


def _take_switch_value(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> bool | int | str:
    if is_form_of(cursor.word(), "yes") or is_form_of(cursor.word(), "no"):
        return _take_flag(spec, cursor, context)
    if _number(cursor.word()):
        return _take_integer(spec, cursor, context)
    return _take_name(cursor)


def _take_word(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> str:
    if cursor.token is not None and cursor.token.kind == STRING_TOKEN:
        return _take_quoted(cursor)
    if not cursor.word():
        raise cursor.error_here("a moment or an id, without spaces")
    return cursor.take_token().text


_FIELD_PARSERS: Final[dict[str, FieldParser]] = {
    "text": _take_text, "names": _take_names, "groups": _take_groups, "integer": _take_integer,
    "integers": _take_integers, "flag": _take_flag, "moment": _take_word, "uuid": _take_word,
    "seq": _take_seq, "seqs": _take_seqs, "card": _take_card, "cards": _take_cards, "suit": _take_suit,
    "seat": _take_seat, "seats": _take_seats, "seat-counts": _take_seat_counts,
    "chips-by-name": _take_chips, "switches": _take_switches, "choice": _take_choice,
}  # fmt: skip


def is_value_next(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> bool:
    """Whether what comes next is a value of a field, as far as its first word tells."""
    token, kind = cursor.token, spec.kind.name
    if token is None:
        return False
    if token.kind == SIGN_TOKEN:
        return kind == "events" and token.text == "("
    if token.kind == STRING_TOKEN:
        return kind == "text"
    word = token.text.lower()
    checks_by_kind: dict[str, Callable[[], bool]] = {
        "seat": lambda: _is_seat_next(cursor, context),
        "suit": lambda: context.alphabet.find_suit(word) is not None,
        "choice": lambda: find_choice(word, spec.kind.choices) is not None,
        "seat-counts": lambda: bool(_is_counts_by_seat(word)),
        "events": lambda: False,
        "text": lambda: spec.kind.minimum > 0 and word not in RESERVED_WORDS,
    }
    return checks_by_kind.get(kind, lambda: True)()
