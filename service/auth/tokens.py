"""Tokens: random secrets in a form that scanners of leaked secrets recognise, and their digests.

A token is ``spadille_t_`` and 49 letters and digits: 256 random bits and a checksum. The secret of a session
begins with ``spadille_s_``. Only the SHA-256 of either is stored.
"""

import re
import secrets
import zlib
from hashlib import sha256
from typing import Final

TOKEN_PREFIX: Final = "spadille_t_"
SESSION_PREFIX: Final = "spadille_s_"
SECRET_BITS: Final = 256

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_LETTERS, _CHECKSUM_LETTERS = 43, 6  # of base 62, for 256 and 32 bits
_SECRET_PATTERN: Final = re.compile(rf"spadille_[ts]_[0-9A-Za-z]{{{_RANDOM_LETTERS + _CHECKSUM_LETTERS}}}")
_COMMON_PREFIX: Final = b"spadille_"
_JSON_ESCAPE_PREFIX: Final = rb"\u00"
_JSON_ESCAPE: Final = re.compile(rb"\\u00([0-7][0-9a-fA-F])")
"""An ASCII character as JSON may escape it."""


def generate_secret(prefix: str) -> str:
    """A new secret with its checksum; ``prefix`` is `TOKEN_PREFIX` or `SESSION_PREFIX`."""
    body = prefix + _encode_base62(secrets.randbits(SECRET_BITS), _RANDOM_LETTERS)
    return body + _checksum(body)


def has_secret_format(text: str, prefix: str) -> bool:
    """Whether the text has the form of a secret of that kind and the right checksum."""
    has_format = text.startswith(prefix) and _SECRET_PATTERN.fullmatch(text) is not None
    return has_format and _checksum(text[:-_CHECKSUM_LETTERS]) == text[-_CHECKSUM_LETTERS:]


def hash_secret(secret: str) -> bytes:
    """The digest that is stored of a secret. For 256 random bits a plain SHA-256 is enough."""
    return sha256(secret.encode(errors="surrogatepass")).digest()


def contains_secret(body: bytes) -> bool:
    """Whether a body contains a whole secret with the right checksum, also with JSON escapes."""
    if _COMMON_PREFIX not in body and _JSON_ESCAPE_PREFIX not in body:
        return False
    text = _JSON_ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), body).decode("latin-1")
    return any(
        _checksum(one[:-_CHECKSUM_LETTERS]) == one[-_CHECKSUM_LETTERS:]
        for one in _SECRET_PATTERN.findall(text)
    )


def _checksum(text: str) -> str:
    return _encode_base62(zlib.crc32(text.encode()), _CHECKSUM_LETTERS)


def _encode_base62(number: int, width: int) -> str:
    letters = []
    for _ in range(width):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return "".join(reversed(letters))
