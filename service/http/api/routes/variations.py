"""Lists of variations: the recorded deals that begin in another."""

from typing import Any, Final

from flask import Response

from service.http.api.openapi.contract import response_header
from service.http.api.summary_page import summary_page_response
from service.http.service_context import queries

NEXT_LINK_HEADER: Final = response_header("Link", "Where the next page is.", '<…>; rel="next"')


def variations_response(parent: str, query: dict[str, Any], path: str) -> Response:
    """A page of the variations that leave the deal of that id, or of that name in the library."""
    return summary_page_response(
        "variations", queries().list_variations(parent, query["after"], query["limit"]), query, path
    )
