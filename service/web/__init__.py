"""The pages: the library, the recorded deals, the replayer."""

from flask import Flask

from service.web.compressing import compress
from service.web.pages import pages


def add_pages(app: Flask) -> None:
    """Gives the application its pages."""
    app.register_blueprint(pages)
    compress(app)
