"""The tags that open a log, one to a line, ``Forehand: Anna``; the first is ``Deal`` or ``Evening``.

A tag's value continues in the indented lines below it. Inside a correction an opening is one sentence:
``Opened [rules: dlu; forehand: Anna; …]``.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_BY_CODE
from engine.rulesets import PUBLISHED_RULESETS
from schemas.notation.field_values import format_value, take_name, take_quoted, take_value
from schemas.notation.notation_words import SEAT_BY_WORD, is_form_of
from schemas.notation.sentence_forms import SENTENCE_FORMS_BY_KEYWORD
from schemas.notation.tokens import (
    NotationError,
    OpenSigns,
    ParsingContext,
    TokenCursor,
    has_control_character,
    quote_text,
    tokenize_line,
)
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec, build_field_specs

DEAL_OPENED_TYPE, TABLE_OPENED_TYPE = "deal_opened", "table_opened"


class OpeningTag(NamedTuple):
    """A tag, with its Danish and other names, for the field at ``path`` in the opening's object.

    ``pointer`` is the path as a JSON Pointer.
    """

    name: str
    danish: tuple[str, ...]
    aliases: tuple[str, ...]
    path: tuple[str, ...]
    spec: FieldSpec
    pointer: str

    @property
    def is_metadata(self) -> bool:
        """Whether it is bookkeeping, which other events have too."""
        return self.spec in METADATA_FIELDS


_TAG_ROWS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    DEAL_OPENED_TYPE: (
        ("Deal", "title", "giv"),
        ("Rules", "ruleset", "regler", "ruleset"),
        ("Revision", "revision", "udgave"),
        ("Switches", "switches", "valg", "switch"),
        ("Forehand", "players.forehand", "forhånd"),
        ("Middlehand", "players.middlehand", "mellemhånd"),
        ("Backhand", "players.backhand", "baghånd"),
        ("Sitting out", "players.sitting_out", "sidder over"),
        ("Partners", "players.partners", "makkere"),
        ("Dealer", "dealer", "giver"),
        ("Pool", "pool", "pulje"),
        ("Reserved", "reserved", "gemt"),
        ("Table", "table", "bord"),
        ("Number", "number", "nummer", "nr"),
        ("Board", "board", "spilnr"),
        ("Branch", "branch", "variant", "variation"),
        ("Source", "source", "kilde"),
        ("Date", "date", "dato", "day,dag"),
    ),
    TABLE_OPENED_TYPE: (
        ("Evening", "title", "aften"),
        ("Rules", "ruleset", "regler", "ruleset"),
        ("Players", "players", "spillere"),
        ("Revision", "revision", "udgave"),
        ("Switches", "switches", "valg", "switch"),
        ("Plan", "plan"),
        ("Chip value", "chip_value", "jetonværdi"),
        ("Currency", "currency", "valuta,mønt"),
        ("Mode", "mode", "måde"),
        ("Date", "date", "dato", "day,dag"),
    ),
}
_METADATA_TAG_ROWS: Final[tuple[tuple[str, ...], ...]] = (
    ("Basis", "basis", "grundlag"),
    ("Accounts", "accounts", "kilder"),
    ("Id", "id"),
    ("Recorded at", "recorded_at", "", "at"),
    ("Stored at", "stored_at", "", "stored"),
    ("Recorded by", "recorded_by", "", "by"),
)
"""Each tag: name, field, Danish names, other names; several with commas between them."""


def _build_tag(opener: str, name: str, field: str, danish: str = "", others: str = "") -> OpeningTag:
    path = tuple(field.split("."))
    specs = {spec.name: spec for spec in (*EVENT_SPECS[opener], *METADATA_FIELDS)}
    for step in path[:-1]:
        specs = {spec.name: spec for spec in build_field_specs(specs[step].object_class or object)}
    danish_names = tuple(filter(None, danish.split(",")))
    aliases = (*filter(None, others.split(",")), *danish_names)
    return OpeningTag(name, danish_names, aliases, path, specs[path[-1]], "/" + "/".join(path))


TAGS_BY_OPENER: Final = {
    opener: tuple(_build_tag(opener, *row) for row in (*rows, *_METADATA_TAG_ROWS))
    for opener, rows in _TAG_ROWS.items()
}
"""The tags of each opening, in the order of writing."""
_BRACKET_NAMES: Final = {"recorded_at": "at", "stored_at": "stored", "recorded_by": "by"}
SPEC_BY_BRACKET_NAME: Final[dict[str, FieldSpec]] = {
    _BRACKET_NAMES.get(spec.name, spec.name): spec for spec in METADATA_FIELDS if spec.name != "seq"
}
"""Bookkeeping by its name in the brackets after an entry."""

TAG_BY_NAME: Final[dict[str, dict[str, OpeningTag]]] = {
    opener: {spelt.lower(): tag for tag in tags for spelt in (tag.name, *tag.aliases)}
    for opener, tags in TAGS_BY_OPENER.items()
}
PLAYERS_TAG_NAMES: Final = frozenset({"players", "spillere"})
"""The tag for all three players of a deal, in the order of the seats."""
LETTERS_TAG_NAMES: Final = frozenset({"letters", "bogstaver", "kort"})
"""The tag for the alphabet, which belongs to the text, not to the deal."""
ALL_TAG_NAMES: Final = frozenset(
    (*LETTERS_TAG_NAMES, *PLAYERS_TAG_NAMES, *TAG_BY_NAME[DEAL_OPENED_TYPE], *TAG_BY_NAME[TABLE_OPENED_TYPE])
)
FREE_TEXT_TAG_NAMES: Final = frozenset({"Deal", "Evening", "Source"})
"""The tags whose text may begin with a quotation and go on after it."""
MAX_LINE_WIDTH: Final = 96
CONTINUATION_INDENT: Final = "  "

_match_tag: Final = re.compile(r"\s*([^\W\d_][\w ]{0,20}?)\s*:(?:\s+|$)(.*)", re.DOTALL).match
_match_quotation_and_more: Final = re.compile(r'"(?:[^"\\]++|\\.)*+".').match
_numbered: Final = re.compile(r"[0-9]{1,10}[.:)]?").fullmatch
_match_opener: Final = re.compile(r"\ufeff?(?:(deal|giv)|evening|aften)[ \t]*:(?=\s|$)", re.IGNORECASE).match


def find_opener(line: str) -> str | None:
    """The type of the opening that a line begins; None for another line."""
    found = _match_opener(line) if ":" in line else None
    return None if found is None else DEAL_OPENED_TYPE if found[1] else TABLE_OPENED_TYPE


def parse_tag(line: str) -> tuple[str, str, int] | None:
    """A line's tag in small letters, its value and where that begins; None if it has no tag."""
    found = parse_possible_tag(line)
    return found if found is not None and found[0] in ALL_TAG_NAMES else None


def parse_possible_tag(line: str) -> tuple[str, str, int] | None:
    """Like ``parse_tag``, for a line with any name and a colon."""
    found = _match_tag(line.rstrip())
    return None if found is None else (found[1].lower(), found[2], found.start(2))


def could_stand_alone(line: str) -> bool:
    """Whether a line that continues a tag's value could be a tag or a sentence by itself."""
    words = line.lower().split(maxsplit=2)
    if words and _numbered(words[0]):
        del words[0]
    if len(words) > 1 and words[0].rstrip(":") in SEAT_BY_WORD:
        return (True, words[1]) in SENTENCE_FORMS_BY_KEYWORD or words[1].upper() in CARD_BY_CODE
    return parse_tag(line.strip()) is not None


def set_at_path(obj: dict[str, Any], path: tuple[str, ...], value: Any) -> bool:
    """Set the value of a tag in an opening's object; False if it has one already."""
    for name in path[:-1]:
        obj = obj.setdefault(name, {})
    if path[-1] in obj:
        return False
    obj[path[-1]] = value
    return True


def get_at_path(obj: dict[str, Any], path: tuple[str, ...]) -> Any:
    """The value of a tag in an opening's object; None if it has none."""
    value: Any = obj
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def parse_tag_value(tag: OpeningTag, text: str, context: ParsingContext) -> Any:
    """The value of a tag as in JSON; None for an empty text."""
    if not text:
        return None
    if tag.spec.kind.name == "names":
        return parse_names_tag(text, context)
    if tag.spec.kind.name == "text" and (not text.startswith('"') or _begins_with_quotation(tag, text)):
        return text
    cursor = TokenCursor(tokenize_line(text), len(text), context)
    if tag.spec.kind.name == "text":
        if len(cursor.tokens) != 1:
            expected = "one text in quotation marks, or no quotation marks at the beginning"
            raise NotationError(0, "a quotation mark", expected)
        return take_quoted(cursor)
    value = take_value(tag.spec, cursor)
    _require_end(cursor)
    return value


def _begins_with_quotation(tag: OpeningTag, text: str) -> bool:
    """Whether a title or source goes on after a quotation: ``"The Game", Dublin 1766``."""
    return tag.name in FREE_TEXT_TAG_NAMES and _match_quotation_and_more(text) is not None


def parse_names_tag(text: str, context: ParsingContext) -> list[str]:
    """Names with commas between them: any words, as nothing else can follow in a tag."""
    cursor = TokenCursor(tokenize_line(text), len(text), context)
    if is_form_of(cursor.word(), "none") and len(cursor.tokens) == 1:
        return []
    names: list[str] = []
    while not names or cursor.take_sign(","):
        names.append(take_name(cursor, frozenset()))
    _require_end(cursor)
    return names


def _require_end(cursor: TokenCursor) -> None:
    if cursor.token is not None:
        raise cursor.error_here("the next tag on its own line")


def is_seat_word(name: Any, players: Any) -> bool:
    """Whether a name is the word for a seat, and not the name of one of a deal's ``players``."""
    is_word = isinstance(name, str) and name.lower() in SEAT_BY_WORD
    return is_word and isinstance(players, dict) and name not in players.values()


def normalize_ruleset_id(ruleset: str) -> str:
    """The id of a published ruleset, whatever letters are capitals; another id as it is."""
    return ruleset.lower() if ruleset not in _PUBLISHED_IDS and ruleset.lower() in _PUBLISHED_IDS else ruleset


_PUBLISHED_IDS: Final = frozenset(one.ruleset.id for one in PUBLISHED_RULESETS)


def format_tags(opener: str, obj: dict[str, Any]) -> list[str]:
    """Format an opening's object as lines."""
    lines: list[str] = []
    for tag in TAGS_BY_OPENER[opener]:
        value = get_at_path(obj, tag.path)
        if value is not None:
            lines += _format_tag(tag, value, obj)
        elif not lines:
            lines.append(f"{tag.name}:")
    return lines


def _format_tag(tag: OpeningTag, value: Any, obj: dict[str, Any]) -> list[str]:
    text = _format_text(tag, value) if tag.spec.kind.name == "text" else format_value(tag.spec, value)
    if text == value and _needs_quotes(tag, text, obj):
        text = quote_text(text)
    lines = wrap_line(f"{tag.name + ':':<11} {text}")
    # A continued line must not look like one of its own, unless quotation marks are open.
    if text == value and any(map(could_stand_alone, lines[1:])):
        lines = wrap_line(f"{tag.name + ':':<11} {quote_text(text)}")
    return lines


def _needs_quotes(tag: OpeningTag, text: str, obj: dict[str, Any]) -> bool:
    """Whether a text without quotation marks would be read as a seat or as another ruleset."""
    if tag.path == ("ruleset",):
        return normalize_ruleset_id(text) != text
    return tag.path == ("dealer",) and is_seat_word(text, obj.get("players"))


def _format_text(tag: OpeningTag, value: str) -> str:
    is_plain = value == value.strip() and (
        value[:1] not in ("", '"', "\ufeff") or _begins_with_quotation(tag, value)
    )
    return value if is_plain and not has_control_character(value) else quote_text(value)


def wrap_line(line: str, only_inside_signs: bool = False) -> list[str]:
    """Break a line at single spaces into one of ``MAX_LINE_WIDTH`` and indented ones.

    With ``only_inside_signs`` breaks are inside a text, a note or brackets: elsewhere the sentence would end.
    """
    if len(line) <= MAX_LINE_WIDTH:
        return [line]
    lines: list[str] = []
    begin, last, room = 0, 0, MAX_LINE_WIDTH
    for at in (*_find_breaks(line, only_inside_signs), len(line)):
        if at - begin > room and last > begin:
            lines.append(line[begin:last])
            begin, room = last + 1, MAX_LINE_WIDTH - len(CONTINUATION_INDENT)
        last = at
    lines.append(line[begin:])
    return [lines[0], *(CONTINUATION_INDENT + rest for rest in lines[1:])]


def _find_breaks(line: str, only_inside_signs: bool) -> Iterator[int]:
    open_signs, fed_length = OpenSigns(), 0
    for found in _space(line):
        at = found.start()
        if not only_inside_signs or open_signs.feed_line(line[fed_length:at]):
            yield at
        fed_length = at


_space: Final = re.compile(r"(?<=\S) (?=\S)").finditer


def take_opening(cursor: TokenCursor) -> dict[str, Any] | None:
    """Take an opening inside a correction, ``Opened [rules: dlu; …]``, if one comes next."""
    if not cursor.take_form_of("opened"):
        return None
    opener = TABLE_OPENED_TYPE if cursor.take_form_of("evening") else DEAL_OPENED_TYPE
    obj: dict[str, Any] = {"type": opener}
    if not cursor.take_sign("["):
        raise cursor.error_here("[ and the tags of the opening, with semicolons between them")
    while not cursor.take_sign("]"):
        tag = _take_bracket_tag(cursor, opener)
        if not set_at_path(obj, tag.path, take_value(tag.spec, cursor)):
            raise cursor.error_here("each tag once")
        cursor.take_bracket_separator()
    return obj


def _take_bracket_tag(cursor: TokenCursor, opener: str) -> OpeningTag:
    for count in (2, 1):
        spelt = " ".join(cursor.word(ahead) for ahead in range(count)).lower()
        tag = TAG_BY_NAME[opener].get(spelt)
        if tag is not None and not tag.is_metadata:
            cursor.index += count
            return tag
    raise cursor.error_here("a tag of the opening, such as Rules or Forehand")


def format_opening(opener: str, obj: dict[str, Any]) -> str:
    """Format an opening inside a correction."""
    parts = []
    for tag in TAGS_BY_OPENER[opener]:
        value = get_at_path(obj, tag.path)
        if value is not None and not tag.is_metadata:
            is_free_text = tag.spec.kind.name == "text" and tag.spec.kind.minimum == 0
            text = quote_text(value) if is_free_text else format_value(tag.spec, value)
            parts.append(f"{tag.name.lower()}: {text}")
    return f"Opened {'evening ' if opener == TABLE_OPENED_TYPE else ''}[{'; '.join(parts)}]"
