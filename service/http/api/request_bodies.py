"""Reading what a request's body holds: JSON or JSON Lines, and the events in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson
from flask import request
from marshmallow import ValidationError
from werkzeug.exceptions import RequestEntityTooLarge

from schemas.notation import MEDIA_TYPE, read_logs
from schemas.wire.doubled_names import doubled_name
from schemas.wire.errors import PointedError, problem_errors
from schemas.wire.events import EventSchema
from schemas.wire.faults import WireError, unfit
from schemas.wire.json_text import TooDeep, read_json
from schemas.wire.reader import AN_EVENT, Reading, read_flat
from schemas.wire.writer import event_fields
from service.auth.tokens import holds_a_secret
from service.http.api.openapi.contract import told_together
from service.http.problems import Problem
from service.http.this_request import this_request
from service.records.hidden_characters import hidden_in_names
from service.records.records import Posted

JSON: Final = "application/json"
JSON_LINES: Final = "application/jsonl"
LINES_TYPES: Final = frozenset({JSON_LINES, "application/x-ndjson", "application/x-jsonlines"})
"""What JSON Lines are called: by us, and by others."""

BODY_BYTES: Final = 1 << 20
LOG_BYTES: Final = 8 << 20
BATCH: Final = 500
"""So many events are taken at once."""

DEALS_ONLY: Final = (
    f"{MEDIA_TYPE} is read where a deal alone is recorded from its opening on, and where logs are judged. "
    f"Here send {JSON}, and events also as {JSON_LINES}."
)

_EVENTS: Final = EventSchema()


def is_lines() -> bool:
    """Whether the body says that it is JSON Lines."""
    return request.mimetype in LINES_TYPES


def is_read(mimetype: str) -> bool:
    """Whether a body of that type is read here at all."""
    return mimetype in (JSON, MEDIA_TYPE) or mimetype in LINES_TYPES


def is_notation() -> bool:
    """Whether the body says that it is the notation."""
    return request.mimetype == MEDIA_TYPE


def body_bytes(*, is_login: bool = False) -> bytes:
    """The whole body. Raises `RequestEntityTooLarge`, and the problem of one that holds a token.

    What is recorded is told to whoever may read it. ``is_login``: a token is what is asked for.
    """
    asked = this_request()
    body = asked.get_data(cache=False)
    most = asked.max_content_length
    if most is not None and len(body) >= most and len(body) != asked.content_length:
        # Of a body whose length is not stated, what is beyond the limit is cut off in silence.
        raise RequestEntityTooLarge
    if not is_login and holds_a_secret(body):
        raise Problem(
            "secret-in-body",
            "A token stands in the body, and what is recorded is read by others. Nothing was stored. Leave "
            "it out, and revoke it: it is known now.",
        )
    return body


def json_body(*, is_login: bool = False) -> Any:
    """The body as JSON. Raises the problem of one that is not, or is not said to be."""
    if is_notation():
        raise Problem("unsupported-media-type", DEALS_ONLY)
    return _json(body_bytes(is_login=is_login))


def one_object(owner: str, *, is_login: bool = False) -> dict[str, Any]:
    """The body as one JSON object, such as ``owner``. Raises the problem of one that is not."""
    obj = json_body(is_login=is_login)
    if not isinstance(obj, dict):
        raise invalid(problem_errors(unfit(obj, owner)))
    return obj


def _json(text: bytes, line: int = 1) -> Any:
    try:
        read = read_json(text)
    except orjson.JSONDecodeError as error:
        raise malformed(error, line) from None
    require_no_doubled_name(text, read, {"line": line} if is_lines() else {})
    return read


def malformed(error: orjson.JSONDecodeError, line: int = 1) -> Problem:
    """The problem of a text that is no JSON, or nests too deep; the text begins at ``line`` of the body."""
    place: dict[str, Any] = {"line": error.lineno + line - 1, "column": error.colno}
    said = error.msg[:1].upper() + error.msg[1:]
    what = "The body nests too deep" if isinstance(error, TooDeep) else "The body is not JSON"
    return Problem(
        "malformed-json",
        f"{what}. At line {place['line']}, column {place['column']}: {said}.",
        errors=[{**place, "detail": f"{said}."}],
    )


def require_no_doubled_name(text: bytes, read: Any, place: Mapping[str, Any]) -> None:
    """Raises the problem of a name that stands twice in an object; ``place`` tells more of where it is."""
    doubled = doubled_name(text, read)
    if doubled is not None:
        said = f"“{doubled.name[:60]}” stands twice in one object; which is meant, nobody can say."
        raise Problem(
            "malformed-json",
            f"At {doubled.pointer[:200]}: {said}",
            errors=[{**place, "pointer": doubled.pointer, "detail": said}],
        )


def posted_events(*, notation: bool = False) -> list[Posted]:
    """The events of the body: one object, a list of objects, JSON Lines, or with ``notation`` a log as text.

    Raises the problem of events that cannot be read, or that are too many.
    """
    if notation and is_notation():
        return _told_in_notation(body_bytes())
    if is_lines():
        return read_events(list(_lines(body_bytes())))
    body = json_body()
    if isinstance(body, list):
        return read_events(body)
    return [read_event(body)]


def _told_in_notation(text: bytes) -> list[Posted]:
    """The events of a body in the notation, which has to be one log that can be read."""
    read = list(read_logs([text], "-"))
    errors = [
        {"line": one.line, "column": one.column, "detail": one.message}
        for log in read[:1]
        for one in log.problems
    ]
    if not errors:
        another = "Another log begins here; send one at a time."
        errors = [{"line": log.line, "column": 1, "detail": another} for log in read[1:]]
    if errors:
        told = f"At line {errors[0]['line']}, column {errors[0]['column']}: {errors[0]['detail']}"
        raise Problem("invalid-event", told, errors=errors)
    log = read[0].log if read else ()
    _require_batch(log)
    require_plain_names([event_fields(entry.event) for entry in log])
    return [Posted(Reading(entry.event, entry.record), f"/{index}") for index, entry in enumerate(log)]


def _lines(text: bytes) -> Iterator[Any]:
    for number, line in enumerate(text.split(b"\n"), 1):
        if line and not line.isspace():
            yield _json(line, number)


def _reading(obj: Any) -> Reading:
    """One event, by the fast reader, which is as strict as the schema that is published.

    What it does not take is read by the schema: its ``ValidationError`` is what the contract says.
    """
    try:
        return read_flat(obj)
    except WireError:
        reading: Reading = _EVENTS.load(obj)
        return reading


def read_event(obj: Any, opening: str | None = None) -> Posted:
    """One event. Raises the problem of one that cannot be read."""
    try:
        read = Posted(_reading(_typed(obj, opening)))
    except ValidationError as error:
        raise invalid(problem_errors(error)) from None
    require_plain_names([obj])
    return read


def read_events(objects: list[Any], opening: str | None = None) -> list[Posted]:
    """Several events. Raises the problem of all those that cannot be read, or of too many or none."""
    _require_batch(objects)
    read: list[Posted] = []
    errors: list[PointedError] = []
    for index, obj in enumerate(objects):
        try:
            reading = _reading(_typed(obj, opening if index == 0 else None))
        except ValidationError as error:
            errors += ({**one, "pointer": f"/{index}{one['pointer']}"} for one in problem_errors(error))
        else:
            read.append(Posted(reading, f"/{index}"))
    if errors:
        raise invalid(errors)
    require_plain_names(objects)
    return read


def require_plain_names(objects: Sequence[Any]) -> None:
    """Raises the problem of names with characters that turn the direction of writing, or show nothing."""
    several = len(objects) > 1
    errors: list[PointedError] = [
        {
            "pointer": f"/{index}{pointer}" if several else pointer,
            "detail": "Write it without characters that are invisible or turn the direction of writing.",
        }
        for index, obj in enumerate(objects)
        for pointer in hidden_in_names(obj)
    ]
    if errors:
        raise invalid(errors)


def _require_batch(events: Sequence[Any]) -> None:
    """Raises the problem of too many events, or of none."""
    if len(events) > BATCH:
        raise Problem(
            "too-large", f"The batch has {len(events)} events. Send at most {BATCH} at once, then the rest."
        )
    if not events:
        raise invalid(problem_errors(unfit(events, f"{AN_EVENT}, or a list of 1 to {BATCH} of them")))


def _typed(obj: Any, opening: str | None) -> Any:
    """The object with the type that it may leave out."""
    if opening is None or not isinstance(obj, dict) or "type" in obj:
        return obj
    return {"type": opening, **obj}


def invalid(errors: list[PointedError]) -> Problem:
    """The problem of a body that is JSON and yet not what it should be."""
    return Problem("invalid-event", told_together([dict(one) for one in errors]), errors=errors)


def unfitting(error: WireError) -> Problem:
    """The problem of what a reader found later, such as a ``seq`` that is not the one an event got."""
    return invalid(problem_errors(error))
