"""How a table is to be drawn: language, colours, size, and the rules whose words are used."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.rulesets import NO_RULES, CompiledRuleset
from schemas.i18n.catalogs import MESSAGE_LANGUAGES

DRAWING_LANGUAGES: Final = tuple(sorted(MESSAGE_LANGUAGES))
TERM_CHOICES: Final = ("own", "es")
"""What cards and bids are called: as in the language, or in Spanish."""
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
"""The two grounds: warm paper, and ink in the dark."""


class DrawingOptions(NamedTuple):
    """How to draw.

    ``lang`` is a code of ``DRAWING_LANGUAGES``, ``theme`` a name of ``THEMES``, ``terms`` one of
    ``TERM_CHOICES``; ``suits`` says how many colours the suits have. ``width`` and ``height`` are pixels;
    without a height the drawing takes the one that suits its width. ``rules`` are those of the deal, for the
    names of its contracts, the order of its trumps and which way round it is played. ``names`` tells how
    those are called who stand in the record by an id; None where that is forgotten.
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
