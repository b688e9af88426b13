"""How entries can have been made wrongly as a whole: twice, too early, for another seat, or not at all.

Every card after such an entry is laid to the wrong trick, so that people seem to act out of turn and to
revoke who did neither. Here the mistakes are listed that can have been made, each with its correction
(RULES 9); `engine.diagnosis.explanations` finds out which of them explains anything.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from typing import Final

from engine.audit import Audit
from engine.core.cards import CARD_BITS, HAND_SIZE, PACK_MASK, SEATS, Seat
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
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.diagnosis.mistakes import MIN_EXPLAINED, FaultTimeline, Mistake, SuspectedMistake, build_mistake
from engine.diagnosis.omissions import (
    find_omitted_cards,
    find_omitted_exchanges,
    find_omitted_passes,
    find_omitted_tricks,
)
from engine.diagnosis.wrong_contract import find_wrong_contracts
from engine.inference.claims import cards_of_event
from engine.play.findings import player_or_seat
from engine.play.state import seat_to_act

ONE_TIME_EVENTS: Final = (
    BidMade, CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, ClaimAnswered, ContractNamed, DealAbandoned,
    DealOpened, ExchangeYielded, HandDealt, HandTakenOver, PuestaReserved, SlamAnnounced, SurrenderAnswered,
    SurrenderOffered, TalonLaid, TalonTurned, TricksClaimed, TrumpNamed,
)  # fmt: skip
"""What is done once; what is told, such as a held hand, may be told twice."""
TURN_ACTS: Final = (BidMade, CardPlayed, ContractNamed, TrumpNamed, CardsDiscarded, CardsDrawn)
"""What somebody does in his turn, and may be entered for another seat."""
TurnAct = BidMade | CardPlayed | ContractNamed | TrumpNamed | CardsDiscarded | CardsDrawn
CARD_GROUP_EVENTS: Final = (HandDealt, CardsDiscarded, CardsDrawn)
"""What names several cards of a seat's, and may be entered with those of another such entry."""
MAX_DUPLICATES_TRIED: Final = 20
"""So many entries, the first of those that are found, may be the one that was written twice."""
MAX_ACTS_TRIED: Final = 3
"""So many of the first entries that are out of place may be another seat's."""


def list_suspected_mistakes(deal_audit: Audit) -> Iterator[SuspectedMistake]:
    """The mistakes that can have been made in the entries of a deal; the plainest first."""
    timeline = FaultTimeline(deal_audit)
    if sum(timeline.plays_by_seat) > PACK_MASK.bit_count():
        return  # more is wrong than a slip of the pen
    yield from islice(_find_duplicate_entries(deal_audit), MAX_DUPLICATES_TRIED)
    yield from find_wrong_seats(timeline)
    yield from find_swapped_entries(timeline)
    yield from find_swapped_cards(timeline, deal_audit)
    yield from find_omitted_passes(timeline)
    yield from find_omitted_exchanges(timeline)
    yield from find_omitted_cards(timeline)
    yield from find_omitted_tricks(timeline)
    yield from find_wrong_contracts(timeline, deal_audit.findings)


# --- Twice ------------------------------------------------------------------------------------------


def _find_duplicate_entries(judged: Audit) -> Iterator[SuspectedMistake]:
    """Entries with a finding that say what an earlier one says.

    A hidden card may be played many times, so of those only the entry right before counts.
    """
    faulty = {one.seq for one in judged.findings}
    entries = [entry for entry in judged.history.entries if isinstance(entry.event, ONE_TIME_EVENTS)]
    for index, entry in enumerate(entries):
        if entry.seq not in faulty or not isinstance(entry.seq, int):
            continue
        before = entries[:index] if _names_all_cards(entry.event) else entries[max(index - 1, 0) : index]
        first = next((one.seq for one in before if one.event == entry.event), None)
        if first is not None:
            reason = format_message(
                "Entry {entry} says again what entry {first} says.", entry=entry.seq, first=first
            )
            seat = getattr(entry.event, "seat", None)
            yield SuspectedMistake(
                build_mistake("entry_doubled", reason, (entry,), evidence=(first,), seat=seat)
            )


def _names_all_cards(event: Event) -> bool:
    """Whether an event names cards, all of them: no two such are alike in a deal."""
    cards = cards_of_event(event)
    return bool(cards) and all(CARD_BITS[card] for card in cards)


# --- For another seat, or in another's place ----------------------------------------------------------------


def find_wrong_seats(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """The first acts that are out of place, as those of whose turn it was, or of the third.

    Where each seat played nine cards, none of these is another's.
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
    reason = format_message(
        "Entry {entry} has {wrong} in place of {right}.",
        entry=entry.seq,
        wrong=player_or_seat(state, event.seat),
        right=player_or_seat(state, seat),
    )
    return build_mistake("seat_mistaken", reason, (entry,), replace(event, seat=seat))


def find_swapped_entries(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """Two neighbouring cards or calls by two seats, or by one about a trick's end, in the other order."""
    by_turn = [index for index in timeline.act_positions if "wrong_seat" in timeline.codes_at(index)]
    for index in by_turn[:MAX_ACTS_TRIED]:
        for pair in (timeline.entries[index : index + 2], timeline.entries[index - 1 : index + 1]):
            if len(pair) > 1 and are_similar_acts(*pair):
                yield SuspectedMistake(build_swapped_entries_mistake(*pair), MIN_EXPLAINED)


def find_swapped_cards(timeline: FaultTimeline, deal_audit: Audit) -> Iterator[SuspectedMistake]:
    """Two hands entered for each other's seat, or a discard and its draw, where several cards cannot be."""
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
    """The first and the last of these entries, with each other's cards; what stands between them stays."""
    first, *between, last = entries
    assert isinstance(first.event, CARD_GROUP_EVENTS) and isinstance(last.event, CARD_GROUP_EVENTS)
    reason = format_message(
        "Entries {first} and {second} have each other's cards.", first=first.seq, second=last.seq
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
    """That two entries may have been made in each other's place, where the mistake says that they were."""
    arguments = mistake.finding.message.arguments
    return format_message(
        "Entries {first} and {second} may be in each other's place.",
        first=arguments["first"],
        second=arguments["second"],
    )


def build_swapped_entries_mistake(one: Entry, other: Entry) -> Mistake:
    """Two neighbouring entries that were made in each other's place."""
    reason = format_message(
        "Entries {first} and {second} are in each other's place.", first=one.seq, second=other.seq
    )
    return build_mistake(
        "order_mistaken", reason, (one, other), other.event, one.event, evidence=(other.seq,)
    )
