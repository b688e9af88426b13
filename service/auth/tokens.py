"""Secrets: random tokens in a form that scanners of leaked secrets recognise, and their digests.

A token is ``spadille_t_`` and 49 letters and digits: 256 random bits, and a checksum by which a
token is told from a word that only looks like one, without asking anybody. What a browser keeps
of a login begins with ``spadille_s_``. Neither is ever stored: only its SHA-256 is.
"""

import re
import secrets
import zlib
from hashlib import sha256
from typing import Final

TOKEN: Final = "spadille_t_"
"""What a token begins with."""
SESSION: Final = "spadille_s_"
"""What the secret of a session begins with."""
BITS: Final = 256

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM, _CHECK = 43, 6
"""So many letters hold 256 bits, and 32."""
_FORM: Final = re.compile(rf"spadille_[ts]_[0-9A-Za-z]{{{_RANDOM + _CHECK}}}")
_BEGINS: Final = b"spadille_"
_ESCAPE: Final = rb"\u00"
_ESCAPED: Final = re.compile(rb"\\u00([0-7][0-9a-fA-F])")
"""A letter of a secret as JSON may write it."""


def new_secret(prefix: str) -> str:
    """A fresh secret with its checksum; ``prefix`` is `TOKEN` or `SESSION`."""
    body = prefix + _in_letters(secrets.randbits(BITS), _RANDOM)
    return body + _checksum(body)


def is_secret(text: str, prefix: str) -> bool:
    """Whether the text has the form of a secret of that kind, down to its checksum."""
    whole = text.startswith(prefix) and _FORM.fullmatch(text) is not None
    return whole and _checksum(text[:-_CHECK]) == text[-_CHECK:]


def digest(secret: str) -> bytes:
    """What is stored of a secret.

    Of 256 random bits a plain SHA-256 is enough. Looking the digest up takes a time that tells of
    the digest at most, and from that nobody gets to the secret.
    """
    return sha256(secret.encode(errors="surrogatepass")).digest()


def holds_a_secret(body: bytes) -> bool:
    """Whether a body holds a whole secret of ours, down to its checksum; JSON may write it with escapes.

    What only speaks of one, or tells a part of it, is none: nobody gets in by that.
    """
    if _BEGINS not in body and _ESCAPE not in body:
        return False
    text = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), body).decode("latin-1")
    return any(_checksum(one[:-_CHECK]) == one[-_CHECK:] for one in _FORM.findall(text))


def _checksum(text: str) -> str:
    return _in_letters(zlib.crc32(text.encode()), _CHECK)


def _in_letters(number: int, width: int) -> str:
    letters = []
    for _ in range(width):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return "".join(reversed(letters))
