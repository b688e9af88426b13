"""Which store a command is to work on: a file, or PostgreSQL; and the folder of what lies beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from service.cli.io.locations import folder_of, folder_with_store, require_kept_in, store_address
from service.cli.io.safe_group import UNREADABLE, Ended
from service.cli.io.terminal_text import printable
from service.config.data_files import STORE_NAME
from service.config.settings import STORE_EXPECTED, is_store_address
from service.config.settings import store_address as checked_address

if TYPE_CHECKING:
    from service.eventstore import SqliteReader, SqliteStore
    from service.eventstore.postgres.store import PostgresReader, PostgresStore


class Place(NamedTuple):
    """Where a store is: the ``file``, or where there is an ``address`` on PostgreSQL.

    The file is named there too: in its folder lies what is not in the store, the key of the checkpoints and
    the last of them. An address may hold a password; `shown` has none.
    """

    file: Path
    address: str | None = None

    @property
    def folder(self) -> Path:
        """The folder of what lies beside the store."""
        return self.file.parent

    @property
    def shown(self) -> str:
        """The place as people are told it. Raises `StoreUnavailable` for an address that cannot be read."""
        if self.address is None:
            return str(self.file)
        from service.eventstore.opening import shown_address

        return shown_address(self.address)

    @property
    def named(self) -> str:
        """The place as it is typed again. A password is not told. Raises as `shown` does."""
        if self.address is None:
            return str(self.file)
        from service.eventstore.opening import named_address

        return named_address(self.address)

    def reader(self) -> SqliteReader | PostgresReader:
        """The store, opened for reading. Raises as `service.eventstore.opening.open_reader` does."""
        from service.eventstore.opening import open_reader  # it takes a while to load

        return open_reader(self.file, self.address)

    def writer(self) -> SqliteStore | PostgresStore:
        """The store, opened for writing. Raises as `service.eventstore.opening.open_store` does."""
        from service.eventstore.opening import open_store

        return open_store(self.file, self.address)


def place_named(
    ctx: click.Context, named: str | None, data: Path | None = None, store: str | None = None
) -> Place:
    """The store that a command works on: as named, by its folder, by ``--store``, or the usual one.

    The usual one is what the environment says, else the file in the usual folder, where there is one.
    """
    address = _address(ctx, store)
    if named is not None and is_store_address(named):
        if address is not None:
            raise click.UsageError("Name it once: by its place, or with --store.", ctx)
        named, address = None, named
    if named is not None and (data is not None or address is not None):
        raise click.UsageError("Name it once: by its place, or its folder with --data.", ctx)
    if named is not None:
        return place_of(named)
    address = address or store_address()
    if address is not None:
        return place_on_postgresql(address, data)
    return Place(_file_in(folder_with_store(data)))


def place_of_register(ctx: click.Context, data: Path | None, store: str | None) -> Place:
    """The store beside which it stands who may do what. A token of a new register, beside no store, or of one
    that the service looks at no longer, would be good for nothing, and so the command ends there."""
    place = place_named(ctx, None, data, store)
    if place.address is None:
        require_kept_in(place.folder)
    return place


def place_asked_for(ctx: click.Context, store: str | None, data: Path | None) -> Place | None:
    """The store that ``--store`` or ``--data`` names, for a command that works on files where none is."""
    if store is not None and is_store_address(store):
        return place_on_postgresql(store, data)
    if store is not None and data is not None:
        raise click.UsageError("Name it once: with --store, or its folder with --data.", ctx)
    if data is not None and (address := store_address()) is not None:
        return Place(_file_in(data), address)
    path = store or data
    return None if path is None else place_of(str(path))


def place_by_environment() -> Place | None:
    """The store on PostgreSQL that the environment names; None where it names none."""
    address = store_address()
    return None if address is None else place_on_postgresql(address, None)


def place_on_postgresql(address: str, data: Path | None) -> Place:
    """The store at that address, beside which lies the folder of the records: as stated, or the usual one."""
    return Place(_file_in(folder_of(data)), address)


def place_of(name: str) -> Place:
    """The file that is meant by a file or by the folder it lies in."""
    path = Path(name)
    return Place(_file_in(path) if path.is_dir() else path)


def made_ready(place: Place) -> Place:
    """The place, as a file: that which is named, or the one in a folder, which is made where there is none.

    A name that does not exist is a file's where it ends as one, such as `.db`.
    """
    from service.eventstore.private_files import make_folder

    path = place.file
    if place.address is not None or path.exists() or path.suffix:
        return place
    try:
        make_folder(path)
    except OSError as error:
        raise Ended(f"The folder {printable(str(path))} cannot be made: {error}.", UNREADABLE) from None
    return place_of(str(path))


def require_folder(place: Place) -> None:
    """Ends the command where there is no folder to a store on PostgreSQL: no key is to be made where nobody
    looks for one."""
    if place.address is not None and not place.folder.is_dir():
        raise Ended(
            printable(
                f"There is no folder {place.folder}. Name the folder of the records, with the key of the "
                "checkpoints, with --data (or SPADILLE_DATA)."
            ),
            UNREADABLE,
        )


def _file_in(folder: Path) -> Path:
    return folder / STORE_NAME


def _address(ctx: click.Context, store: str | None) -> str | None:
    """What ``--store`` says, which is not repeated where it is none: it may hold a password."""
    if store is None:
        return None
    try:
        return checked_address(store)
    except ValueError:
        raise click.UsageError(f"--store expects {STORE_EXPECTED}.", ctx) from None
