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
    "nowhere": "“{name}” stands in no entry.",
    "found": (
        "“{name}” stands in {entries} entries of {records} records. Nothing was erased yet: with --yes it "
        "becomes “{pseudonym}” there, and cannot be brought back."
    ),
    "done": (
        "“{name}” was erased from {entries} entries of {records} records; “{pseudonym}” stands there now. "
        "Backups, exports and proof files that were made before still have the name."
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
    help="What stands there then.",
)
@click.option("--table", metavar="ID", help="Only in the records of this table.")
@click.option("--yes", is_flag=True, help="Erase it; without this it is only said where it stands.")
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

    STORE is the service's store or its folder, the usual one if you name none, or the address of one on
    PostgreSQL; stop the service first. What else was recorded stays, and stays proved.
    """
    if len(store_and_name) > 2:
        raise click.UsageError('Name one person, with quotes where spaces are in the name: "Anna Berg".')
    name, store_name = store_and_name[-1], store_and_name[0] if len(store_and_name) == 2 else None
    if not 1 <= len(pseudonym) <= 100 or not name.strip() or pseudonym == name:
        raise click.UsageError(
            "Say a name, and with --pseudonym another of 1 to 100 letters that stands there then."
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
            f"{quote_file_name(pseudonym)} is somebody's name in these records: two people would become one. "
            f"Choose another with --pseudonym."
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
