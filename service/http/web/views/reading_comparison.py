"""The page of two readings of a historic deal, side by side."""

from typing import Any

from flask import Response

from engine.core.cards import SEAT_NAMES
from replays import Replay, list_deal_readings
from schemas.i18n.card_words import listed_card_name
from schemas.i18n.translate import translate
from service.http.api.routes.replays import find_replay, replay_summary
from service.http.problems import Problem
from service.http.service_context import service_context
from service.http.web.display_preferences import display_preferences, game_words, page_language
from service.http.web.pages import (
    build_deal_result,
    display_name,
    find_record_rules,
    page_url,
    pages,
    render_page,
)
from service.http.web.reading_comparison import (
    ReadingComparisonRow,
    ReadingItem,
    compare_readings,
    list_reading_notes,
    split_card_codes,
)
from service.http.web.views.seasons import format_signed_chips
from service.presentation.i18n.game_words import GameWords
from service.presentation.svg.cards import SUIT_PATHS, drawn_rank_letter


@pages.get("/replays/<name>/readings/<other>")
def compare_readings_page(name: str, other: str) -> Response:
    """Two readings of a deal of the library, side by side."""
    deals = (find_replay(name), find_replay(other))
    all_readings = list_deal_readings(deals[0], service_context().library.values())
    if deals[0] == deals[1] or deals[1] not in all_readings:
        raise Problem("not-found", f"“{other[:60]}” is no other reading of the deal “{name[:60]}”.")
    rows = compare_readings(*deals)
    sides = [build_reading_side(deal) for deal in deals]
    return render_page(
        "reading_comparison.html",
        nav_section="library",
        sides=sides,
        rows=[build_comparison_row(row, sides) for row in rows],
        result_differs=sides[0]["result"] != sides[1]["result"],
        pairs=build_pair_links(all_readings, deals),
        pips=SUIT_PATHS,
    )


def build_reading_side(deal: Replay) -> dict[str, Any]:
    """A reading as the head and the foot of its column have it."""
    summary = replay_summary(deal)
    return {
        "deal": summary,
        "title": deal.title,
        "url": page_url("web.replay", name=deal.name),
        "source": deal.source,
        "notes": list_reading_notes(deal),
        "names": {seat: display_name(summary, summary["players"][seat]) for seat in SEAT_NAMES},
        **build_deal_result(summary, summary["outcome"], summary["declarer"], summary["contract"]),
    }


def build_comparison_row(row: ReadingComparisonRow, sides: list[dict[str, Any]]) -> dict[str, Any]:
    """A row as the template takes it: what it is of, and the items of both sides in words."""
    cells = [
        {"at": reading_part.at, "items": [build_comparison_item(item, side) for item in reading_part.items]}
        for reading_part, side in zip(row.sides, sides, strict=True)
    ]
    return {
        "part": row.part,
        "name": sides[0]["names"][row.seat] if row.seat else "",
        "number": row.number or 0,
        "anchor": "-".join(str(part) for part in (row.part, row.seat, row.number) if part),
        "differs": row.differs,
        "cells": cells,
    }


def build_comparison_item(item: ReadingItem, side: dict[str, Any]) -> dict[str, Any]:
    """An item in the language of the page."""
    who = side["names"].get(item.seat, item.seat) if item.seat else ""
    cell_item: dict[str, Any] = {**item._asdict(), "who": who}
    if item.kind == "card":
        return cell_item | {"card": build_card_face(item.value)}
    if item.kind == "words":
        pieces = split_card_codes(translate(item.value, page_language()))
        return cell_item | {
            "pieces": [build_card_face(piece) if is_card else piece for piece, is_card in pieces]
        }
    if item.kind == "chips":
        return cell_item | {"text": format_signed_chips(int(item.value))}
    return cell_item | {
        "text": format_bid(item.value, side["deal"]) if item.kind in ("bid", "game") else item.value
    }


def build_card_face(card: str) -> dict[str, str]:
    """A card for the template: its ``suit`` (empty where nobody saw it), its ``letter`` and its ``name``."""
    lang, suit, rank = page_language(), card[0], card[1]
    if rank == "?":
        return {"suit": suit.strip("?"), "letter": "x", "name": GameWords(lang).card(card)}
    letter = drawn_rank_letter(rank, "es" if display_preferences().terms else lang)
    return {"suit": suit, "letter": letter, "name": listed_card_name(suit, rank, lang)}


def format_bid(bid: str, deal: dict[str, Any]) -> str:
    """A call or a game in words; of a game its trumps behind it."""
    game, _, trump = bid.partition(" ")
    words = game_words(find_record_rules(deal))
    name = words.contract(game) if game in words.rules.contracts else words.bid(game)
    return f"{name}, {words.suit(trump)}" if trump else name


def build_pair_links(deals: list[Replay], shown: tuple[Replay, Replay]) -> list[dict[str, Any]]:
    """Every two of the readings, as links; those that are shown are marked."""
    return [
        {
            "title": (first.title, second.title),
            "url": page_url("web.compare_readings_page", name=first.name, other=second.name),
            "is_shown": {first.name, second.name} == {deal.name for deal in shown},
        }
        for index, first in enumerate(deals)
        for second in deals[index + 1 :]
    ]
