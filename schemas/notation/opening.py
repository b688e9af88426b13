"""How a log is opened: tags, one to a line, ``Forehand: Anna``; the first is ``Deal`` or ``Evening``.

A tag's value goes on in the indented lines below it. Inside a correction an opening is told in one
sentence: ``Opened [rules: dlu; forehand: Anna; …]``.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_OF
from engine.rulesets import PUBLISHED
from schemas.notation.escapes import has_control, quoted, unquoted
from schemas.notation.sentences import by_key
from schemas.notation.tokens import STRING, Cursor, Misread, Open, tokens_of
from schemas.notation.values import Reading, read_value
from schemas.notation.words import NO_TERMS, SEATS, is_word
from schemas.notation.written import written
from schemas.wire.declaration import BOOKKEEPING, EVENT_SPECS, FieldSpec, specs_of

DEAL, TABLE = "deal_opened", "table_opened"


class Tag(NamedTuple):
    """A tag: its name, the Danish and other names for it, and the fields it stands for, outermost first."""

    name: str
    others: tuple[str, ...]
    path: tuple[str, ...]


_DEAL_TAGS: Final = (
    Tag("Deal", ("giv",), ("title",)),
    Tag("Rules", ("ruleset", "regler"), ("ruleset",)),
    Tag("Revision", ("udgave",), ("revision",)),
    Tag("Switches", ("switch", "valg"), ("switches",)),
    Tag("Forehand", ("forhånd",), ("players", "forehand")),
    Tag("Middlehand", ("mellemhånd",), ("players", "middlehand")),
    Tag("Backhand", ("baghånd",), ("players", "backhand")),
    Tag("Sitting out", ("sidder over",), ("players", "sitting_out")),
    Tag("Partners", ("makkere",), ("players", "partners")),
    Tag("Dealer", ("giver",), ("dealer",)),
    Tag("Pool", ("pulje",), ("pool",)),
    Tag("Reserved", ("gemt",), ("reserved",)),
    Tag("Table", ("bord",), ("table",)),
    Tag("Number", ("nummer", "nr"), ("number",)),
    Tag("Board", ("spilnr",), ("board",)),
    Tag("Branch", ("variation", "variant"), ("branch",)),
    Tag("Source", ("kilde",), ("source",)),
)
_TABLE_TAGS: Final = (
    Tag("Evening", ("aften",), ("title",)),
    Tag("Rules", ("ruleset", "regler"), ("ruleset",)),
    Tag("Players", ("spillere",), ("players",)),
    Tag("Revision", ("udgave",), ("revision",)),
    Tag("Switches", ("switch", "valg"), ("switches",)),
    Tag("Plan", (), ("plan",)),
    Tag("Chip value", ("jetonværdi",), ("chip_value",)),
    Tag("Currency", ("valuta", "mønt"), ("currency",)),
    Tag("Mode", ("måde",), ("mode",)),
)
_BOOK_TAGS: Final = (
    Tag("Basis", ("grundlag",), ("basis",)),
    Tag("Accounts", ("kilder",), ("accounts",)),
    Tag("Id", (), ("id",)),
    Tag("Recorded at", ("at",), ("recorded_at",)),
    Tag("Stored at", ("stored",), ("stored_at",)),
    Tag("Recorded by", ("by",), ("recorded_by",)),
)
TAGS: Final = {DEAL: (*_DEAL_TAGS, *_BOOK_TAGS), TABLE: (*_TABLE_TAGS, *_BOOK_TAGS)}
"""The tags of each opening, in the order in which they are written."""
IN_BRACKETS: Final = {"recorded_at": "at", "stored_at": "stored", "recorded_by": "by"}
"""What bookkeeping is called in the brackets behind an entry, where it is not as in the events."""

NAMED: Final[dict[str, dict[str, Tag]]] = {
    opener: {spelt.lower(): tag for tag in tags for spelt in (tag.name, *tag.others)}
    for opener, tags in TAGS.items()
}
PLAYERS: Final = frozenset({"players", "spillere"})
"""In a deal, the three players in the order of the seats."""
LETTERS: Final = frozenset({"letters", "bogstaver", "kort"})
"""Which alphabet the deal is written in; of the text, not of the deal."""
DATES: Final = frozenset({"date", "dato", "day", "dag"})
"""What somebody may look for among the tags: no event has such a field."""
ALL_TAGS: Final = frozenset((*LETTERS, *PLAYERS, *NAMED[DEAL], *NAMED[TABLE]))
"""The name of every tag, in small letters."""
WIDTH: Final = 96
"""Lines are filled up to so many columns."""
INDENT: Final = "  "

_tag: Final = re.compile(r"\s*([^\W\d_][\w ]{0,20}?)\s*:(?:\s+|$)(.*)", re.DOTALL).match
_numbered: Final = re.compile(r"[0-9]{1,10}[.:)]?").fullmatch
opens: Final = re.compile(r"\ufeff?(deal|giv|evening|aften)[ \t]*:(?=\s|$)", re.IGNORECASE).match
"""Whether a line begins a deal or an evening. It does so by itself, whatever stands before it."""


def opener_of(line: str) -> str:
    """What a line that ``opens`` opens."""
    found = opens(line)
    return TABLE if found is not None and found[1].lower() in ("evening", "aften") else DEAL


def tag_of(line: str) -> tuple[str, str, int] | None:
    """The name of a line's tag in small letters, its value and where that begins; None where it has none."""
    found = like_a_tag(line)
    return found if found is not None and found[0] in ALL_TAGS else None


def like_a_tag(line: str) -> tuple[str, str, int] | None:
    """What ``tag_of`` gives, of a line that looks like a tag, whatever its name."""
    found = _tag(line.rstrip())
    return None if found is None else (found[1].lower(), found[2], found.start(2))


def begins_anew(line: str) -> bool:
    """Whether a line that goes on with a tag's value could be a tag, or tell of the deal, by itself."""
    words = line.lower().split(maxsplit=2)
    if words and _numbered(words[0]):
        del words[0]
    if len(words) > 1 and words[0].rstrip(":") in SEATS:
        return (True, words[1]) in by_key() or words[1].upper() in CARD_OF
    return tag_of(line.strip()) is not None


def spec_at(opener: str, path: tuple[str, ...]) -> FieldSpec:
    """The field that a tag stands for."""
    specs = {spec.name: spec for spec in (*EVENT_SPECS[opener], *BOOKKEEPING)}
    for name in path[:-1]:
        specs = {spec.name: spec for spec in specs_of(_shape(specs[name]))}
    return specs[path[-1]]


def _shape(spec: FieldSpec) -> type:
    assert spec.shape is not None
    return spec.shape


SPECS: Final = {
    (opener, tag.path): spec_at(opener, tag.path) for opener, tags in TAGS.items() for tag in tags
}


def put(obj: dict[str, Any], path: tuple[str, ...], value: Any) -> bool:
    """Puts a value where a tag belongs in an opening's object; False where there is one already."""
    for name in path[:-1]:
        obj = obj.setdefault(name, {})
    if path[-1] in obj:
        return False
    obj[path[-1]] = value
    return True


def read_tag(opener: str, tag: Tag, text: str, reading: Reading) -> Any:
    """The value of a tag, as JSON has it; None where nothing stands there.

    Raises:
        Misread: what stands there is no such value; its place is counted from the value's beginning.
    """
    if not text:
        return None
    spec = SPECS[opener, tag.path]
    if spec.kind.name == "text":
        return _raw(text)
    if spec.kind.name == "names":
        return read_names(spec, text)
    cursor = Cursor(tokens_of(text), len(text))
    value = read_field(spec, cursor, reading)
    if cursor.token is not None:
        raise cursor.misread("the next tag on a line of its own")
    return value


def read_names(spec: FieldSpec, text: str) -> list[str]:
    """The names of a tag, with commas between them: any words, as nothing else can follow them there.

    Raises:
        Misread: something else than names stands there.
    """
    cursor = Cursor(tokens_of(text), len(text))
    if is_word(cursor.word(), "none") and len(cursor.tokens) == 1:
        return []
    names: list[str] = []
    while not names or cursor.sign(","):
        words = []
        quoted_one = cursor.token is not None and cursor.token.kind == STRING
        if quoted_one:
            token = cursor.take()
            words.append(unquoted(token.text, token.at))
        while not quoted_one and cursor.word():
            words.append(cursor.take().text)
        if not words:
            raise cursor.misread("a name")
        names.append(" ".join(words))
    if cursor.token is not None:
        raise cursor.misread("the next tag on a line of its own")
    return names


def is_seat(name: Any, players: dict[str, Any]) -> bool:
    """Whether a name is the word for a seat, and no player is called so."""
    return isinstance(name, str) and name.lower() in SEATS and name not in players.values()


def published_id(ruleset: str) -> str:
    """The id of the published ruleset that is meant, whatever letters are capitals; else as it is written."""
    return ruleset.lower() if ruleset not in _IDS and ruleset.lower() in _IDS else ruleset


_IDS: Final = frozenset(one.ruleset.id for one in PUBLISHED)


def _raw(text: str) -> str:
    """A text as it stands there, or in quotation marks."""
    if not text.startswith('"'):
        return text
    tokens = tokens_of(text)
    if len(tokens) != 1 or tokens[0].kind != STRING:
        raise Misread(0, "a quotation mark", "one text in quotation marks, or none of them at the beginning")
    return unquoted(tokens[0].text, tokens[0].at)


def read_field(spec: FieldSpec, cursor: Cursor, reading: Reading) -> Any:
    """The value of a field of an opening; what it is made of stands in the order of its words."""
    if spec.shape is None:
        return read_value(spec, cursor, reading)
    obj: dict[str, Any] = {}
    if is_word(cursor.word(), "none"):
        cursor.next += 1
        return obj
    for part in specs_of(spec.shape):
        named = is_word(cursor.word(), part.name)
        if part.required or named:
            cursor.next += named
            obj[part.name] = read_value(part, cursor, reading)
    return obj


def written_field(spec: FieldSpec, value: Any) -> str:
    """The value of a field of an opening."""
    if spec.shape is None:
        return written(spec, value, NO_TERMS)
    parts = [
        (part.name if not (part.required and at == 0) else "", written(part, value[part.name], NO_TERMS))
        for at, part in enumerate(specs_of(spec.shape))
        if part.name in value
    ]
    return " ".join(word for pair in parts for word in pair if word) or "none"


def written_tags(opener: str, obj: dict[str, Any]) -> list[str]:
    """The lines of an opening, from its object as JSON has it."""
    lines = []
    for tag in TAGS[opener]:
        value: Any = obj
        for name in tag.path:
            value = value.get(name) if isinstance(value, dict) else None
        first = tag is TAGS[opener][0]
        if value is None and not first:
            continue
        spec = SPECS[opener, tag.path]
        text = (
            "" if value is None else _text(value) if spec.kind.name == "text" else written_field(spec, value)
        )
        if text == value and _is_taken_otherwise(tag, text, obj):
            text = quoted(text)
        put = folded(f"{tag.name + ':':<11} {text}".rstrip())
        # A line that goes on must not look like one of its own, unless quotation marks are open.
        if text == value and any(map(begins_anew, put[1:])):
            put = folded(f"{tag.name + ':':<11} {quoted(text)}")
        lines += put
    return lines


def _is_taken_otherwise(tag: Tag, text: str, obj: dict[str, Any]) -> bool:
    """Whether a text without quotation marks would be read as what it is not: a seat, a ruleset."""
    if tag.path == ("ruleset",):
        return published_id(text) != text
    players = obj.get("players")
    return tag.path == ("dealer",) and isinstance(players, dict) and is_seat(text, players)


def _text(value: str) -> str:
    plain = value and value == value.strip() and value[0] not in '"\ufeff' and not has_control(value)
    return value if plain else quoted(value)


def folded(line: str, inside: bool = False) -> list[str]:
    """A line filled up to ``WIDTH``, the rest in indented lines; broken where one space stands alone.

    With ``inside`` it is broken only inside a text, a note or brackets: elsewhere a sentence would end.
    """
    lines: list[str] = []
    begin, last, room = 0, 0, WIDTH
    for at in (*_breaks(line, inside), len(line)):
        if at - begin > room and last > begin:
            lines.append(line[begin:last])
            begin, room = last + 1, WIDTH - len(INDENT)
        last = at
    lines.append(line[begin:])
    return [lines[0], *(INDENT + rest for rest in lines[1:])]


def _breaks(line: str, inside: bool) -> Iterator[int]:
    """Where a line may be broken."""
    opened, fed = Open(), 0
    for found in _space(line):
        at = found.start()
        if not inside or opened.feed(line[fed:at]):
            yield at
        fed = at


_space: Final = re.compile(r"(?<=\S) (?=\S)").finditer


def is_opened(cursor: Cursor) -> bool:
    """Whether an opening inside a correction comes next."""
    return is_word(cursor.word(), "opened")


def read_opened(cursor: Cursor, reading: Reading) -> dict[str, Any]:
    """An opening inside a correction, ``Opened [rules: dlu; forehand: Anna]``, as an event's object.

    Raises:
        Misread: a tag in the brackets is none of an opening's, or has no such value.
    """
    cursor.next += 1
    opener = DEAL
    if is_word(cursor.word(), "evening"):
        cursor.next, opener = cursor.next + 1, TABLE
    obj: dict[str, Any] = {"type": opener}
    if not cursor.sign("["):
        raise cursor.misread("[ and the tags of the opening, with semicolons between them")
    while not cursor.sign("]"):
        tag = _tag_in_brackets(cursor, opener)
        if not put(obj, tag.path, read_field(SPECS[opener, tag.path], cursor, reading)):
            raise cursor.misread("each tag once")
        if not cursor.sign(";") and not cursor.is_sign("]"):
            raise cursor.misread("; or ]")
    return obj


def _tag_in_brackets(cursor: Cursor, opener: str) -> Tag:
    for count in (2, 1):
        spelt = " ".join(cursor.word(ahead) for ahead in range(count)).lower()
        tag = NAMED[opener].get(spelt)
        if tag is not None and tag in TAGS[opener][: -len(_BOOK_TAGS)]:
            cursor.next += count
            return tag
    raise cursor.misread("a tag of the opening, such as Rules or Forehand")


def written_opened(opener: str, obj: dict[str, Any]) -> str:
    """An opening inside a correction, from its object."""
    parts = []
    for tag in TAGS[opener][: -len(_BOOK_TAGS)]:
        value: Any = obj
        for name in tag.path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            parts.append(f"{tag.name.lower()}: {_in_brackets(SPECS[opener, tag.path], value)}")
    return f"Opened {'evening ' if opener == TABLE else ''}[{'; '.join(parts)}]"


def _in_brackets(spec: FieldSpec, value: Any) -> str:
    return quoted(value) if spec.kind.name == "text" and spec.kind.least == 0 else written_field(spec, value)
