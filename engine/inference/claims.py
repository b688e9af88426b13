"""What a record claims of the cards: its entries as facts, each with the entry that tells it.

A claim says only what is physical: these cards were dealt, laid away, drawn, shown, played. What follows
by the rules is inferred in other modules.
"""

from collections.abc import Container
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, HIDDEN_CARD, SEATS, TALON_SIZE, Card, Seat
from engine.core.events import (
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ContractNamed,
    Event,
    GapNoted,
    HandDealt,
    HandHeld,
    TalonLaid,
    TalonSeen,
    TalonTurned,
)
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.ranking import TrickRules
from engine.inference.places import (
    DEALT_PLACES,
    DISCARD_PLACES,
    DRAW_PLACES,
    HAND_PLACES,
    TALON_REST_PLACES,
    PlaceMask,
)
from engine.play.exchange import seats_that_may_exchange
from engine.play.state import EXCHANGE, PLAY, State, Trick

CARD_LIST_EVENTS: Final = (HandDealt, HandHeld, CardsShown, CardsDiscarded, CardsDrawn, TalonLaid, TalonSeen)
SINGLE_CARD_EVENTS: Final = (CardPlayed, TalonTurned)
"""Events that tell of several cards, and of one."""


def cards_of_event(event: Event) -> tuple[Card, ...]:
    """The cards of which an event tells."""
    if isinstance(event, SINGLE_CARD_EVENTS):
        return (event.card,)
    return event.cards if isinstance(event, CARD_LIST_EVENTS) else ()


class CardClaim(NamedTuple):
    """Cards told of by one entry: where they lie, as a set of places.

    ``seat``: who holds them then, None where nobody does; ``last_trick``: the last trick to which that seat
    has played by then, so these cards were played neither to it nor to one before. ``is_whole_hand``: these
    are all the cards of the seat at that moment; ``is_uncounted``: it was laid on the table after that trick,
    and does not count: second to a trick, or after the end. From then on it is out of the hand.
    """

    seq: Seq
    places: PlaceMask
    cards: tuple[Card, ...]
    seat: Seat | None = None
    last_trick: int = 0
    is_whole_hand: bool = False
    is_uncounted: bool = False


class TalonCard(NamedTuple):
    """A card of the talon by its depth there: 0 is the top as it was dealt."""

    seq: Seq
    depth: int
    card: Card


class ExchangeCounts(NamedTuple):
    """How many cards a seat has laid away and drawn."""

    discard_count: int
    draw_count: int


class Claims(NamedTuple):
    """All that a record claims of the cards, up to one point.

    ``exchanges``: by seat, None where only the hand's size bounds it; ``draw_order``: the seats known to have
    drawn, in that order; ``tricks``: as they were played, the last perhaps not yet whole;
    ``is_play_order_known``: whether it is known which card was played to which trick.
    """

    card_claims: tuple[CardClaim, ...]
    talon_cards: tuple[TalonCard, ...]
    exchanges: tuple[ExchangeCounts | None, ...]
    draw_order: tuple[Seat, ...]
    tricks: tuple[Trick, ...]
    trick_rules: TrickRules
    is_play_order_known: bool

    def without_cards(self, seqs: Container[Seq]) -> "Claims":
        """The claims with the cards of some entries forgotten, though not that they were there."""
        forgotten = [one for one in self.card_claims if one.is_uncounted and one.seq in seqs]
        card_claims = tuple(
            one._replace(cards=(), is_whole_hand=False) if one.seq in seqs else one
            for one in self.card_claims
        )
        talon = tuple(one for one in self.talon_cards if one.seq not in seqs)
        tricks = tuple(_hide_cards(trick, seqs) for trick in self.tricks)
        known = self.is_play_order_known and not any(self.has_played_since(one) for one in forgotten)
        return self._replace(
            card_claims=card_claims, talon_cards=talon, tricks=tricks, is_play_order_known=known
        )

    def has_played_since(self, claim: CardClaim) -> bool:
        """Whether who laid a card that does not count has played to a trick since."""
        return any(trick.number > claim.last_trick and claim.seat in trick.seats for trick in self.tricks)


def _hide_cards(trick: Trick, hidden: Container[Seq]) -> Trick:
    cards_with_seqs = zip(trick.cards, trick.seqs, strict=True)
    return trick._replace(
        cards=tuple(HIDDEN_CARD if seq in hidden else card for card, seq in cards_with_seqs)
    )


def collect_claims(entries: Log, state: State) -> Claims:
    """The claims of the entries of an effective history; ``state`` is the fold of just these."""
    collector = _ClaimCollector(state)
    for seq, event, _ in entries:
        collector.collect(seq, event)
    return collector.build()


class _ClaimCollector:
    """The claims in the making, entry after entry."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.card_claims: list[CardClaim] = []
        self.talon_cards: list[TalonCard] = []
        self.talon_cards_drawn: list[TalonCard] = []
        self.discard_counts: list[int | None] = [None, None, None]
        self.draw_counts: list[int | None] = [None, None, None]
        self.draw_order: list[Seat] = []
        self.last_trick = [0, 0, 0]
        self.has_play_begun = self.has_gap = self.is_contract_named = self.is_trick_unknown = (
            self.is_play_order_unsure
        ) = False
        self.cards_by_trick_number: dict[int, int] = {}
        self.unsure_claims: list[int] = []
        self.seats_with_unseen_play: set[Seat] = set()
        play = state.play
        current = (
            (Trick(len(play.tricks) + 1, play.seats, play.cards, play.seqs, None),) if play.seats else ()
        )
        self.tricks = (*play.tricks, *current)
        self.trick_of = {seq: trick.number for trick in self.tricks for seq in trick.seqs}

    def _current_hand_places(self, seat: Seat) -> PlaceMask:
        """Where the cards lie that ``seat`` holds at this moment."""
        if self.draw_counts[seat] is not None or self.has_play_begun or self.discard_counts[seat] == 0:
            return HAND_PLACES[seat]
        if self.discard_counts[seat] is not None:
            return DEALT_PLACES[seat] & HAND_PLACES[seat]
        return HAND_PLACES[seat] if self.has_gap else DEALT_PLACES[seat]

    def collect(self, seq: Seq, event: Event) -> None:
        """Take up what an entry tells."""
        match event:
            case CardPlayed():
                self._add_play(seq, event)
            case HandDealt():
                self.card_claims.append(
                    CardClaim(seq, DEALT_PLACES[event.seat], event.cards, event.seat, is_whole_hand=True)
                )
            case HandHeld() | CardsShown():
                self._add_hand(seq, event)
            case CardsDiscarded():
                if event.cards or self.discard_counts[event.seat] is None:
                    discarded = (self.discard_counts[event.seat] or 0) + len(event.cards)
                    self.discard_counts[event.seat] = discarded
                    self.card_claims.append(
                        CardClaim(seq, DISCARD_PLACES[event.seat], event.cards, event.seat)
                    )
            case CardsDrawn():
                self._add_draw(seq, event)
            case _:
                self._collect_talon(seq, event)

    def _collect_talon(self, seq: Seq, event: Event) -> None:
        """Take up what an entry tells of the talon, and what no card is told of."""
        match event:
            case TalonLaid():
                self.talon_cards += _talon_cards(seq, event.cards)
            case TalonTurned():
                self.talon_cards += _talon_cards(seq, (event.card,))
            case TalonSeen():
                places = TALON_REST_PLACES
                for seat in SEATS:
                    if self.draw_counts[seat] is None and not self.has_play_begun:
                        places |= DRAW_PLACES[seat]
                self.card_claims.append(CardClaim(seq, places, event.cards))
            case ContractNamed():
                self.is_contract_named, self.is_trick_unknown = True, False
            case GapNoted():
                self.has_gap = self.is_trick_unknown = True

    def _add_hand(self, seq: Seq, event: HandHeld | CardsShown) -> None:
        seat, is_whole_hand = event.seat, isinstance(event, HandHeld)
        is_exchange_unknown = (
            self.is_contract_named
            and self.discard_counts[seat] is None
            and self.draw_counts[seat] is None
            and not self.has_play_begun
        )
        if is_exchange_unknown and not (self.has_gap and is_whole_hand):
            self.unsure_claims.append(len(self.card_claims))
        places = self._current_hand_places(seat)
        self.card_claims.append(
            CardClaim(seq, places, event.cards, seat, self.last_trick[seat], is_whole_hand)
        )

    def _add_draw(self, seq: Seq, event: CardsDrawn) -> None:
        if not self.has_gap:
            depth = sum(count or 0 for count in self.draw_counts)
            self.talon_cards_drawn += [
                one for one in _talon_cards(seq, event.cards, depth) if CARD_BITS[one.card]
            ]
        self.draw_counts[event.seat] = (self.draw_counts[event.seat] or 0) + len(event.cards)
        self.draw_order.append(event.seat)
        self.card_claims.append(CardClaim(seq, DRAW_PLACES[event.seat], event.cards, event.seat))

    def _add_play(self, seq: Seq, event: CardPlayed) -> None:
        self.has_play_begun = True
        trick = self.trick_of.get(seq)
        if self.is_trick_unknown and trick is not None:
            self._resume_play_order(event.trick)
        if trick is not None:
            self.last_trick[event.seat] = trick
            self.is_play_order_unsure |= event.seat in self.seats_with_unseen_play
            return
        # It does not count, but it was held. What an unseen one was could have followed later.
        last_trick = self.last_trick[event.seat]
        self.card_claims.append(
            CardClaim(seq, HAND_PLACES[event.seat], (event.card,), event.seat, last_trick, is_uncounted=True)
        )
        if not CARD_BITS[event.card]:
            self.seats_with_unseen_play.add(event.seat)

    def _resume_play_order(self, number: int | None) -> None:
        """After a gap only a whole trick whose cards bear its number shows where the play stands."""
        if number is None:
            self.is_play_order_unsure = True
            return
        self.cards_by_trick_number[number] = self.cards_by_trick_number.get(number, 0) + 1
        self.is_trick_unknown = self.cards_by_trick_number[number] < len(SEATS)

    def build(self) -> Claims:
        state = self.state
        queue = seats_that_may_exchange(state)
        empty = sum(count or 0 for count in self.draw_counts) >= TALON_SIZE  # nobody else can have drawn
        is_exchange_over = (
            self.has_play_begun or state.phase == PLAY or (state.is_incomplete and state.phase >= EXCHANGE)
        )
        exchanges = tuple(
            self._exchange_counts(seat, is_exchange_over and not empty and seat in queue) for seat in SEATS
        )
        for index in self.unsure_claims:  # before or after an exchange of which nothing is told: nobody knows
            one = self.card_claims[index]
            if one.seat is not None and exchanges[one.seat] is None:
                places = DEALT_PLACES[one.seat] | HAND_PLACES[one.seat]
                self.card_claims[index] = one._replace(places=places, is_whole_hand=False)
        return Claims(
            tuple(self.card_claims),
            (*self.talon_cards, *self.talon_cards_drawn) if self.talon_cards else (),
            exchanges,
            tuple(dict.fromkeys(self.draw_order)),
            self.tricks,
            state.play.trick_rules,
            not self.is_play_order_unsure,
        )

    def _exchange_counts(self, seat: Seat, may_be_unrecorded: bool) -> ExchangeCounts | None:
        """What a seat has exchanged; an untold draw is as large as its discard, or the talon (RULES 4)."""
        discarded, drawn = self.discard_counts[seat], self.draw_counts[seat]
        if discarded is None and drawn is None:
            return None if may_be_unrecorded else ExchangeCounts(0, 0)
        if drawn is None:
            must_draw = self.state.phase == EXCHANGE and self.state.exchange.cards_to_draw
            pending = must_draw and self.state.exchange.queue[:1] == (seat,)
            left = TALON_SIZE - sum(count or 0 for count in self.draw_counts)
            return ExchangeCounts(discarded or 0, 0 if pending else min(discarded or 0, max(left, 0)))
        return ExchangeCounts(drawn if discarded is None else discarded, drawn)


def _talon_cards(seq: Seq, cards: tuple[Card, ...], depth: int = 0) -> list[TalonCard]:
    """The cards of the talon from ``depth`` on, those left out of which nothing is known."""
    return [TalonCard(seq, at, card) for at, card in enumerate(cards, depth) if card != HIDDEN_CARD]
