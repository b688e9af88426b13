"""Who owes whom, with the fewest payments."""

from collections.abc import Mapping
from typing import Final, NamedTuple

MAX_EXACT_PLAYERS: Final = 12
"""The most uneven players for whom the fewest payments are guaranteed."""


class Debt(NamedTuple):
    """A payment that is due: ``debtor`` gives ``creditor`` these chips."""

    debtor: str
    creditor: str
    chips: int


def compute_debts(balances: Mapping[str, int]) -> tuple[Debt, ...]:
    """The fewest payments after which everybody is even.

    ``balances``: what each has won (+) or lost (−). Each group of players whose balances add up to 0 settles
    among itself, which saves a payment. Raises `ValueError` where not all of them together add up to 0.
    """
    if sum(balances.values()):
        raise ValueError(f"balances add up to {sum(balances.values())}, not to 0")
    uneven = {name: chips for name, chips in balances.items() if chips}
    debts: list[Debt] = []
    for group in _split_into_even_groups(uneven):
        debts += _settle_group({name: uneven[name] for name in group})
    return tuple(debts)


def _split_into_even_groups(uneven: Mapping[str, int]) -> list[list[str]]:
    """The players in as many groups as possible whose balances add up to 0."""
    names = list(uneven)
    if len(names) > MAX_EXACT_PLAYERS:
        return [names]
    total = [0] * (1 << len(names))
    most_groups = [0] * (1 << len(names))
    """For each set of players, how many even groups can be made on the way to it."""
    before = [0] * (1 << len(names))
    for chosen in range(1, 1 << len(names)):
        low = chosen & -chosen
        total[chosen] = total[chosen ^ low] + uneven[names[low.bit_length() - 1]]
        best = max(
            (one for one in range(len(names)) if chosen >> one & 1),
            key=lambda n: most_groups[chosen ^ 1 << n],
        )
        before[chosen] = chosen ^ 1 << best
        most_groups[chosen] = most_groups[before[chosen]] + (total[chosen] == 0)
    return _groups_from_table(names, total, before)


def _groups_from_table(names: list[str], total: list[int], before: list[int]) -> list[list[str]]:
    groups: list[list[str]] = []
    chosen = len(total) - 1
    while chosen:
        if total[chosen] == 0:
            groups.append([])
        groups[-1].append(names[(chosen ^ before[chosen]).bit_length() - 1])
        chosen = before[chosen]
    return groups


def _settle_group(balances: dict[str, int]) -> list[Debt]:
    """An even group settles in one payment fewer than it has players: the largest debt to the largest win."""
    debts = []
    balances_left = dict(balances)
    while len(balances_left) > 1:
        by_chips = sorted(balances_left, key=lambda name: (balances_left[name], name))
        debtor, creditor = by_chips[0], by_chips[-1]
        chips = min(-balances_left[debtor], balances_left[creditor])
        debts.append(Debt(debtor, creditor, chips))
        balances_left[debtor] += chips
        balances_left[creditor] -= chips
        balances_left = {name: amount_left for name, amount_left in balances_left.items() if amount_left}
    return debts
