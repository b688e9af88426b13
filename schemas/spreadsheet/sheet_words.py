"""What a club's sheet of slips calls things: columns, settings, results, suits, in Danish and English.

Every word is compared *folded*: without regard to capitals, accents, spaces, full stops and hyphens. A
ruleset brings the titles of its contracts; here are other spellings of them, and abbreviations.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.message import LocalizedText
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Bid, Contract
from schemas.i18n.catalogs import gettext, list_translations
from schemas.notation.notation_words import CHOICE_BY_WORD, COLLOQUIAL_NAMES

MAX_SHEET_WORD_LENGTH: Final = 200


@lru_cache(maxsize=4096)
def fold_word(text: str) -> str:
    """Fold a word for comparison: ``"Købe-nolo "`` and ``"KØBENOLO"`` become the same."""
    text = text[: MAX_SHEET_WORD_LENGTH + 1]
    plain = unicodedata.normalize("NFKD", text.casefold()).replace("ø", "o").replace("æ", "ae")
    return "".join(letter for letter in plain if letter.isalnum() or letter in "#+")


def fold_by_sound(text: str) -> str:
    """Fold a name by its sound: "Karl Aage" is "Karl Åge", and "Soeren" is "Søren"."""
    return fold_word(text).replace("aa", "a").replace("oe", "o")


class SheetTerm(NamedTuple):
    """A column or setting: its name in each language, and all spellings, those names first."""

    words: LocalizedText
    spellings: tuple[str, ...]


def _term(english: str, danish: str, *other_spellings: str) -> SheetTerm:
    words = LocalizedText(english, {"da": danish})
    return SheetTerm(words, (words, danish, *other_spellings))


SHEET_COLUMNS: Final[dict[str, SheetTerm]] = {
    "number": _term("number", "nr", "no", "deal", "deal no", "nummer", "spil nr", "giv", "#"),
    "date": _term("date", "dato", "day", "evening", "dag", "aften"),
    "table": _term("table", "bord", "table no", "bord nr"),
    "board": _term("board", "mappe", "board no", "mappe nr"),
    "dealer": _term("dealer", "giver", "kortgiver", "gav"),
    "forehand": _term("forehand", "forhånd", "forhaand", "fh"),
    "middlehand": _term("middlehand", "mellemhånd", "mellemhaand", "middle hand", "mh"),
    "backhand": _term("backhand", "baghånd", "baghaand", "bagved", "bh"),
    "sits out": _term("sits out", "sidder over", "sitting out", "oversidder", "out"),
    "at the table": _term("at the table", "ved bordet", "seated", "spillere ved bordet"),
    "declarer": _term("declarer", "spilfører", "melder", "ombre", "spiller", "player", "hombre"),
    "contract": _term("contract", "melding", "game", "bid", "spil", "kontrakt", "spillet"),
    "trump": _term("trump", "trumf", "trumps", "suit", "farve", "kulør"),
    "outcome": _term("outcome", "resultat", "result", "udfald"),
    "tricks": _term("tricks", "stik"),
    "slam": _term("slam", "tout", "vole", "all nine", "alle ni"),
    "primeras": _term("primeras", "primeraer", "first five", "de fem første"),
    "estuches": _term("estuches", "estuches", "estucher", "matadors", "matadorer"),
    "pool": _term("pool", "pulje", "pot", "puljen", "pot before", "pulje før"),
    "set aside": _term("set aside", "lagt til side", "reserved", "reserveret"),
    "penalty": _term("penalty", "straf", "penalties", "penalty points", "strafpoint"),
    "note": _term(
        "note", "note", "notes", "noter", "remark", "remarks", "comment", "comments", "bemærkning",
        "bemærkninger", "kommentar", "bem",
    ),
}  # fmt: skip
"""The columns of a sheet in the order of writing; then one for each player's chips."""

SHEET_SETTINGS: Final[dict[str, SheetTerm]] = {
    "title": _term("title", "titel", "club", "klub", "aftenens navn"),
    "ruleset": _term("ruleset", "regler", "rules", "regelsæt", "regel"),
    "revision": _term("revision", "udgave"),
    "switches": _term("switches", "husregler", "house rules", "valg"),
    "players": _term("players", "spillere", "deltagere"),
    "first dealer": _term("first dealer", "første giver"),
    "planned deals": _term("planned deals", "aftalte spil", "antal spil"),
    "until": _term("until", "til klokken", "til kl"),
    "chip value": _term("chip value", "jetonværdi", "value", "værdi", "takst", "chip", "jeton"),
    "currency": _term("currency", "valuta", "mønt"),
    "closed": _term("closed", "afsluttet"),
}
"""The rows above the columns: each has its name, then its values."""

TOTAL_ROW_WORDS: Final = frozenset(
    map(fold_word, ("total", "totals", "totalt", "sum", "i alt", "ialt", "saldo", "balance"))
)
"""First words of a row that adds up the others."""

BLANK_CELLS: Final = frozenset(("", "-", "–", "—", "−"))
OUTCOME_WORDS_BY_ID: Final[dict[str, tuple[str, ...]]] = {
    "won": ("won", "vundet", "win", "vandt", "v", "w"),
    "bete": ("bete", "bet", "bête", "beet", "b", "beast", "beasted", "puesta", "remis"),
    "codille": ("codille", "kruk", "kodille", "k", "kodil"),
    "passed_out": ("all passed", "alle meldte pas", "passed_out", "passed out", "pass", "pas", "alle pas"),
    "abandoned": ("given up", "kastet", "abandoned", "opgivet", "kastet for bet", "kast"),
    "forfeited": ("forfeited", "fortabt"),
    "voided": ("void", "gælder ikke", "voided", "misdeal", "fejlgivning", "omgivning"),
}
"""How a deal ended. Here and below: the word in English, then in Danish, then others that are read."""

NOBODY_WORDS: Final = frozenset(("nobody", "ingen", "none", "noone", "0"))
"""Declarers where all passed, as some write them; folded."""

SUIT_WORDS_BY_LETTER: Final[dict[str, tuple[str, ...]]] = {
    "C": ("clubs", "klør", "♣", "♧", "c", "club", "k", "kl", "trèfle", "bastos"),
    "D": ("diamonds", "ruder", "♦", "♢", "d", "diamond", "r", "ru", "rude", "carreau", "oros"),
    "H": ("hearts", "hjerter", "♥", "♡", "h", "heart", "hj", "hjerte", "coeur", "copas"),
    "S": ("spades", "spar", "♠", "♤", "s", "spade", "sp", "pique", "espadas"),
}
SLAM_WORDS_BY_ID: Final[dict[str, tuple[str, ...]]] = {
    "made": ("made", "taget", "won", "vundet", "yes", "ja", "x", "1"),
    "failed": ("failed", "glippet", "lost", "tabt"),
    "": ("no", "nej", "0", "none", "ingen"),
}
FLAG_WORDS_BY_VALUE: Final[dict[str, tuple[str, ...]]] = {
    "yes": ("yes", "ja", "x", "1", "true", "sand"),
    "no": ("no", "nej", "0", "false", "falsk"),
}
SEAT_WORDS_BY_NAME: Final[dict[str, tuple[str, ...]]] = {
    "forehand": ("forehand", "forhånd", "forhaand", "f", "fh"),
    "middlehand": ("middlehand", "mellemhånd", "mellemhaand", "m", "mh"),
    "backhand": ("backhand", "baghånd", "baghaand", "b", "bh"),
}
CHIPS_COLUMN_PREFIX: Final = LocalizedText("player", {"da": "spiller"})
"""Stands before a player's name that alone would be the heading of another column."""

CONTRACT_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "simple": ("spil", "game", "almindeligt spil", "alm spil", "simpelt spil", "simple"),
    "spade-game": ("bedre", "spil i spar", "spil spar"),
    "tourne": ("turne", "tourner", "tournee", "vend", "vendt"),
    "simple-nolo": ("købt nolo", "køb nolo", "nolo med køb"),
    "grand-tourne": ("tourne respekt", "turne respekt", "respekt", "respect", "grand turne"),
    "spade-solo": ("solo kulør", "solo i spar", "spar solo", "kulør solo"),
    "pure-nolo": ("rennolo", "nolo ren"),
    "nolo-ouvert": ("ouvert", "nolo overt", "åben nolo", "aaben nolo", "nolo åben"),
}
"""Spellings of contracts, besides the titles in their rulesets and the notation's words."""

NOLO_WORD: Final = "nolo"
"""The name of any nolo where the rules have only one."""
TOUT_WORDS: Final = frozenset(map(fold_word, SHEET_COLUMNS["slam"].spellings))
"""Outcomes for a game that was won with all nine tricks."""

SPADE_CONTRACTS: Final = {"simple": "spade-game", "solo": "spade-solo"}
"""The contract that is recorded for one that cannot be played in spades, but is (RULES 3)."""


def build_meaning_by_word(spellings_by_meaning: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """What each spelling means, by its folded form; a sign that folds to nothing stays as it is."""
    return {
        fold_word(one) or one: meaning
        for meaning, spellings in spellings_by_meaning.items()
        for one in spellings
    }


def build_contract_by_word(rules: CompiledRuleset) -> dict[str, str]:
    """A ruleset's contracts by all their names; for a word of two contracts the first one."""
    titled: list[Bid | Contract] = [*rules.contracts.values(), *rules.bids.values()]
    names = [
        *((one.id, one.id) for one in rules.contracts.values()),
        *((word, one.id) for one in titled for word in list_translations(one.words)),
        *((word, contract) for contract, words in CONTRACT_SPELLINGS.items() for word in words),
        *COLLOQUIAL_NAMES.items(),
    ]
    found: dict[str, str] = {}
    for word, contract in names:
        if contract in rules.contracts:
            found.setdefault(fold_word(word), contract)
    return found


def list_nolo_contracts(rules: CompiledRuleset) -> list[Contract]:
    """The contracts called a nolo of some kind; a countervole has the same aim and is none."""
    return [one for one in rules.contracts.values() if one.aim == "nolo" and NOLO_WORD in fold_word(one.id)]


COLUMN_BY_WORD: Final = build_meaning_by_word({name: term.spellings for name, term in SHEET_COLUMNS.items()})
SETTING_BY_WORD: Final = build_meaning_by_word(
    {name: term.spellings for name, term in SHEET_SETTINGS.items()}
)
OUTCOME_BY_WORD: Final = {
    **{
        fold_word(word): meaning for word, meaning in CHOICE_BY_WORD.items() if meaning in OUTCOME_WORDS_BY_ID
    },
    **build_meaning_by_word(OUTCOME_WORDS_BY_ID),
}
SUIT_LETTER_BY_WORD: Final = build_meaning_by_word(SUIT_WORDS_BY_LETTER)
SLAM_BY_WORD: Final = build_meaning_by_word(SLAM_WORDS_BY_ID)
FLAG_BY_WORD: Final = build_meaning_by_word(FLAG_WORDS_BY_VALUE)
SEAT_NAME_BY_WORD: Final = build_meaning_by_word(SEAT_WORDS_BY_NAME)


_split_words: Final = re.compile(r"[\W_]+").split


def abbreviate_contracts(rules: CompiledRuleset, lang: str) -> dict[str, str]:
    """A different abbreviation of each contract, by its id.

    It has the first two letters of a title of one word, else the first letter of each word; more if an
    earlier contract has these.
    """
    found: dict[str, str] = {}
    for contract in rules.contracts.values():
        abbreviations = _list_abbreviations(gettext(contract.words, lang))
        found[contract.id] = next(one for one in abbreviations if one not in found.values())
    return found


def _list_abbreviations(title: str) -> Iterator[str]:
    words = [fold_word(word) for word in _split_words(title) if fold_word(word)]
    joined = "".join(words)
    if len(words) > 1:
        yield "".join(word[0] for word in words)
    yield from (joined[:length] for length in range(2, len(joined) + 1))
    yield from (f"{joined}{number}" for number in range(2, 100))


def contract_by_abbreviation(rules: CompiledRuleset, lang: str) -> Mapping[str, str]:
    """Contracts by their abbreviations in ``lang``, and others in the other language."""
    other = "en" if lang == "da" else "da"
    return {
        abbreviation: contract
        for language in (other, lang)
        for contract, abbreviation in abbreviate_contracts(rules, language).items()
    }
