"""Random legal deals steered towards a contract and an end, played by asking the engine what is legal."""

import random
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine import START, Entry, State, evolve, legal
from engine.core.cards import (
    BLACK_ACES,
    CARD_OF,
    HAND_SIZE,
    NO_TRUMP,
    SEATS,
    SUIT_OF,
    Card,
    Seat,
    Suit,
    cards_in,
    mask_of,
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
from engine.legality import Legal
from engine.play.state import FINISHED, PLAY
from engine.rulesets import PUBLISHED, Rules, find


class Aim(NamedTuple):
    """What a deal is steered towards.

    ``contract``: what is to be played, None where all are to pass; ``bid``: by which bid, where it
    is not the contract's own ("forced": by spadille); ``strong``: whether the declarer is to win,
    None for chance; ``tries``: whether he goes on for all nine; ``acts``: what is done besides and
    when ("exchanged", "trick 4", "end"), its seat counted from the declarer.
    """

    contract: str | None
    bid: str | None = None
    strong: bool | None = None
    tries: bool = False
    acts: tuple[tuple[str, Event], ...] = ()


FORCED: Final = "forced"


def steered_deal(rng: random.Random, opened: DealOpened, aim: Aim) -> list[Event] | None:
    """A deal that was steered so, from its opening to its end; None where it went astray."""
    table = _Table(rng, opened, aim)
    return table.events if table.play_out() else None


class _Table:
    """A deal in the making: the events so far, the state, the talon that only chance knows."""

    def __init__(self, rng: random.Random, opened: DealOpened, aim: Aim) -> None:
        self.rng, self.aim = rng, aim
        rules = find(PUBLISHED, opened.ruleset, opened.revision, opened.switches)
        assert rules is not None, opened.ruleset
        self.rules: Rules = rules
        self.declarer = Seat(rng.randrange(3))
        contract = rules.contracts.get(aim.contract or "")
        self.nolo = contract is not None and contract.aim == "nolo"
        self.trump = self._suit_aimed_at()
        self.pending = list(aim.acts)
        self.events: list[Event] = []
        self.state: State = START
        pack = self._pack(contract is not None and contract.needs_black_aces)
        self.talon = pack[3 * HAND_SIZE :]
        self._record(opened)
        for seat in SEATS:
            self._record(HandDealt(seat, tuple(sorted(pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]))))

    def _suit_aimed_at(self) -> Suit:
        if self.nolo:
            return NO_TRUMP
        namings = [
            n for names in self.rules.naming.values() for n in names if n.contract == self.aim.contract
        ]
        suits = [trump for naming in namings for trump in naming.trumps] or [Suit(n) for n in range(4)]
        return self.rng.choice(suits)

    def _weakness(self, card: Card) -> int:
        """How many cards beat this one: 0 for spadille."""
        return self.rules.following(self.trump).beats[card].bit_count()

    def _pack(self, both_aces: bool) -> list[Card]:
        """The pack as dealt: by chance, or with a hand for the declarer that suits the aim."""
        pack = [Card(card) for card in range(40)]
        self.rng.shuffle(pack)
        if self.aim.strong is not None and self.rng.random() < 0.9:
            best_first = self.aim.strong is not self.nolo
            pack.sort(key=self._weakness, reverse=not best_first)
            pool, rest = pack[:17], pack[17:]
            self.rng.shuffle(pool)
            mine, rest = pool[:HAND_SIZE], pool[HAND_SIZE:] + rest
            self.rng.shuffle(rest)
        else:
            mine, rest = pack[:HAND_SIZE], pack[HAND_SIZE:]
        needed = BLACK_ACES if both_aces else 1 << CARD_OF["SA"] if self.aim.bid == FORCED else 0
        for card in cards_in(needed & ~mask_of(tuple(mine))):
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
        """Plays to the end; False where the aim is missed."""
        while True:
            self._act_besides()
            todo = legal(self.state)
            if todo is None:
                return self._act_at_the_end()
            if todo.optional and not self._goes_on(todo):
                return not self.pending
            if any(one.action == "show" for one in todo.also):
                declarer = todo.also[0].seat
                self._record(CardsShown(declarer, cards_in(self.state.play.held[declarer])))
                continue
            event = self._next(todo)
            if event is None:
                return False
            self._record(event)
            if isinstance(event, BidMade) and event.bid == "grand-tourne":
                self._record(CardsShown(event.seat, cards_in(BLACK_ACES)))

    def _goes_on(self, todo: Legal) -> bool:
        return self.aim.tries if todo.action == "play" else self.aim.contract in todo.calls

    def _act_besides(self) -> None:
        state = self.state
        if state.phase != PLAY:
            return
        while self.pending and self.state.phase == PLAY:
            when, event = self.pending[0]
            begun = len(state.play.tricks) + 1
            if state.play.cards or (when != f"trick {begun}" and (when, begun) != ("exchanged", 1)):
                return
            self.pending.pop(0)
            self._record(self._seated(event))

    def _act_at_the_end(self) -> bool:
        if self.pending and self.state.phase == FINISHED and self.pending[0][0] == "end":
            self._record(self._seated(self.pending.pop(0)[1]))
        return not self.pending

    def _seated(self, event: Any) -> Event:
        """An event whose seat is counted from the declarer, at the table."""
        seat_of = {name for name in ("seat", "at_fault") if getattr(event, name, None) is not None}
        seated: Event = replace(
            event, **{name: Seat((self.declarer + getattr(event, name)) % 3) for name in seat_of}
        )
        return seated

    def _next(self, todo: Legal) -> Event | None:
        if todo.action == "turn":
            return TalonTurned(self.talon[0])
        seat = todo.seat
        if seat is None:
            return None
        if todo.action == "bid":
            return BidMade(seat, self._call(seat, todo.calls))
        if todo.action == "name":
            return self._naming(seat, todo)
        if todo.action == "exchange":
            return self._discard(seat, todo)
        if todo.action == "draw":
            drawn = tuple(self.talon[: todo.least])
            del self.talon[: todo.least]
            return CardsDrawn(seat, drawn)
        return self._card(seat, todo)

    def _call(self, seat: Seat, calls: tuple[str, ...]) -> str:
        if self.aim.contract is None or self.aim.bid == FORCED or self._undertaken():
            return self.aim.contract if seat == self.declarer and self.aim.contract in calls else "pass"
        wanted = self.aim.bid or self.aim.contract
        if seat != self.declarer:
            return self._other_call(calls, wanted)
        if wanted in calls:
            return wanted
        standing = self.rules.naming.get(self.state.auction.standing or "", ())
        if "self" in calls and any(naming.contract == self.aim.contract for naming in standing):
            return "self"
        by_naming = [
            call for call in calls
            if any(naming.contract == self.aim.contract for naming in self.rules.naming.get(call, ()))
        ]  # fmt: skip
        return self.rng.choice(by_naming) if by_naming and wanted not in self.rules.bids else "pass"

    def _undertaken(self) -> bool:
        """Whether the contract is one that is undertaken after all have passed."""
        return self.aim.contract in self.rules.undertakings

    def _other_call(self, calls: tuple[str, ...], wanted: str) -> str:
        """A call of another player: sometimes a bid that can still be outbid."""
        ranks = {bid.id: bid.rank for bid in self.rules.bids.values() if not bid.needs_black_aces}
        highest = ranks.get(wanted, 1)
        lower = [call for call in calls if 0 < ranks.get(call, 0) < highest]
        return self.rng.choice(lower) if lower and self.rng.random() < 0.4 else "pass"

    def _naming(self, seat: Seat, todo: Legal) -> Event | None:
        open_to_him = dict(todo.contracts)
        if self.aim.contract not in open_to_him:
            return None
        suits = [SUIT_OF[trump] for trump in open_to_him[self.aim.contract]]
        if seat != self.declarer and self.aim.bid != FORCED:
            return None
        if self.trump not in suits and suits:
            self.trump = self.rng.choice(suits)
        if self.state.bargain.named:
            return TrumpNamed(seat, self.trump)
        return ContractNamed(seat, self.aim.contract, self.trump if suits else None)

    def _discard(self, seat: Seat, todo: Legal) -> Event:
        """The cards of no use, and as many as are no use."""
        trump = self.state.bargain.trump
        self.trump = self.trump if trump is None else trump
        hand = list(cards_in(self.state.play.held[seat]))
        self.rng.shuffle(hand)
        to_win = not self.nolo and (seat != self.declarer or self.aim.strong is not False)
        hand.sort(key=self._weakness, reverse=to_win)
        trumps = self.rules.following(self.trump).trumps
        useless = [card for card in hand if not trumps >> card & 1] if to_win else hand[:4]
        count = max(todo.least, min(todo.most, len(useless), self.rng.randint(2, 6)))
        return CardsDiscarded(seat, tuple(hand[:count]))

    def _card(self, seat: Seat, todo: Legal) -> Event:
        trump = self.state.bargain.trump
        self.trump = self.trump if trump is None else trump
        cards = [CARD_OF[code] for code in todo.cards]
        for_declarer = (
            self.aim.strong is not None and (seat == self.state.bargain.declarer) is self.aim.strong
        )
        if self.aim.strong is None or self.rng.random() < 0.35:
            return CardPlayed(seat, self.rng.choice(cards))
        high = for_declarer is not self.nolo
        return CardPlayed(seat, sorted(cards, key=self._weakness, reverse=not high)[0])
