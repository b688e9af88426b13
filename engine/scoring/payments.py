"""What an outcome pays: chips by tariff (RULES 7), or fish round a pool (RULES 8)."""

from typing import NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, Seat
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import Rules
from engine.rulesets.model import Contract, Words

Chips = tuple[tuple[str, int], ...]
"""Chips to (+) or from (−) each, by seat or, sitting out, by name."""


class Item(NamedTuple):
    """One reason for chips: ``each`` is from (+) or to (−) each opponent; with ``pool``, in all."""

    label: str
    each: int
    rule: str
    pool: bool = False


class PoolCount(NamedTuple):
    """The pool before and after a deal, and the puestas set aside."""

    before: int
    after: int
    reserved: tuple[int, ...]


class Paid(NamedTuple):
    """Chips to (+) or from (−) each, by seat or, sitting out, by name; and why."""

    payments: tuple[tuple[str, int], ...]
    items: tuple[Item, ...]
    pool: PoolCount | None


class Course(NamedTuple):
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


OUTCOME_WORDS = {WON: Words("won", "vundet"), BETE: Words("bête", "bet"), CODILLE: Words("kodille", "kruk")}


def opponents_pay(declarer: Seat, each: int, shares: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The same number of chips from each opponent to the declarer, or to each where negative."""
    opponents = 2 + len(shares)
    by_seat = [(SEAT_NAMES[seat], each * opponents if seat == declarer else -each) for seat in SEATS]
    return (*by_seat, *((name, -each) for name in shares))


def nothing(shares: tuple[str, ...] = ()) -> tuple[tuple[str, int], ...]:
    """Nobody pays anything."""
    return (*((name, 0) for name in SEAT_NAMES), *((name, 0) for name in shares))


def paid(
    course: Course, rules: Rules, pool: int | None, reserved: tuple[int, ...], shares: tuple[str, ...]
) -> Paid | None:
    """What a finished course pays; None where the ruleset states no rate for it.

    ``pool`` is what lay there, None where nobody recorded it; ``shares`` are the players
    sitting out who pay and receive as opponents.
    """
    if rules.ruleset.pool is not None:
        return _paid_round_pool(course, rules, pool, reserved, shares)
    return _paid_by_tariff(course, rules, shares)


def rate(course: Course, rules: Rules) -> int | None:
    """What the tariff has for a course: chips from each opponent; None where the source does not say.

    None too for the kodille of a nolo that is paid by its tricks, where these are not known.
    """
    tariff = rules.tariff.get(course.contract.id)
    if tariff is None:
        return None
    if course.outcome == WON:
        return tariff.won
    if course.outcome == BETE:
        return None if tariff.bete is None else -tariff.bete
    if not tariff.codille or course.contract.codille_from is None:
        return None
    rates = {min(due, tariff.most or due) for due in tariff.codille}
    beyond = course.tricks[course.declarer] - course.contract.codille_from
    if course.contract.aim == "nolo" and beyond < 0 and len(rates) > 1:
        return None
    due = tariff.codille[min(max(beyond, 0), len(tariff.codille) - 1)]
    return -min(due, tariff.most or due)


def _paid_by_tariff(course: Course, rules: Rules, shares: tuple[str, ...]) -> Paid | None:
    each = rate(course, rules)
    if each is None:
        return None
    label = f"{course.contract.words.en} {OUTCOME_WORDS[course.outcome].en}"
    items = [Item(label, each, "7. Payments")]
    slam = rules.ruleset.slam
    if slam is not None and course.slam is not None:
        worth = slam.worth if course.slam == "made" else -slam.worth
        items.append(Item(f"all nine tricks {course.slam}", worth, "6. All nine tricks"))
    total = sum(item.each for item in items)
    return Paid(opponents_pay(course.declarer, total, shares), tuple(items), None)


def _paid_round_pool(
    course: Course, rules: Rules, pool: int | None, reserved: tuple[int, ...], shares: tuple[str, ...]
) -> Paid | None:
    base = rules.bases.get(course.contract.id)
    if base is None:
        return None
    if course.outcome == WON:
        return _sacada(course, rules, base, pool, reserved, shares)
    if course.slam is not None:
        return _vole_lost_early(course, rules, pool, reserved, shares)
    in_pool = pool or 0
    opponents = 2 + len(shares)
    sum_due = in_pool + base * opponents
    chips = dict(nothing(shares))
    chips[SEAT_NAMES[course.declarer]] -= sum_due
    name, bases = course.contract.words.en, -base * opponents
    if course.outcome == BETE:
        items = [
            Item(f"{name}: the base for each opponent, into the pool", bases, "8. Payments", True),
            Item("puesta: as much as lies in the pool, into the pool", -in_pool, "8. Payments", True),
        ]
        after = in_pool + sum_due
    else:
        first, second = (seat for seat in SEATS if seat != course.declarer)
        if course.tricks[first] == course.tricks[second]:
            return None
        winner = first if course.tricks[first] > course.tricks[second] else second
        chips[SEAT_NAMES[winner]] += sum_due
        items = [
            Item(f"{name}: the base for each opponent, to him who won it", bases, "8. Payments", True),
            Item("codille: as much as lies in the pool, to him who won it", -in_pool, "8. Payments", True),
        ]
        after = in_pool
    counted = None if pool is None else PoolCount(pool, after, reserved)
    return Paid(tuple(chips.items()), tuple(items), counted)


def _vole_lost_early(
    course: Course, rules: Rules, pool: int | None, reserved: tuple[int, ...], shares: tuple[str, ...]
) -> Paid:
    """The vole challenged in the auction and lost before the game was won: the pool stays (RULES 8)."""
    terms = rules.ruleset.pool
    assert terms is not None
    counted = None if pool is None else PoolCount(pool, pool, reserved)
    return Paid(
        opponents_pay(course.declarer, -terms.vole, shares),
        (Item("vole lost", -terms.vole, "8. Payments"),),
        counted,
    )


def _sacada(
    course: Course,
    rules: Rules,
    base: int,
    pool: int | None,
    reserved: tuple[int, ...],
    shares: tuple[str, ...],
) -> Paid:
    terms = rules.ruleset.pool
    assert terms is not None
    items = []
    if course.slam is not None:
        worth = terms.vole if course.slam == "made" else -terms.vole
        items.append(Item(f"vole {'won' if worth > 0 else 'lost'}", worth, "8. Payments"))
    else:
        items.append(Item(f"{course.contract.words.en}: sacada", base, "8. Payments"))
        if course.primeras:
            items.append(Item("primeras: the first five tricks", terms.primeras, "8. Payments"))
    if course.estuches:
        items.append(
            Item(f"estuches: {course.estuches} in a row from spadille", course.estuches, "8. Payments")
        )
    each = sum(item.each for item in items if not item.pool)
    chips = dict(opponents_pay(course.declarer, each, shares))
    in_pool = pool or 0
    chips[SEAT_NAMES[course.declarer]] += in_pool
    if in_pool:
        items.append(Item("the pool", in_pool, "8. Payments", True))
    counted = None if pool is None else PoolCount(pool, *reserves_in_turn(reserved))
    return Paid(tuple(chips.items()), tuple(items), counted)


def reserves_in_turn(reserved: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The pool after it has been won: the largest puesta set aside, and those that wait on (RULES 8)."""
    waiting = tuple(sorted(reserved, reverse=True))
    return sum(waiting[:1]), waiting[1:]


def set_aside(due: Paid) -> Paid:
    """A puesta that the loser sets aside: paid, but not into the pool (RULES 8)."""
    pool = due.pool
    if pool is None:
        return due
    items = tuple(item._replace(label=item.label.replace("into the pool", "set aside")) for item in due.items)
    counted = PoolCount(pool.before, pool.before, (*pool.reserved, pool.after - pool.before))
    return Paid(due.payments, items, counted)
