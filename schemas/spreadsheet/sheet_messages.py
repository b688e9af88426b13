"""What is told of a sheet's faults, in English and in Danish, with words as that sheet has them.

The sentence is in the language of whoever reads it; the words to write are those of the sheet.
"""

from typing import Final, NamedTuple

from engine.core.message import LocalizedText
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import sheet_words
from schemas.wire.wire_faults import NO_VALUE, WireError, quote_value
from schemas.wire.wire_faults import WireFault as WireFault


class SheetLanguages(NamedTuple):
    """The language of the sentences, and that of the sheet: "en" or "da"."""

    lang: str = "en"
    sheet_lang: str = "en"


ENGLISH_SHEET: Final = SheetLanguages()


def _first_spellings(table: dict[str, tuple[str, ...]]) -> LocalizedText:
    """What is written of a table of words in each language."""
    english, danish = zip(*(one[:2] for one in table.values()), strict=True)
    return LocalizedText(", ".join(english), {"da": ", ".join(danish)})


WORDS_TO_WRITE: Final = {
    "suits": _first_spellings(sheet_words.SUIT_WORDS_BY_LETTER),
    "seats": _first_spellings(sheet_words.SEAT_WORDS_BY_NAME),
    "outcomes": _first_spellings(sheet_words.OUTCOME_WORDS_BY_ID),
    "slams": _first_spellings(sheet_words.SLAM_WORDS_BY_ID),
    "flags": _first_spellings(sheet_words.FLAG_WORDS_BY_VALUE),
    "ruleset": sheet_words.SHEET_SETTINGS["ruleset"].words,
}
"""Words that a sheet has, in its language, as phrases name them."""

EXPECTED_PHRASES: Final = {
    "ordinal": "a number from 1 on",
    "count": "a whole number, 0 or more",
    "chips": "a whole number of chips, such as 6 or -3",
    "most_numbers": "at most {most} numbers",
    "name": "a name of at most {most} characters",
    "note": "a text of at most {most} characters",
    "outcome": "one of {outcomes}",
    "slam": "one of {slams}",
    "suit": "a suit: {suits}",
    "flag": "one of {flags}",
    "worth": "what a chip is worth: a number such as 0.25 or 0,25",
    "switch": "a house switch and its value, such as matadors=absolute",
    "contract": "a contract of {ruleset}: {contracts}{meant}",
    "nolo": "which nolo it was: {contracts}",
    "seat": "one of {players}, or {seats}{meant}",
    "player": "one of {players}{meant}",
    "which_player": "which of them: {players}",
    "which_contract": "which of them: {contracts}",
    "new_number": "a number that no other deal has",
    "no_suit": "nothing, as {contract} says it",
    "no_trumps": "nothing",
    "nobody": "nothing",
    "trumps_of": "one of the suits of {contract}: {suits}",
    "ending": (
        "how it ended ({outcomes}), or the declarer's tricks, or three numbers, the declarer's first: 5-2-2"
    ),
    "extra": "one of {extras}",
    "plays": "one of those who play: {players}",
    "sitters": "as many as sit out: {count} of {players}",
    "paper": "the paper's numbers with spaces between, in this order: {players}; ? for one that is not there",
    "meant": " (did you mean {meant}?)",
    "most_players": "at most {most} players",
    "names": "a few names with commas between them",
    "points": "a player and his points, such as Bo 1",
    "tricks": (
        "the declarer's tricks, or three numbers, the declarer's first: 5+2+2 (where the spreadsheet has "
        "made a date of them, set the column to text)"
    ),
    "who": "who sat there",
    "who_or_dealer": (
        "who sat there (or the dealer, where the players stand above the columns in the order of play)"
    ),
    "other_place": "a player who has no other place in this deal",
    "same_suit": "the suit of the contract",
    "no_tout": "that it was made, or nothing, as {outcome} says it was",
    "most_chips": "the chips of at most {most} players",
    "own_date": "a date of its own for each evening; a table has at most {most} deals",
    "rules_row": "a row above the columns such as {ruleset};dlu, or --ruleset; there are {ids}",
    "rules": "a ruleset: {ids}",
    "revision": "a published revision of {ruleset_id}, a number from 1 on",
    "switch_of": "a house switch of {ruleset_id}: {known}",
    "switch_once": "{switch} once; it is said twice here",
    "switch_as": "{switch} as {values}",
    "currency": "a number alone, or the currency that is stated: {currency}",
    "quotation": "a closing quotation mark",
    "column": "a column of a slip ({columns}) or a player",
    "no_cell": "nothing, as there is no column here",
    "heads": "the heads of the columns",
    "columns": "a row with the names of the columns: number, forehand, declarer, contract, tricks …",
    "deal": "a deal",
    "sheet": "a sheet as CSV",
}
"""What should stand in place of what was read, as a noun."""

SHEET_SENTENCES: Final = {
    "instead": "In place of {read}, write {expected}.",
    "sits_out_there": "{player} sits out in deal {number}: write one of {players}, or change who sits out.",
    "has_no_trumps": "{contract} has no trumps: leave the suit out.",
    "passed_alone": "Where all passed nothing else stands: delete {read}, or write what was played.",
    "missing": "Nothing stands here; write {expected}.",
    "chips_are_whole": (
        "Chips are whole, and {read} is not; the deal is read without what was paid by it. What a chip is "
        "worth stands above the columns ({chip_value})."
    ),
    "two_players": "{read} is read as another player than {other}; did you mean {other}?",
    "adds_up": "This row adds up the others; it is not read as a deal.",
    "no_deal": "Nothing is read from {read}: there is no deal in this row.",
    "swallowed": " The row has swallowed lines {first} to {last}: is there a quotation mark too many?",
    "unclosed": "A quotation mark is opened in this row and never closed; close it, or leave it out.",
    "recorded_as": "{read} in spades is recorded as {played}; by these rules that is its name.",
    "no_rules": "The sheet does not say by which rules was played; write {expected}.",
    "stray_meant": "Nothing is read from {read}, above the columns: did you mean {meant}?",
    "stray": "Nothing is read from {read}, above the columns: if it is a setting, see the guide to slips.",
    "no_columns": "There are no columns here; write {expected}",
    "column_twice": "Nothing is read from this column: there is a column {column} already.",
    "column_meant": "Nothing is read from this column: did you mean {meant}?",
    "no_such_column": "Nothing is read from this column: it is no column of a slip, nor a player.",
    "under_no_column": (
        "{read} stands under no column; give the column a name, or put quotation marks about it."
    ),
    "too_heavy": "A sheet has at most {most} MiB; give each evening its own.",
    "workbook": "This is a workbook; save it from the spreadsheet as CSV, and import that.",
    "no_text": "This is no text; save the sheet from the spreadsheet as CSV, and import that.",
    "no_encoding": (
        "Line {line} is neither UTF-8 nor Windows-1252; save the sheet as “CSV UTF-8”, and import that."
    ),
    "two_encodings": (
        "The file is UTF-8 but for line {line}; save the sheet again as “CSV UTF-8”, and import that."
    ),
    "empty": "There is nothing in this sheet; write {expected}",
}
"""Whole sentences."""


class ExpectedPhrase(NamedTuple):
    """What should stand somewhere: a phrase, and what it names, which may be in two languages."""

    phrase: str
    parts: dict[str, object]

    def format(self, languages: SheetLanguages) -> str:
        """It as a noun."""
        parts = {**WORDS_TO_WRITE, **self.parts}
        return gettext(EXPECTED_PHRASES[self.phrase], languages.lang).format(
            **{name: _localize(part, languages) for name, part in parts.items()}
        )


def _localize(part: object, languages: SheetLanguages) -> object:
    if isinstance(part, ExpectedPhrase):
        return part.format(languages)
    return gettext(part, languages.sheet_lang) if isinstance(part, LocalizedText) else part


class CellValueError(WireError):
    """A cell that is not what was expected of it."""

    def __init__(self, read: object, phrase: str, **parts: object) -> None:
        self.expected = ExpectedPhrase(phrase, parts)
        self.sentence: str | None = None
        super().__init__([WireFault("", quote_value(read), self.expected.format(ENGLISH_SHEET))])

    def with_sentence(self, sentence: str) -> "CellValueError":
        """It, told by a sentence of its own."""
        self.sentence = sentence
        return self


def describe_cell_error(error: WireError, languages: SheetLanguages) -> tuple[str, str, str]:
    """Of a cell that cannot be read: what stands there, what should, and the sentence that says both."""
    read, expected = error.faults[0].read, error.faults[0].expected
    if isinstance(error, CellValueError):
        expected = error.expected.format(languages)
        if error.sentence is not None:
            sentence = format_sheet_sentence(error.sentence, languages, read=read, **error.expected.parts)
            return read, expected, sentence[:1].upper() + sentence[1:]
    return read, expected, format_advice(read, expected, languages)


def format_advice(read: str, expected: str, languages: SheetLanguages) -> str:
    """One sentence: what was read and what to write instead."""
    return format_sheet_sentence(
        "missing" if read == NO_VALUE else "instead", languages, read=read, expected=expected
    )


def format_sheet_sentence(sentence_id: str, languages: SheetLanguages, **parts: object) -> str:
    """A sentence with its parts put in."""
    return gettext(SHEET_SENTENCES[sentence_id], languages.lang).format(
        **{name: _localize(part, languages) for name, part in parts.items()}
    )
