"""Routes for monitoring: health, readiness and metrics."""

from typing import Final

from flask import Response, request

from service.http.api.blueprint import ApiBlueprint
from service.http.api.cache_policies import NO_STORE
from service.http.api.operation_permissions import ANYONE, OVERSEERS
from service.http.api.responses import json_response
from service.http.api.schemas.library import HealthSchema, ReadinessSchema
from service.http.metrics import METRICS_CONTENT_TYPE
from service.http.rate_limit import is_local_request
from service.http.service_context import queries, require_ready_store, service_context, store_warning

MAX_LISTED_PLACES: Final = 100
"""The most damaged places in one answer."""
DAMAGE_ADVICE: Final = (
    "The log of the service says where it found damage. Stop the service, run spadille verify to see what "
    "is damaged, and restore the store from a backup. The service signs no checkpoint over a damaged "
    "event or hash."
)

routes = ApiBlueprint("health", "", "The state of the service.")


@routes.get("/healthz", ANYONE)
@routes.response(200, HealthSchema)
def show_health() -> Response:
    """Check that the process answers

    It does not ask the store: a service with a full disk or without its database is alive, and a restart
    would not help. Ask `/readyz` whether the service can store. `degraded` if it found damage: damaged
    records are not served, the rest is.
    """
    warning = store_warning()
    return json_response({"status": _degraded_status() or "ok", "store": warning})


@routes.get("/readyz", ANYONE, may_fail=(503,))
@routes.response(200, ReadinessSchema)
def show_readiness() -> Response:
    """Check that the service can store

    It takes the store's turn to write and checks the space on its disk. `degraded` if the service has found
    damage since it started; undamaged records are still served and can be continued. Only programs of this
    computer see which records are damaged.
    """
    require_ready_store()
    places = service_context().damage_tracker.places
    listed_places = places[:MAX_LISTED_PLACES] if is_local_request(request.environ) else ()
    body = {
        "status": _degraded_status() or "ready",
        "damaged": len(places),
        "places": [{"stream": place.stream, "seq": place.seq} for place in listed_places],
        "detail": DAMAGE_ADVICE if places else None,
    }
    return json_response(body)


def _degraded_status() -> str | None:
    """The status of a store with damage; None where no damage was noticed."""
    return "degraded" if service_context().damage_tracker.places else None


def show_metrics() -> Response:
    """Answer the metrics in the form of Prometheus, to local programs and the owner.

    Raises `PermissionDenied` for others: requests and faults help an attacker.
    """
    if not is_local_request(request.environ):
        OVERSEERS.require(queries().caller)
    response = Response(service_context().metrics.render(), content_type=METRICS_CONTENT_TYPE)
    response.headers["Cache-Control"] = NO_STORE
    return response
