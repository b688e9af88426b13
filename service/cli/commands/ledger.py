"""``spadille ledger``: the evening at a table, from its log and those of its deals."""

import click

from engine.tables import Ledger, ledger
from schemas.answers.ledgers import ledger_csv, ledger_object
from service.cli.io import options
from service.cli.io.evenings import Evening, evenings
from service.cli.io.inputs import Inputs
from service.cli.io.output import emit, say
from service.cli.io.safe_group import SOUND, UNREADABLE
from service.cli.io.terminal_text import readable
from service.cli.views.deals_judged import with_deals_judged
from service.cli.views.score_sheet import score_sheet
from service.presentation.text.layout import wrapped
from service.presentation.text.put_right import PUT_RIGHT
from service.presentation.text.style import style_here


@click.command("ledger", epilog="Example: spadille ledger --lang da evening.jsonl")
@options.inputs
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="Text for people, one JSON object per table for programs, or rows for a spreadsheet.",
)
@options.rules
@options.lang
@click.pass_context
def show_ledger(
    ctx: click.Context, files: tuple[str, ...], output: str, rules_files: tuple[str, ...], lang: str | None
) -> None:
    """Say how a table stands: each deal, totals, pool, who owes whom.

    FILE is a log (JSON Lines or the notation), or - for standard input. The files hold the table's
    log and those of its deals, in any order. A deal belongs to the table that started it, by its id
    or its number.
    """
    inputs, style, book = Inputs(files), style_here(lang), options.book_from(ctx, rules_files)
    logs = (one if output == "json" else one._replace(log=readable(one.log)) for one in inputs.logs())
    found = evenings(logs, book)
    if not found:
        inputs.refuse("There is no table here; the log of a table begins with table_opened.")
    for number, evening in enumerate(found):
        told = ledger(evening.log.log, evening.deals, book)
        if told is None:
            continue
        told, mistaken = with_deals_judged(told, evening.logs, book)
        if output == "json":
            emit(_answer(evening, told))
        elif output == "csv":
            click.echo(("\n" if number else "") + ledger_csv(told, "\n"), nl=False)
        else:
            hint = ["", *wrapped(PUT_RIGHT["see_audit"][style.lang], style.width)] if mistaken else []
            say([*score_sheet(evening, told, style), *hint, ""], style)
    ctx.exit(UNREADABLE if inputs.unreadable else SOUND)


def _answer(evening: Evening, told: Ledger) -> dict[str, object]:
    opened = evening.table.opened
    return {
        "file": evening.log.file,
        "table": evening.log.number,
        "title": opened.title,
        **ledger_object(told),
    }
