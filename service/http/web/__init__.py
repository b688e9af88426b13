"""The pages: the tables of the evening, the library, the recorded deals, the replayer."""

from flask import Flask

from service.http.web.compression import register_compression
from service.http.web.pages import pages
from service.http.web.views import (  # noqa: F401
    account_comparison,
    deal,
    game_guide,
    hidden_cards,
    home,
    library,
    reading_comparison,
    recorder,
    report,
    rules,
    seasons,
    slip_batch,
    table,
)


def register_pages(app: Flask) -> None:
    """Gives the application its pages."""
    app.register_blueprint(pages)
    register_compression(app)
