"""How long a server waits for the rest of a request that has begun to come."""

from __future__ import annotations

from typing import Final

BYTES_A_SECOND: Final = 1000
"""Who sends or takes less is not waited for, once the patience with him has come to its end."""
LONGEST_SECONDS: Final = 600.0
"""So long beyond the patience a request may take, however steadily it comes."""


class Patience:
    """Until when the rest of something is waited for: so many ``seconds``, and longer while enough comes.

    What comes buys a second for each 1,000 bytes. Nobody can lay up more of that than ``seconds`` from when
    it came: one who sent much at once may not be silent the longer for it.
    """

    def __init__(self, seconds: float, now: float) -> None:
        self._seconds = seconds
        self._last = now + seconds + LONGEST_SECONDS
        self.until = now + seconds

    def came(self, size: int, now: float) -> None:
        """Note that so many bytes have come."""
        self.until = min(self.until + size / BYTES_A_SECOND, now + self._seconds, self._last)
