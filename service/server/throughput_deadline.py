"""How long a server waits for the rest of a request that has begun to come."""

from __future__ import annotations

from typing import Final

MIN_BYTES_PER_SECOND: Final = 1000
"""Clients slower than this are disconnected after the deadline."""
MAX_EXTRA_SECONDS: Final = 600.0
"""At most this many seconds beyond the timeout, however steadily a request comes."""


class ThroughputDeadline:
    """Until when the rest of something is waited for: for ``timeout_seconds``, and longer while enough comes.

    What comes buys a second for each 1,000 bytes. Nobody can lay up more of that than ``timeout_seconds``
    from when it came: one who sent much at once may not be silent the longer for it.
    """

    def __init__(self, timeout_seconds: float, now: float) -> None:
        self._timeout_seconds = timeout_seconds
        self._latest = now + timeout_seconds + MAX_EXTRA_SECONDS
        self.expires_at = now + timeout_seconds

    def record_bytes(self, byte_count: int, now: float) -> None:
        """Note that so many bytes have come."""
        self.expires_at = min(
            self.expires_at + byte_count / MIN_BYTES_PER_SECOND, now + self._timeout_seconds, self._latest
        )
