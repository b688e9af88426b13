"""Random legal deals steered towards a contract and an outcome, played with the engine's legal actions."""

import random
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine import INITIAL_STATE, Entry, State, evolve, legal
from engine.core.cards import (
    BLACK_ACES,
    CARD_BY_CODE,
    HAND_SIZE,
    NO_TRUMP,
    SEATS,
    SUIT_BY_LETTER,
    Card,
    Seat,
    Suit,
    cards_in_mask,
    mask_of_cards,
)
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ContractNamed,
    DealOpened,
    Event,
    HandDealt,
    TalonTurned,
    TrumpNamed,
)
from engine.legality import LegalActions
from engine.play.state import FINISHED, PLAY
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset, find_ruleset


class DealAim(NamedTuple):
    """What a deal is steered towards.

    ``contract``: what to play, None if all pass; ``bid``: the bid that leads to it, if not the contract's own
    ("forced": by spadille); ``should_win``: whether the declarer wins, None for chance; ``tries_slam``:
    whether the declarer goes on for all nine; ``extra_events``: what else is done and when ("exchanged",
    "trick 4", "end"), its seat counted from the declarer.
    """

    contract: str | None
    bid: str | None = None
    should_win: bool | None = None
    tries_slam: bool = False
    extra_events: tuple[tuple[str, Event], ...] = ()


FORCED_BID: Final = "forced"


def build_steered_deal(rng: random.Random, opening: DealOpened, aim: DealAim) -> list[Event] | None:
    """A deal steered towards the aim, from its opening to its end; None if it missed the aim."""
    table = _SteeredTable(rng, opening, aim)
    return table.events if table.play_out() else None


class _SteeredTable:
    """A deal under construction: the events so far, the state, and the undealt talon."""

    def __init__(self, rng: random.Random, opening: DealOpened, aim: DealAim) -> None:
        self.rng, self.aim = rng, aim
        rules = find_ruleset(PUBLISHED_RULESETS, opening.ruleset, opening.revision, opening.switches)
        assert rules is not None, opening.ruleset
        self.rules: CompiledRuleset = rules
        self.declarer = Seat(rng.randrange(3))
        contract = rules.contracts.get(aim.contract or "")
        self.is_nolo = contract is not None and contract.aim == "nolo"
        self.trump = self._choose_trump()
        self.pending_events = list(aim.extra_events)
        self.events: list[Event] = []
        self.state: State = INITIAL_STATE
        pack = self._build_pack(contract is not None and contract.needs_black_aces)
        self.talon = pack[3 * HAND_SIZE :]
        self._record(opening)
        for seat in SEATS:
            self._record(HandDealt(seat, tuple(sorted(pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]))))

    def _choose_trump(self) -> Suit:
        if self.is_nolo:
            return NO_TRUMP
        namings = [
            n
            for names in self.rules.namings_by_bid.values()
            for n in names
            if n.contract == self.aim.contract
        ]
        suits = [trump for naming in namings for trump in naming.trumps] or [Suit(n) for n in range(4)]
        return self.rng.choice(suits)

    def _count_beating_cards(self, card: Card) -> int:
        """How many cards beat this one: 0 for spadille."""
        return self.rules.trick_rules(self.trump).beaten_by[card].bit_count()

    def _build_pack(self, both_aces: bool) -> list[Card]:
        """The pack as dealt: random, or with a hand for the declarer that suits the aim."""
        pack = [Card(card) for card in range(40)]
        self.rng.shuffle(pack)
        if self.aim.should_win is not None and self.rng.random() < 0.9:
            best_first = self.aim.should_win is not self.is_nolo
            pack.sort(key=self._count_beating_cards, reverse=not best_first)
            pool, rest = pack[:17], pack[17:]
            self.rng.shuffle(pool)
            mine, rest = pool[:HAND_SIZE], pool[HAND_SIZE:] + rest
            self.rng.shuffle(rest)
        else:
            mine, rest = pack[:HAND_SIZE], pack[HAND_SIZE:]
        needed = BLACK_ACES if both_aces else 1 << CARD_BY_CODE["SA"] if self.aim.bid == FORCED_BID else 0
        for card in cards_in_mask(needed & ~mask_of_cards(tuple(mine))):
            given = next(one for one in mine if not needed >> one & 1)
            rest[rest.index(card)] = given
            mine[mine.index(given)] = card
        others = [rest[:HAND_SIZE], rest[HAND_SIZE : 2 * HAND_SIZE]]
        hands = [mine if seat == self.declarer else others.pop() for seat in SEATS]
        return [card for hand in hands for card in hand] + rest[2 * HAND_SIZE :]

    def _record(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, Entry(len(self.events), event))

    def play_out(self) -> bool:
        """Play to the end; False if the aim is missed."""
        while True:
            self._record_extra_events()
            todo = legal(self.state)
            if todo is None:
                return self._record_final_event()
            if todo.optional and not self._should_continue(todo):
                return not self.pending_events
            if any(one.action == "show" for one in todo.other_actions):
                declarer = todo.other_actions[0].seat
                self._record(CardsShown(declarer, cards_in_mask(self.state.play.known_cards[declarer])))
                continue
            event = self._choose_event(todo)
            if event is None:
                return False
            self._record(event)
            if isinstance(event, BidMade) and event.bid == "grand-tourne":
                self._record(CardsShown(event.seat, cards_in_mask(BLACK_ACES)))

    def _should_continue(self, legal_actions: LegalActions) -> bool:
        return (
            self.aim.tries_slam
            if legal_actions.action == "play"
            else self.aim.contract in legal_actions.calls
        )

    def _record_extra_events(self) -> None:
        state = self.state
        if state.phase != PLAY:
            return
        while self.pending_events and self.state.phase == PLAY:
            when, event = self.pending_events[0]
            begun = len(state.play.tricks) + 1
            if state.play.cards or (when != f"trick {begun}" and (when, begun) != ("exchanged", 1)):
                return
            self.pending_events.pop(0)
            self._record(self._with_actual_seats(event))

    def _record_final_event(self) -> bool:
        if self.pending_events and self.state.phase == FINISHED and self.pending_events[0][0] == "end":
            self._record(self._with_actual_seats(self.pending_events.pop(0)[1]))
        return not self.pending_events

    def _with_actual_seats(self, event: Any) -> Event:
        """The event at the table, whose seat was counted from the declarer."""
        seat_of = {name for name in ("seat", "at_fault") if getattr(event, name, None) is not None}
        seated: Event = replace(
            event, **{name: Seat((self.declarer + getattr(event, name)) % 3) for name in seat_of}
        )
        return seated

    def _choose_event(self, legal_actions: LegalActions) -> Event | None:
        if legal_actions.action == "turn":
            return TalonTurned(self.talon[0])
        seat = legal_actions.seat
        if seat is None:
            return None
        if legal_actions.action == "bid":
            return BidMade(seat, self._choose_call(seat, legal_actions.calls))
        if legal_actions.action == "name":
            return self._choose_naming(seat, legal_actions)
        if legal_actions.action == "exchange":
            return self._choose_discard(seat, legal_actions)
        if legal_actions.action == "draw":
            drawn = tuple(self.talon[: legal_actions.min_count])
            del self.talon[: legal_actions.min_count]
            return CardsDrawn(seat, drawn)
        return self._choose_card(seat, legal_actions)

    def _choose_call(self, seat: Seat, calls: tuple[str, ...]) -> str:
        if self.aim.contract is None or self.aim.bid == FORCED_BID or self._is_after_all_pass():
            return self.aim.contract if seat == self.declarer and self.aim.contract in calls else "pass"
        wanted = self.aim.bid or self.aim.contract
        if seat != self.declarer:
            return self._choose_opponent_call(calls, wanted)
        if wanted in calls:
            return wanted
        standing = self.rules.namings_by_bid.get(self.state.auction.standing_bid or "", ())
        if "self" in calls and any(naming.contract == self.aim.contract for naming in standing):
            return "self"
        by_naming = [
            call for call in calls
            if any(naming.contract == self.aim.contract for naming in self.rules.namings_by_bid.get(call, ()))
        ]  # fmt: skip
        return self.rng.choice(by_naming) if by_naming and wanted not in self.rules.bids else "pass"

    def _is_after_all_pass(self) -> bool:
        """Whether the contract is one that is undertaken after all have passed."""
        return self.aim.contract in self.rules.bids_after_all_pass

    def _choose_opponent_call(self, calls: tuple[str, ...], wanted: str) -> str:
        """A call of another player: sometimes a bid that can still be outbid."""
        ranks = {bid.id: bid.rank for bid in self.rules.bids.values() if not bid.needs_black_aces}
        highest = ranks.get(wanted, 1)
        lower = [call for call in calls if 0 < ranks.get(call, 0) < highest]
        return self.rng.choice(lower) if lower and self.rng.random() < 0.4 else "pass"

    def _choose_naming(self, seat: Seat, legal_actions: LegalActions) -> Event | None:
        open_to_him = dict(legal_actions.contracts)
        if self.aim.contract not in open_to_him:
            return None
        suits = [SUIT_BY_LETTER[trump] for trump in open_to_him[self.aim.contract]]
        if seat != self.declarer and self.aim.bid != FORCED_BID:
            return None
        if self.trump not in suits and suits:
            self.trump = self.rng.choice(suits)
        if self.state.contract_state.is_named:
            return TrumpNamed(seat, self.trump)
        return ContractNamed(seat, self.aim.contract, self.trump if suits else None)

    def _choose_discard(self, seat: Seat, legal_actions: LegalActions) -> Event:
        """A discard of the useless cards, as far as the rules allow."""
        trump = self.state.contract_state.trump
        self.trump = self.trump if trump is None else trump
        hand = list(cards_in_mask(self.state.play.known_cards[seat]))
        self.rng.shuffle(hand)
        to_win = not self.is_nolo and (seat != self.declarer or self.aim.should_win is not False)
        hand.sort(key=self._count_beating_cards, reverse=to_win)
        trumps = self.rules.trick_rules(self.trump).trumps
        useless = [card for card in hand if not trumps >> card & 1] if to_win else hand[:4]
        count = max(
            legal_actions.min_count, min(legal_actions.max_count, len(useless), self.rng.randint(2, 6))
        )
        return CardsDiscarded(seat, tuple(hand[:count]))

    def _choose_card(self, seat: Seat, legal_actions: LegalActions) -> Event:
        trump = self.state.contract_state.trump
        self.trump = self.trump if trump is None else trump
        cards = [CARD_BY_CODE[code] for code in legal_actions.cards]
        for_declarer = (
            self.aim.should_win is not None
            and (seat == self.state.contract_state.declarer) is self.aim.should_win
        )
        if self.aim.should_win is None or self.rng.random() < 0.35:
            return CardPlayed(seat, self.rng.choice(cards))
        high = for_declarer is not self.is_nolo
        return CardPlayed(seat, sorted(cards, key=self._count_beating_cards, reverse=not high)[0])
