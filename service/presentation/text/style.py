"""The style of text: language, width, colour, and whether suits have symbols."""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from engine.core.cards import CARD_CODES, Card
from schemas.i18n.catalogs import MESSAGE_LANGUAGES, SOURCE_LANGUAGE, gettext, rank_letter
from service.presentation.text.words import SUIT_SYMBOLS

MIN_WIDTH: Final = 60
MAX_WIDTH: Final = 100
DEFAULT_WIDTH: Final = 80
"""Columns of text; ``DEFAULT_WIDTH`` where there is no terminal."""

RED_SUITS: Final = "DH"


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of text for people.

    ``width`` counts columns; without ``colour`` there are no escape sequences; without ``symbols`` a card is
    written as in the log ("H7"), and signs are ASCII.
    """

    lang: str = "en"
    width: int = DEFAULT_WIDTH
    colour: bool = False
    symbols: bool = True

    def phrase(self, text: str, context: str = "", /, **parts: object) -> str:
        """An English text in the language, with its parts filled in; ``context`` as for `gettext`."""
        return gettext(text, self.lang, context).format(**parts)

    def bold(self, text: str) -> str:
        """A heading, or a card that won its trick."""
        return self._with_escape("1", text)

    def dim(self, text: str) -> str:
        """Secondary text: places, sources, rules."""
        return self._with_escape("2", text)

    def red(self, text: str) -> str:
        """A card of a red suit, and nothing else."""
        return self._with_escape("31", text)

    def sound(self, text: str) -> str:
        """A record without a fault."""
        return self._with_escape("32", text)

    def faulty(self, text: str) -> str:
        """A fault, in bold yellow because red is a suit."""
        return self._with_escape("1;33", text)

    def card(self, card: Card) -> str:
        """A card as a symbol and a letter of the language: "♥7", "♠Kn", "??"."""
        code = CARD_CODES[card]
        suit, rank = code[0], code[1:]
        shown = self.suit(suit) + rank_letter(rank, self.lang)
        return self.red(shown) if suit in RED_SUITS else shown

    def cards(self, cards: tuple[Card, ...]) -> str:
        """Cards with a space between them."""
        return " ".join(self.card(card) for card in cards)

    def suit(self, letter: str) -> str:
        """A suit's symbol, or its letter where symbols cannot be written."""
        return SUIT_SYMBOLS.get(letter, letter) if self.symbols else letter

    def sign(self, symbol: str, plain: str) -> str:
        """``symbol``, or ``plain`` where symbols cannot be written."""
        return symbol if self.symbols else plain

    def chips(self, amount: int) -> str:
        """Chips to (+) or from (−) somebody."""
        if amount < 0:
            return self.sign("−", "-") + str(-amount)
        return f"+{amount}" if amount else "0"

    def counts(self, counts: tuple[int, ...]) -> str:
        """Numbers by seat, forehand first: "5–4–0"."""
        return self.sign("–", "-").join(map(str, counts))

    def _with_escape(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def environment_language(environment: Mapping[str, str]) -> str:
    """The language of the environment, or English where there is no catalogue for it."""
    locales = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    lang = re.split(r"[_.@]", next(filter(None, locales), "").lower())[0]
    return lang if lang in MESSAGE_LANGUAGES else SOURCE_LANGUAGE


def detect_text_style(lang: str | None) -> TextStyle:
    """The style for standard output; ``lang`` is by default that of the environment."""
    columns = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
    return TextStyle(
        lang=lang or environment_language(os.environ),
        width=min(max(columns, MIN_WIDTH), MAX_WIDTH),
        colour=_has_colour(sys.stdout, os.environ),
        symbols=_can_write(sys.stdout, "♠♥♦♣✓✗│–−—…"),
    )


def _has_colour(stream: TextIO | None, environment: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal with colours, and NO_COLOR is not set."""
    if stream is None:
        return False
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def _can_write(stream: TextIO | None, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
