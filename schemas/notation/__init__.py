"""The notation: a deal as text that a person writes from a book, and reads aloud (docs/notation.md).

It says everything that the events say: `read_notation_logs` reads what `format_notation_log` writes as the
same log.
"""

from typing import Final

from schemas.notation.notation_reader import is_evening_opening, is_notation_opening, read_notation_logs
from schemas.notation.notation_writer import format_notation_log, strip_metadata

NOTATION_SUFFIX: Final = ".deal"
"""How the name of a file in the notation ends."""
NOTATION_MEDIA_TYPE: Final = "text/vnd.spadille.deal"
"""What it is called on the web; always in UTF-8."""

__all__ = [
    "NOTATION_MEDIA_TYPE",
    "NOTATION_SUFFIX",
    "format_notation_log",
    "is_evening_opening",
    "is_notation_opening",
    "read_notation_logs",
    "strip_metadata",
]
