"""Transitions between the phases of a deal, also if the record skips what is between."""

from dataclasses import replace
from typing import Final

from engine.core.cards import (
    ACES_ONLY,
    CARD_BITS,
    DIAMONDS,
    FOREHAND,
    HIDDEN_CARD,
    NO_TRUMP,
    SEATS,
    SPADES,
    SUIT_BY_LETTER,
    Card,
    Seat,
    Suit,
    next_seat,
    printed_suit,
)
from engine.play.all_pass import is_spadille_forced
from engine.play.hands import forget_hand, with_hand
from engine.play.state import (
    AUCTION,
    CONTRACT,
    EXCHANGE,
    FINISHED,
    PLAY,
    TALON_TURN,
    ContractState,
    State,
    hand_size,
    with_exchange,
    with_phase,
    with_play,
)
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import ALL_SUITS, Contract, Naming

FIXED_TRUMPS: Final[dict[str, Suit]] = {"spades": SPADES, "diamonds": DIAMONDS, **SUIT_BY_LETTER}
"""The trump suit of contracts that leave no choice."""


def exchange_queue(declarer: Seat, contract: Contract, rules: CompiledRuleset) -> tuple[Seat, ...]:
    """Who may exchange, in order (RULES 4)."""
    first, second = next_seat(declarer), next_seat(next_seat(declarer))
    ruleset = rules.ruleset
    defenders = (second, first) if ruleset.defender_order == "against-order-of-play" else (first, second)
    if contract.declarer_exchange is None and ruleset.first_without_declarer == "sits-first":
        defenders = (min(defenders), max(defenders))
    queue: tuple[Seat, ...] = (declarer,) if contract.declarer_exchange is not None else ()
    return queue + defenders if contract.defenders_exchange else queue


def available_namings(state: State) -> tuple[Naming, ...]:
    """The contracts that the winner of the auction may name, regardless of the hand."""
    rules = state.opening.rules
    bid = state.auction.standing_bid
    if bid is None and is_spadille_forced(state):
        bid = rules.ruleset.forced_bid
    return rules.namings_by_bid.get(bid or "", ())


def only_naming(state: State) -> Naming | None:
    """The only contract that the winner can name, if there is no choice."""
    namings = available_namings(state)
    if len(namings) == 1 and len(namings[0].trumps) <= 1:
        return namings[0]
    return None


def contract_trump(contract: Contract | None, named_trump: Suit | None) -> Suit | None:
    """The trump suit of a contract as named; None if it is turned, or unrecorded."""
    if contract is None:
        return named_trump
    if contract.trump == "none":
        return NO_TRUMP
    if contract.trump == "aces":
        return ACES_ONLY
    if contract.trump in FIXED_TRUMPS:
        return FIXED_TRUMPS[contract.trump]
    return None if contract.trump == "turned" else named_trump


def name_contract(state: State, declarer: Seat | None, contract_id: str, named_trump: Suit | None) -> State:
    """The state after naming a contract, in the following phase."""
    contract = state.opening.rules.contracts.get(contract_id)
    trump = contract_trump(contract, named_trump)
    bid = state.opening.rules.bids.get(state.auction.standing_bid or "")
    is_vole_challenged = bid is not None and bid.challenges_slam and state.auction.holder == declarer
    state = _with_contract_state(
        state, ContractState(declarer, contract_id, contract, trump, True, is_vole_challenged), trump
    )
    if contract is not None and contract.trump == "turned":
        turned = state.exchange.turned_card
        if turned is None:
            return with_phase(state, TALON_TURN)
        return set_trump(state, turned_suit(turned))
    return start_exchange(state)


def _with_contract_state(state: State, contract_state: ContractState, trump: Suit | None) -> State:
    """The state with another contract state, and the trick rules of its trump."""
    play = state.play.copy()
    play.trick_rules = state.opening.rules.trick_rules(trump)
    state = with_play(state, play)
    state.contract_state = contract_state
    return state


def trump_choices(rules: CompiledRuleset, contract: Contract) -> tuple[Suit, ...]:
    """The trump suits that the declarer of ``contract`` may choose from; empty if they are turned."""
    if contract.trump in FIXED_TRUMPS:
        return (FIXED_TRUMPS[contract.trump],)
    if contract.trump == "chosen-after-draw":
        return ALL_SUITS
    if contract.trump != "chosen":
        return ()
    namings = (naming for namings in rules.namings_by_bid.values() for naming in namings)
    return tuple({trump for naming in namings if naming.contract == contract.id for trump in naming.trumps})


def turned_suit(card: Card) -> Suit | None:
    """The trump suit that a turned card makes: its printed suit, even if only that is known (RULES 3)."""
    if CARD_BITS[card]:
        return printed_suit(card)
    return None if card == HIDDEN_CARD else Suit(card - HIDDEN_CARD - 1)


def set_trump(state: State, trump: Suit | None) -> State:
    """The state with trumps set, in the exchange; None if the card that set them is unrecorded."""
    state = _with_contract_state(state, state.contract_state._replace(trump=trump), trump)
    return start_exchange(state) if state.phase <= TALON_TURN else state


def start_exchange(state: State) -> State:
    """The state at the start of the exchange, or of the play if nobody may exchange."""
    contract_state = state.contract_state
    queue: tuple[Seat, ...] = ()
    if contract_state.contract is not None and contract_state.declarer is not None:
        queue = exchange_queue(contract_state.declarer, contract_state.contract, state.opening.rules)
    exchange = state.exchange.copy()
    exchange.queue = queue
    state = with_exchange(state, exchange)
    if not queue and contract_state.contract is not None:
        return start_play(state)
    state.phase = EXCHANGE
    return state


def start_play(state: State) -> State:
    """The state at the lead to trick 1: forehand leads in every contract (RULES 2)."""
    play = state.play.copy()
    play.turn = FOREHAND
    state = with_play(state, play)
    state.phase = PLAY
    return state


def resume_after_slip(state: State, phase: int) -> State:
    """The state after a slip, when an act of ``phase`` follows.

    If that skips something, entries are missing: the slip's contract stands, and the act is accepted as it
    is.
    """
    result = state.ending.result
    state = replace(state, ending=state.ending._replace(ended_by_slip=False))
    if not skips_required_entries(state, phase):
        return state
    state = replace(state, has_gap=True, is_incomplete=True)
    if result is None or result.contract is None or result.declarer is None or state.contract_state.is_named:
        return state
    return name_contract(state, result.declarer, result.contract, result.trump)


def skips_required_entries(state: State, phase: int) -> bool:
    """Whether reaching ``phase`` from here skips something that had to be recorded."""
    if state.phase >= phase:
        return False
    if state.phase == CONTRACT:
        forced = only_naming(state)
        if forced is None:
            return True
        after = name_contract(state, state.contract_state.declarer, forced.contract, only_trump(forced))
        return skips_required_entries(after, phase)
    return phase != AUCTION or state.phase != 0


def only_trump(naming: Naming) -> Suit | None:
    """The trump suit of a naming that leaves no choice."""
    return naming.trumps[0] if len(naming.trumps) == 1 else None


def advance_to_phase(state: State, phase: int) -> State:
    """The state in ``phase`` or beyond; what the record skips stays unknown."""
    if state.phase >= phase:
        return state
    if state.phase < AUCTION:
        return advance_to_phase(replace(state, phase=AUCTION), phase)
    if state.phase == AUCTION:
        holder = None if state.has_gap else state.auction.holder
        contract_state = state.contract_state._replace(declarer=holder)
        return advance_to_phase(replace(state, phase=CONTRACT, contract_state=contract_state), phase)
    if state.phase == CONTRACT:
        return advance_to_phase(_imply_contract(state), phase)
    if state.phase == TALON_TURN:
        return advance_to_phase(start_exchange(state), phase)
    if state.phase == EXCHANGE:
        return advance_to_phase(start_play(skip_exchange(state)), phase)
    return replace(state, phase=FINISHED)


def _imply_contract(state: State) -> State:
    forced = only_naming(state)
    if forced is not None and not state.has_gap:
        return name_contract(state, state.contract_state.declarer, forced.contract, only_trump(forced))
    if state.has_gap:
        state = replace(state, contract_state=state.contract_state._replace(declarer=None))
    return start_exchange(state)


def skip_exchange(state: State) -> State:
    """The hands of the seats whose exchange the record skips: of the right size, unknown."""
    exchange = state.exchange
    waiting = exchange.queue
    if state.contract_state.contract is None:
        waiting = tuple(seat for seat in SEATS if not exchange.exchanged_seats >> seat & 1)
    stated = {statement.seat for statement in state.knowledge.statements}
    play = state.play
    for seat in waiting:
        if seat in stated:
            continue
        count = hand_size(state, seat) + (exchange.cards_to_draw if seat == waiting[0] else 0)
        known_cards, slots = forget_hand(0, (), count)
        play = with_hand(play, seat, known_cards, slots)
    return replace(state, play=play, exchange=replace(exchange, queue=(), cards_to_draw=0))
