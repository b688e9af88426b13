"""The variables of report templates; cards in a text as signs, with their names for screen readers."""

import re
from typing import Any, Final

from markupsafe import Markup, escape

from engine.core.cards import SEAT_NAMES
from schemas.i18n.card_words import RANK_TERMS, SEAT_TERMS, SUIT_TERMS, listed_card_name
from schemas.i18n.catalogs import gettext, rank_letter
from service.presentation.text.words import SUIT_SYMBOLS

SUITS_BY_SYMBOL: Final = {symbol: suit for suit, symbol in SUIT_SYMBOLS.items()}

_CARD: Final = re.compile("([♠♥♦♣])(Kn|[2-7AKQJED?])?(?![^\\W_])")
"""A card, or a suit alone, as `TextStyle` writes it."""


def report_template_variables(report: dict[str, Any], lang: str, anchor: str = "") -> dict[str, Any]:
    """The variables of a report's template; ``anchor`` is the prefix of its ids in a file of several."""
    return {
        "report": report,
        "signs": mark_up_cards,
        "symbols": SUIT_SYMBOLS,
        "seats": [gettext(SEAT_TERMS[name], lang) for name in SEAT_NAMES],
        "anchor": anchor,
    }


def mark_up_cards(text: str, lang: str) -> Markup:
    """A text with its cards as signs; the document must have the symbols ``pip-S`` and so on."""
    parts, end = [], 0
    for found in _CARD.finditer(text):
        sign = _card_sign(SUITS_BY_SYMBOL[found[1]], found[2] or "", lang)
        parts += [escape(text[end : found.start()]), sign]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


def _card_sign(suit: str, letter: str, lang: str) -> Markup:
    """The sign of a suit, followed by the letter of a card if there is one."""
    red = " pip-red" if suit in "HD" else ""
    rank = next((one for one in RANK_TERMS if rank_letter(one, lang) == letter), None)
    name = listed_card_name(suit, rank, lang) if rank else gettext(SUIT_TERMS[suit], lang)
    drawn = Markup('<svg class="pip pip-{}{}" viewBox="0 0 24 24"><use href="#pip-{}"/></svg>').format(
        suit.lower(), red, suit
    )
    return Markup(
        '<span class="visually-hidden">{}</span><span class="card-sign" aria-hidden="true">{}{}</span>'
    ).format(name, drawn, letter)


def ensure_full_stop(text: str) -> str:
    """A sentence with a full stop, unless it ends in a stop already."""
    return text if text.rstrip('”“»«"').endswith((".", "!", "?", "…")) else f"{text}."
