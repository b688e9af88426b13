"""What each player did, counted from a ledger's lines; figures of several evenings add up."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.play.outcomes import BETE, CODILLE, WON
from engine.tables.ledger import Ledger, LedgerLine

VOIDED: Final = "voided"


class ContractFigures(NamedTuple):
    """The games of one contract that somebody declared, and how they ended.

    ``chips``: what they brought in all. A game neither won nor bête nor codille was given up,
    forfeited, or is not finished.
    """

    contract: str
    played: int = 0
    won: int = 0
    bete: int = 0
    codille: int = 0
    chips: int = 0

    def plus(self, other: "ContractFigures") -> "ContractFigures":
        """Both together."""
        counts = (one + other_count for one, other_count in zip(self[1:], other[1:], strict=True))
        return ContractFigures(self.contract, *counts)


class PlayerFigures(NamedTuple):
    """What one player did. ``played`` and ``sat_out`` count deals; ``chips`` is the balance.

    ``contracts``: the games declared, the most frequent first.
    """

    player: str
    played: int = 0
    sat_out: int = 0
    contracts: tuple[ContractFigures, ...] = ()
    chips: int = 0

    @property
    def declared(self) -> int:
        """The number of games declared."""
        return sum(one.played for one in self.contracts)

    @property
    def won(self) -> int:
        """How many of them were won."""
        return sum(one.won for one in self.contracts)

    @property
    def bete(self) -> int:
        """How many of them were bête."""
        return sum(one.bete for one in self.contracts)

    @property
    def codille(self) -> int:
        """How many of them were lost by codille."""
        return sum(one.codille for one in self.contracts)


def count_player_figures(ledger: Ledger) -> tuple[PlayerFigures, ...]:
    """What each player of an evening did, in the order of its totals: also who has gone home since."""
    return tuple(_count_figures(ledger, player, chips) for player, chips in ledger.totals)


def add_player_figures(figures: Iterable[PlayerFigures]) -> tuple[PlayerFigures, ...]:
    """The figures of several evenings, added up for each player; in the order in which they first come."""
    added: dict[str, PlayerFigures] = {}
    for one in figures:
        before = added.get(one.player, PlayerFigures(one.player))
        added[one.player] = PlayerFigures(
            one.player,
            before.played + one.played,
            before.sat_out + one.sat_out,
            _sum_by_contract((*before.contracts, *one.contracts)),
            before.chips + one.chips,
        )
    return tuple(added.values())


def _count_figures(ledger: Ledger, player: str, chips: int) -> PlayerFigures:
    ended = [line for line in ledger.lines if _is_played(line)]
    return PlayerFigures(
        player,
        sum(player in _list_final_players(line) for line in ended),
        sum(player in _list_idle_players(line) for line in ended),
        _sum_by_contract(_list_declared_games(ended, player)),
        chips,
    )


def _is_played(line: LedgerLine) -> bool:
    """Whether it is a deal that came to something; a void one is dealt again."""
    return line.deal is not None and line.outcome != VOIDED and (line.outcome is not None or line.is_decided)


def _list_final_players(line: LedgerLine) -> tuple[str, ...]:
    """Who played a deal to its end: players who took a hand over replace those who were dealt it."""
    if line.seating is None:
        return ()
    hands = dict(zip(SEAT_NAMES, line.seating.active, strict=True))
    return tuple((hands | dict(line.taken_over)).values())


def _list_idle_players(line: LedgerLine) -> set[str]:
    """Who sat out of a deal, or got up from it."""
    if line.seating is None:
        return set()
    return {*line.seating.sitting_out, *line.seating.active} - set(_list_final_players(line))


def _list_declared_games(lines: Iterable[LedgerLine], player: str) -> Iterator[ContractFigures]:
    for line in lines:
        if line.declarer == player and line.contract is not None:
            won, bete, codille = (int(line.outcome == end) for end in (WON, BETE, CODILLE))
            yield ContractFigures(line.contract, 1, won, bete, codille, dict(line.chips).get(player, 0))


def _sum_by_contract(games: Iterable[ContractFigures]) -> tuple[ContractFigures, ...]:
    """Games of each contract together, the most frequent first; else as they first come."""
    added: dict[str, ContractFigures] = {}
    for one in games:
        added[one.contract] = added[one.contract].plus(one) if one.contract in added else one
    return tuple(sorted(added.values(), key=lambda one: -one.played))
