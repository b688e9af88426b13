"""How entries can have been made wrongly as a whole: twice, too early, for another seat, or not at all.

Whoever records with one finger taps twice, or not hard enough, or beside the seat that he means; whoever
writes two cards down at once writes the second before the first. Every card behind such an entry is then laid
to the wrong trick, so that people seem to act out of turn and to revoke who did neither. What is made here
are the mistakes that can have been made, each with what would put it right; which of them explains anything
is another matter (`engine.diagnosis.explanations`). They are corrected as RULES 9 has it.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from typing import Final

from engine.audit import Audit
from engine.core.cards import BIT, HAND_SIZE, PACK, SEATS, Seat
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    CorrectionMade,
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
from engine.core.message import said
from engine.core.vocabulary import Seq
from engine.diagnosis.misprints.changes import cards_of
from engine.diagnosis.mistakes import RULE, TOGETHER, Course, Mistake, Suspected
from engine.diagnosis.omissions import card_left_out, exchange_left_out, pass_left_out, trick_left_out
from engine.diagnosis.wrong_contract import misnamed
from engine.play.findings import finding, name_of
from engine.play.state import to_act

ONCE: Final = (
    BidMade, CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, ClaimAnswered, ContractNamed, DealAbandoned,
    DealOpened, ExchangeYielded, HandDealt, HandTakenOver, PuestaReserved, SlamAnnounced, SurrenderAnswered,
    SurrenderOffered, TalonLaid, TalonTurned, TricksClaimed, TrumpNamed,
)  # fmt: skip
"""What is done once; what is told, such as a held hand, may be told twice."""
ACTS: Final = (BidMade, CardPlayed, ContractNamed, TrumpNamed, CardsDiscarded, CardsDrawn)
"""What somebody does in his turn, and may be entered for another seat."""
Act = BidMade | CardPlayed | ContractNamed | TrumpNamed | CardsDiscarded | CardsDrawn
TELLING: Final = (HandDealt, CardsDiscarded, CardsDrawn)
"""What names several cards of a seat's, and may be entered with those of another such entry."""
TWICE_TRIED: Final = 20
"""So many entries, the first of those that are found, may be the one that was written twice."""
SEATS_TRIED: Final = 3
"""So many of the first entries that are out of place may be another seat's."""


def suspected(judged: Audit) -> Iterator[Suspected]:
    """The mistakes that can have been made in the entries of a deal; the plainest first."""
    course = Course(judged)
    if sum(course.played) > PACK.bit_count():
        return  # more is wrong than a slip of the pen
    yield from islice(_written_twice(judged), TWICE_TRIED)
    yield from of_another_seat(course)
    yield from of_other_order(course)
    yield from of_each_others_cards(course, judged)
    yield from pass_left_out(course)
    yield from exchange_left_out(course)
    yield from card_left_out(course)
    yield from trick_left_out(course)
    yield from misnamed(course, judged.findings)


# --- Twice ------------------------------------------------------------------------------------------


def _written_twice(judged: Audit) -> Iterator[Suspected]:
    """Entries with a finding that say what an earlier one says.

    A hidden card may be played many times, so of those only the entry right before counts.
    """
    faulty = {one.seq for one in judged.findings}
    entries = [entry for entry in judged.history.entries if isinstance(entry.event, ONCE)]
    for at, entry in enumerate(entries):
        if entry.seq not in faulty or not isinstance(entry.seq, int):
            continue
        before = entries[:at] if _tells_of_cards(entry.event) else entries[max(at - 1, 0) : at]
        first = next((one.seq for one in before if one.event == entry.event), None)
        if first is not None:
            yield Suspected(_doubled(entry, first))


def _doubled(entry: Entry, first: Seq) -> Mistake:
    reason = said("Entry {entry} says again what entry {first} says.", entry=entry.seq, first=first)
    seat = getattr(entry.event, "seat", None)
    one = finding(entry.seq, "entry_doubled", reason, RULE, seat=seat, evidence=(first,))
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, ()),))


def _tells_of_cards(event: Event) -> bool:
    """Whether an event names cards, all of them: no two such are alike in a deal."""
    cards = cards_of(event)
    return bool(cards) and all(BIT[card] for card in cards)


# --- For another seat, or in another's place ----------------------------------------------------------------


def of_another_seat(course: Course) -> Iterator[Suspected]:
    """The first acts that are out of place, as those of whose turn it was, or of the third.

    Where each seat played nine cards, none of these is another's.
    """
    played = set(course.played) != {HAND_SIZE}
    first = [at for at in course.acting if played or not isinstance(course.entries[at].event, CardPlayed)]
    for at in first[:SEATS_TRIED]:
        entry = course.entries[at]
        event = entry.event
        if not isinstance(event, ACTS):
            continue
        turn = to_act(course.states[at]) if at < len(course.states) else None
        for seat in sorted(SEATS, key=lambda one: one != turn):
            if seat != event.seat:
                yield Suspected(_of(course, entry, event, seat), TOGETHER)


def _of(course: Course, entry: Entry, event: Act, seat: Seat) -> Mistake:
    state = course.states[-1]
    reason = said(
        "Entry {entry} has {wrong} in place of {right}.",
        entry=entry.seq,
        wrong=name_of(state, event.seat),
        right=name_of(state, seat),
    )
    one = finding(entry.seq, "seat_mistaken", reason, RULE)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, (replace(event, seat=seat),)),))


def of_other_order(course: Course) -> Iterator[Suspected]:
    """Two neighbouring cards or calls by two seats, or by one about a trick's end, in the other order."""
    by_turn = [at for at in course.acting if "wrong_seat" in course.codes(at)]
    for at in by_turn[:SEATS_TRIED]:
        for pair in (course.entries[at : at + 2], course.entries[at - 1 : at + 1]):
            if len(pair) > 1 and acts_alike(*pair):
                yield Suspected(exchanged(*pair), TOGETHER)


def of_each_others_cards(course: Course, judged: Audit) -> Iterator[Suspected]:
    """Two hands entered for each other's seat, or a discard and its draw, where several cards cannot be."""
    if sum(one.code in ("card_not_held", "card_duplicated") for one in judged.findings) < TOGETHER:
        return
    telling = [at for at, one in enumerate(course.entries) if isinstance(one.event, TELLING)]
    for first, last in combinations(telling, 2):
        one, other = course.entries[first].event, course.entries[last].event
        assert isinstance(one, TELLING) and isinstance(other, TELLING)
        hands = isinstance(one, HandDealt) and isinstance(other, HandDealt)
        bought = isinstance(one, CardsDiscarded) and isinstance(other, CardsDrawn) and one.seat == other.seat
        if one.cards != other.cards and len(one.cards) == len(other.cards) and (hands or bought):
            yield Suspected(_of_each_other(course.entries[first : last + 1]), TOGETHER)


def _of_each_other(entries: Log) -> Mistake:
    """The first and the last of these entries, with each other's cards; what stands between them stays."""
    first, *between, last = entries
    assert isinstance(first.event, TELLING) and isinstance(last.event, TELLING)
    reason = said("Entries {first} and {second} have each other's cards.", first=first.seq, second=last.seq)
    found = finding(first.seq, "seat_mistaken", reason, RULE, evidence=(last.seq,))
    put = (
        replace(first.event, cards=last.event.cards),
        *(one.event for one in between),
        replace(last.event, cards=first.event.cards),
    )
    return Mistake(found, (CorrectionMade(reason, tuple(one.seq for one in entries), None, put),))


def acts_alike(one: Entry, other: Entry) -> bool:
    """Whether both are cards played, or both are calls."""
    return any(
        isinstance(one.event, kind) and isinstance(other.event, kind) for kind in (CardPlayed, BidMade)
    )


def perhaps_exchanged(mistake: Mistake) -> Mistake:
    """Two entries that may have been made in each other's place."""
    given = mistake.finding.message.given
    message = said(
        "Entries {first} and {second} may be in each other's place.",
        first=given["first"],
        second=given["second"],
    )
    return mistake._replace(finding=mistake.finding._replace(message=message))


def exchanged(one: Entry, other: Entry) -> Mistake:
    """Two neighbouring entries that were made in each other's place."""
    reason = said("Entries {first} and {second} are in each other's place.", first=one.seq, second=other.seq)
    found = finding(one.seq, "order_mistaken", reason, RULE, evidence=(other.seq,))
    return Mistake(found, (CorrectionMade(reason, (one.seq, other.seq), None, (other.event, one.event)),))
