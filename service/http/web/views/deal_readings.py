"""The readings of a deal, in the library and recorded here: they have the same title and the same players.

The title of a further reading is that of the first, a comma and more: “Belinda’s game, as printed”.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from engine import Log
from engine.core.cards import SEAT_NAMES
from replays import Replay
from service.application.published_deals import find_published_title, list_published_deals
from service.auth.grants import UnknownToken
from service.eventstore import StoreError
from service.http.api.record_responses import summarize_records
from service.http.api.routes.replays import find_replay, replay_summary
from service.http.service_context import queries, service_context
from service.http.web.pages import RECORDS_PER_PAGE, page_url
from service.records.record_streams import DEAL_KIND


class Reading(NamedTuple):
    """One reading of a deal; ``name`` is its id, or its name in the library."""

    name: str
    title: str
    summary: Mapping[str, Any]
    is_recorded: bool

    def read_log(self) -> Log:
        """Its log as the reader may know it."""
        if not self.is_recorded:
            return find_replay(self.name).read_log()
        return queries().expanded_record_view(queries().find_deal(self.name)).log

    @property
    def url(self) -> str:
        """The address of its page."""
        if self.is_recorded:
            return page_url("web.recorded", deal=self.name)
        return page_url("web.replay", name=self.name)

    def comparison_url(self, other: "Reading") -> str:
        """The address of the page that compares it with another reading."""
        if self.is_recorded:
            return page_url("web.compare_recorded_readings", deal=self.name, other=other.name)
        return page_url("web.compare_readings_page", name=self.name, other=other.name)

    @property
    def choose_account_url(self) -> str:
        """The address of the page on which another account to compare it with is chosen."""
        if self.is_recorded:
            return page_url("web.choose_account_of_deal", deal=self.name)
        return page_url("web.choose_account_of_replay", name=self.name)

    def account_url(self, other: "Reading") -> str:
        """The address of the page that compares it entry by entry with another account."""
        if self.is_recorded:
            return page_url("web.compare_recorded_accounts", deal=self.name, other=other.name)
        return page_url("web.compare_replay_accounts", name=self.name, other=other.name)

    def is_of(self, title: str) -> bool:
        """Whether it reads the deal with this title."""
        return f"{_fold(self.title)},".startswith(f"{_fold(title)},")

    @property
    def players(self) -> list[str]:
        """The players in the order of play."""
        return [_fold(self.summary["players"][seat]) for seat in SEAT_NAMES]


def find_reading(name: str | None = None, deal: str | None = None) -> Reading:
    """The deal of the library of that ``name``, else the recorded one of that id, as on its page."""
    if name is not None:
        return library_reading(find_replay(name))
    info = queries().find_deal(deal or "")
    return recorded_reading(queries().summary(info), find_published_title(queries(), info))


def library_reading(deal: Replay) -> Reading:
    """A deal of the library."""
    return Reading(deal.name, deal.title, replay_summary(deal), is_recorded=False)


def recorded_reading(summary: Mapping[str, Any], published_title: str | None) -> Reading:
    """A recorded deal, given its summary; ``published_title`` is its title in the library."""
    return Reading(summary["id"], published_title or summary["title"] or "", summary, is_recorded=True)


def list_readings(shown: Reading) -> list[Reading]:
    """The readings of the same deal, including ``shown``; a variation is not a reading."""
    historic = list_historic_readings()
    is_example = not shown.is_recorded and shown.name not in historic
    if is_example or not shown.title or shown.summary.get("branch"):
        return [shown]
    recorded = {one.name: one for one in _list_recorded()}
    same = [
        one
        for one in {**historic, **recorded, shown.name: shown}.values()
        if one.players == shown.players and one.title and not one.summary.get("branch")
    ]
    first_title = min((one.title for one in same if shown.is_of(one.title)), key=len)
    return [one for one in same if one.is_of(first_title)]


def list_historic_readings() -> dict[str, Reading]:
    """The deals of the library that are not made up, by their names."""
    return {
        deal.name: library_reading(deal) for deal in service_context().library.values() if not deal.folder
    }


def list_all_readings() -> list[Reading]:
    """The deals of the library and the recorded ones, made-up ones last."""
    examples = [library_reading(deal) for deal in service_context().library.values() if deal.folder]
    recorded = {one.name: one for one in _list_recorded()}
    return [*list_historic_readings().values(), *recorded.values(), *examples]


def _list_recorded() -> list[Reading]:
    """The published deals and the latest recorded ones; none while the store cannot be read."""
    with suppress(UnknownToken, StoreError):
        published = list_published_deals(queries())
        titles = {one.deal.stream: one.title for one in published}
        latest = queries().list_newest_records(DEAL_KIND, None, RECORDS_PER_PAGE).streams
        summaries, _ = summarize_records([*(one.deal for one in published), *latest])
        return [recorded_reading(summary, titles.get(summary["id"])) for summary in summaries]
    return []


def _fold(text: str) -> str:
    return text.casefold().replace("’", "'")
