"""What the doors of one application share: store, notary, register, library, rulesets, streams, metrics."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from flask import Flask, current_app

from engine.rulesets import Book
from replays import Replay
from service.access import Access
from service.club_rules import ClubRules
from service.evidence.notary import Notary
from service.evidence.published import Published
from service.identity.caller import Caller
from service.identity.credentials import shown_by
from service.identity.register import Register
from service.identity.standing import Standing
from service.live import Live
from service.operations.damage import Damaged, Noticed
from service.operations.metrics import Metrics
from service.operations.readiness import require_ready
from service.store import EventStore
from service.summaries import Summaries
from service.this_request import kept_for_it, this_request
from service.variations import Variations


class Context(NamedTuple):
    """What an application serves.

    ``everybody`` is a caller that every request is taken for, whatever it shows; None, as in service, asks
    the register. A route reaches the records by `access`, never by ``store``.
    """

    store: EventStore
    register: Register
    notary: Notary
    summaries: Summaries
    library: Mapping[str, Replay]
    variations: Variations
    club_rules: ClubRules
    live: Live
    metrics: Metrics
    damage: Noticed
    everybody: Caller | None = None

    @property
    def book(self) -> Book:
        """The rulesets that deals may be played by."""
        return _club_rules_now(self.club_rules).book


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
) -> None:
    """Tells an application what it serves. Raises `RevisionTaken` where ``book`` contradicts the store."""
    by_name = {deal.name: deal for deal in library}
    club_rules = ClubRules(store, book)
    variations = Variations(store, by_name)
    app.extensions[_KEY] = Context(
        store,
        register,
        notary,
        Summaries(),
        by_name,
        variations,
        club_rules,
        live,
        metrics,
        damage,
        everybody,
    )


def context() -> Context:
    """What the application that answers now serves."""
    found: Context = current_app.extensions[_KEY]
    return found


def access() -> Access:
    """The records as the caller of this request may reach them.

    Raises the problem of a token that does not hold. Who calls is looked up once for each request.
    """
    kept = kept_for_it()
    if "access" not in kept:
        serving = context()
        standing = Standing(serving.register, shown_by(this_request()), serving.everybody)
        kept.access = Access(
            serving.store,
            standing,
            serving.register,
            serving.summaries,
            _club_rules_now(serving.club_rules),
            serving.variations,
        )
    found: Access = kept.access
    return found


def _club_rules_now(club_rules: ClubRules) -> ClubRules:
    """The club's rulesets, with what other processes published: looked for once for each request."""
    kept = kept_for_it()
    if "club_rules" not in kept:
        club_rules.look_again()
        kept.club_rules = club_rules
    return club_rules


def notice_of_store() -> str | None:
    """What the store has to say, once it has shown that it can be read. Raises as the store does."""
    store = context().store
    store.head()
    return store.notice


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
