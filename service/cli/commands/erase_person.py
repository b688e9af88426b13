"""``spadille erase-person``: erases a person's name from the records of a store."""

from pathlib import Path
from typing import Final

import click

from service.cli.io import options
from service.cli.io.inputs import quote_file_name
from service.cli.io.output import print_lines
from service.cli.io.safe_group import CommandFailed
from service.cli.io.store_location import resolve_store_location
from service.cli.io.terminal_text import sanitize_line
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle

DEFAULT_PSEUDONYM: Final = "N. N."

ERASURE_PHRASES: Final = {
    "nowhere": "“{name}” is in no entry.",
    "found": (
        "“{name}” is in {entries} entries of {records} records. Nothing has been erased yet: --yes "
        "replaces the name by “{pseudonym}”, and this cannot be undone."
    ),
    "done": (
        "“{name}” was erased from {entries} entries of {records} records; they now say “{pseudonym}”. "
        "Earlier backups, exports and proof files still have the name."
    ),
}


@click.command(epilog='Example: spadille erase-person ~/club "Anna Berg" --yes')
@click.argument("store_and_name", metavar="[STORE] NAME", nargs=-1, required=True)
@click.option(
    "--pseudonym",
    "pseudonym",
    metavar="TEXT",
    default=DEFAULT_PSEUDONYM,
    show_default=True,
    help="The name to put in its place.  [default: N. N.]",
)
@click.option("--table", metavar="ID", help="Erase only in the records of this table.")
@click.option(
    "--yes", is_flag=True, help="Erase the name; without --yes the command only counts the entries."
)
@options.data
@options.store
@options.style
def erase_person(
    store_and_name: tuple[str, ...],
    pseudonym: str,
    table: str | None,
    yes: bool,
    data: Path | None,
    store: str | None,
    style: TextStyle,
) -> None:
    """Erase a person's name from records: as a player, and in notes.

    STORE is the service's store, its folder or its PostgreSQL URL; the default is the usual folder. Stop the
    service first. All other contents stay, and can still be proved.
    """
    if len(store_and_name) > 2:
        raise click.UsageError('Give one name, in quotes if it has spaces: "Anna Berg".')
    name, store_name = store_and_name[-1], store_and_name[0] if len(store_and_name) == 2 else None
    if not 1 <= len(pseudonym) <= 100 or not name.strip() or pseudonym == name:
        raise click.UsageError(
            "Give a name to erase and, with --pseudonym, a replacement of 1 to 100 letters."
        )
    # What a store needs takes a while to load; the other commands do without it.
    from service.eventstore import SqliteStore
    from service.records.erase_person import PseudonymTaken, erase_name, find_name_occurrences

    place = resolve_store_location(store_name, data, store)
    try:
        place.require_store_file()
        if yes:
            with place.open_writer() as store_writer:
                if not isinstance(store_writer, SqliteStore):  # that one nobody else has open to write
                    store_writer.require_only_process()
                found = find_name_occurrences(store_writer, name, pseudonym, table and table.lower())
                erase_name(store_writer, found)
        else:
            with place.open_reader() as reader:
                found = find_name_occurrences(reader, name, pseudonym, table and table.lower())
    except PseudonymTaken:
        raise CommandFailed(
            f"{quote_file_name(pseudonym)} is already somebody's name in these records: two people would "
            "become one. Choose another with --pseudonym."
        ) from None
    what = ERASURE_PHRASES["nowhere" if not found else "done" if yes else "found"]
    text = style.phrase(
        what,
        name=sanitize_line(name),
        pseudonym=sanitize_line(pseudonym),
        entries=sum(len(one.replacements) for one in found),
        records=sum(one.record_count for one in found),
    )
    print_lines(wrap_text(text, style.width), style)
