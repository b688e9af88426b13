"""Random records with gaps: legal deals of which some cards, or whole exchanges, are not shown."""

import random
from typing import Any

from engine.rulesets import PUBLISHED_RULESETS
from tests.support.engine.selfplay import PACK, Table, played_out

Event = dict[str, Any]
RULESETS = sorted({rules.ruleset.id for rules in PUBLISHED_RULESETS})
TELLING = ("hand_dealt", "talon_laid", "cards_discarded", "cards_drawn", "card_played", "hand_held")


def random_record(rng: random.Random, ruleset: str) -> list[Event]:
    """A random legal deal in which something was played."""
    while True:
        events = played_out(rng.random(), ruleset)
        if any(one["type"] == "card_played" for one in events):
            return with_talon(rng, number_tricks(events))


def with_talon(rng: random.Random, events: list[Event]) -> list[Event]:
    """The record with the order of its talon told: as it was drawn and turned, the rest by chance."""
    told = {card for one in events if one["type"] == "hand_dealt" for card in one["cards"]}
    order = [card for one in events if one["type"] == "cards_drawn" for card in one["cards"]]
    order += [one["card"] for one in events if one["type"] == "talon_turned" and not order]
    rest = [card for card in PACK if card not in told and card not in order]
    talon = {"type": "talon_laid", "cards": order + rng.sample(rest, len(rest))}
    return [*events[:4], talon, *events[4:]]


def number_tricks(events: list[Event]) -> list[Event]:
    laid = 0
    after = []
    for one in events:
        if one["type"] == "card_played":
            one = {**one, "trick": laid // 3 + 1}
            laid += 1
        after.append(one)
    return after


def cut(rng: random.Random, events: list[Event]) -> list[Event]:
    """The record up to some point, mostly well into the play."""
    first = next(i for i, one in enumerate(events) if one["type"] == "card_played")
    least, most = (first, len(events)) if rng.random() < 0.7 else (5, first)
    return events[: rng.randint(least, most)]


def with_hands(events: list[Event]) -> list[Event]:
    """The record with what each seat holds at its end, so that it is known of every card where it lies."""
    hands = {one["seat"]: one["cards"] for one in events if one["type"] == "hand_dealt"}
    for one in events:
        seat = one.get("seat", "")
        gone = one.get("cards", []) if one["type"] == "cards_discarded" else [one.get("card")]
        if one["type"] in ("cards_discarded", "card_played"):
            hands[seat] = [card for card in hands[seat] if card not in gone]
        elif one["type"] == "cards_drawn":
            hands[seat] = hands[seat] + one["cards"]
    held = [{"type": "hand_held", "seat": seat, "cards": hand} for seat, hand in hands.items() if hand]
    return [*events, *held]


def unsure_cards(rng: random.Random, events: list[Event], count: int) -> list[str]:
    """Some cards of which the record will not show everything; often such as were played late."""
    played = [one["card"] for one in events if one["type"] == "card_played"]
    pool = played[-9:] * 3 + PACK if rng.random() < 0.7 else PACK
    chosen: dict[str, None] = {}
    while len(chosen) < count:
        chosen[rng.choice(pool)] = None
    return sorted(chosen)


def covered(rng: random.Random, events: list[Event], unsure: list[str], share: float) -> list[Event]:
    """The record with the unsure cards hidden here and there, sometimes all but their suit."""

    def shown(card: str, may_tell_suit: bool) -> str:
        if card not in unsure or rng.random() > share:
            return card
        return card[0] + "?" if may_tell_suit and rng.random() < 0.15 else "??"

    after = []
    for one in events:
        if one["type"] == "card_played":
            one = {**one, "card": shown(one["card"], True)}
        elif one["type"] in TELLING:
            one = {**one, "cards": [shown(card, False) for card in one["cards"]]}
        after.append(one)
    return after


def with_revoke(rng: random.Random, ruleset: str) -> tuple[list[Event], int] | None:
    """A deal in which a card (by its seq) did not follow although it had to; None where none could."""
    events, planted = revoking(Table(rng, ruleset), rng)
    return None if planted is None else (events, planted)


def revoking(table: Table, rng: random.Random, wanted: bool = True) -> tuple[list[Event], int | None]:
    """A deal played at this table, and the seq of the revoke in it where one is wanted and there could be."""
    planted, trick = None, rng.randint(1, 6)
    for due, event in table.points():
        if event["type"] != "card_played" or not wanted or planted is not None or not table.state.play.cards:
            continue
        wrong = [card for card in table.hands[event["seat"]] if card not in due["cards"]]
        if wrong and len(table.state.play.tricks) + 1 >= trick:
            event["card"] = rng.choice(wrong)
            planted = len(table.events) + 1
    return number_tricks(table.events), planted


def hidden_at_random(rng: random.Random, events: list[Event]) -> list[Event]:
    """The record as a table would leave it: hands unseen, exchanges perhaps, some of the plays."""
    share, hands = rng.choice((0.0, 0.0, 0.1, 0.35)), rng.choice((0.0, 0.3, 1.0))
    exchanged = rng.choice((0.0, 0.5, 1.0))
    after = []
    for one in events:
        if one["type"] == "hand_dealt" and rng.random() < 0.3:
            continue
        if one["type"] == "card_played" and rng.random() < share:
            one = {**one, "card": one["card"][0] + "?" if rng.random() < 0.2 else "??"}
        elif one["type"] in ("hand_dealt", "cards_discarded", "cards_drawn"):
            often = hands if one["type"] == "hand_dealt" else exchanged
            one = {**one, "cards": ["??" if rng.random() < often else card for card in one["cards"]]}
        after.append(one)
    return exchange_left_out(after) if rng.random() < 0.15 else after


def exchange_left_out(events: list[Event]) -> list[Event]:
    kept = [
        one for one in events if one["type"] not in ("cards_discarded", "cards_drawn", "exchange_yielded")
    ]
    first = next((i for i, one in enumerate(kept) if one["type"] == "card_played"), len(kept))
    return [*kept[:first], {"type": "gap_noted"}, *kept[first:]]
