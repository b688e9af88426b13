"""How large a deal may be where an answer shows it entry by entry.

Each entry is shown with the state after it, and a state holds all calls and cards so far: the answer grows
with the square of the deal. So the entries are counted before anything is computed, and the bytes while the
answer is made.
"""

from typing import Any, Final

import orjson

from engine import Log
from engine.core.events import NoteAdded
from engine.core.log import count_events
from engine.play.history import History

MAX_SHOWN_ENTRIES: Final = 500
"""The most entries of an effective history, not counting notes: about ten times as many as any deal has."""
MAX_JUDGED_ENTRIES: Final = 2_000
"""The most entries of a log that is judged for others, those counted that corrections put in."""
MAX_ANSWER_BYTES: Final = 8 << 20
"""The most bytes of JSON that the entries of one answer take."""


class DealTooLarge(ValueError):
    """A deal that is too large to be judged, or to be shown entry by entry; the text has the figures."""


def require_displayable(history: History) -> None:
    """Raises `DealTooLarge` where a deal as corrected has more than `MAX_SHOWN_ENTRIES` besides notes."""
    count = sum(not isinstance(entry.event, NoteAdded) for entry in history.entries)
    if count > MAX_SHOWN_ENTRIES:
        raise DealTooLarge(
            f"With its corrections the deal has {count} entries, not counting notes. A deal of more than "
            f"{MAX_SHOWN_ENTRIES} is not shown entry by entry. You can still read its state, score and "
            "findings."
        )


def require_judgeable(log: Log) -> None:
    """Raises `DealTooLarge` where a log has more than `MAX_JUDGED_ENTRIES` before it is corrected."""
    count = count_events(entry.event for entry in log)
    if count > MAX_JUDGED_ENTRIES:
        raise DealTooLarge(
            f"With its corrections the deal has {count} entries. A deal of more than {MAX_JUDGED_ENTRIES} "
            "is not judged."
        )


class FragmentEncoder:
    """The parts of one answer, each kept as JSON: a state as Python objects takes ten times the memory."""

    def __init__(self) -> None:
        self.size = 0

    def encode(self, part: dict[str, Any]) -> orjson.Fragment:
        """The part as JSON; raises `DealTooLarge` where all parts take more than `MAX_ANSWER_BYTES`."""
        encoded = orjson.dumps(part)
        self.size += len(encoded)
        if self.size > MAX_ANSWER_BYTES:
            raise DealTooLarge(
                "Shown entry by entry, with the state after each, the deal takes more than "
                f"{MAX_ANSWER_BYTES >> 20} MiB. You can still read its state, score and findings."
            )
        return orjson.Fragment(encoded)
