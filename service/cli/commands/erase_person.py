"""``spadille erase-person``: erases a person's name from the records of a store."""

from pathlib import Path
from typing import Final

import click

from engine.rulesets.model import Words
from service.cli.io import options
from service.cli.io.inputs import quoted
from service.cli.io.output import say
from service.cli.io.safe_group import UNREADABLE, Ended
from service.cli.io.stores import place_named
from service.cli.io.terminal_text import printable
from service.presentation.text.layout import wrapped
from service.presentation.text.style import style_here

DEFAULT_PSEUDONYM: Final = "N. N."

FORGETTING: Final = {
    "nowhere": Words("“{name}” stands in no entry.", "»{name}« står ikke i nogen post."),
    "found": Words(
        "“{name}” stands in {entries} entries of {records} records. Nothing was erased yet: with --yes it "
        "becomes “{pseudonym}” there, and cannot be brought back.",
        "»{name}« står i {entries} poster i {records} optegnelser. Intet er slettet endnu: med --yes bliver "
        "det til »{pseudonym}«, og det kan ikke hentes tilbage.",
    ),
    "done": Words(
        "“{name}” was erased from {entries} entries of {records} records; “{pseudonym}” stands there now. "
        "Backups, exports and proof files that were made before still have the name.",
        "»{name}« er slettet i {entries} poster i {records} optegnelser; der står nu »{pseudonym}«. "
        "Sikkerhedskopier, eksporter og beviser fra før har stadig navnet.",
    ),
}  # fmt: skip


@click.command(epilog='Example: spadille erase-person ~/club "Anna Berg" --yes')
@click.argument("named", metavar="[STORE] NAME", nargs=-1, required=True)
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
@options.lang
@click.pass_context
def erase_person(
    ctx: click.Context,
    named: tuple[str, ...],
    pseudonym: str,
    table: str | None,
    yes: bool,
    data: Path | None,
    store: str | None,
    lang: str | None,
) -> None:
    """Erase a person's name from records: as a player, and in notes.

    STORE is the service's store or its folder, the usual one if you name none, or the address of one on
    PostgreSQL; stop the service first. What else was recorded stays, and stays proved.
    """
    if len(named) > 2:
        raise click.UsageError('Name one person, with quotes where spaces are in the name: "Anna Berg".')
    name, where = named[-1], named[0] if len(named) == 2 else None
    if not 1 <= len(pseudonym) <= 100 or not name.strip() or pseudonym == name:
        raise click.UsageError(
            "Say a name, and with --pseudonym another of 1 to 100 letters that stands there then."
        )
    # What a store needs takes a while to load; the other commands do without it.
    from service.eventstore import SqliteStore, StoreError
    from service.records.erase_person import NameTaken, forget, named_in

    place = place_named(ctx, where, data, store)
    try:
        if place.address is None and not place.file.is_file():
            raise Ended(f"There is no store {quoted(str(place.file))}.", UNREADABLE)
        if yes:
            with place.writer() as opened:
                if not isinstance(opened, SqliteStore):  # that one nobody else has open to write
                    opened.require_alone()
                found = named_in(opened, name, pseudonym, table and table.lower())
                forget(opened, found)
        else:
            with place.reader() as reader:
                found = named_in(reader, name, pseudonym, table and table.lower())
    except NameTaken:
        raise Ended(
            f"{quoted(pseudonym)} is somebody's name in these records: two people would become one. Choose "
            f"another with --pseudonym.",
            UNREADABLE,
        ) from None
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
    style = style_here(lang)
    what = FORGETTING["nowhere" if not found else "done" if yes else "found"]
    said = what[style.lang].format(
        name=printable(name),
        pseudonym=printable(pseudonym),
        entries=sum(len(one.bodies) for one in found),
        records=sum(one.records for one in found),
    )
    say(wrapped(said, style.width), style)
