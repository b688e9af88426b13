"""Offences in the auction for which a ruleset states penalty points (RULES 9).

They are offered to the director, and imposed on nobody: what was said is legal, and the points are kept apart
from the chips. Only what the record certainly tells is an offence. Whether a lower bid would have been enough
is not known where calls are missing before it, nor is a suit named too early by whoever, in the same words,
ends the auction.
"""

import re
from typing import Final

from engine.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Seat, Suit
from engine.core.events import BidMade, ContractNamed, TrumpNamed
from engine.core.message import Said, said
from engine.core.vocabulary import Seq
from engine.judging.called import bid_called, suit_called
from engine.play.auction import PASS, SELF, heard, outbids
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.state import AUCTION, Call, State

RULE: Final = "9. Penalties"
SUIT_NAMED: Final = "suit_named"
"""What such a finding is about where a suit was named; where a bid was needless, it is about that bid."""

SUITS_SAID: Final[dict[Suit, tuple[str, ...]]] = {
    CLUBS: ("klør", "kløer", "club", "clubs", "♣"),
    DIAMONDS: ("ruder", "diamond", "diamonds", "♦"),
    HEARTS: ("hjerter", "heart", "hearts", "♥"),
    SPADES: ("spar", "spader", "spade", "spades", "♠"),
}
"""How the suits are called aloud, in Danish and in English."""
TOGETHER: Final = ("spil", "solo", "trumf")
"""What a suit is written in one word with."""
_SUIT_OF_WORD: Final = {
    word + more: suit for suit, words in SUITS_SAID.items() for word in words for more in ("", *TOGETHER)
}
_WORD: Final = re.compile(r"\w+|[♣♦♥♠]")


def offences_of_call(state: State, event: BidMade, seq: Seq) -> Findings:
    """A call by which a suit is named too early, or that is higher than it need be."""
    if not _stated(state):
        return NONE
    named, needless = _suit_named(state, event), _enough(state, event)
    told: list[tuple[Said, str]] = []
    if named is not None:
        told.append((_names(named), SUIT_NAMED))
    if needless is not None:
        act = said(
            "says {bid} where {enough} would have been enough",
            bid=bid_called(state, event.bid),
            enough=bid_called(state, needless),
        )
        told.append((act, event.bid))
    return tuple(_offered(state, event.seat, act, about, seq) for act, about in told)


def offences_of_naming(state: State, event: ContractNamed | TrumpNamed, seq: Seq) -> Findings:
    """A suit named as trumps while others have still to speak."""
    auction, terms = state.auction, state.opening.rules.ruleset.penalties
    if terms is None or not terms.suit_named or not _stated(state):
        return NONE
    if event.trump is None or not auction.calls or auction.turn is None:
        return NONE
    if isinstance(event, ContractNamed):
        contract = state.opening.rules.contracts.get(event.contract)
        if contract is None or not contract.trump.startswith("chosen"):
            return NONE
    return (_offered(state, event.seat, _names(event.trump), SUIT_NAMED, seq),)


def _stated(state: State) -> bool:
    """Whether these rules state penalty points, and the record tells all of the auction so far."""
    return state.opening.rules.watched and not state.gap and state.phase <= AUCTION


def _suit_named(state: State, event: BidMade) -> Suit | None:
    """The suit that a call names and that its bid does not tell already; None where there is none."""
    terms, own = state.opening.rules.ruleset.penalties, _suits_told(state, event.bid)
    if terms is None or not terms.suit_named:
        return None
    if event.trump is not None:
        return None if event.trump in own else event.trump
    if event.said is None or event.bid == PASS or _ends_the_auction(state, event):
        return None
    words = (_SUIT_OF_WORD.get(word) for word in _WORD.findall(event.said.lower()))
    return next((suit for suit in words if suit is not None and suit not in own), None)


def _suits_told(state: State, bid: str) -> tuple[Suit, ...]:
    """The suit that a bid tells by itself, as its winner has no other to name."""
    called = state.auction.standing if bid == SELF else bid
    namings = state.opening.rules.naming.get(called or "", ())
    suits = tuple(dict.fromkeys(suit for naming in namings for suit in naming.trumps))
    return suits if len(namings) == 1 == len(suits) else ()


def _ends_the_auction(state: State, event: BidMade) -> bool:
    """Whether nobody can speak after this call: then the contract is his with these very words."""
    call = Call(0, event.seat, event.bid, event.said)
    return heard(state.auction, call, state.opening.rules).turn is None


def _enough(state: State, event: BidMade) -> str | None:
    """The lower bid that would have been enough where the one that was made is needless.

    None out of turn: the calls between may not have been written down, and one of them may have been higher.
    """
    rules, auction = state.opening.rules, state.auction
    if rules.ruleset.penalties is None or auction.turn != event.seat:
        return None
    for needless, enough in rules.ruleset.penalties.needless:
        if event.bid == needless and enough in rules.bids and outbids(rules.bids[enough], auction):
            return enough
    return None


def _names(suit: Suit) -> Said:
    return said("names {suit} before having the contract", suit=suit_called(suit))


def _offered(state: State, seat: Seat, act: Said, about: str, seq: Seq) -> Finding:
    """An offence, with the points that the director may give for it; ``about``: a suit named, or the bid."""
    terms = state.opening.rules.ruleset.penalties
    count = 0 if terms is None else terms.points
    points = said("1 point") if count == 1 else said("{count} points", count=count)
    message = said(
        "{player} {act}: {points}, if the director so decides.",
        player=name_of(state, seat),
        act=act,
        points=points,
    )
    return finding(seq, "penalty_possible", message, RULE, seat, about=about)
