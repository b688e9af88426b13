"""What the doors of one application share: the store, the library, the rulesets, who may do what."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from flask import Flask, current_app, g, request

from engine.rulesets import Book
from replays import Replay
from service.access import Access
from service.identity.caller import Caller
from service.identity.credentials import caller_of, shown_by
from service.identity.register import Register
from service.store import EventStore
from service.summaries import Summaries


class Context(NamedTuple):
    """What an application serves.

    ``everybody`` is a caller that every request is taken for, whatever it shows; None, as in service, asks
    the register. A route reaches the records by `access`, never by ``store``.
    """

    store: EventStore
    register: Register
    summaries: Summaries
    library: Mapping[str, Replay]
    book: Book
    everybody: Caller | None = None


_KEY: Final = "spadille"


def give_context(
    app: Flask,
    store: EventStore,
    register: Register,
    library: Iterable[Replay],
    book: Book,
    everybody: Caller | None = None,
) -> None:
    """Tells an application what it serves."""
    by_name = {deal.name: deal for deal in library}
    app.extensions[_KEY] = Context(store, register, Summaries(book), by_name, book, everybody)


def context() -> Context:
    """What the application that answers now serves."""
    found: Context = current_app.extensions[_KEY]
    return found


def access() -> Access:
    """The records as the caller of this request may reach them.

    Raises the problem of a token that does not hold. Who calls is looked up once for each request.
    """
    if "access" not in g:
        serving = context()
        caller = serving.everybody or caller_of(serving.register, shown_by(request))
        g.access = Access(serving.store, caller, serving.register, serving.summaries, serving.book)
    found: Access = g.access
    return found


def access_again() -> Access:
    """The same, looked up again: for an answer that goes on for long, in which a grant may be revoked."""
    g.pop("access", None)
    return access()


def notice_of_store() -> str | None:
    """What the store has to say, once it has shown that it can be read. Raises as the store does."""
    store = context().store
    store.head()
    return store.notice
