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
    """The same UUID (of version 5) for the same ``origin`` and ``purpose``, so that an entry which the server
    adds once more is met as a repeat."""
    return str(uuid.uuid5(uuid.UUID(origin), purpose))


def new_secret() -> bytes:
    """A fresh key for `derive_keyed_id`."""
    return secrets.token_bytes(SECRET_BYTES)


def derive_keyed_id(secret: bytes, content: bytes) -> str:
    """The same UUID (of version 8) for the same ``content``, which nobody can check without the secret:
    a plain digest would let readers try out which cards a record holds."""
    bits = int.from_bytes(hmac.digest(secret, content, "sha256")[:16])
    return str(uuid.UUID(int=bits & ~(0xF << 76) & ~(0b11 << 62) | 0x8 << 76 | 0b10 << 62))
