"""Random records as recorders write them, under every ruleset: slips, corrections, notes, secrets."""

import random
from collections.abc import Iterator
from typing import Any

from engine.rulesets import PUBLISHED_RULESETS
from tests.support.engine.selfplay import PACK, Table
from tests.support.engine.shorthand import corrected, note, withdrawn

Json = dict[str, Any]

RULESETS = [rules.ruleset.id for rules in PUBLISHED_RULESETS]
SEATS = ("forehand", "middlehand", "backhand")
PLAYERS = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
PARTNER = "Dora"
"""Who takes a hand over."""

MENDABLE = ("hand_dealt", "cards_discarded", "cards_drawn", "card_played", "talon_turned", "deal_opened")


def recorded_deal(rng: random.Random, ruleset: str, **opening: Any) -> list[Json]:
    """A random record; it may be cut off anywhere and is one still."""
    table = Table(rng, ruleset)
    scribe = _Scribe(rng, table)
    table.events[0] |= opening
    if rng.random() < 0.5:
        table.events[0] |= {"title": _named(rng), "source": f"told by {_named(rng)}"}
    for event in table.events:
        scribe.write(event)
    if rng.random() < 0.6:
        scribe.write({"type": "talon_laid", "cards": list(table.talon)})
    for _, event in table.points():
        scribe.write(event)
        if rng.random() < 0.15:
            scribe.log.append(_aside(rng, table))
        if rng.random() < 0.01:
            break
    scribe.log += scribe.owed
    for event in _ending(rng, len(scribe.log)):
        scribe.log.append(event)
    return scribe.log


def cut_off(deal: list[Json], rng: random.Random) -> list[Json]:
    return deal[: rng.randint(2, len(deal))]


class _Scribe:
    """Who writes a record, and sometimes something wrong."""

    def __init__(self, rng: random.Random, table: Table) -> None:
        self.rng, self.table = rng, table
        self.log: list[Json] = []
        self.owed: list[Json] = []

    def write(self, event: Json) -> None:
        """What happened, perhaps wrongly at first."""
        rng, event = self.rng, _half_known(event, self.rng)
        if event["type"] in MENDABLE and rng.random() < 0.1:
            self.log.append(_wrongly(event, rng))
            self._owe(len(self.log), event)
        elif event["type"] == "card_played" and rng.random() < 0.04 and self.table.hands[event["seat"]]:
            # On the table, and back into the hand.
            self.log.append({**event, "card": rng.choice(self.table.hands[event["seat"]])})
            self.log.append(withdrawn(len(self.log)) | {"text": _named(rng)})
            self.log.append(event)
        else:
            self.log.append(event)
        while self.owed and rng.random() < 0.3:
            self.log.append(self.owed.pop(0))

    def _owe(self, wrong: int, event: Json) -> None:
        """A correction to come; or one now that is wrong too, and is bettered or undone later."""
        rng = self.rng
        right = corrected([wrong], event) | {"reason": _named(rng)}
        if rng.random() < 0.6:
            self.owed.append(right)
            return
        self.log.append(corrected([wrong], _wrongly(event, rng)))
        first = len(self.log)
        if rng.random() < 0.5:
            self.owed.append(corrected([first], event))
        else:
            self.owed += [corrected([first]), right]


def _named(rng: random.Random) -> str:
    """Somebody's own words, with cards in them."""
    return f"He had {' '.join(rng.sample(PACK, rng.randint(1, 4)))}."


def _wrongly(event: Json, rng: random.Random) -> Json:
    """The same entry with other cards, or of another seat."""
    if event["type"] == "deal_opened":
        names = rng.sample([event["players"][seat] for seat in SEATS], 3)
        return {**event, "players": dict(zip(SEATS, names, strict=True))}
    if "seat" in event and rng.random() < 0.5:
        return {**event, "seat": rng.choice([seat for seat in SEATS if seat != event["seat"]])}
    if "card" in event:
        return {**event, "card": rng.choice(PACK)}
    return {**event, "cards": rng.sample(PACK, len(event["cards"]))}


def _half_known(event: Json, rng: random.Random) -> Json:
    """The same, now and then with cards that nobody saw well, or at all."""
    if event["type"] not in ("hand_dealt", "cards_discarded", "cards_drawn", "talon_laid"):
        return event
    if rng.random() > 0.15:
        return event
    kept = rng.choice((0, 0.5, 0.8))
    blurred = [card if rng.random() < kept else rng.choice(("??", f"{card[0]}?")) for card in event["cards"]]
    return {**event, "cards": blurred}


def _aside(rng: random.Random, table: Table) -> Json:
    """Something said of the deal while it goes on."""
    seat = rng.choice(SEATS)
    hand = list(table.hands[seat])
    asides: list[Json] = [
        note(_named(rng), mark="!?", author="Eva") | {"recorded_by": "Eva", "accounts": ["a book"]},
        {"type": "irregularity_noted", "seat": seat, "kind": rng.choice(("revoke", "showed the ace"))}
        | {"text": _named(rng)},
        {"type": "gap_noted", "text": _named(rng)},
        {"type": "hand_held", "seat": seat, "cards": hand, "basis": "told"},
        {"type": "talon_seen", "cards": list(table.talon), "seats": rng.sample(SEATS, rng.randint(1, 2))},
        {"type": "hand_taken_over", "seat": seat, "player": PARTNER},
        {"type": "ruling_made", "text": "Play on."},
    ]
    if not hand:
        return asides[0]
    asides.append({"type": "cards_shown", "seat": seat, "cards": rng.sample(hand, rng.randint(1, len(hand)))})
    return rng.choices(asides, [5, 2, 1, 3, 2, 1, 1, 1])[0]


def _ending(rng: random.Random, length: int) -> Iterator[Json]:
    """What may stand behind the play, or where it broke off."""
    seat = rng.choice(SEATS)
    nothing = dict.fromkeys(SEATS, 0)
    for event in (
        {"type": "tricks_claimed", "seat": seat, "tricks": {"forehand": 5, "middlehand": 2, "backhand": 2}},
        {"type": "claim_answered", "seat": rng.choice(SEATS), "answer": "contest"},
        {"type": "deal_abandoned", "seat": seat},
        {"type": "deal_voided", "reason": _named(rng)},
        {"type": "result_recorded", "tricks": {"forehand": 4, "middlehand": 4, "backhand": 1}},
        {"type": "deal_settled", "payments": nothing},
        note(_named(rng), on=rng.randint(1, length)),
    ):
        if rng.random() < 0.25:
            length += 1
            yield event
    if rng.random() < 0.5:
        yield {"type": "deal_closed", "payments": nothing, "engine": "0"}
        if rng.random() < 0.6:
            # Closed by mistake: what lay open is covered again.
            yield corrected([length + 1])
            yield note(_named(rng))
