"""Offences in the auction for which a ruleset states penalty points (RULES 9).

They are proposed to the director: the call was legal, and the points are kept apart from the chips. Only what
the record shows with certainty is an offence.
"""

import re
from typing import Final

from engine.core.cards import Seat, Suit
from engine.core.events import BidMade, ContractNamed, TrumpNamed
from engine.core.field_types import Seq
from engine.core.message import Message, format_message
from engine.core.spoken_words import SPOKEN_WORDS, words_of_all
from engine.judging.game_terms import bid_term, suit_term
from engine.play.auction import PASS, SELF, apply_call, outbids
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.state import AUCTION, Call, State

RULE: Final = "9. Penalties"
SUIT_NAMED: Final = "suit_named"
"""What a finding is about if a suit was named; for a needless bid, the finding is about that bid."""

_SUIT_OF_WORD: Final = {
    word + more: suit
    for words in SPOKEN_WORDS.values()
    for suit, names in words.suits.items()
    for word in names
    for more in ("", *words_of_all("suit_suffixes"))
}
_WORD: Final = re.compile(r"\w+|[♣♦♥♠]")


def find_call_offences(state: State, event: BidMade, seq: Seq) -> Findings:
    """A call that names a suit too early, or is higher than necessary."""
    if not _can_judge_offences(state):
        return NO_FINDINGS
    suit, needless_bid = _suit_named(state, event), _sufficient_lower_bid(state, event)
    acts: list[tuple[Message, str]] = []
    if suit is not None:
        acts.append((_describe_suit_named(suit), SUIT_NAMED))
    if needless_bid is not None:
        act = format_message(
            "says {bid} where {enough} would have been enough",
            bid=bid_term(state, event.bid),
            enough=bid_term(state, needless_bid),
        )
        acts.append((act, event.bid))
    return tuple(_build_offence_finding(state, event.seat, act, about, seq) for act, about in acts)


def find_naming_offences(state: State, event: ContractNamed | TrumpNamed, seq: Seq) -> Findings:
    """A suit named as trumps while others have still to call."""
    auction, terms = state.auction, state.opening.rules.ruleset.penalties
    if terms is None or not terms.suit_named or not _can_judge_offences(state):
        return NO_FINDINGS
    if event.trump is None or not auction.calls or auction.turn is None:
        return NO_FINDINGS
    if isinstance(event, ContractNamed):
        contract = state.opening.rules.contracts.get(event.contract)
        if contract is None or not contract.trump.startswith("chosen"):
            return NO_FINDINGS
    return (_build_offence_finding(state, event.seat, _describe_suit_named(event.trump), SUIT_NAMED, seq),)


def _can_judge_offences(state: State) -> bool:
    """Whether these rules state penalty points, and the record has the whole auction so far."""
    return state.opening.rules.has_penalties and not state.has_gap and state.phase <= AUCTION


def _suit_named(state: State, event: BidMade) -> Suit | None:
    """The suit that a call names and that its bid does not imply; None if there is none."""
    terms, implied_suits = state.opening.rules.ruleset.penalties, _suits_implied_by_bid(state, event.bid)
    if terms is None or not terms.suit_named:
        return None
    if event.trump is not None:
        return None if event.trump in implied_suits else event.trump
    if event.said is None or event.bid == PASS or _ends_the_auction(state, event):
        return None
    words = (_SUIT_OF_WORD.get(word) for word in _WORD.findall(event.said.lower()))
    return next((suit for suit in words if suit is not None and suit not in implied_suits), None)


def _suits_implied_by_bid(state: State, bid: str) -> tuple[Suit, ...]:
    """The suit that a bid implies, as its winner can name no other."""
    called = state.auction.standing_bid if bid == SELF else bid
    namings = state.opening.rules.namings_by_bid.get(called or "", ())
    suits = tuple(dict.fromkeys(suit for naming in namings for suit in naming.trumps))
    return suits if len(namings) == 1 == len(suits) else ()


def _ends_the_auction(state: State, event: BidMade) -> bool:
    """Whether nobody can call after this: then this call decides the contract."""
    call = Call(0, event.seat, event.bid, event.said)
    return apply_call(state.auction, call, state.opening.rules).turn is None


def _sufficient_lower_bid(state: State, event: BidMade) -> str | None:
    """The lower bid that would have been enough, if the bid was needlessly high.

    None out of turn: calls between may be unrecorded, and one of them may have been higher.
    """
    rules, auction = state.opening.rules, state.auction
    if rules.ruleset.penalties is None or auction.turn != event.seat:
        return None
    for needless, enough in rules.ruleset.penalties.needless:
        if event.bid == needless and enough in rules.bids and outbids(rules.bids[enough], auction):
            return enough
    return None


def _describe_suit_named(suit: Suit) -> Message:
    return format_message("names {suit} before having the contract", suit=suit_term(suit))


def _build_offence_finding(state: State, seat: Seat, act: Message, about: str, seq: Seq) -> Finding:
    """An offence, with the points that the director may give for it; ``about``: a named suit, or the bid."""
    terms = state.opening.rules.ruleset.penalties
    count = 0 if terms is None else terms.points
    points = format_message("1 point") if count == 1 else format_message("{count} points", count=count)
    message = format_message(
        "{player} {act}: {points}, if the director so decides.",
        player=player_or_seat(state, seat),
        act=act,
        points=points,
    )
    return build_finding(seq, "penalty_possible", message, RULE, seat, about=about)
