"""Lists of variations: the recorded deals that begin in another."""

from typing import Any, Final

from flask import Response

from service.api.answers import answer, next_address
from service.api.contract import header
from service.api.event_pages import kept
from service.context import access

NEXT: Final = header("Link", "Where the next page is.", '<…>; rel="next"')


def variations_of(left: str, query: dict[str, Any], path: str) -> Response:
    """A page of the variations that leave the deal of that id, or of that name in the library."""
    reached = access()
    page = reached.variations(left, query["after"], query["limit"])
    following = None
    if page.more:
        following = next_address(path, {**query, "after": page.streams[-1].stream})
    deals = [reached.summary(deal) for deal in page.streams]
    # It may be another list for another reader.
    return answer({"variations": deals}, following=following, cache=kept(reached.caller.may("see_all")))
