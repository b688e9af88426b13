"""The page of two readings of a historic deal, side by side."""

from typing import Any, Final

from flask import Response

from engine.core.cards import SEAT_NAMES
from engine.rulesets import find
from replays import Replay, readings
from service.http.api.routes.replays import deal_called, in_short
from service.http.context import context
from service.http.problems import Problem
from service.http.web.language import language
from service.http.web.looks import game_called, looks
from service.http.web.pages import address, called, page, pages, told
from service.http.web.readings import Item, Row, beside, notes_of, pieces_of
from service.http.web.views.season import signed
from service.http.web.words.pages import page_words
from service.presentation.i18n.card_words import CALLS, SUITS, card_called
from service.presentation.i18n.translate import told as told_in
from service.presentation.svg.cards import LETTERS, PIPS

SIDES: Final = ("left", "right")


@pages.get("/replays/<name>/readings/<other>")
def readings_beside(name: str, other: str) -> Response:
    """Two readings of a deal of the library, side by side."""
    deals = (deal_called(name), deal_called(other))
    all_readings = readings(deals[0], context().library.values())
    if deals[0] == deals[1] or deals[1] not in all_readings:
        raise Problem("not-found", f"“{other[:60]}” is no other reading of the deal “{name[:60]}”.")
    rows = beside(*deals)
    sides = [side_of(deal) for deal in deals]
    return page(
        "readings.html",
        here="library",
        sides=sides,
        rows=[row_told(row, sides) for row in rows],
        result_differs=sides[0]["result"] != sides[1]["result"],
        pairs=pairs_of(all_readings, deals),
        pips=PIPS,
    )


def side_of(deal: Replay) -> dict[str, Any]:
    """A reading as the head and the foot of its column have it."""
    short = in_short(deal)
    return {
        "deal": short,
        "title": deal.title,
        "url": address("web.replay", name=deal.name),
        "source": deal.source,
        "notes": notes_of(deal),
        "names": {seat: called(short, short["players"][seat]) for seat in SEAT_NAMES},
        **told(short, short["outcome"], short["declarer"], short["contract"]),
    }


def row_told(row: Row, sides: list[dict[str, Any]]) -> dict[str, Any]:
    """A row as the template takes it: what it is of, and the items of both sides in words."""
    name = sides[0]["names"][row.seat] if row.seat else ""
    cells = [
        {"at": told.at, "items": [item_told(item, side) for item in told.items]}
        for told, side in zip(row.sides, sides, strict=True)
    ]
    number = row.number or 0
    anchor = "-".join(str(part) for part in (row.part, row.seat, row.number) if part)
    return {
        "part": row.part,
        "name": name,
        "number": number,
        "anchor": anchor,
        "differs": row.differs,
        "cells": cells,
    }


def item_told(item: Item, side: dict[str, Any]) -> dict[str, Any]:
    """An item in the language of the page."""
    told: dict[str, Any] = {
        "kind": item.kind,
        "at": item.at,
        "leads": item.leads,
        "wins": item.wins,
        "seat": item.seat,
    }
    told |= {"differs": item.differs, "who": side["names"].get(item.seat, item.seat) if item.seat else ""}
    if item.kind == "card":
        return told | {"card": face_of(item.value)}
    if item.kind == "words":
        pieces = pieces_of(told_in(item.value, language()))
        return told | {"pieces": [face_of(piece) if is_card else piece for piece, is_card in pieces]}
    if item.kind == "chips":
        return told | {"text": signed(int(item.value))}
    return told | {"text": bid_told(item.value, side["deal"]) if item.kind in ("bid", "game") else item.value}


def face_of(card: str) -> dict[str, str]:
    """A card for the template: its ``suit`` (empty where nobody saw it), its ``letter`` and its ``name``."""
    lang, suit, rank = language(), card[0], card[1]
    texts = page_words(lang)
    if suit == "?":
        return {"suit": "", "letter": "x", "name": texts["reading_unseen"]}
    if rank == "?":
        return {"suit": suit, "letter": "x", "name": texts["reading_of_suit"].format(suit=SUITS[suit][lang])}
    letters = LETTERS["es" if looks().terms else lang]
    return {"suit": suit, "letter": letters.get(rank, rank), "name": card_called(suit, rank, lang)}


def bid_told(bid: str, deal: dict[str, Any]) -> str:
    """A call or a game in words; of a game its trumps behind it."""
    game, _, trump = bid.partition(" ")
    lang = language()
    rules = find(context().book, deal["ruleset"] or "", deal["revision"])
    named = dict(CALLS)
    if rules is not None:
        named |= {one.id: one.words for one in rules.ruleset.contracts}
        named |= {one.id: one.words for one in rules.ruleset.bids}
    words = named.get(game)
    in_words = game_called(game, words, lang) if words else game
    return f"{in_words}, {SUITS[trump][lang]}" if trump else in_words


def pairs_of(deals: list[Replay], shown: tuple[Replay, Replay]) -> list[dict[str, Any]]:
    """Every two of the readings, as links; those that are shown are marked."""
    return [
        {
            "title": (one.title, other.title),
            "url": address("web.readings_beside", name=one.name, other=other.name),
            "here": {one.name, other.name} == {deal.name for deal in shown},
        }
        for place, one in enumerate(deals)
        for other in deals[place + 1 :]
    ]
