"""Files that are cut off, and files in which a bit is another: named, and never told as what was recorded."""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteReader, SqliteStore, StoreError
from service.eventstore.sqlite.connections import PAGE_BYTES
from service.transparency.store_verification import verify_store
from tests.system.faults.scenarios import deals, open_deals

WAL: Final = f"{STORE_FILE_NAME}-wal"
WAL_HEAD, FRAME_HEAD = 32, 24
FORGOTTEN: Final = 3
"""So many events of the store were erased."""


class Damage(NamedTuple):
    """What is done to a file of a store: what it is called, which file, and what becomes of its bytes."""

    name: str
    file: str
    done: Callable[[bytes], bytes]


class Outcome(NamedTuple):
    """What came of it: ``named``, found by ``verify`` or ``unseen``; and what is amiss."""

    how: str
    faults: tuple[str, ...]


def damaged(seed: int, bits: int) -> Iterator[Damage]:
    """Every cut, and so many turned bits in each page of the file and in each frame of its log."""
    for file in (STORE_FILE_NAME, WAL):
        data = (club_folder(file == WAL) / file).read_bytes()
        yield from cuts(file, len(data))
        chance = random.Random(f"{seed}{file}")
        for first, last in blocks(file, len(data)):
            for _ in range(bits):
                yield flip(file, chance.randrange(first, last), chance.randrange(8))
        if file == STORE_FILE_NAME:
            for byte in range(100):  # the header, whose every field means something
                yield flip(file, byte, chance.randrange(8))


def blocks(file: str, size: int) -> list[tuple[int, int]]:
    """The pages of a store, or the header and frames of its log."""
    if file == STORE_FILE_NAME:
        return [(start, start + PAGE_BYTES) for start in range(0, size, PAGE_BYTES)]
    step = FRAME_HEAD + PAGE_BYTES
    return [(0, WAL_HEAD), *((start, start + step) for start in range(WAL_HEAD, size, step))]


def cuts(file: str, size: int) -> Iterator[Damage]:
    """The file cut off at every boundary, and inside some blocks."""
    for first, last in blocks(file, size):
        for length in (first, (first + last) // 2, last - 1):
            yield Damage(f"{file} cut to {length} bytes", file, lambda data, length=length: data[:length])  # type: ignore[misc]


def flip(file: str, byte: int, bit: int) -> Damage:
    def turned(data: bytes) -> bytes:
        return data[:byte] + bytes([data[byte] ^ 1 << bit]) + data[byte + 1 :]

    return Damage(f"{file}: bit {bit} of byte {byte} (page {byte // PAGE_BYTES + 1})", file, turned)


_CLUBS: Final[dict[bool, Path]] = {}


def club_folder(with_log: bool) -> Path:
    """A folder with a store, closed, or as it stands while a service runs: most of it in the log."""
    if with_log not in _CLUBS:
        made = Path(tempfile.mkdtemp(prefix="club-"))
        with SqliteStore(made / STORE_FILE_NAME) as store:
            open_deals(store, deals(12))
            for info in store.list_streams(limit=FORGOTTEN):
                (first, *_) = store.read_stream(info.stream)
                store.erase({info.root: {first.event_id: first.body.replace(b"Anna", b"N. N.")}})
            if with_log:
                open_deals(store, deals(20)[12:])
                shutil.copytree(made, made / "running")
        _CLUBS[with_log] = made / "running" if with_log else made
    return _CLUBS[with_log]


def remove_clubs() -> None:
    for with_log, made in _CLUBS.items():
        shutil.rmtree(made.parent if with_log else made)
    _CLUBS.clear()


def everything(reader: SqliteReader) -> dict[str, Any]:
    streams = reader.list_streams(limit=10_000)
    head = reader.head()
    return {
        "streams": streams,
        "read": [reader.read_stream(info.stream, limit=10_000) for info in streams],
        "sealed": [reader.read_sealed_events(info.stream, limit=10_000) for info in streams],
        "followed": reader.read_all(limit=100_000),
        "head": head,
        "tiles": [reader.read_tile(0, number) for number in range(head // 256 + 1)],
        "above": reader.read_tile(1, 0),
    }


def outcome_of(damage: Damage) -> Outcome:
    """Damage a copy, and look at it as the service, a reader and `spadille verify` do."""
    source = club_folder(damage.file == WAL)
    with tempfile.TemporaryDirectory(prefix="damaged-") as place:
        path = Path(place) / "club" / STORE_FILE_NAME
        shutil.copytree(source, path.parent)
        due = _read(path)
        shutil.rmtree(path.parent)
        shutil.copytree(source, path.parent)
        file = path.with_name(damage.file)
        file.write_bytes(damage.done(file.read_bytes()))
        faults: list[str] = []
        try:
            by_reader = _told(lambda: _read(path), due, faults)
            verified = _verified(path)
            by_service = _told(lambda: _served(path), due, faults)
        except Exception as error:  # whatever it is, people would see a traceback
            return Outcome("crash", (f"{type(error).__name__}: {error}",))
    if by_reader != "as it was" and not verified:
        faults.append(f"verify is green where a reader {by_reader}")
    if by_service not in ("as it was", "named"):
        faults.append(f"the service {by_service}")
    how = "unseen" if by_reader == by_service == "as it was" else by_service
    return Outcome("verify" if how == "unseen" and verified else how, tuple(faults))


def _told(look: Callable[[], dict[str, Any]], due: dict[str, Any], faults: list[str]) -> str:
    """Whether the damage is named, or all that is told is as it was; else what is told otherwise."""
    try:
        told = look()
    except StoreError as error:
        if not str(error).endswith("."):
            faults.append(f"not a sentence: {error}")
        return "named"
    events = {event.position: event for event in due["followed"]}
    for page in (*told["read"], told["followed"]):
        faults += [f"told as recorded: {one}" for one in page if events.get(one.position) != one]
    other = [name for name in due if told[name] != due[name]]
    return f"tells other {', '.join(other)}" if other else "as it was"


def _read(path: Path) -> dict[str, Any]:
    with SqliteReader(path) as reader:
        return everything(reader)


def _served(path: Path) -> dict[str, Any]:
    with SqliteStore(path) as store:
        store.require_intact()
        return everything(store)


def _verified(path: Path) -> bool:
    """Whether `spadille verify` says that something is amiss."""
    try:
        with SqliteReader(path, require_complete=False) as reader:
            return bool(verify_store(reader.inspection()).faults)
    except StoreError:
        return True
