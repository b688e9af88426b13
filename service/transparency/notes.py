"""Checkpoints and the notes that carry them: C2SP's tlog-checkpoint in a signed-note, signed with Ed25519.

A checkpoint says in three lines of which log it is, how many leaves that had, and its root. A note is such a
text, an empty line, and a line for each signature. Several keys may sign: so a key is changed.
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

from service.eventstore.merkle.tree import HASH_BYTES, MOST_LEAVES

MOST_BYTES: Final = 16 << 10
"""A note is no longer than this."""

_ED25519: Final = b"\x01"
_SIGNATURE_BYTES: Final = 64
_PRIVATE: Final = "PRIVATE+KEY+"
_NAME: Final = re.compile(r"[^\s+]{1,200}")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_DASH: Final = "\N{EM DASH} "


class NotANote(Exception):
    """A text that is no signed checkpoint, or no key; the sentence says what was expected."""


class Checkpoint(NamedTuple):
    """What a log is bound to: its name, how many leaves it had, and its root then."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{encoded(self.root)}\n"


class Signature(NamedTuple):
    """A signature below a note: by the key of that name and four-byte id."""

    name: str
    key_id: bytes
    value: bytes


class Note(NamedTuple):
    """A checkpoint as it is handed on: the very text that was signed, what it says, and who signed it."""

    text: str
    checkpoint: Checkpoint
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        lines = (f"{_DASH}{s.name} {encoded(s.key_id + s.value)}\n" for s in self.signatures)
        return f"{self.text}\n{''.join(lines)}"


class Verifier(NamedTuple):
    """A public key and the name it goes by."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encoded(_ED25519 + self.public)}"

    def has_signed(self, note: Note) -> bool:
        """Whether a signature below the note is by this key, and holds."""
        key = Ed25519PublicKey.from_public_bytes(self.public)
        for signature in note.signatures:
            if (signature.name, signature.key_id) == (self.name, self.key_id):
                try:
                    key.verify(signature.value, note.text.encode())
                except InvalidSignature:
                    continue
                return True
        return False


class Signer(NamedTuple):
    """A private key and the name it goes by. It shows itself only where it is asked for its ``secret``."""

    name: str
    seed: bytes

    def __repr__(self) -> str:
        return f"Signer({self.name})"

    @property
    def verifier(self) -> Verifier:
        """The public half."""
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        return Verifier(self.name, key.public_key().public_bytes_raw())

    def secret(self) -> str:
        """The key as a line for its file."""
        return f"{_PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{encoded(_ED25519 + self.seed)}"

    def sign(self, text: str) -> Signature:
        """A signature of the text."""
        value = Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())
        return Signature(self.name, self.verifier.key_id, value)


def new_signer(name: str) -> Signer:
    """A new key of that name."""
    return Signer(name, Ed25519PrivateKey.generate().private_bytes_raw())


def signed(checkpoint: Checkpoint, signers: Iterable[Signer]) -> Note:
    """The checkpoint as a note with a signature by each of the keys."""
    text = checkpoint.text()
    return Note(text, checkpoint, tuple(signer.sign(text) for signer in signers))


def read_note(text: str) -> Note:
    """A note with its checkpoint. Raises `NotANote`. That a signature holds is not looked at here."""
    if len(text) > MOST_BYTES:
        raise NotANote("A checkpoint is a few lines; this is much longer.")
    said, gap, below = text.rpartition("\n\n")
    if not gap or not below.endswith("\n"):
        raise NotANote(
            "A checkpoint has an empty line before its signatures, and ends with a line end; this has not."
        )
    signatures = [_signature(line) for line in below[:-1].split("\n")]
    return Note(f"{said}\n", _checkpoint(said), tuple(signatures))


def _checkpoint(said: str) -> Checkpoint:
    lines = said.split("\n")
    if len(lines) < 3 or not lines[0]:
        raise NotANote("A checkpoint has three lines: the name of the log, its size, its root hash.")
    if not _SIZE.fullmatch(lines[1]) or int(lines[1]) > MOST_LEAVES:
        raise NotANote(f"The second line of a checkpoint is how many events it has, not {lines[1][:40]!r}.")
    root = decoded(lines[2])
    if root is None or len(root) != HASH_BYTES:
        raise NotANote(f"The third line of a checkpoint is a root hash in base64, not {lines[2][:60]!r}.")
    return Checkpoint(lines[0], int(lines[1]), root)


def _signature(line: str) -> Signature:
    name, _, value = line.removeprefix(_DASH).partition(" ")
    signature = decoded(value)
    if not line.startswith(_DASH) or not _NAME.fullmatch(name) or signature is None or len(signature) < 5:
        raise NotANote(
            f"Below its empty line a checkpoint has signatures, such as “— name base64”, not {line[:60]!r}."
        )
    return Signature(name, signature[:4], signature[4:])


def read_verifier(line: str) -> Verifier:
    """A public key from its line, such as ``spadille/1f…+a1b2c3d4+AQ…``. Raises `NotANote`."""
    name, public = _key(line, "A public key is a line such as “name+a1b2c3d4+AQ…”")
    verifier = Verifier(name, public)
    if str(verifier) != line:
        raise NotANote("The public key was not copied whole: its parts contradict each other.")
    return verifier


def read_signer(line: str) -> Signer:
    """A private key from the line of its file. Raises `NotANote`, which does not repeat what was read."""
    expected = "A private key is a line such as “PRIVATE+KEY+name+a1b2c3d4+AQ…”"
    if not line.startswith(_PRIVATE):
        raise NotANote(f"{expected}, and this is none.")
    signer = Signer(*_key(line.removeprefix(_PRIVATE), expected))
    if signer.secret() != line:
        raise NotANote("The private key was not copied whole: its parts contradict each other.")
    return signer


def _key(line: str, expected: str) -> tuple[str, bytes]:
    """The name and the 32 bytes of a key."""
    name, _, rest = line.partition("+")
    key = decoded(rest.partition("+")[2])
    if not _NAME.fullmatch(name) or key is None or len(key) != 33 or key[:1] != _ED25519:
        raise NotANote(f"{expected}, and this is none.")
    return name, key[1:]


def encoded(data: bytes) -> str:
    """The bytes in base64."""
    return base64.b64encode(data).decode()


def decoded(text: str) -> bytes | None:
    """What base64 says; None where it is none, or not in its one canonical form."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if encoded(data) == text else None
