"""A budget of work, as the engine has no clock: it counts what it does, and stops (DESIGN 5).

One budget stands for one answer. Everything that looks for it spends from it: readings, flows, counts, orders
of hidden plays, deals that are drawn, entries that are judged. So the same record gives the same answer on
any machine, and no record takes longer than the budget allows.
"""

from collections.abc import Callable
from typing import Final

SECOND: Final = 1_000_000
"""About the units that a second of one core of a small server pays for (`python -m bench.unseen`)."""
UNBOUNDED: Final = 1_000 * SECOND
"""For whoever calls a part of the engine by itself, and waits for as long as it takes."""
EVERY: Final = 1_000
"""After so many units whoever gave a budget may pause the work."""


class Spent(Exception):
    """The budget is used up."""


class Work:
    """Units of work that one answer may still take.

    ``pause`` is called again and again while it is spent: a server may have others go first there.
    """

    def __init__(self, units: int = UNBOUNDED, pause: Callable[[], object] | None = None) -> None:
        self.left = units
        self._pause = pause
        self._until_pause = EVERY

    def spend(self, units: int) -> None:
        """Spend some units.

        Raises:
            Spent: fewer were left; from then on nothing is.
        """
        self.left -= units
        if self._pause is not None:
            self._until_pause -= units
            if self._until_pause <= 0:
                self._until_pause = EVERY
                self._pause()
        if self.left < 0:
            self.left = 0
            raise Spent
