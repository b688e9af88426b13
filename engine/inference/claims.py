"""What a record claims of the cards: its entries as facts, each with the entry that tells it.

A claim says only what is matter: these cards were dealt, laid away, drawn, shown, played. What the rules make
of it is drawn from the claims elsewhere.
"""

from collections.abc import Callable, Container
from typing import Any, Final, NamedTuple

from engine.core.cards import BIT, HIDDEN, SEATS, TALON_SIZE, Card, Seat
from engine.core.events import (
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ContractNamed,
    GapNoted,
    HandDealt,
    HandHeld,
    TalonLaid,
    TalonSeen,
    TalonTurned,
)
from engine.core.log import Log
from engine.core.ranking import Following
from engine.core.vocabulary import Seq
from engine.inference.places import AWAY, DEALT, HAND, TAKEN, UNDRAWN, Places
from engine.play.exchange import may_have_exchanged
from engine.play.state import EXCHANGE, PLAY, State, Trick


class Told(NamedTuple):
    """Cards told of by one entry: where they lie, as a set of places.

    ``seat``: who holds them then, None where nobody does; ``trick``: the last trick to which that seat has
    played by then, so that these cards were not played to it, nor to one before. ``whole``: these are all
    the cards of the seat at that moment; ``beyond``: it was laid on the table after that trick, and does not
    count: second to a trick, or after the end. From then on it is out of the hand.
    """

    seq: Seq
    places: Places
    cards: tuple[Card, ...]
    seat: Seat | None = None
    trick: int = 0
    whole: bool = False
    beyond: bool = False


class Lying(NamedTuple):
    """A card of the talon by its depth there: 0 is the top as it was dealt."""

    seq: Seq
    depth: int
    card: Card


class Swapped(NamedTuple):
    """How many cards a seat has laid away and drawn."""

    away: int
    drawn: int


class Claims(NamedTuple):
    """All that a record claims of the cards, up to one point.

    ``swapped``: by seat, None where only the hand's size bounds it; ``drawing``: the seats that are told to
    have drawn, in that order; ``tricks``: as they were played, the last perhaps not yet whole;
    ``course_known``: whether it is known which card was played to which trick.
    """

    told: tuple[Told, ...]
    talon: tuple[Lying, ...]
    swapped: tuple[Swapped | None, ...]
    drawing: tuple[Seat, ...]
    tricks: tuple[Trick, ...]
    table: Following
    course_known: bool

    def but(self, hidden: Container[Seq]) -> "Claims":
        """The claims with the cards of some entries forgotten, though not that they were there."""
        forgotten = [one for one in self.told if one.beyond and one.seq in hidden]
        told = tuple(one._replace(cards=(), whole=False) if one.seq in hidden else one for one in self.told)
        talon = tuple(one for one in self.talon if one.seq not in hidden)
        tricks = tuple(_covered(trick, hidden) for trick in self.tricks)
        known = self.course_known and not any(self.played_on(one) for one in forgotten)
        return self._replace(told=told, talon=talon, tricks=tricks, course_known=known)

    def played_on(self, laid: Told) -> bool:
        """Whether who laid a card that does not count has played to a trick since."""
        return any(trick.number > laid.trick and laid.seat in trick.seats for trick in self.tricks)


def _covered(trick: Trick, hidden: Container[Seq]) -> Trick:
    laid = zip(trick.cards, trick.seqs, strict=True)
    return trick._replace(cards=tuple(HIDDEN if seq in hidden else card for card, seq in laid))


def claims_of(entries: Log, state: State) -> Claims:
    """The claims of the entries of an effective history; ``state`` is the fold of just these."""
    gathering = _Gathering(state)
    for seq, event, _ in entries:
        gather = GATHERERS.get(type(event))
        if gather is not None:
            gather(gathering, seq, event)
    return gathering.claims()


class _Gathering:
    """The claims in the making, entry after entry."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.told: list[Told] = []
        self.talon: list[Lying] = []
        self.from_talon: list[Lying] = []
        self.away: list[int | None] = [None, None, None]
        self.drawn: list[int | None] = [None, None, None]
        self.drawing: list[Seat] = []
        self.last_trick = [0, 0, 0]
        self.playing = self.gap = self.named = self.adrift = self.unsure_course = False
        self.numbered: dict[int, int] = {}
        self.unsure: list[int] = []
        self.laid_unseen: set[Seat] = set()
        play = state.play
        current = (
            (Trick(len(play.tricks) + 1, play.seats, play.cards, play.seqs, None),) if play.seats else ()
        )
        self.tricks = (*play.tricks, *current)
        self.trick_of = {seq: trick.number for trick in self.tricks for seq in trick.seqs}

    def hand_now(self, seat: Seat) -> Places:
        """Where the cards lie that ``seat`` holds at this moment."""
        if self.drawn[seat] is not None or self.playing or self.away[seat] == 0:
            return HAND[seat]
        if self.away[seat] is not None:
            return DEALT[seat] & HAND[seat]
        return HAND[seat] if self.gap else DEALT[seat]

    def hand_dealt(self, seq: Seq, event: HandDealt) -> None:
        self.told.append(Told(seq, DEALT[event.seat], event.cards, event.seat, 0, True))

    def held(self, seq: Seq, event: HandHeld) -> None:
        self._in_hand(seq, event.seat, event.cards, True)

    def shown(self, seq: Seq, event: CardsShown) -> None:
        self._in_hand(seq, event.seat, event.cards, False)

    def _in_hand(self, seq: Seq, seat: Seat, cards: tuple[Card, ...], whole: bool) -> None:
        untold = self.named and self.away[seat] is None and self.drawn[seat] is None and not self.playing
        if untold and not (self.gap and whole):
            self.unsure.append(len(self.told))
        self.told.append(Told(seq, self.hand_now(seat), cards, seat, self.last_trick[seat], whole))

    def discarded(self, seq: Seq, event: CardsDiscarded) -> None:
        if self.away[event.seat] is not None and not event.cards:
            return
        self.away[event.seat] = (self.away[event.seat] or 0) + len(event.cards)
        self.told.append(Told(seq, AWAY[event.seat], event.cards, event.seat))

    def cards_drawn(self, seq: Seq, event: CardsDrawn) -> None:
        if not self.gap:
            depth = sum(count or 0 for count in self.drawn)
            self.from_talon += [
                Lying(seq, depth + n, card) for n, card in enumerate(event.cards) if BIT[card]
            ]
        self.drawn[event.seat] = (self.drawn[event.seat] or 0) + len(event.cards)
        self.drawing.append(event.seat)
        self.told.append(Told(seq, TAKEN[event.seat], event.cards, event.seat))

    def laid(self, seq: Seq, event: TalonLaid) -> None:
        self.talon += [Lying(seq, depth, card) for depth, card in enumerate(event.cards) if card != HIDDEN]

    def turned(self, seq: Seq, event: TalonTurned) -> None:
        if event.card != HIDDEN:
            self.talon.append(Lying(seq, 0, event.card))

    def seen(self, seq: Seq, event: TalonSeen) -> None:
        places = UNDRAWN
        for seat in SEATS:
            if self.drawn[seat] is None and not self.playing:
                places |= TAKEN[seat]
        self.told.append(Told(seq, places, event.cards))

    def played(self, seq: Seq, event: CardPlayed) -> None:
        self.playing = True
        trick = self.trick_of.get(seq)
        if self.adrift and trick is not None:
            self._find_course(event.trick)
        if trick is not None:
            self.last_trick[event.seat] = trick
            self.unsure_course |= event.seat in self.laid_unseen
            return
        # It does not count, but it was held. What an unseen one was could have followed later.
        until = self.last_trick[event.seat]
        self.told.append(Told(seq, HAND[event.seat], (event.card,), event.seat, until, beyond=True))
        if not BIT[event.card]:
            self.laid_unseen.add(event.seat)

    def _find_course(self, number: int | None) -> None:
        """After a gap only a whole trick whose cards bear its number shows where the play stands."""
        if number is None:
            self.unsure_course = True
            return
        self.numbered[number] = self.numbered.get(number, 0) + 1
        self.adrift = self.numbered[number] < len(SEATS)

    def contract_named(self, _seq: Seq, _event: ContractNamed) -> None:
        self.named = True
        self.adrift = False

    def noted(self, _seq: Seq, _event: GapNoted) -> None:
        self.gap = self.adrift = True

    def claims(self) -> Claims:
        state = self.state
        queue = may_have_exchanged(state)
        empty = sum(count or 0 for count in self.drawn) >= TALON_SIZE  # nobody else can have drawn
        over = self.playing or state.phase == PLAY or (state.incomplete and state.phase >= EXCHANGE)
        swapped = tuple(self._swapped(seat, over and not empty and seat in queue) for seat in SEATS)
        for index in self.unsure:  # before or after an exchange of which nothing is told: nobody knows
            one = self.told[index]
            if one.seat is not None and swapped[one.seat] is None:
                places = DEALT[one.seat] | HAND[one.seat]
                self.told[index] = one._replace(places=places, whole=False)
        return Claims(
            tuple(self.told),
            (*self.talon, *self.from_talon) if self.talon else (),
            swapped,
            tuple(dict.fromkeys(self.drawing)),
            self.tricks,
            state.play.table,
            not self.unsure_course,
        )

    def _swapped(self, seat: Seat, may_be_untold: bool) -> Swapped | None:
        """What a seat has exchanged; an untold draw is as large as its discard, or the talon (RULES 4)."""
        away, drawn = self.away[seat], self.drawn[seat]
        if away is None and drawn is None:
            return None if may_be_untold else Swapped(0, 0)
        if drawn is None:
            owed = self.state.phase == EXCHANGE and self.state.exchange.owed
            pending = owed and self.state.exchange.queue[:1] == (seat,)
            left = TALON_SIZE - sum(count or 0 for count in self.drawn)
            return Swapped(away or 0, 0 if pending else min(away or 0, max(left, 0)))
        return Swapped(drawn if away is None else away, drawn)


GATHERERS: Final[dict[type, Callable[[_Gathering, Seq, Any], None]]] = {
    HandDealt: _Gathering.hand_dealt,
    HandHeld: _Gathering.held,
    CardsShown: _Gathering.shown,
    CardsDiscarded: _Gathering.discarded,
    CardsDrawn: _Gathering.cards_drawn,
    TalonLaid: _Gathering.laid,
    TalonTurned: _Gathering.turned,
    TalonSeen: _Gathering.seen,
    ContractNamed: _Gathering.contract_named,
    CardPlayed: _Gathering.played,
    GapNoted: _Gathering.noted,
}
"""What tells of cards, and how it is taken up."""
