"""What the doors of one application share: store, notary, library, summaries, rulesets, streams, metrics."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from flask import Flask, current_app

from engine.rulesets import Book
from replays import Replay
from service.evidence.notary import Notary
from service.live import Live
from service.operations.metrics import Metrics
from service.store import EventStore
from service.summaries import Summaries


class Context(NamedTuple):
    """What an application serves."""

    store: EventStore
    notary: Notary
    summaries: Summaries
    library: Mapping[str, Replay]
    book: Book
    live: Live
    metrics: Metrics


_KEY: Final = "spadille"


def give_context(
    app: Flask,
    store: EventStore,
    notary: Notary,
    library: Iterable[Replay],
    book: Book,
    live: Live,
    metrics: Metrics,
) -> None:
    """Tells an application what it serves."""
    by_name = {deal.name: deal for deal in library}
    app.extensions[_KEY] = Context(store, notary, Summaries(store, book), by_name, book, live, metrics)


def context() -> Context:
    """What the application that answers now serves."""
    found: Context = current_app.extensions[_KEY]
    return found
