"""The Flask application: one store, one library, and all routes."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import replays
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from replays import Replay
from service.auth.access_register import AccessRegister
from service.auth.caller import Caller
from service.config.settings import Settings
from service.eventstore import EventStore, MemoryStore
from service.eventstore.postgres.replica import Standby
from service.http.api import register_api
from service.http.api.openapi.languages import register_content_language
from service.http.api.request_bodies import MAX_BODY_BYTES
from service.http.errors import register_error_handlers
from service.http.rate_limit import register_rate_limit
from service.http.read_your_writes import register_position_header
from service.http.request_log import register_request_log
from service.http.security import register_security
from service.http.service_context import ServiceContext, register_context
from service.http.web import register_pages
from service.http.web.pages import render_error_page
from service.records.live import LiveStreams
from service.transparency.notary import Notary

DEFAULT_SETTINGS = Settings()


class _SyncFlask(Flask):
    """An application without coroutines: Flask otherwise looks for one at each of a request's ten calls."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself."""
        return func


def create_app(
    store: EventStore | None = None,
    *,
    register: AccessRegister | None = None,
    fixed_caller: Caller | None = None,
    library: Iterable[Replay] | None = None,
    port: int | None = None,
    book: RulesetBook = PUBLISHED_RULESETS,
    settings: Settings = DEFAULT_SETTINGS,
    notary: Notary | None = None,
    standby: Standby | None = None,
) -> Flask:
    """Create the application over ``store``; each argument that is missing is made in memory.

    ``register`` decides who may do what, by tokens. ``fixed_caller`` is the caller of every request, such as
    `service.auth.caller.OWNER_CALLER`: for tests, and for programs that use the application alone.
    ``library`` are the historic deals; ``port`` is the port that requests have to name; ``book`` has the
    rulesets; ``notary`` signs checkpoints; a ``standby`` of the store answers what it may. The settings about
    listening are not used.
    """
    app = _SyncFlask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.url_map.strict_slashes = True
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies
        )
    serving, asked = store or MemoryStore(), register or AccessRegister()
    context = ServiceContext(
        serving,
        asked,
        notary or Notary.in_memory(),
        (*replays.list_library(), *replays.list_examples()) if library is None else library,
        book,
        live_streams=LiveStreams(serving, settings.streams, permission_state=asked.data_version),
        fixed_caller=fixed_caller,
        standby=standby,
        host_names=settings.names,
    )
    register_context(app, context)
    if standby is not None:
        register_position_header(app, serving)
    register_request_log(app)
    register_security(app, port, settings.names)
    register_rate_limit(app, settings.rate, settings.burst)
    register_api(app)
    register_pages(app)
    register_error_handlers(app, render_error_page)
    register_content_language(app)
    return app
