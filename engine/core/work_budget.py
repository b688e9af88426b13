"""A budget of work, as the engine has no clock (DESIGN 5).

All that looks for one answer spends from one budget, so the same record gives the same answer on any machine.
"""

from typing import Final

UNITS_PER_SECOND: Final = 1_000_000
"""About the units that a second of one core of a small server pays for (`python -m bench.unseen`)."""
UNLIMITED_UNITS: Final = 1_000 * UNITS_PER_SECOND
"""For callers of a part of the engine that wait for as long as it takes."""


class BudgetExceeded(Exception):
    """The budget is used up."""


class WorkBudget:
    """Units of work that one answer may still take."""

    def __init__(self, units: int = UNLIMITED_UNITS) -> None:
        self.units_left = units

    def spend(self, units: int) -> None:
        """Spend some units.

        Raises:
            BudgetExceeded: fewer were left; from then on nothing is.
        """
        self.units_left -= units
        if self.units_left < 0:
            self.units_left = 0
            raise BudgetExceeded
