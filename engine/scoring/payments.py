"""What a deal pays: chips by tariff (RULES 7) or fish round a pool, fouls (4), forbidden surrenders (8)."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, BySeat, Seat
from engine.core.message import Message, Term, format_message
from engine.play.outcomes import BETE, CODILLE, WON
from engine.play.state import State
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Contract, PoolTerms, Ruleset

SURRENDER_RULE: Final = "8. Surrender"

Payments = tuple[tuple[str, int], ...]
"""Chips to (+) or from (−) each, by seat or, sitting out, by name."""


class PaymentItem(NamedTuple):
    """One reason for chips: ``each`` is from (+) or to (−) each opponent; with ``pool``, in all."""

    label: Message
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
    """How a deal ended, as far as payments depend on it.

    ``tricks`` by seat; ``outcome`` won, bete or codille; ``slam`` made, failed or None;
    ``primeras``: declarer won the first five tricks; ``estuches``: how many are paid.
    """

    declarer: Seat
    contract: Contract
    tricks: BySeat[int]
    outcome: str
    slam: str | None = None
    primeras: bool = False
    estuches: int = 0


def opponent_payments(declarer: Seat, each: int, paying_sitters: tuple[str, ...]) -> Payments:
    """The same number of chips from each opponent to the declarer, or to each where negative."""
    opponents = 2 + len(paying_sitters)
    by_seat = [(SEAT_NAMES[seat], each * opponents if seat == declarer else -each) for seat in SEATS]
    return (*by_seat, *((name, -each) for name in paying_sitters))


def add_by_name(payments: Iterable[tuple[str, int]]) -> dict[str, int]:
    """All that each name gets or pays, in the order in which the names first come."""
    chips: dict[str, int] = {}
    for name, amount in payments:
        chips[name] = chips.get(name, 0) + amount
    return chips


def payment_differences(due: Iterable[tuple[str, int]], paid: Iterable[tuple[str, int]]) -> Payments:
    """By name, how much more was ``paid`` than ``due``, without those for whom it is the same."""
    changes = add_by_name((*((name, -count) for name, count in due), *paid))
    return tuple((name, count) for name, count in changes.items() if count)


def compute_payout(deal: FinishedDeal, rules: CompiledRuleset, stakes: Stakes) -> Payout | None:
    """What a finished course pays; None where the ruleset states no rate for it."""
    if rules.ruleset.pool is not None:
        return _pool_payout(deal, rules, rules.ruleset.pool, stakes)
    return _tariff_payout(deal, rules, stakes.paying_sitters)


def tariff_rate(deal: FinishedDeal, rules: CompiledRuleset) -> int | None:
    """What the tariff has for a course: chips from each opponent; None where the source does not say.

    None too for the codille of a nolo that is paid by its tricks, where these are not known.
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


def payment_section(ruleset: Ruleset) -> str:
    """The section of the rules on what a deal pays: by tariff, or round a pool."""
    return "7. Payments" if ruleset.pool is None else "8. Payments"


def _tariff_payout(
    deal: FinishedDeal, rules: CompiledRuleset, paying_sitters: tuple[str, ...]
) -> Payout | None:
    each = tariff_rate(deal, rules)
    if each is None:
        return None
    items = [PaymentItem(_outcome_label(deal.contract.words, deal.outcome), each, "7. Payments")]
    slam = rules.ruleset.slam
    if slam is not None and deal.slam is not None:
        worth = slam.worth if deal.slam == "made" else -slam.worth
        items.append(PaymentItem(_slam_label(deal.slam), worth, "6. All nine tricks"))
    total = sum(item.each for item in items)
    return Payout(opponent_payments(deal.declarer, total, paying_sitters), tuple(items), None)


def game_name(contract: Contract) -> Term:
    """What the ruleset calls a contract, as a part of a label."""
    return Term("game", contract.words, contract.words)


@lru_cache(1000)
def _outcome_label(words: str, outcome: str) -> Message:
    game = Term("game", words, words)
    if outcome == WON:
        return format_message("{game} won", game=game)
    if outcome == BETE:
        return format_message("{game} bête", game=game)
    return format_message("{game} codille", game=game)


def _slam_label(slam: str) -> Message:
    if slam == "made":
        return format_message("all nine tricks made")
    return format_message("all nine tricks failed")


def _pool_item(label: Message, chips: int) -> PaymentItem:
    return PaymentItem(label, chips, "8. Payments", True)


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
    game, bases = game_name(deal.contract), -base * opponents
    if deal.outcome == BETE:
        items = [
            _pool_item(format_message("{game}: the base for each opponent, into the pool", game=game), bases),
            _pool_item(format_message("puesta: as much as lies in the pool, into the pool"), -in_pool),
        ]
        after = in_pool + sum_due
    else:
        first, second = (seat for seat in SEATS if seat != deal.declarer)
        if deal.tricks[first] == deal.tricks[second]:
            return None
        winner = first if deal.tricks[first] > deal.tricks[second] else second
        chips[SEAT_NAMES[winner]] += sum_due
        items = [
            _pool_item(format_message("{game}: the base for each opponent, to the winner", game=game), bases),
            _pool_item(format_message("codille: as much as lies in the pool, to the winner"), -in_pool),
        ]
        after = in_pool
    return Payout(tuple(chips.items()), tuple(items), stakes.pool_change(after, stakes.reserved))


def _lost_vole_payout(deal: FinishedDeal, terms: PoolTerms, stakes: Stakes) -> Payout:
    """The vole challenged in the auction and lost before the game was won: the pool stays (RULES 8)."""
    return Payout(
        opponent_payments(deal.declarer, -terms.vole, stakes.paying_sitters),
        (PaymentItem(format_message("vole lost"), -terms.vole, "8. Payments"),),
        stakes.unchanged_pool(),
    )


def _sacada_payout(deal: FinishedDeal, terms: PoolTerms, base: int, stakes: Stakes) -> Payout:
    items = []
    if deal.slam is not None:
        if deal.slam == "made":
            items.append(PaymentItem(format_message("vole won"), terms.vole, "8. Payments"))
        else:
            items.append(PaymentItem(format_message("vole lost"), -terms.vole, "8. Payments"))
    else:
        sacada = format_message("{game}: sacada", game=game_name(deal.contract))
        items.append(PaymentItem(sacada, base, "8. Payments"))
        if deal.primeras:
            primeras = format_message("primeras: the first five tricks")
            items.append(PaymentItem(primeras, terms.primeras, "8. Payments"))
    if deal.estuches:
        estuches = format_message("estuches: {count} in a row from spadille", count=deal.estuches)
        items.append(PaymentItem(estuches, deal.estuches, "8. Payments"))
    each = sum(item.each for item in items if not item.pool)
    chips = dict(opponent_payments(deal.declarer, each, stakes.paying_sitters))
    in_pool = stakes.pool or 0
    chips[SEAT_NAMES[deal.declarer]] += in_pool
    if in_pool:
        items.append(_pool_item(format_message("the pool"), in_pool))
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
    base, puesta = payout.items
    game = base.label.arguments["game"]
    items = (
        base._replace(label=format_message("{game}: the base for each opponent, set aside", game=game)),
        puesta._replace(label=format_message("puesta: as much as lies in the pool, set aside")),
    )
    counted = PoolChange(pool.before, pool.before, (*pool.reserved, pool.after - pool.before))
    return Payout(payout.payments, items, counted)


def forfeit_payout(
    state: State,
    declarer: Seat | None,
    contract: Contract | None,
    at_fault: Seat | None,
    paying_sitters: tuple[str, ...],
) -> Payout | None:
    """What a foul in the procedure costs who is ``at_fault``, where the director rules the deal forfeited.

    None where the rules do not say, or the record does not.
    """
    rules = state.opening.rules
    if declarer is None or contract is None or at_fault is None or rules.ruleset.foul == "not-stated":
        return None
    is_value_to_each = rules.ruleset.foul == "value-to-each"
    outcome = BETE if at_fault == declarer and not is_value_to_each else WON
    each = tariff_rate(FinishedDeal(declarer, contract, (0, 0, 0), outcome), rules)
    if each is None:
        return None
    if is_value_to_each:
        each = -each
        payments = opponent_payments(at_fault, each, paying_sitters)
        label = format_message("foul in the exchange: the value of the game to each")
    elif at_fault == declarer:
        payments = opponent_payments(declarer, each, paying_sitters)
        label = format_message("foul in the exchange by the declarer, paid as bête")
    else:
        in_all = each * (2 + len(paying_sitters))
        chips = dict.fromkeys((*SEAT_NAMES, *paying_sitters), 0)
        chips |= {SEAT_NAMES[declarer]: in_all, SEAT_NAMES[at_fault]: -in_all}
        payments = tuple(chips.items())
        label = format_message("foul in the exchange: a defender pays for all of them")
    return Payout(payments, (PaymentItem(label, each, "4. Exchange"),), None)


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
    """What is paid; None for the new Ombre's codille, on which the source is silent."""
    base = rules.pool_bases.get(contract.id)
    if base is None or outcome not in (WON, BETE):
        return None
    opponents, in_pool = 2 + len(stakes.paying_sitters), stakes.pool or 0
    puesta = in_pool + base * opponents
    game = game_name(contract)
    base_debt = format_message("{game} surrendered: the base for each opponent", game=game)
    debts = (
        PaymentItem(base_debt, -base * opponents, SURRENDER_RULE, True),
        PaymentItem(format_message("as much as lies in the pool"), -in_pool, SURRENDER_RULE, True),
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
            format_message("{game}: the base from the others", game=game),
            base * (opponents - 1),
            SURRENDER_RULE,
            True,
        ),
        PaymentItem(format_message("the pool"), in_pool, SURRENDER_RULE, True),
    )
    return SurrenderPayouts(
        Payout(paid_over, debts, stakes.unchanged_pool()),
        Payout(_payments(won, stakes), items, stakes.pool_change(*take_largest_reserve(stakes.reserved))),
    )


def _payments(chips: dict[str, int], stakes: Stakes) -> Payments:
    return tuple((name, chips.get(name, 0)) for name, _ in stakes.zero_payments())
