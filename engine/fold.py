"""``evolve``: the fold of one fact into the state. It never fails, whatever the event claims."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from engine.core.cards import BLACK_ACES, SEATS
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    DealAbandoned,
    DealClosed,
    DealOpened,
    DealSettled,
    DealVoided,
    Event,
    ExchangeYielded,
    GapNoted,
    HandDealt,
    HandHeld,
    HandTakenOver,
    PuestaReserved,
    ResultRecorded,
    RulingMade,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonLaid,
    TalonSeen,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
)
from engine.core.log import Entry
from engine.core.vocabulary import Seq
from engine.play.all_pass import spadille_sought, undertakings_over
from engine.play.auction import PASS, heard
from engine.play.disclosure import (
    fold_cards_shown,
    fold_hand_dealt,
    fold_hand_held,
    fold_talon_laid,
    fold_talon_seen,
)
from engine.play.exchange import (
    fold_cards_discarded,
    fold_cards_drawn,
    fold_exchange_yielded,
    fold_talon_turned,
)
from engine.play.hands import clouded, with_hand
from engine.play.phases import bargained, reached, resumed, trump_of, trumps_made
from engine.play.slam import why_not_announced
from engine.play.state import (
    AUCTION,
    CONTRACT,
    EXCHANGE,
    FINISHED,
    OPEN,
    PLAY,
    START,
    TURN,
    Bargain,
    Call,
    Claim,
    Opening,
    State,
    hand_count,
    new,
)
from engine.play.surrender import fold_surrender_answered, fold_surrender_offered, forbidden
from engine.play.tricks import fold_card_played, hands_clouded
from engine.rulesets import NO_RULES, find
from engine.scoring.score import standing


def evolve(state: State, entry: Entry) -> State:
    """The state after ``entry``. Events that change nothing (notes, payments) leave it as it is."""
    seq, event, _ = entry
    fold = FOLDS.get(type(event))
    if fold is None:
        return state
    if state.ending is not OPEN and state.ending.slip and type(event) in REOPENING:
        state = resumed(state, REOPENING[type(event)])
    return fold(state, event, seq)


def fold_all(entries: Iterable[Entry], state: State = START) -> State:
    """The fold of ``entries`` one after another."""
    for entry in entries:
        state = evolve(state, entry)
    return state


def fold_deal_opened(state: State, event: DealOpened, seq: Seq) -> State:
    """The deal is opened; a second opening changes nothing."""
    if state.opening.opened is not None:
        return state
    rules = find(state.opening.book, event.ruleset, event.revision, event.switches) or NO_RULES
    opening = Opening(event, seq, rules, event.players, state.opening.book)
    return state._replace(opening=opening)


def fold_bid_made(state: State, event: BidMade, seq: Seq) -> State:
    """A call, also one out of turn; after the contract is named it is only kept."""
    call = new(Call, (seq, event.seat, event.bid, event.said))
    auction = heard(state.auction, call, state.opening.rules)
    if state.phase > CONTRACT and not _all_passed(state):
        return state._replace(auction=state.auction._replace(calls=auction.calls))
    opening, phase, _, bargain, exchange, knowledge, play, ending, gap, incomplete = state
    if auction.turn is not None:
        phase = AUCTION
    else:
        phase = FINISHED if auction.holder is None else CONTRACT
        bargain = Bargain(auction.holder, None, None, None, False, False)
    state = new(State, (opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete))
    return spadille_sought(state) if event.bid == PASS else _aces_watched(state, event)


def _all_passed(state: State) -> bool:
    """Whether the deal is over because nobody bid, and for no other reason: a further bid opens it again."""
    ended_otherwise = state.ending.voided or state.ending.ruling or state.ending.abandoned
    return state.phase == FINISHED and state.auction.holder is None and not ended_otherwise


def _aces_watched(state: State, event: BidMade) -> State:
    """After a bid that promises both black aces from a hand not wholly known, they are watched for."""
    bid = state.opening.rules.bids.get(event.bid)
    knowledge = state.knowledge
    if bid is None or not bid.needs_black_aces or knowledge.dealt_whole >> event.seat & 1:
        return state
    return state._replace(knowledge=knowledge._replace(watch=knowledge.watch | BLACK_ACES))


def fold_contract_named(state: State, event: ContractNamed, seq: Seq) -> State:
    """The contract, by whoever named it; named a second time it changes nothing."""
    state = undertakings_over(state)
    if state.phase < CONTRACT:
        state = reached(state, CONTRACT)
    if state.phase == CONTRACT:
        if state.gap:
            state = state._replace(gap=False)
        return bargained(state, event.seat, event.contract, event.trump)
    if state.bargain.contract_id is not None or state.phase == FINISHED:
        return state
    contract = state.opening.rules.contracts.get(event.contract)
    trump = trump_of(contract, event.trump)
    bargain = Bargain(event.seat, event.contract, contract, trump, True, False)
    play = state.play._replace(table=state.opening.rules.following(trump))
    return state._replace(bargain=bargain, play=play)


def fold_trump_named(state: State, event: TrumpNamed, seq: Seq) -> State:
    """Trumps named later than the contract."""
    bargain = state.bargain
    turned = bargain.contract is not None and bargain.contract.trump == "turned"
    if bargain.trump is not None or turned or not (bargain.named or state.gap):
        return state
    return trumps_made(state, event.trump)


def fold_hand_taken_over(state: State, event: HandTakenOver, seq: Seq) -> State:
    """Another player plays this seat's hand from here on."""
    players = list(state.ending.taken_over)
    players[event.seat] = event.player
    ending = state.ending._replace(taken_over=(players[0], players[1], players[2]))
    return state._replace(ending=ending)


def fold_slam_announced(state: State, event: SlamAnnounced, seq: Seq) -> State:
    """A try for all nine tricks, where the rules let the declarer say so now; else it changes nothing."""
    if why_not_announced(state, event.seat) is not None:
        return state
    return state._replace(ending=state.ending._replace(slam="announced"))


def fold_tricks_claimed(state: State, event: TricksClaimed, seq: Seq) -> State:
    """A claim on the table until both opponents have accepted it, or one has contested.

    Seats that the claim does not name have the tricks that are left.
    """
    counts = dict(event.tricks)
    unstated = [seat for seat in SEATS if seat not in counts]
    if unstated:
        counts[unstated[0]] = max(9 - sum(counts.values()), 0)
    claimed = (counts.get(SEATS[0], 0), counts.get(SEATS[1], 0), counts.get(SEATS[2], 0))
    claim = Claim(seq, event.seat, claimed, 1 << event.seat)
    return state._replace(ending=state.ending._replace(claim=claim))


def fold_claim_answered(state: State, event: ClaimAnswered, seq: Seq) -> State:
    """An answer to the claim: accepted by both the deal is over; contested it goes on."""
    claim = state.ending.claim
    if claim is None or state.phase == FINISHED:
        return state
    if event.answer == "contest":
        return state._replace(ending=state.ending._replace(claim=None))
    claim = claim._replace(accepted=claim.accepted | 1 << event.seat)
    phase = FINISHED if claim.accepted == 0b111 else state.phase
    return state._replace(phase=phase, ending=state.ending._replace(claim=claim))


def fold_deal_abandoned(state: State, event: DealAbandoned, seq: Seq) -> State:
    """The declarer gives up; anybody else's giving up ends nothing."""
    declarer = state.bargain.declarer if state.phase >= CONTRACT else state.auction.holder
    if state.phase == FINISHED or (declarer is not None and declarer != event.seat):
        return state
    bargain = state.bargain._replace(declarer=event.seat)
    return state._replace(
        phase=FINISHED, bargain=bargain, ending=state.ending._replace(abandoned=(event, seq))
    )


def fold_result_recorded(state: State, event: ResultRecorded, seq: Seq) -> State:
    """A slip: the deal is over as far as the record goes, unless more is entered after it."""
    ending = state.ending._replace(result=event, result_seq=seq, slip=True)
    return state._replace(ending=ending, incomplete=state.incomplete or state.phase != FINISHED)


def fold_ruling_made(state: State, event: RulingMade, seq: Seq) -> State:
    """The director's decision; with an outcome or payments it ends the deal."""
    if event.outcome is None and not event.payments:
        return state
    return state._replace(phase=FINISHED, ending=state.ending._replace(ruling=event, ruling_seq=seq))


def fold_deal_voided(state: State, event: DealVoided, seq: Seq) -> State:
    """The deal does not count."""
    return state._replace(phase=FINISHED, ending=state.ending._replace(voided=True))


def fold_deal_settled(state: State, event: DealSettled | DealClosed, seq: Seq) -> State:
    """What was paid at the table, or computed when the record was closed."""
    closed = state.ending.closed or isinstance(event, DealClosed)
    ending = state.ending._replace(settled=event, settled_seq=seq, closed=closed)
    return state._replace(ending=ending)


def fold_puesta_reserved(state: State, event: PuestaReserved, seq: Seq) -> State:
    """The loser sets his puesta aside instead of paying it into the pool (RULES 8)."""
    surrender = forbidden(state)
    losers = (standing(state).declarer, None if surrender is None else surrender.seat)
    if state.opening.rules.ruleset.pool is None or event.seat not in losers:
        return state
    return state._replace(ending=state.ending._replace(set_aside=True))


def fold_gap_noted(state: State, event: GapNoted, seq: Seq) -> State:
    """Entries are missing: what follows is taken as it comes, until the record holds together again.

    It does with the naming of the contract, or a whole trick. Hands that may have changed are unknown.
    """
    play, exchange = state.play, state.exchange
    if state.phase == PLAY:
        play = hands_clouded(play)
    elif state.phase >= CONTRACT:
        for seat in exchange.queue or SEATS:
            owed = exchange.owed if exchange.queue[:1] == (seat,) else 0
            play = with_hand(play, seat, *clouded(0, (), hand_count(state, seat) + owed))
        exchange = exchange._replace(owed=0)
    return state._replace(play=play, exchange=exchange, gap=True, incomplete=True)


ENTRY: Final = 25
"""What it costs to fold and judge an entry (`engine.core.work_budget`)."""
REOPENING: Final[dict[type[Event], int]] = {
    BidMade: AUCTION,
    ContractNamed: CONTRACT,
    TalonTurned: TURN,
    CardsDiscarded: EXCHANGE,
    CardsDrawn: EXCHANGE,
    CardPlayed: PLAY,
}
"""What players do one after another, with its phase; entered after a slip it opens the deal again."""

Fold = Callable[[State, Any, Seq], State]


def _telling_of_spadille(fold: Fold) -> Fold:
    """A fold after which it may be known who holds spadille, where that is forced to play."""
    return lambda state, event, seq: spadille_sought(fold(state, event, seq))


FOLDS: Final[dict[type[Event], Fold]] = {
    DealOpened: fold_deal_opened,
    HandDealt: _telling_of_spadille(fold_hand_dealt),
    TalonLaid: _telling_of_spadille(fold_talon_laid),
    BidMade: fold_bid_made,
    CardsShown: _telling_of_spadille(fold_cards_shown),
    HandHeld: _telling_of_spadille(fold_hand_held),
    ContractNamed: fold_contract_named,
    TrumpNamed: fold_trump_named,
    TalonTurned: fold_talon_turned,
    ExchangeYielded: fold_exchange_yielded,
    TalonSeen: _telling_of_spadille(fold_talon_seen),
    CardsDiscarded: fold_cards_discarded,
    CardsDrawn: fold_cards_drawn,
    HandTakenOver: fold_hand_taken_over,
    CardPlayed: fold_card_played,
    SlamAnnounced: fold_slam_announced,
    TricksClaimed: fold_tricks_claimed,
    ClaimAnswered: fold_claim_answered,
    DealAbandoned: fold_deal_abandoned,
    SurrenderOffered: fold_surrender_offered,
    SurrenderAnswered: fold_surrender_answered,
    ResultRecorded: fold_result_recorded,
    RulingMade: fold_ruling_made,
    DealVoided: fold_deal_voided,
    DealSettled: fold_deal_settled,
    DealClosed: fold_deal_settled,
    PuestaReserved: fold_puesta_reserved,
    GapNoted: fold_gap_noted,
}
"""How each kind of fact changes the state; a kind that is not here changes nothing."""


def cost_of(entries: int) -> int:
    """What it costs to fold and judge so many entries: each is held against those before it."""
    return entries * (ENTRY + entries // 10)
