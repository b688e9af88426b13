"""The fold of the exchange with the talon (RULES 4)."""

from engine.cards import BIT, HIDDEN, PACK, Card, Seat, mask_of, suit_of
from engine.events import CardsDiscarded, CardsDrawn, ExchangeYielded, TalonTurned
from engine.hands import parted, received, with_hand
from engine.phases import playing, reached, trumps_made
from engine.state import EXCHANGE, TURN, Exchange, State
from engine.vocabulary import Seq


def fold_talon_turned(state: State, event: TalonTurned, seq: Seq) -> State:
    """The top card turned: its printed suit is trumps, also when it is a black ace (RULES 3)."""
    if state.phase < TURN:
        state = reached(state, TURN)
    exchange = state.exchange
    talon = (event.card, *exchange.talon[1:]) if exchange.talon and not exchange.exchanged else exchange.talon
    state = state._replace(exchange=exchange._replace(turned=event.card, talon=talon), gap=False)
    contract = state.bargain.contract
    if not BIT[event.card] or (contract is not None and contract.trump != "turned"):
        return state
    return trumps_made(state, suit_of(event.card))


def fold_exchange_yielded(state: State, event: ExchangeYielded, seq: Seq) -> State:
    """First choice yielded to the other defender; a second yield hands it back (RULES 4)."""
    exchange = state.exchange
    queue = exchange.queue
    if len(queue) == 2 and queue[0] == event.seat and not exchange.owed:
        exchange = exchange._replace(queue=(queue[1], queue[0]), yielded=exchange.yielded + 1)
    return state._replace(exchange=exchange)


def fold_cards_discarded(state: State, event: CardsDiscarded, seq: Seq) -> State:
    """Cards laid away face down; nobody can buy them any more."""
    if state.phase < EXCHANGE:
        state = reached(state, EXCHANGE)
    if state.exchange.owed:
        state = exchanged_unseen(state, state.exchange.queue[0])
    seat, play, exchange = event.seat, state.play, state.exchange
    held, slots = play.held[seat], play.slots[seat]
    for card in event.cards:
        held, slots = parted(held, slots, card)
    play = with_hand(play, seat, held, slots)._replace(gone=play.gone | mask_of(event.cards))
    exchange = exchange._replace(
        discards=_by_seat(exchange.discards, seat, event.cards),
        exchanged=exchange.exchanged | 1 << seat,
    )
    state = state._replace(play=play, exchange=exchange, gap=False)
    if state.phase != EXCHANGE:
        return state
    if not event.cards:
        return _next_in_queue(state, seat)
    queue = (seat, *(other for other in exchange.queue if other != seat))
    return state._replace(exchange=exchange._replace(queue=queue, owed=len(event.cards), owed_seq=seq))


def fold_cards_drawn(state: State, event: CardsDrawn, seq: Seq) -> State:
    """Cards from the top of the talon; a hidden one is known where the talon's order is."""
    if state.phase < EXCHANGE:
        state = reached(state, EXCHANGE)
    seat, exchange = event.seat, state.exchange
    cards = tuple(_drawn(card, i, exchange) for i, card in enumerate(event.cards))
    play = with_hand(state.play, seat, *received(state.play.held[seat], state.play.slots[seat], cards))
    exchange = exchange._replace(
        talon=exchange.talon[len(cards) :],
        draws=_by_seat(exchange.draws, seat, cards),
        exchanged=exchange.exchanged | 1 << seat,
    )
    sources = list(state.knowledge.sources)
    sources[seat] = (*sources[seat], seq)
    state = state._replace(
        play=play, exchange=exchange, knowledge=state.knowledge._replace(sources=tuple(sources)), gap=False
    )
    return _next_in_queue(state, seat) if state.phase == EXCHANGE else state


def _drawn(card: Card, place: int, exchange: Exchange) -> Card:
    if BIT[card] or place >= len(exchange.talon) or not BIT[exchange.talon[place]]:
        return card
    return exchange.talon[place]


def _by_seat(
    groups: tuple[tuple[Card, ...] | None, ...], seat: Seat, cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...] | None, ...]:
    changed = list(groups)
    changed[seat] = (*(groups[seat] or ()), *cards)
    return tuple(changed)


def _next_in_queue(state: State, seat: Seat) -> State:
    """The exchange with ``seat`` done; whose turn comes when the talon is empty is skipped (RULES 4)."""
    exchange = state.exchange
    queue = tuple(other for other in exchange.queue if other != seat)
    if not exchange.talon:
        queue = ()
    state = state._replace(exchange=exchange._replace(queue=queue, owed=0))
    return state if queue else playing(state)


def exchanged_unseen(state: State, seat: Seat) -> State:
    """The state with an exchange of ``seat`` over that the record does not show whole.

    Either its draw is missing, or a gap lies before it in which the exchange was left out.
    """
    exchange, play = state.exchange, state.play
    if state.phase != EXCHANGE or not exchange.queue:
        return state
    if exchange.owed and exchange.queue[0] == seat:
        drawn: tuple[Card, ...] = (HIDDEN,) * exchange.owed
        play = with_hand(play, seat, play.held[seat], play.slots[seat] + (PACK,) * exchange.owed)
        exchange = exchange._replace(
            talon=exchange.talon[exchange.owed :], draws=_by_seat(exchange.draws, seat, drawn)
        )
        return _next_in_queue(state._replace(play=play, exchange=exchange), seat)
    if state.gap and seat in exchange.queue:
        return _next_in_queue(state, seat)
    return state
