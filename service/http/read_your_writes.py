"""Whether a standby or the primary answers a request, so that clients read their own writes.

Answers to writes name the *position* of the store's log in a header and, to a browser, in a cookie. A standby
answers a request with a position only when it has reached it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from flask import Flask, Request, Response

from service.auth.caller import Caller
from service.auth.request_identity import is_session_request, session_cookie_name
from service.eventstore import EventStore, StoreError
from service.eventstore.postgres.replica import Standby, read_standby_first
from service.http.current_request import current_request

POSITION_HEADER: Final = "Spadille-Position"
"""The header of answers that names the position, and of requests that ask for it."""
POSITION_COOKIE_FORMAT: Final = "{}-position"
POSITION_COOKIE_SECONDS: Final = 24 * 60 * 60
"""How long a browser keeps the cookie, in seconds; no standby is a day late."""
_READ_METHODS: Final = frozenset({"GET", "HEAD"})
_POINT_PARAMETERS: Final = frozenset({"at", "known"})
_MAX_DIGITS: Final = 18


def select_store(store: EventStore, standby: Standby | None, caller: Caller, request: Request) -> EventStore:
    """The store that answers this request."""
    if standby is None:
        return store
    position = min_position(caller, request)
    return store if position is None else read_standby_first(store, standby, position)


def min_position(caller: Caller, request: Request) -> int | None:
    """The position that a standby needs to answer; None where the primary answers.

    The primary answers writes, live streams, and requests of clients that may know something newer:
    conditional ones, those for a point of a log, and those of a program that may write and names no position.
    """
    headers = request.headers
    if (
        request.method not in _READ_METHODS
        or "If-None-Match" in headers
        or not _POINT_PARAMETERS.isdisjoint(request.args)
    ):
        return None
    if request.cache_control.no_cache or request.cache_control.max_age == 0:
        return None
    if "text/event-stream" in headers.get("Accept", ""):
        return None
    position_texts = [
        headers.get(POSITION_HEADER),
        request.cookies.get(POSITION_COOKIE_FORMAT.format(session_cookie_name(request))),
    ]
    positions = [_parse_position(text) for text in position_texts if text is not None]
    if positions:
        return None if None in positions else max(filter(None, positions), default=0)
    may_have_written = caller.session is None and any(
        "note" in grant.permissions for grant in caller.own_grants
    )
    return None if may_have_written else 0


def _parse_position(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def register_position_header(app: Flask, store: EventStore) -> None:
    """Add the position of the store to every answer to a write."""

    @app.after_request
    def add_position(response: Response) -> Response:
        http_request = current_request()
        if http_request.method not in _READ_METHODS:
            with suppress(StoreError):  # then nothing was acknowledged, either
                position = str(store.head())
                response.headers[POSITION_HEADER] = position
                if is_session_request(http_request):
                    response.set_cookie(
                        POSITION_COOKIE_FORMAT.format(session_cookie_name(http_request)),
                        position,
                        max_age=POSITION_COOKIE_SECONDS,
                        secure=http_request.is_secure,
                        httponly=True,
                        samesite="Lax",
                    )
        return response
