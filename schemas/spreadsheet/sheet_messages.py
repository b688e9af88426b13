"""What is told of a sheet's faults, in English and in Danish, with words as that sheet has them.

The sentence is in the language of whoever reads it; the words to write are those of the sheet.
"""

from typing import Final, NamedTuple

from engine.rulesets.model import BilingualText
from schemas.spreadsheet import sheet_words
from schemas.wire.wire_faults import NO_VALUE, WireError, quote_value
from schemas.wire.wire_faults import WireFault as WireFault


class SheetLanguages(NamedTuple):
    """The language of the sentences, and that of the sheet: "en" or "da"."""

    lang: str = "en"
    sheet_lang: str = "en"


ENGLISH_SHEET: Final = SheetLanguages()


def _first_spellings(table: dict[str, tuple[str, ...]]) -> BilingualText:
    """What is written of a table of words in each language."""
    english, danish = zip(*(one[:2] for one in table.values()), strict=True)
    return BilingualText(", ".join(english), ", ".join(danish))


WORDS_TO_WRITE: Final = {
    "suits": _first_spellings(sheet_words.SUIT_WORDS_BY_LETTER),
    "seats": _first_spellings(sheet_words.SEAT_WORDS_BY_NAME),
    "outcomes": _first_spellings(sheet_words.OUTCOME_WORDS_BY_ID),
    "slams": _first_spellings(sheet_words.SLAM_WORDS_BY_ID),
    "flags": _first_spellings(sheet_words.FLAG_WORDS_BY_VALUE),
    "ruleset": BilingualText("ruleset", "regelsæt"),
}
"""Words that a sheet has, in its language, as phrases name them."""

EXPECTED_PHRASES: Final = {
    "ordinal": BilingualText("a number from 1 on", "et tal fra 1 og op"),
    "count": BilingualText("a whole number, 0 or more", "et helt tal, 0 eller mere"),
    "chips": BilingualText(
        "a whole number of chips, such as 6 or -3",
        "et helt antal jetoner, såsom 6 eller -3",
    ),
    "most_numbers": BilingualText("at most {most} numbers", "højst {most} tal"),
    "name": BilingualText("a name of at most {most} characters", "et navn på højst {most} tegn"),
    "note": BilingualText("a text of at most {most} characters", "en tekst på højst {most} tegn"),
    "outcome": BilingualText("one of {outcomes}", "et af: {outcomes}"),
    "slam": BilingualText("one of {slams}", "et af: {slams}"),
    "suit": BilingualText("a suit: {suits}", "en farve: {suits}"),
    "flag": BilingualText("one of {flags}", "et af: {flags}"),
    "worth": BilingualText(
        "what a chip is worth: a number such as 0.25 or 0,25", "hvad en jeton er værd: et tal såsom 0,25"
    ),
    "switch": BilingualText(
        "a house switch and its value, such as matadors=absolute",
        "et valg og dets værdi, såsom matadors=absolute",
    ),
    "contract": BilingualText(
        "a contract of {ruleset}: {contracts}{meant}", "en melding i {ruleset}: {contracts}{meant}"
    ),
    "nolo": BilingualText("which nolo it was: {contracts}", "hvilken nolo det var: {contracts}"),
    "seat": BilingualText("one of {players}, or {seats}{meant}", "en af {players}, eller {seats}{meant}"),
    "player": BilingualText("one of {players}{meant}", "en af {players}{meant}"),
    "which_player": BilingualText("which of them: {players}", "hvem af dem: {players}"),
    "which_contract": BilingualText("which of them: {contracts}", "hvilken af dem: {contracts}"),
    "new_number": BilingualText("a number that no other deal has", "et nummer, som intet andet spil har"),
    "no_suit": BilingualText("nothing, as {contract} says it", "ingenting, for det ligger i {contract}"),
    "no_trumps": BilingualText("nothing", "ingenting"),
    "nobody": BilingualText("nothing", "ingenting"),
    "trumps_of": BilingualText(
        "one of the suits of {contract}: {suits}",
        "en af farverne i {contract}: {suits}",
    ),
    "ending": BilingualText(
        "how it ended ({outcomes}), or the declarer's tricks, or three numbers, the declarer's first: 5-2-2",
        "hvordan det gik ({outcomes}), eller melderens stik, eller tre tal, melderens først: 5-2-2",
    ),
    "extra": BilingualText("one of {extras}", "et af: {extras}"),
    "plays": BilingualText("one of those who play: {players}", "en af dem, der spiller: {players}"),
    "sitters": BilingualText(
        "as many as sit out: {count} of {players}", "så mange, som sidder over: {count} af {players}"
    ),
    "paper": BilingualText(
        "the paper's numbers with spaces between, in this order: {players}; ? for one that is not there",
        "tallene på papiret med mellemrum imellem, i denne orden: {players}; ? for et, der mangler",
    ),
    "meant": BilingualText(" (did you mean {meant}?)", " (mente du {meant}?)"),
    "most_players": BilingualText("at most {most} players", "højst {most} spillere"),
    "names": BilingualText("a few names with commas between them", "nogle navne med komma imellem"),
    "points": BilingualText("a player and his points, such as Bo 1", "en spiller og hans point, såsom Bo 1"),
    "tricks": BilingualText(
        "the declarer's tricks, or three numbers, the declarer's first: 5+2+2 (where the spreadsheet has "
        "made a date of them, set the column to text)",
        "melderens stik, eller tre tal, melderens først: 5+2+2 (har regnearket gjort dem til en dato, så sæt "
        "kolonnen til tekst)",
    ),
    "who": BilingualText("who sat there", "hvem der sad der"),
    "who_or_dealer": BilingualText(
        "who sat there (or the dealer, where the players stand above the columns in the order of play)",
        "hvem der sad der (eller giveren, når spillerne står over kolonnerne i den orden, de spiller)",
    ),
    "other_place": BilingualText(
        "a player who has no other place in this deal", "en spiller, der ikke har en anden plads i dette spil"
    ),
    "same_suit": BilingualText("the suit of the contract", "meldingens farve"),
    "no_tout": BilingualText(
        "that it was made, or nothing, as {outcome} says it was",
        "at den blev taget, eller ingenting, da der står {outcome}",
    ),
    "most_chips": BilingualText("the chips of at most {most} players", "jetoner for højst {most} spillere"),
    "own_date": BilingualText(
        "a date of its own for each evening; a table has at most {most} deals",
        "en egen dato for hver aften; et bord har højst {most} spil",
    ),
    "rules_row": BilingualText(
        "a row above the columns such as {ruleset};dlu, or --ruleset; there are {ids}",
        "en række over kolonnerne såsom {ruleset};dlu, eller --ruleset; der er {ids}",
    ),
    "rules": BilingualText("a ruleset: {ids}", "et regelsæt: {ids}"),
    "revision": BilingualText(
        "a published revision of {ruleset_id}, a number from 1 on",
        "en offentliggjort udgave af {ruleset_id}, et tal fra 1 og op",
    ),
    "switch_of": BilingualText("a house switch of {ruleset_id}: {known}", "et valg i {ruleset_id}: {known}"),
    "switch_once": BilingualText(
        "{switch} once; it is said twice here",
        "{switch} én gang; her står det to gange",
    ),
    "switch_as": BilingualText("{switch} as {values}", "{switch} som {values}"),
    "currency": BilingualText(
        "a number alone, or the currency that is stated: {currency}",
        "et tal alene, eller den mønt, der er opgivet: {currency}",
    ),
    "quotation": BilingualText("a closing quotation mark", "et afsluttende anførselstegn"),
    "column": BilingualText(
        "a column of a slip ({columns}) or a player",
        "en kolonne på en seddel ({columns}) eller en spiller",
    ),
    "no_cell": BilingualText("nothing, as there is no column here", "ingenting, for her er ingen kolonne"),
    "heads": BilingualText("the heads of the columns", "kolonnernes navne"),
    "columns": BilingualText(
        "a row with the names of the columns: number, forehand, declarer, contract, tricks …",
        "en række med kolonnernes navne: nr, forhånd, melder, melding, stik …",
    ),
    "deal": BilingualText("a deal", "et spil"),
    "sheet": BilingualText("a sheet as CSV", "et ark som CSV"),
}  # fmt: skip
"""What should stand in place of what was read, as a noun."""

SHEET_SENTENCES: Final = {
    "instead": BilingualText(
        "In place of {read}, write {expected}.",
        "I stedet for {read}: skriv {expected}.",
    ),
    "sits_out_there": BilingualText(
        "{player} sits out in deal {number}: write one of {players}, or change who sits out.",
        "{player} sidder over i spil {number}: skriv en af {players}, eller ret, hvem der sidder over.",
    ),
    "has_no_trumps": BilingualText(
        "{contract} has no trumps: leave the suit out.", "{contract} har ingen trumf: lad farven stå tom."
    ),
    "passed_alone": BilingualText(
        "Where all passed nothing else stands: delete {read}, or write what was played.",
        "Hvor alle meldte pas, står der ikke andet: slet {read}, eller skriv, hvad der blev spillet.",
    ),
    "missing": BilingualText(
        "Nothing stands here; write {expected}.",
        "Her står ingenting; skriv {expected}.",
    ),
    "chips_are_whole": BilingualText(
        "Chips are whole, and {read} is not; the deal is read without what was paid by it. What a chip is "
        "worth stands above the columns ({chip_value}).",
        "Jetoner er hele, og {read} er det ikke; spillet læses uden det, der blev betalt. Hvad en jeton er "
        "værd, står over kolonnerne ({chip_value}).",
    ),
    "two_players": BilingualText(
        "{read} is read as another player than {other}; did you mean {other}?",
        "{read} læses som en anden spiller end {other}; mente du {other}?",
    ),
    "adds_up": BilingualText(
        "This row adds up the others; it is not read as a deal.",
        "Denne række lægger de andre sammen; den læses ikke som et spil.",
    ),
    "no_deal": BilingualText(
        "Nothing is read from {read}: there is no deal in this row.",
        "Der læses intet af {read}: der er intet spil i denne række.",
    ),
    "swallowed": BilingualText(
        " The row has swallowed lines {first} to {last}: is there a quotation mark too many?",
        " Rækken har slugt linje {first} til {last}: er der et anførselstegn for meget?",
    ),
    "unclosed": BilingualText(
        "A quotation mark is opened in this row and never closed; close it, or leave it out.",
        "Et anførselstegn begynder i denne række og slutter aldrig; slut det, eller udelad det.",
    ),
    "recorded_as": BilingualText(
        "{read} in spades is recorded as {played}; by these rules that is its name.",
        "{read} i spar optegnes som {played}; det hedder det efter disse regler.",
    ),
    "no_rules": BilingualText(
        "The sheet does not say by which rules was played; write {expected}.",
        "Arket siger ikke, efter hvilke regler der blev spillet; skriv {expected}.",
    ),
    "stray_meant": BilingualText(
        "Nothing is read from {read}, above the columns: did you mean {meant}?",
        "Der læses intet af {read} over kolonnerne: mente du {meant}?",
    ),
    "stray": BilingualText(
        "Nothing is read from {read}, above the columns: if it is a setting, see the guide to slips.",
        "Der læses intet af {read} over kolonnerne: er det en indstilling, så se vejledningen om sedler.",
    ),
    "no_columns": BilingualText(
        "There are no columns here; write {expected}", "Her er ingen kolonner; skriv {expected}"
    ),
    "column_twice": BilingualText(
        "Nothing is read from this column: there is a column {column} already.",
        "Der læses intet af denne kolonne: der er allerede en kolonne {column}.",
    ),
    "column_meant": BilingualText(
        "Nothing is read from this column: did you mean {meant}?",
        "Der læses intet af denne kolonne: mente du {meant}?",
    ),
    "no_such_column": BilingualText(
        "Nothing is read from this column: it is no column of a slip, nor a player.",
        "Der læses intet af denne kolonne: den er ikke en kolonne på en seddel, og ikke en spiller.",
    ),
    "under_no_column": BilingualText(
        "{read} stands under no column; give the column a name, or put quotation marks about it.",
        "{read} står ikke under nogen kolonne; giv kolonnen et navn, eller sæt anførselstegn om.",
    ),
    "too_heavy": BilingualText(
        "A sheet has at most {most} MiB; give each evening its own.",
        "Et ark har højst {most} MiB; giv hver aften sit eget.",
    ),
    "workbook": BilingualText(
        "This is a workbook; save it from the spreadsheet as CSV, and import that.",
        "Dette er en projektmappe; gem den fra regnearket som CSV, og indlæs den.",
    ),
    "no_text": BilingualText(
        "This is no text; save the sheet from the spreadsheet as CSV, and import that.",
        "Dette er ikke tekst; gem arket fra regnearket som CSV, og indlæs det.",
    ),
    "no_encoding": BilingualText(
        "Line {line} is neither UTF-8 nor Windows-1252; save the sheet as “CSV UTF-8”, and import that.",
        "Linje {line} er hverken UTF-8 eller Windows-1252; gem arket som »CSV UTF-8«, og indlæs det.",
    ),
    "two_encodings": BilingualText(
        "The file is UTF-8 but for line {line}; save the sheet again as “CSV UTF-8”, and import that.",
        "Filen er UTF-8 undtagen linje {line}; gem arket igen som »CSV UTF-8«, og indlæs det.",
    ),
    "empty": BilingualText(
        "There is nothing in this sheet; write {expected}", "Der står intet i dette ark; skriv {expected}"
    ),
}  # fmt: skip
"""Whole sentences."""


class ExpectedPhrase(NamedTuple):
    """What should stand somewhere: a phrase, and what it names, which may be in two languages."""

    phrase: str
    parts: dict[str, object]

    def format(self, languages: SheetLanguages) -> str:
        """It as a noun."""
        parts = {**WORDS_TO_WRITE, **self.parts}
        return EXPECTED_PHRASES[self.phrase][languages.lang].format(
            **{name: _localize(part, languages) for name, part in parts.items()}
        )


def _localize(part: object, languages: SheetLanguages) -> object:
    if isinstance(part, ExpectedPhrase):
        return part.format(languages)
    return part[languages.sheet_lang] if isinstance(part, BilingualText) else part


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
    return SHEET_SENTENCES[sentence_id][languages.lang].format(
        **{name: _localize(part, languages) for name, part in parts.items()}
    )
