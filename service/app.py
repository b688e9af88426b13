"""The application: one store and one library, and all the doors of HTTP to them."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import replays
from engine.rulesets import PUBLISHED, Book
from replays import Replay
from service.auth.caller import Caller
from service.auth.register import Register
from service.config.settings import Settings
from service.eventstore import EventStore, MemoryStore
from service.eventstore.postgres.replica import Standby
from service.http.api import add_api
from service.http.api.openapi.languages import say_language
from service.http.api.request_bodies import BODY_BYTES
from service.http.context import give_context
from service.http.damage import Noticed
from service.http.errors import answer_errors
from service.http.metrics import Metrics
from service.http.rate_limit import limit
from service.http.read_your_writes import tell_position
from service.http.request_log import watch
from service.http.security import secure
from service.http.web import add_pages
from service.http.web.pages import error_page
from service.records.live import Live
from service.transparency.notary import Notary

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
    ``everybody`` every request is taken for that caller's, such as `service.auth.caller.OWNER`: for
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
