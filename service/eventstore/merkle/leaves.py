"""Leaves of the log: what an event's leaf hash commits to, and how its contents can be hidden or erased.

A leaf says openly where the event stands (root, stream, version, id, moment), and of its contents only a
salted hash, the *commitment*. Who may know the contents is given the salt with them and sees that they are
the ones that were stored. Who may not is given the commitment: the salt keeps him from trying which cards it
was. Where contents are erased the commitment stays, and every proof with it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Final, TypeAlias

from service.eventstore.merkle.tree import leaf_hash

SALT_BYTES: Final = 16

LeafHasher: TypeAlias = Callable[[int, str, str, bytes], bytes]
"""What makes the leaf hash of an event, of its version, id, moment and commitment."""

_LABEL: Final = b"spadille event 1\n"
_PARTS: Final = b"%s%d:%s,%d:%s,%d:%s,%s"
ABSENT_LEAF_HASH: Final = leaf_hash(b"spadille no event\n")
"""The leaf at a position where no event was found when the log of leaves was begun in an older store."""


def new_salts(count: int) -> list[bytes]:
    """So many salts: each 128 random bits that nobody was given before."""
    drawn = os.urandom(SALT_BYTES * count)
    return [drawn[start : start + SALT_BYTES] for start in range(0, len(drawn), SALT_BYTES)]


def compute_commitment(salt: bytes, body: bytes) -> bytes:
    """The hash that stands for an event's contents: SHA-256 of the salt (16 bytes) and the stored body."""
    return sha256(salt + body).digest()


@lru_cache(maxsize=256)
def build_leaf_hasher(root: str, stream: str) -> LeafHasher:
    """Makes the leaf hashes of a stream's events, of version, id, moment and commitment.

    Hashed is a label, five netstrings (``length:bytes,``), and the commitment. What makes them raises
    `UnicodeEncodeError` for a text that has no UTF-8, and so does this.
    """
    names = (root.encode(), stream.encode())
    beginning = b"".join((b"\x00", _LABEL, *(b"%d:%s," % (len(name), name) for name in names)))

    def leaf(version: int, event_id: str, stored_at: str, committed: bytes) -> bytes:
        number, name, moment = b"%d" % version, event_id.encode(), stored_at.encode()
        return sha256(
            _PARTS % (beginning, len(number), number, len(name), name, len(moment), moment, committed)
        ).digest()

    return leaf


def compute_event_leaf(
    root: str, stream: str, version: int, event_id: str, stored_at: str, commitment: bytes
) -> bytes:
    """The leaf hash of an event. Raises as `build_leaf_hasher` does."""
    return build_leaf_hasher(root, stream)(version, event_id, stored_at, commitment)
