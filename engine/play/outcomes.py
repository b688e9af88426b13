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


def is_open(mine: int, first: int, second: int, left: int, contract: Contract, ruleset: Ruleset) -> bool:
    """Whether it makes another outcome if the declarer takes no more of the open tricks than if he takes all.

    Nearly always that is so until the outcome is known; where it is not, `courses` has the rest.
    """
    stop = _stop(contract)
    if stop is not None and mine >= stop:
        return False
    most = mine + left if stop is None else min(mine + left, stop)
    none = outcome_of(mine, first, second + left, contract, ruleset)
    return outcome_of(most, first, second, contract, ruleset) != none


def _stop(contract: Contract) -> int | None:
    """The trick of the declarer's at which the deal is over: a game's fifth, that of some nolo contracts."""
    return 5 if contract.aim == "game" else contract.ends_at


def courses(
    mine: int, first: int, second: int, left: int, contract: Contract
) -> Iterator[tuple[int, int, int]]:
    """Every way in which the tricks can still come to stand, ``left`` of them being open."""
    stop = _stop(contract)
    if stop is not None and mine >= stop:
        yield mine, first, second
        return
    for more in range(left + 1):
        if stop is not None and mine + more >= stop:
            yield mine + more, first, second
            return
        for other in range(left - more + 1):
            yield mine + more, first + other, second + left - more - other
