"""Reading the heading of a deal: its tags, what the evening's log adds, and what is wrong or missing."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import Name
from engine.core.log import Log
from engine.core.message import format_message
from engine.core.table_events import PlayerJoined, PlayerLeft, SeatsSet, TableOpened
from engine.rulesets import PUBLISHED_RULESETS, find_ruleset
from engine.tables.seating import seat_players
from schemas.notation.alphabets import ALPHABETS
from schemas.notation.joined_lines import LocatedProblem, NotationLine
from schemas.notation.notation_words import SEAT_BY_WORD, GameNames, build_game_names, needs_no_quotes
from schemas.notation.opening_tags import (
    DEAL_OPENED_TYPE,
    LETTERS_TAG_NAMES,
    PLAYERS_TAG_NAMES,
    TAG_BY_NAME,
    TAGS_BY_OPENER,
    OpeningTag,
    could_stand_alone,
    is_seat_word,
    normalize_ruleset_id,
    parse_names_tag,
    parse_tag_value,
    set_at_path,
)
from schemas.notation.tokens import NotationError, OpenSigns, ParsingContext
from schemas.wire.bad_lines import EXCERPT_LENGTH
from schemas.wire.event_writer import entry_object
from schemas.wire.field_specs import field_kind
from schemas.wire.wire_faults import (
    NO_VALUE,
    WireFault,
    as_message,
    find_nearest_word,
    quote_value,
    quoted_message,
)

MAX_CACHED_SEATINGS: Final = 100
MAX_NAME_LENGTH: Final = field_kind(Name).maximum
EXPECTED_HEADING: Final = (
    "first the heading: Deal: a title, Rules: dlu, Players: Anna, Bo, Carl, each on a line"
)


class HeadingParser:
    """Reads the tags of a log into ``opening``, the opening's object."""

    def __init__(self, opener: str, context: ParsingContext) -> None:
        self.opener = opener
        self.context = context
        self.opening: dict[str, Any] = {"type": opener}
        self.problems: list[LocatedProblem] = []
        self._lines: dict[str, NotationLine] = {}
        self._failed_pointers: list[str] = []
        self._unquoted_pointers: set[str] = set()

    @property
    def ruleset_id(self) -> str:
        """The id of the ruleset, empty where none is named."""
        return str(self.opening.get("ruleset", ""))

    @property
    def seat_by_player(self) -> Mapping[str, str]:
        """The seats of a deal's players by name, as far as they cannot be anything else."""
        players = self.opening.get("players")
        if not isinstance(players, dict):
            return {}
        # Of a name that is too long, which is a fault, only the beginning is kept in the cache.
        names = [str(players.get(seat, ""))[:MAX_NAME_LENGTH] for seat in SEAT_NAMES]
        return seat_by_player_name(tuple(names), self.ruleset_id[:MAX_NAME_LENGTH])

    def resolve(self) -> None:
        """Read what depends on other tags once all are there: a dealer's seat, a ruleset's id."""
        obj = self.opening
        dealer, players = obj.get("dealer"), obj.get("players", {})
        if "/dealer" in self._unquoted_pointers and is_seat_word(dealer, players):
            obj["dealer"] = players.get(SEAT_BY_WORD[str(dealer).lower()], dealer)
        if "/ruleset" in self._unquoted_pointers and "ruleset" in obj:
            obj["ruleset"] = normalize_ruleset_id(obj["ruleset"])

    def add_line(self, line: NotationLine) -> None:
        """Read a line with a tag."""
        assert line.tag is not None
        name, text, at = line.tag
        tag = TAG_BY_NAME[self.opener].get(name)
        try:
            self._add_tag(name, tag, text, line)
        except NotationError as misread:
            self._failed_pointers.append("/players" if tag is None else tag.pointer)
            self.problems.append(line.describe_error(misread, at))
        if line.continuations and (tag is not None or name in PLAYERS_TAG_NAMES):
            self._check_continuation(line)

    def _check_continuation(self, line: NotationLine) -> None:
        """Report indented lines, which continue a tag's value, that could be something of their own."""
        open_signs, piece_offsets = OpenSigns(), [piece.offset for piece in line.continuations]
        for begin, end in pairwise((0, *piece_offsets, len(line.text))):
            if begin and not open_signs.open_text and could_stand_alone(line.text[begin:end]):
                read = quote_value(line.text[begin:end][:EXCERPT_LENGTH])
                expected = "it at the beginning of the line, or the whole text in quotation marks"
                reason = format_message(
                    "{read} continues the line above, or begins something new",
                    read=quoted_message(read),
                )
                self.problems.append(line.describe_error(NotationError(begin, read, expected, reason)))
            open_signs.feed_line(line.text[begin:end])

    def _add_tag(self, name: str, tag: OpeningTag | None, text: str, line: NotationLine) -> None:
        if name in LETTERS_TAG_NAMES:
            if text.strip().lower() not in ALPHABETS:
                expected = format_message("one of {choices}", choices=", ".join(ALPHABETS))
                raise NotationError(0, quote_value(text), expected)
        elif tag is not None:
            self._set_value(tag, parse_tag_value(tag, text, self.context), line)
            if not text.startswith(('"', "“")):
                self._unquoted_pointers.add(tag.pointer)
        elif name in PLAYERS_TAG_NAMES:
            self._add_players(text, line)
        else:
            raise self._unknown_tag_error(line)

    def _unknown_tag_error(self, line: NotationLine) -> NotationError:
        assert line.tag is not None
        quoted_name = quote_value(line.text.partition(":")[0])
        read = quoted_message(quoted_name)
        nearest = find_nearest_word(line.tag[0], [*TAG_BY_NAME[self.opener], *PLAYERS_TAG_NAMES])
        reason = format_message("There is no tag {read} here", read=read)
        if nearest is None:
            tags = ", ".join(tag.name for tag in TAGS_BY_OPENER[self.opener])
            expected = format_message("a tag of this log: {tags}", tags=tags)
        else:
            expected = format_message(
                "{near}: …, if you mean that, or another tag of this log", near=nearest.capitalize()
            )
        return NotationError(-line.tag[2], quoted_name, expected, reason)

    def _set_value(self, tag: OpeningTag, value: Any, line: NotationLine) -> None:
        self._lines[tag.pointer] = line
        if value is not None and not set_at_path(self.opening, tag.path, value):
            reason = format_message("{read}: appears here for the second time", read=tag.name)
            raise NotationError(0, f"{tag.name}: a second time", "each tag once", reason)

    def _add_players(self, text: str, line: NotationLine) -> None:
        names = parse_names_tag(text, self.context)
        if len(names) != len(SEAT_NAMES):
            expected = "three, in the order of forehand, middlehand, backhand"
            raise NotationError(0, f"{len(names)} players", expected)
        for seat, name in zip(SEAT_NAMES, names, strict=True):
            self._set_value(TAG_BY_NAME[DEAL_OPENED_TYPE][seat], name, line)

    def locate_faults(self, faults: Iterable[WireFault], first_line: NotationLine) -> list[LocatedProblem]:
        """The problems of an opening that is faulty, each at its tag or at the log's first line."""
        failed = tuple(self._failed_pointers)
        return [
            self._locate_fault(fault, first_line)
            for fault in faults
            if fault.read != NO_VALUE or not fault.pointer.startswith(failed)
        ]

    def _locate_fault(self, fault: WireFault, first_line: NotationLine) -> LocatedProblem:
        line = self._lines.get(fault.pointer)
        if line is not None and line.tag is not None:
            return line.problem(fault.read, fault.expected, fault.advice, line.tag[2])
        names = (tag.name for tag in TAGS_BY_OPENER[self.opener] if tag.pointer == fault.pointer)
        wanted = next((f"{name}: …" for name in names), fault.expected)
        if fault.pointer == "/players" and self.opener == DEAL_OPENED_TYPE:
            wanted = "Players: … (forehand, middlehand, backhand)"
        message = format_message(
            "The heading lacks {expected}; write it on its own line below this one.",
            expected=as_message(wanted),
        )
        return first_line.problem(NO_VALUE, wanted, message)


@lru_cache(MAX_CACHED_SEATINGS)
def seat_by_player_name(players: tuple[str, ...], ruleset_id: str) -> Mapping[str, str]:
    """The seats of three players by name, in small letters, without names of games and a name of two."""
    names, game_names = [name.lower() for name in players], build_game_names(ruleset_id)
    return {
        name: seat
        for name, seat in zip(names, SEAT_NAMES, strict=True)
        if names.count(name) == 1 and _is_unambiguous(name, game_names)
    }


def _is_unambiguous(name: str, game_names: GameNames) -> bool:
    first = (name.split() or [""])[0]
    return needs_no_quotes(first) and game_names.find_id(name) is None and game_names.find_id(first) is None


class EveningDefaults(NamedTuple):
    """What deals take from an evening's log: its opening as JSON, and the players in the order of play.

    ``players`` is empty where they change during the evening, as who sits in a deal is then unknown.
    """

    opening: dict[str, Any]
    players: tuple[str, ...]


def find_evening_defaults(log: Log) -> EveningDefaults | None:
    """The defaults that an evening's log gives; None for another log."""
    if not log or not isinstance(log[0].event, TableOpened):
        return None
    events = [entry.event for entry in log]
    seats = [event.players for event in events if isinstance(event, SeatsSet)]
    changes = len(seats) > 1 or any(isinstance(event, PlayerJoined | PlayerLeft) for event in events)
    players = () if changes else (seats or [log[0].event.players])[0]
    return EveningDefaults(entry_object(log[0], omit_unknown=True), tuple(players))


def fill_from_evening(obj: dict[str, Any], defaults: EveningDefaults) -> None:
    """Add what a deal's opening leaves out; a ruleset of its own has its own revision and switches."""
    if "ruleset" not in obj:
        for name in ("ruleset", "revision", "switches"):
            if name in defaults.opening and name not in obj:
                obj[name] = defaults.opening[name]
    rules = find_ruleset(PUBLISHED_RULESETS, obj.get("ruleset", ""))
    if "players" in obj or rules is None or "dealer" not in obj:
        return
    seating = seat_players(defaults.players, obj["dealer"], rules.ruleset)
    if seating is not None:
        forehand, middlehand, backhand = seating.active
        obj["players"] = {"forehand": forehand, "middlehand": middlehand, "backhand": backhand}
        if seating.sitting_out:
            obj["players"]["sitting_out"] = list(seating.sitting_out)
