"""Hidden plays: what each can be beside the others, and what the known ones then prove (RULES 5).

A hidden play is a *slot*: a place for one card. Where some slots are filled, the others and what is still in
the hands are a flow again, one that leaves open only which cards of a hand were dealt and which drawn.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.cards import BIT, CANDIDATES, SEATS, Card, Seat, cards_in
from engine.core.vocabulary import Seq
from engine.core.work_budget import Work
from engine.inference.claims import Claims
from engine.inference.duties import Duty, ban_of, led_known, of_trick
from engine.inference.flow import possible
from engine.inference.matter import PACK_SIZE, Played, Reading, laid_cards
from engine.inference.places import AWAY, HAND, LEFT, UNDRAWN
from engine.play.state import Trick
from engine.play.tricks import may_have_won_trick, winner_of

COURSE, CLAIM, ROOM, ROOM_OF_A_SLOT, FLOW_OF_A_CLASS, DUTIES = 50, 1, 40, 5, 5, 10
"""What a course costs, and each claim for each slot; what it costs to look for room, by slots and classes."""


class Slot(NamedTuple):
    """A play that nobody saw; ``seq`` is None where even its entry is missing."""

    seq: Seq | None
    seat: Seat
    trick: int
    options: int


class Rules(NamedTuple):
    """Which duties bind: all but those of the plays ``excused``, or those of the plays ``only``.

    ``winners``: whether who leads next has to have won the trick before.
    """

    excused: frozenset[Seq] = frozenset()
    only: frozenset[Seq] | None = None
    winners: bool = True

    def bind(self, seq: Seq) -> bool:
        """Whether the play at ``seq`` had to follow."""
        return seq not in self.excused and (self.only is None or seq in self.only)


MATTER_ONLY = Rules(only=frozenset(), winners=False)
"""No duty binds."""

Filled = Mapping[Slot, Card]
"""Slots with the cards that lie in them."""


def slots_of(claims: Claims) -> tuple[Slot, ...]:
    """The hidden plays of a record, and those of which the entries are missing, in the order of play."""
    if not claims.course_known:
        return ()
    found: list[Slot] = []
    last = claims.tricks[-1] if claims.tricks else None
    for trick in claims.tricks:
        for seat, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if not BIT[card]:
                found.append(Slot(seq, seat, trick.number, CANDIDATES[card]))
        if trick is not last:
            found += [Slot(None, seat, trick.number, PACK) for seat in SEATS if seat not in trick.seats]
    return tuple(found)


PACK = (1 << PACK_SIZE) - 1


class Room(NamedTuple):
    """What is possible beside the filled slots, for each open slot, each seat and the talon.

    ``away``, ``rest``: by seat the cards it can have laid away, and can still hold; ``left``: of the talon.
    """

    slots: dict[Slot, int]
    away: tuple[int, ...]
    rest: tuple[int, ...]
    left: int


class OpenTrick(NamedTuple):
    """A trick with hidden cards; ``leader`` has to have won it, where that counts; ``at``: slot by place."""

    trick: Trick
    leader: Seat | None
    at: tuple[tuple[int, Slot], ...]


Bans = tuple[list[tuple[int, int]], ...]
"""By seat: after which trick it held none of which cards."""


class Course:
    """The play of one reading, into which cards can be put for the hidden ones."""

    def __init__(
        self,
        claims: Claims,
        reading: Reading,
        slots: tuple[Slot, ...],
        rules: Rules,
        work: Work,
        unplayed: int = 0,
    ) -> None:
        """``unplayed``: cards that are in no slot. Raises `Spent`."""
        work.spend(COURSE + CLAIM * (PACK_SIZE + len(slots) * len(claims.told)))
        self.work = work
        self.claims, self.reading, self.slots, self.rules = claims, reading, slots, rules
        self.played = laid_cards(claims)
        self.held_after = {slot: self._shown_after(slot) for slot in slots}
        self.windows = {slot: slot.options & ~self.held_after[slot] & ~unplayed for slot in slots}
        for slot in slots:
            self.held_after[slot] |= self._laid_after(slot.seat, slot.trick, {})
        self.open_tricks: list[OpenTrick] = []
        self.duties: list[Duty] = []
        for number, played in enumerate(claims.tricks):
            self._take_up(number, played)
        self.winning: dict[tuple[int, tuple[Card, ...]], int] = {}
        laid = [sum(1 for trick in claims.tricks if seat in trick.seats) for seat in SEATS]
        for slot in slots:
            laid[slot.seat] += slot.seq is None
        for one in self.played.values():
            laid[one.seat] += not one.counts
        sizes = reading.sizes
        self.rest = tuple(sizes[3 * s + 1] + sizes[3 * s + 2] - laid[s] for s in SEATS)
        self.bases = self._bases()

    def _take_up(self, number: int, trick: Trick) -> None:
        """A trick's duties, where all its cards are known, or else what is to be looked at later."""
        if not led_known(self.claims.tricks, number):
            return
        if all(BIT[card] for card in trick.cards):
            self.duties += self._binding(trick)
            return
        following = self.claims.tricks[number + 1 : number + 2]
        leader = following[0].seats[0] if following and led_known(self.claims.tricks, number + 1) else None
        can_win = leader in may_have_won_trick(trick, self.claims.table)
        slots = {slot.seat: slot for slot in self.slots if slot.trick == trick.number}
        at = tuple((place, slots[seat]) for place, seat in enumerate(trick.seats) if seat in slots)
        self.open_tricks.append(OpenTrick(trick, leader if can_win and self.rules.winners else None, at))

    def _binding(self, trick: Trick) -> Iterator[Duty]:
        return (duty for duty in of_trick(trick, self.claims.table) if self.rules.bind(duty.seq))

    def _shown_after(self, slot: Slot) -> int:
        """Cards known to have been in the hand after this play."""
        mask = 0
        for one in self.claims.told:
            if one.seat == slot.seat and one.trick >= slot.trick:
                for card in one.cards:
                    mask |= BIT[card]
        return mask

    def _laid_after(self, seat: Seat, trick: int, filled: Filled) -> int:
        """The cards that leave ``seat`` after this trick: the known ones, or those in its slots."""
        mask = 0
        for slot, card in filled.items():
            if slot.seat == seat and slot.trick > trick:
                mask |= BIT[card]
        for card, at in self.played.items() if not filled else ():
            if at.seat == seat and at.after(trick):
                mask |= BIT[card]
        return mask

    def _bases(self) -> dict[tuple[int, int], int]:
        """The cards not seen in play, by their places apart from slots and the seats that may hold them."""
        bases: dict[tuple[int, int], int] = {}
        for number in range(PACK_SIZE):
            card = Card(number)
            if card in self.played:
                continue
            allowed, mask, seats = self.reading.allowed[card], 0, 0
            for seat in SEATS:
                if allowed & AWAY[seat]:
                    mask |= 1 << seat
                if allowed & HAND[seat]:
                    seats |= 1 << seat
            key = (mask | (1 << 6 if allowed & UNDRAWN else 0), seats)
            bases[key] = bases.get(key, 0) | BIT[card]
        return bases

    def duties_with(self, filled: Filled) -> list[Duty]:
        """All binding duties of cards that did not follow, those in the slots among them. Raises `Spent`."""
        self.work.spend(DUTIES)
        found = list(self.duties)
        for one in self.open_tricks:
            found += self._binding(one.trick._replace(cards=_completed(one, filled)))
        return found

    def played_with(self, filled: Filled) -> dict[Card, Played]:
        """Where and when each card was played."""
        return {**self.played, **{card: Played(slot.seat, slot.trick) for slot, card in filled.items()}}

    def room(self, filled: Filled) -> Room | None:
        """What is possible beside ``filled``; None where nothing is. Raises `Spent`."""
        self.work.spend(ROOM + ROOM_OF_A_SLOT * len(self.slots))
        laid = [_completed(one, filled) for one in self.open_tricks]
        bans = self._bans(laid, filled)
        if bans is None or min(self.rest) < 0:
            return None
        windows = {slot: cards for slot, cards in self.windows.items() if slot not in filled}
        if not self._won(laid, windows):
            return None
        self._followed(laid, filled, windows)
        inside = 0
        for card in filled.values():
            inside |= BIT[card]
        classes: dict[int, int] = {}
        for (mask, seats), cards in self.bases.items():
            self._part(classes, mask, seats, cards & ~inside, bans, windows)
        return None if 0 in classes else self._room(classes, windows)

    def _part(
        self,
        classes: dict[int, int],
        mask: int,
        seats: int,
        cards: int,
        bans: Bans,
        windows: dict[Slot, int],
    ) -> None:
        """Parts cards by the slots and hands that they may still be in, and puts them among the classes."""
        parts = {mask: cards} if cards else {}
        for seat in SEATS:
            if seats >> seat & 1:
                never = 0
                for _, banned in bans[seat]:
                    never |= banned
                parts = _parted(parts, 8 << seat, ~never)
        for number, (slot, window) in enumerate(windows.items()):
            if seats >> slot.seat & 1:
                for trick, banned in bans[slot.seat]:
                    if trick < slot.trick:
                        window &= ~banned
                parts = _parted(parts, 128 << number, window)
        for places, some in parts.items():
            classes[places] = classes.get(places, 0) | some

    def _room(self, classes: dict[int, int], windows: dict[Slot, int]) -> Room | None:
        sizes = self.reading.sizes
        self.work.spend(FLOW_OF_A_CLASS * len(classes))
        open_to = possible(classes, (*sizes[:9:3], *self.rest, sizes[LEFT], *(1 for _ in windows)))
        if open_to is None:
            return None
        lying = [0] * (7 + len(windows))
        for mask, cards in classes.items():
            for place in cards_in(open_to[mask]):
                lying[place] |= cards
        slots = {slot: lying[7 + number] for number, slot in enumerate(windows)}
        return Room(slots, tuple(lying[:3]), tuple(lying[3:6]), lying[6])

    def _bans(self, laid: list[tuple[Card, ...]], filled: Filled) -> Bans | None:
        """What the seats cannot have held any more, and since when; None where one played it later."""
        table = self.claims.table
        bans: Bans = ([], [], [])
        for duty in self.duties:
            bans[duty.seat].append((duty.trick, ban_of(duty.lead, table).never))
        for one, cards in zip(self.open_tricks, laid, strict=True):
            suit = table.suit[cards[0]] if BIT[cards[0]] else 0
            for seat, card, seq in zip(one.trick.seats, cards, one.trick.seqs, strict=True):
                if suit and BIT[card] and not BIT[card] & suit and self.rules.bind(seq):
                    bans[seat].append((one.trick.number, ban_of(cards[0], table).never))
        for seat in SEATS:
            for trick, never in bans[seat]:
                later = self._laid_after(seat, trick, {}) | self._laid_after(seat, trick, filled)
                if later & never:
                    return None
        return bans

    def _won(self, laid: list[tuple[Card, ...]], windows: dict[Slot, int]) -> bool:
        """Keeps of the open slots what lets the tricks go to those who lead next; False where one cannot."""
        for one, cards in zip(self.open_tricks, laid, strict=True):
            if one.leader is None:
                continue
            hidden = [slot for _, slot in one.at if slot in windows]
            if not hidden and not self._goes_to(one.leader, one.trick, cards):
                return False
            if len(hidden) == 1:
                windows[hidden[0]] &= self._winning(one, cards, one.leader)
        return True

    def _followed(self, laid: list[tuple[Card, ...]], filled: Filled, windows: dict[Slot, int]) -> None:
        """Keeps of the open slots what follows, where the seat certainly held later what compelled it."""
        table = self.claims.table
        for one, cards in zip(self.open_tricks, laid, strict=True):
            for place, slot in one.at:
                if not place or slot not in windows or not BIT[cards[0]] or not self._binds(slot):
                    continue
                later = self.held_after[slot] | self._laid_after(slot.seat, slot.trick, filled)
                if ban_of(cards[0], table).never & later:
                    windows[slot] &= table.suit[cards[0]]

    def _binds(self, slot: Slot) -> bool:
        return slot.seq is not None and self.rules.bind(slot.seq)

    def _goes_to(self, leader: Seat, trick: Trick, cards: tuple[Card, ...]) -> bool:
        """Whether a trick of known cards goes to ``leader``, or nobody knows what wins."""
        return winner_of(trick.seats, cards, (), self.claims.table) in (leader, None)

    def _winning(self, one: OpenTrick, cards: tuple[Card, ...], leader: Seat) -> int:
        """The cards that give the trick to ``leader`` in the one place that is open."""
        key = (one.trick.number, cards)
        if key not in self.winning:
            place = next(place for place, card in enumerate(cards) if not BIT[card])
            mask = 0
            for number in range(PACK_SIZE):
                whole = (*cards[:place], Card(number), *cards[place + 1 :])
                mask |= BIT[number] if self._goes_to(leader, one.trick, whole) else 0
            self.winning[key] = mask
        return self.winning[key]


def _completed(one: OpenTrick, filled: Filled) -> tuple[Card, ...]:
    """The cards of a trick with what lies in its slots put in."""
    cards = list(one.trick.cards)
    for place, slot in one.at:
        card = filled.get(slot)
        if card is not None:
            cards[place] = card
    return tuple(cards)


def _parted(parts: dict[int, int], place: int, inside: int) -> dict[int, int]:
    """Classes parted into those that may be in one more place, and those that may not."""
    found: dict[int, int] = {}
    for places, cards in parts.items():
        within, without = cards & inside, cards & ~inside
        if within:
            found[places | place] = within
        if without:
            found[places] = without
    return found
