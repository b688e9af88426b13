"""The files that evidence is in: stores, proofs, exports, checkpoints, keys.

What cannot be read ends the command.
"""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from service.cli.io.inputs import cannot_be_read, quoted
from service.cli.io.safe_group import FAULTY, UNREADABLE, Ended
from service.cli.io.stores import Place
from service.cli.io.terminal_text import printable
from service.config.data_files import REGISTER_NAME, STORE_NAME
from service.eventstore import EventReader, NotAStore, SqliteReader, StoreDamaged, StoreError, StoreTooNew
from service.projections.checking import not_as_kept
from service.transparency import kept as kept_files
from service.transparency import proofs
from service.transparency.checking import lines_in, verify_export, verify_proof
from service.transparency.faults import Fault
from service.transparency.growth import Growth, read_growth, verify_growth
from service.transparency.hash_files import HashFile
from service.transparency.kept import Kept, read_kept
from service.transparency.notary import LEAVES_FILE, TOLD_FILE
from service.transparency.notes import NotANote, Verifier, read_note, read_verifier
from service.transparency.proofs import Proof, read_proof
from service.transparency.reading import NotAProof
from service.transparency.side_by_side import stretches_of
from service.transparency.verdict import Verdict
from service.transparency.verifying import verify_store

if TYPE_CHECKING:
    from service.eventstore.postgres.store import PostgresReader

SQLITE: Final = b"SQLite format 3\0"
PROOF: Final = b'{"format":"spadille-proof/'
GROWTH: Final = b'{"format":"spadille-consistency/'
ENDING: Final = ".proof"
"""What is added to an export's name for the proof beside it."""
MOST_KEY_BYTES: Final = 64 << 10


def kind_of(name: str) -> str:
    """What a file is, by how it begins: a ``store``, ``proof``, ``consistency``, or else an ``export``."""
    if os.path.isdir(name) or os.path.basename(name) == STORE_NAME:
        return "store"
    beginning = _read(name, len(GROWTH))
    kinds = {SQLITE: "store", PROOF: "proof", GROWTH: "consistency"}
    return next((kind for sign, kind in kinds.items() if beginning.startswith(sign)), "export")


def verdict_of(
    file: str, place: Place, kind: str, checkpoint: str | None, key: str | None, proof: str | None
) -> Verdict:
    """What is found in a file, or in the store at a place, held to a checkpoint and that to a key, where they
    are named."""
    kept = _kept(checkpoint) if checkpoint else None
    notes = kept.notes if kept else ()
    if kind == "store":
        verdict = _of_store(place, kept)
    elif kind == "consistency":
        growth = _growth(file)
        notes = (*notes, growth.note)
        verdict = verify_growth(growth, kept or Kept(()))
    else:
        read = _proof(file) if kind == "proof" else _proof_beside(proof or file + ENDING)
        notes = notes or (read.note,)
        if kind == "proof":
            verdict = verify_proof(read, kept)
        else:
            verdict = verify_export(lines_in(_whole(file, proofs.MOST_BYTES)), read, kept)
    unsigned = Kept(notes).unsigned(_keys(key)) if key else []
    faults = [Fault("checkpoint", "unsigned", parts={"size": one.checkpoint.size}) for one in unsigned]
    return verdict._replace(faults=(*faults, *verdict.faults)) if faults else verdict


def _of_store(place: Place, kept: Kept | None) -> Verdict:
    own, amiss = _beside(place.file)
    try:
        with _opened(place) as reader:
            inspection = reader.inspection()
            with closing(stretches_of(partial(_opened, place), inspection)) as stretches:
                verdict = verify_store(inspection, kept, own, stretches)
            amiss += _register_faults(place)
            return verdict._replace(faults=(*verdict.faults, *amiss), kept_amiss=_kept_amiss(reader))
    except StoreDamaged as error:
        # So damaged that it cannot even be opened: that too is a verdict.
        raise Ended(printable(str(error)), FAULTY) from None
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None


def _register_faults(place: Place) -> list[Fault]:
    """What is damaged in the register of who may do what, in the folder of a store in a file."""
    register = place.folder / REGISTER_NAME
    if place.address is not None or place.file.name != STORE_NAME or not register.exists():
        return []
    from service.auth.checking import require_sound_register  # it takes a while to load

    try:
        require_sound_register(register)
    except (StoreDamaged, NotAStore, StoreTooNew) as error:
        return [Fault("damaged", "register", parts={"said": str(error)})]
    return []


def _opened(place: Place) -> SqliteReader | PostgresReader:
    """The store, opened for reading, also where it is not whole."""
    return place.reader() if place.address else SqliteReader(place.file, whole=False)


def _kept_amiss(reader: EventReader) -> tuple[str, ...]:
    """The records of which something else is kept than was; none where the tables of it cannot be read at
    all, as that is found by itself."""
    try:
        return tuple(not_as_kept(reader))
    except StoreDamaged:
        return ()


def _beside(path: Path) -> tuple[Kept | None, list[Fault]]:
    """The newest checkpoint that was told of a store, and its leaf hashes, which lie beside it."""
    told, leaves = path.parent / TOLD_FILE, path.parent / LEAVES_FILE
    if path.name != STORE_NAME or not told.exists():
        return None, []
    try:
        note = read_note(told.read_text("utf-8"))
        return Kept((note,), HashFile(leaves) if leaves.exists() else ()), []
    except (OSError, UnicodeDecodeError, NotANote):
        return None, [Fault("checkpoint", "own_unreadable", parts={"file": str(told)})]


def _proof_beside(name: str) -> Proof:
    if not os.path.exists(name):
        raise Ended(
            f"There is no {quoted(name)}, by which the export could be proved. Name it with --proof; "
            f"spadille export --proof writes one.",
            UNREADABLE,
        )
    return _proof(name)


def _proof(name: str) -> Proof:
    try:
        return read_proof(_whole(name, proofs.MOST_BYTES))
    except NotAProof as error:
        raise Ended(f"{quoted(name)}: {printable(str(error))}", UNREADABLE) from None


def _growth(name: str) -> Growth:
    try:
        return read_growth(_whole(name, proofs.MOST_BYTES))
    except NotAProof as error:
        raise Ended(f"{quoted(name)}: {printable(str(error))}", UNREADABLE) from None


def _kept(name: str) -> Kept:
    try:
        return read_kept(_text(name, kept_files.MOST_BYTES))
    except NotANote as error:
        raise Ended(f"{quoted(name)}: {printable(str(error))}", UNREADABLE) from None


def _keys(name: str) -> list[Verifier]:
    lines = [line.strip() for line in _text(name, MOST_KEY_BYTES).splitlines()]
    try:
        keys = [read_verifier(line) for line in lines if line]
    except NotANote as error:
        raise Ended(f"{quoted(name)}: {printable(str(error))}", UNREADABLE) from None
    if not keys:
        raise Ended(f"{quoted(name)} holds no key.", UNREADABLE)
    return keys


def _text(name: str, most: int) -> str:
    try:
        return _whole(name, most).decode()
    except UnicodeDecodeError:
        raise Ended(f"{quoted(name)} is not text.", UNREADABLE) from None


def _whole(name: str, most: int) -> bytes:
    data = _read(name, most + 1)
    if len(data) > most:
        raise Ended(f"{quoted(name)} has more than {most >> 10} KiB; that is not read here.", UNREADABLE)
    return data


def _read(name: str, most: int) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise Ended(f"There is no file {quoted(name)}.", UNREADABLE) from None
    except (OSError, ValueError) as error:
        raise Ended(cannot_be_read(name, error), UNREADABLE) from None
