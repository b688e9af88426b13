"""Deals of `dlu` with exactly one fault in them: what the findings must name, and where.

`FAULTS[name](rng)` (or the function of that name) draws random legal deals until one has room for the fault,
plants it, and lets the table play on as if nobody had noticed, wherever what follows can be read in one way
only; else the deal breaks off at the fault.

It returns `(events, seq, codes)`: the deal, the 1-based place of the faulty event, and the codes of which one
must be found there (several where the same fault may well be named in either way).
"""

import random
from collections.abc import Callable, Collection

from tests.properties.slow import model, planting
from tests.properties.slow.__main__ import DANISH
from tests.properties.slow.generator import Plan, deal_hands, go_on, random_deal, random_plan, talon_order
from tests.properties.slow.model import Event
from tests.properties.slow.planting import FaultAt, Planter, Point, at_a_point, bid_made, discard

Fault = tuple[list[Event], int, set[str]]
Plant = Callable[[random.Random], Fault]
GoOn = Callable[[list[Event], random.Random], list[Event] | None]

FAULTS: dict[str, Plant] = {}
BLACK_ACES = {"SA", "CA"}  # kept out of faulty hands, lest a bid of grand-tourne be a second fault


def _planted_by(
    planter: Planter, then: GoOn = go_on, contracts: Collection[str] = (), talon: bool = False
) -> Plant:
    """List a planter. `then` is how the table goes on: None where it cannot, and another deal is tried.

    `contracts` and `talon` say what deals to look in.
    """

    def plant(rng: random.Random) -> Fault:
        while True:
            contract = rng.choice(sorted(contracts)) if contracts else None
            deal = random_deal(rng, contract=contract, talon=talon or rng.random() < 0.3)
            made = planter(deal, DANISH, rng)
            after = then(made[0], rng) if made else None
            if made and after is not None:
                return after, len(made[0]), made[1]

    FAULTS[planter.__name__] = plant
    return plant


def _fault(
    action: str, *codes: str, then: GoOn = go_on, contracts: Collection[str] = (), talon: bool = False
) -> Callable[[FaultAt], Plant]:
    return lambda fault_at: _planted_by(at_a_point(action, *codes)(fault_at), then, contracts, talon)


def _break_off(events: list[Event], rng: random.Random) -> list[Event]:
    return events


def _outbid_and_play(events: list[Event], rng: random.Random) -> list[Event] | None:
    """The next to speak outbids whatever was said before, gets the contract and plays it."""
    due, state = model.legal_of(events), model.fold(events)
    if due is None or due["action"] != "bid":
        return None
    rank, aces = model.RANK_OF_BID, set(state["dealt"][due["seat"]]) >= BLACK_ACES
    highest = max(rank.get(call, 0) for _, call in state["calls"])
    raises = [bid for bid, own in rank.items() if own > highest and (aces or bid != "grand-tourne")]
    if not raises:
        return None
    bid = rng.choice(raises)
    contract = rng.choice(model.NAMING_RIGHT.get(bid, [bid]))
    plan: Plan = {"declarer": due["seat"], "bid": bid, "contract": contract}
    return go_on([*events, {"type": "bid_made", "seat": due["seat"], "bid": bid}], rng, plan)


def _play_it(events: list[Event], rng: random.Random) -> list[Event] | None:
    """The contract is played, if it is one of `dlu`."""
    return go_on(events, rng) if events[-1]["contract"] in model.TARIFF else None


def _draw_as_many_and_play(events: list[Event], rng: random.Random) -> list[Event]:
    """A discard that was not due is followed by its draw."""
    seat, count = events[-1]["seat"], len(events[-1]["cards"])
    drawn = {"type": "cards_drawn", "seat": seat, "cards": talon_order(events, rng)[:count]}
    return go_on([*events, drawn], rng)


def _stand_and_play(events: list[Event], rng: random.Random) -> list[Event]:
    """Whoever has yet to exchange stands, so that it does not matter what is on top now."""
    deal = list(events)
    while (due := model.legal_of(deal)) and due["action"] == "exchange":
        deal.append(discard(due["seat"], []))
    return go_on(deal, rng)


def _leave_it_alone_and_play(events: list[Event], rng: random.Random) -> list[Event] | None:
    """Nobody plays the card again. Not in nolo ouvert, where the hand laid open would be a card too large."""
    if model.fold(events)["contract"] == "nolo-ouvert":
        return None
    return go_on(events, rng, without=[events[-1]["card"]])


revoke = _planted_by(planting.revoke)
_planted_by(planting.card_of_another, _leave_it_alone_and_play)
_planted_by(planting.card_that_lies_in_the_talon, _leave_it_alone_and_play)
_planted_by(planting.card_played_twice, _leave_it_alone_and_play)
_planted_by(planting.play_out_of_turn)
_planted_by(planting.wrong_leader)
_planted_by(planting.bid_too_low, _outbid_and_play)
_planted_by(planting.bid_out_of_turn, _break_off)
_planted_by(planting.bid_after_pass, _break_off)
_planted_by(planting.contract_that_the_bid_does_not_allow, _play_it)
_planted_by(planting.named_by_another, _break_off)
_planted_by(planting.one_too_many_drawn)
_planted_by(planting.one_too_few_drawn)
_planted_by(planting.too_few_discarded, contracts=["tourne", "grand-tourne", "simple-nolo"])
_planted_by(planting.wrong_settlement, _break_off)


@_fault("bid", "bid_not_allowed", then=_outbid_and_play)
def self_by_the_younger(at: Point, rng: random.Random) -> Event | None:
    """The younger of a duel says self, which only the elder may."""
    duel = model.auction(at.state["calls"])
    return None if duel["elder"] or duel["standing"] is None else bid_made(at.seat, ["self"], rng)


@_fault("bid", "bid_not_allowed", then=_outbid_and_play)
def grand_tourne_without_aces(at: Point, rng: random.Random) -> Event | None:
    """Grand-tourne bid, or taken over by self, by one who was not dealt both black aces."""
    duel = model.auction(at.state["calls"])
    if set(at.hand(at.seat)) >= BLACK_ACES:
        return None
    if duel["elder"] and duel["standing"] == "grand-tourne":
        return bid_made(at.seat, ["self"], rng)
    rank = model.RANK_OF_BID
    free = rank["grand-tourne"] > rank.get(duel["standing"], 0)
    return bid_made(at.seat, ["grand-tourne"], rng) if free else None


def _small_discard(at: Point, seat: str, rng: random.Random) -> Event:
    """One to three cards: as many the talon always has."""
    return discard(seat, rng.sample(at.hand(seat), rng.randint(1, 3)))


@_fault("play", "exchange_not_allowed", then=_draw_as_many_and_play, contracts=model.NOLO)
def exchange_in_nolo_by_a_defender(at: Point, rng: random.Random) -> Event | None:
    """A defender exchanges in a nolo before the first lead."""
    defenders = [seat for seat in model.SEATS if seat != at.state["declarer"]]
    return None if at.state["tricks"] else _small_discard(at, rng.choice(defenders), rng)


@_fault("exchange", "exchange_not_allowed", then=_draw_as_many_and_play, contracts=model.SUIT_SOLO)
def exchange_by_a_solo_declarer(at: Point, rng: random.Random) -> Event | None:
    """Declarer exchanges in a solo, before the defenders do."""
    return None if at.state["discarded"] else _small_discard(at, at.state["declarer"], rng)


@_fault("draw", "talon_mismatch", then=_stand_and_play, talon=True)
def wrong_card_drawn(at: Point, rng: random.Random) -> Event | None:
    """The talon's order is known, and one card drawn lay deeper; a turned card is drawn in any case."""
    order, count = talon_order(at.before, rng), at.due["count"]
    first = 1 if order[0] == at.state["turned"] else 0
    if len(order) == count or first == count:
        return None
    drawn = order[:count]
    drawn[rng.randrange(first, count)] = rng.choice(order[count:])
    return {**at.done, "cards": drawn}


@_fault("play", "slam_not_allowed")
def slam_announced(at: Point, rng: random.Random) -> Event | None:
    """Declarer announces tout, which there is none of in dlu."""
    declarer = at.state["declarer"]
    return {"type": "slam_announced", "seat": declarer} if at.seat == declarer else None


def _given_up_as_bete(name: str, contracts: Collection[str], after: int) -> None:
    """List a fault: declarer gives up against bête, so many cards being played and nothing decided."""

    def fault_at(at: Point, rng: random.Random) -> Event | None:
        event = {"type": "deal_abandoned", "seat": at.state["declarer"], "pays": "bete"}
        return None if len(at.played) < after or model.score_of(at.before)["decided"] else event

    fault_at.__name__ = name
    _fault("play", "abandon_not_allowed", then=_break_off, contracts=contracts)(fault_at)


_given_up_as_bete("abandoned_after_two_cards", model.MAY_GIVE_UP_AS_BETE, 2)
_given_up_as_bete("nolo_abandoned_as_bete", model.NOLO, 0)
_given_up_as_bete("solo_abandoned_as_bete", model.SUIT_SOLO, 0)


def _whole(plant: Plant) -> Plant:
    FAULTS[plant.__name__] = plant
    return plant


def _opening(rng: random.Random) -> tuple[list[Event], Plan, int]:
    """Three hands without a talon, a plan that leans on no holding, and the place of one of the hands."""
    plan = random_plan(rng, rng.choice([contract for contract in model.TARIFF if contract != "grand-tourne"]))
    return deal_hands(rng, plan), plan, rng.choice([1, 2, 3])


@_whole
def hand_of_eight(rng: random.Random) -> Fault:
    """It is played as long as it lasts."""
    events, plan, place = _opening(rng)
    events[place]["cards"].pop()
    return go_on(events, rng, plan), place + 1, {"hand_size"}


@_whole
def hand_of_ten(rng: random.Random) -> Fault:
    """A hand with a card too many, which nobody else has."""
    events, plan, place = _opening(rng)
    events[place]["cards"].append(rng.choice([c for c in talon_order(events, rng) if c not in BLACK_ACES]))
    return go_on(events, rng, plan), place + 1, {"hand_size"}


@_whole
def card_in_two_hands(rng: random.Random) -> Fault:
    """Two hands with the same card, which neither of them lets go."""
    events, plan, place = _opening(rng)
    first, second = sorted([place, rng.choice([other for other in (1, 2, 3) if other != place])])
    card = rng.choice([card for card in events[first]["cards"] if card not in BLACK_ACES])
    events[second]["cards"][rng.randrange(9)] = card
    return go_on(events, rng, plan, without=[card]), second + 1, {"card_duplicated"}
