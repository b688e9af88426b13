"""Single faults, planted into a legal deal of any ruleset: where they are, and what they have to be called.

A planter gets a legal deal and the second reading of its rules. It returns the deal up to and with the fault,
and the codes of which one has to be found there; or None where this deal has no room for it.
"""

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from tests.properties.slow import model
from tests.properties.slow.cards import PACK, suit_of
from tests.properties.slow.compare import Second
from tests.properties.slow.model import SEATS

Event = dict[str, Any]
Json = dict[str, Any]
Planted = tuple[list[Event], set[str]]
Planter = Callable[[list[Event], Second, random.Random], Planted | None]
PLANTERS: dict[str, Planter] = {}
KIND_OF = {
    "bid": "bid_made",
    "name": "contract_named",
    "exchange": "cards_discarded",
    "draw": "cards_drawn",
    "play": "card_played",
}
CONTRACTS = [*model.TARIFF, "play", "voltereta", "oros"]


class Point(NamedTuple):
    """A point of a legal deal: the events before it, what the rules ask for there, and what was done."""

    before: list[Event]
    due: Json
    done: Event
    state: Json

    @property
    def seat(self) -> str:
        return str(self.due["seat"])

    @property
    def passed(self) -> list[str]:
        return [seat for seat, call in self.state["calls"] if call == "pass"]

    @property
    def played(self) -> list[str]:
        return [event["card"] for event in self.before if event["type"] == "card_played"]

    @property
    def trick(self) -> list[tuple[str, str]]:
        tricks = self.state["tricks"]
        return tricks[-1] if tricks and len(tricks[-1]) < 3 else []

    def hand(self, seat: str) -> list[str]:
        return list(self.state["hands"][seat])

    def other(self, rng: random.Random) -> str:
        """A seat whose turn it is not."""
        return rng.choice([one for one in SEATS if one != self.seat])

    def following(self, cards: list[str]) -> list[str]:
        """Those that follow suit, so that playing one is no revoke besides; to lead with, all."""
        if not self.trick:
            return cards
        suit = suit_of(self.trick[0][1], self.state["trump"])
        return [card for card in cards if suit_of(card, self.state["trump"]) == suit]


FaultAt = Callable[[Point, random.Random], Event | None]


def at_a_point(action: str, *codes: str) -> Callable[[FaultAt], Planter]:
    """Make a planter of a function: it gives the faulty event where `action` is due, None without room."""

    def made_of(fault_at: FaultAt) -> Planter:
        def plant(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
            places = [at for at in range(4, len(deal)) if deal[at]["type"] == KIND_OF[action]]
            for at in rng.sample(places, len(places)):
                before = deal[:at]
                due = second.legal(before)
                if due is not None and due["action"] == action:
                    event = fault_at(Point(before, due, deal[at], second.fold(before)), rng)
                    if event is not None:
                        return [*before, event], set(codes)
            return None

        plant.__name__ = fault_at.__name__
        return plant

    return made_of


def _listed(planter: Planter) -> Planter:
    PLANTERS[planter.__name__] = planter
    return planter


def _listed_at(action: str, *codes: str) -> Callable[[FaultAt], Planter]:
    return lambda fault_at: _listed(at_a_point(action, *codes)(fault_at))


def _play(seat: str, cards: list[str], rng: random.Random) -> Event | None:
    return {"type": "card_played", "seat": seat, "card": rng.choice(cards)} if cards else None


def discard(seat: str, cards: list[str]) -> Event:
    return {"type": "cards_discarded", "seat": seat, "cards": cards}


def bid_made(seat: str, bids: list[str], rng: random.Random) -> Event | None:
    return {"type": "bid_made", "seat": seat, "bid": rng.choice(bids)} if bids else None


@_listed_at("play", "revoke")
def revoke(at: Point, rng: random.Random) -> Event | None:
    """A card of another suit by one who had to follow; the matador privilege does not cover it."""
    return _play(at.seat, [card for card in at.hand(at.seat) if card not in at.due["cards"]], rng)


@_listed_at("play", "card_not_held")
def card_of_another(at: Point, rng: random.Random) -> Event | None:
    return _play(at.seat, at.following(at.hand(at.other(rng))), rng)


@_listed_at("play", "card_duplicated", "card_not_held")
def card_played_twice(at: Point, rng: random.Random) -> Event | None:
    return _play(at.seat, at.following(at.played), rng)


@_listed_at("play", "card_not_held")
def card_that_lies_in_the_talon(at: Point, rng: random.Random) -> Event | None:
    """A card that lies in the talon or was discarded."""
    known = {*at.played, *(card for seat in SEATS for card in at.hand(seat))}
    return _play(at.seat, at.following([card for card in PACK if card not in known]), rng)


@_listed_at("play", "wrong_seat")
def wrong_leader(at: Point, rng: random.Random) -> Event | None:
    """A lead by one who did not win the trick before, or is not forehand."""
    other = at.other(rng)
    return None if at.trick else _play(other, at.hand(other), rng)


@_listed_at("play", "wrong_seat")
def play_out_of_turn(at: Point, rng: random.Random) -> Event | None:
    """The third plays to a trick before the second, who then plays third."""
    if len(at.trick) != 1:
        return None
    third = next(seat for seat in SEATS if seat not in (at.seat, at.trick[0][0]))
    return _play(third, at.following(at.hand(third)) or at.hand(third), rng)


@_listed_at("bid", "bid_too_low", "bid_not_allowed")
def bid_too_low(at: Point, rng: random.Random) -> Event | None:
    """A bid that has been made already; the standing one only by a seat that may not say self."""
    said = [call for _, call in at.state["calls"] if call not in ("pass", "self")]
    if said and "self" in at.due["calls"]:
        said = [bid for bid in said if bid != said[-1]]
    return bid_made(at.seat, [bid for bid in said if bid not in (*at.due["calls"], "grand-tourne")], rng)


@_listed_at("bid", "wrong_seat")
def bid_out_of_turn(at: Point, rng: random.Random) -> Event | None:
    """A pass or a bid by one whose turn it is not, and who has not passed."""
    seats = [seat for seat in SEATS if seat not in (at.seat, *at.passed)]
    if at.due.get("optional") or not seats:
        return None
    return bid_made(rng.choice(seats), _free_calls(at), rng)


def _free_calls(at: Point) -> list[str]:
    return [call for call in at.due["calls"] if call not in ("self", "grand-tourne")]


@_listed_at("bid", "bid_not_allowed", "wrong_seat")
def bid_after_pass(at: Point, rng: random.Random) -> Event | None:
    if at.due.get("optional") or not at.passed:
        return None
    return bid_made(rng.choice(at.passed), [call for call in _free_calls(at) if call != "pass"], rng)


@_listed_at("bid", "bid_not_allowed")
def bid_that_there_is_not(at: Point, rng: random.Random) -> Event | None:
    return bid_made(at.seat, ["misere"], rng)


@_listed_at("name", "contract_not_allowed")
def contract_that_the_bid_does_not_allow(at: Point, rng: random.Random) -> Event | None:
    """A contract, lower or higher, to which the winner's bid gives no right."""
    allowed = {one["contract"] for one in at.due["contracts"]}
    named = rng.choice([contract for contract in CONTRACTS if contract not in allowed])
    event = {"type": "contract_named", "seat": at.seat, "contract": named}
    trumps = model.TRUMPS_TO_NAME.get(named)
    return {**event, "trump": rng.choice(trumps)} if trumps else event


@_listed_at("name", "contract_not_allowed")
def trumps_that_the_contract_does_not_allow(at: Point, rng: random.Random) -> Event | None:
    one = rng.choice(at.due["contracts"])
    event = {"type": "contract_named", "seat": at.seat, "contract": one["contract"]}
    wrong = [suit for suit in "CDHS" if suit not in one["trumps"]]
    return {**event, "trump": rng.choice(wrong)} if wrong else None


@_listed_at("name", "wrong_seat", "contract_not_allowed")
def named_by_another(at: Point, rng: random.Random) -> Event | None:
    return {**at.done, "seat": at.other(rng)}


@_listed_at("exchange", "exchange_count")
def too_many_discarded(at: Point, rng: random.Random) -> Event | None:
    most = at.due["max"]
    return discard(at.seat, rng.sample(at.hand(at.seat), most + 1)) if most < 9 else None


@_listed_at("exchange", "exchange_count")
def too_few_discarded(at: Point, rng: random.Random) -> Event | None:
    least = at.due["min"]
    return discard(at.seat, rng.sample(at.hand(at.seat), rng.randrange(least))) if least else None


@_listed_at("draw", "exchange_mismatch", "exchange_count")
def one_too_many_drawn(at: Point, rng: random.Random) -> Event | None:
    told = [*at.before, at.done]
    seen = {card for one in told if one["type"] != "talon_laid" for card in one.get("cards", [])}
    talon = next((one["cards"] for one in told if one["type"] == "talon_laid"), PACK)
    left = [card for card in talon if card not in seen]
    return {**at.done, "cards": [*at.done["cards"], left[0]]} if left else None


@_listed_at("draw", "exchange_mismatch", "exchange_count")
def one_too_few_drawn(at: Point, rng: random.Random) -> Event | None:
    """One card fewer drawn than was discarded; a draw of no card at all is not written down."""
    return {**at.done, "cards": at.done["cards"][:-1]} if at.due["count"] > 1 else None


@_listed_at("exchange", "card_not_held", "card_duplicated")
def discard_of_what_he_does_not_hold(at: Point, rng: random.Random) -> Event | None:
    fits = at.due["min"] < 2 and at.due["max"] > 0
    return discard(at.seat, [rng.choice(at.hand(at.other(rng)))]) if fits else None


@_listed_at("exchange", "wrong_seat", "exchange_not_allowed")
def exchange_out_of_turn(at: Point, rng: random.Random) -> Event | None:
    other = at.other(rng)
    return discard(other, [rng.choice(at.hand(other))])


@_listed_at("play", "exchange_not_allowed", "exchange_count", "wrong_phase")
def exchange_where_nobody_may(at: Point, rng: random.Random) -> Event | None:
    """A discard before the first lead by one who may not exchange, or has done so."""
    if at.state["tricks"] or at.before[-1]["type"] == "surrender_offered":
        return None
    seat = rng.choice(SEATS)
    return discard(seat, [rng.choice(at.hand(seat))])


def _by_a_defender(at: Point, kind: str, rng: random.Random) -> Event:
    return {"type": kind, "seat": rng.choice([seat for seat in SEATS if seat != at.state["declarer"]])}


@_listed_at("play", "abandon_not_allowed")
def abandoned_by_a_defender(at: Point, rng: random.Random) -> Event | None:
    return _by_a_defender(at, "deal_abandoned", rng)


@_listed_at("play", "abandon_not_allowed")
def abandoned_after_two_tricks(at: Point, rng: random.Random) -> Event | None:
    """Given up for bête after the second trick: nowhere allowed."""
    event = {"type": "deal_abandoned", "seat": at.state["declarer"], "pays": "bete"}
    return event if len(at.played) == 6 else None


@_listed_at("play", "slam_not_allowed")
def slam_announced_by_a_defender(at: Point, rng: random.Random) -> Event | None:
    return _by_a_defender(at, "slam_announced", rng)


@_listed_at("play", "abandon_not_allowed")
def surrender_by_a_defender(at: Point, rng: random.Random) -> Event | None:
    """A surrender by one who is not Ombre, or where there is no surrender."""
    return _by_a_defender(at, "surrender_offered", rng)


@_listed
def wrong_settlement(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """The table paid something else than the deal pays: the wrong way round, or one chip astray."""
    told = second.score(deal)
    if not told["decided"]:
        return None
    payments = dict(told["payments"])
    if any(payments.values()) and rng.random() < 0.5:
        payments = {seat: -chips for seat, chips in payments.items()}
    else:
        giver, taker = rng.sample(SEATS, 2)
        payments[giver] -= 1
        payments[taker] += 1
    return [*deal, {"type": "deal_settled", "payments": payments}], {"settlement_mismatch"}


@_listed
def wrong_slip(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A slip that tells of another outcome than the cards."""
    told, outcomes = second.score(deal), ("won", "bete", "codille")
    if told["outcome"] not in outcomes or second.legal(deal) is not None:
        return None
    wrong = rng.choice([one for one in outcomes if one != told["outcome"]])
    return [*deal, {"type": "result_recorded", "outcome": wrong}], {"result_mismatch"}


def planted(
    name: str, deals: Iterator[list[Event]], second: Second, rng: random.Random, most: int
) -> list[Planted]:
    """So many deals with this fault, from as many legal deals as it takes."""
    tried = (PLANTERS[name](deal, second, rng) for deal in deals)
    return list(islice((one for one in tried if one is not None), most))
