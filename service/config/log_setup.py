"""The log: on standard error, as lines for a person or as JSON for a collector.

What is logged is chosen field by field: never a body, a card, a name, a token, or the text of an address.
"""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from service.config.redaction import redact_log_entry


def configure_logging(log_format: str, output: TextIO | None = None) -> None:
    """Log from here on to ``output``, standard error unless told otherwise.

    ``json``: everything, also each request, an object a line. ``text``: only what should worry somebody.
    """
    to = output or sys.stderr
    in_json = log_format == "json"
    last_processors: list[Processor] = (
        [_order_keys, structlog.processors.JSONRenderer()] if in_json else [_build_line_renderer(to)]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", key="time"),
            redact_log_entry,
            *last_processors,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO if in_json else logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(to),
        cache_logger_on_first_use=False,
    )
    # What connects to PostgreSQL tells of connections that break; it knows no password.
    driver = logging.getLogger("psycopg")
    driver.handlers, driver.propagate = [_StructlogHandler()], False


class _StructlogHandler(logging.Handler):
    """Tells in our log what another package logs, without what an error says."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the message. An error here would end the driver's thread that connects again."""
        try:
            structlog.get_logger().warning("store", said=" ".join(record.getMessage().split()))
        except Exception:
            self.handleError(record)


def _order_keys(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """When, how grave and what come first."""
    return {"time": event.pop("time"), "level": event.pop("level"), "event": event.pop("event"), **event}


def _build_line_renderer(to: TextIO) -> Processor:
    return structlog.dev.ConsoleRenderer(
        colors=to.isatty(), timestamp_key="time", sort_keys=False, pad_event_to=0, pad_level=False
    )


def format_trace_locations(trace: TracebackType | None) -> list[str]:
    """Where an error came from, without the text of anything: that might hold a card, a name or a token."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
