"""The page of the report on a table: what a director reads of an evening, and signs."""

from flask import Response

from service.http.api.anonymous_limits import LABORIOUS, laborious
from service.http.context import queries
from service.http.web.language import language
from service.http.web.pages import address, called, day_of, of_records, page, pages
from service.presentation.reports.evening import AboutTable, evening_article
from service.presentation.reports.setting import as_set


@pages.get("/tables/<stream:table>/report")
def table_report(table: str) -> Response:
    """The report on a table, as far as whoever asks may know it and its deals."""
    reached = queries()
    info = reached.table(table)
    summary = reached.summary(info)
    with laborious(LABORIOUS):
        made, _ = reached.table_report(info)
    names = reached.names(info, [player for player, _ in made.ledger.totals])
    about = AboutTable(
        title=summary["title"] or "",
        date=day_of(summary),
        record=info.stream,
        names={one: called({"names": names}, one) for one in names},
        address=lambda deal: address("web.recorded_report", deal=deal),
    )
    shown = as_set(evening_article(made, language(), about), language())
    sheet_url = address("web.sheet", table=info.stream)
    return of_records(page("table_report.html", here="tables", sheet_url=sheet_url, **shown))
