"""Who sits where in a deal, who sits out, whose deal is next (RULES 2); players in the order of play.

Deals may be entered in another order than they were played. Whose deal one was then follows from the deal
before it by number; the deals after it keep their dealers, and so does the next one.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Final, NamedTuple

from engine.rulesets.model import Ruleset

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6


class Seating(NamedTuple):
    """The seats of one deal: players by seat, and who sits out."""

    dealer: str
    forehand: str
    middlehand: str
    backhand: str
    sitting_out: tuple[str, ...]

    @property
    def active(self) -> tuple[str, str, str]:
        """The three who play, in the order of play."""
        return self.forehand, self.middlehand, self.backhand


SEATS_FROM_DEALER: Final[dict[str, dict[int, tuple[int, int, int]]]] = {
    "opposite-dealer": {3: (1, 2, 0), 4: (1, 3, 0), 5: (1, 4, 0)},
    "dealer": {3: (1, 2, 0), 4: (1, 2, 3), 5: (1, 2, 3)},
}
"""By who sits out and how many are there: how far from the dealer forehand, middlehand, backhand sit.

Of five, those opposite the dealer sit out, or the dealer and the player before the dealer (our decision).
"""


def seat_players(players: Sequence[str], dealer: str, ruleset: Ruleset) -> Seating | None:
    """The seats of a deal that ``dealer`` gives; None with fewer than three players or more than five."""
    places = SEATS_FROM_DEALER[ruleset.sits_out].get(len(players))
    if places is None or dealer not in players:
        return None
    start = players.index(dealer)
    forehand, middlehand, backhand = (players[(start + step) % len(players)] for step in places)
    sitting_out = tuple(
        player
        for step in range(len(players))
        if (player := players[(start + step) % len(players)]) not in (forehand, middlehand, backhand)
    )
    return Seating(dealer, forehand, middlehand, backhand, sitting_out)


def seat_others(
    players: Sequence[str], dealer: str, sitting_out: Sequence[str], ruleset: Ruleset
) -> Seating | None:
    """The seats of a deal in which others sit out than usual; None unless three are left to play."""
    planned = seat_players(players, dealer, ruleset)
    if planned is None or not sitting_out or set(sitting_out) == set(planned.sitting_out):
        return planned
    after_dealer = players.index(dealer) + 1
    in_order = (*players[after_dealer:], *players[:after_dealer])
    active = [player for player in in_order if player not in sitting_out]
    if len(active) != len(planned.active):
        return None
    others = tuple(player for player in in_order if player in sitting_out)
    return Seating(dealer, active[0], active[1], active[2], others)


def split_into_games(players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The games at a table: one, or with six players two, with every other player in each (ours)."""
    if len(players) == MAX_PLAYERS:
        return tuple(players[0::2]), tuple(players[1::2])
    return (tuple(players),)


def next_dealer(players: Sequence[str], dealer: str, ruleset: Ruleset) -> str:
    """Who deals after ``dealer``, where the deal moves on."""
    step = 1 if ruleset.next_dealer == "in-order-of-play" else -1
    return players[(players.index(dealer) + step) % len(players)]


def later_seatings(players: Sequence[str], dealer: str, ruleset: Ruleset) -> tuple[Seating, ...]:
    """The deals after the one that ``dealer`` gives, until ``dealer`` deals again."""
    found = []
    for _ in players[1:]:
        dealer = next_dealer(players, dealer, ruleset)
        if (seating := seat_players(players, dealer, ruleset)) is not None:
            found.append(seating)
    return tuple(found)


def find_dealer(players: Sequence[str], active: tuple[str, ...], ruleset: Ruleset) -> str | None:
    """Who dealt, to judge by who sits where; None where no dealer makes these seats."""
    for player in players:
        seats = seat_players(players, player, ruleset)
        if seats is not None and seats.active == active:
            return player
    return None


class DealerTurn(NamedTuple):
    """``dealers``: who may have dealt, the likeliest first; ``is_late``: later deals were entered before."""

    dealers: tuple[str, ...]
    is_late: bool

    @property
    def expected_dealer(self) -> str | None:
        """Who most likely dealt; None where nobody can be seated."""
        return self.dealers[0] if self.dealers else None

    def with_dealers(self, *dealers: str) -> "DealerTurn":
        """The same with more who may have dealt.

        Where nobody said who deals first, that is drawn by lot (RULES 2). After a deal out of turn the order
        may go on as if it had been in turn (our decision, RULES 2 is silent).
        """
        return self._replace(dealers=tuple(dict.fromkeys((*self.dealers, *dealers))))

    def match_dealer(
        self, dealer: str | None, active: tuple[str, str, str], players: Sequence[str], rules: Ruleset
    ) -> str | None:
        """The one of them who fits the recorded dealer or seats of a deal; else the expected dealer."""
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

    ``next_dealers``: by the number of each deal of the game who deals after it, by 0 who deals first; last
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
