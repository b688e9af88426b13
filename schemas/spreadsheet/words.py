"""What a club's sheet of slips calls things: columns, settings, results, suits, in Danish and English.

Every word is compared *folded*: without regard to capitals, accents, spaces, full stops and hyphens. What
a ruleset calls its contracts is the ruleset's own; only spellings beside its titles stand here.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine.rulesets import Rules
from engine.rulesets.model import Contract, Words
from schemas.notation.words import CHOICES, SPOKEN

LONGEST: Final = 200
"""No word of a sheet is longer."""


def folded(text: str) -> str:
    """A word as it is compared: ``"Købe-nolo "`` and ``"KØBENOLO"`` are the same."""
    text = text[: LONGEST + 1]
    plain = unicodedata.normalize("NFKD", text.casefold()).replace("ø", "o").replace("æ", "ae")
    return "".join(letter for letter in plain if letter.isalnum() or letter in "#+")


def alike(text: str) -> str:
    """A name as it sounds: "Karl Aage" is "Karl Åge", and "Soeren" is "Søren"."""
    return folded(text).replace("aa", "a").replace("oe", "o")


class Term(NamedTuple):
    """A column or setting: what it is called in each language, and what else it may be called."""

    words: Words
    others: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """All that it may be called."""
        return (self.words.en, self.words.da, *self.others)


COLUMNS: Final[dict[str, Term]] = {
    "number": Term(Words("number", "nr"), ("no", "deal", "deal no", "nummer", "spil nr", "giv", "#")),
    "date": Term(Words("date", "dato"), ("day", "evening", "dag", "aften")),
    "table": Term(Words("table", "bord"), ("table no", "bord nr")),
    "board": Term(Words("board", "mappe"), ("board no", "mappe nr")),
    "dealer": Term(Words("dealer", "giver"), ("kortgiver", "gav")),
    "forehand": Term(Words("forehand", "forhånd"), ("forhaand", "fh")),
    "middlehand": Term(Words("middlehand", "mellemhånd"), ("mellemhaand", "middle hand", "mh")),
    "backhand": Term(Words("backhand", "baghånd"), ("baghaand", "bagved", "bh")),
    "sits out": Term(Words("sits out", "sidder over"), ("sitting out", "oversidder", "out")),
    "at the table": Term(Words("at the table", "ved bordet"), ("seated", "spillere ved bordet")),
    "declarer": Term(Words("declarer", "melder"), ("ombre", "spiller", "spilfører", "hombre")),
    "contract": Term(Words("contract", "melding"), ("game", "bid", "spil", "kontrakt", "spillet")),
    "trump": Term(Words("trump", "trumf"), ("trumps", "suit", "farve", "kulør")),
    "outcome": Term(Words("outcome", "resultat"), ("result", "udfald")),
    "tricks": Term(Words("tricks", "stik"), ()),
    "slam": Term(Words("slam", "tout"), ("vole", "all nine", "alle ni")),
    "primeras": Term(Words("primeras", "primeraer"), ("first five", "de fem første")),
    "estuches": Term(Words("estuches", "estucher"), ("matadors", "matadorer")),
    "pool": Term(Words("pool", "pulje"), ("pot", "puljen", "pot before", "pulje før")),
    "set aside": Term(Words("set aside", "lagt til side"), ("reserved", "reserveret")),
    "penalty": Term(Words("penalty", "straf"), ("penalties", "penalty points", "strafpoint")),
    "note": Term(
        Words("note", "bemærkning"),
        ("notes", "remark", "remarks", "comment", "comments", "bemærkninger", "kommentar", "bem"),
    ),
}  # fmt: skip
"""The columns of a sheet in the order in which they are written; then one for each player's chips."""

SETTINGS: Final[dict[str, Term]] = {
    "title": Term(Words("title", "titel"), ("club", "klub", "aftenens navn")),
    "ruleset": Term(Words("ruleset", "regelsæt"), ("rules", "regler", "regel")),
    "revision": Term(Words("revision", "udgave")),
    "switches": Term(Words("switches", "valg"), ("house rules", "husregler")),
    "players": Term(Words("players", "spillere"), ("deltagere",)),
    "first dealer": Term(Words("first dealer", "første giver")),
    "planned deals": Term(Words("planned deals", "aftalte spil"), ("antal spil",)),
    "until": Term(Words("until", "til klokken"), ("til kl",)),
    "chip value": Term(Words("chip value", "jetonværdi"), ("value", "værdi", "takst", "chip", "jeton")),
    "currency": Term(Words("currency", "mønt"), ("valuta",)),
    "closed": Term(Words("closed", "afsluttet")),
}
"""What may stand above the columns, each on a row of its own: its name, then its values."""

TOTALS: Final = frozenset(map(folded, ("total", "totals", "sum", "i alt", "ialt", "saldo", "balance")))
"""A row that begins so adds up the others: it is no deal."""

BLANK: Final = frozenset(("", "-", "–", "—", "−"))
"""Cells in which nothing stands."""

OUTCOMES: Final[dict[str, tuple[str, ...]]] = {
    "won": ("won", "vundet", "win", "vandt", "v", "w"),
    "bete": ("bete", "bet", "bête", "beet", "b", "beast", "beasted", "puesta", "remis"),
    "codille": ("codille", "kruk", "kodille", "k", "kodil"),
    "passed_out": ("all passed", "alle meldte pas", "passed_out", "passed out", "pass", "pas", "alle pas"),
    "abandoned": ("given up", "opgivet", "abandoned", "kastet", "kastet for bet", "kast"),
    "forfeited": ("forfeited", "fortabt"),
    "voided": ("void", "gælder ikke", "voided", "misdeal", "fejlgivning", "omgivning"),
}
"""How a deal ended: what is written in English and in Danish first, then what else is read."""

NOBODY: Final = frozenset(("nobody", "ingen", "none", "noone", "0"))
"""Who had the bid where all passed, as some write it; folded."""

SUITS: Final[dict[str, tuple[str, ...]]] = {
    "C": ("clubs", "klør", "♣", "♧", "c", "club", "k", "kl", "trèfle", "bastos"),
    "D": ("diamonds", "ruder", "♦", "♢", "d", "diamond", "r", "ru", "rude", "carreau", "oros"),
    "H": ("hearts", "hjerter", "♥", "♡", "h", "heart", "hj", "hjerte", "coeur", "copas"),
    "S": ("spades", "spar", "♠", "♤", "s", "spade", "sp", "pique", "espadas"),
}
SLAMS: Final[dict[str, tuple[str, ...]]] = {
    "made": ("made", "taget", "won", "vundet", "yes", "ja", "x", "1"),
    "failed": ("failed", "glippet", "lost", "tabt"),
    "": ("no", "nej", "0", "none", "ingen"),
}
FLAGS: Final[dict[str, tuple[str, ...]]] = {
    "yes": ("yes", "ja", "x", "1", "true", "sand"),
    "no": ("no", "nej", "0", "false", "falsk"),
}
SEATS: Final[dict[str, tuple[str, ...]]] = {
    "forehand": ("forehand", "forhånd", "forhaand", "f", "fh"),
    "middlehand": ("middlehand", "mellemhånd", "mellemhaand", "m", "mh"),
    "backhand": ("backhand", "baghånd", "baghaand", "b", "bh"),
}
CHIPS_OF: Final = Words("player", "spiller")
"""Stands before a player's name at the head of a column where the name alone would be another column's."""

SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "simple": ("spil", "almindeligt spil", "alm spil", "simpelt spil", "simple"),
    "spade-game": ("bedre", "spil i spar", "spil spar"),
    "tourne": ("turne", "tourner", "tournee", "vend", "vendt"),
    "simple-nolo": ("købt nolo", "køb nolo", "nolo med køb"),
    "grand-tourne": ("tourne respekt", "turne respekt", "respekt", "respect", "grand turne"),
    "spade-solo": ("solo kulør", "solo i spar", "spar solo", "kulør solo"),
    "pure-nolo": ("rennolo", "nolo ren"),
    "nolo-ouvert": ("ouvert", "nolo overt", "åben nolo", "aaben nolo", "nolo åben"),
}
"""How contracts are spelled beside the titles that their rulesets give them, and the notation's words."""

NOLO: Final = "nolo"
"""What every nolo may be called where the rules have but one."""
TOUTS: Final = frozenset(map(folded, COLUMNS["slam"].spellings))
"""Stand in place of an outcome for a game that was won with all nine tricks."""

IN_SPADES: Final = {"simple": "spade-game", "solo": "spade-solo"}
"""What a contract is recorded as where its trumps are spades and it cannot be played in them (RULES 3)."""


def table_of(words: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """What each spelling means: by its folded form; a sign that folds to nothing stands as it is."""
    return {folded(one) or one: meaning for meaning, spellings in words.items() for one in spellings}


def contracts_of(rules: Rules) -> dict[str, str]:
    """A ruleset's contracts by everything they may be called; an id goes before any other word."""
    titles = [(one.id, one.words) for one in rules.contracts.values()]
    titles += [(one.id, one.words) for one in rules.bids.values() if one.id in rules.contracts]
    found = {folded(contract): contract for contract in rules.contracts}
    for contract, words in titles:
        for one in (words.en, words.da):
            found.setdefault(folded(one), contract)
    for contract, spellings in SPELLINGS.items():
        if contract in rules.contracts:
            for one in spellings:
                found.setdefault(folded(one), contract)
    for spelling, contract in SPOKEN.items():
        if contract in rules.contracts:
            found.setdefault(folded(spelling), contract)
    nolos = nolos_of(rules)
    if len(nolos) == 1:
        found.setdefault(NOLO, nolos[0].id)
    return found


def nolos_of(rules: Rules) -> list[Contract]:
    """The contracts that are called a nolo of some kind; a countervole has the same aim and is none."""
    return [one for one in rules.contracts.values() if one.aim == "nolo" and NOLO in folded(one.id)]


COLUMN_OF: Final = table_of({name: term.spellings for name, term in COLUMNS.items()})
SETTING_OF: Final = table_of({name: term.spellings for name, term in SETTINGS.items()})
OUTCOME_OF: Final = {
    **{folded(word): meaning for word, meaning in CHOICES.items() if meaning in OUTCOMES},
    **table_of(OUTCOMES),
}
SUIT_OF: Final = table_of(SUITS)
SLAM_OF: Final = table_of(SLAMS)
FLAG_OF: Final = table_of(FLAGS)
SEAT_OF: Final = table_of(SEATS)
