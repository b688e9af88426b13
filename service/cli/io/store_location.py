"""Which store a command works on: a file, or PostgreSQL; and the folder next to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import platformdirs

from service.cli.io.inputs import quote_file_name
from service.cli.io.safe_group import CommandFailed
from service.cli.io.terminal_text import sanitize_line
from service.config.data_files import STORE_FILE_NAME
from service.config.settings import environment_variable, is_store_address, load_settings
from service.server.data_location import read_data_location

if TYPE_CHECKING:
    from service.auth.grants import Member
    from service.eventstore import SqliteReader, SqliteStore
    from service.eventstore.postgres.store import PostgresReader, PostgresStore


class StoreLocation(NamedTuple):
    """Where a store is: in ``file``, or at an ``address`` on PostgreSQL, which may hold a password.

    In both cases the folder of ``file`` holds what is not in the store: the key of the checkpoints and the
    last of them.
    """

    file: Path
    address: str | None = None

    @property
    def folder(self) -> Path:
        """The folder with the key and the last checkpoint."""
        return self.file.parent

    @property
    def display_name(self) -> str:
        """The place without a password, also as an argument. Raises `StoreUnavailable` for an address that
        cannot be read."""
        if self.address is None:
            return str(self.file)
        from service.eventstore.store_factory import remove_password

        return remove_password(self.address)

    def require_store_file(self) -> None:
        """End the command if the store is a file that does not exist."""
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

    def list_members(self) -> list[Member]:
        """The members of the club; none if the store has no register."""
        from service.auth.register_factory import has_register, open_access_register

        if not has_register(self.file, self.address):
            return []
        with open_access_register(self.file, self.address) as register:
            return register.list_members()


def resolve_store_location(
    store_argument: str | None, data: Path | None = None, store: str | None = None
) -> StoreLocation:
    """The store that a command works on: as named, by its folder, by ``--store``, or the default.

    The default is what the environment says, else the file in the default folder, if there is one.
    """
    if store_argument is not None and is_store_address(store_argument):
        if store is not None:
            raise click.UsageError("Name the store once: as the argument, or with --store.")
        store_argument, store = None, store_argument
    if store_argument is not None:
        if data is not None or store is not None:
            raise click.UsageError("Name the store once: as the argument, or its folder with --data.")
        return parse_store_location(store_argument)
    if (address := store or load_settings().store) is not None:
        return parse_store_location(address, data)
    return StoreLocation(data_folder_with_store(data) / STORE_FILE_NAME)


def resolve_register_location(data: Path | None, store: str | None) -> StoreLocation:
    """The store whose register a command works on; it ends for a folder that the service no longer uses."""
    place = resolve_store_location(None, data, store)
    if place.address is None:
        require_configured_folder(place.folder)
    return place


def optional_store_location(store: str | None, data: Path | None) -> StoreLocation | None:
    """The store that ``--store`` or ``--data`` names, for a command that else works on files."""
    if store is not None:
        if data is not None and not is_store_address(store):
            raise click.UsageError("Name the store once: with --store, or its folder with --data.")
        return parse_store_location(store, data)
    return None if data is None else parse_store_location(load_settings().store or str(data), data)


def configured_store_location() -> StoreLocation | None:
    """The store on PostgreSQL that the environment names; None where it names none."""
    address = load_settings().store
    return None if address is None else parse_store_location(address)


def parse_store_location(name: str, data: Path | None = None) -> StoreLocation:
    """The store at an address, with ``data`` or the default folder; else in a file, or its folder."""
    if is_store_address(name):
        return StoreLocation(data_folder(data) / STORE_FILE_NAME, name)
    path = Path(name)
    return StoreLocation(path / STORE_FILE_NAME if path.is_dir() else path)


def prepare_store_location(location: StoreLocation) -> StoreLocation:
    """The location; a new folder is made for it unless its name exists or has a suffix, such as `.db`."""
    from service.eventstore.private_files import create_private_folder

    path = location.file
    if location.address is not None or path.exists() or path.suffix:
        return location
    try:
        create_private_folder(path)
    except OSError as error:
        raise CommandFailed(f"The folder {sanitize_line(str(path))} cannot be created: {error}.") from None
    return parse_store_location(str(path))


def require_location_folder(location: StoreLocation) -> None:
    """End the command if a store on PostgreSQL has no folder: a new key there would never be found."""
    if location.address is not None and not location.folder.is_dir():
        raise CommandFailed(
            sanitize_line(
                f"There is no folder {location.folder}. Name the folder of the records, which has the "
                "signing key, with --data (or SPADILLE_DATA)."
            )
        )


def data_folder(data: Path | None) -> Path:
    """The folder of the records: as given, by the environment, or this computer's place for data."""
    return load_settings(data=data).data or platformdirs.user_data_path("spadille", appauthor=False)


def require_file_store() -> None:
    """End a command for files of stores if the environment names a store on PostgreSQL."""
    if load_settings().store is not None:
        raise CommandFailed(
            f"{environment_variable('store')} names a store on PostgreSQL, but this command needs the file "
            "of a store. Use pg_dump and pg_restore or the server's own backups, and copy the folder of "
            "the records as well (docs/scaling.md). To work on a file, unset that variable."
        )


def data_folder_with_store(data: Path | None) -> Path:
    """The folder of the records; the command ends if there is no file of a store in it."""
    folder = data_folder(data)
    if not (folder / STORE_FILE_NAME).is_file():
        require_configured_folder(folder)
        raise CommandFailed(
            sanitize_line(
                f"There is no store in {folder}. Name the folder of the records with --data (or "
                "SPADILLE_DATA); spadille serve creates a new one."
            )
        )
    return folder


def require_configured_folder(folder: Path) -> None:
    """End the command if the service of this folder was last started on PostgreSQL."""
    last_location = read_data_location(folder)
    if last_location is not None:
        raise CommandFailed(
            sanitize_line(
                f"The service of {folder} last ran on {last_location}: the records and grants are there. "
                f"Name it with --store, or set {environment_variable('store')}. To go back to the file, "
                "start the service once without either."
            )
        )
