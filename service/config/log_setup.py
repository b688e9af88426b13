"""Logging to standard error, as lines for a person or as JSON for a collector.

Fields are chosen one by one: never a body, a card, a name, a token, or the text of an address.
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
    """Log from here on to ``output``, by default standard error.

    ``json`` logs everything, also each request, one object a line; ``text`` only warnings and errors.
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
    # The driver of PostgreSQL logs broken connections; its messages hold no password.
    for package, event in (("psycopg", "store"), ("waitress", "server")):
        logger = logging.getLogger(package)
        logger.handlers, logger.propagate = [_StructlogHandler(event)], False
    # A request that waits for a thread needs no warning.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class _StructlogHandler(logging.Handler):
    """Logs the messages of another package as ``event``; of an error only its type and place."""

    def __init__(self, event: str) -> None:
        super().__init__()
        self._event = event

    def emit(self, record: logging.LogRecord) -> None:
        """Log the message. An error here would end the thread of the database driver that reconnects."""
        log, error = structlog.get_logger(), record.exc_info[1] if record.exc_info else None
        try:
            if error is None:
                log.warning(self._event, said=" ".join(record.getMessage().split()))
            else:
                where = format_trace_locations(error.__traceback__)
                log.error(self._event, error=type(error).__name__, where=where)
        except Exception:
            self.handleError(record)


def _order_keys(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Put the time, the level and the event first."""
    return {"time": event.pop("time"), "level": event.pop("level"), "event": event.pop("event"), **event}


def _build_line_renderer(to: TextIO) -> Processor:
    return structlog.dev.ConsoleRenderer(
        colors=to.isatty(), timestamp_key="time", sort_keys=False, pad_event_to=0, pad_level=False
    )


def format_trace_locations(trace: TracebackType | None) -> list[str]:
    """The places of a traceback, without source or message: they might hold a card, a name or a token."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
