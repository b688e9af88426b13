"""The REST API: routes for deals, tables, rulesets and the library, and their published contract."""

from flask import Flask

from service.http.api.openapi.contract import create_contract_api
from service.http.api.responses import honour_if_none_match_any
from service.http.api.routes import (
    deals,
    files,
    health,
    hidden_cards,
    identity,
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
    hidden_cards.routes,
    files.routes,
    rulesets.routes,
    replays.routes,
    identity.routes,
    members.routes,
    seasons.routes,
    transparency.routes,
    health.routes,
)


def register_api(app: Flask) -> None:
    """Gives the application its API."""
    api = create_contract_api(app)
    app.after_request(honour_if_none_match_any)
    for part in API_BLUEPRINTS:
        api.register_blueprint(part)
    # Where whoever watches over services looks first.
    app.add_url_rule("/healthz", view_func=health.show_health)
    app.add_url_rule("/readyz", view_func=health.show_readiness)
    app.add_url_rule("/metrics", view_func=health.show_metrics)
