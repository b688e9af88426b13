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
from engine.core.field_types import Seq
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, CompiledRuleset, find_ruleset
from replays import Replay
from schemas.answers.deal_reports import replay_frames
from schemas.answers.states import finding_objects, score_object
from schemas.logs.deal_size import require_displayable
from service.presentation.svg.placed_cards import order_hand_cards, order_known_cards

NO_STATED_HANDS: Final[Mapping[str, dict[str, Any]]] = {}
CARD_CODE_PATTERN: Final = re.compile(r"(?<![\w?])([SHCD][A2-7JQK?]|\?\?)(?![\w?])")
"""A card's code in a sentence of the engine."""


class ReadingItem(NamedTuple):
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


class ReadingPart(NamedTuple):
    """What a reading says of one part of the deal, in the order in which it happened.

    Without items where it says nothing of it; ``at`` is the entry by which it is said.
    """

    part: str
    items: tuple[ReadingItem, ...]
    number: int | None = None
    seat: str | None = None
    at: Seq | None = None


class ReadingComparisonRow(NamedTuple):
    """One part of the deal in both readings. ``part``, ``number`` (of a trick) and ``seat`` say which."""

    part: str
    number: int | None
    seat: str | None
    sides: tuple[ReadingPart, ReadingPart]
    differs: bool


def compare_readings(first: Replay, second: Replay) -> list[ReadingComparisonRow]:
    """Two readings row by row, with what is not the same in both marked."""
    left, right = (collect_reading_parts(reading) for reading in (first, second))
    keys = list(dict.fromkeys((*left, *right)))
    keys.sort(key=_part_sort_key)
    return [_build_row(key, left.get(key), right.get(key)) for key in keys]


PartKey = tuple[str, int | None, str | None]
PART_ORDER: Final = ("dealt", "bids", "exchange", "held", "trick", "paid", "finding")


def _part_sort_key(key: PartKey) -> tuple[int, int, int]:
    part, number, seat = key
    return PART_ORDER.index(part), number or 0, SEAT_NAMES.index(seat) if seat else -1


def _build_row(key: PartKey, left: ReadingPart | None, right: ReadingPart | None) -> ReadingComparisonRow:
    part, number, seat = key
    left_part, right_part = (
        reading_part or ReadingPart(part, (), number, seat) for reading_part in (left, right)
    )
    sides = (_mark_differences(left_part, right_part), _mark_differences(right_part, left_part))
    differs = any(item.differs for side in sides for item in side.items)
    return ReadingComparisonRow(
        part, number, seat, sides, differs or bool(left_part.items) != bool(right_part.items)
    )


def _mark_differences(part: ReadingPart, other: ReadingPart) -> ReadingPart:
    """The same, with what the other reading does not say there marked.

    Nothing is where that one says nothing at all.
    """
    if not other.items:
        return part
    remaining = Counter(map(_item_key, other.items))
    items = []
    for item in part.items:
        is_shared = remaining[_item_key(item)] > 0
        remaining[_item_key(item)] -= is_shared
        items.append(item._replace(differs=not is_shared))
    return part._replace(items=tuple(items))


def _item_key(item: ReadingItem) -> tuple[str, str, str | None]:
    return item.kind, item.value, item.seat


@lru_cache(maxsize=50)
def collect_reading_parts(reading: Replay) -> dict[PartKey, ReadingPart]:
    """What a reading says of each part of the deal; of a deal of the library that never changes."""
    report = audit(reading.read_log())
    require_displayable(report.history)
    frames = list(replay_frames(report.history))
    parts = [
        *_iterate_hands(frames),
        _build_bids(frames),
        *_iterate_exchanges(frames),
        *_iterate_tricks(frames[-1]["state"]),
    ]
    parts += [
        _build_payments(score_object(report.score)),
        _build_findings(finding_objects(report.findings)),
    ]
    return {
        (reading_part.part, reading_part.number, reading_part.seat): reading_part
        for reading_part in parts
        if reading_part.items
    }


def _iterate_hands(frames: Sequence[dict[str, Any]]) -> Iterator[ReadingPart]:
    """The hands as they were dealt, and as play begins."""
    types = [frame["event"]["type"] for frame in frames]
    dealt_indexes = [index for index, kind in enumerate(types) if kind == "hand_dealt"]
    if dealt_indexes:
        yield from _iterate_hands_at("dealt", frames[dealt_indexes[-1]])
    if "card_played" in types and (lead_index := types.index("card_played")):
        stated_hands = {
            frame["event"]["seat"]: frame
            for frame in frames[:lead_index]
            if frame["event"]["type"] == "hand_held"
        }
        yield from _iterate_hands_at("held", frames[lead_index - 1], stated_hands)


def _iterate_hands_at(
    part: str, frame: dict[str, Any], stated_hands: Mapping[str, dict[str, Any]] = NO_STATED_HANDS
) -> Iterator[ReadingPart]:
    """The hands at a point; those that the source states as it states them, also where that cannot be."""
    state = frame["state"]
    rules = find_ruleset(PUBLISHED_RULESETS, state["ruleset"] or "", state["revision"]) or NO_RULES
    for seat in SEAT_NAMES:
        stated_frame = stated_hands.get(seat)
        cards = (
            _sort_stated_hand(stated_frame["event"], state, rules)
            if stated_frame
            else order_hand_cards(state, seat, rules)
        )
        if any(card != "??" for card in cards):
            items = tuple(ReadingItem("card", card, seat) for card in cards)
            yield ReadingPart(part, items, seat=seat, at=(stated_frame or frame)["seq"])


def _sort_stated_hand(event: dict[str, Any], state: dict[str, Any], rules: CompiledRuleset) -> list[str]:
    """A hand as a source states it, in the order in which it is held."""
    cards: list[str] = event["cards"]
    hidden = [card for card in cards if "?" in card]
    return [*order_known_cards([card for card in cards if card not in hidden], state, rules), *hidden]


def _build_bids(frames: Sequence[dict[str, Any]]) -> ReadingPart:
    """The calls as they fell, and the game that was named."""
    state = frames[-1]["state"]
    calls = [ReadingItem("bid", call["bid"], call["seat"], call["seq"]) for call in state["calls"]]
    naming_frames = [frame for frame in frames if frame["event"]["type"] == "contract_named"]
    for frame in naming_frames:
        event = frame["event"]
        game = f"{event['contract']} {event.get('trump') or ''}".strip()
        calls.append(ReadingItem("game", game, event["seat"], frame["seq"]))
    return ReadingPart("bids", tuple(calls), at=calls[0].at if calls else None)


def _iterate_exchanges(frames: Sequence[dict[str, Any]]) -> Iterator[ReadingPart]:
    """What each laid away and drew."""
    item_kinds = {"cards_discarded": "discards", "cards_drawn": "draws"}
    for seat in SEAT_NAMES:
        items: list[ReadingItem] = []
        at = None
        for frame in frames:
            event = frame["event"]
            if event["type"] in item_kinds and event.get("seat") == seat:
                at = at or frame["seq"]
                items.append(
                    ReadingItem(item_kinds[event["type"]], str(len(event["cards"])), seat, frame["seq"])
                )
                items += [
                    ReadingItem("card", card, seat, frame["seq"]) for card in event["cards"] if card != "??"
                ]
        yield ReadingPart("exchange", tuple(items), seat=seat, at=at)


def _iterate_tricks(state: dict[str, Any]) -> Iterator[ReadingPart]:
    """Each trick, its cards in the order of the seats."""
    for trick in state["tricks"]:
        played = zip(trick["seats"], trick["cards"], trick["seqs"], strict=True)
        items = [
            ReadingItem("card", card, seat, seq, leads=not index, wins=seat == trick["winner"])
            for index, (seat, card, seq) in enumerate(played)
        ]
        items.sort(key=lambda item: SEAT_NAMES.index(item.seat or ""))
        yield ReadingPart("trick", tuple(items), number=trick["number"])


def _build_payments(score: dict[str, Any]) -> ReadingPart:
    payments = score["payments"] or {}
    return ReadingPart(
        "paid", tuple(ReadingItem("chips", str(chips), player) for player, chips in payments.items())
    )


def _build_findings(findings: Iterable[dict[str, Any]]) -> ReadingPart:
    """What is wrong with the record; that it is incomplete is no fault of a book."""
    faults = [finding for finding in findings if finding["severity"] != "info"]
    return ReadingPart(
        "finding",
        tuple(
            ReadingItem("words", finding["message"], finding["seat"], finding["seq"]) for finding in faults
        ),
    )


def list_reading_notes(reading: Replay) -> list[dict[str, Any]]:
    """What is noted in a reading, in the order of the deal: ``text``, ``mark``, ``at``, ``trick`` or None."""
    report = audit(reading.read_log())
    require_displayable(report.history)
    frames = list(replay_frames(report.history))
    tricks = {frame["seq"]: _played_trick_number(frame) for frame in frames}
    notes = []
    for frame in frames:
        event = frame["event"]
        if event["type"] == "note_added":
            at = event.get("on") or frame["seq"]
            note = {"text": event["text"], "mark": event.get("mark")}
            notes.append({**note, "at": at, "trick": tricks.get(at)})
    order = {frame["seq"]: index for index, frame in enumerate(frames)}
    return sorted(notes, key=lambda note: order.get(note["at"], 0))


def _played_trick_number(frame: dict[str, Any]) -> int | None:
    is_card_played = frame["event"]["type"] == "card_played"
    return frame["state"]["tricks"][-1]["number"] if is_card_played else None


def split_card_codes(sentence: str) -> list[tuple[str, bool]]:
    """A sentence in pieces, and of each whether it is a card's code."""
    return [
        (piece, bool(index % 2)) for index, piece in enumerate(CARD_CODE_PATTERN.split(sentence)) if piece
    ]
