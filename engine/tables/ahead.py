"""An evening told further than it is recorded: who would sit where, and what the next deals would bring.

A pile of slips is read so before it is stored. Each deal is taken once, on top of those before it, as the
ledger will take it when it stands in the record.
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.core.log import Entry, Log, Record
from engine.core.table_events import DealStarted
from engine.rulesets import PUBLISHED, Book
from engine.scoring.payments import Chips
from engine.tables.dealt import Dealt, named_in
from engine.tables.evening import evening_of
from engine.tables.ledger import Line, NextDeal, TableFinding
from engine.tables.seating import Seating, seated
from engine.tables.table import Table


class Taken(NamedTuple):
    """What a further deal came to: its line of the ledger, and what does not fit."""

    line: Line
    findings: tuple[TableFinding, ...]


class Ahead:
    """The evening of a table, and deals that are not in its log yet."""

    def __init__(self, log: Log, deals: Mapping[str, Dealt], book: Book = PUBLISHED) -> None:
        """``log`` is the table's, ``deals`` its deals by their streams' names.

        Raises:
            ValueError: the log does not say how the table was opened.
        """
        self._deals = dict(deals)
        evening = evening_of(log, self._deals, book)
        if evening is None:
            raise ValueError("the log does not say how a table was opened")
        self._evening = evening
        self._seq = len(log)

    @property
    def table(self) -> Table:
        """The table as it would be."""
        return self._evening.table

    @property
    def totals(self) -> Chips:
        """What everybody has won or lost so far."""
        return tuple(self._evening.totals.items())

    def following(self) -> tuple[NextDeal, ...]:
        """What the next deal of each game is opened with: first that of the game whose turn it is.

        Nothing where the table was closed, or too few sit there.
        """
        if self.table.closed:
            return ()
        found = tuple(self._evening.following())
        turn = self._evening.behind()
        return tuple(sorted(found, key=lambda due: (due.game != turn, due.game)))

    def seating_of(self, number: int, due: NextDeal) -> Seating:
        """Who sits where in the deal of that number: as in the next one, unless it comes late."""
        evening, rules = self._evening, self.table.rules.ruleset
        turn = evening.turn(due.game, number, rules)
        seats = seated(evening.players_of(due.game), turn.due, rules) if turn.late and turn.due else None
        return seats or due.seating

    def take(self, started: DealStarted, known: Dealt) -> Taken:
        """A further deal, folded, as it is started at the table."""
        evening = self._evening
        evening.company |= frozenset(named_in({started.deal: known}))
        self._deals[started.deal] = known
        self._seq += 1
        found, lines = len(evening.findings), len(evening.lines)
        evening.enter(Entry(self._seq, started, Record()))
        (line,) = evening.lines[lines:]
        return Taken(line, tuple(evening.findings[found:]))
