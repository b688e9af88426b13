"""What the template of a report takes beside the words of the pages."""

from typing import Any

from engine.core.cards import SEAT_NAMES
from service.presentation.i18n.card_words import SEATS
from service.presentation.reports.article import Article
from service.presentation.reports.evening import EveningArticle
from service.presentation.reports.signs import with_signs
from service.presentation.svg.cards import PIPS
from service.presentation.text.words import SYMBOLS


def as_set(report: Article | EveningArticle, lang: str, anchor: str = "") -> dict[str, Any]:
    """The template's variables; ``anchor`` begins the names of places in it where a file has several."""
    return {
        "report": report,
        "signs": with_signs,
        "pips": PIPS,
        "symbols": SYMBOLS,
        "seats": [SEATS[name][lang] for name in SEAT_NAMES],
        "anchor": anchor,
    }
