"""The door for whoever watches over the service."""

from typing import Final

from flask import Response, request

from service.config.urls import PREFIX
from service.http.api.openapi.contract import Routes, may_fail
from service.http.api.responses import NEVER_KEPT, answer
from service.http.api.schemas.library import HealthSchema, ReadySchema
from service.http.clients import is_direct
from service.http.context import damaged_places, metrics_text, notice_of_store, queries, require_ready_store
from service.http.metrics import CONTENT_TYPE

PLACES: Final = 100
"""So many damaged places are told."""
DAMAGE_ADVICE: Final = (
    "The log of the service says where damage was met. Stop the service, see with spadille verify what is "
    "damaged, and restore the store from a backup. No checkpoint is signed over a damaged event or hash."
)

routes = Routes("health", __name__, url_prefix=PREFIX, description="How the service is.")


@routes.route("/healthz", methods=["GET"])
@routes.response(200, HealthSchema)
@may_fail()
def show_health() -> Response:
    """Say that the process answers

    It does not ask the store: a service whose disk is full, or whose database is away, is alive, and a new
    start would not help it. Ask `/readyz` whether what is sent now would be stored. `degraded` where damage
    was noticed: what is damaged is told to nobody, and the rest is served.
    """
    notice = notice_of_store()
    return answer({"status": _degraded() or "ok", "store": notice}, cache=NEVER_KEPT)


@routes.route("/readyz", methods=["GET"])
@routes.response(200, ReadySchema)
@may_fail(503)
def show_readiness() -> Response:
    """Say whether what is sent now would be stored

    It has taken the store's turn to write, and looked at the room on its disk. `degraded` where damage was
    noticed since the service started: records that are not concerned are served and continued as ever, so it
    is ready for these. Which are concerned is told to programs of this computer only.
    """
    require_ready_store()
    places = damaged_places()
    told = places[:PLACES] if is_direct(request.environ) else ()
    said = {
        "status": _degraded() or "ready",
        "damaged": len(places),
        "places": [{"stream": place.stream, "seq": place.seq} for place in told],
        "detail": DAMAGE_ADVICE if places else None,
    }
    return answer(said, cache=NEVER_KEPT)


def _degraded() -> str | None:
    """The word for a store of which a part is damaged; None where nothing of it was noticed."""
    return "degraded" if damaged_places() else None


def show_metrics() -> Response:
    """What is counted here, in Prometheus' form, for programs of this computer and for the owner.

    Raises `NotAllowed` for somebody else: requests, refusals and faults are of use to an attacker.
    """
    if not is_direct(request.environ):
        queries().caller.require("oversee")
    made = Response(metrics_text(), content_type=CONTENT_TYPE)
    made.headers["Cache-Control"] = NEVER_KEPT
    return made
