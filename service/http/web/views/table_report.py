"""The page of the report on a table: what a director reads of an evening, and signs."""

from flask import Response

from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, heavy_work
from service.http.service_context import queries
from service.http.web.display_preferences import page_language
from service.http.web.pages import (
    format_record_date,
    member_display_name,
    page_url,
    pages,
    render_record_page,
)
from service.presentation.reports.table_article import TableArticleContext, build_table_article
from service.presentation.reports.typesetting import report_template_variables


@pages.get("/tables/<stream:table>/report")
def table_report(table: str) -> Response:
    """The report on a table, as far as whoever asks may know it and its deals."""
    record_queries = queries()
    info = record_queries.find_table(table)
    summary = record_queries.summary(info)
    with heavy_work(HEAVY_REQUEST_COST):
        report, _ = record_queries.table_report(info)
    names = record_queries.member_names(info, [player for player, _ in report.ledger.totals])
    article_context = TableArticleContext(
        title=summary["title"] or "",
        date=format_record_date(summary),
        record_id=info.stream,
        member_names={player_id: member_display_name(player_id, names) for player_id in names},
        report_url=lambda deal: page_url("web.recorded_report", deal=deal),
    )
    context = report_template_variables(
        build_table_article(report, page_language(), article_context), page_language()
    )
    sheet_url = page_url("web.sheet", table=info.stream)
    return render_record_page("table_report.html", nav_section="tables", sheet_url=sheet_url, **context)
