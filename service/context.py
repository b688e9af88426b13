"""What the doors of one application share: the store, the library, the summaries."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from flask import Flask, current_app

from replays import Replay
from service.store import EventStore
from service.summaries import Summaries


class Context(NamedTuple):
    """What an application serves."""

    store: EventStore
    summaries: Summaries
    library: Mapping[str, Replay]


_KEY: Final = "spadille"


def give_context(app: Flask, store: EventStore, library: Iterable[Replay]) -> None:
    """Tells an application what it serves."""
    app.extensions[_KEY] = Context(store, Summaries(store), {deal.name: deal for deal in library})


def context() -> Context:
    """What the application that answers now serves."""
    found: Context = current_app.extensions[_KEY]
    return found
