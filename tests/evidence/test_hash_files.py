"""A file of hashes as a sequence of which nothing is read before it is asked for."""

import os
from pathlib import Path

import pytest

from service.eventstore.merkle.tree import HASH_BYTES
from service.transparency.hash_files import HashFile


def test_it_has_what_a_tuple_of_the_same_hashes_has(tmp_path: Path) -> None:
    hashes = [os.urandom(HASH_BYTES) for _ in range(9)]
    path = tmp_path / "x.leaves"
    path.write_bytes(b"".join(hashes) + b"cut off")
    read = HashFile(path)
    assert (len(read), list(read)) == (9, hashes)
    for start in (None, 0, 3, 9, 20, -4):
        for stop in (None, 0, 5, 9, 20, -1):
            for step in (None, 1, 2, -1):
                assert read[start:stop:step] == hashes[start:stop:step]
    assert [read[place] for place in (0, 8, -1, -9)] == [hashes[place] for place in (0, 8, -1, -9)]
    for beyond in (9, -10):
        with pytest.raises(IndexError):
            read[beyond]
