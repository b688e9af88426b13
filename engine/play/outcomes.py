"""Outcomes: what the tricks mean for a contract (RULES 6)."""

from collections.abc import Iterator

from engine.rulesets.model import Contract, Ruleset

WON, BETE, CODILLE = "won", "bete", "codille"


def game_outcome(declarer_tricks: int, first: int, second: int, ruleset: Ruleset) -> str:
    """Won, bête or codille, from the tricks of the declarer and of the two defenders."""
    best_defender = max(first, second)
    if declarer_tricks > best_defender:
        return WON
    if declarer_tricks == best_defender:
        return BETE
    return BETE if ruleset.remis_en_quatre and (declarer_tricks, first, second) == (1, 4, 4) else CODILLE


def nolo_outcome(declarer_tricks: int, contract: Contract) -> str:
    """Won, bête or codille, from the tricks of the declarer."""
    if declarer_tricks == 0:
        return WON
    return CODILLE if contract.codille_from is not None and declarer_tricks >= contract.codille_from else BETE


def deal_outcome(declarer_tricks: int, first: int, second: int, contract: Contract, ruleset: Ruleset) -> str:
    """The outcome of a finished deal."""
    if contract.aim == "nolo":
        return nolo_outcome(declarer_tricks, contract)
    return game_outcome(declarer_tricks, first, second, ruleset)


def is_outcome_open(
    declarer_tricks: int, first: int, second: int, tricks_left: int, contract: Contract, ruleset: Ruleset
) -> bool:
    """Whether the outcome differs between the declarer taking none and taking all of the open tricks.

    This is nearly always so until the outcome is known; for the exceptions see `possible_trick_counts`.
    """
    stop = _early_end(contract)
    if stop is not None and declarer_tricks >= stop:
        return False
    most_tricks = declarer_tricks + tricks_left if stop is None else min(declarer_tricks + tricks_left, stop)
    none = deal_outcome(declarer_tricks, first, second + tricks_left, contract, ruleset)
    return deal_outcome(most_tricks, first, second, contract, ruleset) != none


def _early_end(contract: Contract) -> int | None:
    """The declarer's trick at which the deal is over: a game's fifth, or that of some nolo contracts."""
    return 5 if contract.aim == "game" else contract.ends_at


def possible_trick_counts(
    declarer_tricks: int, first: int, second: int, tricks_left: int, contract: Contract
) -> Iterator[tuple[int, int, int]]:
    """Every possible final division of the tricks, with ``tricks_left`` of them open."""
    stop = _early_end(contract)
    if stop is not None and declarer_tricks >= stop:
        yield declarer_tricks, first, second
        return
    for extra in range(tricks_left + 1):
        if stop is not None and declarer_tricks + extra >= stop:
            yield declarer_tricks + extra, first, second
            return
        for other in range(tricks_left - extra + 1):
            yield declarer_tricks + extra, first + other, second + tricks_left - extra - other
