"""How a table is drawn: language, colours, size, and the rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.rulesets import NO_RULES, CompiledRuleset
from schemas.i18n.catalogs import MESSAGE_LANGUAGES

DRAWING_LANGUAGES: Final = tuple(sorted(MESSAGE_LANGUAGES))
TERM_CHOICES: Final = ("own", "es")
"""The terms for cards and bids: those of the language, or Spanish ones."""
SUIT_COLOURS: Final = ("two", "four")


class Palette(NamedTuple):
    """The colours of a drawing: the same as those of the pages (``static/css/page.css``)."""

    paper: str
    ink: str
    muted_ink: str
    cloth: str
    cloth_ink: str
    card: str
    card_ink: str
    card_red: str
    card_blue: str = "#1f55a3"
    card_green: str = "#2a6636"

    def suit_colour(self, suit: str, has_four_colours: bool) -> str:
        """The colour of a suit on a card: red or black, or, with ``has_four_colours``, its own."""
        if has_four_colours and suit in "CD":
            return self.card_green if suit == "C" else self.card_blue
        return self.card_red if suit in "HD" else self.card_ink


THEMES: Final[Mapping[str, Palette]] = {
    "light": Palette(
        paper="#f5f0e4",
        ink="#231f1a",
        muted_ink="#675f51",
        cloth="#3b6652",
        cloth_ink="#f6f1e4",
        card="#fffefb",
        card_ink="#1d1a16",
        card_red="#b1261d",
    ),
    "dark": Palette(
        paper="#16171a",
        ink="#e8e2d4",
        muted_ink="#a49d8e",
        cloth="#1f4536",
        cloth_ink="#ebe5d6",
        card="#f3efe5",
        card_ink="#1d1a16",
        card_red="#b1261d",
    ),
}
"""A light and a dark theme."""


class DrawingOptions(NamedTuple):
    """How to draw.

    ``lang`` is a code of ``DRAWING_LANGUAGES``, ``theme`` a name of ``THEMES``, ``terms`` one of
    ``TERM_CHOICES``; ``suits`` is the number of colours of the suits. ``width`` and ``height`` are pixels;
    the default height suits the width. ``rules`` are those of the deal: they give the names of contracts, the
    order of trumps and the direction of play. ``names`` are those of members, by id; None if erased.
    """

    lang: str = "en"
    theme: str = "light"
    width: int = 800
    height: int | None = None
    rules: CompiledRuleset = NO_RULES
    names: Mapping[str, str | None] = MappingProxyType({})
    terms: str = "own"
    suits: str = "two"

    @property
    def is_spanish(self) -> bool:
        """Whether cards and bids are named in Spanish."""
        return self.terms == "es"

    @property
    def letter_language(self) -> str:
        """The language of the letters on the cards."""
        return "es" if self.is_spanish else self.lang

    @property
    def palette(self) -> Palette:
        """The colours."""
        return THEMES[self.theme]
