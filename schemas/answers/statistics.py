"""What many deals hold, as JSON has it."""

from typing import Any

from engine.statistics import FindingCount, Played, RulesetCount, SeatCount, Statistics

Json = dict[str, Any]


def statistics_object(told: Statistics, left_out: int) -> Json:
    """Deals, entries, and by ruleset the outcomes, contracts and seats; then the findings.

    ``left_out`` is how many logs could not be read. Averages are chips a deal, null where there is
    no deal of which they are known. A ruleset or contract that is not known here is null.
    """
    return {
        "deals": told.deals,
        "entries": told.entries,
        "faulty": told.faulty,
        "left_out": left_out,
        "rulesets": [_ruleset(one) for one in told.rulesets],
        "findings": [_finding(one) for one in told.findings],
    }


def average(chips: int, paid: int) -> float | None:
    """Chips a deal, to two places; None of no deal."""
    return round(chips / paid, 2) if paid else None


def _ruleset(one: RulesetCount) -> Json:
    return {
        "ruleset": one.ruleset or None,
        "deals": one.deals,
        "entries": one.entries,
        "outcomes": one.outcomes,
        "contracts": [_contract(played) for played in one.contracts],
        "seats": {seat.seat: _seat(seat) for seat in one.seats},
    }


def _contract(one: Played) -> Json:
    return {
        "contract": one.name or None,
        "played": one.played,
        "outcomes": one.outcomes,
        "chips": one.chips,
        "average": average(one.chips, one.paid),
    }


def _seat(one: SeatCount) -> Json:
    return {
        "chips": one.chips,
        "average": average(one.chips, one.paid),
        "declared": one.declared,
        "won": one.won,
    }


def _finding(one: FindingCount) -> Json:
    return {"code": one.code, "severity": one.severity, "count": one.times, "deals": one.deals}
