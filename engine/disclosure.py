"""The fold of what is told of the cards: hands dealt, held and shown, the talon laid or seen."""

from engine.cards import BIT, CANDIDATES, HAND_SIZE, HIDDEN, PACK, TALON_SIZE, Card, Seat, mask_of
from engine.doubts import weighed
from engine.events import CardsShown, HandDealt, HandHeld, TalonLaid, TalonSeen
from engine.exchange import exchanged_unseen
from engine.hands import elsewhere, parted, received, with_hand
from engine.state import CONTRACT, EXCHANGE, State, Statement, hand_count
from engine.vocabulary import Seq


def _told(state: State, seat: Seat, seq: Seq) -> State:
    """The state with ``seq`` among the sources of what is known of ``seat``'s hand."""
    sources = list(state.knowledge.sources)
    sources[seat] = (*sources[seat], seq)
    return state._replace(knowledge=state.knowledge._replace(sources=tuple(sources)))


def _dealt_known(state: State, seat: Seat, mask: int) -> State:
    """The state with the cards of ``mask`` known to have been dealt to ``seat``."""
    knowledge = state.knowledge
    dealt = list(knowledge.dealt)
    dealt[seat] = mask
    whole = knowledge.dealt_whole & ~(1 << seat)
    if mask.bit_count() == HAND_SIZE:
        whole |= 1 << seat
    return state._replace(knowledge=knowledge._replace(dealt=tuple(dealt), dealt_whole=whole))


def _learnt(state: State, seat: Seat, mask: int, seq: Seq) -> State:
    """The state with the doubts weighed against cards just learnt of ``seat``."""
    if not state.play.doubts:
        return state
    still_open, _ = weighed(state, seat, mask, seq)
    return state._replace(play=state.play._replace(doubts=still_open))


def fold_hand_dealt(state: State, event: HandDealt, seq: Seq) -> State:
    """A dealt hand; told of after the exchange has begun it only says what was dealt."""
    seat = event.seat
    state = _dealt_known(_told(state, seat, seq), seat, mask_of(event.cards))
    if state.phase > CONTRACT:
        return state
    held, slots = received(0, (), event.cards)
    missing = HAND_SIZE - held.bit_count() - len(slots)
    return state._replace(play=with_hand(state.play, seat, held, slots + (PACK,) * missing))


def fold_talon_laid(state: State, event: TalonLaid, seq: Seq) -> State:
    """The order of the talon, as far as nothing has been drawn from it yet."""
    if state.exchange.exchanged or state.phase > EXCHANGE:
        return state
    cards = (*event.cards, *(HIDDEN,) * TALON_SIZE)[:TALON_SIZE]
    if state.exchange.turned is not None:
        cards = (state.exchange.turned, *cards[1:])
    return state._replace(exchange=state.exchange._replace(talon=cards))


def fold_talon_seen(state: State, event: TalonSeen, seq: Seq) -> State:
    """The leftover talon looked at: no hand holds these cards."""
    play = state.play._replace(gone=state.play.gone | mask_of(event.cards))
    exchange = state.exchange
    if len(event.cards) == len(exchange.talon):
        exchange = exchange._replace(talon=event.cards)
    return state._replace(play=play, exchange=exchange)


def fold_cards_shown(state: State, event: CardsShown, seq: Seq) -> State:
    """Cards shown by a seat are certainly in its hand, unless they are known to be elsewhere."""
    seat, play = event.seat, state.play
    held, slots = play.held[seat], play.slots[seat]
    away = elsewhere(state.knowledge, play, seat)
    shown = mask_of(event.cards) & ~away
    for card in event.cards:
        bit = BIT[card]
        if bit & ~away & ~held and any(slot & bit for slot in slots):
            held, slots = parted(held, slots, card)
            held |= bit
    state = _told(state._replace(play=with_hand(play, seat, held, slots)), seat, seq)
    if state.phase <= CONTRACT:
        state = _dealt_known(state, seat, state.knowledge.dealt[seat] | shown)
    return _learnt(state, seat, shown, seq)


def fold_hand_held(state: State, event: HandHeld, seq: Seq) -> State:
    """A hand as a source states it; what contradicts other facts is kept as a statement only.

    A card stated here that is certainly elsewhere leaves a place that nobody knows; cards
    missing from the statement are those certainly still there, as far as they fit.
    """
    seat = event.seat
    state = exchanged_unseen(state, seat)
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
    state = _told(state._replace(play=with_hand(play, seat, held, slots + (PACK,) * missing)), seat, seq)
    knowledge = state.knowledge._replace(
        watch=state.knowledge.watch | stated & away,
        stated=(*state.knowledge.stated, Statement(seq, seat, stated)),
    )
    return _learnt(state._replace(knowledge=knowledge), seat, held, seq)


def _hidden_slots(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(CANDIDATES[card] for card in cards if not BIT[card])
