"""Writing a log in the one canonical form of the notation."""

from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn
from engine.core.log import NO_METADATA, Entry, Log
from schemas.notation.deal_progress import TrickCounter
from schemas.notation.field_values import format_value
from schemas.notation.notation_words import NO_GAME_NAMES, SEAT_LETTER, GameNames, build_game_names
from schemas.notation.opening_tags import (
    SPEC_BY_BRACKET_NAME,
    TAGS_BY_OPENER,
    format_opening,
    format_tags,
    wrap_line,
)
from schemas.notation.plays_and_notes import format_note, format_play
from schemas.notation.sentence_forms import SENTENCE_FORMS, SentenceForm
from schemas.wire.event_writer import entry_object
from schemas.wire.field_specs import FieldSpec

SECTION_BY_EVENT_TYPE: Final[dict[str, str]] = {
    "hand_dealt": "hands", "talon_laid": "hands",
    "bid_made": "auction", "contract_named": "auction",
    "talon_turned": "exchange", "exchange_yielded": "exchange", "cards_discarded": "exchange",
    "cards_drawn": "exchange", "hand_held": "exchange", "trump_named": "exchange",
    "card_played": "play", "slam_announced": "play",
    "result_recorded": "end", "ruling_made": "end", "deal_settled": "end", "deal_closed": "end",
}  # fmt: skip
"""The parts of a deal, with blank lines between them."""
SECTION_INDENTS: Final = {"hands": 7, "exchange": 11}
"""Columns before the cards in some sections, so that they line up."""


def format_notation_log(log: Log) -> str:
    """Format a log as text that ends with a line end.

    Raises:
        ValueError: the log does not begin by opening a deal or a table, or is not numbered 1, 2, ….
    """
    if not log or any(entry.seq != place for place, entry in enumerate(log, 1)):
        raise ValueError("only a whole log can be written: its entries are numbered 1, 2, …")
    return "\n".join(_LogFormatter(log).format_lines()) + "\n"


def strip_metadata(log: Log) -> Log:
    """Remove ids, times and the recorder from a log; its basis and accounts stay."""
    return tuple(
        entry._replace(
            metadata=NO_METADATA._replace(basis=entry.metadata.basis, accounts=entry.metadata.accounts)
        )
        for entry in log
    )


class _LogFormatter:
    """Formats a log line by line.

    ``subject`` is the entry that a note at the end of the last line is about.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.game_names: GameNames = NO_GAME_NAMES
        self.trick_counter = TrickCounter()
        self.lines: list[str] = []
        self.section = ""
        self.event_type = ""
        self.trick: int | None = None
        self.joined_count = 0
        self.is_line_closed = False
        self.subject: int | str | None = None

    def format_lines(self) -> list[str]:
        first = entry_object(self.log[0], omit_unknown=True)
        if first["type"] not in TAGS_BY_OPENER:
            raise ValueError("a log begins with deal_opened or table_opened")
        self.game_names = build_game_names(first["ruleset"])._replace(
            player_name_starts=_player_name_starts(first["players"])
        )
        for entry in self.log[1:]:
            self._add_entry(entry, entry_object(entry, omit_unknown=True))
        body = (part for line in self.lines for part in wrap_line(line, only_inside_signs=True))
        return [*format_tags(first["type"], first), "", *body]

    def _add_entry(self, entry: Entry, obj: dict[str, Any]) -> None:
        kind, more = obj["type"], _format_metadata(obj)
        if kind == "note_added" and self.subject is not None and obj.get("on") == self.subject:
            self.lines[-1] += " " + format_note(obj, obj["on"]) + more
            self.is_line_closed = True
            return
        joins = self._continues_line(kind, obj)
        if not joins:
            section = SECTION_BY_EVENT_TYPE.get(kind, self.section)
            self.lines += ["", ""] if self.section not in ("", section) else [""]
            self.section = section
        if isinstance(entry.event, ActionWithdrawn):
            self.trick_counter.withdraw_card(entry.event, self.log, entry.seq)
        if kind == "card_played":
            text = self._format_next_play(obj, joins)
        else:
            text = "; " + self.format_event(obj) if joins else self._format_first_of_line(obj)
        self.lines[-1] += text + more
        self.event_type, self.is_line_closed = kind, bool(more)
        self.subject = entry.seq if kind != "note_added" else None
        self.joined_count = self.joined_count + 1 if joins else 1

    def _continues_line(self, event_type: str, obj: dict[str, Any]) -> bool:
        """Whether an entry goes on the last line, like calls of a round and cards of a trick."""
        if self.is_line_closed or event_type != self.event_type:
            return False
        if event_type == "bid_made":
            return self.joined_count < len(SEAT_NAMES)
        return (
            event_type == "card_played"
            and not self.trick_counter.is_complete
            and obj.get("trick") == self.trick
        )

    def _format_next_play(self, obj: dict[str, Any], joins: bool) -> str:
        trick = obj.get("trick")
        before = "  " if joins else "   "
        if not joins and trick is not None:
            self.trick_counter.start_trick(trick, ":")
            before = f"{trick}: "
        elif not joins and self.trick_counter.is_complete:
            before = f"{self.trick_counter.next_number}. "
            self.trick_counter.start_trick(self.trick_counter.next_number, ".")
        self.trick_counter.add_cards()
        self.trick = trick
        return before + format_play(obj)

    def _format_first_of_line(self, obj: dict[str, Any]) -> str:
        text = self.format_event(obj)
        width = SECTION_INDENTS.get(SECTION_BY_EVENT_TYPE.get(obj["type"], ""), 0)
        if obj["type"] in ("trump_named", "exchange_yielded"):
            return text
        *head, tail = text.split(" ", 2 if "seat" in obj else 1)
        is_aligned = width and len(head) == (2 if "seat" in obj else 1)
        return " ".join(head).ljust(width) + tail if is_aligned else text

    def format_event(self, obj: dict[str, Any]) -> str:
        kind = obj["type"]
        if kind == "card_played":
            return (f"{obj['trick']}: " if "trick" in obj else "") + format_play(obj)
        if kind == "note_added":
            return format_note(obj, None)
        if kind in TAGS_BY_OPENER:
            return format_opening(kind, obj)
        form = next(one for one in SENTENCE_FORMS if one.type == kind and one.matches(obj))
        return self._format_sentence(form, obj)

    def _format_sentence(self, form: SentenceForm, obj: dict[str, Any]) -> str:
        text = f"{SEAT_LETTER[obj['seat']]} {form.keyword}" if form.has_seat else form.keyword.capitalize()
        written = 0
        for part in form.parts:
            if part.field is None or not part.is_optional or obj.get(part.field.name, []) != []:
                value = [] if part.field is None else [self._format_value(part.field, obj[part.field.name])]
                text += ", " if part.has_comma and written else " "
                text += " ".join((*part.words, *value))
                written += 1
        return text

    def _format_value(self, spec: FieldSpec, value: Any) -> str:
        if spec.kind.name == "events":
            return f"({'; '.join(map(self.format_event, value))})"
        return format_value(spec, value, self.game_names)


def _player_name_starts(players: Any) -> frozenset[str]:
    """The first words of the names of a deal's players, or an evening's."""
    names = [players.get(seat, "") for seat in SEAT_NAMES] if isinstance(players, dict) else players
    return frozenset(name.lower().split()[0] for name in names if name.strip())


def _format_metadata(obj: dict[str, Any]) -> str:
    parts = [
        f"{name} {format_value(spec, obj[spec.name])}"
        for name, spec in SPEC_BY_BRACKET_NAME.items()
        if spec.name in obj
    ]
    return f" [{'; '.join(parts)}]" if parts else ""
