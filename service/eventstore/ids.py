"""Ids for what the server names itself: UUIDs that sort by when they were made."""

import hmac
import secrets
import time
import uuid
from typing import Final

SECRET_BYTES: Final = 32
_NANOSECONDS_IN_A_MILLISECOND: Final = 1_000_000


def new_id() -> str:
    """A fresh UUID of version 7 (RFC 9562): its first half is the time, the rest is random."""
    milliseconds, rest = divmod(time.time_ns(), _NANOSECONDS_IN_A_MILLISECOND)
    # The twelve bits beside the version tell ids of one millisecond apart, in their order.
    fraction = (rest << 12) // _NANOSECONDS_IN_A_MILLISECOND
    bits = (
        (milliseconds & (1 << 48) - 1) << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | secrets.randbits(62)
    )
    return str(uuid.UUID(int=bits))


def derive_id(origin: str, purpose: str) -> str:
    """The same UUID (of version 5) for the same ``origin`` and ``purpose``, every time.

    An entry that the server adds to what a client sent gets its id so: where the client sends
    the same again, the server adds the same again, and the store sees a repeat.
    """
    return str(uuid.uuid5(uuid.UUID(origin), purpose))


def new_secret() -> bytes:
    """A fresh key for `derive_keyed_id`."""
    return secrets.token_bytes(SECRET_BYTES)


def derive_keyed_id(secret: bytes, content: bytes) -> str:
    """The same UUID (of version 8) for the same ``content``, and none who lacks the secret can find or check
    it.

    An id is told to whoever may read a record. A plain digest of what the record says would let him try out
    which cards it holds that he may not know.
    """
    bits = int.from_bytes(hmac.digest(secret, content, "sha256")[:16])
    return str(uuid.UUID(int=bits & ~(0xF << 76) & ~(0b11 << 62) | 0x8 << 76 | 0b10 << 62))
