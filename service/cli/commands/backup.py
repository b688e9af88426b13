"""``spadille backup`` and ``spadille restore``: all that the service keeps, in one file and back."""

from pathlib import Path
from typing import BinaryIO

import click

from service.cli.io import options
from service.cli.io.output import open_output, require_not_an_input
from service.cli.io.safe_group import CommandFailed, print_to_stderr
from service.cli.io.store_location import data_folder, data_folder_with_store, require_file_store
from service.cli.io.terminal_text import decode_file_name, sanitize_line
from service.config.data_files import AUTH_FILE_NAME


@click.command(epilog="Example: spadille backup club-2026-11-21.zip --data ~/club")
@click.argument("file", metavar="FILE")
@options.data
def backup(file: str, data: Path | None) -> None:
    """Write all that the service keeps into one file.

    The service may be running. FILE holds names, hands and the key of the checkpoints: keep it where
    only you read it. An older FILE is written over only when the new one is whole.
    """
    from service.application.backup import create_backup

    require_file_store()
    folder = data_folder_with_store(data)
    require_not_an_input(file, options.data_file_names(folder))
    with open_output(file, private=True) as out:
        # Next to the file: the folder of temporary files may be too small, and is shared.
        result = create_backup(folder, out, None if file == "-" else Path(file).resolve().parent)
    print_to_stderr(
        f"{sanitize_line(decode_file_name(file))} holds {result.events} events and {', '.join(result.files)}."
    )


@click.command(epilog="Example: spadille restore club-2026-11-21.zip --data ~/club")
@click.argument("file", metavar="FILE")
@options.data
def restore(file: str, data: Path | None) -> None:
    """Put a backup into a folder that keeps nothing yet.

    Nothing is written over. Every file is held to what the backup says of it, and every event of the
    store to its hash, before it is put in its place. All sessions end; grants that were taken back since
    the backup was made hold again.
    """
    from service.application.backup import restore_backup as put_back

    require_file_store()
    folder = data_folder(data)
    with _open_backup(file) as archive:
        result = put_back(archive, folder)
    print_to_stderr(
        f"{sanitize_line(str(folder))} has {result.events} events again, "
        f"as of {sanitize_line(result.made_at)}."
    )
    if AUTH_FILE_NAME in result.files:
        print_to_stderr(
            f"Grants that were taken back after {sanitize_line(result.made_at)} hold again: look at them "
            f"with spadille tokens list, and take them back once more. Every browser has to log in anew."
        )


def _open_backup(file: str) -> BinaryIO:
    """Open the backup; the command ends if it cannot be read."""
    try:
        return open(file, "rb")
    except OSError as error:
        reason = error.strerror or error
        raise CommandFailed(f"{sanitize_line(decode_file_name(file))} cannot be read: {reason}.") from None
