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
from service.evidence.notary import Notary
from service.security import secure
from service.store import EventStore, MemoryStore
from service.web import add_pages
from service.web.pages import error_page


def create_app(
    store: EventStore | None = None,
    *,
    library: Iterable[Replay] | None = None,
    port: int | None = None,
    book: Book = PUBLISHED,
    notary: Notary | None = None,
) -> Flask:
    """The application over ``store``, or over one in memory where none is given.

    ``library`` are the deals that it shows beside the recorded ones, the library's own unless
    told otherwise; ``port`` is the one that it listens on, where requests have to name it; ``book``
    has the rulesets that deals may be played by; ``notary`` signs checkpoints, with a key that is
    gone with the application where none is given.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.url_map.strict_slashes = True
    deals = (*replays.library(), *replays.examples()) if library is None else library
    give_context(app, store or MemoryStore(), notary or Notary.in_memory(), deals, book)
    secure(app, port)
    add_api(app)
    add_pages(app)
    answer_errors(app, error_page)
    return app
