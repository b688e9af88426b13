"""Estuches: the run of top trumps that Ombre held, or lacked, when play began (RULES 8)."""

from engine.core.cards import CARD_BITS, Seat
from engine.play.hands import impossible_cards
from engine.play.state import State


def hand_at_start_of_play(state: State, seat: Seat) -> tuple[int, bool]:
    """The known cards with which ``seat`` began the play, and whether these are all of them."""
    play = state.play
    mask, whole = play.known_cards[seat], not play.hidden_slots[seat]
    plays = [pair for trick in play.tricks for pair in zip(trick.seats, trick.cards, strict=True)]
    plays += list(zip(play.seats, play.cards, strict=True))
    plays += [(player, card) for _, player, card in state.ending.uncounted_plays]
    for player, card in plays:
        if player == seat:
            mask |= CARD_BITS[card]
            whole = whole and bool(CARD_BITS[card])
    return mask, whole


def count_estuches(state: State, seat: Seat, maximum: int) -> int | None:
    """How many estuches ``seat`` is paid, at most ``maximum``; None where a hidden card leaves it open."""
    if not state.play.trick_rules.ladder:
        return None
    mask, whole = hand_at_start_of_play(state, seat)
    impossible = impossible_cards(state.knowledge, state.play, seat)
    run, held_on_top = 0, None
    for trump in state.play.trick_rules.ladder[:maximum]:
        is_held = bool(mask & 1 << trump)
        if not (is_held or whole or impossible & 1 << trump):
            return None
        if held_on_top not in (None, is_held):
            break
        held_on_top = is_held
        run += 1
    return run
