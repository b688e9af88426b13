"""Lists of variations: the recorded deals that begin in another."""

from typing import Any, Final

from flask import Response

from service.http.api.openapi.contract import header
from service.http.api.summary_page import page_in_short
from service.http.context import queries

NEXT: Final = header("Link", "Where the next page is.", '<…>; rel="next"')


def variations_of(left: str, query: dict[str, Any], path: str) -> Response:
    """A page of the variations that leave the deal of that id, or of that name in the library."""
    return page_in_short(
        "variations", queries().variations(left, query["after"], query["limit"]), query, path
    )
