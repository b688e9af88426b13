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
    """Write everything that the service stores into one file.

    The service can be running. FILE holds names, hands and the signing key: keep it where only you can read
    it. An existing FILE is replaced only when the new one is complete.
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
    """Restore a backup into a folder without a store.

    Nothing is overwritten. Each file is checked against the backup's list, and each event against its hash,
    before it is put in place. All sessions end. Grants that were revoked after the backup was made are valid
    again.
    """
    from service.application.backup import restore_backup as put_back

    require_file_store()
    folder = data_folder(data)
    with _open_backup(file) as archive:
        result = put_back(archive, folder)
    print_to_stderr(
        f"{sanitize_line(str(folder))} now holds {result.events} events, as of "
        f"{sanitize_line(result.made_at)}."
    )
    if AUTH_FILE_NAME in result.files:
        print_to_stderr(
            f"Grants that were revoked after {sanitize_line(result.made_at)} are valid again: check them "
            "with spadille tokens list, and revoke them again. Every browser has to log in again."
        )


def _open_backup(file: str) -> BinaryIO:
    """Open the backup; the command ends if it cannot be read."""
    try:
        return open(file, "rb")
    except OSError as error:
        reason = error.strerror or error
        raise CommandFailed(f"{sanitize_line(decode_file_name(file))} cannot be read: {reason}.") from None
