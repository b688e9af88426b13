"""The notation: a deal as text that people write from a book, and read aloud (docs/notation.md).

It says all that events say: `read_notation_logs` reads what `format_notation_log` writes as the same log.
"""

from typing import Final

from schemas.notation.notation_reader import read_notation_logs
from schemas.notation.notation_writer import format_notation_log, strip_metadata

NOTATION_SUFFIX: Final = ".deal"
NOTATION_MEDIA_TYPE: Final = "text/vnd.spadille.deal"
"""Always in UTF-8."""

__all__ = [
    "NOTATION_MEDIA_TYPE",
    "NOTATION_SUFFIX",
    "format_notation_log",
    "read_notation_logs",
    "strip_metadata",
]
