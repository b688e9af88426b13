"""What was paid in the deals of a table, beside what is due, deal by deal and in all."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.core.vocabulary import Seq
from engine.scoring.payments import Chips
from engine.tables.recount import Settlement, counting
from engine.tables.report import Parting, Reported, TableReport
from service.presentation.text import names
from service.presentation.text.style import Style
from service.presentation.text.tables import parting_told


class Reckoning(NamedTuple):
    """How chips and players are written: ``named`` puts members' names for their ids into a text."""

    style: Style
    named: Callable[[str], str]

    def chips(self, chips: Chips) -> str:
        """Chips by player: "Anna +4, Bo −2"."""
        return ", ".join(
            f"{self.named(player)}\N{NO-BREAK SPACE}{self.style.chips(count)}" for player, count in chips
        )

    def parting(self, first: Parting) -> str:
        """By how much a deal parts from the rules, or by what in the pool."""
        return self.named(parting_told(first, self.style))


class Balance(NamedTuple):
    """A player: what he has or is due one way and the other, and by how much he was paid too much.

    In a deal that is what is due and what was paid; in all, what the account says, and what it says once
    what was plainly entered wrongly is put right. ``parted`` is empty where nothing is wrong.
    """

    name: str
    one: str
    other: str
    parted: str


class Reckoned(NamedTuple):
    """A deal counted again.

    ``state``: "right", "apart", "unpaid" (nobody said what was paid), "open" (what is due cannot be said, or
    the deal was entered twice: it is left out of the count) or "away" (its record is not here); ``seq``: the
    entry that says what was paid; ``balances``: each player's, where the deal is "apart".
    """

    state: str
    result: str
    due: str
    paid: str
    seq: Seq | None
    balances: tuple[Balance, ...]


def reckoned(one: Reported, reckoning: Reckoning) -> Reckoned:
    """A deal of the evening counted again, in words."""
    paid = counting(one.settlements)
    state = _state(one, paid)
    return Reckoned(
        state,
        _result(one, reckoning),
        reckoning.chips(one.due or ()),
        "" if paid is None else reckoning.chips(paid.paid),
        None if paid is None else paid.seq,
        tuple(_balances(one, paid, reckoning)) if paid is not None and state == "apart" else (),
    )


def totals(made: TableReport, reckoning: Reckoning) -> Iterator[Balance]:
    """For each player what the account comes to, what it comes to put right, and what was paid too much."""
    account, right, apart = map(dict, (made.ledger.totals, made.right.totals, made.apart))
    chips = reckoning.style.chips
    for player in dict.fromkeys((*account, *right, *apart)):
        yield Balance(
            reckoning.named(player),
            chips(account[player]) if player in account else "",
            chips(right[player]) if player in right else "",
            chips(apart[player]) if player in apart else "",
        )


def _state(one: Reported, paid: Settlement | None) -> str:
    if one.judged is None:
        return "away"
    if one.due is None:
        return "open"
    if paid is None:
        return "unpaid"
    return "apart" if one.apart else "right"


def _result(one: Reported, reckoning: Reckoning) -> str:
    """How the deal ended, as its own record says."""
    if one.judged is None:
        return ""
    told = reckoning.named(names.result(one.judged.state, one.judged.score, reckoning.style))
    return f"{told[:1].upper()}{told[1:]}"


def _balances(one: Reported, paid: Settlement, reckoning: Reckoning) -> Iterator[Balance]:
    """Everybody to whom something is due, or who paid or was paid."""
    due, given, apart = map(dict, (one.due or (), paid.paid, one.apart))
    chips = reckoning.style.chips
    for player in dict.fromkeys((*due, *given)):
        parted = chips(apart[player]) if player in apart else ""
        yield Balance(reckoning.named(player), chips(due.get(player, 0)), chips(given.get(player, 0)), parted)
