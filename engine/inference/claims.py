"""What a record claims of the cards: its entries as facts about places, each with the entry it comes from.

A claim is only physical: these cards were dealt, laid away, drawn, shown, played. What follows by the rules
is inferred in other modules.

There are ten *places* (RULES 2, 4): a card dealt to a seat is laid away there or kept; a card of the talon is
drawn by a seat or left. Cards laid away reach nobody else.
"""

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, HIDDEN_CARD, SEATS, TALON_SIZE, Card, Seat
from engine.core.events import (
    BidMade,
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
from engine.play.exchange import seats_that_may_exchange
from engine.play.state import EXCHANGE, PLAY, State, Trick

PlaceMask = int
"""A set of places, as a mask."""

FATE_DISCARDED, FATE_KEPT, FATE_DRAWN = 0, 1, 2
"""The three places of each seat."""
TALON_REST_PLACE: Final = 9
"""The place of the cards left in the talon."""
PLACE_COUNT: Final = 10


def place_number(seat: Seat, fate: int) -> int:
    """The number of a place of ``seat``."""
    return 3 * seat + fate


def hand_cards(cards_by_place: Sequence[int], seat: Seat) -> int:
    """The cards in the two places of the hand with which ``seat`` plays."""
    return cards_by_place[place_number(seat, FATE_KEPT)] | cards_by_place[place_number(seat, FATE_DRAWN)]


DISCARD_PLACES: Final[tuple[PlaceMask, ...]] = tuple(
    1 << place_number(seat, FATE_DISCARDED) for seat in SEATS
)
DRAW_PLACES: Final[tuple[PlaceMask, ...]] = tuple(1 << place_number(seat, FATE_DRAWN) for seat in SEATS)
DEALT_PLACES: Final[tuple[PlaceMask, ...]] = tuple(
    DISCARD_PLACES[seat] | 1 << place_number(seat, FATE_KEPT) for seat in SEATS
)
HAND_PLACES: Final[tuple[PlaceMask, ...]] = tuple(
    DRAW_PLACES[seat] | 1 << place_number(seat, FATE_KEPT) for seat in SEATS
)
"""By seat: the cards it lays away, the cards it draws, the nine dealt to it, the hand it plays with."""
TALON_REST_PLACES: Final[PlaceMask] = 1 << TALON_REST_PLACE
ALL_PLACES: Final[PlaceMask] = (1 << PLACE_COUNT) - 1

CARD_LIST_EVENTS: Final = (HandDealt, HandHeld, CardsShown, CardsDiscarded, CardsDrawn, TalonLaid, TalonSeen)
SINGLE_CARD_EVENTS: Final = (CardPlayed, TalonTurned)
"""Events with several cards, and with one."""


def cards_of_event(event: Event) -> tuple[Card, ...]:
    """The cards of an event."""
    if isinstance(event, SINGLE_CARD_EVENTS):
        return (event.card,)
    return event.cards if isinstance(event, CARD_LIST_EVENTS) else ()


class CardClaim(NamedTuple):
    """The cards of one entry and the set of places where they can lie.

    ``seat``: who holds them then, None if nobody does; ``last_trick``: the last trick to which that seat has
    played by then, so these cards were not played to it or before. ``is_whole_hand``: these are all cards of
    the seat at that moment. ``is_uncounted``: the card was laid on the table after that trick and does not
    count, being second to a trick or after the end; it is out of the hand from then on.
    """

    seq: Seq
    places: PlaceMask
    cards: tuple[Card, ...]
    seat: Seat | None = None
    last_trick: int = 0
    is_whole_hand: bool = False
    is_uncounted: bool = False


class TalonCard(NamedTuple):
    """A card of the talon with its depth: 0 is the top as dealt."""

    seq: Seq
    depth: int
    card: Card


class ExchangeCounts(NamedTuple):
    """How many cards a seat has laid away and drawn."""

    discard_count: int
    draw_count: int


class Claims(NamedTuple):
    """All that a record claims of the cards, up to one point.

    ``exchanges``: by seat, None if only the size of the hand limits it; ``draw_order``: the seats known to
    have drawn, in that order; ``tricks``: as played, the last perhaps incomplete; ``is_play_order_known``:
    whether it is known which card was played to which trick.
    """

    card_claims: tuple[CardClaim, ...]
    talon_cards: tuple[TalonCard, ...]
    exchanges: tuple[ExchangeCounts | None, ...]
    draw_order: tuple[Seat, ...]
    tricks: tuple[Trick, ...]
    trick_rules: TrickRules
    is_play_order_known: bool

    def without_cards(self, seqs: Container[Seq]) -> "Claims":
        """The claims without the cards of some entries, but still with their number."""
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
        """Whether the seat that laid a card that does not count has played to a trick since."""
        return any(trick.number > claim.last_trick and claim.seat in trick.seats for trick in self.tricks)


def _hide_cards(trick: Trick, hidden: Container[Seq]) -> Trick:
    cards_with_seqs = zip(trick.cards, trick.seqs, strict=True)
    return replace(
        trick, cards=tuple(HIDDEN_CARD if seq in hidden else card for card, seq in cards_with_seqs)
    )


def collect_claims(entries: Log, state: State) -> Claims:
    """The claims of the entries of an effective history; ``state`` is the fold of just these."""
    collector = _ClaimCollector(state)
    for seq, event, _ in entries:
        collector.collect(seq, event)
    return collector.build()


class _ClaimCollector:
    """Builds the claims entry by entry."""

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
        """Where the cards lie that ``seat`` holds now."""
        if self.draw_counts[seat] is not None or self.has_play_begun or self.discard_counts[seat] == 0:
            return HAND_PLACES[seat]
        if self.discard_counts[seat] is not None:
            return DEALT_PLACES[seat] & HAND_PLACES[seat]
        return HAND_PLACES[seat] if self.has_gap else DEALT_PLACES[seat]

    def collect(self, seq: Seq, event: Event) -> None:
        """Add the claims of an entry."""
        match event:
            case CardPlayed():
                self._add_play(seq, event)
            case BidMade():
                pass  # tells nothing of the cards, and comes often
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
        """Add what an entry says of the talon, and note entries without cards."""
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
        # It does not count, but it was held. A hidden one could have followed suit later.
        last_trick = self.last_trick[event.seat]
        self.card_claims.append(
            CardClaim(seq, HAND_PLACES[event.seat], (event.card,), event.seat, last_trick, is_uncounted=True)
        )
        if not CARD_BITS[event.card]:
            self.seats_with_unseen_play.add(event.seat)

    def _resume_play_order(self, number: int | None) -> None:
        """After a gap, only a whole trick of numbered cards shows how far the play is."""
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
        for index in self.unsure_claims:  # before or after an unrecorded exchange: unknown
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
        """What a seat has exchanged; an unrecorded draw equals the discard, or the talon (RULES 4)."""
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
    """The cards of the talon from ``depth`` on, without those of which nothing is known."""
    return [TalonCard(seq, at, card) for at, card in enumerate(cards, depth) if card != HIDDEN_CARD]
