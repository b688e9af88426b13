"""Routes for monitoring: health, readiness and metrics."""

from typing import Final

from flask import Response, request

from service.http.api.blueprint import ApiBlueprint
from service.http.api.cache_policies import NO_STORE
from service.http.api.operation_permissions import ANYONE
from service.http.api.responses import json_response
from service.http.api.schemas.library import HealthSchema, ReadinessSchema
from service.http.metrics import METRICS_CONTENT_TYPE
from service.http.rate_limit import is_local_request
from service.http.service_context import queries, require_ready_store, service_context, store_warning

MAX_LISTED_PLACES: Final = 100
"""The most damaged places in one answer."""
DAMAGE_ADVICE: Final = (
    "The log of the service says where damage was met. Stop the service, see with spadille verify what is "
    "damaged, and restore the store from a backup. No checkpoint is signed over a damaged event or hash."
)

routes = ApiBlueprint("health", "", "How the service is.")


@routes.get("/healthz", ANYONE)
@routes.response(200, HealthSchema)
def show_health() -> Response:
    """Say that the process answers

    It does not ask the store: a service whose disk is full, or whose database is away, is alive, and a new
    start would not help it. Ask `/readyz` whether what is sent now would be stored. `degraded` where damage
    was noticed: what is damaged is told to nobody, and the rest is served.
    """
    warning = store_warning()
    return json_response({"status": _degraded_status() or "ok", "store": warning})


@routes.get("/readyz", ANYONE, may_fail=(503,))
@routes.response(200, ReadinessSchema)
def show_readiness() -> Response:
    """Say whether what is sent now would be stored

    It has taken the store's turn to write, and looked at the room on its disk. `degraded` where damage was
    noticed since the service started: records that are not concerned are served and continued as ever, so it
    is ready for these. Which are concerned is told to programs of this computer only.
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
        queries().caller.require_permission("oversee")
    response = Response(service_context().metrics.render(), content_type=METRICS_CONTENT_TYPE)
    response.headers["Cache-Control"] = NO_STORE
    return response
