"""Judging the auction and the naming of the contract (RULES 3)."""

from engine.core.cards import BLACK_ACES, CLUBS, Seat, Suit
from engine.core.events import BidMade, ContractNamed, TrumpNamed
from engine.core.field_types import Seq
from engine.core.message import Message, TextList, format_message
from engine.judging.game_terms import bid_term, contract_term, suit_term
from engine.judging.offences import find_call_offences, find_naming_offences
from engine.judging.turn_order import check_phase, check_turn
from engine.play.all_pass import (
    close_undertakings,
    is_spadille_forced,
    is_undertaking_open,
    may_hold_spadille,
)
from engine.play.auction import (
    PASS,
    SELF,
    may_answer_as_self,
    may_have_black_aces,
    may_hold_trump,
    may_say_self,
    outbids,
)
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.phases import advance_to_phase, available_namings, trump_choices
from engine.play.state import AUCTION, CONTRACT, State
from engine.rulesets.model import Contract

RULE = "3. Auction"
EXTRAS = "8. Extras"


def judge_bid_made(state: State, event: BidMade, seq: Seq) -> Findings:
    """Judge a call: in the auction, in turn, by a seat that has not passed, high enough, and allowed to that
    seat."""
    if _is_ordinary_call(state, event):
        return NO_FINDINGS
    if is_undertaking_open(state) and state.phase <= AUCTION:
        return _judge_undertaking(state, event, seq)
    return (*_judge_call(state, event, seq), *find_call_offences(state, event, seq))


def _judge_call(state: State, event: BidMade, seq: Seq) -> Findings:
    act = _describe_call(state, event)
    late = check_phase(state, AUCTION, act, event.seat, seq, RULE)
    if late or not state.opening.rules.is_known:
        return late
    if state.auction.passed_seats >> event.seat & 1:
        calls = reversed(state.auction.calls)
        passed = tuple(call.seq for call in calls if call.seat == event.seat and call.bid == PASS)[:1]
        name = player_or_seat(state, event.seat)
        message = format_message("{player} {act}, but has passed, and a pass is final.", player=name, act=act)
        return (build_finding(seq, "bid_not_allowed", message, RULE, event.seat, passed, "passed"),)
    if state.has_gap:
        return NO_FINDINGS
    late = check_turn(state, event.seat, act, seq, RULE)
    return late + _judge_bid(state, event, seq)


def _describe_call(state: State, event: BidMade) -> Message:
    """A call, in words."""
    if event.bid == SELF:
        return format_message("says self")
    return format_message("says {bid}", bid=bid_term(state, event.bid))


def _is_ordinary_call(state: State, event: BidMade) -> bool:
    """Whether the call is certainly legal: in turn, and a pass or a bid that outbids and needs no holding."""
    auction = state.auction
    if state.opening.rules.has_penalties or auction.declined_seats is not None:
        return False
    if state.phase > AUCTION or auction.turn != event.seat or auction.passed_seats >> event.seat & 1:
        return False
    if event.bid == PASS:
        return True
    bid = state.opening.rules.bids.get(event.bid)
    return bid is not None and not bid.needs_black_aces and outbids(bid, auction)


def _judge_bid(state: State, event: BidMade, seq: Seq) -> Findings:
    seat, auction, name = event.seat, state.auction, player_or_seat(state, event.seat)
    if event.bid == PASS:
        return NO_FINDINGS
    if event.bid == SELF:
        if may_say_self(state, seat):
            return NO_FINDINGS
        message = format_message("{player} says self, but may not take over the standing bid.", player=name)
        return (build_finding(seq, "bid_not_allowed", message, RULE, seat, about="self"),)
    bid = state.opening.rules.bids.get(event.bid)
    if bid is None:
        known = TextList(bid_term(state, one) for one in state.opening.rules.bids)
        message = format_message("{bid!r} is not a bid in these rules: {known}.", bid=event.bid, known=known)
        return (build_finding(seq, "bid_not_allowed", message, RULE, seat),)
    called = bid_term(state, bid.id)
    if bid.after_all_pass:
        message = format_message(
            "{player} says {bid}, which is possible only after all have passed.", player=name, bid=called
        )
        return (build_finding(seq, "bid_not_allowed", message, EXTRAS, seat, about=bid.id),)
    if bid.needs_black_aces and not may_have_black_aces(state, seat):
        message = format_message(
            "{player} says {bid} without having been dealt both black aces.", player=name, bid=called
        )
        sources = state.knowledge.sources[seat]
        return (build_finding(seq, "bid_not_allowed", message, RULE, seat, sources, "black aces"),)
    if event.bid == auction.standing_bid and may_say_self(state, seat):
        return NO_FINDINGS
    if may_answer_as_self(state, seat, bid):
        return NO_FINDINGS
    if not outbids(bid, auction):
        standing_bid = auction.standing_bid or PASS
        stood = tuple(call.seq for call in auction.calls if call.seat == auction.holder)[-1:]
        if bid.rank > auction.standing_rank:
            lower_bids = TextList((bid_term(state, one) for one in bid.only_over), " or ")
            message = format_message(
                "{player} says {bid}, which can be said only over {over}.",
                player=name,
                bid=called,
                over=lower_bids,
            )
            return (build_finding(seq, "bid_not_allowed", message, RULE, seat, stood),)
        message = format_message(
            "{player} says {bid}, which does not outbid {standing}.",
            player=name,
            bid=called,
            standing=bid_term(state, standing_bid),
        )
        return (build_finding(seq, "bid_too_low", message, RULE, seat, stood),)
    return NO_FINDINGS


def _judge_undertaking(state: State, event: BidMade, seq: Seq) -> Findings:
    """After all have passed: a seat that has not declined an extra undertakes it (RULES 8)."""
    seat, auction, name = event.seat, state.auction, player_or_seat(state, event.seat)
    if event.bid == PASS:
        return check_turn(state, seat, format_message("passes"), seq, EXTRAS)
    if event.bid not in state.opening.rules.bids_after_all_pass:
        message = format_message(
            "{player} {act}, but all have passed, and a pass is final.",
            player=name,
            act=_describe_call(state, event),
        )
        return (build_finding(seq, "bid_not_allowed", message, RULE, seat, about="passed"),)
    if not (auction.declined_seats or 0) >> seat & 1:
        return NO_FINDINGS
    message = format_message(
        "{player} undertakes {bid}, but has declined to undertake anything.",
        player=name,
        bid=bid_term(state, event.bid),
    )
    return (build_finding(seq, "bid_not_allowed", message, EXTRAS, seat, about="passed"),)


def find_broken_ace_promises(state: State, seat: Seat | None, mask: int, seq: Seq) -> Findings:
    """Bids that promised both black aces, if one ace is now found in another hand (RULES 3)."""
    found: list[Finding] = []
    for call in state.auction.calls:
        bid = state.opening.rules.bids.get(call.bid)
        if bid is None or not bid.needs_black_aces or call.seat == seat:
            continue
        knowledge = state.knowledge
        found_at_the_bid = knowledge.fully_known_seats >> call.seat & 1
        if found_at_the_bid or not mask & BLACK_ACES & ~knowledge.dealt_cards[call.seat]:
            continue
        message = format_message(
            "{player} said {bid}, but a black ace was dealt elsewhere.",
            player=player_or_seat(state, call.seat),
            bid=bid_term(state, bid.id),
        )
        found.append(
            build_finding(
                call.seq, "bid_not_allowed", message, RULE, call.seat, (call.seq, seq), "black aces"
            )
        )
    return tuple(found)


def judge_contract_named(state: State, event: ContractNamed, seq: Seq) -> Findings:
    """Judge the naming: by the winner of the auction, of a contract that the bid allows, and its trumps."""
    if state.phase == CONTRACT and state.contract_state.declarer == event.seat and not state.has_gap:
        contract = state.opening.rules.contracts.get(event.contract)
        if contract is not None and not contract.needs_black_aces and not contract.must_hold_trump:
            for open_to_him in available_namings(state):
                if open_to_him.contract == event.contract and event.trump in (open_to_him.trumps or (None,)):
                    return NO_FINDINGS
    state = close_undertakings(state)
    act = format_message("names {contract}", contract=contract_term(state, event.contract))
    wrong = check_phase(state, CONTRACT, act, event.seat, seq, RULE)
    if wrong or not state.opening.rules.is_known:
        return (*wrong, *find_naming_offences(state, event, seq))
    unexplained = not state.has_gap and not state.auction.calls
    state = advance_to_phase(state, CONTRACT)
    found = check_turn(state, event.seat, act, seq, RULE)
    contract = state.opening.rules.contracts.get(event.contract)
    if contract is None or unexplained or state.has_gap:
        return found if contract is not None else (*found, _naming_not_allowed(state, event, seq))
    naming = next((n for n in available_namings(state) if n.contract == event.contract), None)
    if naming is None:
        return (*found, _naming_not_allowed(state, event, seq))
    lacking = _judge_required_holding(state, event, contract, seq)
    if lacking:
        return (*found, *lacking)
    chosen = contract.trump == "chosen"
    if event.trump is None:
        return (*found, _trump_missing(state, event, seq)) if chosen and len(naming.trumps) > 1 else found
    return found if event.trump in naming.trumps else (*found, _naming_not_allowed(state, event, seq))


def _naming_not_allowed(state: State, event: ContractNamed, seq: Seq) -> Finding:
    trumps = () if event.trump is None else (event.trump,)
    namings = available_namings(state)
    open_to_him = TextList((_describe_game(state, one.contract, one.trumps) for one in namings), "; ")
    standing_bid = state.auction.standing_bid
    message = format_message(
        "{player} names {game}, but after {bid} the choice is {open}.",
        player=player_or_seat(state, event.seat),
        game=_describe_game(state, event.contract, trumps),
        bid=bid_term(state, standing_bid) if standing_bid else format_message("no bid"),
        open=open_to_him if namings else format_message("nothing"),
    )
    return build_finding(seq, "contract_not_allowed", message, "3. Naming", event.seat)


def _describe_game(state: State, contract: str, trumps: tuple[Suit, ...]) -> str:
    """A contract, with the trump suits that it is named in."""
    called = contract_term(state, contract)
    if not trumps:
        return called
    return format_message("{contract} in {suits}", contract=called, suits=TextList(map(suit_term, trumps)))


def _judge_required_holding(state: State, event: ContractNamed, contract: Contract, seq: Seq) -> Findings:
    """A finding if the contract requires a holding that the hand is known not to have."""
    seat = event.seat
    if is_spadille_forced(state) and not may_hold_spadille(state, seat):
        message = format_message(
            "{player} names {contract}, but the holder of SA has to play.",
            player=player_or_seat(state, seat),
            contract=contract_term(state, event.contract),
        )
        return (build_finding(seq, "contract_not_allowed", message, EXTRAS, seat, about="forced-spadille"),)
    if contract.needs_black_aces and not may_have_black_aces(state, seat):
        return (_naming_not_allowed(state, event, seq)._replace(about="black aces"),)
    if contract.must_hold_trump and event.trump is not None and not may_hold_trump(state, seat, event.trump):
        return (_no_trump_held(state, event, seq),)
    return NO_FINDINGS


def _no_trump_held(state: State, event: ContractNamed, seq: Seq) -> Finding:
    game = _describe_game(state, event.contract, (event.trump or CLUBS,))
    message = format_message(
        "{player} names {game} without holding a trump in that suit.",
        player=player_or_seat(state, event.seat),
        game=game,
    )
    sources = state.knowledge.sources[event.seat]
    return build_finding(seq, "contract_not_allowed", message, EXTRAS, event.seat, sources, event.contract)


def _trump_missing(state: State, event: ContractNamed, seq: Seq) -> Finding:
    message = format_message(
        "{player} names {contract}, but no trump suit is recorded.",
        player=player_or_seat(state, event.seat),
        contract=contract_term(state, event.contract),
    )
    return build_finding(seq, "incomplete", message, "3. Naming", event.seat)


def judge_trump_named(state: State, event: TrumpNamed, seq: Seq) -> Findings:
    """Judge trumps named after the contract: by the declarer, once, if there is a choice."""
    contract_state, name = state.contract_state, player_or_seat(state, event.seat)
    if not state.opening.rules.is_known or state.has_gap:
        return NO_FINDINGS
    if not contract_state.is_named:
        message = format_message("{player} names trumps, but no contract is named.", player=name)
        wrong = build_finding(seq, "wrong_phase", message, "3. Naming", event.seat)
        return (wrong, *find_naming_offences(state, event, seq))
    if contract_state.declarer != event.seat:
        message = format_message("{player} names trumps, but is not the declarer.", player=name)
        return (build_finding(seq, "wrong_seat", message, RULE, event.seat),)
    made = contract_state.trump is not None and contract_state.trump != event.trump
    contract = contract_state.contract
    if not made and (contract is None or event.trump in trump_choices(state.opening.rules, contract)):
        return NO_FINDINGS
    contract_name = contract_term(state, str(contract_state.contract_id))
    message = format_message(
        "{player} names {suit} trumps, but {why}.",
        player=name,
        suit=suit_term(event.trump),
        why=format_message("the trumps are already named")
        if made
        else format_message("{contract} does not allow it", contract=contract_name),
    )
    return (build_finding(seq, "contract_not_allowed", message, "3. Naming", event.seat),)
