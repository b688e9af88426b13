"""Which language a deal is told in, by words that no other language has: whose letters its cards have."""

from typing import Final

from schemas.notation.alphabets import ALPHABETS

LANGUAGE_BY_SUIT_WORD: Final = {
    word: language for language, letters in ALPHABETS.items() for word in letters.words
}
"""The language of each suit that is written out."""
MAX_NEUTRAL_LENGTH: Final = 2
"""Words of so many letters say nothing of the language: most are cards and seats."""
DANISH_ONLY_WORDS: Final = frozenset({
    "hånd", "fik", "passer", "pas", "melder", "byder", "siger", "viser", "har", "nævner", "vælger",
    "trumfer", "lader", "står", "beholder", "kaster", "lægger", "sælger", "køber", "trækker", "bytter",
    "overtaget", "ansiger", "kræver", "krav", "accepterer", "godtager", "bestrider", "opgiver", "som",
    "overgiver", "overgivelse", "forbyder", "gemmer", "kort", "vendt", "tilbage", "resultat", "stik",
    "fejl", "påtalt", "afgørelse", "udfald", "skyld", "betaling", "betalinger", "straf", "annulleret",
    "rettelse", "efter", "hul", "afregnet", "sluttet", "ved", "kom", "gik",
    "plads", "pladser", "giver", "trukket", "begyndt", "betalt", "fra", "til", "giv", "åbnet", "aften",
    "indtil", "kendt", "ingen", "intet", "nej", "alle", "vundet", "vandt", "tabt",
    "kodille", "kruk", "opgivet", "forbrudt", "taget", "glippet", "fortalt", "rekonstrueret", "trykt",
    "forhånd", "mellemhånd", "baghånd", "spiller", "spillede", "hænder", "meldinger", "meldingerne",
    "bytte", "byttet", "spillet", "stikkene", "regnskab", "regler", "udgave", "valg", "makkere",
    "pulje", "gemt", "bord", "nummer", "spilnr", "variant", "kilde", "spillere", "bogstaver",
    "grundlag", "kilder",
})  # fmt: skip
"""Danish words of the notation that are no words of it in English."""
LANGUAGE_CLUES: Final = {**dict.fromkeys(DANISH_ONLY_WORDS, "words: da"), **LANGUAGE_BY_SUIT_WORD}
"""What a word says of the language: a suit's is that of the cards; others are Danish words, and say less."""
DANISH_CLUE: Final = "words: da"


def detect_language(clues: set[str]) -> str | None:
    """The language for which words speak (values of ``LANGUAGE_CLUES``); None where they say nothing, or
    two."""
    suits = clues - {DANISH_CLUE}
    if len(suits) == 1:
        return next(iter(suits))
    return "da" if clues == {DANISH_CLUE} else None
