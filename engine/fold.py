"""``evolve``: folds one fact into the state. It never fails, whatever the event claims."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from engine.core import events
from engine.core.cards import BLACK_ACES, SEATS, with_seat
from engine.core.events import Event
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.play.all_pass import close_undertakings, resolve_forced_spadille
from engine.play.auction import PASS, apply_call
from engine.play.exchange import (
    fold_cards_discarded,
    fold_cards_drawn,
    fold_exchange_yielded,
    fold_talon_turned,
)
from engine.play.hands import forget_hand, with_hand
from engine.play.phases import advance_to_phase, contract_trump, name_contract, resume_after_slip, set_trump
from engine.play.revealed_cards import (
    fold_cards_shown,
    fold_hand_dealt,
    fold_hand_held,
    fold_talon_laid,
    fold_talon_seen,
)
from engine.play.slam import explain_slam_refusal
from engine.play.state import (
    AUCTION,
    CONTRACT,
    EXCHANGE,
    FINISHED,
    INITIAL_STATE,
    NO_ENDING,
    PLAY,
    TALON_TURN,
    Call,
    Claim,
    ContractState,
    Opening,
    State,
    hand_size,
)
from engine.play.surrender import fold_surrender_answered, fold_surrender_offered, forbidden_surrender
from engine.play.tricks import fold_card_played, forget_all_hands
from engine.rulesets import NO_RULES, find_ruleset
from engine.scoring.score import deal_standing


def evolve(state: State, entry: Entry) -> State:
    """The state after ``entry``. Events that change nothing (notes, payments) leave it as it is."""
    event = entry.event
    fold = EVENT_FOLDS.get(type(event))
    if fold is None:
        return state
    if state.ending is not NO_ENDING and state.ending.ended_by_slip and type(event) in REOPENING_PHASES:
        state = resume_after_slip(state, REOPENING_PHASES[type(event)])
    return fold(state, event, entry.seq)


def fold_all(entries: Iterable[Entry], state: State = INITIAL_STATE) -> State:
    """Fold ``entries`` one after another."""
    for entry in entries:
        state = evolve(state, entry)
    return state


def fold_deal_opened(state: State, event: events.DealOpened, seq: Seq) -> State:
    """The deal is opened; a second opening changes nothing."""
    if state.opening.event is not None:
        return state
    rules = find_ruleset(state.opening.book, event.ruleset, event.revision, event.switches) or NO_RULES
    opening = Opening(event, seq, rules, event.players, state.opening.book)
    state = state.copy()
    state.opening = opening
    return state


def fold_bid_made(state: State, event: events.BidMade, seq: Seq) -> State:
    """A call, also one out of turn; after the contract is named it is only recorded."""
    call = Call(seq, event.seat, event.bid, event.said)
    auction = apply_call(state.auction, call, state.opening.rules)
    if state.phase > CONTRACT and not _is_over_by_passing(state):
        return replace(state, auction=replace(state.auction, calls=auction.calls))
    state = state.copy()
    state.auction = auction
    if auction.turn is not None:
        state.phase = AUCTION
    else:
        state.phase = FINISHED if auction.holder is None else CONTRACT
        state.contract_state = ContractState(auction.holder, None, None, None, False, False)
    return resolve_forced_spadille(state) if event.bid == PASS else _watch_black_aces(state, event)


def _is_over_by_passing(state: State) -> bool:
    """Whether the deal is over only because nobody bid: a further bid reopens it."""
    ended_otherwise = state.ending.is_voided or state.ending.ruling or state.ending.abandonment
    return state.phase == FINISHED and state.auction.holder is None and not ended_otherwise


def _watch_black_aces(state: State, event: events.BidMade) -> State:
    """After a bid that promises both black aces from a hand not completely known, watch for them."""
    bid = state.opening.rules.bids.get(event.bid)
    knowledge = state.knowledge
    if bid is None or not bid.needs_black_aces or knowledge.fully_known_seats >> event.seat & 1:
        return state
    return replace(state, knowledge=replace(knowledge, watched_cards=knowledge.watched_cards | BLACK_ACES))


def fold_contract_named(state: State, event: events.ContractNamed, seq: Seq) -> State:
    """The contract, regardless of who named it; a second naming changes nothing."""
    state = close_undertakings(state)
    if state.phase < CONTRACT:
        state = advance_to_phase(state, CONTRACT)
    if state.phase == CONTRACT:
        if state.has_gap:
            state = replace(state, has_gap=False)
        return name_contract(state, event.seat, event.contract, event.trump)
    if state.contract_state.contract_id is not None or state.phase == FINISHED:
        return state
    contract = state.opening.rules.contracts.get(event.contract)
    trump = contract_trump(contract, event.trump)
    contract_state = ContractState(event.seat, event.contract, contract, trump, True, False)
    play = replace(state.play, trick_rules=state.opening.rules.trick_rules(trump))
    return replace(state, contract_state=contract_state, play=play)


def fold_trump_named(state: State, event: events.TrumpNamed, seq: Seq) -> State:
    """Trumps named after the contract."""
    contract_state = state.contract_state
    is_trump_turned = contract_state.contract is not None and contract_state.contract.trump == "turned"
    if contract_state.trump is not None or is_trump_turned or not (contract_state.is_named or state.has_gap):
        return state
    return set_trump(state, event.trump)


def fold_hand_taken_over(state: State, event: events.HandTakenOver, seq: Seq) -> State:
    """Another player plays this seat's hand from here on."""
    substitutes = with_seat(state.ending.substitutes, event.seat, event.player)
    return replace(state, ending=state.ending._replace(substitutes=substitutes))


def fold_slam_announced(state: State, event: events.SlamAnnounced, seq: Seq) -> State:
    """A try for all nine tricks, if the rules let the declarer announce it now; else it changes nothing."""
    if explain_slam_refusal(state, event.seat) is not None:
        return state
    return replace(state, ending=state.ending._replace(slam="announced"))


def fold_tricks_claimed(state: State, event: events.TricksClaimed, seq: Seq) -> State:
    """A claim on the table until both opponents have accepted it, or one has contested.

    Seats that the claim does not name get the remaining tricks.
    """
    counts = dict(event.tricks)
    unstated = [seat for seat in SEATS if seat not in counts]
    if unstated:
        counts[unstated[0]] = max(9 - sum(counts.values()), 0)
    claimed = (counts.get(SEATS[0], 0), counts.get(SEATS[1], 0), counts.get(SEATS[2], 0))
    claim = Claim(seq, event.seat, claimed, 1 << event.seat)
    return replace(state, ending=state.ending._replace(claim=claim))


def fold_claim_answered(state: State, event: events.ClaimAnswered, seq: Seq) -> State:
    """An answer to the claim: if both accept, the deal is over; if one contests, it continues."""
    claim = state.ending.claim
    if claim is None or state.phase == FINISHED:
        return state
    if event.answer == "contest":
        return replace(state, ending=state.ending._replace(claim=None))
    claim = claim._replace(accepted_seats=claim.accepted_seats | 1 << event.seat)
    phase = FINISHED if claim.accepted_seats == 0b111 else state.phase
    return replace(state, phase=phase, ending=state.ending._replace(claim=claim))


def fold_deal_abandoned(state: State, event: events.DealAbandoned, seq: Seq) -> State:
    """The declarer gives up; if anybody else gives up, nothing changes."""
    declarer = state.contract_state.declarer if state.phase >= CONTRACT else state.auction.holder
    if state.phase == FINISHED or (declarer is not None and declarer != event.seat):
        return state
    contract_state = state.contract_state._replace(declarer=event.seat)
    return replace(
        state,
        phase=FINISHED,
        contract_state=contract_state,
        ending=state.ending._replace(abandonment=(event, seq)),
    )


def fold_result_recorded(state: State, event: events.ResultRecorded, seq: Seq) -> State:
    """A slip: the deal is over as far as the record goes, unless more entries follow."""
    ending = state.ending._replace(result=event, result_seq=seq, ended_by_slip=True)
    return replace(state, ending=ending, is_incomplete=state.is_incomplete or state.phase != FINISHED)


def fold_ruling_made(state: State, event: events.RulingMade, seq: Seq) -> State:
    """The director's decision; with an outcome or payments it ends the deal."""
    if event.outcome is None and not event.payments:
        return state
    return replace(state, phase=FINISHED, ending=state.ending._replace(ruling=event, ruling_seq=seq))


def fold_deal_voided(state: State, event: events.DealVoided, seq: Seq) -> State:
    """The deal does not count."""
    return replace(state, phase=FINISHED, ending=state.ending._replace(is_voided=True))


def fold_deal_settled(state: State, event: events.DealSettled | events.DealClosed, seq: Seq) -> State:
    """What was paid at the table, or computed when the record was closed."""
    closed = state.ending.is_closed or isinstance(event, events.DealClosed)
    ending = state.ending._replace(settlement=event, settlement_seq=seq, is_closed=closed)
    return replace(state, ending=ending)


def fold_puesta_reserved(state: State, event: events.PuestaReserved, seq: Seq) -> State:
    """The loser sets the puesta aside instead of paying it into the pool (RULES 8)."""
    surrender = forbidden_surrender(state)
    losers = (deal_standing(state).declarer, None if surrender is None else surrender.seat)
    if state.opening.rules.ruleset.pool is None or event.seat not in losers:
        return state
    return replace(state, ending=state.ending._replace(is_puesta_set_aside=True))


def fold_gap_noted(state: State, event: events.GapNoted, seq: Seq) -> State:
    """Entries are missing: what follows is accepted as it is, until the record is consistent again.

    It is with the naming of the contract, or a whole trick. Hands that may have changed are unknown.
    """
    play, exchange = state.play, state.exchange
    if state.phase == PLAY:
        play = forget_all_hands(play)
    elif state.phase >= CONTRACT:
        for seat in exchange.queue or SEATS:
            to_draw = exchange.cards_to_draw if exchange.queue[:1] == (seat,) else 0
            play = with_hand(play, seat, *forget_hand(0, (), hand_size(state, seat) + to_draw))
        exchange = replace(exchange, cards_to_draw=0)
    return replace(state, play=play, exchange=exchange, has_gap=True, is_incomplete=True)


ENTRY_COST: Final = 25
"""Work units to fold and judge an entry (`engine.core.work_budget`)."""
REOPENING_PHASES: Final[dict[type[Event], int]] = {
    events.BidMade: AUCTION,
    events.ContractNamed: CONTRACT,
    events.TalonTurned: TALON_TURN,
    events.CardsDiscarded: EXCHANGE,
    events.CardsDrawn: EXCHANGE,
    events.CardPlayed: PLAY,
}
"""Acts of players in sequence, with their phase; after a slip such an act reopens the deal."""

EventFold = Callable[[State, Any, Seq], State]


def _then_resolve_spadille(fold: EventFold) -> EventFold:
    """A fold after which the holder of spadille may be known, if spadille is forced to play."""
    return lambda state, event, seq: resolve_forced_spadille(fold(state, event, seq))


EVENT_FOLDS: Final[dict[type[Event], EventFold]] = {
    events.DealOpened: fold_deal_opened,
    events.HandDealt: _then_resolve_spadille(fold_hand_dealt),
    events.TalonLaid: _then_resolve_spadille(fold_talon_laid),
    events.BidMade: fold_bid_made,
    events.CardsShown: _then_resolve_spadille(fold_cards_shown),
    events.HandHeld: _then_resolve_spadille(fold_hand_held),
    events.ContractNamed: fold_contract_named,
    events.TrumpNamed: fold_trump_named,
    events.TalonTurned: fold_talon_turned,
    events.ExchangeYielded: fold_exchange_yielded,
    events.TalonSeen: _then_resolve_spadille(fold_talon_seen),
    events.CardsDiscarded: fold_cards_discarded,
    events.CardsDrawn: fold_cards_drawn,
    events.HandTakenOver: fold_hand_taken_over,
    events.CardPlayed: fold_card_played,
    events.SlamAnnounced: fold_slam_announced,
    events.TricksClaimed: fold_tricks_claimed,
    events.ClaimAnswered: fold_claim_answered,
    events.DealAbandoned: fold_deal_abandoned,
    events.SurrenderOffered: fold_surrender_offered,
    events.SurrenderAnswered: fold_surrender_answered,
    events.ResultRecorded: fold_result_recorded,
    events.RulingMade: fold_ruling_made,
    events.DealVoided: fold_deal_voided,
    events.DealSettled: fold_deal_settled,
    events.DealClosed: fold_deal_settled,
    events.PuestaReserved: fold_puesta_reserved,
    events.GapNoted: fold_gap_noted,
}
"""How each kind of fact changes the state; other kinds change nothing."""


def folding_cost(entries: int) -> int:
    """Work units to fold and judge this many entries: each is compared with those before it."""
    return entries * (ENTRY_COST + entries // 10)
