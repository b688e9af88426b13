"""What the doors of one application share: store, notary, register, library, rulesets, streams, metrics."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from flask import Flask, current_app

from engine.rulesets import Book
from replays import Replay
from service.application.commands import Commands
from service.application.deal_facts import DealFacts
from service.application.evening_queries import EveningQueries
from service.application.queries import Queries
from service.auth.caller import Caller
from service.auth.credentials import shown_by
from service.auth.register import Register
from service.auth.standing import Standing
from service.eventstore import EventStore
from service.eventstore.postgres.replica import Standby
from service.http.damage import Damaged, Noticed
from service.http.metrics import Metrics
from service.http.read_your_writes import store_for
from service.http.readiness import require_ready
from service.http.this_request import kept_for_it, this_request
from service.projections.summaries import Summaries
from service.records import fold_cache
from service.records.cache_invalidation import Elsewhere
from service.records.club_rules import ClubRules
from service.records.live import Live
from service.records.variations import Variations
from service.transparency.notary import Notary
from service.transparency.published import Published


class Context(NamedTuple):
    """What an application serves.

    ``everybody`` is a caller that every request is taken for, whatever it shows; None, as in service, asks
    the register. A ``standby`` answers what it may (`service.http.read_your_writes`). Routes reach the
    records by `queries` and `commands`, never by ``store``.
    """

    store: EventStore
    register: Register
    notary: Notary
    summaries: Summaries
    library: Mapping[str, Replay]
    variations: Variations
    club_rules: ClubRules
    elsewhere: Elsewhere
    live: Live
    metrics: Metrics
    damage: Noticed
    everybody: Caller | None = None
    standby: Standby | None = None

    @property
    def book(self) -> Book:
        """The rulesets that deals may be played by."""
        _look_elsewhere(self)
        return self.club_rules.book


_KEY: Final = "spadille"


def give_context(
    app: Flask,
    store: EventStore,
    register: Register,
    notary: Notary,
    library: Iterable[Replay],
    book: Book,
    live: Live,
    metrics: Metrics,
    damage: Noticed,
    everybody: Caller | None = None,
    standby: Standby | None = None,
) -> None:
    """Tells an application what it serves. Raises `RevisionTaken` where ``book`` contradicts the store."""
    by_name = {deal.name: deal for deal in library}
    club_rules = ClubRules(store, book)
    variations, summaries = Variations(store, by_name), Summaries()

    def forget() -> None:
        summaries.forget()
        live.forget()
        fold_cache.forget(store)

    app.extensions[_KEY] = Context(
        store,
        register,
        notary,
        summaries,
        by_name,
        variations,
        club_rules,
        Elsewhere(store, club_rules, forget),
        live,
        metrics,
        damage,
        everybody,
        standby,
    )


def context() -> Context:
    """What the application that answers now serves."""
    found: Context = current_app.extensions[_KEY]
    return found


class _UseCases(NamedTuple):
    """What the caller of a request may do."""

    queries: Queries
    commands: Commands
    evenings: EveningQueries
    facts: DealFacts


def queries() -> Queries:
    """Return the records as the caller of this request may read them. Raises `UnknownToken`."""
    return _use_cases().queries


def commands() -> Commands:
    """Return the records as the caller of this request may write them. Raises `UnknownToken`."""
    return _use_cases().commands


def evening_queries() -> EveningQueries:
    """Return the evenings as the caller of this request may read them. Raises `UnknownToken`."""
    return _use_cases().evenings


def deal_facts() -> DealFacts:
    """Return what the caller of this request may find deals by. Raises `UnknownToken`."""
    return _use_cases().facts


def _use_cases() -> _UseCases:
    """Make the use cases for the caller, who is looked up once for each request."""
    kept = kept_for_it()
    if "use_cases" not in kept:
        serving = context()
        _look_elsewhere(serving)
        standing = Standing(serving.register, shown_by(this_request()), serving.everybody)
        store = store_for(serving.store, serving.standby, standing.caller, this_request())
        reading = Queries(
            store,
            standing,
            serving.register,
            serving.summaries,
            serving.club_rules,
            serving.variations,
        )
        kept.use_cases = _UseCases(
            reading,
            Commands(reading, store, serving.club_rules, serving.variations),
            EveningQueries(reading, store, serving.summaries),
            DealFacts(reading, store, serving.summaries),
        )
    found: _UseCases = kept.use_cases
    return found


def _look_elsewhere(serving: Context) -> None:
    """Take in what other processes did to the store: looked for once for each request."""
    kept = kept_for_it()
    if "looked_elsewhere" not in kept:
        serving.elsewhere.look()
        kept.looked_elsewhere = True


def notice_of_store() -> str | None:
    """What the store has to say of how it runs. The store is not read for it."""
    return context().store.notice


def require_ready_store() -> None:
    """Raises `StoreError` where what is sent now would not be stored."""
    require_ready(context().store)


def damaged_places() -> tuple[Damaged, ...]:
    """Where damage was noticed since the service started."""
    return context().damage.places


def metrics_text() -> bytes:
    """What is counted here."""
    return context().metrics.text()


def published() -> Published:
    """The evidence as everybody may see it."""
    serving = context()
    return Published(serving.store, serving.notary)
