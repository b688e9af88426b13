"""The file with the keys that sign checkpoints, created at the first start, private to its owner.

All keys sign, one a line. To change a key, add a line with a new one, and remove the old one when everybody
who keeps checkpoints has the new public key.
"""

from __future__ import annotations

import errno
import secrets
from pathlib import Path
from typing import Final

from service.eventstore.private_files import describe_access_error, replace_private_file, restrict_to_owner
from service.transparency.signed_notes import InvalidNote, Signer, generate_signer, parse_signer

KEY_FILE_NAME: Final = "checkpoint.key"


class KeyUnusable(Exception):
    """The key file cannot be read or created; the sentence says why and what to do."""


def generate_log_signer() -> Signer:
    """A key for a new log, with a unique name."""
    return generate_signer(f"spadille/{secrets.token_hex(8)}")


def load_or_create_signers(path: Path) -> tuple[Signer, ...]:
    """The keys in the file, which is created with a new one if missing. Raises `KeyUnusable`."""
    try:
        if not path.exists():
            replace_private_file(path, f"{generate_log_signer().format_private_key()}\n")
        _restrict_to_owner(path)
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
        signers = tuple(parse_signer(line) for line in lines if line)
    except PermissionError as error:
        raise KeyUnusable(f"The signing key {path}: {describe_access_error(error, path)}") from error
    except (OSError, UnicodeDecodeError, InvalidNote) as error:
        raise KeyUnusable(
            f"The signing key {path} cannot be used: {_describe_error(error)} Restore it from a backup. Or "
            "move it away: Spadille then makes a new one, and everyone who keeps checkpoints needs its "
            "public key."
        ) from error
    if not signers or len({signer.name for signer in signers}) > 1:
        raise KeyUnusable(
            f"The signing key {path} is empty, or holds keys of several logs. Restore the file from a backup."
        )
    return signers


def _restrict_to_owner(path: Path) -> None:
    try:
        restrict_to_owner([path])
    except OSError as error:
        if error.errno != errno.EROFS:  # containers often get secrets on a read-only disk
            raise


def _describe_error(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    return "it is not text." if isinstance(error, UnicodeDecodeError) else str(error)
