"""A contract, or its trumps, that may have been entered wrongly (RULES 3, 9).

With hearts entered for diamonds, trumps look like cards that did not follow, and tricks go to others: several
people seem to revoke, or to lead out of turn, who did neither. Here the other contracts and trumps are listed
that the winning bid allowed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.cards import Suit
from engine.core.events import BidMade, ContractNamed, TalonTurned, TrumpNamed
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.diagnosis.mistakes import MIN_EXPLAINED, FaultTimeline, Mistake, SuspectedMistake, build_mistake
from engine.judging.game_terms import contract_term, suit_term
from engine.play.findings import FAULT_SEVERITIES, Findings
from engine.play.phases import available_namings, contract_trump, trump_choices
from engine.play.revoke_calls import seats_accused_of_revoke
from engine.play.state import State
from engine.rulesets.model import ALL_SUITS

PLAY_FAULT_CODES = frozenset(("revoke", "wrong_seat"))
"""Codes of what other trumps explain."""


def find_wrong_contracts(timeline: FaultTimeline, findings: Findings) -> Iterator[SuspectedMistake]:
    """The contracts and trumps that may have been meant, where several seem to be at fault in the play.

    Or one seems both to revoke and to act out of turn. None where people called one of these revokes, or
    ruled upon it.
    """
    called = seats_accused_of_revoke(timeline.entries)
    kinds = PLAY_FAULT_CODES.intersection(one.code for one in findings)
    seats = {one.seat for one in findings if one.severity in FAULT_SEVERITIES}
    if not kinds or (kinds != PLAY_FAULT_CODES and len(seats) < MIN_EXPLAINED):
        return
    if any(one.code == "revoke" and one.seat in called for one in findings):
        return
    for entry, mistake in list_other_namings(timeline.entries, timeline.states):
        unseen = _build_open_trump_mistake(entry)
        yield SuspectedMistake(
            mistake, MIN_EXPLAINED, MIN_EXPLAINED, unseen, (entry.seq,), must_clear_play=True
        )


def list_other_namings(entries: Log, states: Sequence[State]) -> Iterator[tuple[Entry, Mistake]]:
    """Each entry that names a contract or trumps, with each other one that the winning bid allowed.

    ``states``: the deal before each of the first of these entries.
    """
    for entry, state in zip(entries, states, strict=False):
        event = entry.event
        if isinstance(event, TrumpNamed):
            for suit in ALL_SUITS:
                if suit != event.trump:
                    reason = _describe_wrong_trumps(entry.seq, event.trump, suit)
                    yield (
                        entry,
                        build_mistake("contract_mistaken", reason, (entry,), replace(event, trump=suit)),
                    )
        elif isinstance(event, ContractNamed):
            made_later = any(isinstance(one.event, (TalonTurned, TrumpNamed)) for one in entries)
            for other in _list_allowed_namings(state, event):
                if made_later or _trump_of_naming(state, other) is not None:
                    reason = _describe_wrong_contract(state, entry.seq, event, other)
                    yield entry, build_mistake("contract_mistaken", reason, (entry,), other)
            yield from _list_contracts_of_other_bids(entries, entry, event, state)


def _trump_of_naming(state: State, naming: ContractNamed) -> Suit | None:
    """The trumps that a naming makes; None where they are turned, or named later."""
    return contract_trump(state.opening.rules.contracts.get(naming.contract), naming.trump)


def _list_contracts_of_other_bids(
    entries: Log, entry: Entry, event: ContractNamed, state: State
) -> Iterator[tuple[Entry, Mistake]]:
    """The contracts that tell their trumps by themselves, with the bid by which each is played."""
    rules, standing_bid = state.opening.rules, state.auction.standing_bid
    bid = next((one.seq for one in reversed(state.auction.calls) if one.bid == standing_bid), None)
    known = {one.contract for one in available_namings(state)}
    if bid is None:
        return
    for other, namings in rules.namings_by_bid.items():
        for contract in [one.contract for one in namings if not one.trumps and one.contract not in known]:
            naming_event = replace(event, contract=contract, trump=None)
            if _trump_of_naming(state, naming_event) is not None:
                known.add(contract)
                yield entry, _build_bid_mistake(entries, bid, other, entry, naming_event, state)


def _build_bid_mistake(
    entries: Log, bid: Seq, other: str, entry: Entry, naming: ContractNamed, state: State
) -> Mistake:
    """Another bid and the contract that goes with it; what stands between them stays."""
    reason = format_message(
        "Entries {first} and {entry} have {wrong} in place of {right}.",
        first=bid,
        entry=entry.seq,
        wrong=contract_term(state, str(getattr(entry.event, "contract", ""))),
        right=contract_term(state, naming.contract),
    )
    seqs = [one.seq for one in entries]
    replaced = entries[seqs.index(bid) : seqs.index(entry.seq) + 1]
    called, *between = (one.event for one in replaced[:-1])
    assert isinstance(called, BidMade)
    corrected = (replace(called, bid=other), *between, naming)
    return build_mistake("contract_mistaken", reason, replaced, *corrected, evidence=(bid,), found_at=-1)


def _list_allowed_namings(state: State, event: ContractNamed) -> Iterator[ContractNamed]:
    """The other contracts, and trumps to choose, that are open; the suits alone, where no bid is known."""
    rules = state.opening.rules
    named_contract = rules.contracts.get(event.contract)
    named = event.contract, contract_trump(named_contract, event.trump)
    open_to_him = [(one.contract, one.trumps) for one in available_namings(state)]
    if named_contract is not None and event.contract not in [contract for contract, _ in open_to_him]:
        open_to_him.append((event.contract, trump_choices(rules, named_contract)))
    for contract, suits in open_to_him:
        for suit in suits or (None,):
            if (contract, contract_trump(rules.contracts.get(contract), suit)) != named:
                yield replace(event, contract=contract, trump=suit)


def _describe_wrong_trumps(seq: Seq, wrong: Suit, right: Suit) -> Message:
    return format_message(
        "Entry {entry} has {wrong} in place of {right} for trumps.",
        entry=seq,
        wrong=suit_term(wrong),
        right=suit_term(right),
    )


def _describe_wrong_contract(state: State, seq: Seq, event: ContractNamed, other: ContractNamed) -> Message:
    if other.contract == event.contract and other.trump is not None and event.trump is not None:
        return _describe_wrong_trumps(seq, event.trump, other.trump)
    return format_message(
        "Entry {entry} has {wrong} in place of {right}.",
        entry=seq,
        wrong=_describe_naming(state, event.contract, event.trump),
        right=_describe_naming(state, other.contract, other.trump),
    )


def _describe_naming(state: State, contract: str, trump: Suit | None) -> str:
    """A contract with its trumps, where a suit is named."""
    called = contract_term(state, contract)
    if trump is None:
        return called
    return format_message("{contract} in {suits}", contract=called, suits=suit_term(trump))


def _build_open_trump_mistake(entry: Entry) -> Mistake | None:
    """The same contract, and that its trumps were others: for where several would do as well."""
    event = entry.event
    if not isinstance(event, ContractNamed) or event.trump is None:
        return None
    reason = format_message(
        "Entry {entry} has {wrong} for trumps, and another suit was played in; nothing shows which.",
        entry=entry.seq,
        wrong=suit_term(event.trump),
    )
    return build_mistake("contract_mistaken", reason, (entry,), replace(event, trump=None))
