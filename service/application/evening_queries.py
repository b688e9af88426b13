"""What a caller may read of many evenings at once: their days, their figures, who was there.

Most of it is kept in the store (`service.projections.evenings`); what is not, or not for this caller, is
folded.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date

from service.application.queries import Queries
from service.auth.calling import called_among
from service.eventstore import EventStore, StoreDamaged, StreamInfo
from service.projections.evenings import EVENINGS, NAME, day_at, player_tag, read, span_of
from service.projections.making import opened
from service.projections.reading import changed_roots, read_rows, visible_row
from service.projections.seasons import Evening, Season, day_of, evening_of
from service.projections.summaries import Summaries
from service.records import tables
from service.records.records import DEAL, TABLE, UnknownRecord, described


class EveningQueries:
    """The evenings of a store as the caller of ``queries`` may read them."""

    def __init__(self, queries: Queries, store: EventStore, summaries: Summaries) -> None:
        self._queries, self._store, self._summaries = queries, store, summaries
        self._caller = queries.caller

    def days(self) -> tuple[dict[str, date], list[str]]:
        """The day of every table that the caller may read; and the ids of those that are damaged."""
        days, damaged = dict[str, date](), list[str]()
        progress, kept = read_rows(self._store, lambda projections: projections.places(NAME))
        changed = changed_roots(self._store, EVENINGS, progress) if self._caller.may("see_public") else None
        if changed is None:
            infos: Iterable[StreamInfo] = self._queries.all_records(TABLE, None)
        else:
            rest = dict(changed)
            for table, place in kept:
                day = day_at(table, place)
                if day is None:
                    rest[table] = None
                else:
                    days[table] = day
            infos = self._tables(table for table in rest if table not in days)
        for info in infos:
            try:
                days[info.stream] = self._day(info)
            except StoreDamaged:
                damaged.append(info.stream)
        return days, damaged

    def evenings(self, season: Season, player: str | None = None) -> tuple[list[Evening], list[str]]:
        """The evenings of a season that the caller may read, the earliest first, in figures.

        Those at which a player was, where one is named; and the ids of those that cannot be told, being
        damaged.
        """
        told, infos = self._as_kept(season, player)
        damaged = list[str]()
        for info in infos:
            try:
                day = self._day(info)
                if day in season:
                    told.append(self.evening(info, day))
            except StoreDamaged:
                damaged.append(info.stream)
        there = (one for one in told if player is None or player in one.settled)
        return sorted(there, key=lambda one: (one.day, one.table)), damaged

    def evening(self, table: StreamInfo, day: date) -> Evening:
        """What a table came to, from what the caller may know of its log and of its deals."""

        def made() -> Evening:
            opening = tables.table_of(self._queries.sight(table).log, self._queries.book).opened
            return evening_of(
                table.stream,
                day,
                opening.title,
                opening.ruleset,
                opening.revision,
                self._queries.ledger(table),
            )

        streams = (table, *self._queries.listed(table.stream, DEAL, None))
        return self._summaries.evening(
            tuple((one, self._queries.viewer(one)) for one in streams), made, self._queries.book
        )

    def names_over(self, evenings: Iterable[Evening]) -> dict[str, str | None]:
        """The members among the players of several evenings; whole names where he knows them."""
        there, full = dict[str, None](), set[str]()
        for one in evenings:
            there |= dict.fromkeys(one.settled)
            if self._caller.knows_names(_table(one.table)):
                full |= set(one.settled)
        return called_among(self._queries.register, there, full, known=False)

    def _day(self, table: StreamInfo) -> date:
        first = table._replace(version=1)

        def made() -> date:
            (opening,) = self._queries.sight(first).log
            return day_of(opening)

        return self._summaries.day((first, self._queries.viewer(first)), made)

    # What is kept

    def _as_kept(self, season: Season, player: str | None) -> tuple[list[Evening], Iterable[StreamInfo]]:
        """The evenings of a season that are kept as the caller may know them; and the tables, of those that
        he may read, whose evenings are to be folded, as far as they may be among what is asked for."""
        reached = None if self._caller.may("see_public") else self._queries.all_records(TABLE, None)
        tag = None if player is None else player_tag(player)
        names = None if reached is None else [info.stream for info in reached]
        span = span_of(season.first, season.last)
        progress, rows = read_rows(
            self._store, lambda projections: projections.projected(NAME, *span, tag, names)
        )
        changed = changed_roots(self._store, EVENINGS, progress)
        if changed is None:
            return [], self._queries.all_records(TABLE, None) if reached is None else reached
        told, rest = list[Evening](), dict.fromkeys(changed)
        for one in rows:
            said = None if one.root in changed else opened(EVENINGS, one)
            evening = None if said is None else visible_row(self._caller, _table(one.root), *read(said))
            if evening is None:
                rest[one.root] = None
            else:
                told.append(evening)
        return told, self._tables(rest) if reached is None else (one for one in reached if one.stream in rest)

    def _tables(self, names: Iterable[str]) -> Iterator[StreamInfo]:
        for name in names:
            with suppress(UnknownRecord):
                yield described(self._store, TABLE, name)


def _table(name: str) -> StreamInfo:
    """A table, by which grants are asked."""
    return StreamInfo(name, name, TABLE, 0)
