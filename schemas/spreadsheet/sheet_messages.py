"""Messages on a sheet's faults: in the language of the reader, with the words that the sheet itself uses."""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from engine.core.message import LocalizedText, Message, MessageArgument, format_message
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.slip import SlipFault
from schemas.wire.wire_faults import NO_VALUE, WireFault, quote_value, quoted_message

FaultPlace = tuple[int, int, str]
"""Row and column, as `SlipFault` has them, and the column's heading."""
_place_of: Final = attrgetter("row", "column")
MAX_RANGES: Final = 10
"""How many stretches of rows one message lists."""


class SheetLanguages(NamedTuple):
    """The language of the messages, and that of the sheet: "en" or "da"."""

    lang: str = "en"
    sheet_lang: str = "en"


def _list_words(words_by_meaning: dict[str, tuple[str, ...]]) -> LocalizedText:
    """The words that a sheet in English, or in Danish, has for each meaning."""
    english, danish = zip(*(words[:2] for words in words_by_meaning.values()), strict=True)
    return LocalizedText(", ".join(english), {"da": ", ".join(danish)})


SUIT_CHOICES: Final = _list_words(sheet_words.SUIT_WORDS_BY_LETTER)
SEAT_CHOICES: Final = _list_words(sheet_words.SEAT_WORDS_BY_NAME)
OUTCOME_CHOICES: Final = _list_words(sheet_words.OUTCOME_WORDS_BY_ID)
SLAM_CHOICES: Final = _list_words(sheet_words.SLAM_WORDS_BY_ID)
FLAG_CHOICES: Final = _list_words(sheet_words.FLAG_WORDS_BY_VALUE)


class CellValueError(ValueError):
    """A cell that is not what was ``expected``, a noun; ``message`` says more than what to write instead.

    Both are templates that ``parts`` fill; in the message ``{read}`` is what stands in the cell and
    ``{expected}`` what should. An empty ``text`` is nothing. ``is_general``: it is the same mistake whatever
    stands there, so that one message is enough for all.
    """

    def __init__(
        self,
        text: str | int,
        expected: str,
        message: str = "",
        *,
        is_general: bool = False,
        **parts: MessageArgument,
    ) -> None:
        super().__init__(text, expected)
        self.read = NO_VALUE if text == "" else quote_value(text)
        self.expected = Message(expected, parts)
        parts = parts | {"read": quoted_message(self.read), "expected": self.expected}
        self.message = Message(message, parts) if message else WireFault("", self.read, self.expected).advice
        self.form, self.is_general = expected + message, is_general


def suggest(meant: str | None) -> Message | str:
    """A question whether something else was meant, to follow what is expected; empty for None."""
    return "" if meant is None else format_message(" (did you mean {meant}?)", meant=meant)


def describe_cell_error(error: CellValueError, languages: SheetLanguages) -> str:
    """A sentence that says what a cell holds and what it should hold."""
    sentence = localize_message(error.message, languages)
    return sentence[:1].upper() + sentence[1:]


def localize_message(text: str, languages: SheetLanguages) -> str:
    """A message in the reader's language; words of the sheet in it are in the sheet's."""
    if isinstance(text, Message):
        parts = {
            name: localize_message(part, languages) if isinstance(part, str) else part
            for name, part in text.arguments.items()
        }
        return gettext(text.template, languages.lang).format_map(parts)
    return gettext(text, languages.sheet_lang) if isinstance(text, LocalizedText) else text


class SheetFaults:
    """The faults found so far, with their messages in ``languages``."""

    def __init__(self, languages: SheetLanguages) -> None:
        self.languages = languages
        self._faults_by_cause: dict[tuple[str, str], list[SlipFault]] = {}

    def report(
        self, place: FaultPlace, error: CellValueError, *, loses_data: bool = True, deal: int | None = None
    ) -> None:
        """Add what is wrong in a place, which belongs to ``deal``."""
        fault = SlipFault(*place, error.read, describe_cell_error(error, self.languages), loses_data, deal)
        cause = (error.form, "" if error.is_general else error.read)
        self._faults_by_cause.setdefault(cause, []).append(fault)

    def list_by_cause(self) -> tuple[SlipFault, ...]:
        """One fault for each cause, with all the other places in its message."""
        faults = (self._merge(sorted(same)) for same in self._faults_by_cause.values())
        return tuple(sorted(faults, key=_place_of))

    def _merge(self, same: list[SlipFault]) -> SlipFault:
        first, *others = sorted(same, key=_place_of)
        if not others:
            return first
        rows = sorted({one.row for one in others} - {first.row})
        deals = sorted({one.deal for one in others if one.deal is not None} - {first.deal})
        columns = [] if rows else [column_letters(one.column) for one in others]
        places = (
            gettext(form if len(found) == 1 else plural_form, self.languages.lang).format(
                places=", ".join(texts if len(texts) <= MAX_RANGES else [*texts[:MAX_RANGES], "…"])
            )
            for form, plural_form, found, texts in (
                ("deal {places}", "deals {places}", deals, list_ranges(deals)),
                ("row {places}", "rows {places}", rows, list_ranges(rows)),
                ("column {places}", "columns {places}", columns, columns),
            )
            if found
        )
        more = format_message("The same in {places}.", places=", ".join(places))
        return first._replace(message=f"{first.message} {localize_message(more, self.languages)}")


def list_ranges(numbers: Iterable[int]) -> list[str]:
    """Ascending numbers, those in a row together: "2–4", "7"."""
    groups = groupby(enumerate(numbers), lambda one: one[1] - one[0])
    runs = [[number for _, number in group] for _, group in groups]
    return [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]


def column_letters(column: int) -> str:
    """The letters of a column in a spreadsheet: 1 is A, 27 is AA."""
    text = ""
    while column:
        column, place = divmod(column - 1, 26)
        text = chr(ord("A") + place) + text
    return text
