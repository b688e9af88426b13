"""Messages on a sheet's faults: in the language of the reader, with the words that the sheet itself uses."""

from typing import Final, NamedTuple

from engine.core.message import LocalizedText, Message, MessageArgument, format_message
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.slip import SlipFault
from schemas.wire.wire_faults import NO_VALUE, WireError, WireFault, quote_value

FaultPlace = tuple[int, int, str]
"""Row and column, as `SlipFault` has them, and the column's heading."""


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


class CellValueError(WireError):
    """A cell that is not what was ``expected``, a noun; ``message`` says more than what to write instead.

    Both are templates that ``parts`` fill; ``{read}`` in the message is what stands in the cell.
    """

    def __init__(self, text: str, expected: str, message: str = "", **parts: MessageArgument) -> None:
        read = quote_value(text)
        self.message = Message(message, {"read": read, **parts}) if message else None
        super().__init__([WireFault("", read, Message(expected, parts))])


def suggest(meant: str | None) -> Message | str:
    """A question whether something else was meant, to follow what is expected; empty for None."""
    return "" if meant is None else format_message(" (did you mean {meant}?)", meant=meant)


def describe_cell_error(error: WireError, languages: SheetLanguages) -> tuple[str, str, str]:
    """What a cell that cannot be read holds, what it should hold, and a sentence with both."""
    read, expected = error.faults[0].read, localize_message(error.faults[0].expected, languages)
    message = error.message if isinstance(error, CellValueError) else None
    sentence = localize_message(message or advise(read, expected), languages)
    return read, expected, sentence[:1].upper() + sentence[1:]


def advise(read: str, expected: str) -> Message:
    """A sentence that says what was read and what to write instead."""
    if read == NO_VALUE:
        return format_message("Something is missing here; write {expected}.", expected=expected)
    return format_message("In place of {read}, write {expected}.", read=read, expected=expected)


def localize_message(text: str, languages: SheetLanguages) -> str:
    """A message in the reader's language; words of the sheet in it are in the sheet's."""
    if isinstance(text, Message):
        parts = {
            name: localize_message(part, languages) if isinstance(part, str) else part
            for name, part in text.arguments.items()
        }
        return gettext(text.template, languages.lang).format_map(parts)
    return gettext(text, languages.sheet_lang) if isinstance(text, LocalizedText) else text


class SheetFaults(list[SlipFault]):
    """The faults found so far, with their messages in ``languages``."""

    def __init__(self, languages: SheetLanguages) -> None:
        super().__init__()
        self.languages = languages

    def report(
        self,
        place: FaultPlace,
        value: str | int,
        expected: str,
        message: str = "",
        *,
        loses_data: bool = True,
        **parts: MessageArgument,
    ) -> None:
        """Add a fault: that ``value`` stands there, or nothing where it is empty.

        ``expected``, a noun, and ``message`` are templates that ``parts`` fill; the message also names what
        was ``{read}`` and ``{expected}``. Without a message the advice is to write what was expected.
        """
        read = NO_VALUE if value == "" else quote_value(value)
        expected = localize_message(Message(expected, parts), self.languages)
        parts |= {"read": read, "expected": expected}
        sentence = localize_message(
            Message(message, parts) if message else advise(read, expected), self.languages
        )
        self.append(SlipFault(*place, read, expected, sentence, loses_data))

    def report_error(self, place: FaultPlace, error: WireError) -> None:
        """Add the fault of a cell that cannot be read."""
        self.append(SlipFault(*place, *describe_cell_error(error, self.languages)))
