"""The pages: the tables of the evening, the library, the recorded deals, the replayer."""

from flask import Flask

from service.web import (
    column_pages,
    deal_files,
    deal_pages,
    desk_pages,
    library_pages,
    pile_pages,
    reading_pages,
    record_pages,
    report_pages,
    season_pages,
    table_pages,
    table_report_pages,
)
from service.web.compressing import compress
from service.web.pages import pages

__all__ = [
    "add_pages",
    "column_pages",
    "deal_files",
    "deal_pages",
    "desk_pages",
    "library_pages",
    "pile_pages",
    "reading_pages",
    "record_pages",
    "report_pages",
    "season_pages",
    "table_pages",
    "table_report_pages",
]


def add_pages(app: Flask) -> None:
    """Gives the application its pages."""
    app.register_blueprint(pages)
    compress(app)
