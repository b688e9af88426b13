"""The REST API: doors to deals, tables, rulesets and the library, and their published contract."""

from flask import Flask

from service.api import (
    deals,
    evidence,
    files,
    health,
    identity,
    members,
    piles,
    replays,
    rulesets,
    seasons,
    tables,
    unseen_logs,
)
from service.api.answers import spared
from service.api.contract import contract_for

PARTS = (
    deals.routes,
    tables.routes,
    piles.routes,
    unseen_logs.routes,
    files.routes,
    rulesets.routes,
    replays.routes,
    identity.routes,
    members.routes,
    seasons.routes,
    evidence.routes,
    health.routes,
)


def add_api(app: Flask) -> None:
    """Gives the application its API."""
    api = contract_for(app)
    app.after_request(spared)
    for part in PARTS:
        api.register_blueprint(part)
    # Where whoever watches over services looks first.
    app.add_url_rule("/healthz", view_func=health.show_health)
    app.add_url_rule("/readyz", view_func=health.show_readiness)
    app.add_url_rule("/metrics", view_func=health.show_metrics)
