"""The pages: the tables of the evening, the library, the recorded deals, the replayer."""

from flask import Flask

from service.http.web.compression import compress
from service.http.web.pages import pages
from service.http.web.views import (
    column,
    deal,
    deal_files,
    desk,
    library,
    reading,
    record,
    report,
    season,
    slip_batch,
    table,
    table_report,
)

__all__ = [
    "add_pages",
    "column",
    "deal",
    "deal_files",
    "desk",
    "library",
    "reading",
    "record",
    "report",
    "season",
    "slip_batch",
    "table",
    "table_report",
]


def add_pages(app: Flask) -> None:
    """Gives the application its pages."""
    app.register_blueprint(pages)
    compress(app)
