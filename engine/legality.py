"""``legal``: what may happen next (DESIGN 5)."""

from typing import NamedTuple

from engine.core.cards import SEAT_NAMES, SUITS, Seat, cards_in, codes_in
from engine.core.ranking import Following, playable
from engine.judging.exchange import limits
from engine.play.all_pass import undertaking_open
from engine.play.auction import calls_open, may_have_black_aces, may_hold_trump
from engine.play.exchange import may_yield
from engine.play.giving_up import ways_to_give_up
from engine.play.phases import namings_open
from engine.play.slam import may_announce, may_stop
from engine.play.state import CONTRACT, EXCHANGE, PLAY, TURN, State, is_over, trumps_due
from engine.play.surrender import open_offer, why_not
from engine.rulesets.model import ALL_SUITS


class Open(NamedTuple):
    """Something else that a seat may do now; ``pays`` what giving up would pay as."""

    action: str
    seat: Seat
    pays: str | None = None


class Legal(NamedTuple):
    """What may happen next; ``action`` is bid, name, turn, exchange, draw or play."""

    seat: Seat | None
    action: str
    calls: tuple[str, ...] = ()
    contracts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    least: int = 0
    most: int = 0
    cards: tuple[str, ...] = ()
    hidden: bool = False
    optional: bool = False
    also: tuple[Open, ...] = ()


def legal(state: State) -> Legal | None:
    """What may happen next; None when the deal is over, or nobody opened it."""
    if state.opening.opened is None or is_over(state):
        return None
    if state.phase < CONTRACT:
        turn = state.auction.turn
        calls = () if turn is None else tuple(calls_open(state, turn))
        return Legal(turn, "bid", calls=calls, optional=undertaking_open(state))
    if state.phase == CONTRACT:
        return Legal(state.bargain.declarer, "name", contracts=_contracts(state))
    if state.phase == TURN:
        return Legal(None, "turn", also=_also(state))
    if state.phase == EXCHANGE:
        return _exchange(state)
    return _play(state)


def _contracts(state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the winner of the auction may name: contract by contract, the trumps to choose from."""
    declarer, rules = state.bargain.declarer, state.opening.rules
    open_to_him = []
    for naming in namings_open(state):
        contract, trumps = rules.contracts[naming.contract], naming.trumps
        if contract.needs_black_aces and (declarer is None or not may_have_black_aces(state, declarer)):
            continue
        if contract.must_hold_trump and declarer is not None:
            trumps = tuple(trump for trump in trumps if may_hold_trump(state, declarer, trump))
        open_to_him.append((naming.contract, tuple(sorted(SUITS[trump] for trump in trumps))))
    return tuple(sorted(open_to_him))


def _late_trumps(state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    contract = state.bargain.contract
    assert contract is not None
    return ((contract.id, tuple(sorted(SUITS[trump] for trump in ALL_SUITS))),)


def _exchange(state: State) -> Legal | None:
    exchange = state.exchange
    if trumps_due(state):
        return Legal(state.bargain.declarer, "name", contracts=_late_trumps(state), also=_also(state))
    if not exchange.queue:
        return Legal(None, "exchange", also=_also(state))
    seat = exchange.queue[0]
    if exchange.owed:
        return Legal(seat, "draw", least=exchange.owed, most=exchange.owed, also=_also(state))
    least, most = limits(state, seat)
    return Legal(seat, "exchange", least=least, most=most, also=_also(state))


def _play(state: State) -> Legal:
    play = state.play
    seat = play.turn
    if seat is None:
        return Legal(None, "play", hidden=True, also=_also(state))
    mask, slots = play.held[seat], play.slots[seat]
    veiled = dict(play.veiled)
    if 0 in veiled:
        for lead in cards_in(veiled[0]):
            mask &= _certainly_playable(play.held[seat], slots, lead, play.table)
    elif play.cards and slots:
        mask = _certainly_playable(mask, slots, play.cards[0], play.table)
    elif play.cards:
        mask = playable(mask, play.cards[0], play.table)
    tried = not play.cards and may_stop(state, seat)
    return Legal(
        seat,
        "play",
        cards=tuple(codes_in(mask)),
        hidden=bool(slots) or 0 in veiled,
        optional=tried,
        also=_also(state),
    )


def _certainly_playable(held: int, slots: tuple[int, ...], lead: int, table: Following) -> int:
    """Of a hand not wholly known, the known cards that are legal whatever the others are."""
    unknown = 0
    for slot in slots:
        unknown |= slot
    following = held & table.suit[lead]
    if (held | unknown) & table.suit[lead] or not table.suit[lead]:
        may_be_compelled = (held | unknown) & table.compelling[lead] or not held & table.freeing[lead]
        return following if may_be_compelled else held
    return held


def _also(state: State) -> tuple[Open, ...]:
    """What else is open, sorted: giving up, claims and their answers, an open hand, yielding, a slam."""
    declarer, ending = state.bargain.declarer, state.ending
    rules, contract = state.opening.rules.ruleset, state.bargain.contract
    found: list[Open] = []
    if declarer is not None:
        found += [Open("abandon", declarer, pays) for pays in ways_to_give_up(state)]
    if ending.claim is not None:
        answered = ending.claim.accepted
        found += [Open("answer", Seat(seat)) for seat in range(3) if not answered >> seat & 1]
    elif declarer is not None and state.phase == PLAY:
        found.append(Open("claim", declarer))
    if contract is not None and declarer is not None and state.phase == PLAY and _laid_open_now(state):
        found.append(Open("show", declarer))
    yielding = may_yield(state)
    if yielding is not None:
        found.append(Open("yield", yielding))
    announcing = may_announce(state)
    if announcing is not None:
        found.append(Open("slam", announcing))
    offer = open_offer(state)
    if offer is not None:
        answering = (Seat(seat) for seat in range(3) if seat != offer.seat)
        found += [Open("answer", seat) for seat in answering if not offer.accepted >> seat & 1]
    elif declarer is not None and rules.surrender is not None and why_not(state) is None:
        found.append(Open("surrender", declarer))
    return tuple(sorted(found, key=lambda o: (o.action, SEAT_NAMES[o.seat], o.pays or "")))


def _laid_open_now(state: State) -> bool:
    """Whether the declarer is due to lay his hand open (RULES 5)."""
    contract, play = state.bargain.contract, state.play
    declarer = state.bargain.declarer
    if contract is None or declarer is None or contract.laid_open == "never":
        return False
    if play.tricks or not play.cards or state.knowledge.laid_open >> declarer & 1:
        return False
    return contract.laid_open == "after-lead" or declarer in play.seats
