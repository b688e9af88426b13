"""``spadille backup`` and ``spadille restore``: all that the service keeps, in one file and back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from service.cli.io import options
from service.cli.io.locations import folder_of, folder_with_store, require_file
from service.cli.io.output import written_into
from service.cli.io.safe_group import UNREADABLE, Ended, tell
from service.cli.io.targets import refuse_what_is_read
from service.cli.io.terminal_text import file_name, printable
from service.config.data_files import REGISTER_NAME


@click.command(epilog="Example: spadille backup club-2026-11-21.zip --data ~/club")
@click.argument("file", metavar="FILE")
@options.data
@click.pass_context
def backup(ctx: click.Context, file: str, data: Path | None) -> None:
    """Write all that the service keeps into one file.

    The service may be running. FILE holds names, hands and the key of the checkpoints: keep it where
    only you read it. An older FILE is written over only when the new one is whole.
    """
    with _told_kindly():
        from service.application.backup import back_up

        require_file()
        folder = folder_with_store(data)
        refuse_what_is_read(file, options.kept_files(folder))
        with written_into(ctx, file, private=True) as out:
            # Beside the file, not where temporary files lie: that may be smaller, and others' too.
            made = back_up(folder, out, None if file == "-" else Path(file).resolve().parent)
    tell(f"{printable(file_name(file))} holds {made.events} events and {', '.join(made.files)}.")


@click.command(epilog="Example: spadille restore club-2026-11-21.zip --data ~/club")
@click.argument("file", metavar="FILE")
@options.data
def restore(file: str, data: Path | None) -> None:
    """Put a backup into a folder that keeps nothing yet.

    Nothing is written over. Every file is held to what the backup says of it, and every event of the
    store to its hash, before it is put in its place. All sessions end; grants that were taken back since
    the backup was made hold again.
    """
    with _told_kindly():
        from service.application.backup import restore as put_back

        require_file()
        folder = folder_of(data)
        with _opened(file) as archive:
            made = put_back(archive, folder)
    tell(f"{printable(str(folder))} has {made.events} events again, as of {printable(made.made_at)}.")
    if REGISTER_NAME in made.files:
        tell(
            f"Grants that were taken back after {printable(made.made_at)} hold again: look at them with "
            f"spadille tokens list, and take them back once more. Every browser has to log in anew."
        )


def _opened(file: str) -> BinaryIO:
    """The backup, to be read. Ends the command where it cannot be."""
    try:
        return open(file, "rb")
    except OSError as error:
        reason = error.strerror or error
        raise Ended(f"{printable(file_name(file))} cannot be read: {reason}.", UNREADABLE) from None


@contextmanager
def _told_kindly() -> Iterator[None]:
    """What the store or the backup says no with ends the command in its sentence."""
    from service.application.backup import BackupUnusable
    from service.eventstore import StoreError

    try:
        yield
    except (StoreError, BackupUnusable) as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
