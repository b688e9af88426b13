"""The score audit: what was settled at the table beside what the rules pay, deal by deal (RULES 7, 8).

Nothing that was settled is believed: the ledger is computed anew from what happened in the deals alone.
Where a deal's own record says what lay in the pool, it is played for that, as in the ledger; that it is not
what the earlier deals left is told beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.core.events import DealClosed, DealSettled
from engine.core.log import Log
from engine.core.message import Listed, Said, said
from engine.core.vocabulary import Seq
from engine.play.findings import Finding, finding
from engine.play.history import effective
from engine.play.state import State
from engine.rulesets import PUBLISHED, Book
from engine.scoring.payments import Chips
from engine.tables.dealt import Dealt, dealt
from engine.tables.evening import ledger
from engine.tables.ledger import Ledger, Line, Pot
from engine.tables.pots import recorded_pot, told
from engine.tables.sitting import player_at


class Settlement(NamedTuple):
    """What an entry of a deal says was paid.

    ``apart``: by how much it is not what the rules pay, by player, those left out with whom it agrees; None
    where it is not known what they pay. ``engine``: the version that computed it, for a closing.
    """

    seq: Seq
    paid: Chips
    apart: Chips | None
    engine: str | None


def counting(told: Sequence[Settlement]) -> Settlement | None:
    """Of all that a deal's record says was paid, what counts: the last; None where it says nothing.

    A closing tells what was computed, and counts only where nobody said what was paid.
    """
    paid = [one for one in told if one.engine is None] or told
    return paid[-1] if paid else None


class Recounted(NamedTuple):
    """A deal counted again.

    ``line``: that of the ledger computed anew, decided where the rules say what the deal pays;
    ``settlements``: all that its record says was paid, the last of which counts; ``recorded``: the pool that
    the deal was opened with, where it is not what the earlier deals left; ``running``: by how much the table
    and the rules are apart after this deal, by player.
    """

    line: Line
    settlements: tuple[Settlement, ...]
    recorded: Pot | None
    running: Chips

    @property
    def apart(self) -> Chips:
        """By how much what was paid in this deal is not what the rules pay."""
        return (self.settlements[-1].apart or ()) if self.settlements else ()

    @property
    def parts(self) -> bool:
        """Whether the table's account and the rules part here, in what was paid or in the pool."""
        return bool(self.apart) or self.recorded is not None


class Recount(NamedTuple):
    """A table's evening counted again.

    ``ledger``: computed anew; ``deals``: in the order in which they were started, those not here left out;
    ``apart``: by how much the table and the rules are apart in the end, by player.
    """

    ledger: Ledger
    deals: tuple[Recounted, ...]
    apart: Chips

    @property
    def first(self) -> Recounted | None:
        """The first deal in which they part; None where they agree throughout."""
        return next((one for one in self.deals if one.parts), None)


def recount(log: Log, deals: Mapping[str, Log], book: Book = PUBLISHED) -> Recount | None:
    """Counts an evening again: ``log`` is the table's, ``deals`` its deals' by their streams' names.

    None where the log does not say how the table was opened.
    """
    folded = {name: unsettled(dealt(deal, book)) for name, deal in deals.items()}
    again = ledger(log, folded, book)
    if again is None:
        return None
    running: dict[str, int] = {}
    counted: list[Recounted] = []
    for line in again.lines:
        if line.deal is None or line.deal not in deals:
            continue
        state = folded[line.deal].state
        settlements = tuple(settlements_in(deals[line.deal], state, line))
        one = Recounted(line, settlements, _other_pool(state, line), ())
        for player, chips in one.apart:
            running[player] = running.get(player, 0) + chips
        counted.append(one._replace(running=_apart(running)))
    return Recount(again, tuple(counted), _apart(running))


def unsettled(deal: Dealt) -> Dealt:
    """A deal as if nobody had said what was paid in it; a ruling stands."""
    ending = deal.state.ending._replace(settled=None, settled_seq=0)
    return deal._replace(state=deal.state._replace(ending=ending))


def settlements_in(log: Log, state: State, line: Line) -> Iterator[Settlement]:
    """Every settlement of a deal, by player, beside what is due by its ``line``, where that is decided."""
    for seq, event, _ in effective(log).entries:
        if not isinstance(event, (DealSettled, DealClosed)):
            continue
        paid: dict[str, int] = {}
        for name, chips in event.payments:
            player = player_at(state, line.seating, name)
            paid[player] = paid.get(player, 0) + chips
        engine = event.engine if isinstance(event, DealClosed) else None
        apart = _difference(paid, line.chips) if line.decided else None
        yield Settlement(seq, tuple(paid.items()), apart, engine)


def _difference(paid: Mapping[str, int], due: Chips) -> Chips:
    owed = dict(due)
    return _apart({name: paid.get(name, 0) - owed.get(name, 0) for name in dict.fromkeys((*owed, *paid))})


def _apart(chips: Mapping[str, int]) -> Chips:
    """By player, those left out whose chips come to nothing."""
    return tuple((player, count) for player, count in chips.items() if count)


def _other_pool(state: State, line: Line) -> Pot | None:
    """The pool recorded at the opening of a deal, where it is not what the earlier deals left."""
    recorded = recorded_pot(state)
    if recorded is None or line.before is None or recorded == line.before.to_play_for:
        return None
    return recorded


def parting(counted: Recount) -> Finding | None:
    """Where the table's account and the rules part first, and by how much, as a finding; None where nowhere.

    Its ``seq`` is the table's entry that started the deal.
    """
    first = counted.first
    if first is None:
        return None
    code = "settlement_mismatch" if first.apart else "pool_mismatch"
    rule = "7. Payments" if first.apart else "8. Pool"
    return finding(first.line.seq, code, _parting_told(first), rule)


def _parting_told(first: Recounted) -> Said:
    """In words, what was paid or lay in the pool instead of what should have."""
    number = first.line.number or 0
    if first.apart:
        due, paid = dict(first.line.chips), dict(first.settlements[-1].paid)
        wrong = Listed(
            said(
                "{player} {paid:+d} instead of {due:+d}",
                player=player,
                paid=paid.get(player, 0),
                due=due.get(player, 0),
            )
            for player, _ in first.apart
        )
        return said("Deal {number} is the first to part from the rules: {wrong}.", number=number, wrong=wrong)
    lay = first.line.before
    assert first.recorded is not None and lay is not None
    return said(
        "Deal {number} is the first to part from the rules: opened with {recorded} instead of {due}.",
        number=number,
        recorded=told(first.recorded),
        due=told(lay.to_play_for),
    )
