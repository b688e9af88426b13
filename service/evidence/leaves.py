"""Leaves of the log: what an event's leaf hash commits to, and how its contents can be hidden or erased.

A leaf says openly where the event stands (root, stream, version, id, moment), and of its contents only a
salted hash, the *commitment*. Who may know the contents is given the salt with them and sees that they are
the ones that were stored. Who may not is given the commitment: the salt keeps him from trying which cards it
was. Where contents are erased the commitment stays, and every proof with it.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

from service.evidence.merkle import leaf_hash

SALT_BYTES: Final = 16

ABSENT: Final = leaf_hash(b"spadille no event\n")
"""The leaf at a position where no event was found when the log of leaves was begun in an older store."""


def new_salts(count: int) -> list[bytes]:
    """So many salts, 128 random bits each."""
    drawn = secrets.token_bytes(SALT_BYTES * count)
    return [drawn[start : start + SALT_BYTES] for start in range(0, len(drawn), SALT_BYTES)]


def commitment(salt: bytes, body: bytes) -> bytes:
    """The hash that stands for an event's contents: SHA-256 of the salt (16 bytes) and the stored body."""
    return sha256(salt + body).digest()


def leaf_data(root: str, stream: str, version: int, event_id: str, stored_at: str, committed: bytes) -> bytes:
    """What is hashed into a leaf: a label, five netstrings (``length:bytes,``), and the commitment.

    Raises `UnicodeEncodeError` for a text that has no UTF-8.
    """
    root_, stream_, id_, moment = root.encode(), stream.encode(), event_id.encode(), stored_at.encode()
    number = b"%d" % version
    return b"spadille event 1\n%d:%s,%d:%s,%d:%s,%d:%s,%d:%s,%s" % (
        len(root_), root_, len(stream_), stream_, len(number), number, len(id_), id_, len(moment), moment,
        committed,
    )  # fmt: skip


def event_leaf(
    root: str, stream: str, version: int, event_id: str, stored_at: str, committed: bytes
) -> bytes:
    """The leaf hash of an event. Raises as `leaf_data` does."""
    return leaf_hash(leaf_data(root, stream, version, event_id, stored_at, committed))
