"""What the pages say of errors, in both languages, by HTTP status."""

from collections.abc import Mapping
from typing import Final

_SENTENCES: Final[Mapping[int, Mapping[str, str]]] = {
    401: {
        "en": "That takes a link: open the one that you were given, or ask whoever keeps the table for one.",
        "da": "Det kræver et link: åbn det, du har fået, eller bed den, der fører bordet, om et.",
    },
    403: {
        "en": "The link that you have does not let you do that. Ask whoever keeps the table for another.",
        "da": "Det link, du har, giver dig ikke lov til det. Bed den, der fører bordet, om et andet.",
    },
    404: {
        "en": "There is nothing at this address. Look in the library, or among the recorded deals.",
        "da": "Der er ikke noget på denne adresse. Se i biblioteket eller blandt de noterede spil.",
    },
    405: {
        "en": "That cannot be done at this address. Go back and try from the page itself.",
        "da": "Det kan ikke gøres på denne adresse. Gå tilbage, og prøv fra selve siden.",
    },
    500: {
        "en": "Something went wrong here. Nothing that was recorded is lost; try again.",
        "da": "Her gik noget galt. Intet af det noterede er tabt; prøv igen.",
    },
    503: {
        "en": "The records cannot be reached just now: the disk is full or failing. Try again in a moment.",
        "da": "De noterede spil kan ikke nås lige nu: disken er fuld eller fejler. Prøv igen om lidt.",
    },
}


def error_sentence(status: int, language: str, detail: str) -> str:
    """What to say of an error, and what to do: in ``language``, or else ``detail`` as it came."""
    return _SENTENCES.get(status, {}).get(language, detail)
