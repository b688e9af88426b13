"""The notation: a deal as text that a person writes from a book, and reads aloud (docs/notation.md).

It says everything that the events say: what ``written_log`` writes, ``read_logs`` reads as the same log.
"""

from typing import Final

from schemas.notation.reader import opens_evening, opens_log, read_logs
from schemas.notation.writer import without_marks, written_log

SUFFIX: Final = ".deal"
"""How the name of a file in the notation ends."""
MEDIA_TYPE: Final = "text/vnd.spadille.deal"
"""What it is called on the web; always in UTF-8."""

__all__ = ["MEDIA_TYPE", "SUFFIX", "opens_evening", "opens_log", "read_logs", "without_marks", "written_log"]
