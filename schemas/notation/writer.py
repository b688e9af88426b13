"""Writing a log in the one canonical form of the notation."""

from collections.abc import Iterator
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn
from engine.core.log import UNRECORDED, Entry, Log
from schemas.notation import opening
from schemas.notation.notes import written_note
from schemas.notation.opening import DEAL, IN_BRACKETS, TABLE, folded, written_field
from schemas.notation.plays import written_play
from schemas.notation.sentences import Part, Sentence, by_type
from schemas.notation.tricks import Tricks
from schemas.notation.words import LETTER, NO_TERMS, Terms, terms_of
from schemas.notation.written import written
from schemas.wire.declaration import BOOKKEEPING
from schemas.wire.writer import entry_object

SECTIONS: Final[dict[str, str]] = {
    "hand_dealt": "hands", "talon_laid": "hands",
    "bid_made": "auction", "contract_named": "auction",
    "talon_turned": "exchange", "exchange_yielded": "exchange", "cards_discarded": "exchange",
    "cards_drawn": "exchange", "hand_held": "exchange", "trump_named": "exchange",
    "card_played": "play", "slam_announced": "play",
    "result_recorded": "end", "ruling_made": "end", "deal_settled": "end", "deal_closed": "end",
}  # fmt: skip
"""Where a blank line stands before: what belongs together in a deal."""
HEADS: Final = {"hands": 7, "exchange": 11}
"""How far what a seat does, or has, is from the left in some sections, so that the cards line up."""


def written_log(log: Log) -> str:
    """A log as text; it ends with the end of a line.

    Raises:
        ValueError: the log does not begin by opening a deal or a table, or is not numbered 1, 2, ….
    """
    if not log or any(entry.seq != place for place, entry in enumerate(log, 1)):
        raise ValueError("a log can be written that is whole: its entries are numbered 1, 2, …")
    return "\n".join(_Text(log).lines()) + "\n"


def without_marks(log: Log) -> Log:
    """A log without the marks of the machine: ids, clocks and who typed it. How it is known stays."""
    return tuple(
        entry._replace(record=UNRECORDED._replace(basis=entry.record.basis, accounts=entry.record.accounts))
        for entry in log
    )


class _Text:
    """A log that is being written: the line at hand, the section and the trick that it is in.

    ``subject`` is the entry that a note would be on if it stood at the end of the line at hand.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.terms: Terms = NO_TERMS
        self.tricks = Tricks()
        self.section = "opening"
        self.line = ""
        self.kind = ""
        self.trick: int | None = None
        self.calls = 0
        self.ends = False
        self.subject: int | str | None = None

    def lines(self) -> Iterator[str]:
        """The lines of the log."""
        first = entry_object(self.log[0], bare=True)
        if first["type"] not in (DEAL, TABLE):
            raise ValueError("a log begins with deal_opened or table_opened")
        self.terms = terms_of(first["ruleset"])._replace(taken=_first_words(first["players"]))
        yield from opening.written_tags(first["type"], first)
        yield ""
        written_before = False
        for entry in self.log[1:]:
            for line in self._entry(entry, entry_object(entry, bare=True)):
                if line or written_before:
                    yield line
                written_before = True
        if self.line:
            yield from _wrapped(self.line)

    def _entry(self, entry: Entry, obj: dict[str, Any]) -> Iterator[str]:
        """The lines that are full when an entry has been written; what is not full yet stays at hand."""
        kind, more = obj["type"], _bracket(obj)
        if kind == "note_added" and self.subject is not None and obj.get("on") == self.subject:
            self.line += " " + written_note(obj, obj["on"]) + more
            self.ends = True
            return
        joins = self._joins(kind, obj)
        if not joins:
            yield from self._flush()
            section = SECTIONS.get(kind)
            if section is not None and section != self.section:
                if self.section != "opening":
                    yield ""
                self.section = section
        if isinstance(entry.event, ActionWithdrawn):
            self.tricks.take_back(entry.event, self.log, entry.seq)
        if kind == "card_played":
            self._play(obj, joins)
        elif joins:
            self.line += "; " + self.said(obj)
        else:
            self.line = self._headed(obj)
        self.line += more
        self.kind, self.ends = kind, bool(more)
        self.subject = entry.seq if kind != "note_added" else None
        self.calls = self.calls + 1 if joins else 1

    def _flush(self) -> Iterator[str]:
        if self.line:
            yield from _wrapped(self.line)
        self.line, self.subject = "", None

    def _joins(self, kind: str, obj: dict[str, Any]) -> bool:
        """Whether an entry goes on the line at hand: calls of a round, cards of a trick."""
        if not self.line or self.ends or kind != self.kind:
            return False
        if kind == "bid_made":
            return self.calls < len(SEAT_NAMES)
        return kind == "card_played" and not self.tricks.whole and obj.get("trick") == self.trick

    def _play(self, obj: dict[str, Any], joins: bool) -> None:
        """A card: beside the last one, on a line that goes on with its trick, or on that of a new trick."""
        trick = obj.get("trick")
        if joins:
            self.line += "  " + written_play(obj)
        elif trick is not None:
            self.tricks.anchor(trick, ":")
            self.line = f"{trick}: {written_play(obj)}"
        elif self.tricks.whole:
            self.line = f"{self.tricks.next}. {written_play(obj)}"
            self.tricks.anchor(self.tricks.next, ".")
        else:
            self.line = f"   {written_play(obj)}"
        self.tricks.add()
        self.trick = trick

    def _headed(self, obj: dict[str, Any]) -> str:
        if obj["type"] == "note_added":
            return written_note(obj, None)
        said = self.said(obj)
        width = HEADS.get(SECTIONS.get(obj["type"], ""), 0)
        if not width or obj["type"] in ("trump_named", "exchange_yielded"):
            return said
        words = said.split(" ", 2 if "seat" in obj else 1)
        return (
            " ".join(words[:-1]).ljust(width) + words[-1]
            if len(words) > (2 if "seat" in obj else 1)
            else said
        )

    def said(self, obj: dict[str, Any]) -> str:
        """One event as a sentence, without its bookkeeping."""
        kind = obj["type"]
        if kind == "card_played":
            number = f"{obj['trick']}: " if "trick" in obj else ""
            return number + written_play(obj)
        if kind == "note_added":
            return written_note(obj, None)
        if kind in (DEAL, TABLE):
            return opening.written_opened(kind, obj)
        sentence = next(one for one in by_type()[kind] if one.fits(obj))
        return self._sentence(sentence, obj)

    def _sentence(self, sentence: Sentence, obj: dict[str, Any]) -> str:
        text = f"{LETTER[obj['seat']]} {sentence.key}" if sentence.seat else sentence.key.capitalize()
        first = True
        for part in sentence.parts:
            if (
                part.field is not None
                and (part.field.name not in obj or obj[part.field.name] == [])
                and part.optional
            ):
                continue
            text += ", " if part.comma and not first else " "
            text += " ".join((*part.words, *self._value(part, obj)))
            first = False
        return text

    def _value(self, part: Part, obj: dict[str, Any]) -> tuple[str, ...]:
        spec = part.field
        if spec is None:
            return ()
        value = obj[spec.name]
        if spec.kind.name == "events":
            return (f"({'; '.join(map(self.said, value))})",)
        return (written(spec, value, self.terms),)


def _first_words(players: Any) -> frozenset[str]:
    """The words with which the names of a deal's players begin, or those of an evening's."""
    names = [players.get(seat, "") for seat in SEAT_NAMES] if isinstance(players, dict) else players
    return frozenset(name.lower().split()[0] for name in names if name.strip())


def _bracket(obj: dict[str, Any]) -> str:
    """The bookkeeping of an entry, in brackets; nothing where it has none."""
    parts = [
        f"{IN_BRACKETS.get(spec.name, spec.name)} {written_field(spec, obj[spec.name])}"
        for spec in BOOKKEEPING
        if spec.name in obj and spec.name != "seq"
    ]
    return f" [{'; '.join(parts)}]" if parts else ""


def _wrapped(line: str) -> list[str]:
    return folded(line, inside=True) if len(line) > opening.WIDTH else [line]
