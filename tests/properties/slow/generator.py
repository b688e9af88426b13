"""Random deals of the Danish family, legal by the slow model, also as a recorder who sees less writes them.

Who gets the contract is settled before the first call (a *plan*), so that every contract occurs often; the
calls that lead there are random. What a seat discards and plays is random too, in one of a few habits, so
that deals are won and lost in every way.
"""

import random
from collections.abc import Callable, Collection, Iterator
from typing import Any

from tests.properties.slow import model
from tests.properties.slow.model import Event
from tests.properties.slow.rulesets import RULESETS

# How often each contract is aimed at; None stands for a deal that all pass.
CONTRACT_WEIGHTS: dict[str | None, int] = {
    "simple": 4,
    "spade-game": 3,
    "tourne": 3,
    "simple-nolo": 3,
    "grand-tourne": 2,
    "solo": 3,
    "spade-solo": 2,
    "pure-nolo": 2,
    "nolo-ouvert": 2,
    None: 1,
}
PLAYERS = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}

# {"declarer": seat, "bid": the winning bid, "contract": what he names by it}; None: all pass.
Plan = dict[str, str] | None
# How this table plays on: {"plan": Plan, "habits": {seat: habit}, "without": cards that nobody lets go}.
Table = dict[str, Any]
Due = dict[str, Any]  # a Legal object


def random_deal(
    rng: random.Random,
    *,
    ruleset: str = "dlu",
    contract: str | None = None,
    talon: bool = False,
    stop: int | str | None = None,
    lively: bool = False,
) -> list[Event]:
    """A random legal deal from `deal_opened` to its end (also an early one: all passed, given up).

    `contract`: the contract that is to be played; any (or none, as all pass) if left out.
    `talon`: whether the talon's order is recorded (`talon_laid`).
    `stop`: break off after so many events, or as soon as this action of a Legal object is due ("bid", "name",
    "turn", "exchange", "draw", "play"); a deal in which it never is comes whole.
    `lively`: with house switches, one who sits out, tries for all nine tricks, fouls that are ruled.
    """
    plan = random_plan(rng, contract, ruleset)
    opening = deal_hands(rng, plan, talon=talon, ruleset=ruleset, slam=lively and rng.random() < 0.3)
    if lively:
        opening[0] |= house_rules(rng)
    deal = go_on(opening, rng, plan, gives_up=contract is None and rng.random() < 0.12, lively=lively)
    if lively and rng.random() < 0.03:
        deal = fouled(rng, deal)
    return deal[: _length_until(deal, stop)]


def house_rules(rng: random.Random) -> Event:
    """What is agreed at this table beside the ruleset: mostly nothing."""
    agreed: Event = {}
    if rng.random() < 0.3:
        policies: list[Any] = ["can-beat-lead", "forced-by-higher", "absolute"]
        names = {"matadors": policies, "remis-en-quatre": [True, False]}
        agreed["switches"] = {
            name: rng.choice(values) for name, values in names.items() if rng.random() < 0.5
        }
    if rng.random() < 0.3:
        agreed["players"] = {**PLAYERS, "sitting_out": ["Dora"]}
        agreed.setdefault("switches", {})["sitter-pays"] = rng.random() < 0.7
    return agreed


def fouled(rng: random.Random, deal: list[Event]) -> list[Event]:
    """The deal up to its first lead, where somebody is found to have fouled up the exchange."""
    lead = next((n for n, event in enumerate(deal) if event["type"] == "card_played"), None)
    if lead is None:
        return deal
    ruling = {"type": "ruling_made", "text": "foul", "outcome": "forfeited"}
    return [*deal[:lead], {**ruling, "at_fault": rng.choice(model.SEATS)}]


def random_plan(rng: random.Random, contract: str | None = None, ruleset: str = "dlu") -> Plan:
    """Who is to play what, and by which bid he gets there."""
    if contract is None:
        weights = {**CONTRACT_WEIGHTS, "grandissimo": 3 * ("grandissimo" in RULESETS[ruleset]["payments"])}
        contract = rng.choices(list(weights), list(weights.values()))[0]
    if contract is None:
        return None
    naming = RULESETS[ruleset]["naming"]
    order = [bid for group in RULESETS[ruleset]["order"] for bid in group]
    bids = [bid for bid in order if contract in naming.get(bid, [bid])]
    return {"declarer": rng.choice(model.SEATS), "bid": rng.choice(bids), "contract": contract}


def deal_hands(
    rng: random.Random, plan: Plan = None, *, talon: bool = False, ruleset: str = "dlu", slam: bool = False
) -> list[Event]:
    """The opening, three hands, and the talon if it is to be laid.

    Who is to play grand-tourne gets both black aces, who is to play nolo mostly a hand that can lose; with
    `slam` who is to play a game gets one that may win every trick.
    """
    pack = rng.sample(model.PACK, 40)
    seats = list(model.SEATS)
    if plan:
        seats.sort(key=lambda seat: seat != plan["declarer"])
        if slam and plan["contract"] not in model.NOLO:
            best = strength(rng.choice("SHDC"))
            pack = sorted(pack[:24], key=best, reverse=True) + pack[24:]
        if "grand-tourne" in (plan["bid"], plan["contract"]):
            pack.sort(key=lambda card: card not in ("SA", "CA"))
        elif plan["contract"] in model.NOLO and rng.random() < 0.8:
            pack = sorted(pack[:15], key=strength(None)) + pack[15:]
    hands = {seat: rng.sample(pack[9 * n : 9 * n + 9], 9) for n, seat in enumerate(seats)}
    opening: list[Event] = [{"type": "deal_opened", "ruleset": ruleset, "players": dict(PLAYERS)}]
    opening += [{"type": "hand_dealt", "seat": seat, "cards": hands[seat]} for seat in model.SEATS]
    if talon:
        opening.append({"type": "talon_laid", "cards": pack[27:]})
    return opening


def _length_until(deal: list[Event], stop: int | str | None) -> int:
    if stop is None:
        return len(deal)
    if isinstance(stop, int):
        return min(stop, len(deal))
    return next((length for length, due in acts(deal) if due["action"] == stop), len(deal))


def acts(deal: list[Event]) -> Iterator[tuple[int, Due]]:
    """Every place where somebody acted: the number of events before it, and what was due there."""
    for length in range(1, len(deal)):
        if deal[length]["type"] in ("hand_dealt", "talon_laid", "cards_shown"):
            continue  # not an act that was due, but part of what goes before one
        due = model.legal_of(deal[:length])
        if due is not None:
            yield length, due


def go_on(
    events: list[Event],
    rng: random.Random,
    plan: Plan = None,
    *,
    without: Collection[str] = (),
    gives_up: bool = False,
    lively: bool = False,
) -> list[Event]:
    """The deal played on to its end from here, legally, step by step as the model allows.

    `plan` settles an auction that is still open. Nobody discards or plays a card of `without`; where somebody
    would have to, the deal breaks off. With `gives_up` declarer may give up on the way.
    """
    deal = list(events)
    table: Table = {"plan": plan, "habits": _habits(deal, rng, plan), "without": without}
    while True:
        deal += _cards_to_show(deal)
        due = model.legal_of(deal)
        if due is None:
            return deal
        open_now = [one["action"] for one in model.also(deal)]
        if gives_up and rng.random() < 0.1 and "abandon" in open_now and not model.score_of(deal)["decided"]:
            return [*deal, _giving_up(deal, rng)]
        if due.get("optional") and not (lively and rng.random() < 0.7):
            return deal
        if lively and "slam" in open_now and rng.random() < 0.03:
            deal.append({"type": "slam_announced", "seat": model.fold(deal)["declarer"]})
            continue
        if due["action"] == "bid":
            deal = _auction(deal, rng, plan)
        elif step := STEPS[due["action"]](deal, due, rng, table):
            deal.append(step)
        else:
            return deal


def _habits(deal: list[Event], rng: random.Random, plan: Plan) -> dict[str, str]:
    """How each seat picks his cards: at random, or mostly the strongest, or the weakest that he may."""
    habits = {seat: rng.choice(["random", "random", "strong", "weak"]) for seat in model.SEATS}
    state = model.fold(deal)
    aim = {"declarer": state["declarer"], "contract": state["contract"]} if state["contract"] else plan
    if aim and rng.random() < 0.5:  # half of the declarers play to win
        habits[aim["declarer"]] = "weak" if aim["contract"] in model.NOLO else "strong"
    return habits


def _cards_to_show(deal: list[Event]) -> list[Event]:
    """What is laid open right after the last event: the aces of a grand-tourne, the hand of a nolo ouvert."""
    last, state = deal[-1], model.fold(deal)
    if last.get("bid") == "grand-tourne" and {"SA", "CA"} <= set(state["dealt"][last["seat"]]):
        return [{"type": "cards_shown", "seat": last["seat"], "cards": ["SA", "CA"]}]
    if state["contract"] != "nolo-ouvert" or last["type"] != "card_played" or len(state["tricks"]) != 1:
        return []
    declarer, after_lead = state["declarer"], state["rules"]["laid_open"] == "after-lead"
    if len(state["tricks"][0]) == 1 if after_lead else last["seat"] == declarer:
        return [{"type": "cards_shown", "seat": declarer, "cards": list(state["hands"][declarer])}]
    return []


def _giving_up(deal: list[Event], rng: random.Random) -> Event:
    """Declarer gives up, for the least he may or, in so many words, for more."""
    ways = [one for one in model.also(deal) if one["action"] == "abandon"]
    event: Event = {"type": "deal_abandoned", "seat": ways[0]["seat"]}
    said = rng.choice([None, *(way["pays"] for way in ways)])
    return {**event, "pays": said} if said else event


def _auction(events: list[Event], rng: random.Random, plan: Plan) -> list[Event]:
    """The deal with its auction, so that the plan comes true: random calls, drawn anew until they fit."""
    for _ in range(500):
        deal, lively = list(events), rng.random() < 0.7
        while (due := model.legal_of(deal)) and due["action"] == "bid":
            call = _call(due, rng, plan, lively, model.fold(deal)["rules"]["rank"])
            deal.append({"type": "bid_made", "seat": due["seat"], "bid": call})
            deal += _cards_to_show(deal)
        duel = model.auction(model.fold(deal)["calls"])
        if (duel["holder"], duel["standing"]) == ((plan["declarer"], plan["bid"]) if plan else (None, None)):
            return deal
    raise ValueError(f"no auction from here leads to {plan}: {events[4:]}")


def _call(due: Due, rng: random.Random, plan: Plan, lively: bool, rank_of: dict[str, int]) -> str:
    """A call that may lead to the plan; in a lively auction the steps are small and passes are few."""
    if plan is None:
        return "pass"
    goal = rank_of[plan["bid"]]
    bids = [call for call in due["calls"] if 0 < rank_of.get(call, 0) < goal]
    bids.sort(key=lambda bid: rank_of[bid])
    choices = bids[:3] if lively else bids
    if plan["bid"] in due["calls"] and not (lively and choices and rng.random() < 0.5):
        choices = [*choices, plan["bid"]]
    if "self" in due["calls"]:
        choices = [*choices, "self", "self"] if lively else [*choices, "self"]
    if not choices or (due["seat"] != plan["declarer"] and rng.random() < (0.15 if lively else 0.6)):
        return "pass"
    return rng.choice(choices)


def _name(deal: list[Event], due: Due, rng: random.Random, table: Table) -> Event | None:
    planned = table["plan"] and table["plan"]["contract"]
    wanted = [entry for entry in due["contracts"] if entry["contract"] == planned]
    return naming(due["seat"], rng.choice(wanted or due["contracts"]), rng)


def naming(seat: str, entry: dict[str, Any], rng: random.Random) -> Event:
    """`contract_named` for one entry of a Legal object; spades, being the only choice, may go unsaid."""
    event: Event = {"type": "contract_named", "seat": seat, "contract": entry["contract"]}
    if entry["trumps"] and (len(entry["trumps"]) > 1 or rng.random() < 0.5):
        event["trump"] = rng.choice(entry["trumps"])
    return event


def _exchange(deal: list[Event], due: Due, rng: random.Random, table: Table) -> Event | None:
    """A discard of any size allowed: chosen by the seat's habit, or blindly."""
    state, seat = model.fold(deal), due["seat"]
    hand = [card for card in state["hands"][seat] if card not in table["without"]]
    most = min(due["max"], len(hand), len(talon_order(deal, rng)))
    if most < due["min"]:
        return None
    count = rng.choice([due["min"], most, *[rng.randint(due["min"], most)] * 3])
    rng.shuffle(hand)
    if rng.random() < 0.6:
        hand.sort(key=strength(state["trump"]), reverse=table["habits"][seat] == "weak")
    return {"type": "cards_discarded", "seat": seat, "cards": hand[:count]}


def _play(deal: list[Event], due: Due, rng: random.Random, table: Table) -> Event | None:
    cards = [card for card in due["cards"] if card not in table["without"]]
    if not cards:
        return None
    card = rng.choice(cards)
    habit = table["habits"][due["seat"]]
    if habit != "random" and rng.random() < 0.8:
        strongest = strength(model.fold(deal)["trump"])
        card = max(cards, key=strongest) if habit == "strong" else min(cards, key=strongest)
    return {"type": "card_played", "seat": due["seat"], "card": card}


STEPS: dict[str, Callable[[list[Event], Due, random.Random, Table], Event | None]] = {
    "name": _name,
    "turn": lambda deal, due, rng, _: {"type": "talon_turned", "card": talon_order(deal, rng)[0]},
    "exchange": _exchange,
    "draw": lambda deal, due, rng, _: {
        "type": "cards_drawn", "seat": due["seat"], "cards": talon_order(deal, rng)[: due["count"]]
    },
    "play": _play,
}  # fmt: skip


def strength(trump: str | None) -> Callable[[str], tuple[bool, int]]:
    """A key that sorts the weakest card first, any trump above all plain cards."""

    def key(card: str) -> tuple[bool, int]:
        suit = model.suit_of(card, trump)
        return suit == trump, -model.order_of_suit(suit, trump).index(card)

    return key


def talon_order(deal: list[Event], rng: random.Random) -> list[str]:
    """What is still to be drawn, top first: as it was laid, else as chance has it, a turned card on top."""
    laid = [event["cards"] for event in deal if event["type"] == "talon_laid"]
    gone = {card for event in deal if event["type"] == "cards_drawn" for card in event["cards"]}
    if laid:
        return [card for card in laid[0] if card not in gone]
    gone |= {card for event in deal if event["type"] == "hand_dealt" for card in event["cards"]}
    rest = rng.sample([card for card in model.PACK if card not in gone], 40 - len(gone))
    turned = model.fold(deal)["turned"]
    rest.sort(key=lambda card: card != turned)
    return rest


def hide(events: list[Event], rng: random.Random) -> list[Event]:
    """The same deal as one would record it who does not see everything.

    Hands are left out or have unknown cards ("??", or "S?" where only the suit is known), so have discards,
    draws and plays; a laid talon is left out, as a whole or card by card. What is turned or laid open on the
    table stays. The number of cards is right everywhere.
    """
    omitted = {"hand_dealt": rng.choice([0.0, 0.4, 1.0]), "talon_laid": rng.choice([0.0, 0.7, 1.0])}
    veiled = {
        "hand_dealt": rng.choice([0.0, 0.3, 0.8, 1.0]),
        "talon_laid": rng.choice([0.0, 0.5]),
        "cards_discarded": rng.choice([0.0, 0.5, 1.0]),
        "cards_drawn": rng.choice([0.0, 0.5, 1.0]),
        "card_played": rng.choice([0.0, 0.05, 0.3, 0.9]),
    }
    seen: list[Event] = []
    for event in events:
        kind = event["type"]
        if rng.random() < omitted.get(kind, 0.0):
            continue
        share = veiled.get(kind, 0.0)
        if kind == "card_played":
            event = {**event, "card": _veil(event["card"], rng, share)}
        elif kind in veiled:
            event = {**event, "cards": [_veil(card, rng, share) for card in event["cards"]]}
        seen.append(event)
    return seen


def _veil(card: str, rng: random.Random, share: float) -> str:
    if rng.random() >= share:
        return card
    return "??" if rng.random() < 0.7 else card[0] + "?"
