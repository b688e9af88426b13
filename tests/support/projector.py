"""Evenings of all kinds, and the projector that counts them."""

from service.eventstore import EventStore
from service.projections.evenings_projection import EVENINGS_PROJECTION
from service.projections.projection import Projection
from service.projections.projector import Projector
from service.records.club_rules import ClubRules
from tests.support.api.recording import some_deal
from tests.support.api.seasons import FOUR, LOST, SOLO, Club


def all_made(store: EventStore, projection: Projection = EVENINGS_PROJECTION) -> int:
    """Takes in all that was added; how many rows were folded for it."""
    return Projector(store, ClubRules(store), projection).catch_up()


def some_evenings(club: Club) -> list[str]:
    """Evenings of all kinds: settled and not, in other rules, with hands that lie hidden."""
    tables = [
        club.evening("2025-09-04", SOLO, LOST, chip_value="0.25", currency="kr", title="Torsdag"),
        club.evening("2025-10-02", LOST, players=FOUR, chip_value="0.1", currency="EUR"),
        club.evening("2026-01-08", SOLO, SOLO, players=("Bo", "Dora", "Gast")),
        club.evening("2025-11-06", SOLO, {"outcome": "passed_out"}, ruleset="ombre"),
        club.evening("2025-05-01"),
    ]
    going_on = club.evening("2026-01-15", SOLO, title="I aften")
    deal = club.post(f"/tables/{going_on}/deals", {}, 2)["deal"]
    _, *course = some_deal(3)
    club.post(f"/deals/{deal}/events", course[:12], 1)
    return [*tables, going_on]
