"""The problem that each exception is answered with: JSON from the API, a page for a browser."""

from collections.abc import Callable
from typing import Any, Final

import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from schemas.answers.states import finding_objects
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import rule_section_name
from schemas.logs.deal_size import DealTooLarge
from schemas.wire.wire_faults import WireError
from service.auth.caller import PermissionDenied
from service.auth.grants import MemberIdTaken, UnknownGrant, UnknownMember, UnknownSession, UnknownToken
from service.config.log_setup import format_trace_locations
from service.config.urls import API_PREFIX
from service.eventstore import IdConflict, StaleVersion, StoreDamaged, StoreError, StreamFull, StreamMismatch
from service.http.api.openapi.languages import response_language
from service.http.api.request_bodies import MAX_BODY_BYTES, MAX_LOG_BYTES, wire_error_problem
from service.http.problems import Problem, body_too_large_problem, problem_response
from service.http.service_context import service_context
from service.presentation.png import PictureUnavailable
from service.records.capacity import NoteQuotaExceeded, format_record_full_message
from service.records.club_rules import RevisionTaken, TooManyRevisions
from service.records.deal_points import UnknownPoint
from service.records.deal_starts import NextPlayersUnknown
from service.records.record_streams import MisplacedEvent
from service.records.repository import UnknownRecord
from service.records.strict_mode import StrictModeViolation
from service.records.variations import BranchPointNotFound

log = structlog.get_logger()

ErrorPageBuilder = Callable[[int, str, str], Response]
"""Makes the page of an error from its status, title and detail."""

BEARER_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="Spadille"'}
STORE_RETRY_SECONDS: Final = "5"
STRICT_MODE_REFUSAL: Final = (
    "{found} (rule “{rule}”). Nothing was stored. "
    "Enter what is right, or send it with mode=as_played if it really happened."
)


def register_error_handlers(app: Flask, build_page: ErrorPageBuilder) -> None:
    """Answer every error of the application; ``build_page`` answers clients that prefer a page."""

    def render_problem(problem: Problem) -> Response:
        if prefers_error_page():
            page = build_page(problem.status, problem.title, problem.detail)
            page.headers.update(problem.headers)
            return page
        return problem.to_response()

    def render_http_error(error: HTTPException) -> AnyResponse | Response:
        if error.response is not None or error.code is None or error.code < 400:
            return error.get_response()
        return _generic_http_error(error, build_page)

    def unexpected(error: Exception) -> Response:
        log_unexpected_error(error)
        return render_problem(Problem("unexpected", "Something went wrong; see the service's log."))

    app.register_error_handler(Problem, render_problem)
    for kind, build in PROBLEM_BUILDERS.items():
        app.register_error_handler(kind, lambda error, build=build: render_problem(build(error)))
    app.register_error_handler(HTTPException, render_http_error)
    app.register_error_handler(Exception, unexpected)


def prefers_error_page() -> bool:
    """Whether a browser asks for a page; the API always answers in JSON."""
    if request.path.startswith(("/api/", "/healthz", "/readyz", "/metrics")):
        return False
    return request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) == "text/html"


def log_unexpected_error(error: Exception) -> None:
    """Log where an error came from, without its text, which might hold a card or a name."""
    where = format_trace_locations(error.__traceback__)
    route = str(request.url_rule) if request.url_rule else None
    log.error("unexpected", error=type(error).__name__, method=request.method, route=route, where=where)


def _not_found(_: NotFound) -> Problem:
    detail = f"There is nothing at {request.path[:200]}. The API's contract is at /api/v1/openapi.json."
    return Problem("not-found", detail)


def _method_not_allowed(error: MethodNotAllowed) -> Problem:
    allowed = ", ".join(sorted(error.valid_methods or ()))
    return Problem(
        "method-not-allowed",
        f"{request.method[:20]} is not allowed at {request.path[:200]}. Allowed: {allowed}.",
        headers={"Allow": allowed},
    )


def _body_too_large(_: RequestEntityTooLarge) -> Problem:
    is_log = request.max_content_length == MAX_LOG_BYTES
    return body_too_large_problem(MAX_LOG_BYTES if is_log else MAX_BODY_BYTES)


def _generic_http_error(error: HTTPException, build_page: ErrorPageBuilder) -> Response:
    """The answer to an HTTP error that is no problem type of ours."""
    status, detail = error.code or 500, error.description or error.name
    if prefers_error_page():
        return build_page(status, error.name, detail)
    headers = {name: value for name, value in error.get_headers() if name.lower() != "content-type"}
    return problem_response("about:blank", error.name, status, detail, headers, {})


def _stale_version(error: StaleVersion) -> Problem:
    reason = "If-Match names another version. Read the entries in between and decide again."
    if "If-Match" not in request.headers:
        reason = "others have written after the entries that you send again. Append the rest to its events."
    return Problem(
        "stale-version",
        f"The record is at version {error.actual}, and {reason}",
        headers={"ETag": f'"{error.actual}"'},
        version=error.actual,
    )


def _unknown_record(error: UnknownRecord) -> Problem:
    kind = error.kind
    detail = f"There is no {kind} {error.stream} here. The {kind}s are listed at {API_PREFIX}/{kind}s."
    return Problem(f"unknown-{kind}", detail)


def _branch_point_not_found(error: BranchPointNotFound) -> Problem:
    detail, branch = str(error), error.branch
    errors = [{"pointer": error.pointer, "detail": detail}]
    return Problem(
        "wrong-branch", f"{detail} Nothing was stored.", errors=errors, seq=branch.at, stream=branch.deal
    )


def _faulty_event(name: str, detail: str, pointer: str) -> Problem:
    return Problem(name, detail, errors=[{"pointer": pointer, "detail": detail}])


def _strict_mode_violation(error: StrictModeViolation) -> Problem:
    findings = finding_objects(error.findings, response_language())
    first, rule = error.findings[0], rule_section_name(error.findings[0].rule, response_language())
    message = findings[0]["message"].rstrip(".")
    pointed_findings = zip(error.pointers, findings, strict=True)
    return Problem(
        "against-the-rules",
        gettext(STRICT_MODE_REFUSAL, response_language()).format(found=message, rule=rule),
        errors=[{"pointer": pointer, "detail": finding["message"]} for pointer, finding in pointed_findings],
        rule=first.rule,
        seq=first.seq,
        findings=findings,
    )


def _store_unavailable(error: StoreError) -> Problem:
    log.error("store unavailable", error=type(error).__name__)
    return Problem("store-unavailable", str(error), headers={"Retry-After": STORE_RETRY_SECONDS})


def _picture_unavailable(error: PictureUnavailable) -> Problem:
    detail = f"{error} Try again in a moment, or ask for the drawing itself, which ends in .svg."
    return Problem("picture-unavailable", detail, headers={"Retry-After": STORE_RETRY_SECONDS})


def _store_damaged(error: StoreDamaged) -> Problem:
    service_context().damage_tracker.record(error)
    # Without the message, which may quote a damaged event.
    log.error("store damaged", error=type(error).__name__, stream=error.stream, seq=error.seq)
    return Problem(
        "store-damaged",
        "The stored data is not what was recorded. Stop the service, look at its log, and run spadille "
        "verify to see what is damaged; then restore a backup.",
    )


def _not_allowed(error: PermissionDenied) -> Problem:
    if error.is_authenticated:
        return Problem("not-allowed", str(error))
    return Problem("login-required", str(error), headers=BEARER_CHALLENGE)


PROBLEM_BUILDERS: Final[dict[type[Exception], Callable[[Any], Problem]]] = {
    NotFound: _not_found,
    MethodNotAllowed: _method_not_allowed,
    RequestEntityTooLarge: _body_too_large,
    WireError: wire_error_problem,
    PermissionDenied: _not_allowed,
    UnknownToken: lambda _: Problem(
        "invalid-token",
        "The token is unknown here, or no longer valid. Ask the person who gave it to you for another.",
        headers=BEARER_CHALLENGE,
    ),
    UnknownGrant: lambda error: Problem(
        "unknown-grant", f"You manage no grant {error}. Your grants are listed at {API_PREFIX}/grants."
    ),
    UnknownSession: lambda error: Problem(
        "unknown-session", f"There is no session {error}. The sessions are listed at {API_PREFIX}/sessions."
    ),
    UnknownMember: lambda error: Problem(
        "unknown-member",
        f"There is no member {str(error)[:60]}. The members are listed at {API_PREFIX}/members.",
    ),
    MemberIdTaken: lambda error: Problem(
        "id-conflict",
        f"The id {error} belongs to a member or a former member. Give every new member another id.",
    ),
    MisplacedEvent: lambda error: _faulty_event("wrong-stream", str(error), error.pointer),
    NextPlayersUnknown: lambda error: _faulty_event("invalid-event", str(error), "/players"),
    BranchPointNotFound: _branch_point_not_found,
    StrictModeViolation: _strict_mode_violation,
    UnknownPoint: lambda error: Problem("unknown-point", str(error)),
    NoteQuotaExceeded: lambda error: Problem("notes-used-up", str(error)),
    StreamFull: lambda error: Problem(
        "record-full", format_record_full_message(error.max_version), version=error.version
    ),
    TooManyRevisions: lambda error: Problem("too-large", str(error)),
    DealTooLarge: lambda error: Problem("too-large", str(error)),
    RevisionTaken: lambda error: Problem("revision-taken", str(error)),
    StaleVersion: _stale_version,
    IdConflict: lambda error: Problem("id-conflict", str(error), seq=error.seq, stream=error.stream),
    StreamMismatch: lambda error: Problem(
        "id-conflict",
        f"The id {error.stream} already names something else. Give every new deal its own id.",
    ),
    UnknownRecord: _unknown_record,
    PictureUnavailable: _picture_unavailable,
    StoreDamaged: _store_damaged,
    StoreError: _store_unavailable,
}
"""The problem of each exception."""
