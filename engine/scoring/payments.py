"""What an outcome pays: chips by tariff (RULES 7), or fish round a pool (RULES 8)."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, Seat
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import BilingualText, Contract, PoolTerms

Payments = tuple[tuple[str, int], ...]
"""Chips to (+) or from (−) each, by seat or, sitting out, by name."""


class PaymentItem(NamedTuple):
    """One reason for chips: ``each`` is from (+) or to (−) each opponent; with ``pool``, in all."""

    label: str
    each: int
    rule: str
    pool: bool = False


class PoolChange(NamedTuple):
    """The pool before and after a deal, and the puestas set aside."""

    before: int
    after: int
    reserved: tuple[int, ...]


class Stakes(NamedTuple):
    """What a deal is played for.

    ``pool``: what lies there, None where nobody recorded it; ``reserved``: the puestas set aside;
    ``paying_sitters``: the players sitting out who pay and receive as opponents.
    """

    pool: int | None
    reserved: tuple[int, ...]
    paying_sitters: tuple[str, ...]

    def zero_payments(self) -> Payments:
        """Nobody pays anything."""
        return tuple((name, 0) for name in (*SEAT_NAMES, *self.paying_sitters))

    def pool_change(self, after: int, reserved: tuple[int, ...]) -> PoolChange | None:
        """The pool before and after a deal; None where nobody recorded it."""
        return None if self.pool is None else PoolChange(self.pool, after, reserved)

    def unchanged_pool(self) -> PoolChange | None:
        """The pool after a deal that leaves it alone."""
        return self.pool_change(self.pool or 0, self.reserved)


class Payout(NamedTuple):
    """Chips to (+) or from (−) each, by seat or, sitting out, by name; and why."""

    payments: Payments
    items: tuple[PaymentItem, ...]
    pool: PoolChange | None


class FinishedDeal(NamedTuple):
    """A finished course of a deal, as far as payment asks.

    ``tricks`` by seat; ``outcome`` won, bete or codille; ``slam`` made, failed or None;
    ``primeras``: declarer won the first five tricks; ``estuches``: how many he is paid.
    """

    declarer: Seat
    contract: Contract
    tricks: tuple[int, int, int]
    outcome: str
    slam: str | None = None
    primeras: bool = False
    estuches: int = 0


OUTCOME_WORDS = {
    WON: BilingualText("won", "vundet"),
    BETE: BilingualText("bête", "bet"),
    CODILLE: BilingualText("kodille", "kruk"),
}


def opponent_payments(declarer: Seat, each: int, paying_sitters: tuple[str, ...]) -> Payments:
    """The same number of chips from each opponent to the declarer, or to each where negative."""
    opponents = 2 + len(paying_sitters)
    by_seat = [(SEAT_NAMES[seat], each * opponents if seat == declarer else -each) for seat in SEATS]
    return (*by_seat, *((name, -each) for name in paying_sitters))


def payment_differences(due: Iterable[tuple[str, int]], paid: Iterable[tuple[str, int]]) -> Payments:
    """By name, how much more was ``paid`` than ``due``, without those for whom it is the same."""
    changes: dict[str, int] = {}
    for chips, sign in ((due, -1), (paid, 1)):
        for name, count in chips:
            changes[name] = changes.get(name, 0) + sign * count
    return tuple((name, count) for name, count in changes.items() if count)


def compute_payout(deal: FinishedDeal, rules: CompiledRuleset, stakes: Stakes) -> Payout | None:
    """What a finished course pays; None where the ruleset states no rate for it."""
    if rules.ruleset.pool is not None:
        return _pool_payout(deal, rules, rules.ruleset.pool, stakes)
    return _tariff_payout(deal, rules, stakes.paying_sitters)


def tariff_rate(deal: FinishedDeal, rules: CompiledRuleset) -> int | None:
    """What the tariff has for a course: chips from each opponent; None where the source does not say.

    None too for the kodille of a nolo that is paid by its tricks, where these are not known.
    """
    tariff = rules.tariffs.get(deal.contract.id)
    if tariff is None:
        return None
    if deal.outcome == WON:
        return tariff.won
    if deal.outcome == BETE:
        return None if tariff.bete is None else -tariff.bete
    if not tariff.codille or deal.contract.codille_from is None:
        return None
    rates = {min(amount, tariff.most or amount) for amount in tariff.codille}
    beyond = deal.tricks[deal.declarer] - deal.contract.codille_from
    if deal.contract.aim == "nolo" and beyond < 0 and len(rates) > 1:
        return None
    amount = tariff.codille[min(max(beyond, 0), len(tariff.codille) - 1)]
    return -min(amount, tariff.most or amount)


def _tariff_payout(
    deal: FinishedDeal, rules: CompiledRuleset, paying_sitters: tuple[str, ...]
) -> Payout | None:
    each = tariff_rate(deal, rules)
    if each is None:
        return None
    label = f"{deal.contract.words.en} {OUTCOME_WORDS[deal.outcome].en}"
    items = [PaymentItem(label, each, "7. Payments")]
    slam = rules.ruleset.slam
    if slam is not None and deal.slam is not None:
        worth = slam.worth if deal.slam == "made" else -slam.worth
        items.append(PaymentItem(f"all nine tricks {deal.slam}", worth, "6. All nine tricks"))
    total = sum(item.each for item in items)
    return Payout(opponent_payments(deal.declarer, total, paying_sitters), tuple(items), None)


def _pool_payout(
    deal: FinishedDeal, rules: CompiledRuleset, terms: PoolTerms, stakes: Stakes
) -> Payout | None:
    base = rules.pool_bases.get(deal.contract.id)
    if base is None:
        return None
    if deal.outcome == WON:
        return _sacada_payout(deal, terms, base, stakes)
    if deal.slam is not None:
        return _lost_vole_payout(deal, terms, stakes)
    in_pool = stakes.pool or 0
    opponents = 2 + len(stakes.paying_sitters)
    sum_due = in_pool + base * opponents
    chips = dict(stakes.zero_payments())
    chips[SEAT_NAMES[deal.declarer]] -= sum_due
    name, bases = deal.contract.words.en, -base * opponents
    if deal.outcome == BETE:
        items = [
            PaymentItem(f"{name}: the base for each opponent, into the pool", bases, "8. Payments", True),
            PaymentItem("puesta: as much as lies in the pool, into the pool", -in_pool, "8. Payments", True),
        ]
        after = in_pool + sum_due
    else:
        first, second = (seat for seat in SEATS if seat != deal.declarer)
        if deal.tricks[first] == deal.tricks[second]:
            return None
        winner = first if deal.tricks[first] > deal.tricks[second] else second
        chips[SEAT_NAMES[winner]] += sum_due
        items = [
            PaymentItem(f"{name}: the base for each opponent, to him who won it", bases, "8. Payments", True),
            PaymentItem(
                "codille: as much as lies in the pool, to him who won it", -in_pool, "8. Payments", True
            ),
        ]
        after = in_pool
    return Payout(tuple(chips.items()), tuple(items), stakes.pool_change(after, stakes.reserved))


def _lost_vole_payout(deal: FinishedDeal, terms: PoolTerms, stakes: Stakes) -> Payout:
    """The vole challenged in the auction and lost before the game was won: the pool stays (RULES 8)."""
    return Payout(
        opponent_payments(deal.declarer, -terms.vole, stakes.paying_sitters),
        (PaymentItem("vole lost", -terms.vole, "8. Payments"),),
        stakes.unchanged_pool(),
    )


def _sacada_payout(deal: FinishedDeal, terms: PoolTerms, base: int, stakes: Stakes) -> Payout:
    items = []
    if deal.slam is not None:
        worth = terms.vole if deal.slam == "made" else -terms.vole
        items.append(PaymentItem(f"vole {'won' if worth > 0 else 'lost'}", worth, "8. Payments"))
    else:
        items.append(PaymentItem(f"{deal.contract.words.en}: sacada", base, "8. Payments"))
        if deal.primeras:
            items.append(PaymentItem("primeras: the first five tricks", terms.primeras, "8. Payments"))
    if deal.estuches:
        items.append(
            PaymentItem(f"estuches: {deal.estuches} in a row from spadille", deal.estuches, "8. Payments")
        )
    each = sum(item.each for item in items if not item.pool)
    chips = dict(opponent_payments(deal.declarer, each, stakes.paying_sitters))
    in_pool = stakes.pool or 0
    chips[SEAT_NAMES[deal.declarer]] += in_pool
    if in_pool:
        items.append(PaymentItem("the pool", in_pool, "8. Payments", True))
    counted = stakes.pool_change(*take_largest_reserve(stakes.reserved))
    return Payout(tuple(chips.items()), tuple(items), counted)


def take_largest_reserve(reserved: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The pool after it has been won: the largest puesta set aside, and those that wait on (RULES 8)."""
    waiting = tuple(sorted(reserved, reverse=True))
    return sum(waiting[:1]), waiting[1:]


def set_puesta_aside(payout: Payout) -> Payout:
    """A puesta that the loser sets aside: paid, but not into the pool (RULES 8)."""
    pool = payout.pool
    if pool is None:
        return payout
    items = tuple(
        item._replace(label=item.label.replace("into the pool", "set aside")) for item in payout.items
    )
    counted = PoolChange(pool.before, pool.before, (*pool.reserved, pool.after - pool.before))
    return Payout(payout.payments, items, counted)
