"""Read and write the values of fields in a sentence, by their kind.

A value is read as JSON has it. Whether it is allowed is checked by ``schemas.wire.event_reader``, as for
JSON Lines.
"""

import re
from collections.abc import Callable, Container
from itertools import starmap
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.cards import SEAT_NAMES
from engine.core.message import format_message
from engine.view import PUBLIC_IRREGULARITY_KINDS
from schemas.notation.card_lists import take_cards
from schemas.notation.deal_progress import LAST_ENTRY_WORDS, TRICK_PLAY_WORDS
from schemas.notation.notation_words import (
    CHOICE_BY_WORD,
    GAME_NAME_FIELDS,
    IRREGULARITY_KIND_FIELD,
    KNOWN_WORDS,
    NO_GAME_NAMES,
    PASS_BID,
    RESERVED_WORDS,
    SEAT_BY_WORD,
    SEAT_LETTER,
    WORD_FORMS,
    GameNames,
    is_form_of,
    is_misspelled_kind,
    needs_no_quotes,
)
from schemas.notation.sentence_forms import SENTENCE_FORMS_BY_KEYWORD
from schemas.notation.tokens import (
    SIGN_TOKEN,
    STRING_TOKEN,
    NotationError,
    TokenCursor,
    quote_text,
    unquote_text,
)
from schemas.notation.written_dates import parse_written_date
from schemas.wire.field_specs import FieldSpec, build_field_specs
from schemas.wire.wire_faults import find_nearest_word

Value = TypeVar("Value")

EXPECTED_CARD_WORD: Final = "a card, such as SA, ♥7 or ?? (the letters of cards: Letters: en, da, es or fr)"
MAX_GAME_NAME_WORDS: Final = 3
MAX_DATE_WORDS: Final = 5
"""In “May 3, 1766” the comma is one."""

_is_number: Final = re.compile(r"[+\-−]?[0-9]{1,10}").fullmatch
_is_card_count: Final = re.compile(r"[0-9]|1[0-3]").fullmatch
_is_counts_by_seat: Final = re.compile(r"[0-9]{1,10}(?:[-–][0-9]{1,10}){2}").fullmatch


def take_value(spec: FieldSpec, cursor: TokenCursor) -> Any:
    """Take the value of a field, as JSON has it."""
    if spec.object_class is not None:
        return _take_object(spec.object_class, cursor)
    if spec.kind.name == "text":
        return _take_text(spec, cursor)
    if spec.kind.name == "choice":
        choices = spec.kind.choices
        expected = format_message("one of {choices}", choices=", ".join(choices))
        return _take_found(cursor, lambda word: _find_choice(word, choices), expected)
    return _VALUE_FORMS[spec.kind.name].take(cursor)


def format_value(spec: FieldSpec, value: Any, game_names: GameNames = NO_GAME_NAMES) -> str:
    """Format the value of a field."""
    if spec.object_class is not None:
        return _format_object(spec.object_class, value)
    kind = spec.kind
    if kind.name != "text":
        return str(value) if kind.name == "choice" else _VALUE_FORMS[kind.name].format(value)
    if kind.minimum == 0 or (spec.name == IRREGULARITY_KIND_FIELD and is_misspelled_kind(value)):
        return quote_text(value)
    if spec.name in GAME_NAME_FIELDS:
        return value if game_names.needs_no_quotes(value) else quote_text(value)
    return format_name(value)


def _take_object(declared_class: type, cursor: TokenCursor) -> dict[str, Any]:
    obj: dict[str, Any] = {}
    if cursor.take_form_of("none"):
        return obj
    for part in build_field_specs(declared_class):
        if cursor.take_form_of(part.name) or part.required:
            obj[part.name] = take_value(part, cursor)
    return obj


def _format_object(declared_class: type, obj: dict[str, Any]) -> str:
    words: list[str] = []
    for place, part in enumerate(build_field_specs(declared_class)):
        if part.name in obj:
            words += [] if part.required and place == 0 else [part.name]
            words.append(format_value(part, obj[part.name]))
    return " ".join(words) or "none"


# --- Texts and names ------------------------------------------------------------------------------


def take_quoted(cursor: TokenCursor) -> str | None:
    """Take a text in quotation marks, if one comes next."""
    token = cursor.token
    if token is None or token.kind != STRING_TOKEN:
        return None
    cursor.index += 1
    return unquote_text(token.text, token.offset)


def format_name(name: str) -> str:
    """Format a name, with quotation marks if it has several words or could be something else."""
    return name if needs_no_quotes(name) else quote_text(name)


def _take_text(spec: FieldSpec, cursor: TokenCursor) -> str:
    """Take a text in quotation marks; for a name a word will do, or several of a known name."""
    quoted = take_quoted(cursor)
    if quoted is not None:
        return quoted
    if spec.name in GAME_NAME_FIELDS:
        return _take_game_name(cursor)
    word = cursor.word()
    if spec.name == IRREGULARITY_KIND_FIELD and is_misspelled_kind(word):
        nearest = find_nearest_word(word, PUBLIC_IRREGULARITY_KINDS)
        raise cursor.error_here(format_message("{near}, or this word in quotation marks", near=nearest or ""))
    if spec.kind.minimum == 0 or not word or word.lower() in RESERVED_WORDS:
        raise cursor.error_here("a name" if spec.kind.minimum else 'a text in quotation marks, such as "…"')
    return cursor.take_token().text


def _take_game_name(cursor: TokenCursor) -> str:
    """Take the name of a bid or contract; a mark glued to it becomes the next word."""
    if cursor.take_form_of("passes"):
        return PASS_BID
    name, count, size = find_game_name(cursor)
    word = cursor.word()
    if name is None:
        if not word or word.lower() in RESERVED_WORDS:
            raise cursor.error_here("a name")
        if ids := cursor.context.game_names.ids:
            nearest = find_nearest_word(word, sorted(ids)) or min(ids - {PASS_BID, "self"}, default=PASS_BID)
            expected = "a name in these rules, such as {near}, or this one in quotation marks"
            raise cursor.error_here(format_message(expected, near=nearest))
        name, count, size = word, 1, len(word)
    cursor.index += count - 1
    if size < len(cursor.word()):
        cursor.split_word(size)
    else:
        cursor.index += 1
    return name


def find_game_name(cursor: TokenCursor) -> tuple[str | None, int, int]:
    """The id of the bid or contract whose name comes next, or None; its words, and the length of the last."""
    words: list[str] = []
    while len(words) < MAX_GAME_NAME_WORDS and (word := cursor.word(len(words))):
        words.append(word)
    while words:
        last = words[-1]
        for ending in (last, last.rstrip("!?")) if last[-1] in "!?" else (last,):
            name = cursor.context.game_names.find_id(" ".join((*words[:-1], ending)))
            if name is not None:
                return name, len(words), len(ending)
        words.pop()
    return None, 0, 0


def _take_word(cursor: TokenCursor) -> str:
    quoted = take_quoted(cursor)
    if quoted is None and not cursor.word():
        raise cursor.error_here("a time or an id, without spaces")
    return cursor.take_token().text if quoted is None else quoted


def _take_date(cursor: TokenCursor) -> str:
    """Take a date as people write it, which may have several words."""
    words = [token.text for token in cursor.tokens[cursor.index :][:MAX_DATE_WORDS]]
    for count in range(len(words), 0, -1):
        found = parse_written_date(" ".join(words[:count]).replace(" ,", ","))
        if found is not None:
            cursor.index += count
            return found
    raise cursor.error_here("a date, such as 1766-05-03, 3.5.1766, May 1766 or 1766")


def take_name(cursor: TokenCursor, end_words: Container[str] = KNOWN_WORDS | {"+", "="}) -> str:
    """Take a name; of several words it needs no quotation marks, and goes on up to one of ``end_words``."""
    quoted = take_quoted(cursor)
    if quoted is not None:
        return quoted
    words: list[str] = []
    while cursor.word() and cursor.word().lower() not in end_words:
        words.append(cursor.take_token().text)
    if not words:
        raise cursor.error_here("a name")
    return " ".join(words)


def _take_names(cursor: TokenCursor) -> list[str]:
    if cursor.take_form_of("none"):
        return []
    found = [take_name(cursor)]
    while cursor.is_sign_next(",") and cursor.word(1).lower() not in KNOWN_WORDS:
        cursor.index += 1
        found.append(take_name(cursor))
    return found


def _take_groups(cursor: TokenCursor) -> list[list[str]]:
    """Take groups of partners with ``+`` between them, the groups with commas."""
    found: list[list[str]] = []
    while not found or cursor.take_sign(","):
        group = [] if cursor.take_form_of("none") else [take_name(cursor)]
        while group and cursor.take_symbol("+"):
            group.append(take_name(cursor))
        found.append(group)
    return found


# --- Numbers, yes and no, choices -----------------------------------------------------------------


def _take_list(take_next: Callable[[], Value | None], cursor: TokenCursor, expected: str) -> list[Value]:
    """Take all values that come next, with commas or without, or the word for none."""
    found: list[Value] = []
    while (value := take_next()) is not None:
        found.append(value)
        cursor.take_sign(",")
    _require_any(found, cursor, expected)
    return found


def _require_any(found: object, cursor: TokenCursor, expected: str) -> None:
    if not found and not cursor.take_form_of("none"):
        raise cursor.error_here(expected)


def _take_found(cursor: TokenCursor, find: Callable[[str], Value | None], expected: str) -> Value:
    """Take the next word as what ``find`` returns for it."""
    found = find(cursor.word())
    if found is None:
        raise cursor.error_here(expected)
    cursor.index += 1
    return found


def _take_integer(cursor: TokenCursor) -> int:
    if not _is_number(cursor.word()):
        raise cursor.error_here("a number")
    return int(cursor.take_token().text.replace("−", "-"))


def _take_integers(cursor: TokenCursor) -> list[int]:
    def take_next() -> int | None:
        return _take_integer(cursor) if _is_number(cursor.word()) else None

    return _take_list(take_next, cursor, "numbers, or none")


def _take_flag(cursor: TokenCursor) -> bool:
    """Take yes or no; nothing means yes."""
    for word in ("yes", "no"):
        if cursor.take_form_of(word):
            return word == "yes"
    if cursor.is_sentence_over() or cursor.is_sign_next(","):
        return True
    raise cursor.error_here("yes or no")


def _take_switches(cursor: TokenCursor) -> dict[str, bool | int | str]:
    """Take house switches: ``sitter-pays = yes, kupp-most = 5``."""
    found: dict[str, bool | int | str] = {}
    while not found or cursor.take_sign(","):
        name = take_name(cursor)
        _require_new(name, found, cursor, step_back=1)
        if not cursor.take_symbol("="):
            raise cursor.error_here("= and the switch's value: yes, no, a number or a word")
        found[name] = _take_switch_value(cursor)
    return found


def _take_switch_value(cursor: TokenCursor) -> bool | int | str:
    if is_form_of(cursor.word(), "yes") or is_form_of(cursor.word(), "no"):
        return _take_flag(cursor)
    return _take_integer(cursor) if _is_number(cursor.word()) else take_name(cursor)


def _format_switch(name: str, value: bool | int | str) -> str:
    text = format_name(value) if isinstance(value, str) else _format_number_or_flag(value)
    return f"{format_name(name)} = {text}"


def _format_number_or_flag(value: bool | int) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def _find_choice(word: str, choices: tuple[str, ...]) -> str | None:
    lowered = word.lower()
    return next((one for one in (lowered, CHOICE_BY_WORD.get(lowered)) if one in choices), None)


# --- Seats, and what each has ---------------------------------------------------------------------


def take_seat(cursor: TokenCursor) -> str | None:
    """Take a seat, or the name of its player, if one comes next."""
    seat = SEAT_BY_WORD.get(cursor.word().lower())
    if seat is not None:
        cursor.index += 1
        return seat
    seats = cursor.context.seat_by_player
    token = cursor.token
    if not seats or token is None:
        return None
    if token.kind == STRING_TOKEN:
        seat = seats.get(unquote_text(token.text, token.offset).lower())
        cursor.index += seat is not None
        return seat
    for count in (3, 2, 1):
        words = [cursor.word(ahead) for ahead in range(count)]
        seat = seats.get(" ".join(words).lower()) if all(words) else None
        if seat is not None:
            cursor.index += count
            return seat
    return None


def _take_seat(cursor: TokenCursor) -> str:
    seat = take_seat(cursor)
    if seat is None:
        raise cursor.error_here("a seat: F, M or B")
    return seat


def _take_seat_counts(cursor: TokenCursor) -> dict[str, int]:
    """Take a number for each seat, ``5-2-2``, or for each of some seats, ``F 5 M 2``."""
    if _is_counts_by_seat(cursor.word()):
        counts = re.split("[-–]", cursor.take_token().text)
        return dict(zip(SEAT_NAMES, map(int, counts), strict=True))
    found: dict[str, int] = {}
    while (seat := SEAT_BY_WORD.get(cursor.word().lower())) is not None:
        _require_new(seat, found, cursor)
        cursor.index += 1
        found[seat] = _take_integer(cursor)
        if cursor.is_sign_next(",") and cursor.word(1).lower() in SEAT_BY_WORD:
            cursor.index += 1
    _require_any(found, cursor, "a number for each seat, such as 5-2-2 or F 5 M 2")
    return found


def _format_seat_counts(counts: dict[str, int]) -> str:
    if tuple(counts) == SEAT_NAMES and all(0 <= count < 10 for count in counts.values()):
        return "-".join(map(str, counts.values()))
    return " ".join(f"{SEAT_LETTER[seat]} {count}" for seat, count in counts.items()) or "none"


def _require_new(name: str, seen: dict[str, Any], cursor: TokenCursor, step_back: int = 0) -> None:
    """Refuse a second value for a name, which stands ``step_back`` tokens before."""
    if name in seen:
        cursor.index -= step_back
        name = name.capitalize() if name in SEAT_NAMES else f"“{name}”"
        reason = format_message("{read} appears twice here", read=name)
        raise NotationError(cursor.offset, name, "each of them once", reason)


def _take_chips(cursor: TokenCursor) -> dict[str, int]:
    """Take chips for seats or for players by name: ``F +2 M -1 B -1``."""
    found: dict[str, int] = {}
    while not cursor.is_sentence_over():
        start = cursor.index
        cursor.take_sign(",")
        name = _take_party(cursor)
        if name is None or not _is_number(cursor.word()):
            cursor.index = start
            break
        _require_new(name, found, cursor, step_back=1)
        found[name] = _take_integer(cursor)
    _require_any(found, cursor, "chips for each, such as F +2 M -1 B -1")
    return found


def _take_party(cursor: TokenCursor) -> str | None:
    """Take a seat or a player's name, if one comes next; several words stand in quotation marks."""
    quoted, word = take_quoted(cursor), cursor.word()
    if quoted is not None:
        return quoted
    seat = SEAT_BY_WORD.get(word.lower())
    if seat is None and (not word or word.lower() in RESERVED_WORDS):
        return None
    cursor.index += 1
    return seat or word


def _format_chips(chips: dict[str, int]) -> str:
    parts = (
        f"{SEAT_LETTER.get(name) or format_name(name)} {f'{number:+d}' if number else '0'}"
        for name, number in chips.items()
    )
    return " ".join(parts) or "none"


# --- Cards ----------------------------------------------------------------------------------------


def _take_cards(cursor: TokenCursor) -> list[str]:
    """Take cards, a number of hidden cards, or none."""
    found = take_cards(cursor)
    if not found and _is_card_count(cursor.word()) and _is_count_of_cards(cursor):
        number = int(cursor.take_token().text)
        cursor.take_form_of("cards")
        return ["??"] * number
    _require_any(found, cursor, "cards, such as SA H7 ??, or none")
    word = cursor.word().lower()
    if word and word not in KNOWN_WORDS and not is_new_sentence_next(cursor):
        raise cursor.error_here(EXPECTED_CARD_WORD)
    return found


def is_new_sentence_next(cursor: TokenCursor) -> bool:
    """Whether the next sentence begins without a separator: ``F pass M pass``, ``3 draws 3``."""
    start = cursor.index
    cursor.take_word(WORD_FORMS["and"])
    begins = is_form_of(cursor.word(), "draws")
    if not begins and take_seat(cursor) is not None:
        begins = (True, cursor.word().lower()) in SENTENCE_FORMS_BY_KEYWORD
    cursor.index = start
    return begins


def _is_count_of_cards(cursor: TokenCursor) -> bool:
    """Whether the next number counts cards: ``3 cards``, or 3 and nothing more."""
    if is_form_of(cursor.word(1), "cards"):
        return True
    cursor.index += 1
    is_alone = cursor.is_sentence_over() or cursor.is_sign_next(",") or is_new_sentence_next(cursor)
    cursor.index -= 1
    return is_alone


# --- Entries --------------------------------------------------------------------------------------


def _take_seq(cursor: TokenCursor) -> int | str:
    word = cursor.word()
    if not word.startswith("@") or len(word) == 1:
        raise cursor.error_here("the number of an entry, such as @12 or @30.1, or @last or @trick 1 B")
    at, word = cursor.offset, cursor.take_token().text
    if word.lower() in LAST_ENTRY_WORDS:
        last = cursor.context.references.last_entry_number()
        if last is None:
            raise NotationError(at, word, "the number of an entry: there is none above")
        return last
    if word.lower() in TRICK_PLAY_WORDS:
        return _take_trick_play(cursor)
    return int(word[1:]) if word[1:].isdecimal() and len(word) < 12 else word[1:]


def _take_trick_play(cursor: TokenCursor) -> int:
    """Take the trick and seat after ``@trick``: the number of the entry with that card."""
    trick, at = cursor.word().rstrip(".:"), cursor.offset
    if not trick.isdecimal() or len(trick) > 2:
        raise cursor.error_here("the number of a trick, and the seat that played")
    cursor.index += 1
    seat = _take_seat(cursor)
    found = cursor.context.references.find_plays(int(trick), seat)
    if len(found) != 1:
        read = f"{seat} in trick {trick}"
        template = (
            "There is more than one card of {read} above; write @ and the entry's number."
            if found
            else "There is no card of {read} above; write @ and the entry's number."
        )
        message = format_message(template, read=read)
        raise NotationError(at, read, "@ and an entry's number", message=message)
    return found[0]


def _take_seqs(cursor: TokenCursor) -> list[int | str]:
    found = [_take_seq(cursor)]
    while cursor.take_sign(",") or cursor.word().startswith("@"):
        found.append(_take_seq(cursor))
    return found


# --- Each kind once -------------------------------------------------------------------------------


class _ValueForm(NamedTuple):
    take: Callable[[TokenCursor], Any]
    format: Callable[[Any], str] = str


_VALUE_FORMS: Final = {
    "names": _ValueForm(_take_names, lambda names: ", ".join(map(format_name, names)) or "none"),
    "groups": _ValueForm(
        _take_groups,
        lambda groups: ", ".join(" + ".join(map(format_name, group)) or "none" for group in groups),
    ),
    "integer": _ValueForm(_take_integer),
    "integers": _ValueForm(_take_integers, lambda numbers: " ".join(map(str, numbers)) or "none"),
    "flag": _ValueForm(_take_flag, _format_number_or_flag),
    "moment": _ValueForm(_take_word),
    "date": _ValueForm(_take_date),
    "uuid": _ValueForm(_take_word),
    "seq": _ValueForm(_take_seq, lambda seq: f"@{seq}"),
    "seqs": _ValueForm(_take_seqs, lambda seqs: " ".join(f"@{seq}" for seq in seqs)),
    "card": _ValueForm(
        lambda cursor: _take_found(cursor, cursor.context.alphabet.find_card, EXPECTED_CARD_WORD)
    ),
    "cards": _ValueForm(_take_cards, lambda cards: " ".join(cards) or "none"),
    "suit": _ValueForm(
        lambda cursor: _take_found(cursor, cursor.context.alphabet.find_suit, "a suit, such as S, ♥ or clubs")
    ),
    "seat": _ValueForm(_take_seat, SEAT_LETTER.__getitem__),
    "seats": _ValueForm(
        lambda cursor: _take_list(lambda: take_seat(cursor), cursor, "seats, such as F M, or none"),
        lambda seats: " ".join(SEAT_LETTER[seat] for seat in seats) or "none",
    ),
    "seat-counts": _ValueForm(_take_seat_counts, _format_seat_counts),
    "chips-by-name": _ValueForm(_take_chips, _format_chips),
    "switches": _ValueForm(
        _take_switches, lambda switches: ", ".join(starmap(_format_switch, switches.items()))
    ),
}
"""Every kind but texts and choices, which depend on their field."""


def is_value_next(spec: FieldSpec, cursor: TokenCursor) -> bool:
    """Whether a value of a field comes next, by its first word."""
    token, kind = cursor.token, spec.kind.name
    if token is None:
        return False
    if token.kind == SIGN_TOKEN:
        return kind == "events" and token.text == "("
    if token.kind == STRING_TOKEN:
        return kind == "text"
    word = token.text.lower()
    match kind:
        case "seat":
            start = cursor.index
            seat = take_seat(cursor)
            cursor.index = start
            return seat is not None
        case "suit":
            return cursor.context.alphabet.find_suit(word) is not None
        case "choice":
            return _find_choice(word, spec.kind.choices) is not None
        case "seat-counts":
            return bool(_is_counts_by_seat(word))
        case "text":
            return spec.kind.minimum > 0 and word not in RESERVED_WORDS
        case _:
            return kind != "events"
