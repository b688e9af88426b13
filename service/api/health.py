"""The door for whoever watches over the service."""

from flask import Response

from service.addresses import PREFIX
from service.api.answers import NEVER_KEPT, answer
from service.api.contract import Routes, may_fail
from service.api.shapes.library import HealthSchema
from service.context import notice_of_store

routes = Routes("health", __name__, url_prefix=PREFIX, description="How the service is.")


@routes.route("/healthz", methods=["GET"])
@routes.response(200, HealthSchema)
@may_fail(503)
def show_health() -> Response:
    """Say whether the service works

    It has read from the store to answer.
    """
    return answer({"status": "ok", "store": notice_of_store()}, cache=NEVER_KEPT)
