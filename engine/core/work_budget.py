"""A budget of work, because the engine has no clock (DESIGN 5).

All searches for one answer share one budget, so the same record gives the same answer on any machine.
"""

from typing import Final

UNITS_PER_SECOND: Final = 1_000_000
"""About the units that one core of a small server spends in a second (`python -m bench.unseen`)."""
UNLIMITED_UNITS: Final = 1_000 * UNITS_PER_SECOND
"""For callers of a part of the engine that wait as long as it takes."""


class BudgetExceeded(Exception):
    """The budget is used up."""


class WorkBudget:
    """The remaining units of work for one answer."""

    def __init__(self, units: int = UNLIMITED_UNITS) -> None:
        self.units_left = units

    def spend(self, units: int) -> None:
        """Spend some units.

        Raises:
            BudgetExceeded: fewer were left; none are left afterwards.
        """
        self.units_left -= units
        if self.units_left < 0:
            self.units_left = 0
            raise BudgetExceeded
