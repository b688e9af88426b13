"""``spadille audit``: the report on a deal, for a person who has to judge it."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, ClassVar, Final

import click

from engine import fold_all, initial_state, view
from engine.audit_report import AuditReport
from engine.core.log import Log
from engine.rulesets import RulesetBook
from engine.tables.rescoring import OtherRules, replace_rules, rescore_evening, score_with_rules
from engine.tables.table_report import TableReport, compile_table_report
from schemas.answers.audits import audit_object
from schemas.answers.hidden_cards import odds_object
from schemas.answers.states import score_object
from schemas.answers.table_audits import table_audit_object
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.logs.deal_size import DealTooLarge
from schemas.rulesets.other_rules_text import format_rules_text
from service.cli.io import options
from service.cli.io.bulk_run import LogProcessor, LogResults
from service.cli.io.deals import PointOptions, deal_location, deals_at_point, table_title
from service.cli.io.inputs import MAX_MEMORY_BYTES, InputLog, Inputs, RereadableStdin
from service.cli.io.output import (
    OutputData,
    ProgressOutput,
    format_json_line,
    format_lines,
    open_output,
    require_not_an_input,
    write_output,
)
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND, print_to_stderr
from service.cli.io.terminal_text import sanitize_log
from service.cli.views.deal_reports import deal_report_lines, original_seqs
from service.cli.views.odds import OddsOptions, compute_deal_odds
from service.cli.views.table_reports import table_report_lines
from service.presentation.i18n.dates import format_day
from service.presentation.text.score_lines import rescored_deal_lines
from service.presentation.text.style import TextStyle
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.log_grouping import TableLogs, group_logs, is_table_log

_REPORT_TERMINATOR: Final = "\0"
"""Ends each HTML report: no text of a log has it."""


@click.command(epilog="Example: spadille audit --lang da belinda-as-printed")
@options.choose_format(
    "text",
    "json",
    "html",
    description="Text for people, one JSON object per line for programs, or one HTML file to print and sign.",
)
@options.into_file
@options.viewer
@options.rules
@click.option(
    "--samples",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="If cards are hidden, sample N deals to estimate what each play cost.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    default=1,
    help="The seed of the sample: another number draws other deals.  [default: 1]",
)
@options.rescore_with
@options.bulk
@options.style
@options.deal_run
def audit(
    run: options.DealRun, into: str | None, samples: int | None, seed: int, rescore_with: str | None
) -> int:
    """Report on deals and tables for a director.

    A deal's report shows the play, the findings, the rulings, what is due and what was paid. A table's report
    follows the reports of its deals. FILE is a log (JSON Lines or the notation), the name of a library deal,
    or - for standard input. The exit status is that of validate.
    """
    is_resumed = run.resume_after is not None
    if is_resumed and into not in (None, "-"):
        raise click.UsageError(
            "--resume-after appends to the file of an interrupted run, but -o starts a new file. Leave "
            "out -o and append with >>."
        )
    if samples is not None and run.output == "html":
        raise click.UsageError(
            "--samples works only with --format text or json. Leave it out, or leave out --format html."
        )
    if run.output == "html" and rescore_with is not None:
        raise click.UsageError(
            "--rescore-with works only with --format text or json. Leave it out, or leave out --format html."
        )
    require_not_an_input(into, (*run.files, *run.rules_files))
    book, style = run.load_book(), run.style
    other_rules = options.parse_other_rules(rescore_with, book)
    processor: ReportProcessor
    output_context: AbstractContextManager[BinaryIO | None]
    if run.output == "html":
        processor = HtmlReportProcessor(run.viewer, book, False, style.lang, has_all_deals=not is_resumed)
        output_context = _collect_html_reports(into, style.lang)
    else:
        odds_options = None if samples is None else OddsOptions(samples, seed)
        style = style if into is None else replace(style, colour=False)
        processor = TextReportProcessor(run.viewer, book, run.for_terminal, style, odds_options, other_rules)
        output_context = nullcontext() if into is None else open_output(into)
    with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as spool, output_context as out:
        stdin = RereadableStdin(spool)
        result = run.process(processor, out, stdin.open_first)
        is_sound = not result.counts.get("faulty", 0)
        if is_resumed or result.counts.get("tables", 0):
            table_inputs = Inputs(run.files, write_message=lambda _: None, open_stdin=stdin.reopen)
            is_sound = _write_table_reports(table_inputs, processor, out) and is_sound
    return result.exit_status or (EXIT_SOUND if is_sound else EXIT_FAULTY)


def _write_table_reports(inputs: Inputs, processor: "ReportProcessor", sink: BinaryIO | None) -> bool:
    """Write the reports on the tables among the inputs; return whether all are sound."""
    found = group_logs(inputs.read_all_logs(), processor.book)
    for one in found.duplicate_deals:
        print_to_stderr(
            f"{deal_location(one)}: this deal appears twice; only the first one counts at its table."
        )
    output, is_sound = ProgressOutput(sink=sink), True
    for evening in found.tables:
        is_table_sound, report = processor.render_table(evening)
        is_sound = is_table_sound and is_sound
        output.write(report)
    return is_sound


@dataclass(frozen=True, slots=True)
class ReportProcessor(LogProcessor):
    """Reports on each deal, from what ``viewer`` may know, and counts it as sound or faulty.

    The log of a table is only counted: its report needs all of its deals.
    """

    viewer: str
    book: RulesetBook
    for_terminal: bool
    includes_tables: ClassVar[bool] = True

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """The report of each deal."""
        tables = Counter[str]()
        deals, point = _skip_tables(logs, tables), PointOptions(None, None, self.viewer, self.book)
        for deal, deal_point in deals_at_point(
            deals, inputs.report_unreadable, point, self.for_terminal, has_size_limit=True
        ):
            report = deal_point.report
            yield self.render_deal(deal, report, inputs), {"sound" if report.audit.ok else "faulty": 1}
        if tables:
            yield (), tables

    @abstractmethod
    def render_deal(self, deal: InputLog, report: AuditReport, inputs: Inputs) -> Iterable[OutputData]:
        """The report of a deal."""

    @abstractmethod
    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report."""

    def redact_log(self, log: Log) -> Log:
        """What the viewer may know of a log, safe for a terminal where it is shown on one."""
        return view(sanitize_log(log) if self.for_terminal else log, VIEWERS_BY_NAME[self.viewer])

    def redact_table(self, table_logs: TableLogs[InputLog]) -> tuple[Log, dict[str, Log]]:
        """What the viewer may know of a table's log, and of those of its deals."""
        deals = {name: self.redact_log(deal.log) for name, deal in table_logs.deals.items()}
        return self.redact_log(table_logs.table_log.log), deals


def _skip_tables(logs: Iterable[InputLog], counts: Counter[str]) -> Iterator[InputLog]:
    for one in logs:
        if is_table_log(one.log):
            counts["tables"] += 1
        else:
            yield one


def _compile_table_report(table_log: Log, deals: dict[str, Log], book: RulesetBook) -> TableReport:
    report = compile_table_report(table_log, deals, book)
    assert report is not None  # the log is one of a table, which says how it was opened
    return report


@dataclass(frozen=True, slots=True)
class TextReportProcessor(ReportProcessor):
    """Reports as text or JSON; ``other_rules`` score each deal again."""

    style: TextStyle
    odds_options: OddsOptions | None
    other_rules: OtherRules | None

    def render_deal(self, deal: InputLog, report: AuditReport, inputs: Inputs) -> Iterator[OutputData]:
        """The report of a deal."""
        odds = None
        if self.odds_options is not None:
            odds = compute_deal_odds(report.likeliest_audit, self.odds_options, original_seqs(report))
        if self.for_terminal:
            lines = deal_report_lines(deal, report, odds, self.style)
            yield format_lines([*lines, *self._rescored_lines(report), ""], self.style)
            return
        try:
            obj = audit_object(report)
        except DealTooLarge as error:
            inputs.report_unreadable(f"{deal_location(deal)}: {error}")
            return
        if odds is not None:
            obj["likely"] = odds_object(*odds)
        if self.other_rules is not None:
            obj["rescored"] = score_object(score_with_rules(report.log, self.other_rules, self.book))
        yield format_json_line({"file": deal.file, "deal": deal.number, **obj})

    def _rescored_lines(self, report: AuditReport) -> Iterator[str]:
        """What the deal would pay by the other rules."""
        if self.other_rules is None:
            return
        heading = self.style.phrase("By other rules: {rules}", rules=format_rules_text(self.other_rules))
        log = replace_rules(report.log, self.other_rules, self.book)
        state = fold_all(log, initial_state(self.book))
        yield from ("", self.style.bold(heading), *rescored_deal_lines(report.audit, state, self.style))

    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report."""
        log, deals = self.redact_table(table_logs)
        report, other_rules = _compile_table_report(log, deals, self.book), self.other_rules
        rescoring = other_rules and rescore_evening(log, deals, other_rules, self.book)
        table = table_logs.table_log
        if self.for_terminal:
            title = table_title(table_logs.table, table.file, self.style)
            lines = table_report_lines(report, title, self.style, other_rules, rescoring)
            return report.ok, format_lines([*lines, ""], self.style)
        obj = table_audit_object(report, SOURCE_LANGUAGE, other_rules, rescoring)
        return report.ok, format_json_line({"file": table.file, "table": table.number, **obj})


@dataclass(frozen=True, slots=True)
class HtmlReportProcessor(ReportProcessor):
    """Reports as parts of one HTML file.

    ``has_all_deals``: whether the file has the reports on all deals, so that a table's can link to them.
    """

    lang: str
    has_all_deals: bool

    def render_deal(self, deal: InputLog, report: AuditReport, inputs: Inputs) -> Iterator[OutputData]:
        """The report of a deal."""
        # Templates take a while to load; most commands do without them.
        from service.http.web.standalone_file import DEAL_TEMPLATE, render_report_article
        from service.presentation.reports.attestation import build_unattested_record
        from service.presentation.reports.deal_article import ArticleContext, build_deal_article

        attestation = build_unattested_record(report.log, deal_location(deal, TextStyle(self.lang)))
        article = build_deal_article(report, self.lang, ArticleContext(attestation))
        anchor = _report_anchor(report.log)
        yield render_report_article(DEAL_TEMPLATE, article, self.lang, anchor) + _REPORT_TERMINATOR

    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report."""
        from service.http.web.standalone_file import REPORT_ANCHOR, TABLE_TEMPLATE, render_report_article
        from service.presentation.reports.table_article import TableArticleContext, build_table_article

        log, deals = self.redact_table(table_logs)
        report, record = _compile_table_report(log, deals, self.book), table_logs.table_log.log[0].metadata
        opened = table_logs.table.opening_event.date or record.recorded_at or record.stored_at
        about = TableArticleContext(
            table_title(table_logs.table, table_logs.table_log.file, TextStyle(self.lang)),
            format_day(opened, self.lang) if opened else "",
            report_url=(lambda name: f"#{_report_anchor(deals[name])}{REPORT_ANCHOR}")
            if self.has_all_deals
            else None,
        )
        article = build_table_article(report, self.lang, about)
        html = render_report_article(TABLE_TEMPLATE, article, self.lang, _report_anchor(log))
        return report.ok, html + _REPORT_TERMINATOR


def _report_anchor(log: Log) -> str:
    """What the anchors of a report begin with: the beginning of the digest of its log."""
    from service.presentation.reports.attestation import build_unattested_record

    return f"{build_unattested_record(log, '').digest[:8]}-"


@contextmanager
def _collect_html_reports(output_path: str | None, lang: str) -> Iterator[BytesIO]:
    """Collect reports, then write one file of all of them; none if there is no report."""
    from service.http.web.standalone_file import render_report_file

    collected = BytesIO()
    yield collected
    if articles := collected.getvalue().decode().split(_REPORT_TERMINATOR)[:-1]:
        write_output(render_report_file(articles, lang).encode(), output_path)
