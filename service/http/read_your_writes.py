"""Which server answers a read: who wrote reads what he wrote, and others may be told what a standby has.

Every answer to what may have written tells a *position* of the log, in a header and, to a browser, in a
cookie: as far as the store had come by then. Who shows it is told nothing older, whichever service node he
asks and whichever standby that has. Where its standby has not come so far the store itself answers.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from flask import Flask, Request, Response

from service.auth.caller import Caller
from service.auth.credentials import cookie_name, shows_a_session
from service.eventstore import EventStore, StoreError
from service.eventstore.postgres.replica import BesideStandby, Standby
from service.http.this_request import this_request

POSITION: Final = "Spadille-Position"
"""The header that tells the position, and shows it again."""
COOKIE: Final = "{}-position"
KEPT_SECONDS: Final = 24 * 60 * 60
"""So long a browser shows it: a standby that is a day behind is none to read from."""
_READS: Final = frozenset({"GET", "HEAD"})
_POINTS: Final = frozenset({"at", "known"})
_MOST_DIGITS: Final = 18


def store_for(store: EventStore, standby: Standby | None, caller: Caller, asked: Request) -> EventStore:
    """The store as this request is to be answered from it."""
    if standby is None:
        return store
    position = least_position(caller, asked)
    return store if position is None else BesideStandby(store, standby, position)


def least_position(caller: Caller, asked: Request) -> int | None:
    """How far a standby has to have come to answer; None where the store itself is to.

    That is so for whatever may write, for who follows live, and for who has seen what may be newer: he asks
    whether an answer still is so, or names a point of a log. A program that may write and does not show how
    far it has come is not told less than it may have written.
    """
    headers = asked.headers
    if asked.method not in _READS or "If-None-Match" in headers or not _POINTS.isdisjoint(asked.args):
        return None
    if asked.cache_control.no_cache or asked.cache_control.max_age == 0:
        return None
    if "text/event-stream" in headers.get("Accept", ""):
        return None
    shown = [headers.get(POSITION), asked.cookies.get(COOKIE.format(cookie_name(asked)))]
    positions = [_position(text) for text in shown if text is not None]
    if positions:
        return None if None in positions else max(one for one in positions if one is not None)
    may_have_written = caller.session is None and any("note" in grant.powers for grant in caller.own)
    return None if may_have_written else 0


def _position(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def tell_position(app: Flask, store: EventStore) -> None:
    """Have every answer to what may have written tell how far the store has come."""

    @app.after_request
    def told(answer: Response) -> Response:
        asked = this_request()
        if asked.method not in _READS:
            with suppress(StoreError):  # then nothing was acknowledged, either
                _tell(answer, asked, str(store.head()))
        return answer


def _tell(answer: Response, asked: Request, position: str) -> None:
    answer.headers[POSITION] = position
    if shows_a_session(asked):
        answer.set_cookie(
            COOKIE.format(cookie_name(asked)),
            position,
            max_age=KEPT_SECONDS,
            secure=asked.is_secure,
            httponly=True,
            samesite="Lax",
        )
