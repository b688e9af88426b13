"""A budget of work, as the engine has no clock (DESIGN 5).

All that looks for one answer spends from one budget, so the same record gives the same answer on any machine.
"""

from collections.abc import Callable
from typing import Final

UNITS_PER_SECOND: Final = 1_000_000
"""About the units that a second of one core of a small server pays for (`python -m bench.unseen`)."""
UNLIMITED_UNITS: Final = 1_000 * UNITS_PER_SECOND
"""For whoever calls a part of the engine by itself, and waits for as long as it takes."""
PAUSE_INTERVAL: Final = 1_000
"""After so many units whoever gave a budget may pause the work."""


class BudgetExceeded(Exception):
    """The budget is used up."""


class WorkBudget:
    """Units of work that one answer may still take.

    ``pause`` is called again and again while it is spent: a server may have others go first there.
    """

    def __init__(self, units: int = UNLIMITED_UNITS, pause: Callable[[], object] | None = None) -> None:
        self.units_left = units
        self._pause = pause
        self._until_pause = PAUSE_INTERVAL

    def spend(self, units: int) -> None:
        """Spend some units.

        Raises:
            BudgetExceeded: fewer were left; from then on nothing is.
        """
        self.units_left -= units
        if self._pause is not None:
            self._until_pause -= units
            if self._until_pause <= 0:
                self._until_pause = PAUSE_INTERVAL
                self._pause()
        if self.units_left < 0:
            self.units_left = 0
            raise BudgetExceeded
