"""Hidden plays: what each can be beside the others, and what the known ones then prove (RULES 5).

A hidden play is a *slot*: a place for one card. Where some slots are filled, the others and what is still in
the hands are a flow again, one that leaves open only which cards of a hand were dealt and which drawn.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.cards import BIT, CANDIDATES, SEATS, Card, Seat, cards_in
from engine.hidden.claims import Claims
from engine.hidden.duties import Duty, ban_of, led_known, of_trick
from engine.hidden.flow import possible
from engine.hidden.matter import PACK_SIZE, Played, Reading, played_cards
from engine.hidden.places import AWAY, HAND, LEFT, UNDRAWN
from engine.state import Trick
from engine.tricks import may_have_won_trick, winner_of
from engine.vocabulary import Seq


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


class Course:
    """The play of one reading, into which cards can be put for the hidden ones."""

    def __init__(
        self, claims: Claims, reading: Reading, slots: tuple[Slot, ...], rules: Rules, unplayed: int = 0
    ) -> None:
        """``unplayed``: cards that are in no slot."""
        self.claims, self.reading, self.slots, self.rules = claims, reading, slots, rules
        self.played = played_cards(claims)
        self.held_after = {slot: self._shown_after(slot) for slot in slots}
        self.windows = {slot: slot.options & ~self.held_after[slot] & ~unplayed for slot in slots}
        for card, (seat, trick) in self.played.items():
            for slot in slots:
                if slot.seat == seat and slot.trick < trick:
                    self.held_after[slot] |= BIT[card]
        self.open_tricks: list[tuple[Trick, Seat | None]] = []
        self.duties: list[Duty] = []
        for number, played in enumerate(claims.tricks):
            self._take_up(number, played)
        laid = [sum(1 for trick in claims.tricks if seat in trick.seats) for seat in SEATS]
        for slot in slots:
            laid[slot.seat] += slot.seq is None
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
        self.open_tricks.append((trick, leader if can_win and self.rules.winners else None))

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

    def _bases(self) -> list[tuple[Card, int, int]]:
        """For each card not seen in play its places apart from slots, and the seats that may hold it."""
        bases = []
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
            bases.append((card, mask | (1 << 6 if allowed & UNDRAWN else 0), seats))
        return bases

    def completed(self, trick: Trick, filled: Filled) -> Trick:
        """A trick with what lies in its slots put in."""
        at = {(slot.seat, slot.trick): card for slot, card in filled.items()}
        laid = zip(trick.seats, trick.cards, strict=True)
        return trick._replace(cards=tuple(at.get((seat, trick.number), card) for seat, card in laid))

    def duties_with(self, filled: Filled) -> list[Duty]:
        """All binding duties of cards that did not follow, those in the slots among them."""
        found = list(self.duties)
        for trick, _ in self.open_tricks:
            found += self._binding(self.completed(trick, filled))
        return found

    def played_with(self, filled: Filled) -> dict[Card, Played]:
        """Where and when each card was played."""
        return {**self.played, **{card: Played(slot.seat, slot.trick) for slot, card in filled.items()}}

    def room(self, filled: Filled) -> Room | None:
        """What is possible beside ``filled``; None where nothing is."""
        windows = self._won(filled)
        if windows is None or min(self.rest) < 0:
            return None
        if self.rules.only != frozenset():
            windows = self._followed(filled, windows)
        banned = self._banned(filled)
        if banned is None:
            return None
        classes: dict[int, int] = {}
        inside = set(filled.values())
        for card, mask, seats in self.bases:
            if card in inside:
                continue
            bit = 1 << card
            for seat in SEATS:
                if not seats >> seat & 1:
                    continue
                until = banned.get((seat, card), 10)
                if until == 10:
                    mask |= 8 << seat
                for number, slot, window in windows:
                    if slot.seat == seat and slot.trick < until and window & bit:
                        mask |= 128 << number
            classes[mask] = classes.get(mask, 0) | bit
        if 0 in classes:
            return None
        return self._room(classes, windows)

    def _room(self, classes: dict[int, int], windows: list[tuple[int, Slot, int]]) -> Room | None:
        sizes = self.reading.sizes
        open_to = possible(classes, (*sizes[:9:3], *self.rest, sizes[LEFT], *(1 for _ in windows)))
        if open_to is None:
            return None
        lying = [0] * (7 + len(windows))
        for mask, cards in classes.items():
            for place in cards_in(open_to[mask]):
                lying[place] |= cards
        slots = {slot: lying[7 + number] for number, slot, _ in windows}
        return Room(slots, tuple(lying[:3]), tuple(lying[3:6]), lying[6])

    def _banned(self, filled: Filled) -> dict[tuple[Seat, Card], int] | None:
        """From which trick on a seat cannot have held a card; None where it played such a card later."""
        banned: dict[tuple[Seat, Card], int] = {}
        for duty in self.duties_with(filled):
            for card in cards_in(ban_of(duty.lead, self.claims.table).never):
                key = (duty.seat, card)
                banned[key] = min(banned.get(key, 10), duty.trick)
        if banned:
            for card, (seat, trick) in self.played_with(filled).items():
                if trick > banned.get((seat, card), 10):
                    return None
        return banned

    def _won(self, filled: Filled) -> list[tuple[int, Slot, int]] | None:
        """The open slots with what each can be, so that the tricks go to those who lead next."""
        kept = dict(self.windows)
        for trick, leader in self.open_tricks:
            if leader is None:
                continue
            whole = self.completed(trick, filled)
            hidden = [place for place, card in enumerate(whole.cards) if not BIT[card]]
            if not hidden and not self._goes_to(leader, whole):
                return None
            if len(hidden) == 1:
                seat = whole.seats[hidden[0]]
                slot = next(s for s in self.slots if s.seat == seat and s.trick == trick.number)
                kept[slot] = self._winning(whole, hidden[0], leader, kept[slot])
        unfilled = (slot for slot in self.slots if slot not in filled)
        return [(number, slot, kept[slot]) for number, slot in enumerate(unfilled)]

    def _followed(self, filled: Filled, windows: list[tuple[int, Slot, int]]) -> list[tuple[int, Slot, int]]:
        """The open slots, where one must follow whose seat certainly held later what compelled it."""
        leads = {trick.number: self.completed(trick, filled).cards[0] for trick, _ in self.open_tricks}
        later = self.held_after
        if filled:
            later = {slot: later[slot] | _laid_after(slot, filled) for _, slot, _ in windows}
        narrowed = []
        for number, slot, window in windows:
            lead = leads.get(slot.trick)
            bound = lead is not None and BIT[lead] and slot.seq is not None and self.rules.bind(slot.seq)
            if lead is not None and bound and ban_of(lead, self.claims.table).never & later[slot]:
                window &= self.claims.table.suit[lead]
            narrowed.append((number, slot, window))
        return narrowed

    def _goes_to(self, leader: Seat, trick: Trick) -> bool:
        """Whether a trick of known cards goes to ``leader``, or nobody knows what wins."""
        return winner_of(trick.seats, trick.cards, (), self.claims.table) in (leader, None)

    def _winning(self, trick: Trick, place: int, leader: Seat, window: int) -> int:
        """Of ``window`` the cards with which the trick goes to ``leader``."""
        mask = 0
        for card in cards_in(window):
            cards = (*trick.cards[:place], card, *trick.cards[place + 1 :])
            if self._goes_to(leader, trick._replace(cards=cards)):
                mask |= BIT[card]
        return mask


def _laid_after(slot: Slot, filled: Filled) -> int:
    """The cards that lie in later slots of the same seat."""
    mask = 0
    for other, card in filled.items():
        if other.seat == slot.seat and other.trick > slot.trick:
            mask |= BIT[card]
    return mask
