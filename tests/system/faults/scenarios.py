"""What is struck by a failing disk: a store at its work, and each command that writes, by name.

After a strike the same command is given once more, as a person would: then all of it is done, and done once.
"""

import atexit
import functools
import random
import shutil
import tempfile
import threading
import uuid
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from sqlite_utils import Database

from engine.rulesets import PUBLISHED_RULESETS
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteReader, SqliteStore, StoredEvent, StoreError, erasure_log
from service.eventstore.projections import PendingRoot
from service.eventstore.sqlite.migrations import MIGRATIONS, migrate
from service.projections.facts_projection import FACTS_PROJECTION
from service.records.append import open_deal
from service.records.erase_person import find_name_occurrences
from service.transparency.store_verification import verify_store
from tests.properties.slow import generator
from tests.support.api.recording import posted
from tests.system.faults.accounts import stored_in
from tests.system.faults.disk import KILL, Scenario, Strike, Struck, appending, struck
from tests.system.faults.service import COMMAND, run

NAME: Final = "Anna"
DEALS: Final = 12


def deals(count: int) -> list[list[dict[str, Any]]]:
    """Random deals, with the ids that their files have."""
    found = []
    for number in range(count):
        first, *rest = generator.random_deal(random.Random(number))
        named = uuid.UUID(int=(7 << 76) + (1 << 63) + number)
        note = {"type": "note_added", "text": f"{NAME} hesitated."}
        found.append([{**first, "id": str(named)}, *rest, note])
    return found


def copy_club(folder: Path) -> Path:
    """A store of some deals in ``folder``."""
    with _MAKING:
        made = _club()
    return Path(shutil.copytree(made, folder / "club")) / STORE_FILE_NAME


_MAKING: Final = threading.Lock()


@functools.cache
def _club() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="club-"))
    atexit.register(shutil.rmtree, folder)
    with SqliteStore(folder / STORE_FILE_NAME) as store:
        open_deals(store, deals(DEALS))
    return folder


def open_deals(store: SqliteStore, logs: list[list[dict[str, Any]]]) -> None:
    """Open these deals."""
    for log in logs:
        open_deal(store, [posted(event) for event in log], strict=False)


def commanded(
    folder: Path, strike: Strike, words: Sequence[str], look: Callable[[], list[str]],
    meanwhile: Callable[[], list[str]] = lambda: [], done: Callable[[], bool] = lambda: False,
) -> Struck:  # fmt: skip
    """The command under the strike, and again unless ``done``; what is amiss ``meanwhile`` and in the end."""
    there, struck_down = struck(folder, strike, [*COMMAND, *words])
    said, failed = struck_down.stderr, struck_down.returncode != 0
    faults = [f"told as {said}"] if "Traceback" in said else []
    # A sentence that standard error itself did not take is nobody's fault.
    if failed and strike.how != KILL and strike.call != "write" and not said.strip():
        faults.append(f"status {struck_down.returncode} without a word")
    try:
        faults += meanwhile()
        if not done():
            again = run(*words)
            if again.returncode != 0:
                faults.append(f"{words[0]} does not recover: {again.stdout}{again.stderr}")
        faults += look()
    except StoreError as error:
        faults.append(str(error))
    return Struck(strike, there, failed, tuple(faults))


def importing(folder: Path, strike: Strike) -> Struck:
    """Logs are imported into a store that is there: each whole or not at all, and all of them in the end."""
    return _imported(folder, strike, copy_club(folder))


def migrating(folder: Path, strike: Strike) -> Struck:
    """A store of the first version is brought up to date, by the first command that writes to it."""
    path = folder / STORE_FILE_NAME
    make_older(path, stored_in(copy_club(folder)))
    return _imported(folder, strike, path)


def _imported(folder: Path, strike: Strike, path: Path) -> Struck:
    log = folder / "more.jsonl"
    more = [event for deal in deals(DEALS + 6)[DEALS:] for event in deal]
    log.write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in more))
    before = stored_in(folder / "club" / STORE_FILE_NAME)

    def look() -> list[str]:
        stored = stored_in(path)
        found = [] if stored[: len(before)] == before else ["what was there was changed"]
        if len(stored) != len(before) + len(more):
            found.append(f"{len(stored) - len(before)} of {len(more)} events were imported")
        return found + _unsound(path)

    return commanded(folder, strike, ["import-slips", str(log), "--store", str(path)], look)


def erasing(folder: Path, strike: Strike) -> Struck:
    """A name is erased: in the end it stands nowhere, neither in an entry nor in the file."""
    path = copy_club(folder)
    before = stored_in(path)

    def look() -> list[str]:
        with SqliteReader(path) as reader:
            found = ["the name is still there"] if find_name_occurrences(reader, NAME, "N. N.") else []
        if any(NAME.encode() in file.read_bytes() for file in path.parent.iterdir()):
            found.append("the name is still in a file")
        stored = stored_in(path)
        if [_place(event) for event in stored[: len(before)]] != [_place(event) for event in before]:
            found.append("an event lost its place")
        if [event.stream for event in stored[len(before) :]] != [erasure_log.ERASURE_STREAM]:
            found.append("that it was erased is not recorded once")
        return found + _unsound(path)

    return commanded(folder, strike, ["erase-person", str(path.parent), NAME, "--yes"], look)


def counting(folder: Path, strike: Strike) -> Struck:
    """What is kept of the records is made anew: in the end it is what folding them comes to."""
    path = copy_club(folder)
    before = stored_in(path)

    def look() -> list[str]:
        with SqliteReader(path) as reader:
            kept = reader.projections.read_projection_rows(FACTS_PROJECTION.name).rows
            build = functools.partial(FACTS_PROJECTION.build, reader, PUBLISHED_RULESETS)
            wrong = [one.root for one in kept if one.body != build(PendingRoot(one.root, 0)).body]
        found = [f"what is kept of {root} is wrong" for root in wrong]
        if len(kept) != DEALS:
            found.append(f"of {DEALS} deals {len(kept)} are kept")
        return found + ["an event was changed"] * (stored_in(path) != before) + _unsound(path)

    return commanded(folder, strike, ["projections", "refresh", str(path.parent), "--from", "0"], look)


def _place(event: StoredEvent) -> tuple[int, str, int, str]:
    return event.position, event.stream, event.seq, event.event_id


def make_older(path: Path, events: list[StoredEvent]) -> None:
    """A store as it was before events were sealed, with these events."""
    db = Database(path)
    first = type(MIGRATIONS)(MIGRATIONS.name)
    step = MIGRATIONS.pending(Database(memory=True))[0]
    first(name=step.name)(step.fn)
    migrate(db, first)
    for key, root in enumerate(dict.fromkeys(event.root for event in events), 1):
        db.execute("INSERT INTO roots VALUES (?, ?)", (key, root))
        db.execute("INSERT INTO streams VALUES (?, ?, ?, 'deal')", (key, root, key))
    for event in events:
        db.execute(
            "INSERT INTO events (root_key, stream_key, version, event_id, stored_at, digest, body) "
            "SELECT root_key, root_key, ?, ?, ?, x'', ? FROM roots WHERE root = ?",
            (event.seq, event.event_id, event.stored_at, event.body, event.root),
        )
    db.conn.commit()
    db.close()


def backing_up(folder: Path, strike: Strike) -> Struck:
    """An older backup is written over: until the new one is whole, the older one stays."""
    path, out = copy_club(folder), folder / "backup.zip"
    words = ["backup", str(out), "--data", str(path.parent)]
    assert run(*words).returncode == 0
    with SqliteStore(path) as store:
        open_deals(store, deals(DEALS + 1)[DEALS:])
    return commanded(
        folder, strike, words, lambda: _unsound(path), lambda: _unsound_backup(out, folder / "back")
    )


def _unsound_backup(out: Path, folder: Path) -> list[str]:
    with zipfile.ZipFile(out) as archive:
        if archive.testzip() is not None:
            return ["the backup is damaged"]
    restored = run("restore", str(out), "--data", str(folder))
    return (
        _unsound(folder / STORE_FILE_NAME) if restored.returncode == 0 else [f"the backup: {restored.stderr}"]
    )


def restoring(folder: Path, strike: Strike) -> Struck:
    """A backup is put back into an empty folder: wholly or not at all."""
    out, back = folder / "backup.zip", folder / "back" / STORE_FILE_NAME
    assert run("backup", str(out), "--data", str(copy_club(folder).parent)).returncode == 0
    words = ["restore", str(out), "--data", str(back.parent)]
    return commanded(folder, strike, words, lambda: _unsound(back), done=back.exists)


def _unsound(store: Path) -> list[str]:
    with SqliteStore(store) as opened:
        opened.require_intact()
        return [f"verify: {fault}" for fault in verify_store(opened.inspection()).faults]


SCENARIOS: Final[dict[str, Scenario]] = {
    "append": appending, "import-slips": importing, "erase-person": erasing, "projections": counting,
    "migrate": migrating, "backup": backing_up, "restore": restoring,
}  # fmt: skip
