"""The log of the service, as a test reads it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TextIO

import structlog

from service.config import log_setup


def silence_log() -> None:
    """Drop what is logged unless a test reads it: threads of an earlier test may still log to stdout."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())


@contextmanager
def log_to(stream: TextIO, form: Literal["json", "text"] = "json") -> Iterator[None]:
    """Write to ``stream`` what is logged in this block."""
    before = structlog.get_config()
    log_setup.configure_logging(form, stream)
    try:
        yield
    finally:
        structlog.configure(**before)
