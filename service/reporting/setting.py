"""What the template of a report takes beside the words of the pages."""

from typing import Any

from engine.cards import SEAT_NAMES
from service.card_words import SEATS
from service.drawing.cards import PIPS
from service.reporting.article import Article
from service.reporting.evening import EveningArticle
from service.reporting.signs import with_signs
from service.wording.words import SYMBOLS


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
