"""The words by which the engine recognises what people said or wrote: ``said``, ``kind`` and ``text``.

They are data about people's languages. Another language is one more entry of `SPOKEN_WORDS`; whatever the
engine says itself is a message (`engine.core.message`).
"""

from typing import Final, NamedTuple

from engine.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Suit


class SpokenWords(NamedTuple):
    """The words of one language, in small letters.

    ``suit_suffixes`` form one word with a suit's name. ``ordinals`` are those of the nine tricks;
    ``number_sign`` and ``ordinal_ends`` are regular expressions of what stands before or after a number.
    ``doubts`` make it uncertain which trick is meant. The other fields are parts of words for irregularities.
    """

    suits: dict[Suit, tuple[str, ...]]
    suit_suffixes: tuple[str, ...]
    trick: str
    ordinals: tuple[str, ...]
    number_sign: str
    ordinal_ends: tuple[str, ...]
    doubts: tuple[str, ...]
    revoke: tuple[str, ...]
    wrong_turn: tuple[str, ...]
    talon: tuple[str, ...]
    exchange: tuple[str, ...]
    misdeal: tuple[str, ...]
    exposure: tuple[str, ...]
    bidding: tuple[str, ...]


SPOKEN_WORDS: Final = {
    "en": SpokenWords(
        suits={
            CLUBS: ("club", "clubs", "♣"),
            DIAMONDS: ("diamond", "diamonds", "♦"),
            HEARTS: ("heart", "hearts", "♥"),
            SPADES: ("spade", "spades", "♠"),
        },
        suit_suffixes=(),
        trick="trick",
        ordinals=(
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        ),
        number_sign=r"no\.? ?",
        ordinal_ends=("st", "nd", "rd", "th"),
        doubts=("or", "not", "before", "after"),
        revoke=("revok", "renounc", "renonce"),
        wrong_turn=("out of turn", "wrong turn"),
        talon=("talon",),
        exchange=("drawn", "exchang"),
        misdeal=("misdeal",),
        exposure=("expos", "shown", "showed"),
        bidding=("bid",),
    ),
    "da": SpokenWords(
        suits={
            CLUBS: ("klør", "kløer"),
            DIAMONDS: ("ruder",),
            HEARTS: ("hjerter",),
            SPADES: ("spar", "spader"),
        },
        suit_suffixes=("spil", "solo", "trumf"),
        trick="stik",
        ordinals=(
            "første", "andet", "tredje", "fjerde", "femte", "sjette", "syvende", "ottende", "niende",
        ),
        number_sign=r"nr\.? ?",
        ordinal_ends=(r"\.",),
        doubts=("eller", "ikke", "før", "efter"),
        revoke=("kulørsvig", "bekend"),
        wrong_turn=("for tur",),
        talon=(),
        exchange=("købt", "byt"),
        misdeal=("fejlgiv",),
        exposure=("vist", "blott"),
        bidding=("meld",),
    ),
}  # fmt: skip


def words_of_all(field: str) -> tuple[str, ...]:
    """The words of a field of `SpokenWords` in all languages."""
    return tuple(word for words in SPOKEN_WORDS.values() for word in getattr(words, field))
