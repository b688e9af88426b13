"""Random deals of English Ombre, legal by the slow model: every contract, extra, surrender and vole."""

import random
from typing import Any

from tests.properties.slow import ombre_model as model
from tests.properties.slow.cards import PACK, suit_of
from tests.properties.slow.generator import PLAYERS, strength
from tests.properties.slow.model import SEATS

Event = dict[str, Any]
Json = dict[str, Any]

EXTRAS = ["forced-spadille", "gascarille", "countervole", "favor", "vole-challenge"]


def random_deal(rng: random.Random, ruleset: str = "ombre") -> list[Event]:
    """A whole deal, also one that ends in its auction, by surrender, or in a try for the vole."""
    pack = rng.sample(PACK, 40)
    table: Json = {"talon": pack[27:], "eager": rng.choice([0.05, 0.25, 0.45]), "wild": rng.random() < 0.35}
    if rng.random() < 0.35:  # somebody has a hand for solo and vole
        strong = strength(rng.choice("CDHS"))
        mine = rng.sample(sorted(pack, key=strong, reverse=True)[:13], 9)
        rest = [card for card in pack if card not in mine]
        pack, table["talon"] = mine + rest[:18], rest[18:]
    hands = [pack[:9], pack[9:18], pack[18:27]]
    rng.shuffle(hands)
    deal: list[Event] = [_opening(rng, ruleset)]
    for seat, hand in zip(SEATS, hands, strict=True):
        deal.append({"type": "hand_dealt", "seat": seat, "cards": hand})
    if rng.random() < 0.3:
        deal.append({"type": "talon_laid", "cards": list(table["talon"])})
    while (due := model.legal_of(deal)) is not None:
        if due.get("optional") and rng.random() < 0.4:
            break
        deal.append(_besides(deal, rng, table) or _step(deal, due, rng, table))
    told = model.score_of(deal)
    by_agreement = deal[0].get("switches", {}).get("reserve-at")
    if told["outcome"] == "bete" and not told["slam"] and not by_agreement and rng.random() < 0.2:
        deal.append({"type": "puesta_reserved", "seat": told["declarer"]})
    return deal


def _opening(rng: random.Random, ruleset: str) -> Event:
    opened: Event = {"type": "deal_opened", "ruleset": ruleset, "players": dict(PLAYERS)}
    opened["pool"] = rng.choice([5, 10, 17, 60])
    if rng.random() < 0.3:
        opened["players"]["sitting_out"] = ["Dora"]
    if rng.random() < 0.3:
        opened["reserved"] = [rng.randint(10, 90) for _ in range(rng.randint(1, 3))]
    switches: Json = {extra: True for extra in EXTRAS if ruleset == "ombre" and rng.random() < 0.35}
    if ruleset == "tresillo" and rng.random() < 0.7:
        switches["favoured-suit"] = rng.choice("CDHS")
    if ruleset == "tresillo" and "sitting_out" in opened["players"]:
        switches["sitter-pays"] = True
    if rng.random() < 0.3:
        switches["estuches-most"] = rng.randint(1, 9)
    if rng.random() < 0.3:
        switches["reserve-at"] = rng.choice([0, 10, 50, 100])
    if switches:
        opened["switches"] = switches
    return opened


def _besides(deal: list[Event], rng: random.Random, table: Json) -> Event | None:
    """Sometimes somebody yields, or surrenders, or answers a surrender."""
    open_now = model.also(deal)
    answers = [one["seat"] for one in open_now if one["action"] == "answer"]
    if answers and rng.random() < 0.9:
        answer = rng.choice(["accept", "accept", "forbid"])
        return {"type": "surrender_answered", "seat": rng.choice(answers), "answer": answer}
    for one in open_now:
        if one["action"] == "yield" and rng.random() < 0.2:
            return {"type": "exchange_yielded", "seat": one["seat"]}
        if one["action"] == "surrender" and table["wild"] and rng.random() < 0.12:
            return {"type": "surrender_offered", "seat": one["seat"]}
    return None


def _step(deal: list[Event], due: Json, rng: random.Random, table: Json) -> Event:
    seat = due["seat"]
    if due["action"] == "turn":
        return {"type": "talon_turned", "card": table["talon"][0]}
    if due["action"] == "bid":
        bids = [call for call in due["calls"] if call != "pass"]
        eager = 0.6 if due.get("optional") else table["eager"]
        ranks = model.ranks_of(model.fold(deal))
        weights = [1 / ranks.get(bid, 3) ** 2 for bid in bids]
        call = rng.choices(bids, weights)[0] if bids and rng.random() < eager else "pass"
        return {"type": "bid_made", "seat": seat, "bid": call}
    if due["action"] == "name":
        return _naming(deal, due, rng)
    if due["action"] == "exchange":
        hand = model.fold(deal)["hands"][seat]
        most = min(due["max"], len(table["talon"]))
        count = rng.choice([due["min"], most, rng.randint(due["min"], most), rng.randint(due["min"], most)])
        return {"type": "cards_discarded", "seat": seat, "cards": rng.sample(hand, count)}
    if due["action"] == "draw":
        drawn, table["talon"] = table["talon"][: due["count"]], table["talon"][due["count"] :]
        return {"type": "cards_drawn", "seat": seat, "cards": drawn}
    return {"type": "card_played", "seat": seat, "card": _card(deal, due, rng)}


def _naming(deal: list[Event], due: Json, rng: random.Random) -> Event:
    lowest = min(due["contracts"], key=lambda one: model.OMBRE_RANK.get(one["contract"], 0))
    named = lowest if rng.random() < 0.6 else rng.choice(due["contracts"])
    if model.fold(deal)["contract"] is not None:
        return {"type": "trump_named", "seat": due["seat"], "trump": rng.choice(named["trumps"])}
    event = {"type": "contract_named", "seat": due["seat"], "contract": named["contract"]}
    if named["trumps"]:
        hand = model.fold(deal)["hands"][due["seat"]]
        longest = max(named["trumps"], key=lambda suit: sum(suit_of(card, suit) == suit for card in hand))
        event["trump"] = longest if rng.random() < 0.7 else rng.choice(named["trumps"])
    return event


def _card(deal: list[Event], due: Json, rng: random.Random) -> str:
    """The strongest that he may, mostly, for Ombre; any for the others."""
    state = model.fold(deal)
    if due["seat"] == state["declarer"] and rng.random() < 0.75:
        strongest = strength(state["trump"])
        pick = min if state["contract"] == "countervole" else max
        return str(pick(due["cards"], key=strongest))
    return str(rng.choice(due["cards"]))
