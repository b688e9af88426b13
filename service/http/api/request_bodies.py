"""Reading the body of a request: JSON, JSON Lines or the notation, and the events in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson
from werkzeug.exceptions import RequestEntityTooLarge

from schemas.notation import NOTATION_MEDIA_TYPE, read_notation_logs
from schemas.wire.event_reader import EXPECTED_EVENT, ParsedEntry, read_submitted_entry
from schemas.wire.event_writer import event_object
from schemas.wire.json_text import JsonTooDeep, find_duplicate_name, parse_json
from schemas.wire.problem_errors import ProblemError, build_problem_errors
from schemas.wire.wire_faults import WireError, unexpected_value_error
from service.auth.tokens import contains_secret
from service.eventstore import ANY_VERSION, StreamInfo
from service.eventstore.events import ExpectedVersion
from service.http.api.etags import VERSION_HINT, IfMatch
from service.http.current_request import current_request
from service.http.problems import Problem, faulty_request_problem
from service.http.service_context import queries
from service.records.append import are_version_independent
from service.records.hidden_characters import find_hidden_in_names
from service.records.record_streams import SubmittedEvent

JSON_TYPE: Final = "application/json"
JSONL_TYPE: Final = "application/jsonl"
JSONL_TYPES: Final = frozenset({JSONL_TYPE, "application/x-ndjson", "application/x-jsonlines"})
"""The media types of JSON Lines, ours and those of others."""

MAX_BODY_BYTES: Final = 1 << 20
MAX_LOG_BYTES: Final = 8 << 20
MAX_BATCH_EVENTS: Final = 500
"""The most events in one request."""

NOTATION_NOT_ACCEPTED: Final = (
    f"{NOTATION_MEDIA_TYPE} is accepted for recording a deal alone and for judging logs. Here send "
    f"{JSON_TYPE}, and events also as {JSONL_TYPE}."
)


def is_jsonl_body() -> bool:
    """Whether the body is declared as JSON Lines."""
    return current_request().mimetype in JSONL_TYPES


def is_supported_type(mimetype: str) -> bool:
    """Whether any operation reads bodies of that type."""
    return mimetype in (JSON_TYPE, NOTATION_MEDIA_TYPE) or mimetype in JSONL_TYPES


def is_notation_body() -> bool:
    """Whether the body is declared as the notation."""
    return current_request().mimetype == NOTATION_MEDIA_TYPE


def read_body(*, is_login: bool = False) -> bytes:
    """The whole body. Raises `RequestEntityTooLarge`, and the problem of a token in it.

    Records are read by others, so only a login (``is_login``) may hold a token.
    """
    http_request = current_request()
    length, max_bytes = http_request.content_length, http_request.max_content_length
    if length is not None and (max_bytes is None or length <= max_bytes):
        # Flask's stream would guard a length that is known here.
        body: bytes = http_request.environ["wsgi.input"].read(length)
    else:
        body = http_request.get_data(cache=False)
        if max_bytes is not None and len(body) >= max_bytes:
            raise RequestEntityTooLarge  # a body of unstated length is cut off at the limit
    if not is_login and contains_secret(body):
        raise Problem(
            "secret-in-body",
            "The body has a token, and others can read what is recorded. Nothing was stored. Leave the "
            "token out, and revoke it.",
        )
    return body


def read_json_body(*, is_login: bool = False) -> Any:
    """The body as JSON. Raises the problem of a body that is not JSON, or is declared as the notation."""
    if is_notation_body():
        raise Problem("unsupported-media-type", NOTATION_NOT_ACCEPTED)
    return _parse_json(read_body(is_login=is_login))


def read_json_object(expected: str, *, is_login: bool = False) -> dict[str, Any]:
    """The body as one JSON object, described by ``expected``. Raises the problem of any other body."""
    obj = read_json_body(is_login=is_login)
    if not isinstance(obj, dict):
        raise invalid_event_problem(build_problem_errors(unexpected_value_error(obj, expected)))
    return obj


def _parse_json(text: bytes, line: int = 1) -> Any:
    try:
        parsed = parse_json(text)
    except orjson.JSONDecodeError as error:
        raise malformed_json_problem(error, line) from None
    require_unique_keys(text, parsed, {"line": line} if is_jsonl_body() else {})
    return parsed


def malformed_json_problem(error: orjson.JSONDecodeError, line: int = 1) -> Problem:
    """The problem of text that is not JSON, or nests too deep, at ``line`` of the body."""
    position: dict[str, Any] = {"line": error.lineno + line - 1, "column": error.colno}
    reason = error.msg[:1].upper() + error.msg[1:]
    summary = "The body nests too deep" if isinstance(error, JsonTooDeep) else "The body is not JSON"
    return Problem(
        "malformed-json",
        f"{summary}. At line {position['line']}, column {position['column']}: {reason}.",
        errors=[{**position, "detail": f"{reason}."}],
    )


def require_unique_keys(text: bytes, value: Any, location: Mapping[str, Any]) -> None:
    """Raise the problem of a name that occurs twice in an object, with its ``location``."""
    duplicate = find_duplicate_name(text, value)
    if duplicate is not None:
        detail = f"“{duplicate.name[:60]}” occurs twice in one object; keep one."
        raise Problem(
            "malformed-json",
            f"At {duplicate.pointer[:200]}: {detail}",
            errors=[{**location, "pointer": duplicate.pointer, "detail": detail}],
        )


def read_submitted_events(*, allow_notation: bool = False) -> list[SubmittedEvent]:
    """The events of the body: an object, a list, JSON Lines, or with ``allow_notation`` a log as text.

    Raises the problem of events that are not readable, or too many.
    """
    if allow_notation and is_notation_body():
        return _parse_notation_events(read_body())
    if is_jsonl_body():
        return parse_submitted_events(list(_iterate_jsonl(read_body())))
    body = read_json_body()
    if isinstance(body, list):
        return parse_submitted_events(body)
    return [parse_submitted_event(body)]


def _parse_notation_events(text: bytes) -> list[SubmittedEvent]:
    """The events of a body in the notation, which has to hold exactly one readable log."""
    parsed_logs = list(read_notation_logs([text], "-"))
    errors = [
        {"line": problem.line, "column": problem.column, "detail": problem.message}
        for log in parsed_logs[:1]
        for problem in log.problems
    ]
    if not errors:
        second_log_detail = "Another log begins here; send one at a time."
        errors = [{"line": log.line, "column": 1, "detail": second_log_detail} for log in parsed_logs[1:]]
    if errors:
        detail = f"At line {errors[0]['line']}, column {errors[0]['column']}: {errors[0]['detail']}"
        raise Problem("invalid-event", detail, errors=errors)
    log = parsed_logs[0].log if parsed_logs else ()
    _require_batch_size(log)
    require_no_hidden_characters({f"/{index}": event_object(entry.event) for index, entry in enumerate(log)})
    return [
        SubmittedEvent(ParsedEntry(entry.event, entry.metadata), f"/{index}")
        for index, entry in enumerate(log)
    ]


def _iterate_jsonl(text: bytes) -> Iterator[Any]:
    for number, line in enumerate(text.split(b"\n"), 1):
        if line and not line.isspace():
            yield _parse_json(line, number)


def parse_submitted_event(obj: Any) -> SubmittedEvent:
    """One event. Raises the problem of an unreadable one."""
    return _parse_events({"": obj})[0]


def parse_submitted_events(objects: Sequence[Any]) -> list[SubmittedEvent]:
    """Several events. Raises the problem of all unreadable ones, or of too many or none."""
    _require_batch_size(objects)
    return _parse_events({f"/{index}": obj for index, obj in enumerate(objects)})


def _parse_events(objects: Mapping[str, Any]) -> list[SubmittedEvent]:
    """The events of objects, by their JSON Pointers in the body."""
    submitted: list[SubmittedEvent] = []
    errors: list[ProblemError] = []
    for pointer, obj in objects.items():
        try:
            submitted.append(SubmittedEvent(read_submitted_entry(obj), pointer))
        except WireError as error:
            errors += prefix_pointers(pointer, build_problem_errors(error))
    if errors:
        raise invalid_event_problem(errors)
    require_no_hidden_characters(objects)
    return submitted


def prefix_pointers(prefix: str, errors: Sequence[ProblemError]) -> list[ProblemError]:
    """Errors of a part of the body, with their pointers from its root."""
    return [{**error, "pointer": f"{prefix}{error['pointer']}"} for error in errors]


def require_no_hidden_characters(objects: Mapping[str, Any]) -> None:
    """Raise the problem of names with invisible characters, or ones that turn the direction of writing.

    ``objects`` are parts of the body by their JSON Pointers.
    """
    detail = "Write it without characters that are invisible or change the direction of writing."
    errors: list[ProblemError] = [
        {"pointer": f"{prefix}{pointer}", "detail": detail}
        for prefix, obj in objects.items()
        for pointer in find_hidden_in_names(obj)
    ]
    if errors:
        raise invalid_event_problem(errors)


def _require_batch_size(events: Sequence[Any]) -> None:
    if len(events) > MAX_BATCH_EVENTS:
        raise Problem(
            "too-large",
            f"The batch has {len(events)} events. Send at most {MAX_BATCH_EVENTS} together, then the rest.",
        )
    if not events:
        raise invalid_event_problem(
            build_problem_errors(
                unexpected_value_error(
                    events, f"{EXPECTED_EVENT}, or a list of 1 to {MAX_BATCH_EVENTS} of them"
                )
            )
        )


def invalid_event_problem(errors: list[ProblemError]) -> Problem:
    """The problem of a body that is JSON, but not what the operation expects."""
    return faulty_request_problem("invalid-event", errors)


def wire_error_problem(error: WireError) -> Problem:
    """The problem of a fault found later, such as a wrong ``seq``."""
    return invalid_event_problem(build_problem_errors(error))


def resolve_expected_version(
    if_match: IfMatch, submitted_events: Sequence[SubmittedEvent], stream: StreamInfo
) -> ExpectedVersion:
    """The version to append at. Raises the problem of a request that has to name one."""
    if if_match.is_any:
        if not are_version_independent(submitted_events):
            raise Problem("version-required", f"These events do not accept If-Match: *. {VERSION_HINT}")
        return ANY_VERSION
    if len(if_match.versions) == 1:
        return if_match.versions[0]
    current_version = queries().current_version(stream)
    return current_version if current_version in if_match.versions else -1
