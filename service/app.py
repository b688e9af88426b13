"""The application: one store and one library, and all the doors of HTTP to them."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import replays
from engine.rulesets import PUBLISHED, Book
from replays import Replay
from service.api import add_api
from service.api.bodies import BODY_BYTES
from service.api.languages import say_language
from service.context import give_context
from service.errors import answer_errors
from service.evidence.notary import Notary
from service.freshness import tell_position
from service.identity.caller import Caller
from service.identity.register import Register
from service.limits import limit
from service.live import Live
from service.operations.damage import Noticed
from service.operations.metrics import Metrics
from service.operations.requests import watch
from service.security import secure
from service.settings import Settings
from service.store import EventStore, MemoryStore
from service.store.standby import Standby
from service.web import add_pages
from service.web.pages import error_page

USUAL = Settings()


class Application(Flask):
    """Flask's application, none of whose views is asynchronous."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is. Flask's own looks into each, a dozen times a request."""
        return func


def create_app(
    store: EventStore | None = None,
    *,
    register: Register | None = None,
    everybody: Caller | None = None,
    library: Iterable[Replay] | None = None,
    port: int | None = None,
    book: Book = PUBLISHED,
    settings: Settings = USUAL,
    notary: Notary | None = None,
    standby: Standby | None = None,
) -> Flask:
    """The application over ``store``, or over one in memory where none is given.

    ``register`` says who may do what, by tokens; an empty one, in memory, where none is given. With
    ``everybody`` every request is taken for that caller's, such as `service.identity.caller.OWNER`: for
    tests, and for programs that have the application to themselves. ``library`` are the deals that it
    shows beside the recorded ones, the library's own unless told otherwise; ``port`` is the one that it
    listens on, where requests have to name it; ``book`` has the rulesets that deals may be played by; of
    ``settings`` those count that are not about listening; ``notary`` signs checkpoints, with a key that is
    gone with the application where none is given; a ``standby`` of the store answers what it may.
    """
    app = Application(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.url_map.strict_slashes = True
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies
        )
    deals = (*replays.library(), *replays.examples()) if library is None else library
    serving = store or MemoryStore()
    asked = register or Register()
    live = Live(serving, settings.streams, standing=asked.state)
    damage = Noticed()
    metrics = Metrics(serving, lambda: live.places.taken, settings.streams, lambda: len(damage.places))
    signing = notary or Notary.in_memory()
    give_context(app, serving, asked, signing, deals, book, live, metrics, damage, everybody, standby)
    if standby is not None:
        tell_position(app, serving)
    watch(app, metrics)
    secure(app, port, settings.names)
    limit(app, settings.rate, settings.burst)
    add_api(app)
    add_pages(app)
    answer_errors(app, error_page)
    say_language(app)
    return app
