"""The evening at a table: seats, whose deal it is, pool and ledger from deal to deal (RULES 2, 8, 9)."""

from engine.tables.debts import Debt, compute_debts
from engine.tables.evening_deal import EveningDeal, fold_evening_deal
from engine.tables.evening_preview import EveningPreview, PreviewedDeal
from engine.tables.ledger import Ledger, LedgerLine
from engine.tables.ledger_builder import compute_ledger
from engine.tables.player_figures import (
    ContractFigures,
    PlayerFigures,
    add_player_figures,
    count_player_figures,
)
from engine.tables.seating import Seating, next_dealer, seat_others, seat_players, split_into_games
from engine.tables.table import Table, fold_table

__all__ = [
    "ContractFigures",
    "Debt",
    "EveningDeal",
    "EveningPreview",
    "Ledger",
    "LedgerLine",
    "PlayerFigures",
    "PreviewedDeal",
    "Seating",
    "Table",
    "add_player_figures",
    "compute_debts",
    "compute_ledger",
    "count_player_figures",
    "fold_evening_deal",
    "fold_table",
    "next_dealer",
    "seat_others",
    "seat_players",
    "split_into_games",
]
