"""The objects that the routes of one application share."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from flask import Flask

from engine.rulesets import RulesetBook
from replays import Replay
from service.application.commands import Commands
from service.application.deal_fact_queries import DealFactQueries
from service.application.evening_queries import EveningQueries
from service.application.queries import Queries
from service.auth.access_register import AccessRegister
from service.auth.caller import Caller
from service.auth.request_identity import RequestIdentity, read_credentials
from service.eventstore import EventStore
from service.eventstore.postgres.replica import Standby
from service.http.current_request import current_application, current_request, request_globals
from service.http.metrics import Metrics
from service.http.read_your_writes import select_store
from service.http.store_health import DamageTracker, require_ready
from service.projections.summaries import SummaryCache
from service.records import fold_cache
from service.records.cache_invalidation import CacheInvalidator
from service.records.club_rules import ClubRules
from service.records.live import LiveStreams
from service.records.variations import Variations
from service.transparency.notary import Notary, TransparencyLog


class ServiceContext:
    """What an application serves. Routes reach the records by `queries` and `commands`, never by ``store``.

    ``fixed_caller`` is the caller of every request; without it the register finds the caller. A ``standby``
    answers what it may (`service.http.read_your_writes`). ``host_names`` are the names under which other
    computers reach it. Raises `RevisionTaken` where ``book`` contradicts
    the store.
    """

    def __init__(
        self,
        store: EventStore,
        register: AccessRegister,
        notary: Notary,
        library: Iterable[Replay],
        book: RulesetBook,
        *,
        live_streams: LiveStreams,
        fixed_caller: Caller | None = None,
        standby: Standby | None = None,
        host_names: frozenset[str] = frozenset(),
    ) -> None:
        self.store, self.register, self.notary = store, register, notary
        self.live_streams, self.fixed_caller, self.standby = live_streams, fixed_caller, standby
        self.host_names = host_names
        self.library = {deal.name: deal for deal in library}
        self.summary_cache, self.damage_tracker = SummaryCache(), DamageTracker()
        self.variations, self.club_rules = Variations(store, self.library), ClubRules(store, book)
        self.cache_invalidator = CacheInvalidator(store, self.club_rules, self._clear_caches)
        self.metrics = Metrics(store, live_streams.connection_limit, self.damage_tracker)

    def _clear_caches(self) -> None:
        self.summary_cache.clear()
        self.live_streams.clear_caches()
        fold_cache.discard_cached_folds(self.store)

    @property
    def book(self) -> RulesetBook:
        """The rulesets that deals may be played by."""
        _refresh_caches(self)
        return self.club_rules.book


_KEY: Final = "spadille"


def register_context(app: Flask, context: ServiceContext) -> None:
    """Make an application serve that context."""
    app.extensions[_KEY] = context


def service_context() -> ServiceContext:
    """The context of the current application."""
    context: ServiceContext = current_application().extensions[_KEY]
    return context


class _UseCases(NamedTuple):
    queries: Queries
    commands: Commands
    store: EventStore


def queries() -> Queries:
    """Return the records as the caller of this request may read them. Raises `UnknownToken`."""
    return _use_cases().queries


def commands() -> Commands:
    """Return the records as the caller of this request may write them. Raises `UnknownToken`."""
    return _use_cases().commands


def evening_queries() -> EveningQueries:
    """Return the evenings as the caller of this request may read them. Raises `UnknownToken`."""
    use_cases = _use_cases()
    return EveningQueries(use_cases.queries, use_cases.store, service_context().summary_cache)


def deal_fact_queries() -> DealFactQueries:
    """Return what the caller of this request may find deals by. Raises `UnknownToken`."""
    use_cases = _use_cases()
    return DealFactQueries(use_cases.queries, use_cases.store, service_context().summary_cache)


def _use_cases() -> _UseCases:
    """Build the use cases once for each request, and look up its caller."""
    request_cache = request_globals()
    if "use_cases" not in request_cache:
        context = service_context()
        _refresh_caches(context)
        identity = RequestIdentity(
            context.register, read_credentials(current_request()), context.fixed_caller
        )
        store = select_store(context.store, context.standby, identity.caller, current_request())
        record_queries = Queries(
            store, identity, context.register, context.summary_cache, context.club_rules, context.variations
        )
        request_cache.use_cases = _UseCases(
            record_queries,
            Commands(record_queries, store, context.club_rules, context.variations),
            store,
        )
    use_cases: _UseCases = request_cache.use_cases
    return use_cases


def _refresh_caches(context: ServiceContext) -> None:
    """Invalidate caches after changes by other processes; checked once for each request."""
    request_cache = request_globals()
    if "caches_refreshed" not in request_cache:
        context.cache_invalidator.refresh()
        request_cache.caches_refreshed = True


def store_warning() -> str | None:
    """Return the warning of the store about how it runs, without reading it."""
    return service_context().store.warning


def require_ready_store() -> None:
    """Raise `StoreError` where a change sent now would not be stored."""
    require_ready(service_context().store)


def transparency_log() -> TransparencyLog:
    """Return the transparency log, which everybody may see."""
    context = service_context()
    return TransparencyLog(context.store, context.notary)
