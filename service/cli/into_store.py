"""Logs imported into the service's store from the command line, while the service is stopped."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from engine.rulesets import Book
from schemas.logs import read_logs
from schemas.notation import SUFFIX
from service.cli.endings import UNREADABLE, Ended, tell
from service.cli.inputs import Deal, Inputs
from service.cli.printable import printable

SUFFIXES = (".jsonl", ".ndjson", ".json", SUFFIX)
"""How the names of files of logs end."""
MADE_OF_SLIPS = "the slips"


def is_of_logs(name: str) -> bool:
    """Whether a file of that name has logs, not slips."""
    return name.lower().endswith(SUFFIXES)


def import_into(path: Path, names: Sequence[str], lines: bytes, book: Book) -> bool:
    """Imports the logs of files, and ``lines`` that were made of slips; whether all of it could be.

    Ends the command where the store cannot be written.
    """
    # The store's libraries take a while to load; the other commands do without them.
    from service.importing import import_logs
    from service.serve import STORE_NAME
    from service.store import SqliteStore, StoreError

    inputs = Inputs(names)
    records, new, all_of_it = 0, 0, True
    try:
        with SqliteStore(path / STORE_NAME if path.is_dir() else path) as store:
            for one in import_logs(store, (*inputs.logs(), *_made_of_slips(lines)), book):
                if one.why_not:
                    all_of_it = False
                    tell(printable(f"{one.log.file}, log {one.log.number}: {one.why_not}"))
                else:
                    records, new = records + 1, new + one.new
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
    tell(f"Records: {records}; entries that were not there before: {new}.")
    return all_of_it and not inputs.unreadable


def _made_of_slips(lines: bytes) -> Iterator[Deal]:
    for one in read_logs(BytesIO(lines), MADE_OF_SLIPS) if lines else ():
        yield Deal(MADE_OF_SLIPS, one.number, one.log, one.line)
