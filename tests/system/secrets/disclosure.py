"""Who may know what of a record, told from its entries alone; and other records that he cannot tell from it.

This is the rule that `engine.view` carries out, written down once more without it.
"""

import json
import random
import re
from collections.abc import Collection, Iterator

from tests.support.engine.selfplay import PACK
from tests.system.secrets.deals import PLAYERS, SEATS, Json

OF_A_HAND = ("hand_dealt", "hand_held", "cards_discarded", "cards_drawn")
ON_THE_TABLE = ("card_played", "talon_turned", "cards_shown")
WORDS = {
    "deal_opened": ("title", "source"), "note_added": ("text", "mark", "author"), "deal_voided": ("reason",),
    "gap_noted": ("text",), "action_withdrawn": ("text",), "correction_made": ("reason",),
    "irregularity_noted": ("text",),
}  # fmt: skip
"""Whoever keeps the record may say there what he likes, and so what nobody else may know."""
OF_ANY_ENTRY = ("recorded_by", "accounts")
REVOKE = "revoke"
"""The only kind of irregularity here that tells of no card."""


def codes_in(text: str) -> set[str]:
    return set(re.findall(r"\b[CDHS][2-7AJKQ]\b", text))


def taken_away(log: list[Json]) -> set[str]:
    """The entries, and parts of corrections, that corrections took away."""
    gone: set[int] = set()
    bettered: set[int] = set()
    lapsed: set[str] = set()
    for seq in range(len(log), 0, -1):
        event = log[seq - 1]
        if event["type"] != "correction_made":
            continue
        stands = seq not in gone
        if not stands:
            lapsed |= {f"{seq}.{number}" for number in range(1, len(event["with"]) + 1)}
        if stands or seq in bettered:
            gone.update(event["replaces"])
        if seq in bettered or (stands and event["with"]):
            bettered.update(event["replaces"])
    return {str(seq) for seq in gone} | lapsed


def entries(log: list[Json]) -> Iterator[tuple[Json, bool]]:
    """All entries, and what corrections put in; each with whether it stands."""
    away = taken_away(log)
    for seq, event in enumerate(log, 1):
        yield event, str(seq) not in away
        for number, part in enumerate(event.get("with", ()), 1):
            yield part, f"{seq}.{number}" not in away


def is_open(log: list[Json]) -> bool:
    return any(event["type"] == "deal_closed" and stands for event, stands in entries(log))


def seats_of(log: list[Json], person: str) -> set[str]:
    """The seats that somebody held, at the opening or by taking a hand over."""
    held: set[str] = set()
    for event, stands in entries(log):
        if stands and event["type"] == "deal_opened":
            held |= {seat for seat in SEATS if event["players"][seat] == person}
        elif stands and event["type"] == "hand_taken_over" and event["player"] == person:
            held.add(event["seat"])
    return held


def is_shown(event: Json, stands: bool, seats: Collection[str]) -> bool:
    """Whether the cards of an entry are for those who sit in ``seats``."""
    kind = event["type"]
    if not stands:
        return False
    if kind in OF_A_HAND:
        return event["seat"] in seats
    if kind == "talon_seen":
        return bool(set(event["seats"]) & set(seats))
    return kind in ON_THE_TABLE


def cards_of(event: Json) -> list[str]:
    return [*event.get("cards", ()), *([event["card"]] if "card" in event else ())]


def seen(log: list[Json], seats: Collection[str]) -> set[str]:
    """The cards that lie open to those who sit in ``seats``."""
    return {
        card for event, stands in entries(log) if is_shown(event, stands, seats) for card in cards_of(event)
    }


def exchanged(log: list[Json], unseen: list[str], rng: random.Random) -> list[Json]:
    """The record with the unseen cards in each other's places: in hands, talon, corrections and words."""
    places = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    text = re.sub(r"\b[CDHS][2-7AJKQ]\b", lambda one: places.get(one[0], one[0]), json.dumps(log))
    return json.loads(text)


def rewritten(log: list[Json], seats: Collection[str], unseen: list[str], rng: random.Random) -> list[Json]:
    """The record with whatever else in all that is not for those who sit in ``seats``, lawful or not."""
    changed: list[Json] = json.loads(json.dumps(log))
    for event, stands in entries(changed):
        if not is_shown(event, stands, seats):
            if "cards" in event:
                event["cards"] = _others(len(event["cards"]), unseen, rng)
            if "card" in event:
                event["card"] = _others(1, unseen, rng)[0]
            if "why" in event:
                event["why"] = _words(rng)
        for name in WORDS.get(event["type"], ()):
            if name == "mark":
                event.update({name: rng.choice(("!", "?", "!!"))} if name in event else {})
            elif name in event:
                event[name] = _words(rng)
        for name in OF_ANY_ENTRY:
            if name in event:
                event[name] = _words(rng) if name == "recorded_by" else [_words(rng)]
        if event["type"] == "irregularity_noted" and event["kind"] != REVOKE:
            event["kind"] = _words(rng)
    return changed


def _others(count: int, unseen: list[str], rng: random.Random) -> list[str]:
    known = rng.sample(unseen, min(count, len(unseen), rng.randint(0, count)))
    unknown = (rng.choice(("??", "S?", "H?")) for _ in range(count - len(known)))
    return rng.sample([*known, *unknown], count)


def _words(rng: random.Random) -> str:
    return f"{rng.choice(list(PLAYERS.values()))} says {' '.join(rng.sample(PACK, rng.randint(1, 9)))}"
