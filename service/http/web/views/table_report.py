"""The page of the report on a table: what a director reads of an evening, and signs."""

from flask import Response

from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, heavy_work
from service.http.service_context import queries
from service.http.web.language import page_language
from service.http.web.pages import (
    display_name,
    format_record_date,
    page_url,
    pages,
    render_page,
    without_caching,
)
from service.presentation.reports.table_article import TableArticleContext, build_table_article
from service.presentation.reports.typesetting import report_template_variables


@pages.get("/tables/<stream:table>/report")
def table_report(table: str) -> Response:
    """The report on a table, as far as whoever asks may know it and its deals."""
    reached = queries()
    info = reached.find_table(table)
    summary = reached.summary(info)
    with heavy_work(HEAVY_REQUEST_COST):
        made, _ = reached.table_report(info)
    names = reached.member_names(info, [player for player, _ in made.ledger.totals])
    about = TableArticleContext(
        title=summary["title"] or "",
        date=format_record_date(summary),
        record_id=info.stream,
        member_names={one: display_name({"names": names}, one) for one in names},
        report_url=lambda deal: page_url("web.recorded_report", deal=deal),
    )
    shown = report_template_variables(build_table_article(made, page_language(), about), page_language())
    sheet_url = page_url("web.sheet", table=info.stream)
    return without_caching(render_page("table_report.html", here="tables", sheet_url=sheet_url, **shown))
