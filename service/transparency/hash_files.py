"""Files of nothing but hashes, side by side, read where they are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import overload

from service.eventstore.merkle.tree import HASH_BYTES


class HashFile(Sequence[bytes]):
    """The whole hashes of a file, of which none is in memory before it is asked for.

    Raises `OSError` where the file cannot be read; it is as long as it was when it was first looked at.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with path.open("rb") as file:  # so that who may not read it is told so here
            self._count = file.seek(0, os.SEEK_END) // HASH_BYTES

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> list[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | list[bytes]:
        if isinstance(place, slice):
            places = range(*place.indices(self._count))
            if places.step != 1:
                return [self[one] for one in places]
            data = self._read(places.start, len(places))
            return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]
        (index,) = range(self._count)[place : place + 1 or None] or (None,)
        if index is None:
            raise IndexError(place)
        return self._read(index, 1)

    def _read(self, first: int, count: int) -> bytes:
        with self._path.open("rb") as file:
            file.seek(first * HASH_BYTES)
            return file.read(count * HASH_BYTES)
