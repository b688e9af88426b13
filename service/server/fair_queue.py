"""Those who wait, by whom they count for; and who gives way where there is no room for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Waiting(Generic[T]):
    """Who waits, each with the client that it counts for, in the order in which they came."""

    def __init__(self) -> None:
        self._clients: dict[T, str] = {}
        self._of: dict[str, dict[T, None]] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def __contains__(self, one: object) -> bool:
        return one in self._clients

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._clients))

    def add(self, one: T, client: str = "") -> None:
        """Have ``one`` wait for that client, behind all others; one that waits already counts for him now."""
        self.discard(one)
        self._clients[one] = client
        self._of.setdefault(client, {})[one] = None

    def discard(self, one: T) -> None:
        """Have ``one`` wait no longer, where it did."""
        client = self._clients.pop(one, None)
        if client is None:
            return
        others = self._of[client]
        del others[one]
        if not others:
            del self._of[client]

    def count(self, client: str) -> int:
        """How many wait for that client."""
        return len(self._of.get(client, ()))

    def first_to_go(self) -> T | None:
        """Who gives way: the one that has waited longest of the client who has most; None where nobody waits.

        So whoever takes all the places loses them to others, not others to him.
        """
        most = max(self._of.values(), key=len, default=None)
        return next(iter(most)) if most else None
