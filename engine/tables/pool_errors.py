"""Pools that are not what the earlier deals left, and from which earlier deal that comes (RULES 8).

A pool that was counted or paid out wrongly stays so, deal after deal; only the first of them is a mistake.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from engine.scoring.payments import Payments
from engine.tables.evening_deal import EveningDeal
from engine.tables.ledger import Ledger
from engine.tables.pots import chips_out_of_pool, recorded_pot


class _BelievedPool(NamedTuple):
    """What a table believes of a pool.

    ``excess``: how much more lies in it than should, None where nobody knows; ``source``: the deal from which
    that comes.
    """

    excess: int | None = 0
    source: str | None = None


def find_inherited_pool_errors(
    ledger: Ledger,
    deals: Mapping[str, EveningDeal],
    differences: Mapping[str, Payments],
    impossible_deals: Collection[str],
) -> dict[str, str]:
    """By the deals whose pool is another only because of an earlier deal: that deal.

    ``ledger`` and ``deals``: the ledger, and the deals folded; ``differences``: by how much what was paid in
    a deal is not what the rules pay; ``impossible_deals``: deals whose record cannot be, so that nobody knows
    what they paid.
    """
    accounts: dict[int, _BelievedPool] = {}
    found: dict[str, str] = {}
    for line in ledger.lines:
        if line.deal is None or line.game is None or line.pot_before is None or line.deal not in deals:
            continue
        believed = accounts.get(line.game, _BelievedPool())
        recorded = recorded_pot(deals[line.deal].state)
        if recorded is not None:
            excess = recorded.total - line.pot_before.opening_pot.total
            if excess and believed.source is not None and believed.excess in (None, excess):
                found[line.deal] = believed.source
                believed = _BelievedPool(excess, believed.source)
            else:
                believed = _BelievedPool(excess, line.deal if excess else None)
        taken = chips_out_of_pool(differences.get(line.deal, ()))
        if line.deal in impossible_deals:
            believed = _BelievedPool(None, line.deal)
        elif taken and believed.excess is not None:
            believed = _BelievedPool(believed.excess - taken, believed.source or line.deal)
        accounts[line.game] = believed
    return found
