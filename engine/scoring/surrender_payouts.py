"""What is paid where a surrender was forbidden: by the first Ombre and by the new one (RULES 8)."""

from typing import NamedTuple

from engine.core.cards import SEAT_NAMES, Seat
from engine.core.message import format_message
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Contract
from engine.scoring.payments import PaymentItem, Payments, Payout, Stakes, game_name, take_largest_reserve

RULE = "8. Surrender"


class SurrenderPayouts(NamedTuple):
    """What the first Ombre pays and what the new one pays or is paid."""

    first_ombre: Payout
    new_ombre: Payout

    @property
    def total(self) -> Payout:
        """Both together: what the deal pays."""
        second = dict(self.new_ombre.payments)
        payments = tuple((name, chips + second[name]) for name, chips in self.first_ombre.payments)
        before, after = self.first_ombre.pool, self.new_ombre.pool
        pool = None if before is None or after is None else after._replace(before=before.before)
        return Payout(payments, (*self.first_ombre.items, *self.new_ombre.items), pool)


def first_ombre_outcome(outcome: str | None) -> str | None:
    """What the first Ombre has suffered by what the new one has come to."""
    return {WON: CODILLE, BETE: BETE}.get(outcome or "")


def compute_surrender_payouts(
    contract: Contract,
    first_ombre: Seat,
    new_ombre: Seat,
    outcome: str,
    rules: CompiledRuleset,
    stakes: Stakes,
    is_puesta_set_aside: bool,
) -> SurrenderPayouts | None:
    """What is paid; None for the new Ombre's codille, of which the source says nothing."""
    base = rules.pool_bases.get(contract.id)
    if base is None or outcome not in (WON, BETE):
        return None
    opponents, in_pool = 2 + len(stakes.paying_sitters), stakes.pool or 0
    puesta = in_pool + base * opponents
    game = game_name(contract)
    base_debt = format_message("{game} surrendered: the base for each opponent", game=game)
    debts = (
        PaymentItem(base_debt, -base * opponents, RULE, True),
        PaymentItem(format_message("as much as lies in the pool"), -in_pool, RULE, True),
    )
    if outcome == BETE:
        twins = []
        for seat, chips in ((first_ombre, puesta), (new_ombre, 2 * puesta)):  # what lies there by then
            after = (
                (in_pool, (*stakes.reserved, chips))
                if is_puesta_set_aside
                else (in_pool + chips, stakes.reserved)
            )
            twins.append(
                Payout(_payments({SEAT_NAMES[seat]: -puesta}, stakes), debts, stakes.pool_change(*after))
            )
        return SurrenderPayouts(*twins)
    paid_over = _payments({SEAT_NAMES[first_ombre]: -puesta, SEAT_NAMES[new_ombre]: puesta}, stakes)
    won = {name: -base for name, _ in stakes.zero_payments()}
    won |= {SEAT_NAMES[first_ombre]: 0, SEAT_NAMES[new_ombre]: in_pool + base * (opponents - 1)}
    items = (
        PaymentItem(
            format_message("{game}: the base from the others", game=game), base * (opponents - 1), RULE, True
        ),
        PaymentItem(format_message("the pool"), in_pool, RULE, True),
    )
    return SurrenderPayouts(
        Payout(paid_over, debts, stakes.unchanged_pool()),
        Payout(_payments(won, stakes), items, stakes.pool_change(*take_largest_reserve(stakes.reserved))),
    )


def _payments(chips: dict[str, int], stakes: Stakes) -> Payments:
    return tuple((name, chips.get(name, 0)) for name, _ in stakes.zero_payments())
