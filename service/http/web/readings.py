"""Readings of one historic deal, laid beside each other: what each says of hands, bidding, tricks and score.

A reading is told in rows that follow the deal, the same rows for every reading; what stands in a row are
cards and words, each of which says whether the other reading has it too. Nothing here knows a language: bids
and findings are given as the record has them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine import audit
from engine.core.cards import SEAT_NAMES
from engine.core.vocabulary import Seq
from engine.rulesets import NO_RULES, PUBLISHED, Rules, find
from replays import Replay
from schemas.answers.reports import frames
from schemas.answers.states import finding_objects, score_object
from schemas.logs.deal_size import require_size
from service.presentation.svg.fan import fanned
from service.presentation.svg.lying import hand_cards

LEAST_TRICKS: Final = 9
NOWHERE: Final[Mapping[str, dict[str, Any]]] = {}
CODE: Final = re.compile(r"(?<![\w?])([SHCD][A2-7JQK?]|\?\?)(?![\w?])")
"""A card's code in a sentence of the engine."""


class Item(NamedTuple):
    """One thing that a reading says: a card by its code, a call, or words.

    ``seat`` is whose it is; ``at`` the entry that says it; ``leads`` and ``wins`` are a card's in its trick;
    ``differs`` where the other reading has it not.
    """

    kind: str
    value: str
    seat: str | None = None
    at: Seq | None = None
    leads: bool = False
    wins: bool = False
    differs: bool = False


class Told(NamedTuple):
    """What a reading says of one part of the deal, in the order in which it happened.

    Without items where it says nothing of it; ``at`` is the entry by which it is said.
    """

    part: str
    items: tuple[Item, ...]
    number: int | None = None
    seat: str | None = None
    at: Seq | None = None


class Row(NamedTuple):
    """One part of the deal in both readings. ``part``, ``number`` (of a trick) and ``seat`` say which."""

    part: str
    number: int | None
    seat: str | None
    sides: tuple[Told, Told]
    differs: bool


def beside(one: Replay, other: Replay) -> list[Row]:
    """Two readings row by row, with what is not the same in both marked."""
    left, right = (parts_of(reading) for reading in (one, other))
    keys = list(dict.fromkeys((*left, *right)))
    keys.sort(key=_order)
    return [_row(key, left.get(key), right.get(key)) for key in keys]


Key = tuple[str, int | None, str | None]
PARTS: Final = ("dealt", "bids", "exchange", "held", "trick", "paid", "finding")


def _order(key: Key) -> tuple[int, int, int]:
    part, number, seat = key
    return PARTS.index(part), number or 0, SEAT_NAMES.index(seat) if seat else -1


def _row(key: Key, left: Told | None, right: Told | None) -> Row:
    part, number, seat = key
    one, other = (told or Told(part, (), number, seat) for told in (left, right))
    marked = (_marked(one, other), _marked(other, one))
    differs = any(item.differs for side in marked for item in side.items)
    return Row(part, number, seat, marked, differs or bool(one.items) != bool(other.items))


def _marked(told: Told, other: Told) -> Told:
    """The same, with what the other reading does not say there marked.

    Nothing is where that one says nothing at all.
    """
    if not other.items:
        return told
    left = Counter(map(_said, other.items))
    items = []
    for item in told.items:
        known = left[_said(item)] > 0
        left[_said(item)] -= known
        items.append(item._replace(differs=not known))
    return told._replace(items=tuple(items))


def _said(item: Item) -> tuple[str, str, str | None]:
    return item.kind, item.value, item.seat


@lru_cache(maxsize=50)
def parts_of(reading: Replay) -> dict[Key, Told]:
    """What a reading says of each part of the deal; of a deal of the library that never changes."""
    judged = audit(reading.log())
    require_size(judged.history)
    told = list(frames(judged.history))
    found = [*_hands(told), _bids(told), *_exchanges(told), *_tricks(told[-1]["state"])]
    found += [_paid(score_object(judged.score)), _findings(finding_objects(judged.findings, _as_said))]
    return {(one.part, one.number, one.seat): one for one in found if one.items}


def _hands(told: Sequence[dict[str, Any]]) -> Iterator[Told]:
    """The hands as they were dealt, and as play begins."""
    types = [frame["event"]["type"] for frame in told]
    dealt = [place for place, kind in enumerate(types) if kind == "hand_dealt"]
    if dealt:
        yield from _hands_at("dealt", told[dealt[-1]])
    if "card_played" in types and (lead := types.index("card_played")):
        stated = {one["event"]["seat"]: one for one in told[:lead] if one["event"]["type"] == "hand_held"}
        yield from _hands_at("held", told[lead - 1], stated)


def _hands_at(
    part: str, frame: dict[str, Any], stated: Mapping[str, dict[str, Any]] = NOWHERE
) -> Iterator[Told]:
    """The hands at a point; those that the source states as it states them, also where that cannot be."""
    state = frame["state"]
    rules = find(PUBLISHED, state["ruleset"] or "", state["revision"]) or NO_RULES
    for seat in SEAT_NAMES:
        said = stated.get(seat)
        cards = _as_stated(said["event"], state, rules) if said else hand_cards(state, seat, rules)
        if any(card != "??" for card in cards):
            items = tuple(Item("card", card, seat) for card in cards)
            yield Told(part, items, seat=seat, at=(said or frame)["seq"])


def _as_stated(event: dict[str, Any], state: dict[str, Any], rules: Rules) -> list[str]:
    """A hand as a source states it, in the order in which it is held."""
    cards: list[str] = event["cards"]
    unseen = [card for card in cards if "?" in card]
    return [*fanned([card for card in cards if card not in unseen], state, rules), *unseen]


def _bids(told: Sequence[dict[str, Any]]) -> Told:
    """The calls as they fell, and the game that was named."""
    state = told[-1]["state"]
    calls = [Item("bid", call["bid"], call["seat"], call["seq"]) for call in state["calls"]]
    named = [frame for frame in told if frame["event"]["type"] == "contract_named"]
    for frame in named:
        event = frame["event"]
        game = f"{event['contract']} {event.get('trump') or ''}".strip()
        calls.append(Item("game", game, event["seat"], frame["seq"]))
    return Told("bids", tuple(calls), at=calls[0].at if calls else None)


def _exchanges(told: Sequence[dict[str, Any]]) -> Iterator[Told]:
    """What each laid away and drew."""
    kinds = {"cards_discarded": "discards", "cards_drawn": "draws"}
    for seat in SEAT_NAMES:
        items: list[Item] = []
        at = None
        for frame in told:
            event = frame["event"]
            if event["type"] in kinds and event.get("seat") == seat:
                at = at or frame["seq"]
                items.append(Item(kinds[event["type"]], str(len(event["cards"])), seat, frame["seq"]))
                items += [Item("card", card, seat, frame["seq"]) for card in event["cards"] if card != "??"]
        yield Told("exchange", tuple(items), seat=seat, at=at)


def _tricks(state: dict[str, Any]) -> Iterator[Told]:
    """Each trick, its cards in the order of the seats."""
    for trick in state["tricks"]:
        laid = zip(trick["seats"], trick["cards"], trick["seqs"], strict=True)
        items = [
            Item("card", card, seat, seq, leads=not place, wins=seat == trick["winner"])
            for place, (seat, card, seq) in enumerate(laid)
        ]
        items.sort(key=lambda item: SEAT_NAMES.index(item.seat or ""))
        yield Told("trick", tuple(items), number=trick["number"])


def _paid(score: dict[str, Any]) -> Told:
    payments = score["payments"] or {}
    return Told("paid", tuple(Item("chips", str(chips), who) for who, chips in payments.items()))


def _as_said(sentence: str) -> str:
    """A sentence of the engine as it is: it remembers what it was made from, and can be told in Danish."""
    return sentence


def _findings(found: Iterable[dict[str, Any]]) -> Told:
    """What is wrong with the record; that it is incomplete is no fault of a book."""
    amiss = [one for one in found if one["severity"] != "info"]
    return Told("finding", tuple(Item("words", one["message"], one["seat"], one["seq"]) for one in amiss))


def notes_of(reading: Replay) -> list[dict[str, Any]]:
    """What is noted in a reading, in the order of the deal: ``text``, ``mark``, ``at``, ``trick`` or None."""
    judged = audit(reading.log())
    require_size(judged.history)
    told = list(frames(judged.history))
    tricks = {frame["seq"]: _trick_of(frame) for frame in told}
    notes = []
    for frame in told:
        event = frame["event"]
        if event["type"] == "note_added":
            at = event.get("on") or frame["seq"]
            note = {"text": event["text"], "mark": event.get("mark")}
            notes.append({**note, "at": at, "trick": tricks.get(at)})
    places = {frame["seq"]: place for place, frame in enumerate(told)}
    return sorted(notes, key=lambda note: places.get(note["at"], 0))


def _trick_of(frame: dict[str, Any]) -> int | None:
    played = frame["event"]["type"] == "card_played"
    return frame["state"]["tricks"][-1]["number"] if played else None


def pieces_of(sentence: str) -> list[tuple[str, bool]]:
    """A sentence in pieces, and of each whether it is a card's code."""
    return [(piece, bool(place % 2)) for place, piece in enumerate(CODE.split(sentence)) if piece]
