"""The application: one store and one library, and all the doors of HTTP to them."""

from collections.abc import Iterable

from flask import Flask

import replays
from engine.rulesets import PUBLISHED, Book
from replays import Replay
from service.api import add_api
from service.api.bodies import BODY_BYTES
from service.context import give_context
from service.errors import answer_errors
from service.identity.caller import Caller
from service.identity.register import Register
from service.security import secure
from service.store import EventStore, MemoryStore
from service.web import add_pages
from service.web.pages import error_page


def create_app(
    store: EventStore | None = None,
    *,
    register: Register | None = None,
    everybody: Caller | None = None,
    library: Iterable[Replay] | None = None,
    port: int | None = None,
    book: Book = PUBLISHED,
) -> Flask:
    """The application over ``store``, or over one in memory where none is given.

    ``register`` says who may do what, by tokens; an empty one, in memory, where none is given. With
    ``everybody`` every request is taken for that caller's, such as `service.identity.caller.OWNER`: for
    tests, and for programs that have the application to themselves. ``library`` are the deals that it
    shows beside the recorded ones, the library's own unless told otherwise; ``port`` is the one that it
    listens on, where requests have to name it; ``book`` has the rulesets that deals may be played by.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.url_map.strict_slashes = True
    deals = (*replays.library(), *replays.examples()) if library is None else library
    give_context(app, store or MemoryStore(), register or Register(), deals, book, everybody)
    secure(app, port)
    add_api(app)
    add_pages(app)
    answer_errors(app, error_page)
    return app
