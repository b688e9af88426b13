"""Where the records are that a command works on: the folder with the store, the register, and the key."""

from pathlib import Path

import platformdirs

from service.cli.io.safe_group import UNREADABLE, Ended
from service.cli.io.terminal_text import printable
from service.config.data_files import STORE_NAME
from service.config.settings import Settings, UnreadableSetting, settings_from, variable
from service.server.data_location import kept_elsewhere


def folder_of(data: Path | None) -> Path:
    """The folder of the records: as stated, by the environment, or this computer's place."""
    return _settings(data).data or platformdirs.user_data_path("spadille", appauthor=False)


def store_address() -> str | None:
    """Where on PostgreSQL the store is, by the environment; None where it is a file in the folder."""
    return _settings(None).store


def require_file() -> None:
    """Ends a command that works on the file of a store alone, where the environment says that it is none."""
    if store_address() is not None:
        raise Ended(
            f"The store is on PostgreSQL ({variable('store')} says so), and this command works on the file "
            "of a store: use pg_dump and pg_restore, or the server's own backups, and copy the folder of the "
            "records beside it (docs/scaling.md). For a file, take that variable out of the environment.",
            UNREADABLE,
        )


def folder_with_store(data: Path | None) -> Path:
    """That folder, where there is the file of a store in it. Else ends the command: the records are
    elsewhere."""
    return _with_file_of_a_store(folder_of(data))


def key_file() -> Path | None:
    """The file with the key of the checkpoints, by the environment; None where it is that in the folder."""
    return _settings(None).key


def _settings(data: Path | None) -> Settings:
    try:
        return settings_from(data=data)
    except UnreadableSetting as error:
        raise Ended(str(error), UNREADABLE) from None


def _with_file_of_a_store(folder: Path) -> Path:
    if not (folder / STORE_NAME).is_file():
        require_kept_in(folder)
        raise Ended(printable(no_store_in(folder)), UNREADABLE)
    return folder


def require_kept_in(folder: Path) -> None:
    """Ends the command where the service of this folder keeps its records elsewhere."""
    elsewhere = kept_elsewhere(folder)
    if elsewhere is not None:
        raise Ended(
            printable(
                f"The service of {folder} was last started on {elsewhere}: there the records are, and who "
                f"may do what with them. Name that with --store, or by {variable('store')}. A start without "
                f"either is one on the folder again."
            ),
            UNREADABLE,
        )


def no_store_in(folder: Path) -> str:
    """Says that there is none, and how it is named, or made."""
    return (
        f"There is no store in {folder}. Name the folder of the records with --data (or SPADILLE_DATA); "
        "spadille serve makes a new one."
    )
