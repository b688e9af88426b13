"""Leaves of the log: what an event's leaf hash commits to, and how its contents can be hidden or erased.

A leaf contains the event's place (root, stream, version, id, time) in the clear and only a salted hash of its
contents, the *commitment*. A reader who may know the contents receives them with the salt, and can check that
they are what was stored. Any other reader receives the commitment: because of the salt, guessing cards does
not help. When contents are erased the commitment stays, and with it every proof.
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
"""Computes an event's leaf hash from its version, id, time and commitment."""

_LABEL: Final = b"spadille event 1\n"
_PARTS: Final = b"%s%d:%s,%d:%s,%d:%s,%s"
ABSENT_LEAF_HASH: Final = leaf_hash(b"spadille no event\n")
"""The leaf at a position without an event, when leaves were added to an older store."""


def new_salts(count: int) -> list[bytes]:
    """This number of salts: each is 128 new random bits."""
    drawn = os.urandom(SALT_BYTES * count)
    return [drawn[start : start + SALT_BYTES] for start in range(0, len(drawn), SALT_BYTES)]


def compute_commitment(salt: bytes, body: bytes) -> bytes:
    """The commitment to an event's contents: SHA-256 of the salt (16 bytes) and the stored body."""
    return sha256(salt + body).digest()


@lru_cache(maxsize=256)
def build_leaf_hasher(root: str, stream: str) -> LeafHasher:
    """A function that computes the leaf hashes of a stream's events from version, id, time and commitment.

    The hash covers a label, five netstrings (``length:bytes,``) and the commitment. Both functions raise
    `UnicodeEncodeError` for a text that cannot be encoded in UTF-8.
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
