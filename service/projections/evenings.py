"""What every evening came to, kept in the store, so that a season need not fold all its tables.

It is a projection (`service.eventstore.projecting`): for each table what its ledger and its figures came to,
by the day of the evening and by who sat there. What a caller may not know of a table is not in what he is
told: of an evening that does not lie open to everybody it is kept twice, whole and as everybody may know it.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

import orjson

from engine import PUBLIC, Log, view
from engine.rulesets import Book
from engine.tables import Figures, Ledger
from engine.tables.figures import Games
from service.eventstore import EventReader
from service.eventstore.projecting import Due, Made
from service.projections.making import Projection, place_in, rules_tags, sealed
from service.projections.seasons import Evening, day_of, evening_of
from service.records import tables
from service.records.records import TABLE, described_at, log_in

NAME: Final = "evenings"
_PLAYER: Final = "player "


class Kept(NamedTuple):
    """What is kept of an evening: all of it, and as everybody may know it, where that is less."""

    whole: Evening
    public: Evening | None = None


def player_tag(player: str) -> str:
    """The tag of the evenings at which somebody was."""
    return _PLAYER + player


def day_at(table: str, placed: str | None) -> date | None:
    """The day by which the evening of that table is kept; None where it is not known."""
    place = place_in(table, placed)
    return None if place is None else date.fromisoformat(place)


def span_of(first: date | None, last: date | None) -> tuple[str | None, str | None]:
    """Between which places evenings from the first to the last of these days are kept."""
    return first.isoformat() if first else None, f"{last.isoformat()} ~" if last else None


def made_of(store: EventReader, book: Book, due: Due) -> Made:
    """What is to be kept of a table. Raises `UnknownStream`, `StoreDamaged`."""
    table = due.root
    log = log_in(store, table)
    deals: dict[str, Log] = {}

    def log_of_deal(deal: str) -> Log:
        deals[deal] = log_in(store, described_at(store, table, deal).stream)
        return deals[deal]

    day = day_of(log[0])
    whole = _evening(table, day, log, tables.ledger_of(log, log_of_deal, book), book)
    logs = (log, *deals.values())
    public = None
    if any(view(one, PUBLIC) != one for one in logs):
        shown = view(log, PUBLIC)
        ledger = tables.ledger_of(shown, lambda deal: view(log_of_deal(deal), PUBLIC), book)
        public = _evening(table, day, shown, ledger, book)
    tags = rules_tags(logs) | {player_tag(player) for player in whole.settled}
    kept = Kept(whole, None if public == whole else public)
    return sealed(due, day.isoformat(), written(kept), tags)


def _evening(table: str, day: date, log: Log, ledger: Ledger, book: Book) -> Evening:
    opened = tables.table_of(log, book).opened
    return evening_of(table, day, opened.title, opened.ruleset, opened.revision, ledger)


# Written down


def written(kept: Kept) -> bytes:
    """An evening as it is kept."""
    said = {"whole": _said(kept.whole)}
    if kept.public is not None:
        said["public"] = _said(kept.public)
    return orjson.dumps(said)


def read(body: bytes) -> Kept:
    """What was `written`."""
    said = orjson.loads(body)
    public = said.get("public")
    return Kept(_read(said["whole"]), None if public is None else _read(public))


def _said(one: Evening) -> dict[str, Any]:
    return {
        **one._asdict(),
        "figures": [
            (*each[:3], [tuple(game) for game in each.contracts], each.chips) for each in one.figures
        ],
        "chip_value": None if one.chip_value is None else str(one.chip_value),
    }


def _read(said: dict[str, Any]) -> Evening:
    value = said["chip_value"]
    return Evening(
        **{
            **said,
            "day": date.fromisoformat(said["day"]),
            "figures": tuple(map(_figures, said["figures"])),
            "shares": tuple((player, share) for player, share in said["shares"]),
            "chip_value": None if value is None else Decimal(value),
        }
    )


def _figures(said: list[Any]) -> Figures:
    player, played, sat_out, contracts, chips = said
    return Figures(player, played, sat_out, tuple(Games(*one) for one in contracts), chips)


EVENINGS: Final = Projection(NAME, frozenset({TABLE}), made_of)
"""What every evening came to."""
