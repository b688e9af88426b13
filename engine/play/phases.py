"""From one phase of a deal to the next, also where the record skips what lies between."""

from typing import Final

from engine.core.cards import (
    ACES_ONLY,
    BIT,
    DIAMONDS,
    FOREHAND,
    HIDDEN,
    NO_TRUMP,
    SEATS,
    SPADES,
    SUIT_OF,
    Card,
    Seat,
    Suit,
    seat_after,
    suit_of,
)
from engine.play.all_pass import spadille_forced
from engine.play.hands import clouded, with_hand
from engine.play.state import (
    AUCTION,
    CONTRACT,
    EXCHANGE,
    FINISHED,
    PLAY,
    TURN,
    Bargain,
    Exchange,
    Play,
    State,
    hand_count,
    in_phase,
    new,
    with_exchange,
)
from engine.rulesets import Rules
from engine.rulesets.model import ALL_SUITS, Contract, Naming

FIXED: Final[dict[str, Suit]] = {"spades": SPADES, "diamonds": DIAMONDS, **SUIT_OF}
"""The trump suit of contracts that leave no choice."""


def exchange_queue(declarer: Seat, contract: Contract, rules: Rules) -> tuple[Seat, ...]:
    """Who may exchange, in order (RULES 4)."""
    first, second = seat_after(declarer), seat_after(seat_after(declarer))
    ruleset = rules.ruleset
    defenders = (second, first) if ruleset.defender_order == "against-order-of-play" else (first, second)
    if contract.declarer_exchange is None and ruleset.first_without_declarer == "sits-first":
        defenders = (min(defenders), max(defenders))
    queue: tuple[Seat, ...] = (declarer,) if contract.declarer_exchange is not None else ()
    return queue + defenders if contract.defenders_exchange else queue


def namings_open(state: State) -> tuple[Naming, ...]:
    """The contracts that the winner of the auction may name, his holding apart."""
    rules = state.opening.rules
    bid = state.auction.standing
    if bid is None and spadille_forced(state):
        bid = rules.ruleset.forced_bid
    return rules.naming.get(bid or "", ())


def forced_naming(state: State) -> Naming | None:
    """The one contract the winner can name, where he has no choice."""
    namings = namings_open(state)
    if len(namings) == 1 and len(namings[0].trumps) <= 1:
        return namings[0]
    return None


def trump_of(contract: Contract | None, named: Suit | None) -> Suit | None:
    """The trump suit of a contract as named; None where it is turned, or nobody recorded it."""
    if contract is None:
        return named
    if contract.trump == "none":
        return NO_TRUMP
    if contract.trump == "aces":
        return ACES_ONLY
    if contract.trump in FIXED:
        return FIXED[contract.trump]
    return None if contract.trump == "turned" else named


def bargained(state: State, declarer: Seat | None, contract_id: str, named: Suit | None) -> State:
    """The state with a contract named, in the phase that follows."""
    contract = state.opening.rules.contracts.get(contract_id)
    trump = trump_of(contract, named)
    bid = state.opening.rules.bids.get(state.auction.standing or "")
    all_nine = bid is not None and bid.challenges_slam and state.auction.holder == declarer
    state = _with_bargain(state, Bargain(declarer, contract_id, contract, trump, True, all_nine), trump)
    if contract is not None and contract.trump == "turned":
        turned = state.exchange.turned
        if turned is None:
            return in_phase(state, TURN)
        return trumps_made(state, turned_suit(turned))
    return exchanging(state)


def _with_bargain(state: State, bargain: Bargain, trump: Suit | None) -> State:
    """The state with another bargain, and the tables of play that its trumps ask for."""
    opening, phase, auction, _, exchange, knowledge, play, ending, gap, incomplete = state
    turn, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, _ = play
    table = opening.rules.following(trump)
    play = new(Play, (turn, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table))
    return new(State, (opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete))


def trumps_open(rules: Rules, contract: Contract) -> tuple[Suit, ...]:
    """The trump suits among which the declarer of ``contract`` chooses; none where they are turned."""
    if contract.trump in FIXED:
        return (FIXED[contract.trump],)
    if contract.trump == "chosen-after-draw":
        return ALL_SUITS
    if contract.trump != "chosen":
        return ()
    namings = (naming for namings in rules.naming.values() for naming in namings)
    return tuple({trump for naming in namings if naming.contract == contract.id for trump in naming.trumps})


def turned_suit(card: Card) -> Suit | None:
    """The trump suit that a turned card makes: its printed suit, also where only that is known (RULES 3)."""
    if BIT[card]:
        return suit_of(card)
    return None if card == HIDDEN else Suit(card - HIDDEN - 1)


def trumps_made(state: State, trump: Suit | None) -> State:
    """The state with trumps made, in the exchange; None where nobody recorded the card that made them."""
    state = _with_bargain(state, state.bargain._replace(trump=trump), trump)
    return exchanging(state) if state.phase <= TURN else state


def exchanging(state: State) -> State:
    """The state at the start of the exchange, or of the play where nobody may exchange."""
    bargain = state.bargain
    queue: tuple[Seat, ...] = ()
    if bargain.contract is not None and bargain.declarer is not None:
        queue = exchange_queue(bargain.declarer, bargain.contract, state.opening.rules)
    _, owed, seq, talon, lying, turned, discards, draws, exchanged, yielded = state.exchange
    exchange = new(Exchange, (queue, owed, seq, talon, lying, turned, discards, draws, exchanged, yielded))
    state = with_exchange(state, exchange)
    if not queue and bargain.contract is not None:
        return playing(state)
    return in_phase(state, EXCHANGE)


def playing(state: State) -> State:
    """The state at the lead to trick 1: forehand leads in every contract (RULES 2)."""
    _, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table = state.play
    play = new(Play, (FOREHAND, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table))
    opening, _, auction, bargain, exchange, knowledge, _, ending, gap, incomplete = state
    return new(State, (opening, PLAY, auction, bargain, exchange, knowledge, play, ending, gap, incomplete))


def resumed(state: State, phase: int) -> State:
    """The state after a slip, to which an act of ``phase`` is added.

    Where that leaves something out, the slip says that entries are missing: what it tells of the
    contract stands, and the act is taken as it comes.
    """
    result = state.ending.result
    state = state._replace(ending=state.ending._replace(slip=False))
    if not skipped(state, phase):
        return state
    state = state._replace(gap=True, incomplete=True)
    if result is None or result.contract is None or result.declarer is None or state.bargain.named:
        return state
    return bargained(state, result.declarer, result.contract, result.trump)


def skipped(state: State, phase: int) -> bool:
    """Whether reaching ``phase`` from here leaves out something that had to be recorded."""
    if state.phase >= phase:
        return False
    if state.phase == CONTRACT:
        forced = forced_naming(state)
        if forced is None:
            return True
        after = bargained(state, state.bargain.declarer, forced.contract, trump_choice(forced))
        return skipped(after, phase)
    return phase != AUCTION or state.phase != 0


def trump_choice(naming: Naming) -> Suit | None:
    """The trump suit of a naming that leaves no choice."""
    return naming.trumps[0] if len(naming.trumps) == 1 else None


def reached(state: State, phase: int) -> State:
    """The state in ``phase`` or beyond, with what the record leaves out left unknown."""
    if state.phase >= phase:
        return state
    if state.phase < AUCTION:
        return reached(state._replace(phase=AUCTION), phase)
    if state.phase == AUCTION:
        holder = None if state.gap else state.auction.holder
        bargain = state.bargain._replace(declarer=holder)
        return reached(state._replace(phase=CONTRACT, bargain=bargain), phase)
    if state.phase == CONTRACT:
        return reached(_contract_implied(state), phase)
    if state.phase == TURN:
        return reached(exchanging(state), phase)
    if state.phase == EXCHANGE:
        return reached(playing(hands_after_skipped_exchange(state)), phase)
    return state._replace(phase=FINISHED)


def _contract_implied(state: State) -> State:
    forced = forced_naming(state)
    if forced is not None and not state.gap:
        return bargained(state, state.bargain.declarer, forced.contract, trump_choice(forced))
    if state.gap:
        state = state._replace(bargain=state.bargain._replace(declarer=None))
    return exchanging(state)


def hands_after_skipped_exchange(state: State) -> State:
    """The hands of those whose exchange the record leaves out: of the right size, unknown."""
    exchange = state.exchange
    waiting = exchange.queue
    if state.bargain.contract is None:
        waiting = tuple(seat for seat in SEATS if not exchange.exchanged >> seat & 1)
    stated = {statement.seat for statement in state.knowledge.stated}
    play = state.play
    for seat in waiting:
        if seat in stated:
            continue
        count = hand_count(state, seat) + (exchange.owed if seat == waiting[0] else 0)
        held, slots = clouded(0, (), count)
        play = with_hand(play, seat, held, slots)
    return state._replace(play=play, exchange=exchange._replace(queue=(), owed=0))
