"""Which store a command is to work on: a file, or PostgreSQL; and the folder of what lies beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import platformdirs

from service.cli.io.inputs import quote_file_name
from service.cli.io.safe_group import CommandFailed
from service.cli.io.terminal_text import sanitize_line
from service.config.data_files import STORE_FILE_NAME
from service.config.settings import (
    environment_variable,
    is_store_address,
    load_settings,
)
from service.server.data_location import read_data_location

if TYPE_CHECKING:
    from service.eventstore import SqliteReader, SqliteStore
    from service.eventstore.postgres.store import PostgresReader, PostgresStore


class StoreLocation(NamedTuple):
    """Where a store is: the ``file``, or where there is an ``address`` on PostgreSQL.

    The file is named there too: in its folder lies what is not in the store, the key of the checkpoints and
    the last of them. An address may hold a password; `display_name` has none.
    """

    file: Path
    address: str | None = None

    @property
    def folder(self) -> Path:
        """The folder of what lies beside the store."""
        return self.file.parent

    @property
    def display_name(self) -> str:
        """The place as people are told it. Raises `StoreUnavailable` for an address that cannot be read."""
        if self.address is None:
            return str(self.file)
        from service.eventstore.store_factory import redact_address

        return redact_address(self.address)

    @property
    def command_argument(self) -> str:
        """The place as it is typed again. A password is not told. Raises as `display_name` does."""
        if self.address is None:
            return str(self.file)
        from service.eventstore.store_factory import remove_password

        return remove_password(self.address)

    def require_store_file(self) -> None:
        """Ends the command where the store is a file that does not exist."""
        if self.address is None and not self.file.is_file():
            raise CommandFailed(f"There is no store {quote_file_name(str(self.file))}.")

    def open_reader(self) -> SqliteReader | PostgresReader:
        """The store, opened for reading. Raises as `service.eventstore.store_factory.open_reader` does."""
        from service.eventstore.store_factory import open_reader  # it takes a while to load

        return open_reader(self.file, self.address)

    def open_writer(self) -> SqliteStore | PostgresStore:
        """The store, opened for writing. Raises as `service.eventstore.store_factory.open_store` does."""
        from service.eventstore.store_factory import open_store

        return open_store(self.file, self.address)


def resolve_store_location(
    store_argument: str | None, data: Path | None = None, store: str | None = None
) -> StoreLocation:
    """The store that a command works on: as named, by its folder, by ``--store``, or the usual one.

    The usual one is what the environment says, else the file in the usual folder, where there is one.
    """
    if store_argument is not None and is_store_address(store_argument):
        if store is not None:
            raise click.UsageError("Name it once: by its place, or with --store.")
        store_argument, store = None, store_argument
    if store_argument is not None and (data is not None or store is not None):
        raise click.UsageError("Name it once: by its place, or its folder with --data.")
    if store_argument is not None:
        return file_store_location(store_argument)
    address = store or load_settings().store
    if address is not None:
        return postgres_store_location(address, data)
    return StoreLocation(data_folder_with_store(data) / STORE_FILE_NAME)


def resolve_register_location(data: Path | None, store: str | None) -> StoreLocation:
    """The store beside which it stands who may do what. A token of a new register, beside no store, or of one
    that the service looks at no longer, would be good for nothing, and so the command ends there."""
    place = resolve_store_location(None, data, store)
    if place.address is None:
        require_configured_folder(place.folder)
    return place


def optional_store_location(store: str | None, data: Path | None) -> StoreLocation | None:
    """The store that ``--store`` or ``--data`` names, for a command that works on files where none is."""
    if store is not None and is_store_address(store):
        return postgres_store_location(store, data)
    if store is not None and data is not None:
        raise click.UsageError("Name it once: with --store, or its folder with --data.")
    if data is not None and (address := load_settings().store) is not None:
        return StoreLocation(data / STORE_FILE_NAME, address)
    path = store or data
    return None if path is None else file_store_location(str(path))


def configured_store_location() -> StoreLocation | None:
    """The store on PostgreSQL that the environment names; None where it names none."""
    address = load_settings().store
    return None if address is None else postgres_store_location(address, None)


def postgres_store_location(address: str, data: Path | None) -> StoreLocation:
    """The store at that address, beside which lies the folder of the records: as stated, or the usual one."""
    return StoreLocation(data_folder(data) / STORE_FILE_NAME, address)


def file_store_location(path_name: str) -> StoreLocation:
    """The file that is meant by a file or by the folder it lies in."""
    path = Path(path_name)
    return StoreLocation(path / STORE_FILE_NAME if path.is_dir() else path)


def prepare_store_location(location: StoreLocation) -> StoreLocation:
    """The place, as a file: that which is named, or the one in a folder, which is made where there is none.

    A name that does not exist is a file's where it ends as one, such as `.db`.
    """
    from service.eventstore.private_files import create_private_folder

    path = location.file
    if location.address is not None or path.exists() or path.suffix:
        return location
    try:
        create_private_folder(path)
    except OSError as error:
        raise CommandFailed(f"The folder {sanitize_line(str(path))} cannot be made: {error}.") from None
    return file_store_location(str(path))


def require_location_folder(location: StoreLocation) -> None:
    """Ends the command where there is no folder to a store on PostgreSQL: no key is to be made where nobody
    looks for one."""
    if location.address is not None and not location.folder.is_dir():
        raise CommandFailed(
            sanitize_line(
                f"There is no folder {location.folder}. Name the folder of the records, with the key of the "
                "checkpoints, with --data (or SPADILLE_DATA)."
            )
        )


def data_folder(data: Path | None) -> Path:
    """The folder of the records: as stated, by the environment, or this computer's place."""
    return load_settings(data=data).data or platformdirs.user_data_path("spadille", appauthor=False)


def require_file_store() -> None:
    """Ends a command that works on the file of a store alone, where the environment says that it is none."""
    if load_settings().store is not None:
        raise CommandFailed(
            f"The store is on PostgreSQL ({environment_variable('store')} says so), and this command works "
            "on the file of a store: use pg_dump and pg_restore, or the server's own backups, and copy the "
            "folder of the records beside it (docs/scaling.md). For a file, take that variable out of the "
            "environment."
        )


def data_folder_with_store(data: Path | None) -> Path:
    """That folder, where there is the file of a store in it. Else ends the command: the records are
    elsewhere."""
    folder = data_folder(data)
    if not (folder / STORE_FILE_NAME).is_file():
        require_configured_folder(folder)
        raise CommandFailed(
            sanitize_line(
                f"There is no store in {folder}. Name the folder of the records with --data (or "
                "SPADILLE_DATA); spadille serve makes a new one."
            )
        )
    return folder


def require_configured_folder(folder: Path) -> None:
    """Ends the command where the service of this folder keeps its records elsewhere."""
    last_location = read_data_location(folder)
    if last_location is not None:
        raise CommandFailed(
            sanitize_line(
                f"The service of {folder} was last started on {last_location}: there the records are, and "
                f"who may do what with them. Name that with --store, or by {environment_variable('store')}. "
                f"A start without either is one on the folder again."
            )
        )
