"""Deals with exactly one fault in them: what the findings must name, and where.

`FAULTS[name](rng)` (or the function of that name) draws random legal deals until one has room for the fault,
plants it, and lets the table play on as if nobody had noticed, wherever what follows can be read in one way
only; else the deal breaks off at the fault.

It returns `(events, seq, codes)`: the deal, the 1-based place of the faulty event, and the codes of which one
must be found there (several where the same fault may well be named in either way).
"""

import random
from collections.abc import Callable, Collection

from tests.slow import model
from tests.slow.generator import (
    Due,
    Plan,
    acts,
    deal_hands,
    go_on,
    naming,
    random_deal,
    random_plan,
    talon_order,
)
from tests.slow.model import Event

Fault = tuple[list[Event], int, set[str]]
Plant = Callable[[random.Random], Fault]
FaultAt = Callable[[list[Event], Due, random.Random], Event | None]
GoOn = Callable[[list[Event], random.Random], list[Event]]

FAULTS: dict[str, Plant] = {}
BLACK_ACES = {"SA", "CA"}  # kept out of faulty hands, lest a bid of grand-tourne be a second fault


def _fault(
    action: str,
    *codes: str,
    then: GoOn = go_on,
    contracts: Collection[str] = (),
    talon: bool = False,
) -> Callable[[FaultAt], Plant]:
    """Make a fault of a function: it gives the faulty event where `action` is due, None if there is no room.

    `then` is how the table goes on; `contracts` and `talon` say what deals to look in.
    """

    def made_of(fault_at: FaultAt) -> Plant:
        def plant(rng: random.Random) -> Fault:
            while True:
                contract = rng.choice(sorted(contracts)) if contracts else None
                deal = random_deal(rng, contract=contract, talon=talon or rng.random() < 0.3)
                places = [(length, due) for length, due in acts(deal) if due["action"] == action]
                for length, due in rng.sample(places, len(places)):
                    event = fault_at(deal[:length], due, rng)
                    if event is not None:
                        return then([*deal[:length], event], rng), length + 1, set(codes)

        return _listed(fault_at.__name__, fault_at.__doc__, plant)

    return made_of


def _listed(name: str, doc: str | None, plant: Plant) -> Plant:
    plant.__name__, plant.__doc__ = name, doc
    FAULTS[name] = plant
    return plant


def _break_off(events: list[Event], rng: random.Random) -> list[Event]:
    return events


def _hand(before: list[Event], seat: str) -> list[str]:
    hand: list[str] = model.fold(before)["hands"][seat]
    return hand


# --- Auction and contract ---------------------------------------------------------------------------


def _bids_above(before: list[Event], seat: str, rank: int) -> list[str]:
    """The bids of higher rank that the seat may make: grand-tourne only with both black aces."""
    aces = set(model.fold(before)["dealt"][seat]) >= BLACK_ACES
    return [bid for bid, own in model.RANK_OF_BID.items() if own > rank and (aces or bid != "grand-tourne")]


def _standing_rank(before: list[Event]) -> int:
    standing = model.auction(model.fold(before)["calls"])["standing"]
    return model.RANK_OF_BID[standing] if standing else 0


def _passed(before: list[Event]) -> list[str]:
    return [seat for seat, call in model.fold(before)["calls"] if call == "pass"]


def _clear_raises(events: list[Event]) -> list[str]:
    """What the next to speak can bid above all that was said, so that it is clear again what stands."""
    due = model.legal(events)
    if due is None or due["action"] != "bid":
        return []
    highest = max(model.RANK_OF_BID.get(call, 0) for _, call in model.fold(events)["calls"])
    return _bids_above(events, due["seat"], highest)


def _if_it_can_be_outbid(before: list[Event], seat: str, bid: str) -> Event | None:
    event = {"type": "bid_made", "seat": seat, "bid": bid}
    return event if _clear_raises([*before, event]) else None


def _outbid_and_play(events: list[Event], rng: random.Random) -> list[Event]:
    """The next to speak outbids whatever was said before, gets the contract and plays it."""
    due = model.legal(events)
    assert due is not None
    bid = rng.choice(_clear_raises(events))
    contract = rng.choice(model.NAMING_RIGHT.get(bid, [bid]))
    plan: Plan = {"declarer": due["seat"], "bid": bid, "contract": contract}
    return go_on([*events, {"type": "bid_made", "seat": due["seat"], "bid": bid}], rng, plan)


def _high_bid(before: list[Event], seats: list[str], rng: random.Random) -> Event | None:
    """A bid by one of these seats that outranks the standing one, if there is any."""
    choices = [(seat, bid) for seat in seats for bid in _bids_above(before, seat, _standing_rank(before))]
    if not choices:
        return None
    seat, bid = rng.choice(choices)
    return {"type": "bid_made", "seat": seat, "bid": bid}


@_fault("bid", "bid_too_low", then=_outbid_and_play)
def bid_too_low(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A bid that does not outrank the standing one."""
    duel, rank = model.auction(model.fold(before)["calls"]), _standing_rank(before)
    low = [bid for bid, own in model.RANK_OF_BID.items() if own <= rank and bid != "grand-tourne"]
    if duel["elder"] and duel["standing"] in low:
        low.remove(duel["standing"])  # an elder who repeats it has said self
    return _if_it_can_be_outbid(before, due["seat"], rng.choice(low)) if low else None


@_fault("bid", "bid_not_allowed", then=_outbid_and_play)
def self_by_the_younger(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """The younger of a duel says self, which only the elder may."""
    duel = model.auction(model.fold(before)["calls"])
    if duel["elder"] or duel["standing"] is None:
        return None
    return _if_it_can_be_outbid(before, due["seat"], "self")


@_fault("bid", "bid_not_allowed", then=_outbid_and_play)
def grand_tourne_without_aces(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Grand-tourne bid, or taken over by self, by one who was not dealt both black aces."""
    if set(_hand(before, due["seat"])) >= BLACK_ACES:
        return None
    duel = model.auction(model.fold(before)["calls"])
    if duel["elder"] and duel["standing"] == "grand-tourne":
        return _if_it_can_be_outbid(before, due["seat"], "self")
    if _standing_rank(before) >= model.RANK_OF_BID["grand-tourne"]:
        return None
    return _if_it_can_be_outbid(before, due["seat"], "grand-tourne")


@_fault("bid", "wrong_seat", then=_break_off)
def bid_out_of_turn(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A bid, high enough, by one who has not passed but whose turn it is not."""
    away = {due["seat"], *_passed(before)}
    return _high_bid(before, [seat for seat in model.SEATS if seat not in away], rng)


@_fault("bid", "bid_not_allowed", "wrong_seat", then=_break_off)
def bid_after_pass(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A bid, high enough, by one who has passed."""
    return _high_bid(before, _passed(before), rng)


@_fault("name", "contract_not_allowed")
def contract_outside_the_right(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """The winner names a contract, lower or higher, to which his bid gives no right; it is played."""
    allowed = [entry["contract"] for entry in due["contracts"]]
    contract = rng.choice([contract for contract in model.TARIFF if contract not in allowed])
    return naming(due["seat"], {"contract": contract, "trumps": model.TRUMPS_TO_NAME.get(contract, [])}, rng)


@_fault("name", "contract_not_allowed", "wrong_seat", then=_break_off)
def contract_by_a_loser(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """One who lost the auction names what the winner might have named."""
    loser = rng.choice([seat for seat in model.SEATS if seat != due["seat"]])
    return naming(loser, rng.choice(due["contracts"]), rng)


# --- Exchange ---------------------------------------------------------------------------------------


def _draw_as_many_and_play(events: list[Event], rng: random.Random) -> list[Event]:
    """A discard that was not due is followed by its draw."""
    seat, count = events[-1]["seat"], len(events[-1]["cards"])
    return go_on(
        [*events, {"type": "cards_drawn", "seat": seat, "cards": talon_order(events, rng)[:count]}], rng
    )


def _stand_and_play(events: list[Event], rng: random.Random) -> list[Event]:
    """Whoever has yet to exchange stands, so that it does not matter what is on top now."""
    deal = list(events)
    while (due := model.legal(deal)) and due["action"] == "exchange":
        deal.append({"type": "cards_discarded", "seat": due["seat"], "cards": []})
    return go_on(deal, rng)


def _small_discard(before: list[Event], seat: str, rng: random.Random) -> Event:
    """One to three cards: as many the talon always has."""
    return {
        "type": "cards_discarded",
        "seat": seat,
        "cards": rng.sample(_hand(before, seat), rng.randint(1, 3)),
    }


@_fault("draw", "exchange_count", "exchange_mismatch")
def one_card_too_many(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A seat draws one card more than he discarded, and plays with ten."""
    order = talon_order(before, rng)
    if len(order) <= due["count"]:
        return None
    return {"type": "cards_drawn", "seat": due["seat"], "cards": order[: due["count"] + 1]}


@_fault("draw", "exchange_count", "exchange_mismatch")
def one_card_too_few(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A seat draws one card less than he discarded, and plays with eight as long as they last."""
    if due["count"] < 2:
        return None  # a draw of no card at all is not written down
    order = talon_order(before, rng)
    return {"type": "cards_drawn", "seat": due["seat"], "cards": order[: due["count"] - 1]}


@_fault("exchange", "exchange_count", contracts=["tourne", "grand-tourne", "simple-nolo"])
def too_few_discarded(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Declarer exchanges less than tourné, tourné respect or købe-nolo asks of him."""
    if due["min"] == 0:
        return None
    cards = rng.sample(_hand(before, due["seat"]), rng.randrange(due["min"]))
    return {"type": "cards_discarded", "seat": due["seat"], "cards": cards}


@_fault("play", "exchange_not_allowed", then=_draw_as_many_and_play, contracts=model.NOLO)
def exchange_in_nolo_by_a_defender(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A defender exchanges in a nolo before the first lead."""
    state = model.fold(before)
    if state["tricks"]:
        return None
    return _small_discard(before, rng.choice([s for s in model.SEATS if s != state["declarer"]]), rng)


@_fault("exchange", "exchange_not_allowed", then=_draw_as_many_and_play, contracts=model.SUIT_SOLO)
def exchange_by_a_solo_declarer(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Declarer exchanges in a solo, before the defenders do."""
    state = model.fold(before)
    return None if state["discarded"] else _small_discard(before, state["declarer"], rng)


@_fault("draw", "talon_mismatch", then=_stand_and_play, talon=True)
def wrong_card_drawn(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """The talon's order is known, and one card drawn lay deeper; a turned card is drawn in any case."""
    order, count = talon_order(before, rng), due["count"]
    first = 1 if order[0] == model.fold(before)["turned"] else 0
    if len(order) == count or first == count:
        return None
    drawn = order[:count]
    drawn[rng.randrange(first, count)] = rng.choice(order[count:])
    return {"type": "cards_drawn", "seat": due["seat"], "cards": drawn}


# --- Play -------------------------------------------------------------------------------------------


def _card_played(seat: str, cards: list[str], rng: random.Random) -> Event | None:
    return {"type": "card_played", "seat": seat, "card": rng.choice(cards)} if cards else None


def _leave_it_alone_and_play(events: list[Event], rng: random.Random) -> list[Event]:
    """Nobody plays the card again, who holds it least of all."""
    return go_on(events, rng, without=[events[-1]["card"]])


def _cards_seen(before: list[Event]) -> list[str]:
    return [event["card"] for event in before if event["type"] == "card_played"]


def _that_suit(before: list[Event], cards: list[str]) -> list[str]:
    """The cards that follow suit, so that a card not held is no revoke besides; to lead with, all."""
    state = model.fold(before)
    if not state["tricks"] or len(state["tricks"][-1]) == 3:
        return cards
    suit = model.suit_of(state["tricks"][-1][0][1], state["trump"])
    return [card for card in cards if model.suit_of(card, state["trump"]) == suit]


@_fault("play", "revoke")
def revoke(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A card of another suit by one who had to follow; the matador privilege does not cover it."""
    forbidden = [card for card in _hand(before, due["seat"]) if card not in due["cards"]]
    return _card_played(due["seat"], forbidden, rng)


@_fault("play", "card_not_held", then=_leave_it_alone_and_play)
def card_of_another(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A card that another one holds."""
    others = [card for seat in model.SEATS if seat != due["seat"] for card in _hand(before, seat)]
    return _card_played(due["seat"], _that_suit(before, others), rng)


@_fault("play", "card_not_held", then=_leave_it_alone_and_play)
def card_of_the_talon(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A card that lies in the talon or was discarded."""
    gone = {card for seat in model.SEATS for card in _hand(before, seat)} | set(_cards_seen(before))
    return _card_played(due["seat"], _that_suit(before, [c for c in model.PACK if c not in gone]), rng)


@_fault("play", "card_duplicated", "card_not_held", then=_leave_it_alone_and_play)
def card_played_twice(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """A card that has been played before, by him or by another."""
    return _card_played(due["seat"], _that_suit(before, _cards_seen(before)), rng)


@_fault("play", "wrong_seat")
def play_out_of_turn(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """The third plays to a trick before the second, who then plays third."""
    state = model.fold(before)
    if not state["tricks"] or len(state["tricks"][-1]) != 1:
        return None
    leader, led = state["tricks"][-1][0]
    third = model.seats_from(leader)[2]
    return _card_played(third, model.playable(_hand(before, third), led, state["trump"]), rng)


@_fault("play", "wrong_seat")
def wrong_leader(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """One who did not win the last trick leads to the next."""
    tricks = model.fold(before)["tricks"]
    if not tricks or len(tricks[-1]) != 3:
        return None
    other = rng.choice([seat for seat in model.SEATS if seat != due["seat"]])
    return _card_played(other, _hand(before, other), rng)


@_fault("play", "slam_not_allowed")
def slam_announced(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Declarer announces tout, which there is none of in dlu."""
    declarer = model.fold(before)["declarer"]
    return {"type": "slam_announced", "seat": declarer} if due["seat"] == declarer else None


# --- Giving up --------------------------------------------------------------------------------------


def _giving_up_as_bete(before: list[Event]) -> Event | None:
    """The words of one who gives up, while it is open yet what the deal pays."""
    if model.score(before)["decided"]:
        return None
    return {"type": "deal_abandoned", "seat": model.fold(before)["declarer"], "pays": "bete"}


@_fault("play", "abandon_not_allowed", contracts=model.MAY_GIVE_UP_AS_BETE)
def abandoned_too_late(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Declarer gives up against bête when two cards or more have been played."""
    return _giving_up_as_bete(before) if len(_cards_seen(before)) >= 2 else None


@_fault("play", "abandon_not_allowed", contracts=model.NOLO)
def nolo_abandoned_as_bete(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Declarer gives up against bête in a nolo, where he may only give up as codille."""
    return _giving_up_as_bete(before)


@_fault("play", "abandon_not_allowed", contracts=model.SUIT_SOLO)
def solo_abandoned_as_bete(before: list[Event], due: Due, rng: random.Random) -> Event | None:
    """Declarer gives up against bête in a solo, where he may only give up as codille."""
    return _giving_up_as_bete(before)


# --- Faults that are not in the way of an act that is due -----------------------------------------------


def _whole(plant: Plant) -> Plant:
    return _listed(plant.__name__, plant.__doc__, plant)


def _opening(rng: random.Random) -> tuple[list[Event], Plan, int]:
    """Three hands without a talon, a plan that leans on no holding, and the place of one of the hands."""
    plan = random_plan(rng, rng.choice([contract for contract in model.TARIFF if contract != "grand-tourne"]))
    return deal_hands(rng, plan), plan, rng.choice([1, 2, 3])


@_whole
def hand_of_eight(rng: random.Random) -> Fault:
    """A hand with a card too few; he plays as long as they last."""
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


@_whole
def wrong_settlement(rng: random.Random) -> Fault:
    """The table paid something else than the deal pays: the wrong way round, or one chip astray."""
    deal = random_deal(rng)
    payments: dict[str, int] = dict(model.score(deal)["payments"])
    if any(payments.values()) and rng.random() < 0.5:
        payments = {seat: -chips for seat, chips in payments.items()}
    else:
        giver, taker = rng.sample(model.SEATS, 2)
        payments[giver] -= 1
        payments[taker] += 1
    return [*deal, {"type": "deal_settled", "payments": payments}], len(deal) + 1, {"settlement_mismatch"}
