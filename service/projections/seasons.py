"""Seasons, from August to July, and the standings of the evenings in them, computed from their ledgers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from engine import Log
from engine.core.table_events import TableOpened
from engine.scoring.payments import Payments
from engine.tables import Ledger, PlayerFigures, add_player_figures, count_player_figures
from engine.tables.table import find_table_opening
from schemas.answers.ledgers import figures_object
from schemas.answers.response_schema import Json
from service.records.demo_evening import is_demo_evening

SEASON_FIRST_MONTH: Final = 8
ALL_SEASONS_ID: Final = "all"
_YEAR: Final = re.compile(r"([0-9]{4})")
_SEASON: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
_SPAN: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})--([0-9]{4}-[0-9]{2}-[0-9]{2})")


class Season(NamedTuple):
    """A span of days including both ends; None for an open end."""

    id: str
    first: date | None = None
    last: date | None = None

    def __contains__(self, day: object) -> bool:
        """Whether a day is in the season."""
        if not isinstance(day, date):
            return False
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


def first_day(stated_date: str) -> date:
    """The first day of a date in an event, which may be a month or a year."""
    return date.fromisoformat(f"{stated_date}-01-01"[:10])


def evening_date(log: Log) -> date:
    """The day of an evening, as its opening states it; else when that was recorded or stored, the earlier."""
    opening, metadata = find_table_opening(log), log[0].metadata
    if opening is not None and opening.date is not None:
        return first_day(opening.date)
    return date.fromisoformat(min(one for one in (metadata.recorded_at, metadata.stored_at) if one)[:10])


def season_containing(day: date) -> Season:
    """The season of a day: ``2026-27`` for 21 November 2026."""
    year = day.year if day.month >= SEASON_FIRST_MONTH else day.year - 1
    return _from_year(year)


def parse_season(text: str) -> Season | None:
    """The season of an id: ``2026-27``, the year ``2026``, ``2026-09-01--2026-12-31`` or ``all``; else
    None."""
    if text == ALL_SEASONS_ID:
        return Season(ALL_SEASONS_ID)
    try:
        if found := _SPAN.fullmatch(text):
            first, last = map(date.fromisoformat, found.groups())
            return Season(text, first, last) if first <= last else None
        if found := _SEASON.fullmatch(text):
            season = _from_year(int(found[1]))
            return season if season.id == text else None
        if found := _YEAR.fullmatch(text):
            return Season(text, date(int(found[1]), 1, 1), date(int(found[1]), 12, 31))
    except ValueError:
        return None
    return None


def span_of_days(first: date | None, last: date | None) -> Season:
    """The evenings from ``first`` to ``last``; None for an open end."""
    ends = "--".join(one.isoformat() if one else "" for one in (first, last))
    return Season(ends if first or last else ALL_SEASONS_ID, first, last)


def _from_year(year: int) -> Season:
    first, last = date(year, SEASON_FIRST_MONTH, 1), date(year + 1, SEASON_FIRST_MONTH - 1, 31)
    return Season(f"{year:04}-{(year + 1) % 100:02}", first, last)


class EveningResult(NamedTuple):
    """The result of one table. ``date`` is the stated one; ``shares``: what each player gets when the
    pools are divided; ``voided``: why the table was set aside, None where it was not; ``made_up``: whether
    nobody played it."""

    table: str
    day: date
    date: str | None
    title: str | None
    ruleset: str
    revision: int | None
    deals: int
    closed: bool
    figures: tuple[PlayerFigures, ...]
    shares: Payments
    chip_value: Decimal | None
    currency: str | None
    voided: str | None
    made_up: bool

    @property
    def counts(self) -> bool:
        """Whether it is an evening: a deal was played, and the table is neither set aside nor made up."""
        return self.voided is None and self.deals > 0 and not self.made_up

    @property
    def settled(self) -> dict[str, int]:
        """The chips of each player with the pools divided; they add up to zero."""
        chips = {one.player: one.chips for one in self.figures}
        for player, share in self.shares:
            chips[player] = chips.get(player, 0) + share
        return chips

    def money(self, player: str) -> Decimal | None:
        """The worth of a player's chips; None without an agreed chip value or if the player was absent."""
        settled = self.settled
        if self.chip_value is None or player not in settled:
            return None
        return self.chip_value * settled[player]


def build_evening_result(table: str, day: date, opening: TableOpened, ledger: Ledger) -> EveningResult:
    """The result of a table with that ledger."""
    deals = sum(line.deal is not None for line in ledger.lines)
    return EveningResult(
        table, day, opening.date, opening.title, opening.ruleset, opening.revision, deals, ledger.is_closed,
        count_player_figures(ledger), ledger.shares, ledger.chip_value, ledger.currency, ledger.voided,
        is_demo_evening(opening),
    )  # fmt: skip


class SeasonStanding(NamedTuple):
    """A player over several evenings: sums of the ledgers' totals, of the ``share`` of pools, and of money.

    ``money`` is by currency; None stands for an unnamed one.
    """

    place: int
    figures: PlayerFigures
    evenings: int
    share: int
    money: dict[str | None, Decimal]

    @property
    def player(self) -> str:
        """The player's name."""
        return self.figures.player

    @property
    def settled(self) -> int:
        """The chips won (+) or lost (−), with the pools divided."""
        return self.figures.chips + self.share


def build_standings(evenings: Iterable[EveningResult]) -> tuple[SeasonStanding, ...]:
    """The standings of all players of the evenings, the highest total first."""
    evenings_list = [one for one in evenings if one.counts]
    evenings_by_player: dict[str, list[EveningResult]] = {}
    for one in evenings_list:
        for player in one.settled:
            evenings_by_player.setdefault(player, []).append(one)
    unranked = [
        _build_standing(evenings_by_player[figures.player], figures)
        for figures in add_player_figures(one for each in evenings_list for one in each.figures)
    ]
    ordered = sorted(unranked, key=lambda one: (-one.settled, one.player))
    places: dict[int, int] = {}
    for place, standing in enumerate(ordered, 1):
        places.setdefault(standing.settled, place)  # equal totals share a place
    return tuple(one._replace(place=places[one.settled]) for one in ordered)


def _build_standing(evenings: Sequence[EveningResult], figures: PlayerFigures) -> SeasonStanding:
    player = figures.player
    share = sum(dict(one.shares).get(player, 0) for one in evenings)
    money: dict[str | None, Decimal] = {}
    for one in evenings:
        worth = one.money(player)
        if worth is not None:
            money[one.currency] = money.get(one.currency, Decimal(0)) + worth
    return SeasonStanding(0, figures, len(evenings), share, money)


def player_totals_object(standing: SeasonStanding) -> Json:
    """The totals of a player over several evenings."""
    return {
        **figures_object(standing.figures),
        "evenings": standing.evenings,
        "share": standing.share,
        "settled": standing.settled,
        "money": [
            {"currency": currency, "amount": format(amount, "f")}
            for currency, amount in standing.money.items()
        ],
    }


def group_by_season(days: Mapping[str, date]) -> dict[Season, list[str]]:
    """Tables by the season of their day, the latest season first."""
    found: dict[Season, list[str]] = {}
    for table, day in sorted(days.items(), key=lambda one: one[1], reverse=True):
        found.setdefault(season_containing(day), []).append(table)
    return found
