"""The fold of the exchange with the talon (RULES 4)."""

from engine.core.cards import BIT, HIDDEN, PACK, SEATS, Card, Seat, mask_of
from engine.core.events import CardsDiscarded, CardsDrawn, ExchangeYielded, TalonTurned
from engine.core.vocabulary import Seq
from engine.play.hands import clouded, parted, received, with_hand
from engine.play.phases import exchange_queue, playing, reached, trumps_made, turned_suit
from engine.play.state import (
    EXCHANGE,
    TURN,
    Exchange,
    Knowledge,
    Play,
    State,
    hand_count,
    new,
    told_by,
    trumps_due,
    with_exchange,
    with_play,
)
from engine.play.surrender import forbidden


def fold_talon_turned(state: State, event: TalonTurned, seq: Seq) -> State:
    """The top card turned: its printed suit is trumps, also when it is a black ace (RULES 3)."""
    if state.phase < TURN:
        state = reached(state, TURN)
    exchange = state.exchange
    talon = (event.card, *exchange.talon[1:]) if exchange.talon and not exchange.exchanged else exchange.talon
    turned = exchange._replace(turned=event.card, talon=talon, lying=exchange.lying | BIT[event.card])
    state = with_exchange(state, turned)
    contract = state.bargain.contract
    if contract is not None and contract.trump != "turned":
        return state
    return trumps_made(state, turned_suit(event.card))


def fold_exchange_yielded(state: State, event: ExchangeYielded, seq: Seq) -> State:
    """First choice yielded to the other defender; a second yield hands it back (RULES 4)."""
    if may_yield(state) != event.seat:
        return state
    exchange = state.exchange
    first, second = exchange.queue
    return with_exchange(state, exchange._replace(queue=(second, first), yielded=exchange.yielded + 1))


def may_yield(state: State) -> Seat | None:
    """The defender who may yield first choice of the talon, or hand it back; None if nobody may (RULES 4)."""
    exchange = state.exchange
    if not state.opening.rules.ruleset.may_yield or state.phase != EXCHANGE or exchange.owed:
        return None
    surrender = forbidden(state)
    ombre = state.bargain.declarer if surrender is None else surrender.seat
    if len(exchange.queue) != 2 or ombre in exchange.queue or exchange.yielded > 1 or trumps_due(state):
        return None
    return exchange.queue[0]


def may_have_exchanged(state: State) -> tuple[Seat, ...]:
    """Who may exchange in this deal, in order; everybody, where nobody knows what is played (RULES 4).

    Who forbids a surrender becomes the declarer, but has exchanged as a defender (RULES 8).
    """
    bargain, surrender = state.bargain, forbidden(state)
    if bargain.contract is None or bargain.declarer is None:
        return SEATS
    first = bargain.declarer if surrender is None else surrender.seat
    return exchange_queue(first, bargain.contract, state.opening.rules)


def fold_cards_discarded(state: State, event: CardsDiscarded, seq: Seq) -> State:
    """Cards laid away face down; nobody can buy them any more."""
    if state.phase < EXCHANGE:
        state = reached(state, EXCHANGE)
    if state.exchange.owed:
        state = exchanged_unseen(state, state.exchange.queue[0])
    if state.gap:
        state = others_may_have_exchanged(state, event.seat)
    seat, play = event.seat, state.play
    queue, _, _, talon, lying, turned, discards, draws, exchanged, yielded = state.exchange
    mask = mask_of(event.cards)
    held, slots = play.held[seat], play.slots[seat]
    if mask & ~held or mask.bit_count() != len(event.cards):
        for card in event.cards:
            held, slots = parted(held, slots, card)
    else:
        held ^= mask
    play = laid_away(with_hand(play, seat, held, slots), mask)
    discards = _by_seat(discards, seat, event.cards)
    owed = 0
    if state.phase == EXCHANGE and event.cards:
        owed = len(event.cards)
        if queue[:1] != (seat,):
            queue = (seat, *(other for other in queue if other != seat))
    exchanged |= 1 << seat
    exchange = new(Exchange, (queue, owed, seq, talon, lying, turned, discards, draws, exchanged, yielded))
    opening, phase, auction, bargain, _, knowledge, _, ending, gap, incomplete = state
    state = new(State, (opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete))
    return state if owed or phase != EXCHANGE else _next_in_queue(state, seat)


def laid_away(play: Play, mask: int) -> Play:
    """The play with the cards of ``mask`` gone from the hands."""
    turn, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table = play
    return new(Play, (turn, held, slots, seats, cards, seqs, veiled, gone | mask, tricks, won, doubts, table))


def fold_cards_drawn(state: State, event: CardsDrawn, seq: Seq) -> State:
    """Cards from the top of the talon; a hidden one is known where the talon's order is."""
    if state.phase < EXCHANGE:
        state = reached(state, EXCHANGE)
    seat, cards = event.seat, event.cards
    if state.gap:
        state = others_may_have_exchanged(state, seat)
    queue, owed, owed_seq, talon, lying, turned, discards, draws, exchanged, yielded = state.exchange
    if lying:
        cards = tuple(_drawn(card, i, state.exchange) for i, card in enumerate(cards))
    play = with_hand(state.play, seat, *received(state.play.held[seat], state.play.slots[seat], cards))
    talon = talon[len(cards) :]
    exchange = Exchange(
        queue,
        owed,
        owed_seq,
        talon,
        lying and mask_of(talon),
        turned,
        discards,
        _by_seat(draws, seat, cards),
        exchanged | 1 << seat,
        yielded,
    )
    sources, dealt, whole, watch, stated, laid_open, dealt_told = state.knowledge
    sources = told_by(sources, seat, seq)
    knowledge = new(Knowledge, (sources, dealt, whole, watch, stated, laid_open, dealt_told))
    opening, phase, auction, bargain, _, _, _, ending, gap, incomplete = state
    state = new(State, (opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete))
    return _next_in_queue(state, seat) if phase == EXCHANGE else state


def _drawn(card: Card, place: int, exchange: Exchange) -> Card:
    if BIT[card] or place >= len(exchange.talon) or not BIT[exchange.talon[place]]:
        return card
    return exchange.talon[place]


def _by_seat(
    groups: tuple[tuple[Card, ...] | None, ...], seat: Seat, cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...] | None, ...]:
    first, second, third = groups
    if seat == 0:
        return (*(first or ()), *cards), second, third
    if seat == 1:
        return first, (*(second or ()), *cards), third
    return first, second, (*(third or ()), *cards)


def _next_in_queue(state: State, seat: Seat) -> State:
    """The exchange with ``seat`` done; whose turn comes when the talon is empty is skipped (RULES 4)."""
    queue, _, seq, talon, lying, turned, discards, draws, exchanged, yielded = state.exchange
    queue = queue[1:] if queue[:1] == (seat,) else tuple(other for other in queue if other != seat)
    if not talon:
        queue = ()
    exchange = new(Exchange, (queue, 0, seq, talon, lying, turned, discards, draws, exchanged, yielded))
    state = with_exchange(state, exchange)
    return state if queue or state.bargain.contract is None else playing(state)


def others_may_have_exchanged(state: State, seat: Seat) -> State:
    """The state after a gap in which those whose turn was before ``seat``'s may have exchanged.

    Their hands are unknown then, and so is the talon. Without a contract nobody knows the order.
    """
    exchange, play = state.exchange, state.play
    if state.bargain.contract is None:
        before = tuple(s for s in SEATS if s != seat and not exchange.exchanged >> s & 1)
    else:
        before = exchange.queue[: exchange.queue.index(seat)] if seat in exchange.queue else ()
    stated = {statement.seat for statement in state.knowledge.stated}
    for other in before:
        if other not in stated:
            play = with_hand(play, other, *clouded(0, (), hand_count(state, other)))
    talon = (HIDDEN,) * len(exchange.talon)
    queue = tuple(other for other in exchange.queue if other not in before)
    return with_exchange(with_play(state, play), exchange._replace(queue=queue, talon=talon, lying=0))


def exchanged_unseen(state: State, seat: Seat, stated: int | None = None) -> State:
    """The state with an exchange of ``seat`` over that the record does not show whole.

    ``stated``: how many cards a source states in the hand; as many as are there before the draw
    leave the draw owed.

    Either its draw is missing, or a gap lies before it in which the exchange was left out.
    """
    exchange, play = state.exchange, state.play
    if state.phase != EXCHANGE or not exchange.queue:
        return state
    if exchange.owed and exchange.queue[0] == seat and stated == hand_count(state, seat):
        return state
    if exchange.owed and exchange.queue[0] == seat:
        drawn: tuple[Card, ...] = (HIDDEN,) * exchange.owed
        play = with_hand(play, seat, play.held[seat], play.slots[seat] + (PACK,) * exchange.owed)
        talon = exchange.talon[exchange.owed :]
        exchange = exchange._replace(
            talon=talon, lying=mask_of(talon), draws=_by_seat(exchange.draws, seat, drawn)
        )
        return _next_in_queue(state._replace(play=play, exchange=exchange), seat)
    if state.gap and seat in exchange.queue:
        return _next_in_queue(state, seat)
    return state
