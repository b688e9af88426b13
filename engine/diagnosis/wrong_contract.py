"""A contract, or its trumps, that may have been entered wrongly (RULES 3, 9).

Whoever taps hearts for diamonds lets every trump that follows look like a card that did not, and gives the
trick to another: several people seem to revoke, or to lead out of turn, who did neither. What is made here
are the other contracts and trumps that the winning bid allowed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.cards import Suit
from engine.core.events import BidMade, ContractNamed, CorrectionMade, TalonTurned, TrumpNamed
from engine.core.log import Entry, Log
from engine.core.message import Said, said
from engine.core.vocabulary import Seq
from engine.diagnosis.mistakes import RULE, TOGETHER, Course, Mistake, Suspected
from engine.judging.called import contract_called, suit_called
from engine.play.calls import called_to_have_revoked
from engine.play.findings import GRAVE, Findings, finding
from engine.play.phases import namings_open, trump_of, trumps_open
from engine.play.state import State
from engine.rulesets.model import ALL_SUITS

AT_PLAY = frozenset(("revoke", "wrong_seat"))
"""Codes of what other trumps explain."""


def misnamed(course: Course, findings: Findings) -> Iterator[Suspected]:
    """The contracts and trumps that may have been meant, where several seem to be at fault in the play.

    Or one seems both to revoke and to act out of turn. None where people called one of these revokes, or
    ruled upon it.
    """
    called = called_to_have_revoked(course.entries)
    kinds = AT_PLAY.intersection(one.code for one in findings)
    seats = {one.seat for one in findings if one.severity in GRAVE}
    if not kinds or (kinds != AT_PLAY and len(seats) < TOGETHER):
        return
    if any(one.code == "revoke" and one.seat in called for one in findings):
        return
    for entry, mistake in namings(course.entries, course.states):
        unseen = _left_open(entry)
        yield Suspected(mistake, TOGETHER, TOGETHER, unseen, (entry.seq,), of_the_play=True)


def namings(entries: Log, states: Sequence[State]) -> Iterator[tuple[Entry, Mistake]]:
    """Each entry that names a contract or trumps, with each other one that the winning bid allowed.

    ``states``: the deal before each of the first of these entries.
    """
    for entry, state in zip(entries, states, strict=False):
        event = entry.event
        if isinstance(event, TrumpNamed):
            for suit in ALL_SUITS:
                if suit != event.trump:
                    reason = _of_trumps(entry.seq, event.trump, suit)
                    yield entry, _mistaken(entry, reason, replace(event, trump=suit))
        elif isinstance(event, ContractNamed):
            made_later = any(isinstance(one.event, (TalonTurned, TrumpNamed)) for one in entries)
            for other in _allowed(state, event):
                if made_later or _trump(state, other) is not None:
                    reason = _of_contracts(state, entry.seq, event, other)
                    yield entry, _mistaken(entry, reason, other)
            yield from _of_other_bids(entries, entry, event, state)


def _trump(state: State, named: ContractNamed) -> Suit | None:
    """The trumps that a naming makes; None where they are turned, or named later."""
    return trump_of(state.opening.rules.contracts.get(named.contract), named.trump)


def _of_other_bids(
    entries: Log, entry: Entry, event: ContractNamed, state: State
) -> Iterator[tuple[Entry, Mistake]]:
    """The contracts that tell their trumps by themselves, with the bid by which each is played."""
    rules, standing = state.opening.rules, state.auction.standing
    bid = next((one.seq for one in reversed(state.auction.calls) if one.bid == standing), None)
    known = {one.contract for one in namings_open(state)}
    if bid is None:
        return
    for other, ways in rules.naming.items():
        for contract in [one.contract for one in ways if not one.trumps and one.contract not in known]:
            named = replace(event, contract=contract, trump=None)
            if _trump(state, named) is not None:
                known.add(contract)
                yield entry, _with_bid(entries, bid, other, entry, named, state)


def _with_bid(
    entries: Log, bid: Seq, other: str, entry: Entry, named: ContractNamed, state: State
) -> Mistake:
    """Another bid and the contract that goes with it; what stands between them stays."""
    reason = said(
        "Entries {first} and {entry} have {wrong} in place of {right}.",
        first=bid,
        entry=entry.seq,
        wrong=contract_called(state, str(getattr(entry.event, "contract", ""))),
        right=contract_called(state, named.contract),
    )
    places = [one.seq for one in entries]
    called, *between = entries[places.index(bid) : places.index(entry.seq)]
    assert isinstance(called.event, BidMade)
    put = (replace(called.event, bid=other), *(one.event for one in between), named)
    replaced = (bid, *(one.seq for one in between), entry.seq)
    one = finding(entry.seq, "contract_mistaken", reason, RULE, evidence=(bid,))
    return Mistake(one, (CorrectionMade(reason, replaced, None, put),))


def _allowed(state: State, event: ContractNamed) -> Iterator[ContractNamed]:
    """The other contracts, and trumps to choose, that are open; the suits alone, where no bid is known."""
    rules = state.opening.rules
    own = rules.contracts.get(event.contract)
    named = event.contract, trump_of(own, event.trump)
    open_to_him = [(one.contract, one.trumps) for one in namings_open(state)]
    if own is not None and event.contract not in [contract for contract, _ in open_to_him]:
        open_to_him.append((event.contract, trumps_open(rules, own)))
    for contract, suits in open_to_him:
        for suit in suits or (None,):
            if (contract, trump_of(rules.contracts.get(contract), suit)) != named:
                yield replace(event, contract=contract, trump=suit)


def _of_trumps(seq: Seq, wrong: Suit, right: Suit) -> Said:
    return said(
        "Entry {entry} has {wrong} in place of {right} for trumps.",
        entry=seq,
        wrong=suit_called(wrong),
        right=suit_called(right),
    )


def _of_contracts(state: State, seq: Seq, event: ContractNamed, other: ContractNamed) -> Said:
    if other.contract == event.contract and other.trump is not None and event.trump is not None:
        return _of_trumps(seq, event.trump, other.trump)
    return said(
        "Entry {entry} has {wrong} in place of {right}.",
        entry=seq,
        wrong=_in_words(state, event.contract, event.trump),
        right=_in_words(state, other.contract, other.trump),
    )


def _in_words(state: State, contract: str, trump: Suit | None) -> str:
    """A contract with its trumps, where a suit is named."""
    called = contract_called(state, contract)
    if trump is None:
        return called
    return said("{contract} in {suits}", contract=called, suits=suit_called(trump))


def _left_open(entry: Entry) -> Mistake | None:
    """The same contract, and that its trumps were others: for where several would do as well."""
    event = entry.event
    if not isinstance(event, ContractNamed) or event.trump is None:
        return None
    reason = said(
        "Entry {entry} has {wrong} for trumps, and another suit was played in; nothing shows which.",
        entry=entry.seq,
        wrong=suit_called(event.trump),
    )
    return _mistaken(entry, reason, replace(event, trump=None))


def _mistaken(entry: Entry, reason: Said, event: ContractNamed | TrumpNamed) -> Mistake:
    one = finding(entry.seq, "contract_mistaken", reason, RULE)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, (event,)),))
