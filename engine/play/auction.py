"""The auction: who speaks next, and what may be said (RULES 3)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.core.cards import BACKHAND, BLACK_ACES, FOREHAND, MIDDLEHAND, SEATS, Seat, Suit
from engine.play.state import Auction, Call, State
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Bid

PASS: Final = "pass"
SELF: Final = "self"


def _is_seat_in(mask: int, seat: Seat) -> bool:
    return bool(mask >> seat & 1)


def next_speaker_in_duels(spoken: int, passed: int, holder: Seat | None, last_speaker: Seat) -> Seat | None:
    """Two duels: forehand against middlehand, then the winner against backhand (RULES 3)."""
    if not spoken & 0b001:
        return FOREHAND
    if not spoken & 0b010:
        return MIDDLEHAND
    out = passed & 0b011
    if not out:
        return MIDDLEHAND if holder == FOREHAND else FOREHAND
    if passed & 0b100:
        return None
    if not spoken & 0b100:
        return BACKHAND
    if out == 0b011:
        return None
    survivor = MIDDLEHAND if out == 0b001 else FOREHAND
    return BACKHAND if holder == survivor else survivor


def next_speaker_in_rounds(spoken: int, passed: int, holder: Seat | None, last_speaker: Seat) -> Seat | None:
    """Round and round, skipping those who have passed, until one is left (RULES 3, ombre)."""
    left = [seat for seat in SEATS if not _is_seat_in(passed, seat)]
    if not left or (len(left) == 1 and _is_seat_in(spoken, left[0])):
        return None
    for step in (1, 2, 3):
        seat = Seat((last_speaker + step) % 3)
        if not _is_seat_in(passed, seat):
            return seat
    return None


NextSpeaker = Callable[[int, int, Seat | None, Seat], Seat | None]
NEXT_SPEAKERS: Final[dict[str, NextSpeaker]] = {
    "duels": next_speaker_in_duels,
    "rounds": next_speaker_in_rounds,
}


def apply_call(auction: Auction, call: Call, rules: CompiledRuleset) -> Auction:
    """The auction after a call, as the table accepted it: even an illegal bid stands."""
    if auction.declined_seats is not None and auction.holder is None:
        return _apply_undertaking(auction, call, rules)
    seat = call.seat
    spoken, passed = auction.spoken_seats | 1 << seat, auction.passed_seats
    standing_bid, rank, holder = auction.standing_bid, auction.standing_rank, auction.holder
    outbid = auction.outbid_seat if auction.outbid_seat != seat else None
    if call.bid == PASS:
        passed |= 1 << seat
    else:
        if call.bid != SELF:
            bid = rules.bids.get(call.bid)
            standing_bid, rank = call.bid, bid.rank if bid is not None else rank
        outbid = holder if holder != seat else None
        holder = seat
        passed &= ~(1 << seat)
    turn = NEXT_SPEAKERS[rules.ruleset.auction](spoken, passed, holder, seat)
    calls, declined = auction.calls + (call,), auction.declined_seats
    if passed == 0b111 and holder is None and rules.bids_after_all_pass:
        turn, declined = FOREHAND, 0
    return Auction(calls, standing_bid, rank, holder, spoken, passed, turn, outbid, declined)


def _apply_undertaking(auction: Auction, call: Call, rules: CompiledRuleset) -> Auction:
    """The round after all have passed: a player undertakes an extra, or declines it (RULES 8)."""
    auction = replace(auction, calls=(*auction.calls, call))
    if call.bid == PASS:
        declined = (auction.declined_seats or 0) | 1 << call.seat
        waiting = [seat for seat in SEATS if not _is_seat_in(declined, seat)]
        return replace(auction, declined_seats=declined, turn=waiting[0] if waiting else None)
    bid = rules.bids.get(call.bid)
    return replace(
        auction,
        standing_bid=call.bid,
        standing_rank=0 if bid is None else bid.rank,
        holder=call.seat,
        passed_seats=auction.passed_seats & ~(1 << call.seat),
        turn=None,
    )


SELF_RIGHTS: Final[dict[str, Callable[[Seat, Auction, Seat], bool]]] = {
    "elder-outbid": lambda seat, auction, holder: auction.outbid_seat == seat and seat < holder,
    "outbid": lambda seat, auction, holder: auction.outbid_seat == seat,
    "elder": lambda seat, auction, holder: seat < holder,
}
"""Who may take over the standing bid, by the name of the policy (RULES 3)."""


def may_say_self(state: State, seat: Seat) -> bool:
    """Whether ``seat`` may take over the standing bid by saying self (RULES 3)."""
    auction, rules = state.auction, state.opening.rules
    holder = auction.holder
    if holder is None or holder == seat:
        return False
    if not SELF_RIGHTS[rules.ruleset.self_right](seat, auction, holder):
        return False
    bid = rules.bids.get(auction.standing_bid or "")
    return bid is None or not bid.needs_black_aces or may_have_black_aces(state, seat)


def may_have_black_aces(state: State, seat: Seat) -> bool:
    """Whether ``seat`` may have been dealt both black aces, as far as is known."""
    knowledge = state.knowledge
    missing = BLACK_ACES & ~knowledge.dealt_cards[seat]
    if not missing:
        return True
    if _is_seat_in(knowledge.fully_known_seats, seat):
        return False
    if knowledge.dealt_cards[seat].bit_count() + missing.bit_count() > 9:
        return False
    other_cards = state.play.removed_cards
    for other in SEATS:
        if other != seat:
            other_cards |= knowledge.dealt_cards[other] | state.play.known_cards[other]
    return not missing & other_cards


def may_hold_trump(state: State, seat: Seat, trump: Suit) -> bool:
    """Whether ``seat`` may hold a trump if ``trump`` is the trump suit, as far as is known."""
    trumps = state.opening.rules.trick_rules(trump).trumps
    return bool(state.play.known_cards[seat] & trumps) or any(
        slot & trumps for slot in state.play.hidden_slots[seat]
    )


def may_answer_as_self(state: State, seat: Seat, bid: Bid) -> bool:
    """Whether ``bid`` may be said instead of self over the standing bid (RULES 3, dlu-tournament)."""
    return state.auction.standing_bid in bid.as_self_over and may_say_self(state, seat)


def outbids(bid: Bid, auction: Auction) -> bool:
    """Whether ``bid`` may be said over the standing bid, regardless of the hand."""
    if bid.rank <= auction.standing_rank:
        return False
    return not bid.only_over or auction.standing_bid in bid.only_over


def legal_calls(state: State, seat: Seat) -> list[str]:
    """What ``seat`` may call now, sorted; an unrecorded hand is assumed to hold what a call requires."""
    if state.auction.declined_seats is not None:
        return sorted((PASS, *state.opening.rules.bids_after_all_pass))
    calls = [PASS]
    if may_say_self(state, seat):
        calls.append(SELF)
    for bid in state.opening.rules.bids.values():
        open_to_him = outbids(bid, state.auction) or may_answer_as_self(state, seat, bid)
        if open_to_him and (not bid.needs_black_aces or may_have_black_aces(state, seat)):
            calls.append(bid.id)
    return sorted(calls)
