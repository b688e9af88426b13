"""The same deals under other rules: what they would have paid (RULES 7, 8).

A contract that the other rules do not know leaves its deal open. In an evening no pool is taken from the
record.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.core.events import DealOpened
from engine.core.log import Log
from engine.core.table_events import TableOpened
from engine.fold import fold_all
from engine.play.history import effective
from engine.play.state import initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook, find_ruleset
from engine.rulesets.switches import SwitchSettings
from engine.scoring.payments import Payments, payment_differences
from engine.scoring.score import Score, score
from engine.tables.evening_deal import EveningDeal, fold_evening_deal
from engine.tables.ledger import Ledger, LedgerLine
from engine.tables.ledger_builder import compute_ledger


class UnknownRules(LookupError):
    """A ruleset or revision that is not in the book."""


class OtherRules(NamedTuple):
    """The rules to ask: the newest revision where none is named, with these house rules."""

    ruleset: str
    revision: int | None = None
    switches: SwitchSettings = ()


class RescoredDeal(NamedTuple):
    """A deal of the evening under both rules: its line of either ledger, by player the chips more or less.

    ``difference``: None where one of them leaves open what the deal pays.
    """

    before: LedgerLine
    after: LedgerLine
    difference: Payments | None


class EveningRescoring(NamedTuple):
    """An evening under both rules.

    ``before`` and ``after``: the ledgers, both by the rules alone, whatever was settled; ``difference``: by
    player, what the deals would have brought more or less, without those that one of them leaves open.
    """

    before: Ledger
    after: Ledger
    deals: tuple[RescoredDeal, ...]
    difference: Payments


def rescore_evening(
    log: Log, deals: Mapping[str, Log], other_rules: OtherRules, book: RulesetBook = PUBLISHED_RULESETS
) -> EveningRescoring | None:
    """An evening as it would stand under other rules; ``deals`` are its deals by their streams' names.

    None where the log opens no table. Raises `UnknownRules`.
    """
    own_deals = {name: _without_settlement(fold_evening_deal(deal, book)) for name, deal in deals.items()}
    other_deals = {
        name: _without_settlement(
            fold_evening_deal(_without_pool(replace_rules(deal, other_rules, book)), book)
        )
        for name, deal in deals.items()
    }
    before = compute_ledger(log, own_deals, book)
    after = compute_ledger(replace_rules(log, other_rules, book), other_deals, book)
    if before is None or after is None:
        return None
    lines = zip(before.lines, after.lines, strict=True)
    pairs = tuple(
        RescoredDeal(one, its, _line_difference(one, its)) for one, its in lines if one.deal is not None
    )
    moved_chips = tuple(chips for one in pairs for chips in one.difference or ())
    return EveningRescoring(before, after, pairs, payment_differences((), moved_chips))


def score_with_rules(log: Log, other_rules: OtherRules, book: RulesetBook = PUBLISHED_RULESETS) -> Score:
    """What one deal pays under other rules, round the pool that it records. Raises `UnknownRules`."""
    return score(fold_all(replace_rules(log, other_rules, book), initial_state(book)))


def replace_rules(log: Log, other_rules: OtherRules, book: RulesetBook = PUBLISHED_RULESETS) -> Log:
    """The effective entries of a log, as if it had been opened with other rules. Raises `UnknownRules`."""
    rules = find_ruleset(book, other_rules.ruleset, other_rules.revision)
    if rules is None:
        revision = "" if other_rules.revision is None else f", revision {other_rules.revision}"
        raise UnknownRules(f"there is no ruleset {other_rules.ruleset}{revision} here")
    changed = []
    for entry in effective(log).entries:
        event = entry.event
        if isinstance(event, (DealOpened, TableOpened)):
            event = replace(
                event,
                ruleset=other_rules.ruleset,
                revision=rules.ruleset.revision,
                switches=other_rules.switches,
            )
        changed.append(entry._replace(event=event))
    return tuple(changed)


def _without_settlement(deal: EveningDeal) -> EveningDeal:
    """A deal as if no settlement had been recorded; a ruling stands."""
    ending = deal.state.ending._replace(settlement=None, settlement_seq=0)
    return deal._replace(state=replace(deal.state, ending=ending))


def _without_pool(entries: Log) -> Log:
    """The entries of a deal that does not say what lay in the pool, so that the ledger says it."""
    return tuple(
        entry._replace(event=replace(entry.event, pool=None, reserved=()))
        if isinstance(entry.event, DealOpened)
        else entry
        for entry in entries
    )


def _line_difference(one: LedgerLine, its: LedgerLine) -> Payments | None:
    if not (one.is_decided and its.is_decided):
        return None
    return payment_differences((*one.stake, *one.chips), (*its.stake, *its.chips))
