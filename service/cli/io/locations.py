"""Where the records are that a command works on: the folder with the store, the register, and the key."""

from pathlib import Path

import platformdirs

from service.cli.io.safe_group import CommandFailed
from service.cli.io.terminal_text import sanitize_line
from service.config.data_files import STORE_FILE_NAME
from service.config.settings import InvalidSetting, Settings, environment_variable, load_settings
from service.server.data_location import read_data_location


def data_folder(data: Path | None) -> Path:
    """The folder of the records: as stated, by the environment, or this computer's place."""
    return _load_settings(data).data or platformdirs.user_data_path("spadille", appauthor=False)


def configured_store_address() -> str | None:
    """Where on PostgreSQL the store is, by the environment; None where it is a file in the folder."""
    return _load_settings(None).store


def require_file_store() -> None:
    """Ends a command that works on the file of a store alone, where the environment says that it is none."""
    if configured_store_address() is not None:
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


def configured_key_file() -> Path | None:
    """The file with the key of the checkpoints, by the environment; None where it is that in the folder."""
    return _load_settings(None).key


def _load_settings(data: Path | None) -> Settings:
    try:
        return load_settings(data=data)
    except InvalidSetting as error:
        raise CommandFailed(str(error)) from None


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
