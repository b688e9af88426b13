"""Judging the auction and the naming of the contract (RULES 3)."""

from functools import partial

from engine.core.cards import BLACK_ACES, CLUBS, Seat, Suit
from engine.core.events import BidMade, ContractNamed, TrumpNamed
from engine.core.message import Listed, Said, said
from engine.core.vocabulary import Seq
from engine.judging.called import bid_called, contract_called, suit_called
from engine.judging.offences import offences_of_call, offences_of_naming
from engine.judging.order import out_of_phase, out_of_turn
from engine.play.all_pass import may_hold_spadille, spadille_forced, undertaking_open, undertakings_over
from engine.play.auction import (
    PASS,
    SELF,
    may_answer_as_self,
    may_have_black_aces,
    may_hold_trump,
    may_say_self,
    outbids,
)
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.phases import namings_open, reached, trumps_open
from engine.play.state import AUCTION, CONTRACT, State
from engine.rulesets.model import Contract

RULE = "3. Auction"
EXTRAS = "8. Extras"


def judge_bid_made(state: State, event: BidMade, seq: Seq) -> Findings:
    """A call: in the auction, in turn, by one who has not passed, high enough, and his to make."""
    if _plainly_said(state, event):
        return NONE
    if undertaking_open(state) and state.phase <= AUCTION:
        return _judge_undertaking(state, event, seq)
    return (*_judge_call(state, event, seq), *offences_of_call(state, event, seq))


def _judge_call(state: State, event: BidMade, seq: Seq) -> Findings:
    late = out_of_phase(state, AUCTION, partial(_call, state, event), event.seat, seq, RULE)
    if late or not state.opening.rules.known:
        return late
    if state.auction.passed >> event.seat & 1:
        calls = reversed(state.auction.calls)
        passed = tuple(call.seq for call in calls if call.seat == event.seat and call.bid == PASS)[:1]
        message = said(
            "{player} {act}, but has passed, and a pass is final.",
            player=name_of(state, event.seat),
            act=_call(state, event),
        )
        return (finding(seq, "bid_not_allowed", message, RULE, event.seat, passed, "passed"),)
    if state.gap:
        return NONE
    late = out_of_turn(state, event.seat, partial(_call, state, event), seq, RULE)
    return late + _what_is_said(state, event, seq)


def _call(state: State, event: BidMade) -> Said:
    """A call, in words."""
    if event.bid == SELF:
        return said("says self")
    return said("says {bid}", bid=bid_called(state, event.bid))


def _plainly_said(state: State, event: BidMade) -> bool:
    """Whether nothing can be wrong: in turn, and a pass or a bid that outbids and needs no holding."""
    auction = state.auction
    if state.opening.rules.watched or auction.declined is not None:
        return False
    if state.phase > AUCTION or auction.turn != event.seat or auction.passed >> event.seat & 1:
        return False
    if event.bid == PASS:
        return True
    bid = state.opening.rules.bids.get(event.bid)
    return bid is not None and not bid.needs_black_aces and outbids(bid, auction)


def _what_is_said(state: State, event: BidMade, seq: Seq) -> Findings:
    seat, auction, name = event.seat, state.auction, name_of(state, event.seat)
    if event.bid == PASS:
        return NONE
    if event.bid == SELF:
        if may_say_self(state, seat):
            return NONE
        message = said("{player} says self, but may not take over the bid that stands.", player=name)
        return (finding(seq, "bid_not_allowed", message, RULE, seat, about="self"),)
    bid = state.opening.rules.bids.get(event.bid)
    if bid is None:
        known = Listed(bid_called(state, one) for one in state.opening.rules.bids)
        message = said("{bid!r} is no bid of these rules: {known}.", bid=event.bid, known=known)
        return (finding(seq, "bid_not_allowed", message, RULE, seat),)
    called = bid_called(state, bid.id)
    if bid.after_all_pass:
        message = said(
            "{player} says {bid}, which is undertaken only after all have passed.", player=name, bid=called
        )
        return (finding(seq, "bid_not_allowed", message, EXTRAS, seat),)
    if bid.needs_black_aces and not may_have_black_aces(state, seat):
        message = said(
            "{player} says {bid} without having been dealt both black aces.", player=name, bid=called
        )
        sources = state.knowledge.sources[seat]
        return (finding(seq, "bid_not_allowed", message, RULE, seat, sources, "black aces"),)
    if event.bid == auction.standing and may_say_self(state, seat):
        return NONE
    if may_answer_as_self(state, seat, bid):
        return NONE
    if not outbids(bid, auction):
        standing = auction.standing or PASS
        stood = tuple(call.seq for call in auction.calls if call.seat == auction.holder)[-1:]
        if bid.rank > auction.rank:
            over = Listed((bid_called(state, one) for one in bid.only_over), " or ")
            message = said(
                "{player} says {bid}, which is said only over {over}.", player=name, bid=called, over=over
            )
            return (finding(seq, "bid_not_allowed", message, RULE, seat, stood),)
        message = said(
            "{player} says {bid}, which does not outbid {standing}.",
            player=name,
            bid=called,
            standing=bid_called(state, standing),
        )
        return (finding(seq, "bid_too_low", message, RULE, seat, stood),)
    return NONE


def _judge_undertaking(state: State, event: BidMade, seq: Seq) -> Findings:
    """After all have passed: an extra is undertaken by one who has not declined it (RULES 8)."""
    seat, auction, name = event.seat, state.auction, name_of(state, event.seat)
    if event.bid == PASS:
        return out_of_turn(state, seat, lambda: said("passes"), seq, EXTRAS)
    if event.bid not in state.opening.rules.undertakings:
        message = said(
            "{player} {act}, but all have passed, and a pass is final.", player=name, act=_call(state, event)
        )
        return (finding(seq, "bid_not_allowed", message, RULE, seat),)
    if not (auction.declined or 0) >> seat & 1:
        return NONE
    message = said(
        "{player} undertakes {bid}, but has declined to undertake anything.",
        player=name,
        bid=bid_called(state, event.bid),
    )
    return (finding(seq, "bid_not_allowed", message, EXTRAS, seat),)


def aces_elsewhere(state: State, seat: Seat | None, mask: int, seq: Seq) -> Findings:
    """Bids that promised both black aces, where one has now turned up with another (RULES 3)."""
    found: list[Finding] = []
    for call in state.auction.calls:
        bid = state.opening.rules.bids.get(call.bid)
        if bid is None or not bid.needs_black_aces or call.seat == seat:
            continue
        knowledge = state.knowledge
        found_at_the_bid = knowledge.dealt_whole >> call.seat & 1
        if found_at_the_bid or not mask & BLACK_ACES & ~knowledge.dealt[call.seat]:
            continue
        message = said(
            "{player} said {bid}, but a black ace was dealt elsewhere.",
            player=name_of(state, call.seat),
            bid=bid_called(state, bid.id),
        )
        found.append(
            finding(call.seq, "bid_not_allowed", message, RULE, call.seat, (call.seq, seq), "black aces")
        )
    return tuple(found)


def judge_contract_named(state: State, event: ContractNamed, seq: Seq) -> Findings:
    """The winner of the auction names a contract that his bid allows, and its trumps."""
    if state.phase == CONTRACT and state.bargain.declarer == event.seat and not state.gap:
        contract = state.opening.rules.contracts.get(event.contract)
        if contract is not None and not contract.needs_black_aces and not contract.must_hold_trump:
            for open_to_him in namings_open(state):
                if open_to_him.contract == event.contract and event.trump in (open_to_him.trumps or (None,)):
                    return NONE
    state = undertakings_over(state)
    act = partial(_naming, state, event)
    wrong = out_of_phase(state, CONTRACT, act, event.seat, seq, RULE)
    if wrong or not state.opening.rules.known:
        return (*wrong, *offences_of_naming(state, event, seq))
    unexplained = not state.gap and not state.auction.calls
    state = reached(state, CONTRACT)
    found = out_of_turn(state, event.seat, act, seq, RULE)
    contract = state.opening.rules.contracts.get(event.contract)
    if contract is None or unexplained or state.gap:
        return found if contract is not None else (*found, _not_allowed(state, event, seq))
    naming = next((n for n in namings_open(state) if n.contract == event.contract), None)
    if naming is None:
        return (*found, _not_allowed(state, event, seq))
    lacking = _holding_lacked(state, event, contract, seq)
    if lacking:
        return (*found, *lacking)
    chosen = contract.trump == "chosen"
    if event.trump is None:
        return (*found, _trump_missing(state, event, seq)) if chosen and len(naming.trumps) > 1 else found
    return found if event.trump in naming.trumps else (*found, _not_allowed(state, event, seq))


def _naming(state: State, event: ContractNamed) -> Said:
    return said("names {contract}", contract=contract_called(state, event.contract))


def _not_allowed(state: State, event: ContractNamed, seq: Seq) -> Finding:
    trumps = () if event.trump is None else (event.trump,)
    namings = namings_open(state)
    open_to_him = Listed((_game_in(state, one.contract, one.trumps) for one in namings), "; ")
    standing = state.auction.standing
    message = said(
        "{player} names {game}; after {bid} he may name {open}.",
        player=name_of(state, event.seat),
        game=_game_in(state, event.contract, trumps),
        bid=bid_called(state, standing) if standing else said("no bid"),
        open=open_to_him if namings else said("nothing"),
    )
    return finding(seq, "contract_not_allowed", message, "3. Naming", event.seat)


def _game_in(state: State, contract: str, trumps: tuple[Suit, ...]) -> str:
    """A contract with the trump suits it is named in."""
    called = contract_called(state, contract)
    if not trumps:
        return called
    return said("{contract} in {suits}", contract=called, suits=Listed(map(suit_called, trumps)))


def _holding_lacked(state: State, event: ContractNamed, contract: Contract, seq: Seq) -> Findings:
    """A contract for which the hand has to hold something that it is known not to hold."""
    seat = event.seat
    if spadille_forced(state) and not may_hold_spadille(state, seat):
        message = said(
            "{player} names {contract}, but it is for the holder of SA to play.",
            player=name_of(state, seat),
            contract=contract_called(state, event.contract),
        )
        return (finding(seq, "contract_not_allowed", message, EXTRAS, seat),)
    if contract.needs_black_aces and not may_have_black_aces(state, seat):
        return (_not_allowed(state, event, seq),)
    if contract.must_hold_trump and event.trump is not None and not may_hold_trump(state, seat, event.trump):
        return (_no_trump_held(state, event, seq),)
    return NONE


def _no_trump_held(state: State, event: ContractNamed, seq: Seq) -> Finding:
    named = _game_in(state, event.contract, (event.trump or CLUBS,))
    message = said(
        "{player} names {game}, but he has to hold a trump of it.",
        player=name_of(state, event.seat),
        game=named,
    )
    sources = state.knowledge.sources[event.seat]
    return finding(seq, "contract_not_allowed", message, EXTRAS, event.seat, sources)


def _trump_missing(state: State, event: ContractNamed, seq: Seq) -> Finding:
    message = said(
        "{player} names {contract} and no trump suit is recorded.",
        player=name_of(state, event.seat),
        contract=contract_called(state, event.contract),
    )
    return finding(seq, "incomplete", message, "3. Naming", event.seat)


def judge_trump_named(state: State, event: TrumpNamed, seq: Seq) -> Findings:
    """Trumps named later than the contract: by the declarer, once, where he has the choice."""
    bargain, name = state.bargain, name_of(state, event.seat)
    if not state.opening.rules.known or state.gap:
        return NONE
    if not bargain.named:
        message = said("{player} names trumps, but no contract is named.", player=name)
        wrong = finding(seq, "wrong_phase", message, "3. Naming", event.seat)
        return (wrong, *offences_of_naming(state, event, seq))
    if bargain.declarer != event.seat:
        message = said("{player} names trumps, but is not the declarer.", player=name)
        return (finding(seq, "wrong_seat", message, "3. Naming", event.seat),)
    made = bargain.trump is not None and bargain.trump != event.trump
    contract = bargain.contract
    if not made and (contract is None or event.trump in trumps_open(state.opening.rules, contract)):
        return NONE
    named = contract_called(state, str(bargain.contract_id))
    message = said(
        "{player} names {suit} trumps, but {why}.",
        player=name,
        suit=suit_called(event.trump),
        why=said("trumps are made already") if made else said("{contract} does not allow it", contract=named),
    )
    return (finding(seq, "contract_not_allowed", message, "3. Naming", event.seat),)
