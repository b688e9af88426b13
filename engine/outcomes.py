"""What the tricks make of a contract (RULES 6)."""

from collections.abc import Iterator

from engine.rulesets.model import Contract, Ruleset

WON, BETE, CODILLE = "won", "bete", "codille"


def game_outcome(mine: int, first: int, second: int, ruleset: Ruleset) -> str:
    """Won, bête or kodille, by the tricks of the declarer and of the two defenders."""
    most = max(first, second)
    if mine > most:
        return WON
    if mine == most:
        return BETE
    return BETE if ruleset.remis_en_quatre and (mine, first, second) == (1, 4, 4) else CODILLE


def nolo_outcome(mine: int, contract: Contract) -> str:
    """Won, bête or kodille, by the tricks of the declarer."""
    if mine == 0:
        return WON
    return CODILLE if contract.codille_from is not None and mine >= contract.codille_from else BETE


def outcome_of(mine: int, first: int, second: int, contract: Contract, ruleset: Ruleset) -> str:
    """The outcome of a finished deal."""
    if contract.aim == "nolo":
        return nolo_outcome(mine, contract)
    return game_outcome(mine, first, second, ruleset)


def courses(
    mine: int, first: int, second: int, left: int, contract: Contract
) -> Iterator[tuple[int, int, int]]:
    """Every way in which the tricks can still come to stand, ``left`` of them being open.

    A game stops at the declarer's fifth trick, some nolo contracts at an earlier one.
    """
    stop = 5 if contract.aim == "game" else contract.ends_at
    if stop is not None and mine >= stop:
        yield mine, first, second
        return
    for more in range(left + 1):
        if stop is not None and mine + more >= stop:
            yield mine + more, first, second
            return
        for other in range(left - more + 1):
            yield mine + more, first + other, second + left - more - other
