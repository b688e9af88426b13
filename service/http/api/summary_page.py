"""Lists of records in short. One that is damaged takes no other with it: it is named beside them."""

from collections.abc import Iterable
from typing import Any

from flask import Response

from service.application.record_view import Page
from service.eventstore import StoreDamaged, StreamInfo
from service.http.api.event_pages import kept
from service.http.api.responses import answer, next_address
from service.http.context import context, queries
from service.projections.summaries import Summary


def page_in_short(member: str, page: Page, query: dict[str, Any], path: str) -> Response:
    """A page of a list, as its ``member``. It may be another list for another reader."""
    following = None
    if page.more:
        following = next_address(path, {**query, "after": page.streams[-1].stream})
    told, damaged = all_in_short(page.streams)
    body = {member: told, "damaged": damaged}
    return answer(body, following=following, cache=kept(queries().caller.may("see_all")))


def all_in_short(streams: Iterable[StreamInfo]) -> tuple[list[Summary], list[str]]:
    """The records in short, and the ids of those that cannot be told, being damaged."""
    reached = queries()
    told: list[Summary] = []
    damaged: list[str] = []
    for record in streams:
        try:
            told.append(reached.summary(record))
        except StoreDamaged as error:
            context().damage.note(error)
            damaged.append(record.stream)
    return told, damaged
