"""Statistics of many deals: each deal adds to counts, and counts can be added in any order."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine.audit import Audit
from engine.core.cards import SEAT_NAMES, SEATS
from engine.play.outcomes import BETE, CODILLE, WON
from engine.play.state import State
from engine.scoring.score import Score

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


class PlayerCount(NamedTuple):
    """The results of a player, in deals that came to something; a void deal is dealt again.

    ``chips`` is what the deals paid. The player at the end counts, not one whose hand was taken over.
    """

    player: str
    chips: int
    played: int
    sat_out: int
    declared: int
    won: int
    bete: int
    codille: int


class DealStatistics(NamedTuple):
    """The statistics of many deals; rulesets by their deals, contracts by how often they were played.

    Players are ordered by their chips.
    """

    deals: int
    entries: int
    faulty_deals: int
    rulesets: tuple[RulesetCount, ...]
    players: tuple[PlayerCount, ...]
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
    if outcome != "voided" and (score.decided or score.outcome is not None):
        counts |= _count_players(audit.state, score)
    for one in audit.findings:
        counts["finding", one.code, one.severity] = counts.get(("finding", one.code, one.severity), 0) + 1
        counts["found", one.code, one.severity] = 1
    return counts


def _count_players(state: State, score: Score) -> dict[CountKey, int]:
    players = state.opening.players
    dealt = [players.at(seat) for seat in SEATS]
    hands = [taker or player for taker, player in zip(state.ending.substitutes, dealt, strict=True)]
    by_seat, chips = dict(zip(SEAT_NAMES, hands, strict=True)), dict[str, int]()
    for name, amount in score.payments or ():
        player = by_seat.get(name, name)
        chips[player] = chips.get(player, 0) + amount
    counts: dict[CountKey, int] = {("player", one, "chips"): amount for one, amount in chips.items()}
    counts |= {("player", one, "played"): 1 for one in hands}
    counts |= {("player", one, "sat_out"): 1 for one in {*players.sitting_out, *dealt} - {*hands}}
    if score.declarer is not None and score.contract is not None:
        counts["player", hands[score.declarer], "declared"] = 1
        if score.outcome in (WON, BETE, CODILLE):
            counts["player", hands[score.declarer], score.outcome] = 1
    return counts


def build_statistics(counts: Mapping[CountKey, int]) -> DealStatistics:
    """Build the statistics from the summed counts."""
    rulesets = sorted(_names_after(counts, "deals"), key=lambda name: (-counts["deals", name], name))
    found = [key[1:] for key in counts if key[0] == "finding"]
    findings = [
        FindingCount(code, severity, counts["finding", code, severity], counts["found", code, severity])
        for code, severity in found
    ]
    players = [_count_player(counts, name) for name in _names_after(counts, "player")]
    return DealStatistics(
        sum(counts["deals", name] for name in rulesets),
        sum(counts["entries", name] for name in rulesets),
        counts.get(("faulty",), 0),
        tuple(_count_ruleset(counts, name) for name in rulesets),
        tuple(sorted(players, key=lambda one: (-one.chips, one.player))),
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


def _count_player(counts: Mapping[CountKey, int], player: str) -> PlayerCount:
    figures = (counts.get(("player", player, what), 0) for what in PlayerCount._fields[1:])
    return PlayerCount(player, *figures)


def _names_after(counts: Iterable[CountKey], *prefix: str) -> list[str]:
    """The next part of the keys that begin with this prefix."""
    size = len(prefix)
    return list(dict.fromkeys(key[size] for key in counts if key[:size] == prefix))


def _count_outcomes(counts: Mapping[CountKey, int], *prefix: str) -> dict[str, int]:
    """Deals by outcome, the most frequent first."""
    names = sorted(_names_after(counts, *prefix), key=lambda name: (-counts[*prefix, name], name))
    return {name: counts[*prefix, name] for name in names}
