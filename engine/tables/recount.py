"""The score audit: what was settled at the table beside what the rules pay, deal by deal (RULES 7, 8).

Nothing that was settled is believed: the ledger is computed anew from what happened in the deals alone.
Where a deal's own record says what lay in the pool, it is played for that, as in the ledger; that it is not
what the earlier deals left is told beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.core.events import DealClosed, DealSettled
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import Message, TextList, format_message
from engine.play.findings import Finding, build_finding
from engine.play.history import effective
from engine.play.state import State
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.payments import Payments
from engine.tables.deal_players import player_at
from engine.tables.evening_deal import EveningDeal, fold_evening_deal
from engine.tables.ledger import Ledger, LedgerLine, Pot
from engine.tables.ledger_builder import compute_ledger
from engine.tables.pots import describe_pot, recorded_pot


class Settlement(NamedTuple):
    """What an entry of a deal says was paid.

    ``difference``: by how much it is not what the rules pay, by player, without those for whom it agrees;
    None where it is not known what the rules pay. ``engine_version``: the version that computed a closing.
    """

    seq: Seq
    payments: Payments
    difference: Payments | None
    engine_version: str | None


def effective_settlement(settlements: Sequence[Settlement]) -> Settlement | None:
    """Of all that a deal's record says was paid, what counts: the last; None where it says nothing.

    A closing tells what was computed, and counts only where nobody said what was paid.
    """
    paid = [one for one in settlements if one.engine_version is None] or settlements
    return paid[-1] if paid else None


class RecountedDeal(NamedTuple):
    """A deal counted again.

    ``line``: that of the ledger computed anew, decided where the rules say what the deal pays;
    ``settlements``: all that its record says was paid, the last of which counts; ``recorded_pot``: the pool
    that the deal was opened with, where it is not what the earlier deals left; ``running_difference``: by how
    much the table and the rules are apart after this deal, by player.
    """

    line: LedgerLine
    settlements: tuple[Settlement, ...]
    recorded_pot: Pot | None
    running_difference: Payments

    @property
    def difference(self) -> Payments:
        """By how much what was paid in this deal is not what the rules pay."""
        return (self.settlements[-1].difference or ()) if self.settlements else ()

    @property
    def has_difference(self) -> bool:
        """Whether the table's account and the rules part here, in what was paid or in the pool."""
        return bool(self.difference) or self.recorded_pot is not None


class Recount(NamedTuple):
    """A table's evening counted again.

    ``ledger``: computed anew; ``deals``: in the order in which they were started, those not here left out;
    ``difference``: by how much the table and the rules are apart in the end, by player.
    """

    ledger: Ledger
    deals: tuple[RecountedDeal, ...]
    difference: Payments

    @property
    def first_difference(self) -> RecountedDeal | None:
        """The first deal in which they part; None where they agree throughout."""
        return next((one for one in self.deals if one.has_difference), None)


def recount_evening(
    log: Log, deals: Mapping[str, Log], book: RulesetBook = PUBLISHED_RULESETS
) -> Recount | None:
    """Counts an evening again: ``log`` is the table's, ``deals`` its deals' by their streams' names.

    None where the log does not say how the table was opened.
    """
    folded = {name: without_settlement(fold_evening_deal(deal, book)) for name, deal in deals.items()}
    recounted = compute_ledger(log, folded, book)
    if recounted is None:
        return None
    running: dict[str, int] = {}
    counted: list[RecountedDeal] = []
    for line in recounted.lines:
        if line.deal is None or line.deal not in deals:
            continue
        state = folded[line.deal].state
        settlements = tuple(list_settlements(deals[line.deal], state, line))
        one = RecountedDeal(line, settlements, _deviating_pot(state, line), ())
        for player, chips in one.difference:
            running[player] = running.get(player, 0) + chips
        counted.append(one._replace(running_difference=_nonzero_chips(running)))
    return Recount(recounted, tuple(counted), _nonzero_chips(running))


def without_settlement(deal: EveningDeal) -> EveningDeal:
    """A deal as if nobody had said what was paid in it; a ruling stands."""
    ending = deal.state.ending._replace(settlement=None, settlement_seq=0)
    return deal._replace(state=deal.state._replace(ending=ending))


def list_settlements(log: Log, state: State, line: LedgerLine) -> Iterator[Settlement]:
    """Every settlement of a deal, by player, beside what is due by its ``line``, where that is decided."""
    for seq, event, _ in effective(log).entries:
        if not isinstance(event, (DealSettled, DealClosed)):
            continue
        paid: dict[str, int] = {}
        for name, chips in event.payments:
            player = player_at(state, line.seating, name)
            paid[player] = paid.get(player, 0) + chips
        engine = event.engine if isinstance(event, DealClosed) else None
        deviation = _difference(paid, line.chips) if line.is_decided else None
        yield Settlement(seq, tuple(paid.items()), deviation, engine)


def _difference(paid: Mapping[str, int], computed: Payments) -> Payments:
    expected = dict(computed)
    return _nonzero_chips(
        {name: paid.get(name, 0) - expected.get(name, 0) for name in dict.fromkeys((*expected, *paid))}
    )


def _nonzero_chips(chips: Mapping[str, int]) -> Payments:
    """By player, those left out whose chips come to nothing."""
    return tuple((player, count) for player, count in chips.items() if count)


def _deviating_pot(state: State, line: LedgerLine) -> Pot | None:
    """The pool recorded at the opening of a deal, where it is not what the earlier deals left."""
    recorded = recorded_pot(state)
    if recorded is None or line.pot_before is None or recorded == line.pot_before.opening_pot:
        return None
    return recorded


def first_difference_finding(recount: Recount) -> Finding | None:
    """Where the table's account and the rules part first, and by how much, as a finding; None where nowhere.

    Its ``seq`` is the table's entry that started the deal.
    """
    first = recount.first_difference
    if first is None:
        return None
    code = "settlement_mismatch" if first.difference else "pool_mismatch"
    rule = "7. Payments" if first.difference else "8. Pool"
    return build_finding(first.line.seq, code, _describe_difference(first), rule)


def _describe_difference(first: RecountedDeal) -> Message:
    """In words, what was paid or lay in the pool instead of what should have."""
    number = first.line.number or 0
    if first.difference:
        computed, paid = dict(first.line.chips), dict(first.settlements[-1].payments)
        wrong = TextList(
            format_message(
                "{player} {paid:+d} instead of {due:+d}",
                player=player,
                paid=paid.get(player, 0),
                due=computed.get(player, 0),
            )
            for player, _ in first.difference
        )
        return format_message(
            "Deal {number} is the first to part from the rules: {wrong}.", number=number, wrong=wrong
        )
    pot_before = first.line.pot_before
    assert first.recorded_pot is not None and pot_before is not None
    return format_message(
        "Deal {number} is the first to part from the rules: opened with {recorded} instead of {due}.",
        number=number,
        recorded=describe_pot(first.recorded_pot),
        due=describe_pot(pot_before.opening_pot),
    )
