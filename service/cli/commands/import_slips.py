"""``spadille import-slips``: make tables of slips kept in a spreadsheet, and records of logs."""

from pathlib import Path

import click

from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.cell_parsers import split_at_commas
from schemas.spreadsheet.csv_sheet_file import MAX_SHEET_BYTES
from schemas.spreadsheet.sheet_messages import column_letters
from schemas.spreadsheet.sheet_reader import SlipSheet, read_slip_sheet
from schemas.spreadsheet.slip import SlipFault
from schemas.spreadsheet.slip_logs import build_evening_logs
from service.cli.io import options
from service.cli.io.inputs import STDIN_NAME, binary_stdin, format_read_error, quote_file_name
from service.cli.io.output import require_not_an_input, write_output
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE, print_to_stderr
from service.cli.io.sheet_import import ADD, CORRECT, SheetTable
from service.cli.io.store_import import import_files_into_store, is_log_file_name
from service.cli.io.store_location import optional_store_location
from service.cli.io.terminal_text import decode_file_name, sanitize_line
from service.presentation.text.style import TextStyle

MAX_LISTED_FAULTS = 20
"""How many faults of a sheet are listed; the rest is counted."""


@click.command(epilog="Example: spadille import-slips slips.csv --ruleset dlu -o evening.jsonl")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--ruleset", metavar="ID", help="The rules that were played, such as dlu.")
@click.option(
    "--set",
    "switches",
    metavar="NAME=VALUE",
    multiple=True,
    help="A house switch that the table agreed on. Repeatable.",
)
@click.option("--title", help="The title of the evening.")
@click.option("--players", metavar="NAMES", help='The players in the order of play: "Anna, Bo, Carl".')
@click.option("--chip-value", metavar="NUMBER", help="What a chip is worth, such as 0.25.")
@click.option("--currency", help="The currency, such as kr.")
@options.into_file
@click.option(
    "--store",
    metavar="PATH|URL",
    help="Import into the service's store (its file, folder or URL) instead.",
)
@click.option(
    "--again",
    type=click.Choice([CORRECT, ADD]),
    help="Correct an evening that is already there with other slips, or add another one.",
)
@options.data_path
@options.rules
@options.style
@click.pass_context
def import_slips(
    ctx: click.Context,
    files: tuple[str, ...],
    ruleset: str | None,
    switches: tuple[str, ...],
    title: str | None,
    players: str | None,
    chip_value: str | None,
    currency: str | None,
    into: str | None,
    store: str | None,
    again: str | None,
    data: Path | None,
    rules_files: tuple[str, ...],
    style: TextStyle,
) -> None:
    """Import a club's slips from a spreadsheet, one row per deal.

    FILE is a sheet as CSV, or - for standard input. The command writes the logs of the table and its deals as
    JSON Lines. With --store it records them instead, and FILE can also be a log. An option overrides what the
    sheet says. An evening of the same title, date and players that is already in the store is compared; only
    --again changes it. The exit status is 2 if something could not be read (the rest is still imported), and
    1 if an evening was left as it was.
    """
    place = optional_store_location(store, data)
    if place is not None and into is not None:
        raise click.UsageError("Name the output with -o, or a store with --store.")
    book = options.load_rule_book(rules_files)
    stated = {"ruleset": ruleset, "title": title, "chip value": chip_value, "currency": currency}
    overrides = {setting: [value] for setting, value in stated.items() if value is not None}
    overrides |= {"switches": [*switches], "players": split_at_commas(players or "")}
    require_not_an_input(into, (*files, *rules_files))
    if again is not None and place is None:
        raise click.UsageError("--again is for a store: name it with --store or --data.")
    sheets: list[SheetTable] = []
    file_names: list[str] = []
    unreadable = False
    for name in files:
        if place is not None and is_log_file_name(name):
            file_names.append(name)
            continue
        sheet = _read_sheet_bytes(name, style.lang)
        if sheet is None:
            unreadable = True
            continue
        result = read_slip_sheet(sheet, overrides, book, style.lang)
        unreadable |= _print_sheet_faults(name, result, style.lang)
        sheets += (SheetTable(decode_file_name(name), table) for table in result.tables)
    if place is not None:
        status = import_files_into_store(place, file_names, sheets, book, again, style.lang)
        ctx.exit(EXIT_UNREADABLE if unreadable else status)
    evenings = build_evening_logs([sheet.table for sheet in sheets])
    if evenings:
        write_output(b"".join(line for logs in evenings for line in logs.json_lines()), into)
    else:
        print_to_stderr(
            gettext("Nothing was written: the input has no deal and no table that can be read.", style.lang)
        )
        unreadable = True
    ctx.exit(EXIT_UNREADABLE if unreadable else EXIT_SOUND)


def _read_sheet_bytes(name: str, lang: str) -> bytes | None:
    """The bytes of a file, at most one more than a sheet may have; None if it cannot be read."""
    try:
        if name == STDIN_NAME:
            return binary_stdin().read(MAX_SHEET_BYTES + 1)
        with open(name, "rb") as file:
            return file.read(MAX_SHEET_BYTES + 1)
    except FileNotFoundError:
        print_to_stderr(gettext("There is no file {file}.", lang).format(file=quote_file_name(name)))
    except (OSError, ValueError) as error:
        print_to_stderr(format_read_error(name, error))
    return None


def _print_sheet_faults(name: str, read: SlipSheet, lang: str) -> bool:
    """Print the faults of a sheet and its counts; return whether something could not be read."""
    display_name = (
        gettext("standard input", lang) if name == STDIN_NAME else sanitize_line(decode_file_name(name))
    )
    faults = sorted(read.faults, key=lambda fault: not fault.loses_data)
    for fault in faults[:MAX_LISTED_FAULTS]:
        print_to_stderr(sanitize_line(_format_slip_fault(display_name, fault, lang)))
    if len(faults) > MAX_LISTED_FAULTS:
        print_to_stderr(
            gettext("{file}: {count} more such problems.", lang).format(
                file=display_name, count=len(faults) - MAX_LISTED_FAULTS
            )
        )
    deals = sum(slip.players is not None for table in read.tables for slip in table.slips)
    print_to_stderr(
        f"{display_name}: {_format_import_counts(deals, len(read.tables), read.omitted_rows, lang)}"
    )
    return any(fault.loses_data for fault in faults)


def _format_slip_fault(file: str, fault: SlipFault, lang: str) -> str:
    """A fault with its place as the spreadsheet shows it."""
    place = "" if fault.deal is None else gettext(", deal {deal}", lang).format(deal=fault.deal)
    place += gettext(", row {row}", lang).format(row=fault.row) if fault.row else ""
    if fault.column:
        place += gettext(", column {column}", lang).format(column=column_letters(fault.column))
    heading = f" ({fault.heading})" if fault.heading else ""
    return f"{file}{place}{heading}: {fault.message}"


def _format_import_counts(deals: int, tables: int, omitted: int, lang: str) -> str:
    """The numbers of deals, tables and unreadable rows of a sheet."""
    left_out = ""
    if omitted:
        rows = gettext("{count} row" if omitted == 1 else "{count} rows", lang).format(count=omitted)
        left_out = gettext("; {rows} left out", lang).format(rows=rows)
    return gettext("{deals} at {tables}{left_out}.", lang).format(
        deals=gettext("{count} deal" if deals == 1 else "{count} deals", lang).format(count=deals),
        tables=gettext("{count} table" if tables == 1 else "{count} tables", lang).format(count=tables),
        left_out=left_out,
    )
