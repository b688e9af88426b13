"""Ids that the server assigns: UUIDs that sort by creation time."""

import hmac
import secrets
import time
import uuid
from typing import Final

SECRET_BYTES: Final = 32
_NANOSECONDS_IN_A_MILLISECOND: Final = 1_000_000


def new_id() -> str:
    """A new UUID of version 7 (RFC 9562): the first half is the time, the rest is random."""
    milliseconds, rest = divmod(time.time_ns(), _NANOSECONDS_IN_A_MILLISECOND)
    # The twelve bits after the version order the ids of one millisecond.
    fraction = (rest << 12) // _NANOSECONDS_IN_A_MILLISECOND
    bits = (
        (milliseconds & (1 << 48) - 1) << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | secrets.randbits(62)
    )
    digits = f"{bits:032x}"  # `uuid.UUID` would take three times as long
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def derive_id(origin: str, purpose: str) -> str:
    """Always the same UUID (version 5) for the same ``origin`` and ``purpose``, so that an entry that the
    server adds again is recognised as a repeat."""
    return str(uuid.uuid5(uuid.UUID(origin), purpose))


def new_secret() -> bytes:
    """A new key for `derive_keyed_id`."""
    return secrets.token_bytes(SECRET_BYTES)


def derive_keyed_id(secret: bytes, content: bytes) -> str:
    """Always the same UUID (version 8) for the same ``content``. Nobody can check it without the secret: with
    a plain digest readers could try out which cards a record holds."""
    bits = int.from_bytes(hmac.digest(secret, content, "sha256")[:16])
    return str(uuid.UUID(int=bits & ~(0xF << 76) & ~(0b11 << 62) | 0x8 << 76 | 0b10 << 62))
