"""How entries can be wrong as a whole: doubled, too early, for another seat, missing, the wrong contract.

After such an entry every card goes to the wrong trick, so that people seem to act out of turn and to revoke
who did neither. With hearts entered for diamonds, trumps look like cards that did not follow. This module
lists the mistakes that can have been made, each with its correction (RULES 9);
`engine.diagnosis.explanations` finds which of them explain something.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Final

from engine.audit import Audit
from engine.core.cards import CARD_BITS, HAND_SIZE, PACK_MASK, SEATS, Seat, Suit
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    DealAbandoned,
    DealOpened,
    Event,
    ExchangeYielded,
    HandDealt,
    HandTakenOver,
    PuestaReserved,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonLaid,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
)
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.diagnosis.mistakes import (
    MIN_EXPLAINED,
    PLAY_FAULT_CODES,
    FaultTimeline,
    Mistake,
    SuspectedMistake,
    build_mistake,
    describe_substitution,
)
from engine.diagnosis.omissions import (
    find_omitted_cards,
    find_omitted_exchanges,
    find_omitted_passes,
    find_omitted_tricks,
)
from engine.inference.claims import cards_of_event
from engine.judging.game_terms import contract_term, suit_term
from engine.play.findings import FAULT_SEVERITIES, player_or_seat
from engine.play.phases import available_namings, contract_trump, trump_choices
from engine.play.revoke_calls import called_revokes
from engine.play.state import State, seat_to_act
from engine.rulesets.model import ALL_SUITS

ONE_TIME_EVENTS: Final = (
    BidMade, CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, ClaimAnswered, ContractNamed, DealAbandoned,
    DealOpened, ExchangeYielded, HandDealt, HandTakenOver, PuestaReserved, SlamAnnounced, SurrenderAnswered,
    SurrenderOffered, TalonLaid, TalonTurned, TricksClaimed, TrumpNamed,
)  # fmt: skip
"""Acts that happen once; statements, such as a held hand, may be repeated."""
TURN_ACTS: Final = (BidMade, CardPlayed, ContractNamed, TrumpNamed, CardsDiscarded, CardsDrawn)
"""Acts in turn, which may be entered for another seat."""
TurnAct = BidMade | CardPlayed | ContractNamed | TrumpNamed | CardsDiscarded | CardsDrawn
CARD_GROUP_EVENTS: Final = (HandDealt, CardsDiscarded, CardsDrawn)
"""Events with several cards of a seat, which may be swapped with those of another such entry."""
MAX_DUPLICATES_TRIED: Final = 20
"""How many repeated entries are tried, from the first."""
MAX_ACTS_TRIED: Final = 3
"""How many entries out of place are tried for another seat, from the first."""


def list_suspected_mistakes(deal_audit: Audit) -> Iterator[SuspectedMistake]:
    """The mistakes that can have been made in the entries of a deal, the simplest first."""
    timeline = FaultTimeline(deal_audit)
    if sum(timeline.plays_by_seat) > PACK_MASK.bit_count():
        return  # more than a slip of the pen
    yield from islice(_find_duplicate_entries(deal_audit), MAX_DUPLICATES_TRIED)
    yield from find_wrong_seats(timeline)
    yield from find_swapped_entries(timeline)
    yield from find_swapped_cards(timeline, deal_audit)
    yield from find_omitted_passes(timeline)
    yield from find_omitted_exchanges(timeline)
    yield from find_omitted_cards(timeline)
    yield from find_omitted_tricks(timeline)
    yield from find_wrong_contracts(timeline, deal_audit)


# --- Twice ------------------------------------------------------------------------------------------


def _find_duplicate_entries(judged: Audit) -> Iterator[SuspectedMistake]:
    """Entries with a finding that repeat an earlier one; a hidden card only if it is the one right before."""
    faulty = {one.seq for one in judged.findings}
    entries = [entry for entry in judged.history.entries if isinstance(entry.event, ONE_TIME_EVENTS)]
    for index, entry in enumerate(entries):
        if entry.seq not in faulty or not isinstance(entry.seq, int):
            continue
        before = entries[:index] if _names_all_cards(entry.event) else entries[max(index - 1, 0) : index]
        first = next((one.seq for one in before if one.event == entry.event), None)
        if first is not None:
            reason = format_message("Entry {entry} repeats entry {first}.", entry=entry.seq, first=first)
            seat = getattr(entry.event, "seat", None)
            yield SuspectedMistake(
                build_mistake("entry_doubled", reason, (entry,), evidence=(first,), seat=seat)
            )


def _names_all_cards(event: Event) -> bool:
    """Whether all cards of an event are known: no two such events of a deal are alike."""
    cards = cards_of_event(event)
    return bool(cards) and all(CARD_BITS[card] for card in cards)


# --- For another seat, or in another's place ----------------------------------------------------------------


def find_wrong_seats(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """The first acts out of place, as acts of the seat whose turn it was, or of the third seat.

    If each seat played nine cards, none of these is another's.
    """
    played = set(timeline.plays_by_seat) != {HAND_SIZE}
    first = [
        index
        for index in timeline.act_positions
        if played or not isinstance(timeline.entries[index].event, CardPlayed)
    ]
    for index in first[:MAX_ACTS_TRIED]:
        entry = timeline.entries[index]
        event = entry.event
        if not isinstance(event, TURN_ACTS):
            continue
        turn = seat_to_act(timeline.states[index]) if index < len(timeline.states) else None
        for seat in sorted(SEATS, key=lambda one: one != turn):
            if seat != event.seat:
                yield SuspectedMistake(_build_seat_mistake(timeline, entry, event, seat), MIN_EXPLAINED)


def _build_seat_mistake(timeline: FaultTimeline, entry: Entry, event: TurnAct, seat: Seat) -> Mistake:
    state = timeline.states[-1]
    reason = describe_substitution(entry.seq, player_or_seat(state, event.seat), player_or_seat(state, seat))
    return build_mistake("seat_mistaken", reason, (entry,), replace(event, seat=seat))


def find_swapped_entries(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """Two neighbouring cards or calls in the other order."""
    by_turn = [index for index in timeline.act_positions if "wrong_seat" in timeline.codes_at(index)]
    for index in by_turn[:MAX_ACTS_TRIED]:
        for pair in (timeline.entries[index : index + 2], timeline.entries[index - 1 : index + 1]):
            if len(pair) > 1 and are_similar_acts(*pair):
                yield SuspectedMistake(build_swapped_entries_mistake(*pair), MIN_EXPLAINED)


def find_swapped_cards(timeline: FaultTimeline, deal_audit: Audit) -> Iterator[SuspectedMistake]:
    """Two hands entered for each other's seat, or a discard swapped with its draw, if several cards clash."""
    if sum(one.code in ("card_not_held", "card_duplicated") for one in deal_audit.findings) < MIN_EXPLAINED:
        return
    positions = [
        index for index, one in enumerate(timeline.entries) if isinstance(one.event, CARD_GROUP_EVENTS)
    ]
    for first, last in combinations(positions, 2):
        one, other = timeline.entries[first].event, timeline.entries[last].event
        assert isinstance(one, CARD_GROUP_EVENTS) and isinstance(other, CARD_GROUP_EVENTS)
        hands = isinstance(one, HandDealt) and isinstance(other, HandDealt)
        bought = isinstance(one, CardsDiscarded) and isinstance(other, CardsDrawn) and one.seat == other.seat
        if one.cards != other.cards and len(one.cards) == len(other.cards) and (hands or bought):
            yield SuspectedMistake(
                _build_swapped_cards_mistake(timeline.entries[first : last + 1]), MIN_EXPLAINED
            )


def _build_swapped_cards_mistake(entries: Log) -> Mistake:
    """The first and the last of these entries with each other's cards; the entries between stay."""
    first, *between, last = entries
    assert isinstance(first.event, CARD_GROUP_EVENTS) and isinstance(last.event, CARD_GROUP_EVENTS)
    reason = format_message(
        "The cards of entries {first} and {second} are swapped.", first=first.seq, second=last.seq
    )
    return build_mistake(
        "seat_mistaken",
        reason,
        entries,
        replace(first.event, cards=last.event.cards),
        *(one.event for one in between),
        replace(last.event, cards=first.event.cards),
        evidence=(last.seq,),
    )


def are_similar_acts(one: Entry, other: Entry) -> bool:
    """Whether both are cards played, or both are calls."""
    return any(
        isinstance(one.event, kind) and isinstance(other.event, kind) for kind in (CardPlayed, BidMade)
    )


def describe_possible_swap(mistake: Mistake) -> Message:
    """The message of `build_swapped_entries_mistake` as a possibility."""
    arguments = mistake.finding.message.arguments
    return format_message(
        "Entries {first} and {second} may have changed places.",
        first=arguments["first"],
        second=arguments["second"],
    )


def build_swapped_entries_mistake(one: Entry, other: Entry) -> Mistake:
    """Two neighbouring entries that have changed places."""
    reason = format_message(
        "Entries {first} and {second} have changed places.", first=one.seq, second=other.seq
    )
    return build_mistake(
        "order_mistaken", reason, (one, other), other.event, one.event, evidence=(other.seq,)
    )


# --- The wrong contract or trumps -------------------------------------------------------------------


def find_wrong_contracts(timeline: FaultTimeline, deal_audit: Audit) -> Iterator[SuspectedMistake]:
    """The contracts and trumps that may have been meant, if several seats seem to be at fault in the play.

    Or if one seat seems both to revoke and to act out of turn. None if people called one of these revokes, or
    ruled on it.
    """
    findings = deal_audit.findings
    kinds = PLAY_FAULT_CODES.intersection(one.code for one in findings)
    seats = {one.seat for one in findings if one.severity in FAULT_SEVERITIES}
    if not kinds or (kinds != PLAY_FAULT_CODES and len(seats) < MIN_EXPLAINED):
        return
    if called_revokes(timeline.entries, deal_audit.state, findings):
        return
    for entry, mistake in list_other_namings(timeline.entries, timeline.states):
        unseen = _build_open_trump_mistake(entry)
        yield SuspectedMistake(
            mistake, MIN_EXPLAINED, MIN_EXPLAINED, unseen, (entry.seq,), must_clear_play=True
        )


def list_other_namings(entries: Log, states: Sequence[State]) -> Iterator[tuple[Entry, Mistake]]:
    """Each entry that names a contract or trumps, with each other choice that the winning bid allowed.

    ``states``: the deal before each of the first entries.
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
    """The trumps of a naming; None if they are turned, or named later."""
    return contract_trump(state.opening.rules.contracts.get(naming.contract), naming.trump)


def _list_contracts_of_other_bids(
    entries: Log, entry: Entry, event: ContractNamed, state: State
) -> Iterator[tuple[Entry, Mistake]]:
    """The contracts that fix their trumps themselves, with the bid by which each is played."""
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
    """Another bid and the contract that goes with it; the entries between stay."""
    reason = format_message(
        "Entries {first} and {entry} have {wrong} instead of {right}.",
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
    """The other contracts and trumps that are open; the suits alone if no bid is known."""
    rules = state.opening.rules
    named_contract = rules.contracts.get(event.contract)
    named = event.contract, contract_trump(named_contract, event.trump)
    open_namings = [(one.contract, one.trumps) for one in available_namings(state)]
    if named_contract is not None and event.contract not in [contract for contract, _ in open_namings]:
        open_namings.append((event.contract, trump_choices(rules, named_contract)))
    for contract, suits in open_namings:
        for suit in suits or (None,):
            if (contract, contract_trump(rules.contracts.get(contract), suit)) != named:
                yield replace(event, contract=contract, trump=suit)


def _describe_wrong_trumps(seq: Seq, wrong: Suit, right: Suit) -> Message:
    return format_message(
        "Entry {entry} has {wrong} as trumps instead of {right}.",
        entry=seq,
        wrong=suit_term(wrong),
        right=suit_term(right),
    )


def _describe_wrong_contract(state: State, seq: Seq, event: ContractNamed, other: ContractNamed) -> Message:
    if other.contract == event.contract and other.trump is not None and event.trump is not None:
        return _describe_wrong_trumps(seq, event.trump, other.trump)
    return describe_substitution(seq, _describe_naming(state, event), _describe_naming(state, other))


def _describe_naming(state: State, naming: ContractNamed) -> str:
    """A contract, with its trumps if a suit is named."""
    contract = contract_term(state, naming.contract)
    if naming.trump is None:
        return contract
    return format_message("{contract} in {suits}", contract=contract, suits=suit_term(naming.trump))


def _build_open_trump_mistake(entry: Entry) -> Mistake | None:
    """The same contract with unknown other trumps, for when several would do as well."""
    event = entry.event
    if not isinstance(event, ContractNamed) or event.trump is None:
        return None
    reason = format_message(
        "Entry {entry} has {wrong} as trumps, but in the play another suit was trumps; nothing shows which.",
        entry=entry.seq,
        wrong=suit_term(event.trump),
    )
    return build_mistake("contract_mistaken", reason, (entry,), replace(event, trump=None))
