"""The API's doors to what is recorded as it happens: server-sent events of a deal, or of a table."""

from __future__ import annotations

from typing import Final

from flask import Response, request

from service.http.api.openapi.contract import told_together
from service.http.api.responses import NEVER_KEPT, begun, varying
from service.http.clients import client_of
from service.http.context import context
from service.http.problems import Problem
from service.records.live import Cursor, Following, TooManyStreams, UnreadableCursor

EVENT_STREAM: Final = "text/event-stream"
RETRY_SECONDS: Final = "10"
HEADERS: Final = {
    "Cache-Control": NEVER_KEPT,
    # A proxy that gathers an answer before it hands it on would hold the events back.
    "X-Accel-Buffering": "no",
}


def wants_stream() -> bool:
    """Whether the client would rather have server-sent events than anything else."""
    accept = request.accept_mimetypes
    return EVENT_STREAM in accept.values() and accept.best == EVENT_STREAM


def require_stream() -> None:
    """Raises the problem of a client that does not take server-sent events, where there is nothing else."""
    if request.accept_mimetypes and not request.accept_mimetypes[EVENT_STREAM]:
        raise Problem(
            "not-acceptable",
            f"Here are server-sent events, {EVENT_STREAM}, and Accept does not take them. "
            "The log itself is at …/events.",
        )


def live_answer(following: Following, after: str | None) -> Response:
    """What is followed as server-sent events, from behind the last event that the client has.

    That is what ``Last-Event-ID`` names, or else ``after``. Raises the problem of too many streams, and of a
    log that cannot be read: a client would come back to a stream that breaks off, again and again.
    """
    cursor = _cursor(following, after)
    live = context().live
    try:
        place = live.places.take(client_of(request.environ), request.environ.get("gunicorn.socket"))
    except TooManyStreams:
        raise Problem(
            "too-many-streams",
            f"All live streams are in use ({live.places.most}, or your share of them). "
            "Close one, or ask again a little later.",
            headers={"Retry-After": RETRY_SECONDS},
        ) from None
    try:
        told = begun(context().damage.watching(live.told(following, cursor, place)))
    except BaseException:
        live.places.free(place)  # and not the connection: the problem is still to be answered
        raise
    if request.method == "HEAD":
        told.close()
        live.places.free(place)
        return _stream(Response(content_type=EVENT_STREAM))
    made = Response(told, content_type=EVENT_STREAM)
    made.call_on_close(place.leave)
    return _stream(made)


def _stream(made: Response) -> Response:
    made.headers.update(HEADERS)
    return varying(made, "Accept")


def _cursor(following: Following, after: str | None) -> Cursor | None:
    last = request.headers.get("Last-Event-ID", "").strip()
    try:
        if last:
            return following.cursor(last)
        return following.cursor(after) if after else None
    except UnreadableCursor as error:
        if last:
            raise Problem("malformed-header", f"Last-Event-ID cannot be read. {error}") from None
        faults = [{"parameter": "after", "detail": str(error)}]
        raise Problem("invalid-parameter", told_together(faults), errors=faults) from None
