"""``spadille ledger``: the evening at a table, from its log and those of its deals."""

import click

from engine.tables import Ledger, compute_ledger
from schemas.answers.ledgers import format_ledger_csv, ledger_object
from schemas.i18n.catalogs import gettext
from service.cli.io import options
from service.cli.io.deals import FoldedTable, fold_tables
from service.cli.io.inputs import Inputs
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE
from service.cli.io.terminal_text import sanitize_log
from service.cli.views.audited_ledger import audit_ledger_deals
from service.cli.views.score_sheet import score_sheet_lines
from service.presentation.text.findings import SUGGESTION_PHRASES
from service.presentation.text.layout import wrap_text


@click.command("ledger", epilog="Example: spadille ledger --lang da evening.jsonl")
@options.choose_format(
    "text",
    "json",
    "csv",
    description="Text for people, one JSON object per table for programs, or rows for a spreadsheet.",
)
@options.rules
@options.style
@options.deal_run
def show_ledger(run: options.DealRun) -> int:
    """Say how a table stands: each deal, totals, pool, who owes whom.

    FILE is a log (JSON Lines or the notation), or - for standard input. The files hold the table's
    log and those of its deals, in any order. A deal belongs to the table that started it, by its id
    or its number.
    """
    inputs, book, style = Inputs(run.files), run.load_book(), run.style
    logs = inputs.read_all_logs()
    if run.output != "json":
        logs = (one._replace(log=sanitize_log(one.log)) for one in logs)
    found = fold_tables(logs, book)
    if not found:
        inputs.report_unreadable("There is no table here; the log of a table begins with table_opened.")
    for number, evening in enumerate(found):
        ledger = compute_ledger(evening.table_log.log, evening.deals, book)
        if ledger is None:
            continue
        ledger, has_mistakes = audit_ledger_deals(ledger, evening.deal_logs, book)
        if run.output == "json":
            print_json_line(_ledger_json_object(evening, ledger))
        elif run.output == "csv":
            click.echo(("\n" if number else "") + format_ledger_csv(ledger, "\n"), nl=False)
        else:
            hint = (
                ["", *wrap_text(gettext(SUGGESTION_PHRASES["see_audit"], style.lang), style.width)]
                if has_mistakes
                else []
            )
            print_lines([*score_sheet_lines(evening, ledger, style), *hint, ""], style)
    return EXIT_UNREADABLE if inputs.has_unreadable else EXIT_SOUND


def _ledger_json_object(folded_table: FoldedTable, ledger: Ledger) -> dict[str, object]:
    opening_event = folded_table.table.opening_event
    return {
        "file": folded_table.table_log.file,
        "table": folded_table.table_log.number,
        "title": opening_event.title,
        **ledger_object(ledger),
    }
