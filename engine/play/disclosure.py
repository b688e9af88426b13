"""The fold of what is told of the cards: hands dealt, held and shown, the talon laid or seen."""

from engine.core.cards import BIT, CANDIDATES, HAND_SIZE, HIDDEN, PACK, TALON_SIZE, Card, Seat, mask_of
from engine.core.events import CardsShown, HandDealt, HandHeld, TalonLaid, TalonSeen
from engine.core.vocabulary import Seq
from engine.play.exchange import exchanged_unseen
from engine.play.hands import elsewhere, parted, received, with_hand
from engine.play.pending_revokes import weighed
from engine.play.state import (
    CONTRACT,
    Knowledge,
    Play,
    State,
    Statement,
    hand_count,
    new,
    told_by,
    with_exchange,
    with_knowledge,
)


def _told(state: State, seat: Seat, seq: Seq, play: Play) -> State:
    """The state with another play, and ``seq`` among the sources of what is known of ``seat``'s hand."""
    sources, dealt, whole, watch, stated, laid_open, dealt_told = state.knowledge
    knowledge = Knowledge(told_by(sources, seat, seq), dealt, whole, watch, stated, laid_open, dealt_told)
    return with_knowledge(state, knowledge, play)


def _dealt_known(knowledge: Knowledge, seat: Seat, mask: int) -> Knowledge:
    """The knowledge with the cards of ``mask`` known to have been dealt to ``seat``."""
    sources, (first, second, third), whole, watch, stated, laid_open, dealt_told = knowledge
    dealt = (
        (mask, second, third) if seat == 0 else (first, mask, third) if seat == 1 else (first, second, mask)
    )
    whole = whole | 1 << seat if mask.bit_count() == HAND_SIZE else whole & ~(1 << seat)
    return new(Knowledge, (sources, dealt, whole, watch, stated, laid_open, dealt_told))


def _learnt(state: State, seat: Seat, mask: int, seq: Seq) -> State:
    """The state with the doubts weighed against cards just learnt of ``seat``."""
    if not state.play.doubts:
        return state
    still_open, _ = weighed(state, seat, mask, seq)
    return state._replace(play=state.play._replace(doubts=still_open))


def nobody_has_exchanged(state: State) -> bool:
    """Whether the hands are still as they were dealt, as far as the record goes."""
    play = state.play
    return (
        not (state.exchange.exchanged or play.tricks or play.cards or state.incomplete)
        or state.phase <= CONTRACT
    )


def fold_hand_dealt(state: State, event: HandDealt, seq: Seq) -> State:
    """A dealt hand; told of after the exchange has begun it only says what was dealt."""
    seat, play = event.seat, state.play
    held, slots = received(0, (), event.cards)
    if nobody_has_exchanged(state):
        missing = HAND_SIZE - held.bit_count() - len(slots)
        play = with_hand(play, seat, held, slots + (PACK,) * missing if missing else slots)
    sources, dealt, whole, watch, stated, laid_open, dealt_told = _dealt_known(state.knowledge, seat, held)
    sources, dealt_told = told_by(sources, seat, seq), dealt_told | 1 << seat
    knowledge = new(Knowledge, (sources, dealt, whole, watch, stated, laid_open, dealt_told))
    return with_knowledge(state, knowledge, play)


def fold_talon_laid(state: State, event: TalonLaid, seq: Seq) -> State:
    """The order of the talon, as far as nothing has been drawn from it yet."""
    cards = (*event.cards, *(HIDDEN,) * TALON_SIZE)[:TALON_SIZE]
    if state.exchange.turned is not None:
        cards = (state.exchange.turned, *cards[1:])
    cards = cards[TALON_SIZE - len(state.exchange.talon) :]
    return with_exchange(state, state.exchange._replace(talon=cards, lying=mask_of(cards)))


def fold_talon_seen(state: State, event: TalonSeen, seq: Seq) -> State:
    """The leftover talon looked at: no hand holds these cards."""
    play = state.play._replace(gone=state.play.gone | mask_of(event.cards))
    exchange = state.exchange
    if len(event.cards) == len(exchange.talon):
        exchange = exchange._replace(talon=event.cards, lying=mask_of(event.cards))
    return state._replace(play=play, exchange=exchange)


def fold_cards_shown(state: State, event: CardsShown, seq: Seq) -> State:
    """Cards shown by a seat are certainly in its hand, unless they are known to be elsewhere."""
    shown = mask_of(event.cards) & ~elsewhere(state.knowledge, state.play, event.seat)
    return _learnt(shown_told(state, event, seq), event.seat, shown, seq)


def shown_told(state: State, event: CardsShown, seq: Seq) -> State:
    """The state with the cards shown, before they are laid against plays in doubt."""
    seat, play = event.seat, state.play
    held, slots = play.held[seat], play.slots[seat]
    away = elsewhere(state.knowledge, play, seat)
    shown = mask_of(event.cards) & ~away
    for card in event.cards:
        bit = BIT[card]
        if bit & ~away & ~held and any(slot & bit for slot in slots):
            held, slots = parted(held, slots, card)
            held |= bit
    state = _told(state, seat, seq, with_hand(play, seat, held, slots))
    if state.phase <= CONTRACT:
        knowledge = _dealt_known(state.knowledge, seat, state.knowledge.dealt[seat] | shown)
        return with_knowledge(state, knowledge, state.play)
    opened = state.knowledge._replace(laid_open=state.knowledge.laid_open | 1 << seat)
    return with_knowledge(state, opened, state.play)


def fold_hand_held(state: State, event: HandHeld, seq: Seq) -> State:
    """A hand as a source states it, laid against plays in doubt."""
    after = held_told(state, event, seq)
    return _learnt(after, event.seat, after.play.held[event.seat], seq)


def held_told(state: State, event: HandHeld, seq: Seq) -> State:
    """The state with a hand as stated; what contradicts other facts is kept as a statement only.

    A card stated here that is certainly elsewhere leaves a place that nobody knows; cards
    missing from the statement are those certainly still there, as far as they fit.
    """
    seat = event.seat
    state = exchanged_unseen(state, seat, len(event.cards))
    play = state.play
    expected = hand_count(state, seat)
    away = elsewhere(state.knowledge, play, seat)
    stated = mask_of(event.cards)
    held, slots = stated & ~away, _hidden_slots(event.cards) + (PACK,) * (stated & away).bit_count()
    missing = expected - held.bit_count() - len(slots)
    sure = play.held[seat] & ~held
    if 0 < sure.bit_count() <= missing:
        held |= sure
        missing -= sure.bit_count()
    state = _told(state, seat, seq, with_hand(play, seat, held, slots + (PACK,) * missing))
    knowledge = state.knowledge._replace(
        watch=state.knowledge.watch | stated & away,
        stated=(*state.knowledge.stated, Statement(seq, seat, stated)),
    )
    if state.phase <= CONTRACT:
        knowledge = _dealt_known(knowledge, seat, knowledge.dealt[seat] | held)
    return with_knowledge(state, knowledge, state.play)


def _hidden_slots(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(CANDIDATES[card] for card in cards if not BIT[card])
