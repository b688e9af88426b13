"""The words of the game in findings: calls, contracts, suits, outcomes."""

from typing import Final

from engine.core.cards import SUIT_LETTERS, Suit
from engine.core.message import Message, Term, format_message
from engine.play.auction import PASS, SELF
from engine.play.state import State

_CALL_TERMS: Final = {call: Term("call", call) for call in (PASS, SELF)}
OUTCOME_SPELLINGS: Final = {"bete": "bête", "passed_out": "passed out"}
"""Outcomes that are spelled differently from the record."""
_SUIT_TERMS: Final = tuple(Term("suit", suit) for suit in SUIT_LETTERS)


def bid_term(state: State, bid_id: str) -> str:
    """A call; one that the rules in force do not know stays as it was recorded."""
    if bid_id in _CALL_TERMS:
        return _CALL_TERMS[bid_id]
    bid = state.opening.rules.bids.get(bid_id)
    return bid_id if bid is None else Term("game", bid_id, bid.words)


def contract_term(state: State, contract_id: str) -> str:
    """A contract; one that the rules in force do not know stays as it was recorded."""
    contract = state.opening.rules.contracts.get(contract_id)
    return contract_id if contract is None else Term("game", contract_id, contract.words)


def suit_term(suit: Suit) -> Term:
    """A trump suit."""
    return _SUIT_TERMS[suit]


def outcome_term(outcome: str | None) -> Term:
    """The outcome of a deal, as players write it; ``None``: not known."""
    return Term("outcome", OUTCOME_SPELLINGS.get(str(outcome), str(outcome)))


def format_chips(count: int) -> Message:
    """A number of chips; the presentation adds a ruleset's own word for its chips."""
    return format_message("1 chip") if count == 1 else format_message("{count} chips", count=count)
