"""Those who wait, by whom they count for; and who gives way where there is no room for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class FairQueue(Generic[T]):
    """Who waits, each with the client that it counts for, in the order in which they came."""

    def __init__(self) -> None:
        self._client_by_item: dict[T, str] = {}
        self._items_by_client: dict[str, dict[T, None]] = {}

    def __len__(self) -> int:
        return len(self._client_by_item)

    def __contains__(self, one: object) -> bool:
        return one in self._client_by_item

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._client_by_item))

    def add(self, item: T, client: str = "") -> None:
        """Have ``item`` wait for that client, behind all others; one that waits already counts for it now."""
        self.discard(item)
        self._client_by_item[item] = client
        self._items_by_client.setdefault(client, {})[item] = None

    def discard(self, item: T) -> None:
        """Have ``item`` wait no longer, where it did."""
        client = self._client_by_item.pop(item, None)
        if client is None:
            return
        others = self._items_by_client[client]
        del others[item]
        if not others:
            del self._items_by_client[client]

    def count(self, client: str) -> int:
        """How many wait for that client."""
        return len(self._items_by_client.get(client, ()))

    def pick_eviction(self) -> T | None:
        """Who gives way: the one that has waited longest of the client who has most; None where nobody waits.

        So whoever takes all the places loses them to others, not others to him.
        """
        largest_client = max(self._items_by_client.values(), key=len, default=None)
        return next(iter(largest_client)) if largest_client else None
