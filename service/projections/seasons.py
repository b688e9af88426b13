"""Seasons: spans of days, and what the evenings in one come to, computed from their ledgers.

A club's year of cards runs from August to July, so that an autumn and the spring after it are one season.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from engine import Entry
from engine.scoring.payments import Payments
from engine.tables import Ledger, PlayerFigures, add_player_figures, count_player_figures

SEASON_FIRST_MONTH: Final = 8
"""A season begins with this month's first day."""
ALL_SEASONS_ID: Final = "all"
_YEAR: Final = re.compile(r"([0-9]{4})")
_SEASON: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
_SPAN: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})--([0-9]{4}-[0-9]{2}-[0-9]{2})")


class Season(NamedTuple):
    """A span of days, both ends within it; None where it is open."""

    id: str
    first: date | None = None
    last: date | None = None

    def __contains__(self, day: object) -> bool:
        """Whether a day lies in it."""
        if not isinstance(day, date):
            return False
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


def evening_date(opening: Entry) -> date:
    """The day of an evening: when its opening was written, or stored, whichever was earlier."""
    moments = (opening.metadata.recorded_at, opening.metadata.stored_at)
    return date.fromisoformat(min(one for one in moments if one)[:10])


def season_containing(day: date) -> Season:
    """The season that a day lies in: ``2026-27`` for 21 November 2026."""
    year = day.year if day.month >= SEASON_FIRST_MONTH else day.year - 1
    return _from_year(year)


def parse_season(text: str) -> Season | None:
    """The season of that id: ``2026-27``, the year ``2026``, ``2026-09-01--2026-12-31``, or ``all``.

    None where it says no season.
    """
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


def _from_year(year: int) -> Season:
    first, last = date(year, SEASON_FIRST_MONTH, 1), date(year + 1, SEASON_FIRST_MONTH - 1, 31)
    return Season(f"{year:04}-{(year + 1) % 100:02}", first, last)


class EveningResult(NamedTuple):
    """What one table came to. ``shares``: what each gets of the pools when they are divided."""

    table: str
    day: date
    title: str | None
    ruleset: str
    revision: int | None
    deals: int
    closed: bool
    figures: tuple[PlayerFigures, ...]
    shares: Payments
    chip_value: Decimal | None
    currency: str | None

    @property
    def settled(self) -> dict[str, int]:
        """What each came away with, the pools divided; together it is nothing."""
        chips = {one.player: one.chips for one in self.figures}
        for player, share in self.shares:
            chips[player] = chips.get(player, 0) + share
        return chips

    def money(self, player: str) -> Decimal | None:
        """What a player's chips are worth; None where no chip value was agreed, or he was not there."""
        settled = self.settled
        if self.chip_value is None or player not in settled:
            return None
        return self.chip_value * settled[player]


def build_evening_result(
    table: str, day: date, title: str | None, ruleset: str, revision: int | None, ledger: Ledger
) -> EveningResult:
    """What a table with that ledger came to."""
    deals = sum(line.deal is not None for line in ledger.lines)
    return EveningResult(
        table, day, title, ruleset, revision, deals, ledger.is_closed, count_player_figures(ledger),
        ledger.shares, ledger.chip_value, ledger.currency,
    )  # fmt: skip


class SeasonStanding(NamedTuple):
    """A player over several evenings. ``figures.chips`` is the sum of the ledgers' totals, ``share`` that of
    his shares of what lies in pools; ``money`` by currency (None: chips of no named one).
    """

    place: int
    figures: PlayerFigures
    evenings: int
    share: int
    money: dict[str | None, Decimal]

    @property
    def player(self) -> str:
        """Who."""
        return self.figures.player

    @property
    def settled(self) -> int:
        """What he has won (+) or lost (−), the pools divided."""
        return self.figures.chips + self.share


def build_standings(evenings: Iterable[EveningResult]) -> tuple[SeasonStanding, ...]:
    """Everybody who sat at one of the evenings, whoever came away with most first."""
    evenings_list = list(evenings)
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
        places.setdefault(standing.settled, place)  # who came away with as much has the same place
    return tuple(one._replace(place=places[one.settled]) for one in ordered)


def _build_standing(evenings: Sequence[EveningResult], figures: PlayerFigures) -> SeasonStanding:
    """What somebody did at the evenings at which he was."""
    player = figures.player
    share = sum(dict(one.shares).get(player, 0) for one in evenings)
    money: dict[str | None, Decimal] = {}
    for one in evenings:
        worth = one.money(player)
        if worth is not None:
            money[one.currency] = money.get(one.currency, Decimal(0)) + worth
    return SeasonStanding(0, figures, len(evenings), share, money)


def group_by_season(days: Mapping[str, date]) -> dict[Season, list[str]]:
    """Tables by the season that their day lies in, the latest season first."""
    found: dict[Season, list[str]] = {}
    for table, day in sorted(days.items(), key=lambda one: one[1], reverse=True):
        found.setdefault(season_containing(day), []).append(table)
    return found
