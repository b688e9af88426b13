"""Reports on deals and tables as one file of HTML, to be signed: ``spadille audit --format html``."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

from engine.audit_report import AuditReport
from service.cli.io.deals import deal_location, table_title
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.output import OutputData, write_output
from service.cli.views.table_reports import ReportProcessor, TableReporter
from service.presentation.i18n.dates import format_day
from service.presentation.text.style import TextStyle
from service.records.log_grouping import TableLogs

_REPORT_TERMINATOR = "\0"
"""Behind each report: it stands in no text of a log."""


@dataclass(frozen=True, slots=True)
class HtmlReportProcessor(ReportProcessor):
    """Reports as parts of such a file.

    ``has_all_deals``: whether the file has the reports on all deals that are read, so that a table's can lead
    to them.
    """

    lang: str
    has_all_deals: bool

    def render_deal(self, deal: InputLog, audit_report: AuditReport, inputs: Inputs) -> Iterator[OutputData]:
        """The report of a deal."""
        # What draws pages takes a while to load; most commands do without it.
        from service.http.web.standalone_file import DEAL_TEMPLATE, render_report_article
        from service.presentation.reports.attestation import build_unattested_record
        from service.presentation.reports.deal_article import ArticleContext, build_deal_article

        attestation = build_unattested_record(audit_report.log, deal_location(deal, TextStyle(self.lang)))
        article = build_deal_article(audit_report, self.lang, ArticleContext(attestation))
        anchor = f"{attestation.digest[:8]}-"
        yield render_report_article(DEAL_TEMPLATE, article, self.lang, anchor) + _REPORT_TERMINATOR

    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report, as a part of the file."""
        from service.http.web.standalone_file import REPORT_ANCHOR, TABLE_TEMPLATE, render_report_article
        from service.presentation.reports.attestation import build_unattested_record
        from service.presentation.reports.table_article import TableArticleContext, build_table_article

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
        article = build_table_article(table_report, self.lang, about)
        html = render_report_article(TABLE_TEMPLATE, article, self.lang, begins(table_logs.table_log))
        return table_report.ok, html + _REPORT_TERMINATOR


@contextmanager
def collect_html_reports(output_path: str | None, lang: str) -> Iterator[BytesIO]:
    """Gathers reports, and then writes the file with all of them; none where there is none."""
    from service.http.web.standalone_file import render_report_file

    gathered = BytesIO()
    yield gathered
    if articles := gathered.getvalue().decode().split(_REPORT_TERMINATOR)[:-1]:
        write_output(render_report_file(articles, lang).encode(), output_path)
