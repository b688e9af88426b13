"""``spadille export``: a table and its deals as a sheet of slips, or as one file of JSON Lines."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from engine import Log
from engine.rulesets import RulesetBook
from schemas.spreadsheet.sheet_writer import format_slip_sheet
from schemas.spreadsheet.slip_logs import EveningLogs, build_slips
from service.auth.display_names import unambiguous_names
from service.cli.io import options
from service.cli.io.deals import collect_tables
from service.cli.io.inputs import Inputs, quote_file_name
from service.cli.io.output import open_output, require_not_an_input, write_output
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE, CommandFailed, print_to_stderr
from service.cli.io.store_location import (
    StoreLocation,
    configured_store_location,
    optional_store_location,
    require_location_folder,
)
from service.cli.io.terminal_text import sanitize_line, sanitize_log
from service.config.settings import load_settings
from service.presentation.text.style import TextStyle

if TYPE_CHECKING:
    from service.eventstore import EventReader

BYTE_ORDER_MARK = "\ufeff"
"""Marks a file as UTF-8 for a spreadsheet."""
MAX_LISTED_TABLES = 20


class TableExport(NamedTuple):
    """A table's log with those of its deals, by name, in the order in which it started them.

    ``source_name``: where they were read.
    """

    source_name: str
    table_log: Log
    deal_logs: Mapping[str, Log]


@click.command(epilog="Example: spadille export --lang da evening.jsonl -o slips.csv")
@click.argument("files", metavar="[FILE...]", nargs=-1)
@options.choose_format(
    "csv",
    "jsonl",
    description="A sheet of slips, or the logs as JSON Lines: first the table, then its deals.",
)
@options.into_file
@click.option(
    "--store",
    metavar="PATH|URL",
    help="Read a table from the service's store (its file, folder or URL) instead of files.",
)
@options.data_path
@click.option("--table", metavar="ID", help="The table to export from the store.")
@click.option("--deal", metavar="ID", help="Export this deal of the store instead, as JSON Lines.")
@click.option("--all", "everything", is_flag=True, help="Export the whole store, as JSON Lines.")
@click.option("--proof", metavar="FILE", help="Also write a proof of the logs, for spadille verify.")
@options.rules
@options.style
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
    style: TextStyle,
) -> None:
    """Export a table's deals as a sheet of slips, one row per deal.

    FILE is a log (JSON Lines or the notation), or - for standard input. The files hold the table's log and
    those of its deals, in any order. What does not fit on a slip is reported and left out.

    --all exports the whole store as JSON Lines: the club's own rulesets, each table with its deals, and each
    single deal. spadille import-slips --store makes the same records in another store. A damaged record is
    named and left out.
    """
    place = optional_store_location(store, data)
    if place is None and not files and (everything or deal is not None or table is not None):
        place = configured_store_location()
    _check_options(ctx, place)
    store_files = () if place is None else options.data_file_names(place.file)
    for target in (into, proof):
        require_not_an_input(target, (*files, *rules_files, *store_files))
    is_complete = True
    if place is None or (not everything and deal is None):
        book = options.load_rule_book(rules_files)
        if place is None:
            is_complete = _export_files(files, book, output, into, style.lang)
        else:
            _export_table(place, table, book, output, into, proof, style.lang)
    elif deal is not None:
        _export_deal(place, deal, into, proof)
    elif not _export_everything(place, into):
        ctx.exit(EXIT_FAULTY)
    ctx.exit(EXIT_SOUND if is_complete else EXIT_UNREADABLE)


def _check_options(ctx: click.Context, place: StoreLocation | None) -> None:
    """End the command if its options do not name one thing to export."""
    given = ctx.params
    files, table, proof, into = given["files"], given["table"], given["proof"], given["into"]
    if given["everything"]:
        if place is None or files or table or given["deal"] or proof:
            raise click.UsageError(
                "--all exports a whole store: name it with --store PATH, without a table or a file."
            )
        _require_json_lines(ctx, "--all")
    elif given["deal"] is not None:
        if place is None or files or table:
            raise click.UsageError(
                "--deal exports a deal of a store: name the store with --store PATH, and nothing else."
            )
        _require_json_lines(ctx, "--deal")
    elif bool(files) == (place is not None) or (table is None) < (place is None):
        raise click.UsageError("Name the files of a table, or a store with --store PATH --table ID.")
    elif proof is not None and (place is None or given["output"] != "jsonl"):
        raise click.UsageError("--proof proves the logs of a store: use it with --store PATH --format jsonl.")
    if into is not None and into == proof:
        raise click.UsageError("-o and --proof name the same file; give each its own.")


def _require_json_lines(ctx: click.Context, option: str) -> None:
    """End the command if it was asked for a sheet of what only JSON Lines can hold."""
    if ctx.params["output"] == "csv" and ctx.get_parameter_source("output") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"{option} writes JSON Lines; a sheet of slips holds only one table.")


def _export_files(
    files: tuple[str, ...], book: RulesetBook, output: str, into: str | None, lang: str
) -> bool:
    """Write the tables of files; return whether everything could be read."""
    inputs = Inputs(files)
    exports = []
    for one in collect_tables(inputs.read_all_logs(), book):
        names = dict.fromkeys(started.deal for started in one.table.deals)
        deals = {name: one.deals[name].log for name in names if name in one.deals}
        exports.append(TableExport(one.table_log.file, one.table_log.log, deals))
    if exports:
        write_output(_serialize(exports, book, output, lang, into), into)
    else:
        inputs.report_unreadable("The input has no table; a table's log begins with table_opened.")
    return not inputs.has_unreadable


def _export_table(
    place: StoreLocation,
    table: str | None,
    book: RulesetBook,
    output: str,
    into: str | None,
    proof: str | None,
    lang: str,
) -> None:
    """Write a table of a store, and its proof if asked."""
    # The store's libraries take a while to load; the other commands do without them.
    from service.records.club_rules import read_club_rules

    with place.open_reader() as reader:
        book = (*book, *read_club_rules(reader))
        found = _read_table(reader, place.display_name, table, book)
    # A store's logs show all hands, also of deals that are not over.
    names = {one.id: one.name for one in place.list_members()}
    write_output(_serialize([found], book, output, lang, into, names), into, private=True)
    if proof is not None:
        logs = (found.table_log, *found.deal_logs.values())
        _write_proof(place, {str(log[0].metadata.id): len(log) for log in logs}, proof)


def _read_table(reader: "EventReader", source: str, table: str | None, book: RulesetBook) -> TableExport:
    """Read a table with its deals; a service may be writing to the store."""
    from service.eventstore import UnknownStream
    from service.records.record_streams import TABLE_KIND
    from service.records.repository import read_log
    from service.records.tables import read_table

    known = [info.stream for info in reader.list_streams(kind=TABLE_KIND)]
    if table is None or table.lower() not in known:
        titles = {name: read_table(reader, name, book).opening_event.title for name in known}
        raise CommandFailed("\n".join(_describe_known_tables(table, titles)))
    name = table.lower()
    deals = {}
    for started in read_table(reader, name, book).deals:
        with suppress(UnknownStream):
            deals[started.deal] = read_log(reader, started.deal)
    return TableExport(source, read_log(reader, name), deals)


def _describe_known_tables(table: str | None, titles: Mapping[str, str | None]) -> Iterator[str]:
    question = (
        "Name a table with --table." if table is None else f"There is no table {quote_file_name(table)}."
    )
    yield f"{question} The store has {len(titles)}:" if titles else f"{question} The store has none."
    for name, title in islice(titles.items(), MAX_LISTED_TABLES):
        yield f"  {name}  {sanitize_line(title or '')}".rstrip()


def _export_deal(place: StoreLocation, deal: str, into: str | None, proof: str | None) -> None:
    """Write the log of one deal of a store, and its proof if asked."""
    from service.eventstore import UnknownStream
    from service.records.log_export import export_deal_lines

    name = deal.lower()
    try:
        with place.open_reader() as reader:
            lines = list(export_deal_lines(reader, name))
    except UnknownStream:
        raise CommandFailed(f"There is no deal {quote_file_name(deal)} in the store.") from None
    write_output(b"".join(lines), into, private=True)
    if proof is not None:
        _write_proof(place, {name: len(lines)}, proof)


def _export_everything(place: StoreLocation, into: str | None) -> bool:
    """Write all of a store, to which a service may be writing; return whether nothing is damaged."""
    from service.eventstore import StoreDamaged
    from service.records.log_export import export_store_lines

    damaged_records: list[str] = []

    def report_damaged(record: str, error: StoreDamaged) -> None:
        print_to_stderr(f"{sanitize_line(record)} is damaged and is left out: {sanitize_line(str(error))}")
        damaged_records.append(record)

    with place.open_reader() as reader, open_output(into, private=True) as out:
        for line in export_store_lines(reader, report_damaged):
            out.write(line)
    return not damaged_records


def _write_proof(place: StoreLocation, streams: Mapping[str, int], proof: str) -> None:
    """Write the proof of records of a store, each up to that many events."""
    from service.transparency.notary import open_notary
    from service.transparency.proof_files import build_inclusion_proof, serialize_inclusion_proof

    require_location_folder(place)
    with place.open_reader() as reader:
        note = open_notary(place.folder, load_settings().key, place.address).sign_checkpoint(reader)
        found = build_inclusion_proof(reader, note, streams, lambda _: True)
        content = serialize_inclusion_proof(found)
    write_output(content, proof, private=True)


def _serialize(
    exports: list[TableExport],
    book: RulesetBook,
    output: str,
    lang: str,
    into: str | None,
    member_names: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """The tables as JSON Lines, or as a sheet with names; what no slip can say is reported."""
    if output == "jsonl":
        logs = (EveningLogs(one.table_log, tuple(one.deal_logs.values())) for one in exports)
        return b"".join(line for one in logs for line in one.json_lines())
    tables = []
    for one in exports:
        deals = {name: sanitize_log(log) for name, log in one.deal_logs.items()}
        built = build_slips(sanitize_log(one.table_log), deals, book)
        if built is None:
            continue
        names = unambiguous_names(member_names, built.table.players)
        tables.append(built.table.rename_players(names))
        for what in built.omissions:
            print_to_stderr(
                f"{sanitize_line(one.source_name)}: a slip has no place for {what}; it is left out."
            )
    # A Danish spreadsheet recognizes UTF-8 only by this mark.
    mark = BYTE_ORDER_MARK if lang == "da" and into not in (None, "-") else ""
    return (mark + format_slip_sheet(tables, lang, book)).encode("utf-8", "replace")
