"""How cards and suits are written: the letters of four languages, suit or rank first, signs for suits.

A deal is written in one alphabet, which the tag ``Letters`` may name. Otherwise English letters are tried
first, as in the canonical form, then the others of ``ALPHABETS``.
"""

import re
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from engine.core.cards import CARD_BY_CODE

SUIT_SIGNS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
"""Suits as signs, which every alphabet knows."""


class AlphabetSpellings(NamedTuple):
    """The spellings of suits and ranks in a language, each with the letter of the code."""

    suits: dict[str, str]
    ranks: dict[str, str]
    words: dict[str, str]
    """Suits written out."""


ALPHABETS: Final[dict[str, AlphabetSpellings]] = {
    "en": AlphabetSpellings(
        {"s": "S", "h": "H", "d": "D", "c": "C"},
        {"a": "A", "k": "K", "q": "Q", "j": "J"},
        {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"},
    ),
    "da": AlphabetSpellings(
        {"s": "S", "h": "H", "r": "D", "k": "C"},
        {"e": "A", "es": "A", "k": "K", "d": "Q", "kn": "J", "b": "J"},
        {"spar": "S", "hjerter": "H", "hjerte": "H", "ruder": "D", "klør": "C"},
    ),
    "es": AlphabetSpellings(
        {"e": "S", "c": "H", "o": "D", "b": "C"},
        {"a": "A", "1": "A", "r": "K", "c": "Q", "s": "J", "12": "K", "11": "Q", "10": "J"},
        {"espadas": "S", "copas": "H", "oros": "D", "bastos": "C"},
    ),
    "fr": AlphabetSpellings(
        {"p": "S", "c": "H", "k": "D", "t": "C"},
        {"a": "A", "r": "K", "d": "Q", "v": "J"},
        {"pique": "S", "cœur": "H", "coeur": "H", "carreau": "D", "trèfle": "C", "trefle": "C"},
    ),
}
"""English, Danish (E K D Kn), Spanish (A R C S), French (A R D V), tried in this order."""
SUIT_BY_WORD: Final = {word: code for letters in ALPHABETS.values() for word, code in letters.words.items()}
"""Suits written out, which every alphabet knows in all languages."""


class Alphabet:
    """What words mean in one alphabet, whatever letters are capitals.

    Cards have the suit first or, unless ``allow_rank_first`` is False, the rank first.
    """

    def __init__(self, spellings: AlphabetSpellings, allow_rank_first: bool = True) -> None:
        suits = {**SUIT_SIGNS, **spellings.suits}
        ranks = {**spellings.ranks, **{pip: pip for pip in "765432"}, "?": "?"}
        self.suits: Final = {**suits, **SUIT_BY_WORD}
        self.ranks: Final = ranks
        self.cards: Final = {"??": "??"}
        # Where both orders make sense (Danish KD), the suit stands first.
        for (suit, suit_code), (rank, code) in product(suits.items(), ranks.items()):
            if rank != "?" and allow_rank_first:
                self.cards.setdefault(rank + suit, suit_code + code)
        for (suit, suit_code), (rank, code) in product(suits.items(), ranks.items()):
            self.cards[suit + rank] = suit_code + code
        for code in list(self.cards.values()):
            if self.cards.get(code.lower()) == code:
                self.cards[code] = code
        self.card_by_word: Final = {word: CARD_BY_CODE[code] for word, code in self.cards.items()}
        # A hidden rank is not written together with others: after a card it is a mark.
        spelt = "|".join(sorted(map(re.escape, ranks.keys() - {"?"}), key=len, reverse=True))
        signs = "|".join(map(re.escape, suits))
        # The longest spelling, without backtracking (++): "1212…" has very many other readings.
        self._match_run: Final = re.compile(f"({signs}):?((?:{spelt})++)").fullmatch
        self._find_ranks: Final = re.compile(f"(?>{spelt})").findall

    def find_card(self, word: str) -> str | None:
        """The code of a card; None for another word."""
        return self.cards.get(word) or self.cards.get(word.lower())

    def find_suit(self, word: str) -> str | None:
        """The letter of a suit; None for another word."""
        return self.suits.get(word.lower())

    def parse_run(self, word: str) -> list[str] | None:
        """The codes of cards of a suit written together ("SAK2"); None for another word."""
        found = self._match_run(word.lower())
        return self.parse_ranks(self.suits[found[1]], found[2]) if found else None

    def leading_suit(self, word: str) -> str | None:
        """The suit of cards written with the suit first; None for another word."""
        found = self._match_run(word.lower())
        return self.suits[found[1]] if found else None

    def parse_ranks(self, suit: str, word: str) -> list[str] | None:
        """The codes of the cards of ``suit`` with the ranks in ``word`` ("AK2"); None for another word."""
        ranks = self._find_ranks(word.lower())
        if not ranks or "".join(ranks) != word.lower():
            return None
        return [suit + self.ranks[rank] for rank in ranks]

    def is_card_word(self, word: str) -> bool:
        """Whether a word is a card, several of a suit, a suit, or ranks."""
        return (
            self.find_card(word) is not None
            or self.find_suit(word) is not None
            or self.parse_run(word) is not None
            or self.parse_ranks("S", word) is not None
        )


@cache
def get_alphabet(language: str, allow_rank_first: bool = True) -> Alphabet:
    """The alphabet of a language of ``ALPHABETS``."""
    return Alphabet(ALPHABETS[language], allow_rank_first)


def is_card_word_in_any(word: str) -> bool:
    """Whether a word, or what is left of it without a mark, is a card word in some alphabet."""
    without_marks = word.rstrip("!?") or word
    return any(get_alphabet(language).is_card_word(without_marks) for language in ALPHABETS)
