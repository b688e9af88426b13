"""Which language a deal is told in, by words that no other language has: whose letters its cards have."""

from typing import Final

from schemas.notation.alphabets import ALPHABETS
from schemas.notation.notation_words import DANISH_WORDS
from schemas.notation.opening_tags import TAGS_BY_OPENER

MAX_NEUTRAL_LENGTH: Final = 2
"""Words of so many letters say nothing of the language: most are cards and seats."""
DANISH_CLUE: Final = "words: da"
LANGUAGE_CLUES: Final = {
    **dict.fromkeys(DANISH_WORDS, DANISH_CLUE),
    **{name: DANISH_CLUE for tags in TAGS_BY_OPENER.values() for tag in tags for name in tag.danish},
    "bogstaver": DANISH_CLUE,
    **{word: language for language, letters in ALPHABETS.items() for word in letters.words},
}
"""What a word says of the language: a suit's is that of the cards; others are Danish words, and say less."""


def detect_language(clues: set[str]) -> str | None:
    """The language for which words speak (values of ``LANGUAGE_CLUES``); None for none, or for two."""
    suits = clues - {DANISH_CLUE}
    if len(suits) == 1:
        return next(iter(suits))
    return "da" if clues == {DANISH_CLUE} else None
