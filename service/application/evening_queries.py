"""What a caller may read of many evenings: their days, results and players.

Most comes from a projection (`service.projections.evenings_projection`); the rest is folded.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date

from service.application.queries import Queries
from service.auth.display_names import member_display_names
from service.eventstore import EventStore, StoreDamaged, StreamInfo
from service.projections.evenings_projection import (
    EVENINGS_NAME,
    EVENINGS_PROJECTION,
    UNCOUNTED_KEY,
    parse_evening,
    player_tag,
)
from service.projections.projection import list_stale_roots, read_rows_if_readable, visible_row
from service.projections.seasons import EveningResult, Season, build_evening_result, evening_date
from service.projections.summaries import SummaryCache
from service.records import tables
from service.records.demo_evening import is_demo_evening
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import UnknownRecord, record_info


class EveningQueries:
    """The evenings of a store as the caller of ``queries`` may read them."""

    def __init__(self, queries: Queries, store: EventStore, summaries: SummaryCache) -> None:
        self._queries, self._store, self._summaries = queries, store, summaries
        self._caller = queries.caller

    def list_evening_days(self) -> tuple[dict[str, date], list[str]]:
        """The day of every readable table; and the ids of damaged ones."""
        days, damaged = dict[str, date](), list[str]()
        progress, sort_keys = read_rows_if_readable(
            self._store, lambda projections: projections.list_sort_keys(EVENINGS_NAME)
        )
        changed = (
            list_stale_roots(self._store, EVENINGS_PROJECTION, progress)
            if self._caller.has_permission("see_public")
            else None
        )
        if changed is None:
            infos: Iterable[StreamInfo] = self._queries.list_all_records(TABLE_KIND, None)
        else:
            unprojected = dict(changed)
            for table, sort_key in sort_keys:
                if table in changed:
                    continue
                if sort_key is None:
                    unprojected[table] = None
                elif sort_key != UNCOUNTED_KEY:
                    days[table] = date.fromisoformat(sort_key)
            infos = self._find_tables(unprojected)
        for info in infos:
            try:
                day = self._find_day(info)
                if day is not None:
                    days[info.stream] = day
            except StoreDamaged:
                damaged.append(info.stream)
        return days, damaged

    def list_evenings(
        self, season: Season, player: str | None = None
    ) -> tuple[list[EveningResult], list[str]]:
        """The readable evenings of a season (of one player), the earliest first; and ids of damaged ones."""
        evenings, infos = self._read_projected(season, player)
        damaged = list[str]()
        for info in infos:
            try:
                day = self._find_day(info)
                if day is not None and day in season:
                    evenings.append(self.build_evening(info, day))
            except StoreDamaged:
                damaged.append(info.stream)
        matching = (one for one in evenings if player is None or player in one.settled)
        return sorted(matching, key=lambda one: (one.day, one.table)), damaged

    def build_evening(self, table: StreamInfo, day: date) -> EveningResult:
        """The result of a table, from what the caller may know of its log and its deals."""

        def build() -> EveningResult:
            log = self._queries.record_view(table).log
            opening = tables.table_from_log(log, self._queries.book).opening_event
            return build_evening_result(table.stream, day, opening, self._queries.ledger(table))

        streams = (table, *self._queries.iterate_records(table.stream, DEAL_KIND, None))
        return self._summaries.evening_result(
            tuple((one, self._queries.resolve_viewer(one)) for one in streams), build, self._queries.book
        )

    def list_member_names(self, evenings: Iterable[EveningResult]) -> dict[str, str | None]:
        """The names of the members among the players of evenings; full ones if the caller may know them."""
        players, full_name_ids = dict[str, None](), set[str]()
        for one in evenings:
            players |= dict.fromkeys(one.settled)
            if self._caller.can_see_full_names(_table_info(one.table)):
                full_name_ids |= set(one.settled)
        return member_display_names(self._queries.register, players, full_name_ids, can_see_full_names=False)

    def _find_day(self, table: StreamInfo) -> date | None:
        """The day of a table; None if it counts nowhere: set aside, made up, or without a deal."""

        def build() -> date | None:
            log = self._queries.record_view(table).log
            state = tables.table_from_log(log, self._queries.book)
            counts = state.voided is None and state.deals and not is_demo_evening(state.opening_event)
            return evening_date(log) if counts else None

        return self._summaries.table_day((table, self._queries.resolve_viewer(table)), build)

    def _read_projected(
        self, season: Season, player: str | None
    ) -> tuple[list[EveningResult], Iterable[StreamInfo]]:
        """The projected evenings that the caller may see, and the readable tables to be folded."""
        readable_tables = None
        if not self._caller.has_permission("see_public"):
            readable_tables = self._queries.list_all_records(TABLE_KIND, None)
        tag = None if player is None else player_tag(player)
        names = None if readable_tables is None else [info.stream for info in readable_tables]
        first, last = (day.isoformat() if day else None for day in (season.first, season.last))
        progress, rows = read_rows_if_readable(
            self._store,
            lambda projections: projections.read_projection_rows(EVENINGS_NAME, first, last, tag, names),
        )
        changed = list_stale_roots(self._store, EVENINGS_PROJECTION, progress)
        if changed is None:
            all_tables = readable_tables
            if all_tables is None:
                all_tables = self._queries.list_all_records(TABLE_KIND, None)
            return [], all_tables
        evenings, unprojected = list[EveningResult](), dict.fromkeys(changed)
        for one in rows:
            evening = None
            if one.root not in changed and one.body is not None:
                evening = visible_row(self._caller, _table_info(one.root), *parse_evening(one.body))
            if evening is None:
                unprojected[one.root] = None
            elif evening.counts:
                evenings.append(evening)
        if readable_tables is None:
            return evenings, self._find_tables(unprojected)
        return evenings, [one for one in readable_tables if one.stream in unprojected]

    def _find_tables(self, names: Iterable[str]) -> Iterator[StreamInfo]:
        for name in names:
            with suppress(UnknownRecord):
                yield record_info(self._store, TABLE_KIND, name)


def _table_info(name: str) -> StreamInfo:
    """A table, to ask for its grants."""
    return StreamInfo(name, name, TABLE_KIND, 0)
