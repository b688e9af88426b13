"""``spadille export``: a table and its deals as a sheet of slips, or as one file of JSON Lines."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click
from click.core import ParameterSource

from engine import Log
from engine.rulesets import Book
from engine.tables import table_of
from schemas.spreadsheet.from_logs import slips_from
from schemas.spreadsheet.logs import EveningLogs
from schemas.spreadsheet.writing import sheet_text
from service.cli.io import options
from service.cli.io.evenings import evenings
from service.cli.io.inputs import Inputs, quoted
from service.cli.io.output import into as into_file
from service.cli.io.output import write, written_into
from service.cli.io.safe_group import FAULTY, SOUND, UNREADABLE, Ended, tell
from service.cli.io.stores import Place, place_asked_for, place_by_environment, require_folder
from service.cli.io.targets import refuse_what_is_read
from service.cli.io.terminal_text import printable, readable
from service.presentation.text.style import style_here

MARK = "\ufeff"
"""By it a spreadsheet knows a file to be UTF-8."""
LISTED = 20


class Recorded(NamedTuple):
    """A table's log with those of its deals, by the names by which it started them; ``name``: where from."""

    name: str
    table: Log
    deals: Mapping[str, Log]


@click.command(epilog="Example: spadille export --lang da evening.jsonl -o slips.csv")
@click.argument("files", metavar="[FILE...]", nargs=-1)
@click.option(
    "--format",
    "output",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="A sheet of slips, or the logs as JSON Lines: the table first, then its deals.",
)
@into_file
@click.option(
    "--store",
    metavar="PATH|URL",
    help="Read a table of the service's store instead of files: its file, or its folder.",
)
@click.option(
    "--data",
    type=click.Path(readable=False, path_type=Path),
    metavar="PATH",
    help="The same as --store PATH; with a URL, the folder of what lies beside it.",
)
@click.option("--table", metavar="ID", help="Which table of the store.")
@click.option("--deal", metavar="ID", help="Which deal of the store instead, as JSON Lines.")
@click.option("--all", "everything", is_flag=True, help="All of the store, as JSON Lines.")
@click.option("--proof", metavar="FILE", help="With what proves the logs, for spadille verify.")
@options.rules
@options.lang
@click.pass_context
def export(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    into: str | None,
    store: str | None,
    data: Path | None,
    table: str | None,
    deal: str | None,
    everything: bool,
    proof: str | None,
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Write a table's deals as a sheet of slips, one row a deal.

    FILE is a log (JSON Lines or the notation), or - for standard input. The files hold the table's
    log and those of its deals, in any order. What a slip has no place for is told, and left out.

    With --all it is the whole store instead, as JSON Lines: the club's own rulesets, every table with its
    deals, and every deal alone. spadille import-slips --store makes the same records in another store. A
    damaged record is named and left out.
    """
    place = place_asked_for(ctx, store, data)
    if place is None and not files and (everything or deal is not None or table is not None):
        place = place_by_environment()
    if everything:
        _export_everything(ctx, place, into, bool(files or table or deal or proof))
        return
    if deal is not None:
        _export_deal(ctx, place, deal, into, proof, bool(files or table))
        return
    if bool(files) == (place is not None) or (table is None) < (place is None):
        raise click.UsageError("Name the files of a table, or a store with --store PATH --table ID.")
    if proof is not None and (place is None or output != "jsonl"):
        raise click.UsageError("--proof is for the logs of a store: --store PATH --format jsonl.")
    if into is not None and into == proof:
        raise click.UsageError("-o and --proof name the same file; name two.")
    kept = () if place is None else options.kept_files(place.file)
    for target in (into, proof):
        refuse_what_is_read(target, (*files, *rules_files, *kept))
    book = options.book_from(ctx, rules_files)
    inputs = Inputs(files)
    if place is None:
        found = _in_files(inputs, book)
        if not found:
            inputs.refuse("There is no table here; the log of a table begins with table_opened.")
    else:
        book = _with_own(place, book)
        found = _in_store(ctx, place, table, book)
    if found:
        language = style_here(lang).lang
        told = _as_lines(found, book) if output == "jsonl" else _as_sheet(found, book, language, into)
        # What comes out of a store has all hands in it, also of deals that are not over.
        write(ctx, told, into, private=place is not None)
        if proof is not None and place is not None:
            logs = (found[0].table, *found[0].deals.values())
            write(
                ctx, _proof_of(place, {str(log[0].record.id): len(log) for log in logs}), proof, private=True
            )
    ctx.exit(UNREADABLE if inputs.unreadable else SOUND)


def _export_everything(ctx: click.Context, place: Place | None, into: str | None, more: bool) -> None:
    """Writes all of a store, which the service may be writing to meanwhile."""
    if place is None or more:
        raise click.UsageError("--all is a whole store: name it with --store PATH, and no table or file.")
    _refuse_a_sheet(ctx, "--all")
    from service.eventstore import StoreDamaged, StoreError
    from service.records.exporting import lines_of_all

    refuse_what_is_read(into, options.kept_files(place.file))
    damaged: list[str] = []

    def leave_out(record: str, error: StoreDamaged) -> None:
        tell(f"{printable(record)} is damaged, and is left out: {printable(str(error))}")
        damaged.append(record)

    try:
        with place.reader() as reader, written_into(ctx, into, private=True) as out:
            for line in lines_of_all(reader, leave_out):
                out.write(line)
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
    ctx.exit(FAULTY if damaged else SOUND)


def _refuse_a_sheet(ctx: click.Context, option: str) -> None:
    """Ends the command where what is written as JSON Lines is asked for as a sheet."""
    if ctx.params["output"] == "csv" and ctx.get_parameter_source("output") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"{option} writes JSON Lines; a sheet of slips is that of one table.")


def _export_deal(
    ctx: click.Context, place: Place | None, deal: str, into: str | None, proof: str | None, more: bool
) -> None:
    """Writes the log of one deal of a store, at a table or alone, and what proves it where that is asked."""
    if place is None or more:
        raise click.UsageError("--deal is a deal of a store: name that with --store PATH, and nothing else.")
    _refuse_a_sheet(ctx, "--deal")
    if into is not None and into == proof:
        raise click.UsageError("-o and --proof name the same file; name two.")
    from service.eventstore import StoreError, UnknownStream
    from service.records.exporting import lines_of_deal

    for target in (into, proof):
        refuse_what_is_read(target, options.kept_files(place.file))
    name = deal.lower()
    try:
        with place.reader() as reader:
            lines = list(lines_of_deal(reader, name))
    except UnknownStream:
        raise Ended(f"There is no deal {quoted(deal)} in the store.", UNREADABLE) from None
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
    write(ctx, b"".join(lines), into, private=True)
    if proof is not None:
        write(ctx, _proof_of(place, {name: len(lines)}), proof, private=True)
    ctx.exit(SOUND)


def _in_files(inputs: Inputs, book: Book) -> list[Recorded]:
    return [Recorded(one.log.file, one.log.log, one.logs) for one in evenings(inputs.logs(), book)]


def _in_store(ctx: click.Context, place: Place, table: str | None, book: Book) -> list[Recorded]:
    """A table of the service's store, which another process may be writing to meanwhile."""
    # The store's libraries take a while to load; the other commands do without them.
    from service.eventstore import StoreError, UnknownStream
    from service.records.records import TABLE, log_in
    from service.records.tables import table_in

    try:
        with place.reader() as reader:
            known = [info.stream for info in reader.streams(kind=TABLE)]
            if table is None or table.lower() not in known:
                _tell_tables(table, [(name, table_in(reader, name, book).opened.title) for name in known])
                ctx.exit(UNREADABLE)
            name = table.lower()
            deals = {}
            for started in table_in(reader, name, book).deals:
                try:
                    deals[started.deal] = log_in(reader, started.deal)
                except UnknownStream:
                    continue
            return [Recorded(place.shown, log_in(reader, name), deals)]
    except StoreError as error:
        tell(printable(str(error)))
        ctx.exit(UNREADABLE)


def _with_own(place: Place, book: Book) -> Book:
    """The rulesets of ``book``, and those of the club's own that are in the store."""
    from service.eventstore import StoreError
    from service.records.club_rules import own_rules

    try:
        with place.reader() as reader:
            return (*book, *own_rules(reader))
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None


def _proof_of(place: Place, streams: Mapping[str, int]) -> bytes:
    """What proves records of a store, each up to that many events."""
    from service.cli.io.locations import key_file
    from service.eventstore import StoreError
    from service.transparency.keys import KeyUnusable
    from service.transparency.opening import open_notary
    from service.transparency.proofs import proof_bytes, proof_of

    require_folder(place)
    try:
        with place.reader() as reader:
            note = open_notary(place.folder, key_file(), place.address).checkpoint(reader)
            return proof_bytes(proof_of(reader, note, streams, lambda _: True))
    except (StoreError, KeyUnusable) as error:
        raise Ended(printable(str(error)), UNREADABLE) from None


def _tell_tables(table: str | None, known: list[tuple[str, str | None]]) -> None:
    asked = "Say which table with --table." if table is None else f"There is no table {quoted(table)}."
    tell(f"{asked} The store has {len(known)}:" if known else f"{asked} The store has none.")
    for name, title in known[:LISTED]:
        tell(f"  {name}  {printable(title or '')}".rstrip())


def _as_lines(found: list[Recorded], book: Book) -> bytes:
    return b"".join(
        line for one in found for line in EveningLogs(one.table, tuple(_deals(one, book))).lines()
    )


def _deals(one: Recorded, book: Book) -> Iterator[Log]:
    """The deals of a table in the order in which it started them."""
    table = table_of(one.table, book)
    started = () if table is None else table.deals
    yield from (one.deals[name] for name in dict.fromkeys(deal.deal for deal in started) if name in one.deals)


def _as_sheet(found: list[Recorded], book: Book, lang: str, into: str | None) -> bytes:
    """A sheet of all tables; what no slip can say is told."""
    tables = []
    for one in found:
        told = slips_from(readable(one.table), {name: readable(log) for name, log in one.deals.items()}, book)
        if told is None:
            continue
        tables.append(told.table)
        for what in told.untold:
            tell(f"{printable(one.name)}: a sheet of slips has no place for {what}; it is left out.")
    # A Danish spreadsheet opens a file of UTF-8 as what it is only where it is marked.
    mark = MARK if lang == "da" and into not in (None, "-") else ""
    return (mark + sheet_text(tables, lang, book)).encode("utf-8", "replace")
