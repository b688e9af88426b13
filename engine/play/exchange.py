"""The fold of the exchange with the talon (RULES 4)."""

from dataclasses import replace

from engine.core.cards import (
    CARD_BITS,
    HIDDEN_CARD,
    PACK_MASK,
    SEATS,
    BySeat,
    Card,
    Seat,
    mask_of_cards,
    with_seat,
)
from engine.core.events import CardsDiscarded, CardsDrawn, ExchangeYielded, TalonTurned
from engine.core.field_types import Seq
from engine.play.hands import add_cards_to_hand, forget_hand, remove_card_from_hand, with_hand
from engine.play.phases import advance_to_phase, exchange_queue, set_trump, start_play, turned_suit
from engine.play.state import (
    EXCHANGE,
    TALON_TURN,
    Exchange,
    Play,
    State,
    add_source,
    hand_size,
    must_name_trump,
    with_exchange,
    with_knowledge,
    with_play,
)
from engine.play.surrender import forbidden_surrender


def fold_talon_turned(state: State, event: TalonTurned, seq: Seq) -> State:
    """The top card is turned: its printed suit is trumps, even for a black ace (RULES 3)."""
    if state.phase < TALON_TURN:
        state = advance_to_phase(state, TALON_TURN)
    exchange = state.exchange
    talon = (
        (event.card, *exchange.talon[1:])
        if exchange.talon and not exchange.exchanged_seats
        else exchange.talon
    )
    turned_exchange = replace(
        exchange,
        turned_card=event.card,
        talon=talon,
        known_talon_cards=exchange.known_talon_cards | CARD_BITS[event.card],
    )
    state = with_exchange(state, turned_exchange)
    contract = state.contract_state.contract
    if contract is not None and contract.trump != "turned":
        return state
    return set_trump(state, turned_suit(event.card))


def fold_exchange_yielded(state: State, event: ExchangeYielded, seq: Seq) -> State:
    """First choice is yielded to the other defender; a second yield returns it (RULES 4)."""
    if seat_that_may_yield(state) != event.seat:
        return state
    exchange = state.exchange
    first, second = exchange.queue
    return with_exchange(
        state, replace(exchange, queue=(second, first), yield_count=exchange.yield_count + 1)
    )


def seat_that_may_yield(state: State) -> Seat | None:
    """The defender who may yield first choice of the talon, or return it; None if nobody may (RULES 4)."""
    exchange = state.exchange
    if not state.opening.rules.ruleset.may_yield or state.phase != EXCHANGE or exchange.cards_to_draw:
        return None
    surrender = forbidden_surrender(state)
    declarer = state.contract_state.declarer if surrender is None else surrender.seat
    if (
        len(exchange.queue) != 2
        or declarer in exchange.queue
        or exchange.yield_count > 1
        or must_name_trump(state)
    ):
        return None
    return exchange.queue[0]


def seats_that_may_exchange(state: State) -> tuple[Seat, ...]:
    """Who may exchange in this deal, in order; everybody if the contract is unknown (RULES 4).

    A player who forbids a surrender becomes the declarer, but has exchanged as a defender (RULES 8).
    """
    contract_state, surrender = state.contract_state, forbidden_surrender(state)
    if contract_state.contract is None or contract_state.declarer is None:
        return SEATS
    first = contract_state.declarer if surrender is None else surrender.seat
    return exchange_queue(first, contract_state.contract, state.opening.rules)


def fold_cards_discarded(state: State, event: CardsDiscarded, seq: Seq) -> State:
    """Cards are laid away face down; nobody can buy them any more."""
    if state.phase < EXCHANGE:
        state = advance_to_phase(state, EXCHANGE)
    if state.exchange.cards_to_draw:
        state = finish_unrecorded_exchange(state, state.exchange.queue[0])
    if state.has_gap:
        state = forget_earlier_exchanges(state, event.seat)
    seat, play = event.seat, state.play
    mask = mask_of_cards(event.cards)
    known_cards, slots = play.known_cards[seat], play.hidden_slots[seat]
    if mask & ~known_cards or mask.bit_count() != len(event.cards):
        for card in event.cards:
            known_cards, slots = remove_card_from_hand(known_cards, slots, card)
    else:
        known_cards ^= mask
    play = with_removed_cards(with_hand(play, seat, known_cards, slots), mask)
    exchange = state.exchange.copy()
    exchange.discards = _append_for_seat(exchange.discards, seat, event.cards)
    exchange.discard_seq = seq
    exchange.exchanged_seats |= 1 << seat
    exchange.cards_to_draw = 0
    if state.phase == EXCHANGE and event.cards:
        exchange.cards_to_draw = len(event.cards)
        if exchange.queue[:1] != (seat,):
            exchange.queue = (seat, *(other for other in exchange.queue if other != seat))
    state = with_exchange(state, exchange)
    state.play = play
    if exchange.cards_to_draw or state.phase != EXCHANGE:
        return state
    return _finish_exchange_turn(state, seat)


def with_removed_cards(play: Play, mask: int) -> Play:
    """The play after removing the cards of ``mask`` from the hands."""
    play = play.copy()
    play.removed_cards |= mask
    return play


def fold_cards_drawn(state: State, event: CardsDrawn, seq: Seq) -> State:
    """Cards from the top of the talon; a hidden one is known if the talon's order is."""
    if state.phase < EXCHANGE:
        state = advance_to_phase(state, EXCHANGE)
    seat, cards = event.seat, event.cards
    if state.has_gap:
        state = forget_earlier_exchanges(state, seat)
    exchange = state.exchange.copy()
    if exchange.known_talon_cards:
        cards = tuple(_identify_drawn_card(card, i, state.exchange) for i, card in enumerate(cards))
    play = with_hand(
        state.play,
        seat,
        *add_cards_to_hand(state.play.known_cards[seat], state.play.hidden_slots[seat], cards),
    )
    exchange.talon = exchange.talon[len(cards) :]
    if exchange.known_talon_cards:
        exchange.known_talon_cards = mask_of_cards(exchange.talon)
    exchange.draws = _append_for_seat(exchange.draws, seat, cards)
    exchange.exchanged_seats |= 1 << seat
    knowledge = state.knowledge.copy()
    knowledge.sources = add_source(knowledge.sources, seat, seq)
    state = with_knowledge(state, knowledge, play)
    state.exchange = exchange
    return _finish_exchange_turn(state, seat) if state.phase == EXCHANGE else state


def _identify_drawn_card(card: Card, place: int, exchange: Exchange) -> Card:
    if CARD_BITS[card] or place >= len(exchange.talon) or not CARD_BITS[exchange.talon[place]]:
        return card
    return exchange.talon[place]


def _append_for_seat(
    groups: BySeat[tuple[Card, ...] | None], seat: Seat, cards: tuple[Card, ...]
) -> BySeat[tuple[Card, ...] | None]:
    return with_seat(groups, seat, (*(groups[seat] or ()), *cards))


def _finish_exchange_turn(state: State, seat: Seat) -> State:
    """``seat`` has finished the exchange; turns are skipped once the talon is empty (RULES 4)."""
    exchange = state.exchange.copy()
    exchange.queue = tuple(other for other in exchange.queue if exchange.talon and other != seat)
    exchange.cards_to_draw = 0
    state = with_exchange(state, exchange)
    return state if exchange.queue or state.contract_state.contract is None else start_play(state)


def forget_earlier_exchanges(state: State, seat: Seat) -> State:
    """The state after a gap in which the seats before ``seat`` may have exchanged.

    Their hands are then unknown, and so is the talon. Without a contract the order is unknown.
    """
    exchange, play = state.exchange, state.play
    if state.contract_state.contract is None:
        before = tuple(s for s in SEATS if s != seat and not exchange.exchanged_seats >> s & 1)
    else:
        before = exchange.queue[: exchange.queue.index(seat)] if seat in exchange.queue else ()
    stated = {statement.seat for statement in state.knowledge.statements}
    for other in before:
        if other not in stated:
            play = with_hand(play, other, *forget_hand(0, (), hand_size(state, other)))
    talon = (HIDDEN_CARD,) * len(exchange.talon)
    queue = tuple(other for other in exchange.queue if other not in before)
    return with_exchange(
        with_play(state, play), replace(exchange, queue=queue, talon=talon, known_talon_cards=0)
    )


def finish_unrecorded_exchange(state: State, seat: Seat, stated_count: int | None = None) -> State:
    """The state in which an incompletely recorded exchange of ``seat`` is over.

    Its draw is missing, or the exchange is in a gap. If ``stated_count``, the number of cards that a source
    states in the hand, equals the number before the draw, the draw is still owed.
    """
    exchange, play = state.exchange, state.play
    if state.phase != EXCHANGE or not exchange.queue:
        return state
    if exchange.cards_to_draw and exchange.queue[0] == seat and stated_count == hand_size(state, seat):
        return state
    if exchange.cards_to_draw and exchange.queue[0] == seat:
        drawn: tuple[Card, ...] = (HIDDEN_CARD,) * exchange.cards_to_draw
        play = with_hand(
            play,
            seat,
            play.known_cards[seat],
            play.hidden_slots[seat] + (PACK_MASK,) * exchange.cards_to_draw,
        )
        talon = exchange.talon[exchange.cards_to_draw :]
        exchange = replace(
            exchange,
            talon=talon,
            known_talon_cards=mask_of_cards(talon),
            draws=_append_for_seat(exchange.draws, seat, drawn),
        )
        return _finish_exchange_turn(with_play(with_exchange(state, exchange), play), seat)
    if state.has_gap and seat in exchange.queue:
        return _finish_exchange_turn(state, seat)
    return state
