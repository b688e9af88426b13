"""Where the records are that a command works on: the folder with the store, the register, and the key."""

from pathlib import Path

import click
import platformdirs

from service.cli.endings import UNREADABLE, Ended
from service.cli.printable import printable
from service.settings import UnreadableSetting, settings_from


def folder_of(data: Path | None) -> Path:
    """The folder of the records: as stated, by the environment, or this computer's place."""
    try:
        stated = settings_from(data=data).data
    except UnreadableSetting as error:
        raise Ended(str(error), UNREADABLE) from None
    return stated or platformdirs.user_data_path("spadille", appauthor=False)


def folder_with_store(data: Path | None) -> Path:
    """That folder, where there is a store in it. Else ends the command: the records are elsewhere."""
    from service.serve import STORE_NAME  # it takes a while to load

    folder = folder_of(data)
    if not (folder / STORE_NAME).is_file():
        raise Ended(printable(no_store_in(folder)), UNREADABLE)
    return folder


def no_store_in(folder: Path) -> str:
    """Says that there is none, and how it is named, or made."""
    return (
        f"There is no store in {folder}. Name the folder of the records with --data (or SPADILLE_DATA); "
        "spadille serve makes a new one."
    )


def store_named(ctx: click.Context, named: str | None, data: Path | None) -> str:
    """The store or its folder that a command is to work on: as named, by ``--data``, or the usual one."""
    if named is not None and data is not None:
        raise click.UsageError("Name it once: by its place, or its folder with --data.", ctx)
    return named or str(folder_with_store(data))
