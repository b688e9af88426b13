"""The fold of the play: cards leave hands, tricks are won, the deal ends (RULES 5, 6)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from engine.core.cards import (
    CARD_BITS,
    HAND_SIZE,
    NEXT_SEAT,
    SEATS,
    BySeat,
    Card,
    Seat,
    cards_in_mask,
    with_seat,
)
from engine.core.events import CardPlayed
from engine.core.field_types import Seq
from engine.core.ranking import UNKNOWN_TRUMP, TrickRules
from engine.play.hands import card_options, forget_hand, impossible_cards, remove_card_from_hand, with_hand
from engine.play.pending_revokes import find_pending_revoke, resolve_pending_revokes
from engine.play.phases import advance_to_phase
from engine.play.state import FINISHED, NO_ENDING, PLAY, Play, State, Trick, hand_size, with_play
from engine.play.surrender import forbidden_surrender

LAST_TRICK: Final = 9
MAX_TRICK_COMBINATIONS: Final = 2000
"""Limit on the combinations tried for a trick with hidden cards; beyond it the winner stays open."""


def fold_card_played(state: State, event: CardPlayed, seq: Seq) -> State:
    """The state after a card has been played, regardless of whose turn it was."""
    before, state = state, lay_card(state, event, seq)
    if not state.play.pending_revokes:
        return state
    still_open, _ = resolve_pending_revokes(state, event.seat, proven_card(before, event), seq)
    return with_play(state, replace(state.play, pending_revokes=still_open))


def proven_card(state: State, event: CardPlayed) -> int:
    """The card as proof of what the seat held: none if it is known to be another's, or gone."""
    return CARD_BITS[event.card] & ~impossible_cards(state.knowledge, state.play, event.seat)


def lay_card(state: State, event: CardPlayed, seq: Seq) -> State:
    """The state with the card on the table, before the pending revokes are checked.

    Every card of every deal passes through here, so the play and the state are built at once: copying them
    first and then setting fields takes longer.
    """
    seat, card, stated_trick = event.seat, event.card, event.trick
    if state.phase != PLAY or state.ending is not NO_ENDING or state.has_gap or stated_trick is not None:
        state = prepare_for_card(state, event)
        if state.phase == FINISHED:
            return _apply_uncounted_play(state, event, seq)
    play = state.play
    if seat != play.turn and seat in play.seats and (not state.has_gap or stated_trick is not None):
        return _apply_uncounted_play(state, event, seq)
    bit, hand = CARD_BITS[card], play.known_cards[seat]
    if (
        play.turn is None
        or not hand & bit
        or play.pending_revokes
        or (play.cards and play.hidden_slots[seat])
    ):
        play = _take_from_uncertain_hand(state, seat, card, seq)
        hands = play.known_cards
    else:
        first, second, third = play.known_cards
        if seat == 0:
            hands = (hand ^ bit, second, third)
        elif seat == 1:
            hands = (first, hand ^ bit, third)
        else:
            hands = (first, second, hand ^ bit)
    seats = play.seats + (seat,)
    play = Play(
        play.turn,
        hands,
        play.hidden_slots,
        seats,
        play.cards + (card,),
        play.seqs + (seq,),
        play.hidden_trick_cards,
        play.removed_cards | bit,
        play.tricks,
        play.tricks_won,
        play.pending_revokes,
        play.trick_rules,
    )
    state = State(
        state.opening, state.phase, state.auction, state.contract_state, state.exchange, state.knowledge,
        play, state.ending, state.has_gap, state.is_incomplete,
    )  # fmt: skip
    if len(seats) == len(SEATS):
        # After a gap three cards may belong to two tricks, unless the last has a trick number.
        return _finish_trick(state, play, state.has_gap and stated_trick is None)
    after = NEXT_SEAT[seat]
    play.turn = NEXT_SEAT[after] if after in seats else after
    return state


def _finish_trick(state: State, play: Play, is_uncertain: bool) -> State:
    """The state after the third card; changes ``state`` and its ``play``, which nobody else has yet.

    ``is_uncertain``: the three cards may belong to two tricks. Only the declarer's trick, or a late one, can
    end the deal.
    """
    state.has_gap = is_uncertain
    seats, cards = play.seats, play.cards
    winner = None if is_uncertain else trick_winner(seats, cards, play.hidden_trick_cards, play.trick_rules)
    number = len(play.tricks) + 1
    play.turn = winner
    play.tricks = play.tricks + (Trick(number, seats, cards, play.seqs, winner),)
    play.seats, play.cards, play.seqs, play.hidden_trick_cards = (), (), (), ()
    if state.is_incomplete and not is_uncertain and number > 1 and play.tricks[-2].winner is None:
        settle_winner_by_next_trick(play)
    if winner is not None:
        play.tricks_won = _add_won_trick(play.tricks_won, winner)
    contract_state = state.contract_state
    if (
        not is_uncertain
        and (number > 4 or winner == contract_state.declarer or contract_state.is_vole_challenged)
        and ends_deal(state, play.tricks_won, number)
    ):
        state.phase = FINISHED
    return _count_nine_tricks(state) if is_uncertain and number == LAST_TRICK else state


def _count_nine_tricks(state: State) -> State:
    """The state after nine complete tricks that follow each other: a gap before the play left out no card."""
    play, counted = state.play, replace(state, has_gap=False, play=replace(state.play, tricks=()))
    leaders = [*(trick.seats[0] if trick.seats else None for trick in play.tricks[1:]), None]
    for trick, next_leader in zip(play.tricks, leaders, strict=True):
        if len(trick.cards) < len(SEATS):
            return state
        if counted.phase == FINISHED:
            for play_of_trick in zip(trick.seqs, trick.seats, trick.cards, strict=True):
                counted = _note_uncounted_play(counted, *play_of_trick)
            continue
        is_known = all(CARD_BITS[card] for card in trick.cards)
        winner = trick_winner(trick.seats, trick.cards, (), play.trick_rules) if is_known else next_leader
        if winner is None or next_leader not in (None, winner):
            return state
        counted = _add_counted_trick(counted, replace(trick, winner=winner), winner)
    return counted


def _add_counted_trick(state: State, trick: Trick, winner: Seat) -> State:
    tricks, won = (*state.play.tricks, trick), _add_won_trick(state.play.tricks_won, winner)
    play = replace(state.play, tricks=tricks, tricks_won=won, turn=winner)
    return replace(state, play=play, phase=FINISHED if ends_deal(state, won, trick.number) else PLAY)


def _take_from_uncertain_hand(state: State, seat: Seat, card: Card, seq: Seq) -> Play:
    """The play after taking the card from an incompletely known hand, or with an unknown leader."""
    play = state.play
    if play.turn is None and not play.cards and not state.has_gap:
        play = settle_winner_by_lead(play, seat)
        state = replace(state, play=play)
    if play.cards and not state.has_gap:
        pending = find_pending_revoke(state, seat, card, seq)
        if pending is not None:
            play = replace(play, pending_revokes=(*play.pending_revokes, pending))
    if not CARD_BITS[card]:
        play = replace(
            play,
            hidden_trick_cards=(*play.hidden_trick_cards, (len(play.cards), card_options(state, seat, card))),
        )
    return with_hand(
        play, seat, *remove_card_from_hand(play.known_cards[seat], play.hidden_slots[seat], card)
    )


def trick_winner(
    seats: tuple[Seat, ...],
    cards: tuple[Card, ...],
    hidden_trick_cards: tuple[tuple[int, int], ...],
    trick_rules: TrickRules,
) -> Seat | None:
    """The winner of a trick of three cards; None if a hidden card leaves it open (DESIGN 5)."""
    if hidden_trick_cards:
        return _certain_winner(seats, cards, dict(hidden_trick_cards), trick_rules)
    return None if trick_rules is UNKNOWN_TRUMP else seats[_strongest_index(cards, trick_rules.beaten_by)]


def _strongest_index(cards: tuple[Card, ...], beats: tuple[int, ...]) -> int:
    """The index of the winning card among three known cards, the first of which was led."""
    first, second, third = cards
    if CARD_BITS[second] & beats[first]:
        return 2 if CARD_BITS[third] & beats[second] else 1
    return 2 if CARD_BITS[third] & beats[first] else 0


def _certain_winner(
    seats: tuple[Seat, ...],
    cards: tuple[Card, ...],
    hidden_trick_cards: dict[int, int],
    trick_rules: TrickRules,
) -> Seat | None:
    """The seat that wins whatever the hidden cards are, or None."""
    options = [
        cards_in_mask(hidden_trick_cards[i]) if i in hidden_trick_cards else (card,)
        for i, card in enumerate(cards)
    ]
    if trick_rules is UNKNOWN_TRUMP or not 0 < prod(map(len, options)) <= MAX_TRICK_COMBINATIONS:
        return None
    winner = None
    for trial in product(*options):
        if len(set(trial)) == 3:
            index = _strongest_index(trial, trick_rules.beaten_by)
            if winner is not None and index != winner:
                return None
            winner = index
    return None if winner is None else seats[winner]


def settle_winner_by_lead(play: Play, leader: Seat) -> Play:
    """If the last trick's winner was open: the next leader has won it, if that is possible (DESIGN 5)."""
    if (
        not play.tricks
        or play.tricks[-1].winner is not None
        or leader not in possible_last_trick_winners(play)
    ):
        return play
    trick, won = replace(play.tricks[-1], winner=leader), _add_won_trick(play.tricks_won, leader)
    return replace(play, tricks=(*play.tricks[:-1], trick), tricks_won=won)


def settle_winner_by_next_trick(play: Play) -> None:
    """After a gap only a trick of three cards shows who led it, and so who won the one before."""
    *earlier, before, last = play.tricks
    leader = last.seats[0]
    if leader in possible_trick_winners(before, play.trick_rules):
        play.tricks = (*earlier, replace(before, winner=leader), last)
        play.tricks_won = _add_won_trick(play.tricks_won, leader)


def possible_last_trick_winners(play: Play) -> tuple[Seat, ...]:
    """The seats that can have won the last trick: no known card of another beats theirs."""
    return possible_trick_winners(play.tricks[-1], play.trick_rules) if play.tricks else SEATS


def possible_trick_winners(trick: Trick, trick_rules: TrickRules) -> tuple[Seat, ...]:
    """The seats that can have won a trick; all of them if some of its cards are missing."""
    if len(trick.cards) < 3:
        return SEATS
    beats = trick_rules.beaten_by
    plays = list(zip(trick.seats, trick.cards, strict=True))
    return tuple(
        seat
        for seat, card in plays
        if not any(CARD_BITS[other] & beats[card] for _, other in plays)
        and _can_win_trick(card, trick.cards[0], trick_rules)
    )


def _can_win_trick(card: Card, lead: Card, trick_rules: TrickRules) -> bool:
    """Whether a card can win at all: it follows the lead, or is a trump, or this is unknown."""
    if not CARD_BITS[card] or not trick_rules.followers[lead]:
        return True
    return bool(CARD_BITS[card] & (trick_rules.followers[lead] | trick_rules.trumps))


def ends_deal(state: State, won: BySeat[int], number: int) -> bool:
    """Whether the deal ends with trick ``number`` (RULES 6)."""
    if number >= LAST_TRICK:
        return True
    declarer, contract = state.contract_state.declarer, state.contract_state.contract
    if declarer is None or contract is None:
        return False
    tricks_won = won[declarer]
    has_lost_trick = sum(won) > tricks_won  # a trick whose winner is unknown is not lost
    if state.contract_state.is_vole_challenged and has_lost_trick:
        return True
    if contract.aim == "nolo":
        return contract.ends_at is not None and tricks_won >= contract.ends_at
    if tricks_won < 5:
        return False
    return (
        state.opening.rules.ruleset.slam is None or has_lost_trick or forbidden_surrender(state) is not None
    )


def possible_final_tricks(state: State) -> Iterator[int]:
    """The tricks with which the deal may have ended by its cards alone, though more were played.

    If the cards leave the winner of a trick open, the next leader has won it, as long as the deal goes on;
    cards played after the end show nothing. None if the deal certainly went on.
    """
    play = state.play
    counts: set[BySeat[int]] = {(0, 0, 0)}
    for number, trick in enumerate(play.tricks, 1):
        winners = possible_trick_winners(trick, play.trick_rules)
        counts = {_add_won_trick(won, seat) for won in counts for seat in winners}
        ended = {won for won in counts if ends_deal(state, won, number)}
        if ended and (number < len(play.tricks) or play.cards):
            yield number
        counts -= ended


def _add_won_trick(won: BySeat[int], seat: Seat) -> BySeat[int]:
    return with_seat(won, seat, won[seat] + 1)


def prepare_for_card(state: State, event: CardPlayed) -> State:
    """The state in which a card can be folded, whatever the record skipped before it."""
    if state.phase < PLAY:
        state = advance_to_phase(state, PLAY)
        if state.has_gap and event.trick is None:
            state = with_play(state, forget_all_hands(state.play))
    if state.phase != PLAY:
        return state
    if event.trick is not None:
        led_in_turn = not state.play.cards and event.seat == state.play.turn
        if state.has_gap and led_in_turn and event.trick == len(state.play.tricks) + 1:
            return replace(state, has_gap=False)
        return jump_to_trick(state, event.trick)
    if state.has_gap and event.seat in state.play.seats:
        return with_play(state, _start_trick(state.play, len(state.play.tricks) + 2))
    return state


def forget_all_hands(play: Play) -> Play:
    """The play after a gap in which cards may have been played: the hands may have lost cards."""
    for seat in SEATS:
        known_cards, slots = play.known_cards[seat], play.hidden_slots[seat]
        play = with_hand(play, seat, *forget_hand(known_cards, slots, known_cards.bit_count() + len(slots)))
    return play


def _start_trick(play: Play, number: int) -> Play:
    """The play at the start of trick ``number``; those before it are recorded in part or not at all."""
    current = len(play.tricks) + 1
    tricks = [*play.tricks, Trick(current, play.seats, play.cards, play.seqs, None)]
    tricks += [Trick(missing, (), (), (), None) for missing in range(current + 1, number)]
    return replace(play, turn=None, seats=(), cards=(), seqs=(), hidden_trick_cards=(), tricks=tuple(tricks))


def jump_to_trick(state: State, number: int) -> State:
    """The state with trick ``number`` being played: a jump skips unrecorded tricks."""
    play = state.play
    current = len(play.tricks) + 1
    if not current < number <= LAST_TRICK:
        return state
    play = _start_trick(play, number)
    for seat in SEATS:
        count = min(HAND_SIZE + 1 - number, hand_size(state, seat))
        if count < hand_size(state, seat):
            play = with_hand(play, seat, *forget_hand(play.known_cards[seat], play.hidden_slots[seat], count))
    return replace(state, play=play, is_incomplete=True)


def _apply_uncounted_play(state: State, event: CardPlayed, seq: Seq) -> State:
    """A card that does not count: after the end, which is no offence (RULES 6), or a seat's second to a
    trick.

    It is recorded, and what it shows about the hand is known.
    """
    play, seat = state.play, event.seat
    play = with_hand(
        play, seat, *remove_card_from_hand(play.known_cards[seat], play.hidden_slots[seat], event.card)
    )
    play = replace(play, removed_cards=play.removed_cards | CARD_BITS[event.card])
    gap = state.has_gap and state.phase == PLAY
    return _note_uncounted_play(replace(state, play=play, has_gap=gap), seq, seat, event.card)


def _note_uncounted_play(state: State, seq: Seq, seat: Seat, card: Card) -> State:
    ending = state.ending
    uncounted, played_on = (*ending.uncounted_plays, (seq, seat, card)), ending.tricks_played_on
    if state.phase == FINISHED:
        played_on = _play_on(state, seq, seat, card)
    ending = ending._replace(uncounted_plays=uncounted, tricks_played_on=played_on)
    return replace(state, ending=ending)


def _play_on(state: State, seq: Seq, seat: Seat, card: Card) -> tuple[Trick, ...]:
    """The tricks played on after the end, with one more card."""
    play, tricks = state.play, state.ending.tricks_played_on
    if not tricks or len(tricks[-1].cards) == len(SEATS) or seat in tricks[-1].seats:
        number = len(play.tricks) + bool(play.cards) + len(tricks) + 1
        return (*tricks, Trick(number, (seat,), (card,), (seq,), None))
    last = tricks[-1]
    seats, cards, seqs = (*last.seats, seat), (*last.cards, card), (*last.seqs, seq)
    is_whole = len(cards) == len(SEATS) and all(CARD_BITS[one] for one in cards)
    winner = trick_winner(seats, cards, (), play.trick_rules) if is_whole else None
    return (*tricks[:-1], Trick(last.number, seats, cards, seqs, winner))


def cards_outside_tricks(state: State) -> tuple[tuple[Seq, Seat, Card], ...]:
    """The cards that a seat played to a trick to which it had already played: they belong to no trick."""
    in_tricks = {seq for trick in state.ending.tricks_played_on for seq in trick.seqs}
    return tuple(play for play in state.ending.uncounted_plays if play[0] not in in_tricks)


def tricks_on_record(state: State) -> tuple[Trick, ...]:
    """All tricks: those that count, the last perhaps incomplete, then those played on."""
    play = state.play
    open_trick = Trick(len(play.tricks) + 1, play.seats, play.cards, play.seqs, None)
    return (*play.tricks, *([open_trick] if play.cards else ()), *state.ending.tricks_played_on)
