"""The ledger of an evening: a line for every deal and payment, what they come to, and the pool (RULES 8)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final, NamedTuple

from engine.core.cards import Suit
from engine.core.field_types import Seq
from engine.core.message import Message, TextList, format_message
from engine.play.findings import Finding
from engine.play.state import State
from engine.scoring.payments import Payments
from engine.scoring.score import Score
from engine.tables.debts import Debt
from engine.tables.seating import Seating


class Pot(NamedTuple):
    """The chips in the pool of a game, and the puestas set aside."""

    pool: int
    reserved: tuple[int, ...] = ()

    @property
    def opening_pot(self) -> "Pot":
        """What a deal is opened with: the largest puesta first, and nothing where more was taken than lay."""
        return Pot(max(self.pool, 0), tuple(sorted(self.reserved, reverse=True)))

    @property
    def total(self) -> int:
        """All chips that are nobody's yet."""
        return self.pool + sum(self.reserved)


class LedgerLine(NamedTuple):
    """A deal, or a payment by hand (``deal`` and ``game`` None).

    ``taken_over``: by seat who took a hand over; ``trump``: ``NO_TRUMP`` in nolo, None where it is not
    known; ``is_decided``: whether it is known what it pays, and counts; a recorded payment that cannot have
    been made does not count, and is a finding;
    ``chips``: what it brought each player, without the stake; ``stake``: what the dealer laid into the
    pool; ``pot_before`` and ``pot_after``: the pool when the deal was opened, the stake in it, and after it;
    ``totals``: what each has won or lost up to here.
    """

    seq: Seq
    deal: str | None = None
    number: int | None = None
    game: int | None = None
    seating: Seating | None = None
    taken_over: tuple[tuple[str, str], ...] = ()
    declarer: str | None = None
    contract: str | None = None
    trump: Suit | None = None
    outcome: str | None = None
    is_decided: bool = True
    chips: Payments = ()
    stake: Payments = ()
    pot_before: Pot | None = None
    pot_after: Pot | None = None
    totals: Payments = ()
    text: str | None = None


class TableFinding(NamedTuple):
    """A finding at the table's own entry (``deal`` None), or at a deal of the evening."""

    deal: str | None
    finding: Finding


class NextDeal(NamedTuple):
    """What the next deal of a game is opened with; ``pool`` and ``reserved`` where its rules have a pool.

    ``later_seatings``: who sits where in the deals after it, until it comes round; ``redeal_outcomes``: the
    outcomes after which the same dealer deals once more.
    """

    game: int
    number: int
    seating: Seating
    pool: int | None
    reserved: tuple[int, ...]
    later_seatings: tuple[Seating, ...]
    redeal_outcomes: tuple[str, ...]


class Ledger(NamedTuple):
    """The evening as it stands.

    ``penalties``: points by player, kept apart from the chips; ``pots``: what lies in the pool of each
    game, empty where the rules have none; ``shares``: what each gets of that when it is divided;
    ``debts``: the fewest payments that make everybody even; ``deals_left`` of the agreed plan;
    ``voided``: why the table is set aside and counts nowhere, None where it counts.
    """

    players: tuple[str, ...]
    lines: tuple[LedgerLine, ...]
    totals: Payments
    penalties: Payments
    pots: tuple[Pot, ...]
    shares: Payments
    debts: tuple[Debt, ...]
    next_deals: tuple[NextDeal, ...]
    deals_left: int | None
    chip_value: Decimal | None
    currency: str | None
    is_closed: bool
    findings: tuple[TableFinding, ...]
    voided: str | None = None

    @property
    def standings(self) -> tuple[tuple[int, str, int], ...]:
        """Place, player and chips, the highest first; who has as many has the same place."""
        ranked = sorted(self.totals, key=lambda one: (-one[1], one[0]))
        return tuple(
            (1 + sum(chips > other for _, chips in self.totals), player, other) for player, other in ranked
        )

    def money_value(self, chips: int) -> Decimal | None:
        """What these chips are worth; None where that was not agreed."""
        return None if self.chip_value is None else self.chip_value * chips


CHIP_VALUE_PATTERN: Final = re.compile(r"[0-9]{1,9}(?:[.,][0-9]{1,4})?")


def parse_chip_value(text: str | None) -> Decimal | None:
    """A chip's worth as written: "0.25", or "0,25"; None where it is not a number above 0 such as these.

    At most nine digits before the point and four after it keep money exact.
    """
    if text is None or CHIP_VALUE_PATTERN.fullmatch(text) is None:
        return None
    return Decimal(text.replace(",", ".")) or None


EMPTY_POT: Final = Pot(0)


def set_missing_pot(state: State, pot: Pot) -> State:
    """The state of a deal that does not record its pool, with what lay there."""
    recorded = state.opening.event is None or state.opening.event.pool is not None
    return state if recorded else set_pot(state, pot)


def set_pot(state: State, pot: Pot) -> State:
    """The state of a deal with what lay in the pool, whatever the deal records of it."""
    opening = state.opening
    if opening.event is None:
        return state
    opening_pot = pot.opening_pot
    opening_event = replace(opening.event, pool=opening_pot.pool, reserved=opening_pot.reserved)
    return replace(state, opening=opening._replace(event=opening_event))


def recorded_pot(state: State) -> Pot | None:
    """The pool that a deal records to be opened with; None where it records none."""
    opening_event = state.opening.event
    if opening_event is None or opening_event.pool is None:
        return None
    return Pot(opening_event.pool, opening_event.reserved).opening_pot


def chips_out_of_pool(chips: Payments) -> int:
    """What the players together take out of the pool (+) or put in (−)."""
    return sum(amount for _, amount in chips)


def pot_after_deal(before: Pot, due_score: Score, chips: Payments) -> Pot:
    """The pool with what the players together lost; what is set aside is as the score has it.

    Where more is taken than lies in the pool itself, the largest puesta set aside serves for it.
    """
    remaining = before.total - chips_out_of_pool(chips)
    reserved = (
        due_score.pool.reserved if due_score.decided and due_score.pool is not None else before.reserved
    )
    reserve_list = sorted(reserved, reverse=True)
    while reserve_list and sum(reserve_list) > remaining:
        reserve_list.pop(0)
    reserves = reserved if len(reserve_list) == len(reserved) else tuple(reserve_list)
    return Pot(remaining - sum(reserves), reserves)


def divide_pot(pot: Pot, players: Sequence[str], dealer: str | None) -> Iterator[tuple[str, int]]:
    """A pool divided among its players at the end; ``dealer`` is who would have dealt next.

    Equally; what cannot be divided goes one chip each to those who come after the next dealer, in
    the order of play. The source is silent: this is our decision.
    """
    if not players:
        return
    each, remainder = divmod(pot.total, len(players))
    first = players.index(dealer) + 1 if dealer in players else 0
    for step in range(len(players)):
        yield players[(first + step) % len(players)], each + (step < remainder)


def describe_pot(pot: Pot) -> Message:
    """A pool in words."""
    if not pot.reserved:
        return format_message("{chips} in the pool", chips=pot.pool)
    reserved = TextList(map(str, pot.reserved))
    return format_message("{chips} in the pool and {aside} set aside", chips=pot.pool, aside=reserved)
