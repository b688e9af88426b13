"""An evening continued with deals that are not recorded yet, as those of a slip batch."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.core.log import Entry, EntryMetadata, Log
from engine.core.table_events import DealStarted
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.payments import Payments
from engine.tables.evening_deal import EveningDeal, list_named_players
from engine.tables.ledger import LedgerLine, NextDeal, TableFinding
from engine.tables.ledger_builder import fold_evening
from engine.tables.seating import Seating, seat_players
from engine.tables.table import Table


class PreviewedDeal(NamedTuple):
    """What a further deal came to: its line of the ledger, and what does not fit."""

    line: LedgerLine
    findings: tuple[TableFinding, ...]


class EveningPreview:
    """The evening of a table, and deals that are not in its log yet."""

    def __init__(
        self, log: Log, deals: Mapping[str, EveningDeal], book: RulesetBook = PUBLISHED_RULESETS
    ) -> None:
        """``log`` is the table's, ``deals`` its deals by their streams' names.

        Raises:
            ValueError: the log does not say how the table was opened.
        """
        self._deals = dict(deals)
        evening = fold_evening(log, self._deals, book)
        if evening is None:
            raise ValueError("the log does not say how a table was opened")
        self._evening = evening
        self._seq = len(log)

    @property
    def table(self) -> Table:
        """The table as it would be."""
        return self._evening.table

    @property
    def totals(self) -> Payments:
        """What everybody has won or lost so far."""
        return tuple(self._evening.totals.items())

    def next_deals(self) -> tuple[NextDeal, ...]:
        """What the next deal of each game is opened with: first that of the game whose turn it is.

        Nothing where the table was closed, or too few sit there.
        """
        if self.table.is_closed:
            return ()
        found = tuple(self._evening.list_next_deals())
        turn = self._evening.next_game()
        return tuple(sorted(found, key=lambda deal: (deal.game != turn, deal.game)))

    def find_seating(self, number: int, next_deal: NextDeal) -> Seating:
        """Who sits where in the deal of that number: as in the next one, unless it comes late."""
        evening, rules = self._evening, self.table.rules.ruleset
        turn = evening.dealer_turn(next_deal.game, number, rules)
        if not turn.is_late or not turn.expected_dealer:
            return next_deal.seating
        players = evening.players_in_game(next_deal.game)
        return seat_players(players, turn.expected_dealer, rules) or next_deal.seating

    def add_deal(self, started: DealStarted, deal: EveningDeal) -> PreviewedDeal:
        """A further deal, folded, as it is started at the table."""
        evening = self._evening
        evening.known_players |= frozenset(list_named_players({started.deal: deal}))
        self._deals[started.deal] = deal
        self._seq += 1
        finding_count, line_count = len(evening.findings), len(evening.lines)
        evening.add_entry(Entry(self._seq, started, EntryMetadata()))
        (line,) = evening.lines[line_count:]
        return PreviewedDeal(line, tuple(evening.findings[finding_count:]))
