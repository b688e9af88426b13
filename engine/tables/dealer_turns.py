"""Whose deal one was by its number: deals may be written down in another order than they were played.

Its dealer follows from the deal before it by number; the deals behind it keep theirs, and so does the next
one.
"""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from engine.rulesets.model import Ruleset
from engine.tables.seating import next_dealer, seat_players


class DealerTurn(NamedTuple):
    """``dealers``: who may have dealt, the likeliest first; ``is_late``: later deals were entered before."""

    dealers: tuple[str, ...]
    is_late: bool

    @property
    def expected_dealer(self) -> str | None:
        """Who dealt, as far as nothing else is known; None where nobody can be seated."""
        return self.dealers[0] if self.dealers else None

    def with_dealers(self, *dealers: str) -> "DealerTurn":
        """The same with more who may have dealt.

        Where nobody said who deals first, that is drawn by lot (RULES 2). Behind a deal out of turn the order
        may go on as if it had been in turn (our decision, RULES 2 is silent).
        """
        return self._replace(dealers=tuple(dict.fromkeys((*self.dealers, *dealers))))

    def match_dealer(
        self, dealer: str | None, active: tuple[str, str, str], players: Sequence[str], rules: Ruleset
    ) -> str | None:
        """The one of them by whom a deal is as recorded, by its dealer or its players; else who was due."""
        for one in self.dealers:
            seats = seat_players(players, one, rules)
            if one == dealer or (dealer is None and seats is not None and seats.active == active):
                return one
        return self.expected_dealer


def find_dealer_turn(
    number: int,
    next_dealers: Mapping[int, str | None],
    known_numbers: Container[int],
    players: Sequence[str],
    rules: Ruleset,
) -> DealerTurn:
    """Whose turn it was to deal the deal of that number.

    ``next_dealers``: by the number of each deal of the game who was due behind it, by 0 who deals first; last
    comes what was entered last. ``known_numbers``: the numbers of all deals that the table has. Between it
    and the one before it deals may be missing still: each of them may have moved the deal on, or have been
    dealt again.
    """
    is_late = number not in next_dealers and number < max(next_dealers)
    before = max(one for one in next_dealers if one < number) if is_late else max(next_dealers)
    first = next_dealers[before]
    if first is None or first not in players:
        return DealerTurn((), is_late)
    found = [first]
    missing = sum(one not in known_numbers for one in range(before + 1, number))
    for _ in range(min(missing, len(players) - 1)):
        found.append(next_dealer(players, found[-1], rules))
    return DealerTurn(tuple(found), is_late)
