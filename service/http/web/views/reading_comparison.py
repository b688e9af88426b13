"""The page of two readings of a deal, side by side.

A reading says something of each part of the deal: its hands, bidding, exchange, tricks, payments, findings.
What only one of two readings says is marked.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from flask import Response

from engine import Log, audit
from engine.core.cards import SEAT_NAMES
from engine.core.field_types import Seq
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, RulesetBook, find_ruleset
from schemas.answers.deal_reports import replay_frames
from schemas.answers.states import finding_objects, score_object
from schemas.i18n.card_words import listed_card_name
from schemas.logs.deal_size import require_displayable
from service.http.problems import Problem
from service.http.service_context import service_context
from service.http.web.display_preferences import display_preferences, game_words, page_language
from service.http.web.pages import (
    build_deal_result,
    display_name,
    find_record_rules,
    format_deal_source,
    pages,
    render_page,
    without_caching,
)
from service.http.web.views.deal_readings import Reading, find_reading, list_readings
from service.http.web.views.seasons import format_signed_chips
from service.presentation.i18n.game_words import GameWords
from service.presentation.svg.card_symbols import drawn_rank_letter
from service.presentation.svg.placed_cards import order_hand_cards, order_known_cards

CARD_CODE_PATTERN: Final = re.compile(r"(?<![\w?])([SHCD][A2-7JQK?]|\?\?)(?![\w?])")
"""A card's code in a sentence of the engine."""
PART_ORDER: Final = ("dealt", "bids", "exchange", "held", "trick", "paid", "finding")
EXCHANGE_KINDS: Final = {"cards_discarded": "discards", "cards_drawn": "draws"}

Frame = dict[str, Any]
"""An entry of a deal with the state after it, as `replay_frames` builds it."""
PartKey = tuple[str, int | None, str | None]
"""A part of the deal: one of `PART_ORDER`, the number of a trick, a seat."""


class ReadingItem(NamedTuple):
    """One thing that a reading says: a card by its code, a call, an amount, or words.

    ``seat`` is whose it is. Of a card in a trick, ``at`` is its entry, and ``leads`` and ``wins`` say what it
    does there. ``differs``: the other reading does not have it.
    """

    kind: str
    value: str
    seat: str | None = None
    at: Seq | None = None
    leads: bool = False
    wins: bool = False
    differs: bool = False


ReadingItems = tuple[ReadingItem, ...]


class ComparisonRow(NamedTuple):
    """One part of the deal in both readings; a reading that says nothing of it has no items."""

    part: str
    number: int | None
    seat: str | None
    sides: tuple[ReadingItems, ReadingItems]
    differs: bool


@pages.get("/replays/<name>/readings/<other>", endpoint="compare_readings_page")
@pages.get("/deals/<stream:deal>/readings/<other>", endpoint="compare_recorded_readings")
def compare_with_reading(other: str, **key: str) -> Response:
    """A deal and another reading of it, next to each other."""
    first = find_reading(**key)
    readings = list_readings(first)
    second = next((one for one in readings if one.name == other and other != first.name), None)
    if second is None:
        message = f"“{other[:60]}” is no other reading of the deal “{first.name[:60]}”."
        raise Problem("not-found", message)
    shown = (first, second)
    logs = first.read_log(), second.read_log()
    sides = [build_reading_side(*one) for one in zip(shown, logs, strict=True)]
    response = render_page(
        "reading_comparison.html",
        nav_section="library",
        sides=sides,
        rows=[
            build_comparison_row(row, sides)
            for row in compare_readings(*logs, page_language(), service_context().book)
        ],
        result_differs=sides[0]["result"] != sides[1]["result"],
        pairs=build_pair_links(readings, shown),
        accounts_url=first.account_url(second),
    )
    return without_caching(response) if any(one.is_recorded for one in shown) else response


# What a reading says


def compare_readings(
    first: Log, second: Log, lang: str, book: RulesetBook = PUBLISHED_RULESETS
) -> list[ComparisonRow]:
    """Compare two readings row by row, and mark what only one of them says."""
    left, right = (collect_reading_parts(log, book, lang) for log in (first, second))
    keys = sorted({**left, **right}, key=_part_sort_key)
    return [_build_row(key, left.get(key, ()), right.get(key, ())) for key in keys]


def _part_sort_key(key: PartKey) -> tuple[int, int, int]:
    part, number, seat = key
    return PART_ORDER.index(part), number or 0, SEAT_NAMES.index(seat) if seat else -1


def _build_row(key: PartKey, left: ReadingItems, right: ReadingItems) -> ComparisonRow:
    sides = _mark_differences(left, right), _mark_differences(right, left)
    differs = any(item.differs for side in sides for item in side) or bool(left) != bool(right)
    return ComparisonRow(*key, sides, differs)


def _mark_differences(items: ReadingItems, others: ReadingItems) -> ReadingItems:
    """Mark the items that the other reading does not have; none where it says nothing at all."""
    if not others:
        return items
    remaining = Counter(item[:3] for item in others)
    marked = []
    for item in items:
        is_shared = remaining[item[:3]] > 0
        remaining[item[:3]] -= is_shared
        marked.append(item._replace(differs=not is_shared))
    return tuple(marked)


def collect_reading_parts(log: Log, book: RulesetBook, lang: str) -> Mapping[PartKey, ReadingItems]:
    """What a reading says of each part of the deal, sentences in a language."""
    report = audit(log, book)
    require_displayable(report.history)
    frames = list(replay_frames(report.history))
    state = frames[-1]["state"]
    payments = score_object(report.score)["payments"] or {}
    # That a record is incomplete is no fault of a book.
    faults = [finding for finding in finding_objects(report.findings, lang) if finding["severity"] != "info"]
    parts: dict[PartKey, list[ReadingItem]] = {
        **dict(_iterate_hands(frames, book)),
        ("bids", None, None): _list_calls(frames),
        **{("exchange", None, seat): _list_exchanged(frames, seat) for seat in SEAT_NAMES},
        **{("trick", trick["number"], None): _list_trick_cards(trick) for trick in state["tricks"]},
        ("paid", None, None): [ReadingItem("chips", str(chips), name) for name, chips in payments.items()],
        ("finding", None, None): [ReadingItem("words", one["message"], one["seat"]) for one in faults],
    }
    return {key: tuple(items) for key, items in parts.items() if items}


def _iterate_hands(frames: Sequence[Frame], book: RulesetBook) -> Iterator[tuple[PartKey, list[ReadingItem]]]:
    """The hands as they were dealt, and as the play begins."""
    types = [frame["event"]["type"] for frame in frames]
    if "hand_dealt" in types:
        last_dealt = max(index for index, kind in enumerate(types) if kind == "hand_dealt")
        yield from _iterate_hands_at("dealt", frames[last_dealt], {}, book)
    if "card_played" in types and (lead_index := types.index("card_played")):
        events = [frame["event"] for frame in frames[:lead_index]]
        stated = {event["seat"]: event["cards"] for event in events if event["type"] == "hand_held"}
        yield from _iterate_hands_at("held", frames[lead_index - 1], stated, book)


def _iterate_hands_at(
    part: str, frame: Frame, stated: Mapping[str, list[str]], book: RulesetBook
) -> Iterator[tuple[PartKey, list[ReadingItem]]]:
    """The hands at a point; a hand that the source states is as it states it, even if that cannot be."""
    state = frame["state"]
    rules = find_ruleset(book, state["ruleset"] or "", state["revision"]) or NO_RULES
    for seat in SEAT_NAMES:
        if seat in stated:
            hidden = [card for card in stated[seat] if "?" in card]
            known = [card for card in stated[seat] if card not in hidden]
            cards = [*order_known_cards(known, state, rules), *hidden]
        else:
            cards = order_hand_cards(state, seat, rules)
        if any(card != "??" for card in cards):
            yield (part, None, seat), [ReadingItem("card", card, seat) for card in cards]


def _list_calls(frames: Sequence[Frame]) -> list[ReadingItem]:
    """The calls in order, and the game that was named."""
    calls = [ReadingItem("bid", call["bid"], call["seat"]) for call in frames[-1]["state"]["calls"]]
    named = [frame["event"] for frame in frames if frame["event"]["type"] == "contract_named"]
    return calls + [
        ReadingItem("game", f"{event['contract']} {event.get('trump') or ''}".strip(), event["seat"])
        for event in named
    ]


def _list_exchanged(frames: Sequence[Frame], seat: str) -> list[ReadingItem]:
    """What a seat discarded and drew: the number of cards, then those that are known."""
    items: list[ReadingItem] = []
    for event in (frame["event"] for frame in frames):
        if event["type"] in EXCHANGE_KINDS and event.get("seat") == seat:
            items.append(ReadingItem(EXCHANGE_KINDS[event["type"]], str(len(event["cards"])), seat))
            items += [ReadingItem("card", card, seat) for card in event["cards"] if card != "??"]
    return items


def _list_trick_cards(trick: dict[str, Any]) -> list[ReadingItem]:
    """The cards of a trick in the order of the seats."""
    played = zip(trick["seats"], trick["cards"], trick["seqs"], strict=True)
    items = [
        ReadingItem("card", card, seat, seq, leads=not index, wins=seat == trick["winner"])
        for index, (seat, card, seq) in enumerate(played)
    ]
    return sorted(items, key=lambda item: SEAT_NAMES.index(item.seat or ""))


def list_reading_notes(log: Log) -> list[dict[str, Any]]:
    """The notes of a reading in the order of the deal: ``text``, ``mark``, ``at``, ``trick`` or None."""
    frames = list(replay_frames(audit(log).history))
    order = {frame["seq"]: index for index, frame in enumerate(frames)}
    tricks = {
        frame["seq"]: frame["state"]["tricks"][-1]["number"]
        for frame in frames
        if frame["event"]["type"] == "card_played"
    }
    notes = []
    for frame in frames:
        event = frame["event"]
        if event["type"] == "note_added":
            at = event.get("on") or frame["seq"]
            note = {"text": event["text"], "mark": event.get("mark"), "at": at, "trick": tricks.get(at)}
            notes.append(note)
    return sorted(notes, key=lambda note: order.get(note["at"], 0))


# For the template


def build_reading_side(reading: Reading, log: Log) -> dict[str, Any]:
    """A reading as the head and the foot of its column show it."""
    summary = reading.summary
    return {
        "deal": summary,
        "title": reading.title,
        "url": reading.url,
        "source": format_deal_source(summary),
        "notes": list_reading_notes(log),
        "names": {seat: display_name(summary, summary["players"][seat]) for seat in SEAT_NAMES},
        **build_deal_result(summary),
    }


def build_comparison_row(row: ComparisonRow, sides: list[dict[str, Any]]) -> dict[str, Any]:
    """A row for the template: its part, and the items of both sides in words."""
    return {
        "part": row.part,
        "name": sides[0]["names"][row.seat] if row.seat else "",
        "number": row.number or 0,
        "anchor": "-".join(str(part) for part in (row.part, row.seat, row.number) if part),
        "differs": row.differs,
        "cells": [
            [build_comparison_item(item, side) for item in items]
            for items, side in zip(row.sides, sides, strict=True)
        ],
    }


def build_comparison_item(item: ReadingItem, side: dict[str, Any]) -> dict[str, Any]:
    """An item in the language of the page."""
    cell_item: dict[str, Any] = {**item._asdict(), "who": side["names"].get(item.seat, item.seat)}
    match item.kind:
        case "card":
            return cell_item | {"card": build_card_face(item.value)}
        case "words":
            pieces = split_card_codes(item.value)
            faces = [build_card_face(piece) if is_card else piece for piece, is_card in pieces]
            return cell_item | {"pieces": faces}
        case "chips":
            return cell_item | {"text": format_signed_chips(int(item.value))}
        case "bid" | "game":
            return cell_item | {"text": format_bid(item.value, side["deal"])}
        case _:
            return cell_item | {"text": item.value}


def split_card_codes(sentence: str) -> list[tuple[str, bool]]:
    """Split a sentence around its card codes; each piece with whether it is such a code."""
    return [
        (piece, bool(index % 2)) for index, piece in enumerate(CARD_CODE_PATTERN.split(sentence)) if piece
    ]


def build_card_face(card: str) -> dict[str, str]:
    """A card for the template: its ``suit`` (empty where nobody saw it), its ``letter`` and its ``name``."""
    lang, suit, rank = page_language(), card[0], card[1]
    if rank == "?":
        return {"suit": suit.strip("?"), "letter": "x", "name": GameWords(lang).card(card)}
    letter = drawn_rank_letter(rank, "es" if display_preferences().terms else lang)
    return {"suit": suit, "letter": letter, "name": listed_card_name(suit, rank, lang)}


def format_bid(bid: str, deal: dict[str, Any]) -> str:
    """A call, or a game followed by its trumps, in words."""
    game, _, trump = bid.partition(" ")
    words = game_words(find_record_rules(deal))
    name = words.contract(game) if game in words.rules.contracts else words.bid(game)
    return f"{name}, {words.suit(trump)}" if trump else name


def build_pair_links(readings: list[Reading], shown: tuple[Reading, Reading]) -> list[dict[str, Any]]:
    """The pairs in which one of the shown readings is, as links; the pair on this page is marked."""
    shown_names = {reading.name for reading in shown}
    return [
        {
            "title": (first.title, second.title),
            "url": first.comparison_url(second),
            "is_shown": {first.name, second.name} == shown_names,
        }
        for first, second in combinations(readings, 2)
        if {first.name, second.name} & shown_names
    ]
