"""``spadille ledger``: the evening at a table, from its log and those of its deals."""

from collections.abc import Mapping

import click

from engine import Log, audit
from engine.diagnosis.explanations import has_suspected_mistake
from engine.diagnosis.finding_caveats import add_caveats
from engine.rulesets import RulesetBook
from engine.tables import Ledger, compute_ledger, fold_evening_deal
from engine.tables.evening_audit import add_pot_to_opening
from engine.tables.ledger import TableFinding
from schemas.answers.ledgers import format_ledger_csv, ledger_object
from service.cli.io import options
from service.cli.io.deals import collect_tables
from service.cli.io.inputs import Inputs
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE
from service.cli.io.terminal_text import sanitize_log
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
    """Show a table's score sheet: deals, totals, and who owes whom.

    FILE is a log (JSON Lines or the notation), or - for standard input. The files hold the table's log and
    those of its deals, in any order. A deal belongs to the table that started it, by its id or its number.
    """
    inputs, book, style = Inputs(run.files), run.load_book(), run.style
    logs = inputs.read_all_logs()
    if run.output != "json":
        logs = (one._replace(log=sanitize_log(one.log)) for one in logs)
    found = collect_tables(logs, book)
    if not found:
        inputs.report_unreadable("The input has no table; a table's log begins with table_opened.")
    for number, evening in enumerate(found):
        deal_logs = {name: deal.log for name, deal in evening.deals.items()}
        folded_deals = {name: fold_evening_deal(log, book) for name, log in deal_logs.items()}
        ledger = compute_ledger(evening.table_log.log, folded_deals, book)
        if ledger is None:
            continue
        ledger, has_mistakes = _audit_ledger_deals(ledger, deal_logs, book)
        if run.output == "json":
            place = {"file": evening.table_log.file, "table": evening.table_log.number}
            title = evening.table.opening_event.title
            print_json_line({**place, "title": title, **ledger_object(ledger)})
        elif run.output == "csv":
            click.echo(("\n" if number else "") + format_ledger_csv(ledger, "\n"), nl=False)
        else:
            lines = list(score_sheet_lines(evening.table, evening.table_log.file, ledger, style))
            if has_mistakes:
                lines += ["", *wrap_text(style.phrase(SUGGESTION_PHRASES["see_audit"]), style.width)]
            print_lines([*lines, ""], style)
    return EXIT_UNREADABLE if inputs.has_unreadable else EXIT_SOUND


def _audit_ledger_deals(
    ledger: Ledger, deal_logs: Mapping[str, Log], book: RulesetBook
) -> tuple[Ledger, bool]:
    """Add what each deal breaks by itself; return also whether an input slip may explain some of it.

    The ledger of the API leaves this out: findings show cards, and not every reader of a ledger may see them.
    """
    findings, has_mistakes = dict.fromkeys(ledger.findings), False
    for deal, line in {line.deal: line for line in ledger.lines}.items():
        if deal is not None and deal in deal_logs:
            audited = audit(add_pot_to_opening(deal_logs[deal], line), book)
            found = [one for one in add_caveats(audited) if one.severity != "info"]
            findings |= dict.fromkeys(TableFinding(deal, one) for one in found)
            has_mistakes = has_mistakes or has_suspected_mistake(audited)
    return ledger._replace(findings=tuple(findings)), has_mistakes
