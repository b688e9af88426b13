"""What many deals hold, as JSON has it."""

from typing import Final

from engine.statistics import ContractCount, DealStatistics, FindingCount, RulesetCount, SeatCount
from schemas.answers.response_schema import Json

PLAYER_FIGURES: Final = (
    "player", "chips", "played", "sat_out", "declared", "won", "bete", "codille",
)  # fmt: skip
"""What is counted of a player, in the order of an answer."""


def statistics_object(deal_statistics: DealStatistics, unreadable_count: int) -> Json:
    """Deals, entries, and by ruleset the outcomes, contracts and seats; then players and findings.

    ``unreadable_count`` is how many logs could not be read. Averages are chips a deal, null where there is
    no deal of which they are known. A ruleset or contract that is not known here is null.
    """
    return {
        "deals": deal_statistics.deals,
        "entries": deal_statistics.entries,
        "faulty": deal_statistics.faulty_deals,
        "left_out": unreadable_count,
        "rulesets": [_ruleset(one) for one in deal_statistics.rulesets],
        "players": [{name: getattr(one, name) for name in PLAYER_FIGURES} for one in deal_statistics.players],
        "findings": [_finding(one) for one in deal_statistics.findings],
    }


def average_chips_per_deal(chips: int, paid_deals: int) -> float | None:
    """Chips a deal, to two places; None of no deal."""
    return round(chips / paid_deals, 2) if paid_deals else None


def _ruleset(ruleset_count: RulesetCount) -> Json:
    return {
        "ruleset": ruleset_count.ruleset or None,
        "deals": ruleset_count.deals,
        "entries": ruleset_count.entries,
        "outcomes": ruleset_count.outcomes,
        "contracts": [_contract(played) for played in ruleset_count.contracts],
        "seats": {seat.seat: _seat(seat) for seat in ruleset_count.seats},
    }


def _contract(contract_count: ContractCount) -> Json:
    return {
        "contract": contract_count.name or None,
        "played": contract_count.deals,
        "outcomes": contract_count.outcomes,
        "chips": contract_count.chips,
        "average": average_chips_per_deal(contract_count.chips, contract_count.paid_deals),
    }


def _seat(seat_count: SeatCount) -> Json:
    return {
        "chips": seat_count.chips,
        "average": average_chips_per_deal(seat_count.chips, seat_count.paid_deals),
        "declared": seat_count.declared_deals,
        "won": seat_count.won_deals,
    }


def _finding(finding_count: FindingCount) -> Json:
    return {
        "code": finding_count.code,
        "severity": finding_count.severity,
        "count": finding_count.occurrences,
        "deals": finding_count.deals,
    }
