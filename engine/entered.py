"""How entries can have been made wrongly as a whole: twice, too early, for another seat, or not at all.

Whoever records with one finger taps twice, or not hard enough, or beside the seat that he means; whoever
writes two cards down at once writes the second before the first. Every card behind such an entry is then laid
to the wrong trick, so that people seem to act out of turn and to revoke who did neither. What is made here
are the mistakes that can have been made, each with what would put it right; which of them explains anything
is another matter (`engine.explained`). They are corrected as RULES 9 has it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import Final, NamedTuple

from engine.audit import Audit
from engine.cards import BIT, CODES, HAND_SIZE, HIDDEN, PACK, SEATS, Card, Seat, cards_in
from engine.events import (
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
    GapNoted,
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
from engine.findings import Finding, finding, name_of
from engine.fold import evolve
from engine.log import Entry, Log
from engine.misprints.changes import cards_of
from engine.said import Listed, said
from engine.state import AUCTION, PLAY, State, start, to_act
from engine.vocabulary import Seq

RULE: Final = "9. Record"
ONCE: Final = (
    BidMade, CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, ClaimAnswered, ContractNamed, DealAbandoned,
    DealOpened, ExchangeYielded, HandDealt, HandTakenOver, PuestaReserved, SlamAnnounced, SurrenderAnswered,
    SurrenderOffered, TalonLaid, TalonTurned, TricksClaimed, TrumpNamed,
)  # fmt: skip
"""What is done once; what is told, such as a held hand, may be told twice."""
OUT_OF_PLACE: Final = frozenset(
    ("wrong_seat", "revoke", "bid_not_allowed", "card_not_held", "card_duplicated")
)
"""What is found of a card or a call that stands for another seat, or behind one that is missing."""
TWICE_TRIED: Final = 20
"""So many entries, the first of those that are found, may be the one that was written twice."""
SEATS_TRIED: Final = 3
"""So many of the first entries that are out of place may be another seat's."""
BACK: Final = 6
"""So many cards before the first that is out of place one may be missing: two tricks."""
BUT_A_TRICK: Final = HAND_SIZE - 1
"""So many cards of each seat are recorded where one whole trick is not."""
ALL_PLAYED: Final = 27
"""So many cards are played in a deal at most; where so many are recorded, none is missing."""
TOGETHER: Final = 2
"""So many findings a mistake must explain at once, where one alone may well be the fault that it says."""


class Mistake(NamedTuple):
    """A mistake of the pen: the finding at the entry that is wrong, and the entries that put it right."""

    finding: Finding
    corrections: tuple[CorrectionMade, ...]


class Suspected(NamedTuple):
    """A mistake that can have been made.

    ``explains``: so many findings at least must fall away with it; ``clears``: so many seats must have
    nothing grave against them any more, or an act out of turn must fall away. ``unseen``: the same with what
    is missing left open, for where several cards or places would do as well; these share ``among``.
    """

    mistake: Mistake
    explains: int = 1
    clears: int = 1
    unseen: Mistake | None = None
    among: tuple[Seq, ...] = ()


def suspected(judged: Audit) -> Iterator[Suspected]:
    """The mistakes that can have been made in the entries of a deal; the plainest first."""
    course = _Course(judged)
    if sum(course.played) > PACK.bit_count():
        return  # more is wrong than a slip of the pen
    yield from islice(_written_twice(judged), TWICE_TRIED)
    yield from course.of_another_seat()
    yield from course.of_other_order()
    yield from course.pass_left_out()
    yield from course.left_out()
    yield from course.trick_left_out()


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


# --- For another seat, or not at all ----------------------------------------------------------------


class _Course:
    """The course of a deal with the places in it at which somebody seems to act out of place."""

    def __init__(self, judged: Audit) -> None:
        self.entries = judged.history.entries
        self.found: dict[Seq, list[Finding]] = {}
        for one in judged.findings:
            if one.code in OUT_OF_PLACE:
                self.found.setdefault(one.seq, []).append(one)
        self.faulty = [at for at, entry in enumerate(self.entries) if entry.seq in self.found]
        # A revoke is shown by cards that come later, which may be those of another seat.
        self.acting = [at for at in self.faulty if self._codes(at) - {"revoke"}]
        hasty = {one.seq for one in judged.findings if one.code == "wrong_phase"}
        self.hasty = [at for at, entry in enumerate(self.entries) if entry.seq in hasty]
        self.played = _played_by(self.entries)
        first = max((at[0] for at in (self.faulty, self.acting, self.hasty) if at), default=None)
        self.states: list[State] = []
        if first is not None:
            begun = start(judged.state.opening.book)
            self.states = list(accumulate(self.entries[:first], evolve, initial=begun))

    def _codes(self, at: int) -> set[str]:
        return {one.code for one in self.found[self.entries[at].seq]}

    def of_another_seat(self) -> Iterator[Suspected]:
        """The first cards and calls that are out of place, as those of whose turn it was, or of the third."""
        if set(self.played) == {HAND_SIZE}:
            return
        first = [at for at in self.acting if isinstance(self.entries[at].event, (BidMade, CardPlayed))]
        for at in first[:SEATS_TRIED]:
            entry = self.entries[at]
            event = entry.event
            assert isinstance(event, (BidMade, CardPlayed))
            turn = to_act(self.states[at]) if at < len(self.states) else None
            for seat in sorted(SEATS, key=lambda one: one != turn):
                if seat != event.seat:
                    yield Suspected(self._of(entry, event, seat), TOGETHER)

    def _of(self, entry: Entry, event: BidMade | CardPlayed, seat: Seat) -> Mistake:
        state = self.states[-1]
        reason = said(
            "Entry {entry} has {wrong} in place of {right}.",
            entry=entry.seq,
            wrong=name_of(state, event.seat),
            right=name_of(state, seat),
        )
        one = finding(entry.seq, "seat_mistaken", reason, RULE)
        return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, (replace(event, seat=seat),)),))

    def left_out(self) -> Iterator[Suspected]:
        """A card that is missing before the first that is out of place, or before one shortly before that."""
        if sum(self.played) >= ALL_PLAYED or not self.faulty:
            return
        by_turn = any("wrong_seat" in self._codes(at) for at in self.faulty)
        firsts = (self.acting[:1], self.faulty[:1])
        for at in dict.fromkeys(at for first in firsts for last in first for at in _back_from(last)):
            entry, state = self.entries[at], self.states[at]
            if not isinstance(entry.event, CardPlayed) or state.phase != PLAY:
                continue
            turn = to_act(state)
            for seat in SEATS if turn is None else (turn,):
                for one in self._missing(at, seat):
                    yield one._replace(explains=TOGETHER if by_turn else TOGETHER + 1)

    def _missing(self, at: int, seat: Seat) -> Iterator[Suspected]:
        """A card of this seat that is never played, missing before an entry; else one that nobody saw."""
        play = self.states[at].play
        never = play.held[seat] & ~_played_from(self.entries[at:])
        for card in cards_in(never):
            left_open = self._without(at, seat, HIDDEN)
            among = (self.entries[at].seq, int(seat))
            yield Suspected(self._without(at, seat, card), unseen=left_open, among=among)
        if play.slots[seat]:
            yield Suspected(self._without(at, seat, HIDDEN))

    def _without(self, at: int, seat: Seat, card: Card) -> Mistake:
        entry, player = self.entries[at], name_of(self.states[at], seat)
        if card == HIDDEN:
            reason = said(
                "A card of {player}'s is missing before entry {entry}.", player=player, entry=entry.seq
            )
        else:
            reason = said(
                "{card}, played by {player}, is missing before entry {entry}.",
                card=CODES[card],
                player=player,
                entry=entry.seq,
            )
        one = finding(entry.seq, "entry_missing", reason, RULE)
        put = (CardPlayed(seat, card), entry.event)
        return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, put),))

    def of_other_order(self) -> Iterator[Suspected]:
        """Two neighbouring cards or calls by two seats, or by one about a trick's end, in the other order."""
        by_turn = [at for at in self.acting if "wrong_seat" in self._codes(at)]
        for at in by_turn[:SEATS_TRIED]:
            for pair in (self.entries[at : at + 2], self.entries[at - 1 : at + 1]):
                if len(pair) > 1 and acts_alike(*pair):
                    yield Suspected(exchanged(*pair), TOGETHER)

    def pass_left_out(self) -> Iterator[Suspected]:
        """A pass that is missing before a call out of turn, or before what nobody does during the auction."""
        for at in (*self.acting[:1], *self.hasty[:1]):
            state = self.states[at]
            turn = to_act(state)
            if state.phase == AUCTION and turn is not None:
                yield Suspected(self._pass_before(at, turn), 1 if at in self.hasty else TOGETHER)

    def _pass_before(self, at: int, seat: Seat) -> Mistake:
        entry, player = self.entries[at], name_of(self.states[at], seat)
        reason = said("A pass of {player}'s is missing before entry {entry}.", player=player, entry=entry.seq)
        one = finding(entry.seq, "entry_missing", reason, RULE)
        put = (BidMade(seat, "pass"), entry.event)
        return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, put),))

    def trick_left_out(self) -> Iterator[Suspected]:
        """A whole trick that is missing: the one card of each seat that is never played."""
        if not self.faulty:
            return
        missing = list(tricks_missing(self.entries, self.states[: self.faulty[0] + 1]))
        among = tuple(one.finding.seq for one in missing)
        for mistake in missing:
            yield Suspected(mistake, TOGETHER, TOGETHER, _gap_before(mistake), among)


def acts_alike(one: Entry, other: Entry) -> bool:
    """Whether both are cards played, or both are calls."""
    return any(
        isinstance(one.event, kind) and isinstance(other.event, kind) for kind in (CardPlayed, BidMade)
    )


def exchanged(one: Entry, other: Entry) -> Mistake:
    """Two neighbouring entries that were made in each other's place."""
    reason = said("Entries {first} and {second} are in each other's place.", first=one.seq, second=other.seq)
    found = finding(one.seq, "order_mistaken", reason, RULE, evidence=(other.seq,))
    return Mistake(found, (CorrectionMade(reason, (one.seq, other.seq), None, (other.event, one.event)),))


def tricks_missing(entries: Log, states: Sequence[State]) -> Iterator[Mistake]:
    """The trick of the three cards that are never played, missing before each entry that begins a trick.

    ``states``: the deal before each of the first of these entries. None where more is missing than a trick,
    or it is not known which cards were never played.
    """
    if _played_by(entries) != [BUT_A_TRICK] * len(SEATS):
        return
    for at, state in enumerate(states):
        turn, play = to_act(state), state.play
        if state.phase != PLAY or turn is None or play.cards or not isinstance(entries[at].event, CardPlayed):
            continue
        never = [cards_in(play.held[seat] & ~_played_from(entries)) for seat in SEATS]
        if [len(cards) for cards in never] == [1] * len(SEATS) and not any(play.slots):
            seats = [Seat((turn + shift) % len(SEATS)) for shift in range(len(SEATS))]
            yield _trick_before(entries[at], tuple(CardPlayed(seat, never[seat][0]) for seat in seats))


def _trick_before(entry: Entry, trick: tuple[CardPlayed, ...]) -> Mistake:
    cards = Listed((CODES[one.card] for one in trick), " ")
    reason = said("A whole trick is missing before entry {entry}: {cards}.", entry=entry.seq, cards=cards)
    one = finding(entry.seq, "entry_missing", reason, RULE)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, (*trick, entry.event)),))


def _gap_before(mistake: Mistake) -> Mistake:
    """The same where the trick may as well be missing elsewhere: that something is, and no more."""
    (correction,) = mistake.corrections
    *trick, event = correction.with_
    cards = Listed((CODES[one.card] for one in trick if isinstance(one, CardPlayed)), " ")
    reason = said(
        "A whole trick is missing, before entry {entry} or elsewhere: {cards}.",
        entry=mistake.finding.seq,
        cards=cards,
    )
    one = finding(mistake.finding.seq, "entry_missing", reason, RULE)
    return Mistake(one, (replace(correction, reason=reason, with_=(GapNoted(), event)),))


def _back_from(last: int) -> range:
    """The places up to ``last`` before which a card may be missing, the last one first."""
    return range(last, max(last - BACK, 0), -1)


def all_played(entries: Log) -> bool:
    """Whether so many cards were played that none of them can be missing."""
    return sum(_played_by(entries)) >= ALL_PLAYED


def _played_by(entries: Log) -> list[int]:
    """By seat how many cards are recorded as played."""
    seats = [entry.event.seat for entry in entries if isinstance(entry.event, CardPlayed)]
    return [seats.count(seat) for seat in SEATS]


def _played_from(entries: Log) -> int:
    """The known cards that are played in these entries, as a mask."""
    cards = (BIT[entry.event.card] for entry in entries if isinstance(entry.event, CardPlayed))
    return sum(set(cards))
