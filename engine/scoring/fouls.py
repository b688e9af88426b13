"""What a foul in the procedure pays, where the director rules the deal forfeited (RULES 4)."""

from engine.core.cards import SEAT_NAMES, Seat
from engine.play.outcomes import BETE, WON
from engine.play.state import State
from engine.rulesets.model import Contract
from engine.scoring.payments import Course, Item, Paid, nothing, opponents_pay, rate

RULE = "4. Exchange"
NO_TRICKS = (0, 0, 0)


def forfeited(
    state: State,
    declarer: Seat | None,
    contract: Contract | None,
    at_fault: Seat | None,
    shares: tuple[str, ...],
) -> Paid | None:
    """What whoever is ``at_fault`` pays; None where the rules do not say, or the record does not."""
    rules = state.opening.rules
    if declarer is None or contract is None or at_fault is None or rules.ruleset.foul == "not-stated":
        return None
    if rules.ruleset.foul == "value-to-each":
        value = rate(Course(declarer, contract, NO_TRICKS, WON), rules)
        return None if value is None else _to_each(at_fault, value, shares)
    if at_fault == declarer:
        lost = rate(Course(declarer, contract, NO_TRICKS, BETE), rules)
        if lost is None:
            return None
        items = (Item("the exchange fouled up by the declarer, paid as bête", lost, RULE),)
        return Paid(opponents_pay(declarer, lost, shares), items, None)
    won = rate(Course(declarer, contract, NO_TRICKS, WON), rules)
    return None if won is None else _for_all(at_fault, declarer, won, shares)


def _to_each(at_fault: Seat, value: int, shares: tuple[str, ...]) -> Paid:
    """The value of the game to each other player."""
    items = (Item("the exchange fouled up: the value of the game to each", -value, RULE),)
    return Paid(opponents_pay(at_fault, -value, shares), items, None)


def _for_all(at_fault: Seat, declarer: Seat, won: int, shares: tuple[str, ...]) -> Paid:
    """The declarer's winnings, paid by one defender for all of them."""
    in_all = won * (2 + len(shares))
    chips = dict(nothing(shares))
    chips[SEAT_NAMES[declarer]], chips[SEAT_NAMES[at_fault]] = in_all, -in_all
    items = (Item("the exchange fouled up: a defender pays for all of them", won, RULE),)
    return Paid(tuple(chips.items()), items, None)
