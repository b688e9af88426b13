"""The fold of revealed cards: hands dealt, held and shown, the talon laid or seen."""

from dataclasses import replace

from engine.core.cards import (
    CARD_BITS,
    CARD_CANDIDATES,
    HAND_SIZE,
    HIDDEN_CARD,
    PACK_MASK,
    TALON_SIZE,
    Card,
    Seat,
    mask_of_cards,
    with_seat,
)
from engine.core.events import CardsShown, HandDealt, HandHeld, TalonLaid, TalonSeen
from engine.core.field_types import Seq
from engine.play.exchange import finish_unrecorded_exchange
from engine.play.hands import add_cards_to_hand, impossible_cards, remove_card_from_hand, with_hand
from engine.play.pending_revokes import resolve_pending_revokes
from engine.play.state import (
    CONTRACT,
    Knowledge,
    Play,
    State,
    Statement,
    add_source,
    hand_size,
    with_exchange,
    with_knowledge,
)


def _add_hand_source(state: State, seat: Seat, seq: Seq, play: Play) -> State:
    """The state with another play, and ``seq`` among the sources of what is known of ``seat``'s hand."""
    knowledge = state.knowledge.copy()
    knowledge.sources = add_source(knowledge.sources, seat, seq)
    return with_knowledge(state, knowledge, play)


def _with_dealt_cards(knowledge: Knowledge, seat: Seat, mask: int) -> Knowledge:
    """The knowledge that the cards of ``mask`` were dealt to ``seat``."""
    knowledge = knowledge.copy()
    knowledge.dealt_cards = with_seat(knowledge.dealt_cards, seat, mask)
    if mask.bit_count() == HAND_SIZE:
        knowledge.fully_known_seats |= 1 << seat
    else:
        knowledge.fully_known_seats &= ~(1 << seat)
    return knowledge


def _update_pending_revokes(state: State, seat: Seat, mask: int, seq: Seq) -> State:
    """The state with the pending revokes checked against newly known cards of ``seat``."""
    if not state.play.pending_revokes:
        return state
    still_open, _ = resolve_pending_revokes(state, seat, mask, seq)
    return replace(state, play=replace(state.play, pending_revokes=still_open))


def are_hands_as_dealt(state: State) -> bool:
    """Whether the hands are still as dealt, as far as the record goes."""
    if state.phase <= CONTRACT:
        return True
    play = state.play
    return not (state.exchange.exchanged_seats or play.tricks or play.cards or state.is_incomplete)


def fold_hand_dealt(state: State, event: HandDealt, seq: Seq) -> State:
    """A dealt hand; recorded after the exchange has begun it only says what was dealt."""
    seat, play = event.seat, state.play
    known_cards, slots = add_cards_to_hand(0, (), event.cards)
    if are_hands_as_dealt(state):
        missing = HAND_SIZE - known_cards.bit_count() - len(slots)
        play = with_hand(play, seat, known_cards, slots + (PACK_MASK,) * missing if missing else slots)
    knowledge = _with_dealt_cards(state.knowledge, seat, known_cards)
    knowledge.sources = add_source(knowledge.sources, seat, seq)
    knowledge.recorded_seats |= 1 << seat
    return with_knowledge(state, knowledge, play)


def fold_talon_laid(state: State, event: TalonLaid, seq: Seq) -> State:
    """The order of the talon, as far as nothing has been drawn from it yet."""
    cards = (*event.cards, *(HIDDEN_CARD,) * TALON_SIZE)[:TALON_SIZE]
    if state.exchange.turned_card is not None:
        cards = (state.exchange.turned_card, *cards[1:])
    cards = cards[TALON_SIZE - len(state.exchange.talon) :]
    return with_exchange(state, replace(state.exchange, talon=cards, known_talon_cards=mask_of_cards(cards)))


def fold_talon_seen(state: State, event: TalonSeen, seq: Seq) -> State:
    """The leftover talon is looked at: no hand holds these cards."""
    play = replace(state.play, removed_cards=state.play.removed_cards | mask_of_cards(event.cards))
    exchange = state.exchange
    if len(event.cards) == len(exchange.talon):
        exchange = replace(exchange, talon=event.cards, known_talon_cards=mask_of_cards(event.cards))
    return replace(state, play=play, exchange=exchange)


def fold_cards_shown(state: State, event: CardsShown, seq: Seq) -> State:
    """Cards shown by a seat are certainly in its hand, unless they are known to be elsewhere."""
    shown = mask_of_cards(event.cards) & ~impossible_cards(state.knowledge, state.play, event.seat)
    return _update_pending_revokes(apply_cards_shown(state, event, seq), event.seat, shown, seq)


def apply_cards_shown(state: State, event: CardsShown, seq: Seq) -> State:
    """The state with the cards shown, before the pending revokes are checked."""
    seat, play = event.seat, state.play
    known_cards, slots = play.known_cards[seat], play.hidden_slots[seat]
    impossible = impossible_cards(state.knowledge, play, seat)
    shown = mask_of_cards(event.cards) & ~impossible
    for card in event.cards:
        bit = CARD_BITS[card]
        if bit & ~impossible & ~known_cards and any(slot & bit for slot in slots):
            known_cards, slots = remove_card_from_hand(known_cards, slots, card)
            known_cards |= bit
    state = _add_hand_source(state, seat, seq, with_hand(play, seat, known_cards, slots))
    if state.phase <= CONTRACT:
        knowledge = _with_dealt_cards(state.knowledge, seat, state.knowledge.dealt_cards[seat] | shown)
        return with_knowledge(state, knowledge, state.play)
    shown_knowledge = replace(state.knowledge, shown_seats=state.knowledge.shown_seats | 1 << seat)
    return with_knowledge(state, shown_knowledge, state.play)


def fold_hand_held(state: State, event: HandHeld, seq: Seq) -> State:
    """A hand as a source states it; checks the pending revokes against it."""
    after = apply_hand_held(state, event, seq)
    return _update_pending_revokes(after, event.seat, after.play.known_cards[event.seat], seq)


def apply_hand_held(state: State, event: HandHeld, seq: Seq) -> State:
    """The state with a hand as stated; what contradicts other facts is kept only as a statement.

    A card stated here that is certainly elsewhere leaves an unknown place; cards missing from the statement
    are those certainly still there, as far as they fit.
    """
    seat = event.seat
    state = finish_unrecorded_exchange(state, seat, len(event.cards))
    play = state.play
    expected = hand_size(state, seat)
    impossible = impossible_cards(state.knowledge, play, seat)
    stated = mask_of_cards(event.cards)
    known_cards, slots = (
        stated & ~impossible,
        _hidden_slots(event.cards) + (PACK_MASK,) * (stated & impossible).bit_count(),
    )
    missing = expected - known_cards.bit_count() - len(slots)
    certain = play.known_cards[seat] & ~known_cards
    if 0 < certain.bit_count() <= missing:
        known_cards |= certain
        missing -= certain.bit_count()
    state = _add_hand_source(
        state, seat, seq, with_hand(play, seat, known_cards, slots + (PACK_MASK,) * missing)
    )
    knowledge = replace(
        state.knowledge,
        watched_cards=state.knowledge.watched_cards | stated & impossible,
        statements=(*state.knowledge.statements, Statement(seq, seat, stated)),
    )
    if state.phase <= CONTRACT:
        knowledge = _with_dealt_cards(knowledge, seat, knowledge.dealt_cards[seat] | known_cards)
    return with_knowledge(state, knowledge, state.play)


def _hidden_slots(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(CARD_CANDIDATES[card] for card in cards if not CARD_BITS[card])
