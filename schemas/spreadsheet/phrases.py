"""What is told of a sheet's faults, in English and in Danish, with words as that sheet has them.

The sentence is in the language of whoever reads it; the words to write are those of the sheet.
"""

from typing import Final, NamedTuple

from engine.rulesets.model import Words
from schemas.spreadsheet import words
from schemas.wire.faults import NOTHING, WireError, shown
from schemas.wire.faults import Fault as WireFault


class Tongue(NamedTuple):
    """The language of the sentences, and that of the sheet: "en" or "da"."""

    lang: str = "en"
    sheet: str = "en"


ENGLISH: Final = Tongue()


def _first(table: dict[str, tuple[str, ...]]) -> Words:
    """What is written of a table of words in each language."""
    english, danish = zip(*(one[:2] for one in table.values()), strict=True)
    return Words(", ".join(english), ", ".join(danish))


TO_WRITE: Final = {
    "suits": _first(words.SUITS),
    "seats": _first(words.SEATS),
    "outcomes": _first(words.OUTCOMES),
    "slams": _first(words.SLAMS),
    "flags": _first(words.FLAGS),
    "ruleset": Words("ruleset", "regelsæt"),
}
"""Words that a sheet has, in its language, as phrases name them."""

EXPECTED: Final = {
    "ordinal": Words("a number from 1 on", "et tal fra 1 og op"),
    "count": Words("a whole number, 0 or more", "et helt tal, 0 eller mere"),
    "chips": Words("a whole number of chips, such as 6 or -3", "et helt antal jetoner, såsom 6 eller -3"),
    "most_numbers": Words("at most {most} numbers", "højst {most} tal"),
    "name": Words("a name of at most {most} characters", "et navn på højst {most} tegn"),
    "note": Words("a text of at most {most} characters", "en tekst på højst {most} tegn"),
    "outcome": Words("one of {outcomes}", "et af: {outcomes}"),
    "slam": Words("one of {slams}", "et af: {slams}"),
    "suit": Words("a suit: {suits}", "en farve: {suits}"),
    "flag": Words("one of {flags}", "et af: {flags}"),
    "worth": Words(
        "what a chip is worth: a number such as 0.25 or 0,25", "hvad en jeton er værd: et tal såsom 0,25"
    ),
    "switch": Words(
        "a house switch and its value, such as matadors=absolute",
        "et valg og dets værdi, såsom matadors=absolute",
    ),
    "contract": Words(
        "a contract of {ruleset}: {contracts}{meant}", "en melding i {ruleset}: {contracts}{meant}"
    ),
    "nolo": Words("which nolo it was: {contracts}", "hvilken nolo det var: {contracts}"),
    "seat": Words("one of {players}, or {seats}{meant}", "en af {players}, eller {seats}{meant}"),
    "player": Words("one of {players}{meant}", "en af {players}{meant}"),
    "which_player": Words("which of them: {players}", "hvem af dem: {players}"),
    "which_contract": Words("which of them: {contracts}", "hvilken af dem: {contracts}"),
    "new_number": Words("a number that no other deal has", "et nummer, som intet andet spil har"),
    "no_suit": Words("nothing, as {contract} says it", "ingenting, for det ligger i {contract}"),
    "no_trumps": Words("nothing", "ingenting"),
    "nobody": Words("nothing", "ingenting"),
    "trumps_of": Words("one of the suits of {contract}: {suits}", "en af farverne i {contract}: {suits}"),
    "ending": Words(
        "how it ended ({outcomes}), or the declarer's tricks, or three numbers, the declarer's first: 5-2-2",
        "hvordan det gik ({outcomes}), eller melderens stik, eller tre tal, melderens først: 5-2-2",
    ),
    "extra": Words("one of {extras}", "et af: {extras}"),
    "plays": Words("one of those who play: {players}", "en af dem, der spiller: {players}"),
    "sitters": Words(
        "as many as sit out: {count} of {players}", "så mange, som sidder over: {count} af {players}"
    ),
    "paper": Words(
        "the paper's numbers with spaces between, in this order: {players}; ? for one that is not there",
        "tallene på papiret med mellemrum imellem, i denne orden: {players}; ? for et, der mangler",
    ),
    "meant": Words(" (did you mean {meant}?)", " (mente du {meant}?)"),
    "most_players": Words("at most {most} players", "højst {most} spillere"),
    "names": Words("a few names with commas between them", "nogle navne med komma imellem"),
    "points": Words("a player and his points, such as Bo 1", "en spiller og hans point, såsom Bo 1"),
    "tricks": Words(
        "the declarer's tricks, or three numbers, the declarer's first: 5+2+2 (where the spreadsheet has "
        "made a date of them, set the column to text)",
        "melderens stik, eller tre tal, melderens først: 5+2+2 (har regnearket gjort dem til en dato, så sæt "
        "kolonnen til tekst)",
    ),
    "who": Words("who sat there", "hvem der sad der"),
    "who_or_dealer": Words(
        "who sat there (or the dealer, where the players stand above the columns in the order of play)",
        "hvem der sad der (eller giveren, når spillerne står over kolonnerne i den orden, de spiller)",
    ),
    "other_place": Words(
        "a player who has no other place in this deal", "en spiller, der ikke har en anden plads i dette spil"
    ),
    "same_suit": Words("the suit of the contract", "meldingens farve"),
    "no_tout": Words(
        "that it was made, or nothing, as {outcome} says it was",
        "at den blev taget, eller ingenting, da der står {outcome}",
    ),
    "most_chips": Words("the chips of at most {most} players", "jetoner for højst {most} spillere"),
    "own_date": Words(
        "a date of its own for each evening; a table has at most {most} deals",
        "en egen dato for hver aften; et bord har højst {most} spil",
    ),
    "rules_row": Words(
        "a row above the columns such as {ruleset};dlu, or --ruleset; there are {ids}",
        "en række over kolonnerne såsom {ruleset};dlu, eller --ruleset; der er {ids}",
    ),
    "rules": Words("a ruleset: {ids}", "et regelsæt: {ids}"),
    "revision": Words(
        "a published revision of {ruleset_id}, a number from 1 on",
        "en offentliggjort udgave af {ruleset_id}, et tal fra 1 og op",
    ),
    "switch_of": Words("a house switch of {ruleset_id}: {known}", "et valg i {ruleset_id}: {known}"),
    "switch_once": Words("{switch} once; it is said twice here", "{switch} én gang; her står det to gange"),
    "switch_as": Words("{switch} as {values}", "{switch} som {values}"),
    "currency": Words(
        "a number alone, or the currency that is stated: {currency}",
        "et tal alene, eller den mønt, der er opgivet: {currency}",
    ),
    "quotation": Words("a closing quotation mark", "et afsluttende anførselstegn"),
    "column": Words(
        "a column of a slip ({columns}) or a player",
        "en kolonne på en seddel ({columns}) eller en spiller",
    ),
    "no_cell": Words("nothing, as there is no column here", "ingenting, for her er ingen kolonne"),
    "heads": Words("the heads of the columns", "kolonnernes navne"),
    "columns": Words(
        "a row with the names of the columns: number, forehand, declarer, contract, tricks …",
        "en række med kolonnernes navne: nr, forhånd, melder, melding, stik …",
    ),
    "deal": Words("a deal", "et spil"),
    "sheet": Words("a sheet as CSV", "et ark som CSV"),
}  # fmt: skip
"""What should stand in place of what was read, as a noun."""

SENTENCES: Final = {
    "instead": Words("In place of {read}, write {expected}.", "I stedet for {read}: skriv {expected}."),
    "sits_out_there": Words(
        "{player} sits out in deal {number}: write one of {players}, or change who sits out.",
        "{player} sidder over i spil {number}: skriv en af {players}, eller ret, hvem der sidder over.",
    ),
    "has_no_trumps": Words(
        "{contract} has no trumps: leave the suit out.", "{contract} har ingen trumf: lad farven stå tom."
    ),
    "passed_alone": Words(
        "Where all passed nothing else stands: delete {read}, or write what was played.",
        "Hvor alle meldte pas, står der ikke andet: slet {read}, eller skriv, hvad der blev spillet.",
    ),
    "missing": Words("Nothing stands here; write {expected}.", "Her står ingenting; skriv {expected}."),
    "chips_are_whole": Words(
        "Chips are whole, and {read} is not; the deal is read without what was paid by it. What a chip is "
        "worth stands above the columns ({chip_value}).",
        "Jetoner er hele, og {read} er det ikke; spillet læses uden det, der blev betalt. Hvad en jeton er "
        "værd, står over kolonnerne ({chip_value}).",
    ),
    "two_players": Words(
        "{read} is read as another player than {other}; did you mean {other}?",
        "{read} læses som en anden spiller end {other}; mente du {other}?",
    ),
    "adds_up": Words(
        "This row adds up the others; it is not read as a deal.",
        "Denne række lægger de andre sammen; den læses ikke som et spil.",
    ),
    "no_deal": Words(
        "Nothing is read from {read}: there is no deal in this row.",
        "Der læses intet af {read}: der er intet spil i denne række.",
    ),
    "swallowed": Words(
        " The row has swallowed lines {first} to {last}: is there a quotation mark too many?",
        " Rækken har slugt linje {first} til {last}: er der et anførselstegn for meget?",
    ),
    "unclosed": Words(
        "A quotation mark is opened in this row and never closed; close it, or leave it out.",
        "Et anførselstegn begynder i denne række og slutter aldrig; slut det, eller udelad det.",
    ),
    "recorded_as": Words(
        "{read} in spades is recorded as {played}; by these rules that is its name.",
        "{read} i spar optegnes som {played}; det hedder det efter disse regler.",
    ),
    "no_rules": Words(
        "The sheet does not say by which rules was played; write {expected}.",
        "Arket siger ikke, efter hvilke regler der blev spillet; skriv {expected}.",
    ),
    "stray_meant": Words(
        "Nothing is read from {read}, above the columns: did you mean {meant}?",
        "Der læses intet af {read} over kolonnerne: mente du {meant}?",
    ),
    "stray": Words(
        "Nothing is read from {read}, above the columns: if it is a setting, see the guide to slips.",
        "Der læses intet af {read} over kolonnerne: er det en indstilling, så se vejledningen om sedler.",
    ),
    "no_columns": Words(
        "There are no columns here; write {expected}", "Her er ingen kolonner; skriv {expected}"
    ),
    "column_twice": Words(
        "Nothing is read from this column: there is a column {column} already.",
        "Der læses intet af denne kolonne: der er allerede en kolonne {column}.",
    ),
    "column_meant": Words(
        "Nothing is read from this column: did you mean {meant}?",
        "Der læses intet af denne kolonne: mente du {meant}?",
    ),
    "no_such_column": Words(
        "Nothing is read from this column: it is no column of a slip, nor a player.",
        "Der læses intet af denne kolonne: den er ikke en kolonne på en seddel, og ikke en spiller.",
    ),
    "under_no_column": Words(
        "{read} stands under no column; give the column a name, or put quotation marks about it.",
        "{read} står ikke under nogen kolonne; giv kolonnen et navn, eller sæt anførselstegn om.",
    ),
    "too_heavy": Words(
        "A sheet has at most {most} MiB; give each evening its own.",
        "Et ark har højst {most} MiB; giv hver aften sit eget.",
    ),
    "workbook": Words(
        "This is a workbook; save it from the spreadsheet as CSV, and import that.",
        "Dette er en projektmappe; gem den fra regnearket som CSV, og indlæs den.",
    ),
    "no_text": Words(
        "This is no text; save the sheet from the spreadsheet as CSV, and import that.",
        "Dette er ikke tekst; gem arket fra regnearket som CSV, og indlæs det.",
    ),
    "no_encoding": Words(
        "Line {line} is neither UTF-8 nor Windows-1252; save the sheet as “CSV UTF-8”, and import that.",
        "Linje {line} er hverken UTF-8 eller Windows-1252; gem arket som »CSV UTF-8«, og indlæs det.",
    ),
    "two_encodings": Words(
        "The file is UTF-8 but for line {line}; save the sheet again as “CSV UTF-8”, and import that.",
        "Filen er UTF-8 undtagen linje {line}; gem arket igen som »CSV UTF-8«, og indlæs det.",
    ),
    "empty": Words(
        "There is nothing in this sheet; write {expected}", "Der står intet i dette ark; skriv {expected}"
    ),
}  # fmt: skip
"""Whole sentences."""


class Expected(NamedTuple):
    """What should stand somewhere: a phrase, and what it names, which may be in two languages."""

    phrase: str
    parts: dict[str, object]

    def told(self, tongue: Tongue) -> str:
        """It as a noun."""
        named = {**TO_WRITE, **self.parts}
        return EXPECTED[self.phrase][tongue.lang].format(
            **{name: _put(part, tongue) for name, part in named.items()}
        )


def _put(part: object, tongue: Tongue) -> object:
    if isinstance(part, Expected):
        return part.told(tongue)
    return part[tongue.sheet] if isinstance(part, Words) else part


class Misfit(WireError):
    """A cell that is not what was expected of it."""

    def __init__(self, read: object, phrase: str, **parts: object) -> None:
        self.expected = Expected(phrase, parts)
        self.sentence: str | None = None
        super().__init__([WireFault("", shown(read), self.expected.told(ENGLISH))])

    def saying(self, sentence: str) -> "Misfit":
        """It, told by a sentence of its own."""
        self.sentence = sentence
        return self


def told_of(error: WireError, tongue: Tongue) -> tuple[str, str, str]:
    """Of a cell that cannot be read: what stands there, what should, and the sentence that says both."""
    read, expected = error.faults[0].read, error.faults[0].expected
    if isinstance(error, Misfit):
        expected = error.expected.told(tongue)
        if error.sentence is not None:
            sentence = said(error.sentence, tongue, read=read, **error.expected.parts)
            return read, expected, sentence[:1].upper() + sentence[1:]
    return read, expected, advice(read, expected, tongue)


def advice(read: str, expected: str, tongue: Tongue) -> str:
    """One sentence: what was read and what to write instead."""
    return said("missing" if read == NOTHING else "instead", tongue, read=read, expected=expected)


def said(sentence: str, tongue: Tongue, **parts: object) -> str:
    """A sentence with its parts put in."""
    return SENTENCES[sentence][tongue.lang].format(
        **{name: _put(part, tongue) for name, part in parts.items()}
    )
