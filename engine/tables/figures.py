"""What each player did: deals played, games declared and how they ended. Counted from a ledger's lines.

Figures add up: those of a season are the sum of its evenings'.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.play.outcomes import BETE, CODILLE, WON
from engine.tables.ledger import Ledger, Line

VOIDED: Final = "voided"


class Games(NamedTuple):
    """The games of one contract that somebody declared, and how they ended.

    ``chips``: what they brought him in all. What neither was won nor is bête nor codille was given up,
    forfeited, or is not finished.
    """

    contract: str
    played: int = 0
    won: int = 0
    bete: int = 0
    codille: int = 0
    chips: int = 0

    def and_also(self, other: "Games") -> "Games":
        """Both together."""
        counts = (one + more for one, more in zip(self[1:], other[1:], strict=True))
        return Games(self.contract, *counts)


class Figures(NamedTuple):
    """What one player did. ``played`` and ``sat_out`` count deals; ``chips`` is what he stands at.

    ``contracts``: the games that he declared, the most frequent first.
    """

    player: str
    played: int = 0
    sat_out: int = 0
    contracts: tuple[Games, ...] = ()
    chips: int = 0

    @property
    def declared(self) -> int:
        """So many games he declared."""
        return sum(one.played for one in self.contracts)

    @property
    def won(self) -> int:
        """So many of them he won."""
        return sum(one.won for one in self.contracts)

    @property
    def bete(self) -> int:
        """So many of them were bête."""
        return sum(one.bete for one in self.contracts)

    @property
    def codille(self) -> int:
        """So many of them were lost by codille."""
        return sum(one.codille for one in self.contracts)


def figures_of(ledger: Ledger) -> tuple[Figures, ...]:
    """What each player of an evening did, in the order of its totals: also who has gone home since."""
    return tuple(_figures(ledger, player, chips) for player, chips in ledger.totals)


def together(figures: Iterable[Figures]) -> tuple[Figures, ...]:
    """The figures of several evenings, added up for each player; in the order in which they first come."""
    added: dict[str, Figures] = {}
    for one in figures:
        before = added.get(one.player, Figures(one.player))
        added[one.player] = Figures(
            one.player,
            before.played + one.played,
            before.sat_out + one.sat_out,
            _by_contract((*before.contracts, *one.contracts)),
            before.chips + one.chips,
        )
    return tuple(added.values())


def _figures(ledger: Ledger, player: str, chips: int) -> Figures:
    ended = [line for line in ledger.lines if _is_played(line)]
    return Figures(
        player,
        sum(player in _active(line) for line in ended),
        sum(player in _idle(line) for line in ended),
        _by_contract(_declared(ended, player)),
        chips,
    )


def _is_played(line: Line) -> bool:
    """Whether it is a deal that came to something; a void one is dealt again."""
    return line.deal is not None and line.outcome != VOIDED and (line.outcome is not None or line.decided)


def _active(line: Line) -> tuple[str, ...]:
    """Who played a deal, to its end: whoever took a hand over rather than who was dealt it."""
    if line.seating is None:
        return ()
    hands = dict(zip(SEAT_NAMES, line.seating.active, strict=True))
    return tuple((hands | dict(line.taken_over)).values())


def _idle(line: Line) -> set[str]:
    """Who sat out of a deal, or got up from it."""
    if line.seating is None:
        return set()
    return {*line.seating.sitting_out, *line.seating.active} - set(_active(line))


def _declared(lines: Iterable[Line], player: str) -> Iterator[Games]:
    for line in lines:
        if line.declarer == player and line.contract is not None:
            won, bete, codille = (int(line.outcome == end) for end in (WON, BETE, CODILLE))
            yield Games(line.contract, 1, won, bete, codille, dict(line.chips).get(player, 0))


def _by_contract(games: Iterable[Games]) -> tuple[Games, ...]:
    """Games of each contract together, the most frequent first; else as they first come."""
    added: dict[str, Games] = {}
    for one in games:
        added[one.contract] = added[one.contract].and_also(one) if one.contract in added else one
    return tuple(sorted(added.values(), key=lambda one: -one.played))
