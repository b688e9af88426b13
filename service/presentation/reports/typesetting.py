"""What the template of a report takes beside the words of the pages."""

from typing import Any

from engine.core.cards import SEAT_NAMES
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.reports.card_markup import mark_up_cards
from service.presentation.svg.cards import SUIT_PATHS
from service.presentation.text.words import SUIT_SYMBOLS


def report_template_variables(report: dict[str, Any], lang: str, anchor: str = "") -> dict[str, Any]:
    """The template's variables; ``anchor`` begins the names of places in it where a file has several."""
    return {
        "report": report,
        "signs": mark_up_cards,
        "pips": SUIT_PATHS,
        "symbols": SUIT_SYMBOLS,
        "seats": [gettext(SEAT_TERMS[name], lang) for name in SEAT_NAMES],
        "anchor": anchor,
    }
