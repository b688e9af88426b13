"""Standing: who a caller is, and whether he still is, while an answer goes on for long."""

import math

from service.auth.caller import Caller
from service.auth.credentials import Shown, caller_of
from service.auth.grants import UnknownToken
from service.auth.moments import seconds_between
from service.auth.register import NEVER, Held, Register
from service.eventstore.clock import utc_now


class Standing:
    """Who shows that. Raises `UnknownToken`.

    ``everybody`` is the caller instead, whatever is shown, where there is one.
    """

    def __init__(self, register: Register, shown: Shown, everybody: Caller | None = None) -> None:
        self._register, self._shown, self._everybody = register, shown, everybody
        # Asked for when it is first asked whether he still holds it all: few answers go on for so long.
        self._state: tuple[int, int] | None = None
        self.caller = everybody or caller_of(register, shown)

    def holds(self) -> bool:
        """Whether he still has all that he had. It costs little while the register does not change."""
        if self._everybody is not None:
            return True
        if self._over():
            return False
        state = self._register.state()
        if state == self._state:
            return True
        try:
            now = caller_of(self._register, self._shown)
        except UnknownToken:
            return False
        self._state = state
        kept = {grant.id for grant in now.grants}
        return now.known == self.caller.known and kept >= {grant.id for grant in self.caller.grants}

    def left(self) -> float:
        """In how many seconds the first of what he has ends; infinitely many where nothing does."""
        ends = self._ends()
        if self._everybody is not None or ends == NEVER:
            return math.inf
        return seconds_between(utc_now(), ends)

    def _over(self) -> bool:
        """Whether something of it has come to its end."""
        return self._ends() <= utc_now()

    def _ends(self) -> str:
        return Held(self.caller.own, self.caller.session, self.caller.public).ends
