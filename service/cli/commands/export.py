"""``spadille export``: a table and its deals as a sheet of slips, or as one file of JSON Lines."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click
from click.core import ParameterSource

from engine import Log
from engine.rulesets import RulesetBook
from engine.tables import fold_table
from schemas.spreadsheet.sheet_writer import format_slip_sheet
from schemas.spreadsheet.slip_logs import EveningLogs, build_slips
from service.cli.io import options
from service.cli.io.deals import fold_tables
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

BYTE_ORDER_MARK = "\ufeff"
"""By it a spreadsheet knows a file to be UTF-8."""
MAX_LISTED_TABLES = 20


class TableExport(NamedTuple):
    """A table's log with those of its deals, by the names by which it started them.

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
    description="A sheet of slips, or the logs as JSON Lines: the table first, then its deals.",
)
@options.into_file
@click.option(
    "--store",
    metavar="PATH|URL",
    help="Read a table of the service's store instead of files: its file, or its folder.",
)
@options.data_path
@click.option("--table", metavar="ID", help="Which table of the store.")
@click.option("--deal", metavar="ID", help="Which deal of the store instead, as JSON Lines.")
@click.option("--all", "everything", is_flag=True, help="All of the store, as JSON Lines.")
@click.option("--proof", metavar="FILE", help="With what proves the logs, for spadille verify.")
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
    """Write a table's deals as a sheet of slips, one row a deal.

    FILE is a log (JSON Lines or the notation), or - for standard input. The files hold the table's
    log and those of its deals, in any order. What a slip has no place for is told, and left out.

    With --all it is the whole store instead, as JSON Lines: the club's own rulesets, every table with its
    deals, and every deal alone. spadille import-slips --store makes the same records in another store. A
    damaged record is named and left out.
    """
    place = optional_store_location(store, data)
    if place is None and not files and (everything or deal is not None or table is not None):
        place = configured_store_location()
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
    store_files = () if place is None else options.data_file_names(place.file)
    for target in (into, proof):
        require_not_an_input(target, (*files, *rules_files, *store_files))
    book = options.load_rule_book(rules_files)
    inputs = Inputs(files)
    if place is None:
        tables = fold_tables(inputs.read_all_logs(), book)
        found = [TableExport(one.table_log.file, one.table_log.log, one.deal_logs) for one in tables]
        if not found:
            inputs.report_unreadable("There is no table here; the log of a table begins with table_opened.")
    else:
        from service.records.club_rules import read_club_rules

        with place.open_reader() as reader:
            book = (*book, *read_club_rules(reader))
        found = _read_table_in_store(ctx, place, table, book)
    if found:
        content = (
            _serialize_json_lines(found, book)
            if output == "jsonl"
            else _build_slip_sheet(found, book, style.lang, into)
        )
        # What comes out of a store has all hands in it, also of deals that are not over.
        write_output(content, into, private=place is not None)
        if proof is not None and place is not None:
            logs = (found[0].table_log, *found[0].deal_logs.values())
            proof_bytes = _build_proof_bytes(place, {str(log[0].metadata.id): len(log) for log in logs})
            write_output(proof_bytes, proof, private=True)
    ctx.exit(EXIT_UNREADABLE if inputs.has_unreadable else EXIT_SOUND)


def _export_everything(
    ctx: click.Context, place: StoreLocation | None, output_path: str | None, has_other_options: bool
) -> None:
    """Writes all of a store, which the service may be writing to meanwhile."""
    if place is None or has_other_options:
        raise click.UsageError("--all is a whole store: name it with --store PATH, and no table or file.")
    _require_json_lines(ctx, "--all")
    from service.eventstore import StoreDamaged
    from service.records.log_export import export_store_lines

    require_not_an_input(output_path, options.data_file_names(place.file))
    damaged_records: list[str] = []

    def report_damaged(record: str, error: StoreDamaged) -> None:
        print_to_stderr(f"{sanitize_line(record)} is damaged, and is left out: {sanitize_line(str(error))}")
        damaged_records.append(record)

    with place.open_reader() as reader, open_output(output_path, private=True) as out:
        for line in export_store_lines(reader, report_damaged):
            out.write(line)
    ctx.exit(EXIT_FAULTY if damaged_records else EXIT_SOUND)


def _require_json_lines(ctx: click.Context, option: str) -> None:
    """Ends the command where what is written as JSON Lines is asked for as a sheet."""
    if ctx.params["output"] == "csv" and ctx.get_parameter_source("output") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"{option} writes JSON Lines; a sheet of slips is that of one table.")


def _export_deal(
    ctx: click.Context,
    place: StoreLocation | None,
    deal: str,
    output_path: str | None,
    proof: str | None,
    has_other_options: bool,
) -> None:
    """Writes the log of one deal of a store, at a table or alone, and what proves it where that is asked."""
    if place is None or has_other_options:
        raise click.UsageError("--deal is a deal of a store: name that with --store PATH, and nothing else.")
    _require_json_lines(ctx, "--deal")
    if output_path is not None and output_path == proof:
        raise click.UsageError("-o and --proof name the same file; name two.")
    from service.eventstore import UnknownStream
    from service.records.log_export import export_deal_lines

    for target in (output_path, proof):
        require_not_an_input(target, options.data_file_names(place.file))
    name = deal.lower()
    try:
        with place.open_reader() as reader:
            lines = list(export_deal_lines(reader, name))
    except UnknownStream:
        raise CommandFailed(f"There is no deal {quote_file_name(deal)} in the store.") from None
    write_output(b"".join(lines), output_path, private=True)
    if proof is not None:
        write_output(_build_proof_bytes(place, {name: len(lines)}), proof, private=True)


def _read_table_in_store(
    ctx: click.Context, place: StoreLocation, table: str | None, book: RulesetBook
) -> list[TableExport]:
    """A table of the service's store, which another process may be writing to meanwhile."""
    # The store's libraries take a while to load; the other commands do without them.
    from service.eventstore import UnknownStream
    from service.records.record_streams import TABLE_KIND
    from service.records.repository import read_log
    from service.records.tables import read_table

    with place.open_reader() as reader:
        known = [info.stream for info in reader.list_streams(kind=TABLE_KIND)]
        if table is None or table.lower() not in known:
            _print_known_tables(
                table, [(name, read_table(reader, name, book).opening_event.title) for name in known]
            )
            ctx.exit(EXIT_UNREADABLE)
        name = table.lower()
        deals = {}
        for started in read_table(reader, name, book).deals:
            try:
                deals[started.deal] = read_log(reader, started.deal)
            except UnknownStream:
                continue
        return [TableExport(place.display_name, read_log(reader, name), deals)]


def _build_proof_bytes(place: StoreLocation, streams: Mapping[str, int]) -> bytes:
    """What proves records of a store, each up to that many events."""
    from service.transparency.notary import open_notary
    from service.transparency.proof_files import build_inclusion_proof, serialize_inclusion_proof

    require_location_folder(place)
    with place.open_reader() as reader:
        note = open_notary(place.folder, load_settings().key, place.address).sign_checkpoint(reader)
        return serialize_inclusion_proof(build_inclusion_proof(reader, note, streams, lambda _: True))


def _print_known_tables(table: str | None, known: list[tuple[str, str | None]]) -> None:
    question = (
        "Say which table with --table." if table is None else f"There is no table {quote_file_name(table)}."
    )
    print_to_stderr(f"{question} The store has {len(known)}:" if known else f"{question} The store has none.")
    for name, title in known[:MAX_LISTED_TABLES]:
        print_to_stderr(f"  {name}  {sanitize_line(title or '')}".rstrip())


def _serialize_json_lines(exports: list[TableExport], book: RulesetBook) -> bytes:
    return b"".join(
        line
        for one in exports
        for line in EveningLogs(one.table_log, tuple(_deals_in_order(one, book))).json_lines()
    )


def _deals_in_order(one: TableExport, book: RulesetBook) -> Iterator[Log]:
    """The deals of a table in the order in which it started them."""
    table = fold_table(one.table_log, book)
    started = () if table is None else table.deals
    yield from (
        one.deal_logs[name] for name in dict.fromkeys(deal.deal for deal in started) if name in one.deal_logs
    )


def _build_slip_sheet(exports: list[TableExport], book: RulesetBook, lang: str, into: str | None) -> bytes:
    """A sheet of all tables; what no slip can say is told."""
    tables = []
    for one in exports:
        built = build_slips(
            sanitize_log(one.table_log),
            {name: sanitize_log(log) for name, log in one.deal_logs.items()},
            book,
        )
        if built is None:
            continue
        tables.append(built.table)
        for what in built.omissions:
            print_to_stderr(
                f"{sanitize_line(one.source_name)}: a sheet of slips has no place for {what}; it is left out."
            )
    # A Danish spreadsheet opens a file of UTF-8 as what it is only where it is marked.
    mark = BYTE_ORDER_MARK if lang == "da" and into not in (None, "-") else ""
    return (mark + format_slip_sheet(tables, lang, book)).encode("utf-8", "replace")
