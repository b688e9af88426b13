"""Statistics of many deals: each deal adds to counts, and counts can be added in any order."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine.audit import Audit
from engine.core.cards import SEAT_NAMES
from engine.play.outcomes import WON

CountKey = tuple[str, ...]
"""What is counted, then its subject: a ruleset, one of its contracts, a seat …"""

UNKNOWN_NAME: Final = ""
"""Stands for all unknown rulesets and contracts."""
UNDECIDED: Final = "undecided"
"""Stands for an outcome that is not decided yet."""


class ContractCount(NamedTuple):
    """How often a contract was played, or a seat was declarer, and the outcomes.

    ``outcomes`` counts deals by outcome, ``undecided`` among them. ``chips`` is what the declarers received
    in total (less what they paid), in the ``paid_deals`` for which that is known.
    """

    name: str
    deals: int
    outcomes: dict[str, int]
    chips: int
    paid_deals: int


class SeatCount(NamedTuple):
    """The results of a seat: its chips in the ``paid_deals`` for which they are known, and as declarer."""

    seat: str
    chips: int
    paid_deals: int
    declared_deals: int
    won_deals: int


class RulesetCount(NamedTuple):
    """The deals of a ruleset. ``outcomes`` counts them by outcome, ``undecided`` among them."""

    ruleset: str
    deals: int
    entries: int
    outcomes: dict[str, int]
    contracts: tuple[ContractCount, ...]
    seats: tuple[SeatCount, ...]


class FindingCount(NamedTuple):
    """The number of findings with a code, and of deals that have them."""

    code: str
    severity: str
    occurrences: int
    deals: int


class DealStatistics(NamedTuple):
    """The statistics of many deals; rulesets by their deals, contracts by how often they were played."""

    deals: int
    entries: int
    faulty_deals: int
    rulesets: tuple[RulesetCount, ...]
    findings: tuple[FindingCount, ...]


def count_deal(audit: Audit, entry_count: int) -> dict[CountKey, int]:
    """What a deal of ``entry_count`` entries adds to the counts."""
    rules, score = audit.state.opening.rules, audit.score
    name = rules.ruleset.id if rules.is_known else UNKNOWN_NAME
    outcome = score.outcome or UNDECIDED
    counts: dict[CountKey, int] = {
        ("deals", name): 1, ("entries", name): entry_count, ("outcome", name, outcome): 1,
    }  # fmt: skip
    if not audit.ok:
        counts["faulty",] = 1
    chips = dict(score.payments or ())
    for seat in SEAT_NAMES if chips else ():
        counts["seat chips", name, seat] = chips[seat]
        counts["seat paid", name, seat] = 1
    if score.declarer is not None and score.contract is not None:
        seat = SEAT_NAMES[score.declarer]
        known = any(one.id == score.contract for one in rules.ruleset.contracts)
        contract = score.contract if known else UNKNOWN_NAME
        counts["contract", name, contract, outcome] = 1
        counts["declared", name, seat] = 1
        counts["seat won", name, seat] = int(outcome == WON)
        if chips:
            counts["contract chips", name, contract] = chips[seat]
            counts["contract paid", name, contract] = 1
    for one in audit.findings:
        counts["finding", one.code, one.severity] = counts.get(("finding", one.code, one.severity), 0) + 1
        counts["found", one.code, one.severity] = 1
    return counts


def build_statistics(counts: Mapping[CountKey, int]) -> DealStatistics:
    """Build the statistics from the summed counts."""
    rulesets = sorted(_names_after(counts, "deals"), key=lambda name: (-counts["deals", name], name))
    found = [key[1:] for key in counts if key[0] == "finding"]
    findings = [
        FindingCount(code, severity, counts["finding", code, severity], counts["found", code, severity])
        for code, severity in found
    ]
    return DealStatistics(
        sum(counts["deals", name] for name in rulesets),
        sum(counts["entries", name] for name in rulesets),
        counts.get(("faulty",), 0),
        tuple(_count_ruleset(counts, name) for name in rulesets),
        tuple(sorted(findings, key=lambda one: (-one.occurrences, one.code, one.severity))),
    )


def _count_ruleset(counts: Mapping[CountKey, int], name: str) -> RulesetCount:
    contracts = [
        _count_contract(counts, name, contract) for contract in _names_after(counts, "contract", name)
    ]
    return RulesetCount(
        name,
        counts["deals", name],
        counts["entries", name],
        _count_outcomes(counts, "outcome", name),
        tuple(sorted(contracts, key=lambda one: (-one.deals, one.name))),
        tuple(_count_seat(counts, name, seat) for seat in SEAT_NAMES),
    )


def _count_contract(counts: Mapping[CountKey, int], ruleset: str, contract: str) -> ContractCount:
    outcomes = _count_outcomes(counts, "contract", ruleset, contract)
    chips = counts.get(("contract chips", ruleset, contract), 0)
    paid = counts.get(("contract paid", ruleset, contract), 0)
    return ContractCount(contract, sum(outcomes.values()), outcomes, chips, paid)


def _count_seat(counts: Mapping[CountKey, int], ruleset: str, seat: str) -> SeatCount:
    figures = (
        counts.get((what, ruleset, seat), 0) for what in ("seat chips", "seat paid", "declared", "seat won")
    )
    return SeatCount(seat, *figures)


def _names_after(counts: Iterable[CountKey], *prefix: str) -> list[str]:
    """The next part of the keys that begin with this prefix."""
    size = len(prefix)
    return list(dict.fromkeys(key[size] for key in counts if key[:size] == prefix))


def _count_outcomes(counts: Mapping[CountKey, int], *prefix: str) -> dict[str, int]:
    """Deals by outcome, the most frequent first."""
    names = sorted(_names_after(counts, *prefix), key=lambda name: (-counts[*prefix, name], name))
    return {name: counts[*prefix, name] for name in names}
