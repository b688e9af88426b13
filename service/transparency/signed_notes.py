"""Checkpoints in signed notes: C2SP's tlog-checkpoint in a signed-note, signed with Ed25519.

A checkpoint has three lines: the name of the log, its size and its root hash. A note is a checkpoint, an
empty line, and a line for each signature. Several keys may sign, so that a key can be changed.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.eventstore.merkle.tree import HASH_BYTES, MAX_LEAVES

MAX_NOTE_BYTES: Final = 16 << 10
_ED25519: Final = b"\x01"
_PRIVATE_KEY_PREFIX: Final = "PRIVATE+KEY+"
_KEY_NAME_PATTERN: Final = re.compile(r"[^\s+]{1,200}")
_SIZE_PATTERN: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_SIGNATURE_PREFIX: Final = "\N{EM DASH} "


class InvalidNote(Exception):
    """A text is no signed checkpoint or no key; the sentence says what is expected."""


class Checkpoint(NamedTuple):
    """The name of a log, its number of leaves and its root."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.origin}\n{self.size}\n{encode_base64(self.root)}\n"


class Signature(NamedTuple):
    """A signature by the key of that name and four-byte id."""

    name: str
    key_id: bytes
    value: bytes


class SignedNote(NamedTuple):
    """A signed checkpoint: the text that was signed, its contents and its signatures."""

    text: str
    checkpoint: Checkpoint
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        lines = (
            f"{_SIGNATURE_PREFIX}{s.name} {encode_base64(s.key_id + s.value)}\n" for s in self.signatures
        )
        return f"{self.text}\n{''.join(lines)}"


class Verifier(NamedTuple):
    """A public key and its name."""

    name: str
    public_key: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature refers to its key."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public_key).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encode_base64(_ED25519 + self.public_key)}"

    def has_signed(self, note: SignedNote) -> bool:
        """Whether the note has a valid signature by this key."""
        key = Ed25519PublicKey.from_public_bytes(self.public_key)
        for signature in note.signatures:
            if (signature.name, signature.key_id) == (self.name, self.key_id):
                try:
                    key.verify(signature.value, note.text.encode())
                except InvalidSignature:
                    continue
                return True
        return False


class Signer(NamedTuple):
    """A private key and its name; only `format_private_key` shows the key."""

    name: str
    seed: bytes

    def __repr__(self) -> str:
        return f"Signer({self.name})"

    @property
    def verifier(self) -> Verifier:
        """The public key."""
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        return Verifier(self.name, key.public_key().public_bytes_raw())

    def format_private_key(self) -> str:
        """The key as a line of its file."""
        key = encode_base64(_ED25519 + self.seed)
        return f"{_PRIVATE_KEY_PREFIX}{self.name}+{self.verifier.key_id.hex()}+{key}"

    def sign(self, text: str) -> Signature:
        """A signature of the text."""
        value = Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())
        return Signature(self.name, self.verifier.key_id, value)


def generate_signer(name: str) -> Signer:
    """A new key of that name."""
    return Signer(name, Ed25519PrivateKey.generate().private_bytes_raw())


def build_signed_note(checkpoint: Checkpoint, signers: Iterable[Signer]) -> SignedNote:
    """The checkpoint as a note, signed by each key."""
    text = str(checkpoint)
    return SignedNote(text, checkpoint, tuple(signer.sign(text) for signer in signers))


def parse_signed_note(text: str) -> SignedNote:
    """Parse a note without checking its signatures. Raises `InvalidNote`."""
    if len(text) > MAX_NOTE_BYTES:
        raise InvalidNote("This is too long for a checkpoint, which has a few lines.")
    body, separator, signature_block = text.rpartition("\n\n")
    if not separator or not signature_block.endswith("\n"):
        raise InvalidNote(
            "A checkpoint has an empty line before its signatures and ends with a line break; this one "
            "does not."
        )
    signatures = [_parse_signature(line) for line in signature_block[:-1].split("\n")]
    return SignedNote(f"{body}\n", _parse_checkpoint(body), tuple(signatures))


def _parse_checkpoint(text: str) -> Checkpoint:
    lines = text.split("\n")
    if len(lines) < 3 or not lines[0]:
        raise InvalidNote("A checkpoint has three lines: the name of the log, its size, its root hash.")
    if not _SIZE_PATTERN.fullmatch(lines[1]) or int(lines[1]) > MAX_LEAVES:
        raise InvalidNote(f"The second line of a checkpoint is its number of events, not {lines[1][:40]!r}.")
    root = decode_base64(lines[2])
    if root is None or len(root) != HASH_BYTES:
        raise InvalidNote(f"The third line of a checkpoint is a root hash in base64, not {lines[2][:60]!r}.")
    return Checkpoint(lines[0], int(lines[1]), root)


def _parse_signature(line: str) -> Signature:
    name, _, value = line.removeprefix(_SIGNATURE_PREFIX).partition(" ")
    signature = decode_base64(value)
    if (
        not line.startswith(_SIGNATURE_PREFIX)
        or not _KEY_NAME_PATTERN.fullmatch(name)
        or signature is None
        or len(signature) < 5
    ):
        raise InvalidNote(
            f"After its empty line a checkpoint has signatures such as “— name base64”, not {line[:60]!r}."
        )
    return Signature(name, signature[:4], signature[4:])


def parse_verifier(line: str) -> Verifier:
    """A public key from its line, such as ``spadille/1f…+a1b2c3d4+AQ…``. Raises `InvalidNote`."""
    name, public = _parse_key(line, "A public key is a line such as “name+a1b2c3d4+AQ…”")
    verifier = Verifier(name, public)
    if str(verifier) != line:
        raise InvalidNote("The public key is incomplete: its parts contradict each other.")
    return verifier


def parse_signer(line: str) -> Signer:
    """A private key from the line of its file. Raises `InvalidNote`, without the key in the message."""
    expected = "A private key is a line such as “PRIVATE+KEY+name+a1b2c3d4+AQ…”"
    if not line.startswith(_PRIVATE_KEY_PREFIX):
        raise InvalidNote(f"{expected}, but this is not one.")
    signer = Signer(*_parse_key(line.removeprefix(_PRIVATE_KEY_PREFIX), expected))
    if signer.format_private_key() != line:
        raise InvalidNote("The private key is incomplete: its parts contradict each other.")
    return signer


def _parse_key(line: str, expected: str) -> tuple[str, bytes]:
    """The name and the 32 bytes of a key."""
    name, _, rest = line.partition("+")
    key = decode_base64(rest.partition("+")[2])
    if not _KEY_NAME_PATTERN.fullmatch(name) or key is None or len(key) != 33 or key[:1] != _ED25519:
        raise InvalidNote(f"{expected}, but this is not one.")
    return name, key[1:]


def encode_base64(data: bytes) -> str:
    """The bytes in base64."""
    return base64.b64encode(data).decode()


def decode_base64(text: str) -> bytes | None:
    """Decode base64; None unless it is in canonical form."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if encode_base64(data) == text else None
