"""Read stores, proofs, exports, checkpoints and keys for ``spadille verify``; an unreadable one ends it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from service.cli.io.inputs import format_read_error, quote_file_name
from service.cli.io.safe_group import EXIT_FAULTY, CommandFailed
from service.cli.io.store_location import StoreLocation
from service.cli.io.terminal_text import sanitize_line
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import NotAStore, SqliteReader, StoreDamaged, StoreTooNew
from service.eventstore.merkle.leaf_tree import LeafHashes
from service.transparency import checkpoint_file as kept_files
from service.transparency import proof_files
from service.transparency.checkpoint_file import SavedCheckpoints, parse_checkpoint_file
from service.transparency.notary import CHECKPOINT_FILE_NAME, LEAVES_FILE_NAME
from service.transparency.parallel import scan_segments_in_parallel
from service.transparency.proof_files import (
    InclusionProof,
    InvalidProofFile,
    parse_consistency_proof,
    parse_inclusion_proof,
)
from service.transparency.proof_verification import (
    parse_export_lines,
    verify_consistency_proof,
    verify_export,
    verify_inclusion_proof,
)
from service.transparency.signed_notes import InvalidNote, Verifier, parse_signed_note, parse_verifier
from service.transparency.store_verification import verify_store
from service.transparency.verification_result import IntegrityFault, VerificationResult

if TYPE_CHECKING:
    from service.eventstore.postgres.store import PostgresReader

Parsed = TypeVar("Parsed")

SQLITE_MAGIC: Final = b"SQLite format 3\0"
PROOF_PREFIX: Final = b'{"format":"spadille-proof/'
CONSISTENCY_PREFIX: Final = b'{"format":"spadille-consistency/'
PROOF_SUFFIX: Final = ".proof"
"""Added to an export's name for its proof."""
MAX_KEY_FILE_BYTES: Final = 64 << 10


def detect_file_kind(name: str) -> str:
    """The kind of a file by its beginning: ``store``, ``proof``, ``consistency``, or else ``export``."""
    if os.path.isdir(name) or os.path.basename(name) == STORE_FILE_NAME:
        return "store"
    beginning = _read_first_bytes(name, len(CONSISTENCY_PREFIX))
    kinds = {SQLITE_MAGIC: "store", PROOF_PREFIX: "proof", CONSISTENCY_PREFIX: "consistency"}
    return next((kind for sign, kind in kinds.items() if beginning.startswith(sign)), "export")


def verify_input(
    file: str, location: StoreLocation, kind: str, checkpoint: str | None, key: str | None, proof: str | None
) -> VerificationResult:
    """Verify a file, or the store at ``location``, against a checkpoint, and that against a key, if given."""
    saved = (
        _parse_file(checkpoint, _parse_checkpoints, kept_files.MAX_CHECKPOINT_FILE_BYTES)
        if checkpoint
        else None
    )
    notes = saved.notes if saved else ()
    if kind == "store":
        verdict = _verify_store_at(location, saved)
    elif kind == "consistency":
        consistency = _parse_file(file, parse_consistency_proof, proof_files.MAX_PROOF_FILE_BYTES)
        notes = (*notes, consistency.note)
        verdict = verify_consistency_proof(consistency, saved or SavedCheckpoints(()))
    elif kind == "proof":
        inclusion = _parse_file(file, parse_inclusion_proof, proof_files.MAX_PROOF_FILE_BYTES)
        notes = notes or (inclusion.note,)
        verdict = verify_inclusion_proof(inclusion, saved)
    else:
        inclusion = _read_proof_of_export(proof or file + PROOF_SUFFIX)
        notes = notes or (inclusion.note,)
        lines = parse_export_lines(_read_bytes(file, proof_files.MAX_PROOF_FILE_BYTES))
        verdict = verify_export(lines, inclusion, saved)
    keys = _parse_file(key, _parse_keys, MAX_KEY_FILE_BYTES) if key else []
    if key and not keys:
        raise CommandFailed(f"{quote_file_name(key)} has no key.")
    unsigned = SavedCheckpoints(notes).find_unsigned(keys) if key else []
    faults = [
        IntegrityFault("checkpoint", "unsigned", details={"size": one.checkpoint.size}) for one in unsigned
    ]
    return verdict._replace(faults=(*faults, *verdict.faults)) if faults else verdict


def _verify_store_at(place: StoreLocation, saved: SavedCheckpoints | None) -> VerificationResult:
    local, faults = _read_last_checkpoint(place.file)
    try:
        with _open_reader(place) as reader:
            inspection = reader.inspection()
            with closing(scan_segments_in_parallel(partial(_open_reader, place), inspection)) as segments:
                verdict = verify_store(inspection, saved, local, segments)
            faults += _find_register_faults(place)
            return verdict._replace(faults=(*verdict.faults, *faults))
    except StoreDamaged as error:
        # A store too damaged to open is a verdict too.
        raise CommandFailed(sanitize_line(str(error)), EXIT_FAULTY) from None


def _find_register_faults(place: StoreLocation) -> list[IntegrityFault]:
    """What is damaged in the register of permissions next to a store in a file."""
    register = place.folder / AUTH_FILE_NAME
    if place.address is not None or place.file.name != STORE_FILE_NAME or not register.exists():
        return []
    from service.auth.register_check import require_intact_register  # it takes a while to load

    try:
        require_intact_register(register)
    except (StoreDamaged, NotAStore, StoreTooNew) as error:
        return [IntegrityFault("damaged", "register", details={"said": str(error)})]
    return []


def _open_reader(place: StoreLocation) -> SqliteReader | PostgresReader:
    """The store, opened for reading even if it is incomplete."""
    return place.open_reader() if place.address else SqliteReader(place.file, require_complete=False)


def _read_last_checkpoint(path: Path) -> tuple[SavedCheckpoints | None, list[IntegrityFault]]:
    """The last checkpoint of a store, with its leaf hashes, from the store's folder."""
    checkpoint_path, leaves_path = path.parent / CHECKPOINT_FILE_NAME, path.parent / LEAVES_FILE_NAME
    if path.name != STORE_FILE_NAME or not checkpoint_path.exists():
        return None, []
    try:
        note = parse_signed_note(checkpoint_path.read_text("utf-8"))
        leaves = LeafHashes.from_file(leaves_path) if leaves_path.exists() else ()
        return SavedCheckpoints((note,), leaves), []
    except (OSError, UnicodeDecodeError, InvalidNote):
        return None, [IntegrityFault("checkpoint", "own_unreadable", details={"file": str(checkpoint_path)})]


def _read_proof_of_export(name: str) -> InclusionProof:
    if not os.path.exists(name):
        raise CommandFailed(
            f"There is no {quote_file_name(name)} to prove the export. Name its proof with --proof; "
            "spadille export --proof writes one."
        )
    return _parse_file(name, parse_inclusion_proof, proof_files.MAX_PROOF_FILE_BYTES)


def _parse_checkpoints(data: bytes) -> SavedCheckpoints:
    return parse_checkpoint_file(data.decode())


def _parse_keys(data: bytes) -> list[Verifier]:
    return [parse_verifier(line.strip()) for line in data.decode().splitlines() if line.strip()]


def _parse_file(name: str, parse: Callable[[bytes], Parsed], max_bytes: int) -> Parsed:
    """Parse a file; a wrong one ends the command."""
    data = _read_bytes(name, max_bytes)
    try:
        return parse(data)
    except UnicodeDecodeError:
        raise CommandFailed(f"{quote_file_name(name)} is not text.") from None
    except (InvalidProofFile, InvalidNote) as error:
        raise CommandFailed(f"{quote_file_name(name)}: {sanitize_line(str(error))}") from None


def _read_bytes(name: str, max_bytes: int) -> bytes:
    data = _read_first_bytes(name, max_bytes + 1)
    if len(data) > max_bytes:
        raise CommandFailed(
            f"{quote_file_name(name)} is too large: at most {max_bytes >> 10} KiB can be read."
        )
    return data


def _read_first_bytes(name: str, max_bytes: int) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read(max_bytes)
    except FileNotFoundError:
        raise CommandFailed(f"There is no file {quote_file_name(name)}.") from None
    except (OSError, ValueError) as error:
        raise CommandFailed(format_read_error(name, error)) from None
