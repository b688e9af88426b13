"""What is paid where a surrender was forbidden: by the first Ombre and by the new one (RULES 8)."""

from typing import NamedTuple

from engine.core.cards import SEAT_NAMES, Seat
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import Rules
from engine.rulesets.model import Contract
from engine.scoring.payments import Chips, Item, Paid, PoolCount, nothing, reserves_in_turn

RULE = "8. Surrender"


class BothPaid(NamedTuple):
    """What the first Ombre pays and what the new one pays or is paid."""

    first: Paid
    second: Paid

    @property
    def whole(self) -> Paid:
        """Both together: what the deal pays."""
        second = dict(self.second.payments)
        payments = tuple((name, chips + second[name]) for name, chips in self.first.payments)
        before, after = self.first.pool, self.second.pool
        pool = None if before is None or after is None else after._replace(before=before.before)
        return Paid(payments, (*self.first.items, *self.second.items), pool)


class Stakes(NamedTuple):
    """What both play for: the pool (None: not recorded), the puestas set aside, the sitters who pay."""

    pool: int | None
    reserved: tuple[int, ...]
    shares: tuple[str, ...]
    aside: bool


def first_outcome(outcome: str | None) -> str | None:
    """What the first Ombre has suffered by what the new one has come to."""
    return {WON: CODILLE, BETE: BETE}.get(outcome or "")


def both_paid(
    contract: Contract, first: Seat, new: Seat, outcome: str, rules: Rules, stakes: Stakes
) -> BothPaid | None:
    """What is paid; None for the new Ombre's codille, of which the source says nothing."""
    base = rules.bases.get(contract.id)
    if base is None or outcome not in (WON, BETE):
        return None
    opponents, in_pool = 2 + len(stakes.shares), stakes.pool or 0
    puesta = in_pool + base * opponents
    due = (
        Item(f"{contract.words.en} surrendered: the base for each opponent", -base * opponents, RULE, True),
        Item("as much as lies in the pool", -in_pool, RULE, True),
    )
    if outcome == BETE:
        twice = _into_pool(first, puesta, due, 1, stakes), _into_pool(new, puesta, due, 2, stakes)
        return BothPaid(*twice)
    paid_over = _chips({SEAT_NAMES[first]: -puesta, SEAT_NAMES[new]: puesta}, stakes)
    won = {name: -base for name, _ in nothing(stakes.shares)}
    won |= {SEAT_NAMES[first]: 0, SEAT_NAMES[new]: in_pool + base * (opponents - 1)}
    items = (
        Item(f"{contract.words.en}: the base from the others", base * (opponents - 1), RULE, True),
        Item("the pool", in_pool, RULE, True),
    )
    return BothPaid(
        Paid(paid_over, due, _counted(stakes, in_pool, stakes.reserved)),
        Paid(_chips(won, stakes), items, _counted(stakes, *reserves_in_turn(stakes.reserved))),
    )


def _into_pool(seat: Seat, puesta: int, due: tuple[Item, ...], so_many: int, stakes: Stakes) -> Paid:
    """One of twins: a puesta into the pool, or set aside together with the other."""
    chips = _chips({SEAT_NAMES[seat]: -puesta}, stakes)
    in_pool = stakes.pool or 0
    if stakes.aside:
        return Paid(chips, due, _counted(stakes, in_pool, (*stakes.reserved, so_many * puesta)))
    return Paid(chips, due, _counted(stakes, in_pool + so_many * puesta, stakes.reserved))


def _chips(some: dict[str, int], stakes: Stakes) -> Chips:
    return tuple((name, some.get(name, 0)) for name, _ in nothing(stakes.shares))


def _counted(stakes: Stakes, after: int, reserved: tuple[int, ...]) -> PoolCount | None:
    return None if stakes.pool is None else PoolCount(stakes.pool, after, reserved)
