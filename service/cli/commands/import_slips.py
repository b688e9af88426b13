"""``spadille import-slips``: make tables of slips kept in a spreadsheet, and records of logs."""

from pathlib import Path

import click

from schemas.spreadsheet.cells import parted
from schemas.spreadsheet.logs import logs_of
from schemas.spreadsheet.reading import SheetRead, read_slips
from schemas.spreadsheet.sheet import MOST_BYTES
from schemas.spreadsheet.terms import Given
from service.cli.io import options
from service.cli.io.import_into_store import import_into, is_of_logs
from service.cli.io.inputs import STANDARD_INPUT, cannot_be_read, quoted, standard_input
from service.cli.io.output import into as into_file
from service.cli.io.output import write
from service.cli.io.safe_group import SOUND, UNREADABLE, tell
from service.cli.io.stores import place_asked_for
from service.cli.io.targets import refuse_what_is_read
from service.cli.io.terminal_text import file_name, printable
from service.cli.views.import_words import SENTENCES, counted, sentence
from service.presentation.text.style import style_here

LISTED = 100
"""So many faults of a sheet are told in full; the rest is counted."""


@click.command(epilog="Example: spadille import-slips slips.csv --ruleset dlu -o evening.jsonl")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--ruleset", metavar="ID", help="The rules by which was played, such as dlu.")
@click.option(
    "--set",
    "switches",
    metavar="NAME=VALUE",
    multiple=True,
    help="A house switch that the table had agreed on; may be given again.",
)
@click.option("--title", help="What the evening is called.")
@click.option("--players", metavar="NAMES", help='Who sat there, in the order of play: "Anna, Bo, Carl".')
@click.option("--chip-value", metavar="NUMBER", help="What a chip is worth, such as 0.25.")
@click.option("--currency", help="In which money, such as kr.")
@into_file
@click.option(
    "--store",
    metavar="PATH|URL",
    help="Import into the service's store instead: its file, or its folder; the service is stopped.",
)
@click.option(
    "--data",
    type=click.Path(readable=False, path_type=Path),
    metavar="PATH",
    help="The same as --store PATH; with a URL, the folder of what lies beside it.",
)
@options.rules
@options.lang
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
    data: Path | None,
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Make a table of a club's slips, kept in a spreadsheet: one row a deal.

    FILE is a sheet as CSV, or - for standard input. Written are the logs of the table and its deals,
    as JSON Lines; with --store they become records, and FILE may then also be logs. What is said here
    goes before what stands in the sheet. The exit status is 2 if something could not be read; the
    rest is written all the same.
    """
    place = place_asked_for(ctx, store, data)
    if place is not None and into is not None:
        raise click.UsageError("Name a file with -o, or a store with --store.")
    book = options.book_from(ctx, rules_files)
    names = () if players is None else tuple(parted(players))
    given = Given(ruleset, switches, title, names, chip_value, currency)
    refuse_what_is_read(into, (*files, *rules_files))
    told_in = style_here(lang).lang
    lines: list[bytes] = []
    others: list[str] = []
    unreadable = False
    for name in files:
        if place is not None and is_of_logs(name):
            others.append(name)
            continue
        sheet = _bytes_of(name, told_in)
        if sheet is None:
            unreadable = True
            continue
        read = read_slips(sheet, given, book, told_in)
        unreadable |= _tell_all(name, read, told_in)
        lines += [line for logs in logs_of(read.tables) for line in logs.lines()]
    if place is not None:
        unreadable |= not import_into(place, others, b"".join(lines), book)
    elif lines:
        write(ctx, b"".join(lines), into)
    else:
        tell(SENTENCES["nothing"][told_in])
        unreadable = True
    ctx.exit(UNREADABLE if unreadable else SOUND)


def _bytes_of(name: str, lang: str) -> bytes | None:
    """What a file holds, a byte more than a sheet may have at most; None, told, where it cannot be read."""
    try:
        if name == STANDARD_INPUT:
            return standard_input().read(MOST_BYTES + 1)
        with open(name, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        tell(SENTENCES["no_file"][lang].format(file=quoted(name)))
    except (OSError, ValueError) as error:
        tell(cannot_be_read(name, error))
    return None


def _tell_all(name: str, read: SheetRead, lang: str) -> bool:
    """Tells what was wrong with a sheet, and what came of it; whether something could not be read."""
    shown = SENTENCES["standard_input"][lang] if name == STANDARD_INPUT else printable(file_name(name))
    for fault in read.faults[:LISTED]:
        tell(printable(sentence(shown, fault, lang)))
    if len(read.faults) > LISTED:
        tell(SENTENCES["more"][lang].format(file=shown, count=len(read.faults) - LISTED))
    deals = sum(slip.players is not None for table in read.tables for slip in table.slips)
    tell(f"{shown}: {counted(deals, len(read.tables), read.left_out, lang)}")
    return any(fault.grave for fault in read.faults)
