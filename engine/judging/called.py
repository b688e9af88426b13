"""What findings call the words of the game: calls, contracts, suits, outcomes."""

from typing import Final

from engine.core.cards import SUITS, Suit
from engine.core.message import Said, Term, said
from engine.play.auction import PASS, SELF
from engine.play.state import State

_CALLS: Final = {call: Term("call", call) for call in (PASS, SELF)}
WRITTEN: Final = {"bete": "bête", "passed_out": "passed out"}
"""Outcomes that are written otherwise than the record has them."""
_SUITS: Final = tuple(Term("suit", suit) for suit in SUITS)


def bid_called(state: State, bid_id: str) -> str:
    """A call; one that the rules in force do not know stays as it was written."""
    if bid_id in _CALLS:
        return _CALLS[bid_id]
    bid = state.opening.rules.bids.get(bid_id)
    return bid_id if bid is None else Term("game", bid_id, bid.words.da)


def contract_called(state: State, contract_id: str) -> str:
    """A contract; one that the rules in force do not know stays as it was written."""
    contract = state.opening.rules.contracts.get(contract_id)
    return contract_id if contract is None else Term("game", contract_id, contract.words.da)


def suit_called(suit: Suit) -> Term:
    """A suit of trumps."""
    return _SUITS[suit]


def outcome_called(outcome: str | None) -> Term:
    """How a deal ended, as players write it; ``None``: not known."""
    return Term("outcome", WRITTEN.get(str(outcome), str(outcome)))


def chips_called(count: int) -> Said:
    """So many chips; what a ruleset calls its own chips is for the doors to say."""
    return said("1 chip") if count == 1 else said("{count} chips", count=count)
