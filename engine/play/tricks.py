"""The fold of the play: a card leaves a hand, a trick is won, a deal ends (RULES 5, 6)."""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from engine.core.cards import BACKHAND, BIT, FOREHAND, HAND_SIZE, MIDDLEHAND, SEATS, Card, Seat, cards_in
from engine.core.events import CardPlayed
from engine.core.ranking import UNKNOWN_TRUMP, Following
from engine.core.vocabulary import Seq
from engine.play.hands import clouded, elsewhere, options_of, parted, with_hand
from engine.play.pending_revokes import doubted, weighed
from engine.play.phases import reached
from engine.play.state import FINISHED, OPEN, PLAY, Play, State, Trick, hand_count, new, with_play
from engine.play.surrender import forbidden

LAST_TRICK: Final = 9
AFTER: Final = (MIDDLEHAND, BACKHAND, FOREHAND)
"""The next seat in the order of play."""
MOST_COURSES: Final = 2000
"""How many ways a trick with hidden cards is tried out; beyond that its winner is left open."""


def fold_card_played(state: State, event: CardPlayed, seq: Seq) -> State:
    """The state after a card has been played, whoever's turn it was."""
    before, state = state, card_laid(state, event, seq)
    if not state.play.doubts:
        return state
    still_open, _ = weighed(state, event.seat, truly_held(before, event), seq)
    return with_play(state, state.play._replace(doubts=still_open))


def truly_held(state: State, event: CardPlayed) -> int:
    """The card as proof of what the seat held: none where it is known to be another's, or gone."""
    return BIT[event.card] & ~elsewhere(state.knowledge, state.play, event.seat)


def card_laid(state: State, event: CardPlayed, seq: Seq) -> State:
    """The state with the card on the table, before it is laid against earlier plays in doubt.

    This is what every card of every deal goes through: it takes the groups apart once and
    makes two of them anew. Only the declarer's trick, or a late one, can end the deal.
    """
    opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete = state
    if phase != PLAY or ending is not OPEN or gap or event.trick is not None:
        state = ready(state, event)
        if state.phase == FINISHED:
            return _played_on(state, event, seq)
        opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete = state
    seat, card = event.seat, event.card
    turn, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table = play
    if seat != turn and seat in seats and (not gap or event.trick is not None):
        return _played_on(state, event, seq)
    bit = BIT[card]
    mask = held[seat]
    if turn is None or not mask & bit or doubts or (cards and slots[seat]):
        play = _played_with_care(state, seat, card, seq)
        turn, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table = play
    else:
        first, second, third = held
        if seat == 0:
            held = (mask ^ bit, second, third)
        elif seat == 1:
            held = (first, mask ^ bit, third)
        else:
            held = (first, second, mask ^ bit)
    seats, cards, seqs, gone = (*seats, seat), (*cards, card), (*seqs, seq), gone | bit
    if len(cards) < 3:
        turn = next_in_trick(seats)
    else:
        # After a gap three cards may belong to two tricks, unless the last bears a number.
        gap = gap and event.trick is None
        turn = None if gap else winner_of(seats, cards, veiled, table)
        number = len(tricks) + 1
        tricks = (*tricks, new(Trick, (number, seats, cards, seqs, turn)))
        seats, cards, seqs, veiled = (), (), (), ()
        if incomplete and not gap and number > 1 and tricks[-2].winner is None:
            tricks, won = settled_by_whole_trick(tricks, won, table)
        if turn is not None:
            first, second, third = won
            won = (first + (turn == 0), second + (turn == 1), third + (turn == 2))
        if (
            not gap
            and (number > 4 or turn == bargain.declarer or bargain.all_nine)
            and ends(state, won, number)
        ):
            phase = FINISHED
    play = new(Play, (turn, held, slots, seats, cards, seqs, veiled, gone, tricks, won, doubts, table))
    return new(State, (opening, phase, auction, bargain, exchange, knowledge, play, ending, gap, incomplete))


def _played_with_care(state: State, seat: Seat, card: Card, seq: Seq) -> Play:
    """The play with the card taken from a hand that is not wholly known, or the leader unknown."""
    play = state.play
    if play.turn is None and not play.cards and not state.gap:
        play = settled_by_lead(play, seat)
        state = state._replace(play=play)
    if play.cards and not state.gap:
        doubt = doubted(state, seat, card, seq)
        if doubt is not None:
            play = play._replace(doubts=(*play.doubts, doubt))
    if not BIT[card]:
        play = play._replace(veiled=(*play.veiled, (len(play.cards), options_of(state, seat, card))))
    return with_hand(play, seat, *parted(play.held[seat], play.slots[seat], card))


def next_in_trick(seats: tuple[Seat, ...]) -> Seat:
    """Who plays next to a trick that has begun: the next in order who has not played to it."""
    after = AFTER[seats[-1]]
    return AFTER[after] if after in seats else after


def winner_of(
    seats: tuple[Seat, ...], cards: tuple[Card, ...], veiled: tuple[tuple[int, int], ...], table: Following
) -> Seat | None:
    """Who wins a trick of three cards; None where a hidden card leaves it open (DESIGN 5)."""
    if veiled:
        return _winner_whatever(seats, cards, dict(veiled), table)
    if table is UNKNOWN_TRUMP:
        return None
    return seats[_strongest(cards, table.beats)]


def _strongest(cards: tuple[Card, ...], beats: tuple[int, ...]) -> int:
    """Which of three known cards wins, the first of them being led."""
    first, second, third = cards
    if BIT[second] & beats[first]:
        return 2 if BIT[third] & beats[second] else 1
    return 2 if BIT[third] & beats[first] else 0


def _winner_whatever(
    seats: tuple[Seat, ...], cards: tuple[Card, ...], veiled: dict[int, int], table: Following
) -> Seat | None:
    """The seat that wins whatever the hidden cards are, if there is one."""
    options = [cards_in(veiled[i]) if i in veiled else (card,) for i, card in enumerate(cards)]
    if table is UNKNOWN_TRUMP or not 0 < prod(map(len, options)) <= MOST_COURSES:
        return None
    winner = None
    for course in product(*options):
        if len(set(course)) == 3:
            wins = _strongest(course, table.beats)
            if winner is not None and wins != winner:
                return None
            winner = wins
    return None if winner is None else seats[winner]


def settled_by_lead(play: Play, leader: Seat) -> Play:
    """The play where the last trick's winner was open: who leads next has won it, if he can (DESIGN 5)."""
    if not play.tricks or play.tricks[-1].winner is not None or leader not in may_have_won(play):
        return play
    won = list(play.won)
    won[leader] += 1
    trick = play.tricks[-1]._replace(winner=leader)
    return play._replace(tricks=(*play.tricks[:-1], trick), won=(won[0], won[1], won[2]))


def settled_by_whole_trick(
    tricks: tuple[Trick, ...], won: tuple[int, int, int], table: Following
) -> tuple[tuple[Trick, ...], tuple[int, int, int]]:
    """After a gap only a trick of three cards shows who led it, and so who won the one before."""
    *earlier, before, last = tricks
    leader = last.seats[0]
    if leader not in may_have_won_trick(before, table):
        return tricks, won
    first, second, third = won
    won = (first + (leader == 0), second + (leader == 1), third + (leader == 2))
    return (*earlier, before._replace(winner=leader), last), won


def may_have_won(play: Play) -> tuple[Seat, ...]:
    """The seats that can have won the last trick: whose card no known card of another beats."""
    return may_have_won_trick(play.tricks[-1], play.table) if play.tricks else SEATS


def may_have_won_trick(trick: Trick, table: Following) -> tuple[Seat, ...]:
    """The seats that can have won a trick; all of them, where cards of it are missing."""
    if len(trick.cards) < 3:
        return SEATS
    beats = table.beats
    laid = list(zip(trick.seats, trick.cards, strict=True))
    return tuple(
        seat
        for seat, card in laid
        if not any(BIT[other] & beats[card] for _, other in laid) and _counts(card, trick.cards[0], table)
    )


def _counts(card: Card, lead: Card, table: Following) -> bool:
    """Whether a card can win at all: it follows the lead, or is a trump, or nobody knows."""
    if not BIT[card] or not table.suit[lead]:
        return True
    return bool(BIT[card] & (table.suit[lead] | table.trumps))


def ends(state: State, won: tuple[int, int, int], number: int) -> bool:
    """Whether the deal ends with trick ``number`` (RULES 6)."""
    if number >= LAST_TRICK:
        return True
    declarer, contract = state.bargain.declarer, state.bargain.contract
    if declarer is None or contract is None:
        return False
    mine = won[declarer]
    lost_one = sum(won) > mine  # a trick of which nobody knows yet who won it is not lost
    if state.bargain.all_nine and lost_one:
        return True
    if contract.aim == "nolo":
        return contract.ends_at is not None and mine >= contract.ends_at
    if mine < 5:
        return False
    return state.opening.rules.ruleset.slam is None or lost_one or forbidden(state) is not None


def may_end_with(state: State) -> Iterator[int]:
    """The tricks with which the deal may have ended by its cards alone, though more were played.

    Who leads next has won a trick of which the cards leave that open, as long as the deal goes on; cards
    that are laid when it is over show nothing. None where it surely went on.
    """
    play = state.play
    courses = {(0, 0, 0)}
    for number, trick in enumerate(play.tricks, 1):
        winners = may_have_won_trick(trick, play.table)
        courses = {_one_more(won, seat) for won in courses for seat in winners}
        over = {won for won in courses if ends(state, won, number)}
        if over and (number < len(play.tricks) or play.cards):
            yield number
        courses -= over


def _one_more(won: tuple[int, int, int], seat: Seat) -> tuple[int, int, int]:
    first, second, third = won
    return first + (seat == 0), second + (seat == 1), third + (seat == 2)


def ready(state: State, event: CardPlayed) -> State:
    """The state in which a card can be folded in, whatever the record left out before it."""
    if state.phase < PLAY:
        state = reached(state, PLAY)
        if state.gap and event.trick is None:
            state = with_play(state, hands_clouded(state.play))
    if state.phase != PLAY:
        return state
    if event.trick is not None:
        led_in_turn = not state.play.cards and event.seat == state.play.turn
        if state.gap and led_in_turn and event.trick == len(state.play.tricks) + 1:
            return state._replace(gap=False)
        return anchored(state, event.trick)
    if state.gap and event.seat in state.play.seats:
        return with_play(state, _another_trick(state.play, len(state.play.tricks) + 2))
    return state


def hands_clouded(play: Play) -> Play:
    """The play after a gap in which cards may have been played: what was held may be gone."""
    for seat in SEATS:
        held, slots = play.held[seat], play.slots[seat]
        play = with_hand(play, seat, *clouded(held, slots, held.bit_count() + len(slots)))
    return play


def _another_trick(play: Play, number: int) -> Play:
    """The play with trick ``number`` beginning, those before it being told in part or not at all."""
    current = len(play.tricks) + 1
    tricks = [*play.tricks, Trick(current, play.seats, play.cards, play.seqs, None)]
    tricks += [Trick(missing, (), (), (), None) for missing in range(current + 1, number)]
    return play._replace(turn=None, seats=(), cards=(), seqs=(), veiled=(), tricks=tuple(tricks))


def anchored(state: State, number: int) -> State:
    """The state with trick ``number`` being played: a jump leaves tricks that nobody recorded."""
    play = state.play
    current = len(play.tricks) + 1
    if not current < number <= LAST_TRICK:
        return state
    play = _another_trick(play, number)
    for seat in SEATS:
        count = min(HAND_SIZE + 1 - number, hand_count(state, seat))
        if count < hand_count(state, seat):
            play = with_hand(play, seat, *clouded(play.held[seat], play.slots[seat], count))
    return state._replace(play=play, incomplete=True)


def _played_on(state: State, event: CardPlayed, seq: Seq) -> State:
    """A card that does not count: after the end, which is no offence (RULES 6), or second to a trick.

    It is kept, and what it tells of the hand is known.
    """
    ending, play, seat = state.ending, state.play, event.seat
    play = with_hand(play, seat, *parted(play.held[seat], play.slots[seat], event.card))
    play = play._replace(gone=play.gone | BIT[event.card])
    beyond = (*ending.beyond, (seq, seat, event.card))
    gap = state.gap and state.phase == PLAY
    return state._replace(play=play, gap=gap, ending=ending._replace(beyond=beyond))
