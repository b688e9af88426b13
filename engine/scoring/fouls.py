"""What a foul in the procedure pays, where the director rules the deal forfeited (RULES 4)."""

from engine.core.cards import SEAT_NAMES, Seat
from engine.core.message import format_message
from engine.play.outcomes import BETE, WON
from engine.play.state import State
from engine.rulesets.model import Contract
from engine.scoring.payments import (
    FinishedDeal,
    PaymentItem,
    Payout,
    opponent_payments,
    tariff_rate,
)

RULE = "4. Exchange"
NO_TRICKS = (0, 0, 0)


def forfeit_payout(
    state: State,
    declarer: Seat | None,
    contract: Contract | None,
    at_fault: Seat | None,
    paying_sitters: tuple[str, ...],
) -> Payout | None:
    """What whoever is ``at_fault`` pays; None where the rules do not say, or the record does not."""
    rules = state.opening.rules
    if declarer is None or contract is None or at_fault is None or rules.ruleset.foul == "not-stated":
        return None
    if rules.ruleset.foul == "value-to-each":
        value = tariff_rate(FinishedDeal(declarer, contract, NO_TRICKS, WON), rules)
        return None if value is None else _pay_each(at_fault, value, paying_sitters)
    if at_fault == declarer:
        lost = tariff_rate(FinishedDeal(declarer, contract, NO_TRICKS, BETE), rules)
        if lost is None:
            return None
        items = (
            PaymentItem(format_message("the exchange fouled up by the declarer, paid as bête"), lost, RULE),
        )
        return Payout(opponent_payments(declarer, lost, paying_sitters), items, None)
    won = tariff_rate(FinishedDeal(declarer, contract, NO_TRICKS, WON), rules)
    return None if won is None else _pay_for_all(at_fault, declarer, won, paying_sitters)


def _pay_each(at_fault: Seat, value: int, paying_sitters: tuple[str, ...]) -> Payout:
    """The value of the game to each other player."""
    label = format_message("the exchange fouled up: the value of the game to each")
    items = (PaymentItem(label, -value, RULE),)
    return Payout(opponent_payments(at_fault, -value, paying_sitters), items, None)


def _pay_for_all(at_fault: Seat, declarer: Seat, won: int, paying_sitters: tuple[str, ...]) -> Payout:
    """The declarer's winnings, paid by one defender for all of them."""
    in_all = won * (2 + len(paying_sitters))
    chips = dict.fromkeys((*SEAT_NAMES, *paying_sitters), 0)
    chips[SEAT_NAMES[declarer]], chips[SEAT_NAMES[at_fault]] = in_all, -in_all
    label = format_message("the exchange fouled up: a defender pays for all of them")
    items = (PaymentItem(label, won, RULE),)
    return Payout(tuple(chips.items()), items, None)
