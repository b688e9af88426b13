"""Leaf hashes in memory or a file, and the Merkle tree over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Self, overload

from service.eventstore.merkle.tiles import TILE_WIDTH, node_reader_from_tiles
from service.eventstore.merkle.tree import HASH_BYTES, root_hash, root_of_leaves


class LeafHashes(Sequence[bytes]):
    """Concatenated hashes, in memory or in a mapped file. Slices go forward only."""

    def __init__(self, data: bytes | bytearray | mmap) -> None:
        self._data = data

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """The hashes in a file, read on demand. Raises `OSError`."""
        with path.open("rb") as file:
            is_empty = path.stat().st_size == 0  # which cannot be mapped
            return cls(b"" if is_empty else mmap(file.fileno(), 0, access=ACCESS_READ))

    def __len__(self) -> int:
        return len(self._data) // HASH_BYTES

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> list[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | list[bytes]:
        places = range(len(self))[place]
        if isinstance(places, int):
            return bytes(self._data[places * HASH_BYTES : (places + 1) * HASH_BYTES])
        data = bytes(self._data[places.start * HASH_BYTES : places.stop * HASH_BYTES])
        return [data[at : at + HASH_BYTES] for at in range(0, len(data), places.step * HASH_BYTES)]


class LeafTree:
    """The tree over leaf hashes; ``tile_roots``, if known, are the roots over its whole tiles."""

    def __init__(self, leaves: Sequence[bytes], tile_roots: Sequence[bytes] | None = None) -> None:
        levels = [leaves, _hash_tiles(leaves) if tile_roots is None else tile_roots]
        while len(levels[-1]) >= TILE_WIDTH:
            levels.append(_hash_tiles(levels[-1]))
        self._levels = levels
        self._node = node_reader_from_tiles(
            lambda level, number: levels[level][number * TILE_WIDTH : (number + 1) * TILE_WIDTH]
        )

    def root(self, size: int) -> bytes | None:
        """The root over the first ``size`` leaves; None if there are fewer."""
        return root_hash(self._node, size) if size <= len(self._levels[0]) else None

    def find_differing_subtrees(self, stored: Mapping[tuple[int, int], bytes]) -> Iterator[tuple[int, int]]:
        """The level and number of each stored hash over whole tiles that differs from this tree."""
        for level, hashes in enumerate(self._levels[1:], 1):
            for number, value in enumerate(hashes):
                if stored.get((level, number), value) != value:
                    yield level, number


def _hash_tiles(hashes: Sequence[bytes]) -> list[bytes]:
    """The root over each whole tile."""
    starts = range(0, len(hashes) - TILE_WIDTH + 1, TILE_WIDTH)
    return [root_of_leaves(hashes[start : start + TILE_WIDTH]) for start in starts]
