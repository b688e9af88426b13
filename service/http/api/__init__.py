"""The REST API: routes for deals, tables, rulesets and the library, and their published contract."""

from functools import cache
from typing import Any

import orjson
from flask import Flask, Response

from service.config.urls import API_PREFIX
from service.http.api.blueprint import StreamIdConverter
from service.http.api.openapi.contract import build_contract
from service.http.api.responses import honour_if_none_match_any
from service.http.api.routes import (
    deals,
    files,
    health,
    identity,
    logs,
    members,
    replays,
    rulesets,
    seasons,
    slip_batches,
    tables,
    transparency,
)

API_BLUEPRINTS = (
    deals.routes,
    tables.routes,
    slip_batches.routes,
    logs.routes,
    files.routes,
    rulesets.routes,
    replays.routes,
    identity.routes,
    members.routes,
    seasons.routes,
    transparency.routes,
    health.routes,
)


@cache
def contract_document() -> dict[str, Any]:
    """The API's contract. It is made when first asked for: that takes longer than the rest of a start."""
    return build_contract(API_BLUEPRINTS)


def show_contract() -> Response:
    """Answer the contract as JSON."""
    return Response(orjson.dumps(contract_document()), mimetype="application/json")


def register_api(app: Flask) -> None:
    """Give the application its API."""
    app.url_map.converters["stream"] = StreamIdConverter
    app.after_request(honour_if_none_match_any)
    for part in API_BLUEPRINTS:
        app.register_blueprint(part)
    app.add_url_rule(f"{API_PREFIX}/openapi.json", view_func=show_contract)
    # Where monitoring looks first.
    app.add_url_rule("/healthz", view_func=health.show_health)
    app.add_url_rule("/readyz", view_func=health.show_readiness)
    app.add_url_rule("/metrics", view_func=health.show_metrics)
