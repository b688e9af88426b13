"""What the frames of the recorder's pages say; what its modules say stands in ``messages/recorder-*.js``."""

from collections.abc import Mapping
from typing import Final

RECORD_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "record": "Card by card",
        "record_board": "How the deal stands",
        "record_pad": "What happens next",
        "record_tricks": "Tricks and entries",
        "record_replay": "Watch the deal",
        "record_alone": "Record a deal",
        "record_table": "To the slip",
    },
    "da": {
        "record": "Kort for kort",
        "record_board": "Sådan står spillet",
        "record_pad": "Det næste, der sker",
        "record_tricks": "Stik og poster",
        "record_replay": "Se spillet",
        "record_alone": "Notér et spil",
        "record_table": "Til sedlen",
    },
}
"""By language, then by name."""
