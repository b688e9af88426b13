"""The evening at a table: seats, whose deal it is, pool and ledger from deal to deal (RULES 2, 8, 9)."""

from engine.tables.ahead import Ahead, Taken
from engine.tables.dealt import Dealt, dealt
from engine.tables.debts import Debt, who_owes_whom
from engine.tables.evening import ledger
from engine.tables.figures import Figures, Games, figures_of, together
from engine.tables.ledger import Ledger, Line
from engine.tables.seating import Seating, games_of, next_dealer, seated
from engine.tables.table import Table, table_of

__all__ = [
    "Ahead",
    "Dealt",
    "Debt",
    "Figures",
    "Games",
    "Ledger",
    "Line",
    "Seating",
    "Table",
    "Taken",
    "dealt",
    "figures_of",
    "games_of",
    "ledger",
    "next_dealer",
    "seated",
    "table_of",
    "together",
    "who_owes_whom",
]
