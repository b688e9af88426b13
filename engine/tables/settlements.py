"""What was settled in a deal of an evening beside what the rules pay: no settlement is believed (RULES 7)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.core.events import DealClosed, DealSettled
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.play.history import effective
from engine.play.state import State
from engine.scoring.payments import Payments, payment_differences
from engine.tables.evening_deal import EveningDeal, player_at
from engine.tables.ledger import LedgerLine


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
        deviation = payment_differences(line.chips, paid.items()) if line.is_decided else None
        yield Settlement(seq, tuple(paid.items()), deviation, engine)
