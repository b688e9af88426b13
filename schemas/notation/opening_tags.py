"""How a log is opened: tags, one to a line, ``Forehand: Anna``; the first is ``Deal`` or ``Evening``.

A tag's value goes on in the indented lines below it. Inside a correction an opening is told in one
sentence: ``Opened [rules: dlu; forehand: Anna; …]``.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_BY_CODE
from engine.rulesets import PUBLISHED_RULESETS
from schemas.notation.escapes import has_control_character, quote_text, unquote_text
from schemas.notation.notation_words import NO_GAME_NAMES, SEAT_BY_WORD, is_form_of
from schemas.notation.sentence_forms import sentence_forms_by_keyword
from schemas.notation.tokenizer import STRING_TOKEN, NotationError, OpenSigns, TokenCursor, tokenize_line
from schemas.notation.value_formatters import format_field_value
from schemas.notation.value_parsers import ParsingContext, take_value
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec, build_field_specs

DEAL_OPENED_TYPE, TABLE_OPENED_TYPE = "deal_opened", "table_opened"


class OpeningTag(NamedTuple):
    """A tag: its name, the Danish and other names for it, and the fields it stands for, outermost first."""

    name: str
    aliases: tuple[str, ...]
    path: tuple[str, ...]


_DEAL_TAGS: Final = (
    OpeningTag("Deal", ("giv",), ("title",)),
    OpeningTag("Rules", ("ruleset", "regler"), ("ruleset",)),
    OpeningTag("Revision", ("udgave",), ("revision",)),
    OpeningTag("Switches", ("switch", "valg"), ("switches",)),
    OpeningTag("Forehand", ("forhånd",), ("players", "forehand")),
    OpeningTag("Middlehand", ("mellemhånd",), ("players", "middlehand")),
    OpeningTag("Backhand", ("baghånd",), ("players", "backhand")),
    OpeningTag("Sitting out", ("sidder over",), ("players", "sitting_out")),
    OpeningTag("Partners", ("makkere",), ("players", "partners")),
    OpeningTag("Dealer", ("giver",), ("dealer",)),
    OpeningTag("Pool", ("pulje",), ("pool",)),
    OpeningTag("Reserved", ("gemt",), ("reserved",)),
    OpeningTag("Table", ("bord",), ("table",)),
    OpeningTag("Number", ("nummer", "nr"), ("number",)),
    OpeningTag("Board", ("spilnr",), ("board",)),
    OpeningTag("Branch", ("variation", "variant"), ("branch",)),
    OpeningTag("Source", ("kilde",), ("source",)),
)
_TABLE_TAGS: Final = (
    OpeningTag("Evening", ("aften",), ("title",)),
    OpeningTag("Rules", ("ruleset", "regler"), ("ruleset",)),
    OpeningTag("Players", ("spillere",), ("players",)),
    OpeningTag("Revision", ("udgave",), ("revision",)),
    OpeningTag("Switches", ("switch", "valg"), ("switches",)),
    OpeningTag("Plan", (), ("plan",)),
    OpeningTag("Chip value", ("jetonværdi",), ("chip_value",)),
    OpeningTag("Currency", ("valuta", "mønt"), ("currency",)),
    OpeningTag("Mode", ("måde",), ("mode",)),
)
_METADATA_TAGS: Final = (
    OpeningTag("Basis", ("grundlag",), ("basis",)),
    OpeningTag("Accounts", ("kilder",), ("accounts",)),
    OpeningTag("Id", (), ("id",)),
    OpeningTag("Recorded at", ("at",), ("recorded_at",)),
    OpeningTag("Stored at", ("stored",), ("stored_at",)),
    OpeningTag("Recorded by", ("by",), ("recorded_by",)),
)
TAGS_BY_OPENER: Final = {
    DEAL_OPENED_TYPE: (*_DEAL_TAGS, *_METADATA_TAGS),
    TABLE_OPENED_TYPE: (*_TABLE_TAGS, *_METADATA_TAGS),
}
"""The tags of each opening, in the order in which they are written."""
BRACKET_NAMES: Final = {"recorded_at": "at", "stored_at": "stored", "recorded_by": "by"}
"""What bookkeeping is called in the brackets behind an entry, where it is not as in the events."""

TAG_BY_NAME: Final[dict[str, dict[str, OpeningTag]]] = {
    opener: {spelt.lower(): tag for tag in tags for spelt in (tag.name, *tag.aliases)}
    for opener, tags in TAGS_BY_OPENER.items()
}
PLAYERS_TAG_NAMES: Final = frozenset({"players", "spillere"})
"""In a deal, the three players in the order of the seats."""
LETTERS_TAG_NAMES: Final = frozenset({"letters", "bogstaver", "kort"})
"""Which alphabet the deal is written in; of the text, not of the deal."""
DATE_TAG_NAMES: Final = frozenset({"date", "dato", "day", "dag"})
"""What somebody may look for among the tags: no event has such a field."""
ALL_TAG_NAMES: Final = frozenset(
    (*LETTERS_TAG_NAMES, *PLAYERS_TAG_NAMES, *TAG_BY_NAME[DEAL_OPENED_TYPE], *TAG_BY_NAME[TABLE_OPENED_TYPE])
)
"""The name of every tag, in small letters."""
MAX_LINE_WIDTH: Final = 96
"""Lines are filled up to so many columns."""
CONTINUATION_INDENT: Final = "  "

_match_tag: Final = re.compile(r"\s*([^\W\d_][\w ]{0,20}?)\s*:(?:\s+|$)(.*)", re.DOTALL).match
_numbered: Final = re.compile(r"[0-9]{1,10}[.:)]?").fullmatch
match_opener: Final = re.compile(r"\ufeff?(deal|giv|evening|aften)[ \t]*:(?=\s|$)", re.IGNORECASE).match
"""Whether a line begins a deal or an evening. It does so by itself, whatever stands before it."""


def opener_of_line(line: str) -> str:
    """What a line that ``match_opener`` opens."""
    found = match_opener(line)
    return (
        TABLE_OPENED_TYPE
        if found is not None and found[1].lower() in ("evening", "aften")
        else DEAL_OPENED_TYPE
    )


def parse_tag(line: str) -> tuple[str, str, int] | None:
    """The name of a line's tag in small letters, its value and where that begins; None where it has none."""
    found = parse_possible_tag(line)
    return found if found is not None and found[0] in ALL_TAG_NAMES else None


def parse_possible_tag(line: str) -> tuple[str, str, int] | None:
    """What ``parse_tag`` gives, of a line that looks like a tag, whatever its name."""
    found = _match_tag(line.rstrip())
    return None if found is None else (found[1].lower(), found[2], found.start(2))


def could_stand_alone(line: str) -> bool:
    """Whether a line that goes on with a tag's value could be a tag, or tell of the deal, by itself."""
    words = line.lower().split(maxsplit=2)
    if words and _numbered(words[0]):
        del words[0]
    if len(words) > 1 and words[0].rstrip(":") in SEAT_BY_WORD:
        return (True, words[1]) in sentence_forms_by_keyword() or words[1].upper() in CARD_BY_CODE
    return parse_tag(line.strip()) is not None


def find_field_spec(opener: str, path: tuple[str, ...]) -> FieldSpec:
    """The field that a tag stands for."""
    specs = {spec.name: spec for spec in (*EVENT_SPECS[opener], *METADATA_FIELDS)}
    for name in path[:-1]:
        specs = {spec.name: spec for spec in build_field_specs(_object_class(specs[name]))}
    return specs[path[-1]]


def _object_class(spec: FieldSpec) -> type:
    assert spec.object_class is not None
    return spec.object_class


SPEC_BY_TAG_PATH: Final = {
    (opener, tag.path): find_field_spec(opener, tag.path)
    for opener, tags in TAGS_BY_OPENER.items()
    for tag in tags
}


def set_at_path(obj: dict[str, Any], path: tuple[str, ...], value: Any) -> bool:
    """Puts a value where a tag belongs in an opening's object; False where there is one already."""
    for name in path[:-1]:
        obj = obj.setdefault(name, {})
    if path[-1] in obj:
        return False
    obj[path[-1]] = value
    return True


def parse_tag_value(opener: str, tag: OpeningTag, text: str, context: ParsingContext) -> Any:
    """The value of a tag, as JSON has it; None where nothing stands there.

    Raises:
        NotationError: what stands there is no such value; its place is counted from the value's beginning.
    """
    if not text:
        return None
    spec = SPEC_BY_TAG_PATH[opener, tag.path]
    if spec.kind.name == "text":
        return _parse_text_value(text)
    if spec.kind.name == "names":
        return parse_names_tag(spec, text)
    cursor = TokenCursor(tokenize_line(text), len(text))
    value = take_field(spec, cursor, context)
    if cursor.token is not None:
        raise cursor.error_here("the next tag on a line of its own")
    return value


def parse_names_tag(spec: FieldSpec, text: str) -> list[str]:
    """The names of a tag, with commas between them: any words, as nothing else can follow them there.

    Raises:
        NotationError: something else than names stands there.
    """
    cursor = TokenCursor(tokenize_line(text), len(text))
    if is_form_of(cursor.word(), "none") and len(cursor.tokens) == 1:
        return []
    names: list[str] = []
    while not names or cursor.take_sign(","):
        words = []
        quoted_one = cursor.token is not None and cursor.token.kind == STRING_TOKEN
        if quoted_one:
            token = cursor.take_token()
            words.append(unquote_text(token.text, token.offset))
        while not quoted_one and cursor.word():
            words.append(cursor.take_token().text)
        if not words:
            raise cursor.error_here("a name")
        names.append(" ".join(words))
    if cursor.token is not None:
        raise cursor.error_here("the next tag on a line of its own")
    return names


def is_seat_word(name: Any, players: dict[str, Any]) -> bool:
    """Whether a name is the word for a seat, and no player is called so."""
    return isinstance(name, str) and name.lower() in SEAT_BY_WORD and name not in players.values()


def normalize_ruleset_id(ruleset: str) -> str:
    """The id of the published ruleset that is meant, whatever letters are capitals; else as it is written."""
    return ruleset.lower() if ruleset not in _PUBLISHED_IDS and ruleset.lower() in _PUBLISHED_IDS else ruleset


_PUBLISHED_IDS: Final = frozenset(one.ruleset.id for one in PUBLISHED_RULESETS)


def _parse_text_value(text: str) -> str:
    """A text as it stands there, or in quotation marks."""
    if not text.startswith('"'):
        return text
    tokens = tokenize_line(text)
    if len(tokens) != 1 or tokens[0].kind != STRING_TOKEN:
        raise NotationError(
            0, "a quotation mark", "one text in quotation marks, or none of them at the beginning"
        )
    return unquote_text(tokens[0].text, tokens[0].offset)


def take_field(spec: FieldSpec, cursor: TokenCursor, context: ParsingContext) -> Any:
    """The value of a field of an opening; what it is made of stands in the order of its words."""
    if spec.object_class is None:
        return take_value(spec, cursor, context)
    obj: dict[str, Any] = {}
    if is_form_of(cursor.word(), "none"):
        cursor.index += 1
        return obj
    for part in build_field_specs(spec.object_class):
        has_name = is_form_of(cursor.word(), part.name)
        if part.required or has_name:
            cursor.index += has_name
            obj[part.name] = take_value(part, cursor, context)
    return obj


def format_field(spec: FieldSpec, value: Any) -> str:
    """The value of a field of an opening."""
    if spec.object_class is None:
        return format_field_value(spec, value, NO_GAME_NAMES)
    parts = [
        (
            part.name if not (part.required and at == 0) else "",
            format_field_value(part, value[part.name], NO_GAME_NAMES),
        )
        for at, part in enumerate(build_field_specs(spec.object_class))
        if part.name in value
    ]
    return " ".join(word for pair in parts for word in pair if word) or "none"


def format_tags(opener: str, obj: dict[str, Any]) -> list[str]:
    """The lines of an opening, from its object as JSON has it."""
    lines = []
    for tag in TAGS_BY_OPENER[opener]:
        value: Any = obj
        for name in tag.path:
            value = value.get(name) if isinstance(value, dict) else None
        first = tag is TAGS_BY_OPENER[opener][0]
        if value is None and not first:
            continue
        spec = SPEC_BY_TAG_PATH[opener, tag.path]
        text = (
            ""
            if value is None
            else _format_text(value)
            if spec.kind.name == "text"
            else format_field(spec, value)
        )
        if text == value and _needs_quotes(tag, text, obj):
            text = quote_text(text)
        tag_lines = wrap_line(f"{tag.name + ':':<11} {text}".rstrip())
        # A line that goes on must not look like one of its own, unless quotation marks are open.
        if text == value and any(map(could_stand_alone, tag_lines[1:])):
            tag_lines = wrap_line(f"{tag.name + ':':<11} {quote_text(text)}")
        lines += tag_lines
    return lines


def _needs_quotes(tag: OpeningTag, text: str, obj: dict[str, Any]) -> bool:
    """Whether a text without quotation marks would be read as what it is not: a seat, a ruleset."""
    if tag.path == ("ruleset",):
        return normalize_ruleset_id(text) != text
    players = obj.get("players")
    return tag.path == ("dealer",) and isinstance(players, dict) and is_seat_word(text, players)


def _format_text(value: str) -> str:
    plain = (
        value and value == value.strip() and value[0] not in '"\ufeff' and not has_control_character(value)
    )
    return value if plain else quote_text(value)


def wrap_line(line: str, only_inside_signs: bool = False) -> list[str]:
    """A line filled up to ``MAX_LINE_WIDTH``, the rest in indented lines; broken where one space stands
    alone.

    With ``only_inside_signs`` it is broken only inside a text, a note or brackets: elsewhere a sentence would
    end.
    """
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
    """Where a line may be broken."""
    open_signs, fed_length = OpenSigns(), 0
    for found in _space(line):
        at = found.start()
        if not only_inside_signs or open_signs.feed_line(line[fed_length:at]):
            yield at
        fed_length = at


_space: Final = re.compile(r"(?<=\S) (?=\S)").finditer


def is_opening_next(cursor: TokenCursor) -> bool:
    """Whether an opening inside a correction comes next."""
    return is_form_of(cursor.word(), "opened")


def take_opening(cursor: TokenCursor, context: ParsingContext) -> dict[str, Any]:
    """An opening inside a correction, ``Opened [rules: dlu; forehand: Anna]``, as an event's object.

    Raises:
        NotationError: a tag in the brackets is none of an opening's, or has no such value.
    """
    cursor.index += 1
    opener = DEAL_OPENED_TYPE
    if is_form_of(cursor.word(), "evening"):
        cursor.index, opener = cursor.index + 1, TABLE_OPENED_TYPE
    obj: dict[str, Any] = {"type": opener}
    if not cursor.take_sign("["):
        raise cursor.error_here("[ and the tags of the opening, with semicolons between them")
    while not cursor.take_sign("]"):
        tag = _take_bracket_tag(cursor, opener)
        if not set_at_path(obj, tag.path, take_field(SPEC_BY_TAG_PATH[opener, tag.path], cursor, context)):
            raise cursor.error_here("each tag once")
        if not cursor.take_sign(";") and not cursor.is_sign_next("]"):
            raise cursor.error_here("; or ]")
    return obj


def _take_bracket_tag(cursor: TokenCursor, opener: str) -> OpeningTag:
    for count in (2, 1):
        spelt = " ".join(cursor.word(ahead) for ahead in range(count)).lower()
        tag = TAG_BY_NAME[opener].get(spelt)
        if tag is not None and tag in TAGS_BY_OPENER[opener][: -len(_METADATA_TAGS)]:
            cursor.index += count
            return tag
    raise cursor.error_here("a tag of the opening, such as Rules or Forehand")


def format_opening(opener: str, obj: dict[str, Any]) -> str:
    """An opening inside a correction, from its object."""
    parts = []
    for tag in TAGS_BY_OPENER[opener][: -len(_METADATA_TAGS)]:
        value: Any = obj
        for name in tag.path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            parts.append(
                f"{tag.name.lower()}: {_format_bracket_value(SPEC_BY_TAG_PATH[opener, tag.path], value)}"
            )
    return f"Opened {'evening ' if opener == TABLE_OPENED_TYPE else ''}[{'; '.join(parts)}]"


def _format_bracket_value(spec: FieldSpec, value: Any) -> str:
    return (
        quote_text(value)
        if spec.kind.name == "text" and spec.kind.minimum == 0
        else format_field(spec, value)
    )
