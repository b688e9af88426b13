"""Reports on deals and tables as one file of HTML, to be signed: ``spadille audit --format html``."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import ClassVar

from engine.audit_report import build_audit_report
from engine.rulesets import RulesetBook
from service.cli.io.audited_deals import expand_deals, skip_oversized_deals
from service.cli.io.deal_titles import deal_location, table_title
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.log_processor import Counts, LogProcessor
from service.cli.io.output import OutputData, write_output
from service.cli.views.table_reports import TableReporter, skip_tables
from service.presentation.i18n.dates import format_day
from service.presentation.text.style import TextStyle
from service.records.log_grouping import TableLogs

_REPORT_TERMINATOR = "\0"
"""Behind each report: it stands in no text of a log."""


@dataclass(frozen=True, slots=True)
class HtmlReportProcessor(LogProcessor):
    """What ``audit`` does with a deal for such a file: it reports, and counts it as sound or faulty.

    A table's log is counted only: its report takes all of its deals. ``has_all_deals``: whether the file has
    the reports on all deals that are read, so that a table's can lead to them.
    """

    viewer: str
    book: RulesetBook
    lang: str
    has_all_deals: bool
    includes_tables: ClassVar[bool] = True

    def process(
        self, logs: Iterable[InputLog], inputs: Inputs
    ) -> Iterator[tuple[Iterable[OutputData], Counts]]:
        """The report of each deal, as a part of the file."""
        # What draws pages takes a while to load; most commands do without it.
        from service.http.web.report_file import render_report_article
        from service.presentation.reports.attestation import build_unattested_record
        from service.presentation.reports.deal_article import ArticleContext

        tables = Counter[str]()
        deals = expand_deals(skip_tables(logs, tables), self.viewer, for_terminal=False)
        for deal, course in skip_oversized_deals(deals, inputs.report_unreadable):
            audit_report = build_audit_report(course, self.book)
            attestation = build_unattested_record(course, deal_location(deal, TextStyle(self.lang)))
            html = render_report_article(
                audit_report, self.lang, ArticleContext(attestation), f"{attestation.digest[:8]}-"
            )
            yield [html + _REPORT_TERMINATOR], {"sound" if audit_report.audit.ok else "faulty": 1}
        yield (), tables

    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report, as a part of the file."""
        from service.http.web.report_file import REPORT_ANCHOR, render_table_report_article
        from service.presentation.reports.attestation import build_unattested_record
        from service.presentation.reports.table_article import TableArticleContext

        audits = TableReporter(self.viewer, self.book, None)
        table_report, record = audits.build_report(table_logs), table_logs.table_log.log[0].metadata

        def begins(deal: InputLog) -> str:
            return (
                f"{build_unattested_record(audits.redact_log(deal.log, for_terminal=False), '').digest[:8]}-"
            )

        recorded_at = record.recorded_at or record.stored_at
        about = TableArticleContext(
            table_title(table_logs.table, table_logs.table_log.file, TextStyle(self.lang)),
            format_day(recorded_at, self.lang) if recorded_at else "",
            report_url=(lambda name: f"#{begins(table_logs.deals[name])}{REPORT_ANCHOR}")
            if self.has_all_deals
            else None,
        )
        return table_report.ok, render_table_report_article(
            table_report, self.lang, about, begins(table_logs.table_log)
        ) + _REPORT_TERMINATOR


@contextmanager
def collect_html_reports(output_path: str | None, lang: str) -> Iterator[BytesIO]:
    """Gathers reports, and then writes the file with all of them; none where there is none."""
    from service.http.web.report_file import render_report_file

    gathered = BytesIO()
    yield gathered
    if articles := gathered.getvalue().decode().split(_REPORT_TERMINATOR)[:-1]:
        write_output(render_report_file(articles, lang).encode(), output_path)
