"""Single faults, planted into a legal deal of any ruleset: where they are, and what they have to be called.

Each planter gets a legal deal and the second reading of its rules; it returns the deal up to and with the
fault, and the codes of which one has to be found there; or None where this deal has no room for it.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.slow.cards import PACK
from tests.slow.compare import Second
from tests.slow.model import SEATS

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


def _fault(planter: Planter) -> Planter:
    PLANTERS[planter.__name__] = planter
    return planter


def _points(deal: list[Event], second: Second, action: str) -> list[tuple[int, Json]]:
    """Where this action was due, and was done: the number of events before it, and what was due."""
    kind = KIND_OF[action]
    found = []
    for length in range(4, len(deal)):
        if deal[length]["type"] == kind:
            due = second.legal(deal[:length])
            if due is not None and due["action"] == action:
                found.append((length, due))
    return found


def _one(deal: list[Event], second: Second, action: str, rng: random.Random) -> tuple[int, Json] | None:
    points = _points(deal, second, action)
    return rng.choice(points) if points else None


def hands_at(deal: list[Event]) -> dict[str, list[str]]:
    """The hands after these events, every card being known."""
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    for event in deal:
        seat = str(event.get("seat"))
        if event["type"] == "hand_dealt":
            hands[seat] = list(event["cards"])
        elif event["type"] == "cards_discarded":
            hands[seat] = [card for card in hands[seat] if card not in event["cards"]]
        elif event["type"] == "cards_drawn":
            hands[seat] += event["cards"]
        elif event["type"] == "card_played":
            hands[seat].remove(event["card"])
    return hands


def _other(seat: str, rng: random.Random) -> str:
    return rng.choice([one for one in SEATS if one != seat])


def _played(seat: str, card: str) -> Event:
    return {"type": "card_played", "seat": seat, "card": card}


# --- Play -----------------------------------------------------------------------------------------


@_fault
def revoke(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A card that does not follow, from a hand that has to."""
    found = []
    for length, due in _points(deal, second, "play"):
        wrong = set(hands_at(deal[:length])[due["seat"]]) - set(due["cards"])
        found += [(length, due["seat"], card) for card in sorted(wrong)]
    if not found:
        return None
    length, seat, card = rng.choice(found)
    return [*deal[:length], _played(seat, card)], {"revoke"}


@_fault
def card_of_another(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A card that another holds."""
    point = _one(deal, second, "play", rng)
    if point is None:
        return None
    length, due = point
    cards = hands_at(deal[:length])[_other(due["seat"], rng)]
    return [*deal[:length], _played(due["seat"], rng.choice(cards))], {"card_not_held", "card_duplicated"}


@_fault
def card_played_twice(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A card that has been played already."""
    points = [point for point in _points(deal, second, "play") if deal[point[0] - 1]["type"] == "card_played"]
    if not points:
        return None
    length, due = rng.choice(points)
    played = [event["card"] for event in deal[:length] if event["type"] == "card_played"]
    return [*deal[:length], _played(due["seat"], rng.choice(played))], {"card_not_held", "card_duplicated"}


@_fault
def card_that_lies_in_the_talon(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A card that nobody was dealt and nobody drew."""
    point = _one(deal, second, "play", rng)
    if point is None:
        return None
    length, due = point
    seen = {
        card for event in deal[:length] for card in event.get("cards", []) if event["type"] != "talon_laid"
    }
    seen |= {event["card"] for event in deal[:length] if event["type"] == "talon_turned"}
    hidden = [card for card in PACK if card not in seen]
    if not hidden:
        return None
    return [*deal[:length], _played(due["seat"], rng.choice(hidden))], {"card_not_held"}


@_fault
def wrong_leader(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A lead by one who did not win the trick before, or is not forehand."""
    cards = 0
    leads = []
    for length, event in enumerate(deal):
        if event["type"] == "card_played":
            if cards % 3 == 0:
                leads.append(length)
            cards += 1
    leads = [length for length in leads if second.legal(deal[:length])]
    if not leads:
        return None
    length = rng.choice(leads)
    seat = _other(deal[length]["seat"], rng)
    return [*deal[:length], _played(seat, rng.choice(hands_at(deal[:length])[seat]))], {"wrong_seat"}


@_fault
def play_out_of_turn(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A card by one whose turn comes later in the trick."""
    cards, found = 0, []
    for length, event in enumerate(deal):
        if event["type"] == "card_played":
            if cards % 3 == 1:
                found.append((length, deal[length - 1]["seat"]))
            cards += 1
    if not found:
        return None
    length, _ = rng.choice(found)
    due = second.legal(deal[:length])
    if due is None:
        return None
    leader = [event for event in deal[:length] if event["type"] == "card_played"][-1]["seat"]
    seat = next(one for one in SEATS if one not in (leader, due["seat"]))
    hand = hands_at(deal[:length])[seat]
    lead = [event for event in deal[:length] if event["type"] == "card_played"][-1]["card"]
    same = [card for card in hand if card[0] == lead[0]] or hand
    return [*deal[:length], _played(seat, rng.choice(same))], {"wrong_seat"}


# --- Auction and naming ---------------------------------------------------------------------------


def _standing(deal: list[Event]) -> str | None:
    bids = [event["bid"] for event in deal if event["type"] == "bid_made"]
    return next((bid for bid in reversed(bids) if bid not in ("pass", "self")), None)


@_fault
def bid_too_low(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """The bid that stands, said once more by one who may not say self."""
    found = []
    for length, due in _points(deal, second, "bid"):
        standing = _standing(deal[:length])
        if standing and "self" not in due["calls"] and standing != "grand-tourne":
            found.append((length, due["seat"], standing))
    if not found:
        return None
    length, seat, bid = rng.choice(found)
    return [*deal[:length], {"type": "bid_made", "seat": seat, "bid": bid}], {
        "bid_too_low",
        "bid_not_allowed",
    }


@_fault
def bid_out_of_turn(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A pass by one whose turn it is not, and who has not passed."""
    found = []
    for length, due in _points(deal, second, "bid"):
        if due.get("optional"):
            continue
        passed = {event["seat"] for event in deal[:length] if event.get("bid") == "pass"}
        found += [(length, seat) for seat in SEATS if seat != due["seat"] and seat not in passed]
    if not found:
        return None
    length, seat = rng.choice(found)
    return [*deal[:length], {"type": "bid_made", "seat": seat, "bid": "pass"}], {"wrong_seat"}


@_fault
def bid_after_pass(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A bid by one who has passed."""
    found = []
    for length, due in _points(deal, second, "bid"):
        bids = [call for call in due["calls"] if call not in ("pass", "self", "grand-tourne")]
        passed = {event["seat"] for event in deal[:length] if event.get("bid") == "pass"}
        if not due.get("optional"):
            found += [(length, seat, bid) for seat in sorted(passed) for bid in bids]
    if not found:
        return None
    length, seat, bid = rng.choice(found)
    return [*deal[:length], {"type": "bid_made", "seat": seat, "bid": bid}], {"bid_not_allowed"}


@_fault
def bid_that_there_is_not(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A bid of another game."""
    point = _one(deal, second, "bid", rng)
    if point is None:
        return None
    length, due = point
    return [*deal[:length], {"type": "bid_made", "seat": due["seat"], "bid": "misere"}], {"bid_not_allowed"}


@_fault
def contract_that_the_bid_does_not_allow(
    deal: list[Event], second: Second, rng: random.Random
) -> Planted | None:
    """A contract that is not among those that the winner may name."""
    everything = [
        "simple",
        "spade-game",
        "tourne",
        "simple-nolo",
        "solo",
        "pure-nolo",
        "play",
        "voltereta",
        "oros",
    ]
    point = _one(deal, second, "name", rng)
    if point is None:
        return None
    length, due = point
    allowed = {one["contract"] for one in due["contracts"]}
    named = rng.choice([contract for contract in everything if contract not in allowed])
    event = {"type": "contract_named", "seat": due["seat"], "contract": named}
    return [*deal[:length], event], {"contract_not_allowed"}


@_fault
def trumps_that_the_contract_does_not_allow(
    deal: list[Event], second: Second, rng: random.Random
) -> Planted | None:
    """A suit that this contract cannot have."""
    found = []
    for length, due in _points(deal, second, "name"):
        for one in due["contracts"]:
            found += [
                (length, due["seat"], one["contract"], suit) for suit in "CDHS" if suit not in one["trumps"]
            ]
    if not found:
        return None
    length, seat, contract, suit = rng.choice(found)
    event = {"type": "contract_named", "seat": seat, "contract": contract, "trump": suit}
    return [*deal[:length], event], {"contract_not_allowed"}


@_fault
def named_by_another(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """The contract named by one who has not won the auction."""
    point = _one(deal, second, "name", rng)
    if point is None:
        return None
    length, _ = point
    event = {**deal[length], "seat": _other(deal[length]["seat"], rng)}
    return [*deal[:length], event], {"wrong_seat", "contract_not_allowed"}


# --- Exchange -------------------------------------------------------------------------------------


@_fault
def too_many_discarded(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """More cards laid away than he may exchange."""
    points = [point for point in _points(deal, second, "exchange") if point[1]["max"] < 9]
    if not points:
        return None
    length, due = rng.choice(points)
    hand = hands_at(deal[:length])[due["seat"]]
    event = {"type": "cards_discarded", "seat": due["seat"], "cards": rng.sample(hand, due["max"] + 1)}
    return [*deal[:length], event], {"exchange_count"}


@_fault
def too_few_discarded(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """Fewer cards laid away than he must."""
    points = [point for point in _points(deal, second, "exchange") if point[1]["min"] > 0]
    if not points:
        return None
    length, due = rng.choice(points)
    hand = hands_at(deal[:length])[due["seat"]]
    event = {"type": "cards_discarded", "seat": due["seat"], "cards": rng.sample(hand, due["min"] - 1)}
    return [*deal[:length], event], {"exchange_count"}


@_fault
def one_too_many_drawn(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """One card more drawn than was discarded."""
    found = []
    for length, _ in _points(deal, second, "draw"):
        seen = {card for event in deal[: length + 1] for card in event.get("cards", [])}
        seen |= {event["card"] for event in deal[: length + 1] if "card" in event}
        left = [card for card in PACK if card not in seen]
        if left and not any(event["type"] == "talon_laid" for event in deal):
            found.append((length, rng.choice(left)))
    if not found:
        return None
    length, card = rng.choice(found)
    event = {**deal[length], "cards": [*deal[length]["cards"], card]}
    return [*deal[:length], event], {"exchange_mismatch"}


@_fault
def one_too_few_drawn(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """One card fewer drawn than was discarded."""
    points = [point for point in _points(deal, second, "draw") if point[1]["count"] > 1]
    if not points:
        return None
    length, _ = rng.choice(points)
    event = {**deal[length], "cards": deal[length]["cards"][:-1]}
    return [*deal[:length], event], {"exchange_mismatch"}


@_fault
def discard_of_what_he_does_not_hold(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A card of another's hand among those laid away."""
    points = [
        point for point in _points(deal, second, "exchange") if point[1]["max"] > 0 and point[1]["min"] < 2
    ]
    if not points:
        return None
    length, due = rng.choice(points)
    card = rng.choice(hands_at(deal[:length])[_other(due["seat"], rng)])
    event = {"type": "cards_discarded", "seat": due["seat"], "cards": [card]}
    return [*deal[:length], event], {"card_not_held", "card_duplicated"}


@_fault
def exchange_out_of_turn(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A discard by one whose turn it is not."""
    points = _points(deal, second, "exchange")
    if not points:
        return None
    length, due = rng.choice(points)
    seat = _other(due["seat"], rng)
    event = {"type": "cards_discarded", "seat": seat, "cards": [rng.choice(hands_at(deal[:length])[seat])]}
    return [*deal[:length], event], {"wrong_seat", "exchange_not_allowed"}


@_fault
def exchange_where_nobody_may(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A discard before the first lead by one who may not exchange, or has done so."""
    lead = next((n for n, event in enumerate(deal) if event["type"] == "card_played"), None)
    if lead is None or deal[lead - 1]["type"] == "surrender_offered":
        return None
    seat = rng.choice(SEATS)
    event = {"type": "cards_discarded", "seat": seat, "cards": [rng.choice(hands_at(deal[:lead])[seat])]}
    return [*deal[:lead], event], {"exchange_not_allowed", "exchange_count", "wrong_phase"}


# --- Ends -----------------------------------------------------------------------------------------


@_fault
def abandoned_by_a_defender(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A defender gives up."""
    point = _one(deal, second, "play", rng)
    if point is None:
        return None
    length, _ = point
    declarer = second.score(deal[:length])["declarer"]
    return [*deal[:length], {"type": "deal_abandoned", "seat": _other(declarer, rng)}], {
        "abandon_not_allowed"
    }


@_fault
def abandoned_too_late(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """Given up for bête after the second trick: nowhere allowed."""
    cards = [n for n, event in enumerate(deal) if event["type"] == "card_played"]
    if len(cards) < 7 or second.legal(deal[: cards[6]]) is None:
        return None
    before = deal[: cards[6]]
    event = {"type": "deal_abandoned", "seat": second.score(before)["declarer"], "pays": "bete"}
    return [*before, event], {"abandon_not_allowed"}


@_fault
def slam_announced_too_late(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """All nine tricks announced by a defender."""
    point = _one(deal, second, "play", rng)
    if point is None:
        return None
    length, _ = point
    declarer = second.score(deal[:length])["declarer"]
    return [*deal[:length], {"type": "slam_announced", "seat": _other(declarer, rng)}], {"slam_not_allowed"}


@_fault
def surrender_by_a_defender(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A surrender by one who is not Ombre, or where there is no surrender."""
    point = _one(deal, second, "play", rng)
    if point is None:
        return None
    length, _ = point
    declarer = second.score(deal[:length])["declarer"]
    event = {"type": "surrender_offered", "seat": _other(declarer, rng)}
    return [*deal[:length], event], {"abandon_not_allowed"}


@_fault
def wrong_settlement(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A chip astray in what was paid."""
    told = second.score(deal)
    if not told["decided"]:
        return None
    payments = dict(told["payments"])
    giver, taker = rng.sample(SEATS, 2)
    payments[giver] -= 1
    payments[taker] += 1
    return [*deal, {"type": "deal_settled", "payments": payments}], {"settlement_mismatch"}


@_fault
def wrong_slip(deal: list[Event], second: Second, rng: random.Random) -> Planted | None:
    """A slip that tells of another outcome than the cards."""
    told = second.score(deal)
    if told["outcome"] not in ("won", "bete", "codille") or second.legal(deal) is not None:
        return None
    wrong = rng.choice([one for one in ("won", "bete", "codille") if one != told["outcome"]])
    return [*deal, {"type": "result_recorded", "outcome": wrong}], {"result_mismatch"}


def planted(
    name: str, deals: Iterator[list[Event]], second: Second, rng: random.Random, most: int
) -> list[Planted]:
    """So many deals with this fault, from as many legal deals as it takes."""
    found: list[Planted] = []
    for deal in deals:
        one = PLANTERS[name](deal, second, rng)
        if one is not None:
            found.append(one)
            if len(found) == most:
                break
    return found
