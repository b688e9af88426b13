"""Which problem each error is answered with: by the API as JSON, to a browser as a page."""

from collections.abc import Callable
from typing import Any, Final

import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from engine.rulesets.model import Words
from schemas.answers.states import finding_objects
from schemas.logs.deal_size import DealTooLarge
from schemas.wire.faults import WireError
from service.auth.caller import NotAllowed
from service.auth.grants import MemberIdTaken, UnknownGrant, UnknownMember, UnknownSession, UnknownToken
from service.config.logging import places_of
from service.config.urls import PREFIX
from service.eventstore import (
    IdConflict,
    StaleVersion,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
    StreamFull,
    StreamMismatch,
)
from service.http.api.openapi.languages import language, told_here
from service.http.api.request_bodies import BODY_BYTES, LOG_BYTES, unfitting
from service.http.context import context
from service.http.problems import Problem, problem_response
from service.presentation.i18n.translate import rule_called
from service.presentation.png import PictureUnavailable
from service.records.append import AgainstTheRules
from service.records.capacity import NotesUsedUp, told_full
from service.records.club_rules import RevisionTaken, TooManyRevisions
from service.records.points import UnknownPoint
from service.records.records import Misplaced, UnknownRecord
from service.records.tables import NobodyDue
from service.records.variations import NotThere

log = structlog.get_logger()

Page = Callable[[int, str, str], Response]
"""Makes the page of an error from its status, title and detail."""

CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="Spadille"'}
RETRY_SECONDS: Final = "5"
REFUSED: Final = Words(
    "{found} (rule “{rule}”). Nothing was stored. "
    "Enter what is right, or send it with mode=as_played if it really happened.",
    "{found} (regel »{rule}«). Intet er gemt. "
    "Skriv det rigtige, eller send det med mode=as_played, hvis det virkelig skete.",
)


def answer_errors(app: Flask, page: Page) -> None:
    """Answers every error of the application; ``page`` makes the answer for whoever reads a page."""

    def shown(problem: Problem) -> Response:
        if for_a_reader():
            made = page(problem.status, problem.title, problem.detail)
            made.headers.update(problem.headers)
            return made
        return problem.response()

    def as_http(error: HTTPException) -> AnyResponse | Response:
        if error.response is not None or error.code is None or error.code < 400:
            return error.get_response()
        known = problem_of_http(error)
        return shown(known) if known else _other(error, page)

    def unexpected(error: Exception) -> Response:
        tell_unexpected(error)
        return shown(Problem("unexpected", "Something went wrong here; it is written to the service's log."))

    app.register_error_handler(Problem, shown)
    for kind, translate in TRANSLATIONS.items():
        app.register_error_handler(kind, lambda error, translate=translate: shown(translate(error)))
    app.register_error_handler(HTTPException, as_http)
    app.register_error_handler(Exception, unexpected)


def for_a_reader() -> bool:
    """Whether a page is asked for, by a browser; the API answers in JSON whoever asks."""
    if request.path.startswith(("/api/", "/healthz", "/readyz", "/metrics")):
        return False
    return request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) == "text/html"


def tell_unexpected(error: Exception) -> None:
    """Writes to the log where an error came from, without its text: that might hold a card or a name."""
    where = places_of(error.__traceback__)
    route = str(request.url_rule) if request.url_rule else None
    log.error("unexpected", error=type(error).__name__, method=request.method, route=route, where=where)


def problem_of_http(error: HTTPException) -> Problem | None:
    """The problem of an error that HTTP itself knows; None where it has no kind of its own here."""
    if isinstance(error, NotFound):
        return Problem(
            "not-found",
            f"There is nothing at {request.path[:200]}. The API's contract is at /api/v1/openapi.json.",
        )
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        return Problem(
            "method-not-allowed",
            f"{request.method[:20]} cannot be done at {request.path[:200]}. What can: {allowed}.",
            headers={"Allow": allowed},
        )
    if isinstance(error, RequestEntityTooLarge):
        most = LOG_BYTES if request.max_content_length == LOG_BYTES else BODY_BYTES
        return Problem("too-large", f"The body has more than {most >> 20} MiB. Send it in smaller parts.")
    return None


def _other(error: HTTPException, page: Page) -> Response:
    """The answer to an error that only HTTP has a name for."""
    status, detail = error.code or 500, error.description or error.name
    if for_a_reader():
        return page(status, error.name, detail)
    kept = {name: value for name, value in error.get_headers() if name.lower() != "content-type"}
    return problem_response("about:blank", error.name, status, detail, kept, {})


def _stale(error: StaleVersion) -> Problem:
    why = "If-Match names another. Read what came in between and decide again."
    if "If-Match" not in request.headers:
        why = "others wrote behind the beginning that you send again. Append the rest to its events."
    return Problem(
        "stale-version",
        f"The record is at version {error.actual}, and {why}",
        headers={"ETag": f'"{error.actual}"'},
        version=error.actual,
    )


def _id_conflict(error: IdConflict) -> Problem:
    return Problem("id-conflict", str(error), seq=error.seq, stream=error.stream)


def _stream_taken(error: StreamMismatch) -> Problem:
    return Problem(
        "id-conflict",
        f"The id {error.stream} already names something else. Give every new deal an id of its own.",
    )


def _unknown_record(error: UnknownRecord) -> Problem:
    kind = error.kind
    detail = f"There is no {kind} {error.stream} here. What there is stands at {PREFIX}/{kind}s."
    return Problem(f"unknown-{kind}", detail)


def _not_there(error: NotThere) -> Problem:
    detail, branch = str(error), error.branch
    errors = [{"pointer": error.pointer, "detail": detail}]
    return Problem(
        "wrong-branch", f"{detail} Nothing was stored.", errors=errors, stream=branch.deal, seq=branch.at
    )


def _misplaced(error: Misplaced) -> Problem:
    detail = str(error)
    return Problem("wrong-stream", detail, errors=[{"pointer": error.pointer, "detail": detail}])


def _nobody_due(error: NobodyDue) -> Problem:
    detail = str(error)
    return Problem("invalid-event", detail, errors=[{"pointer": "/players", "detail": detail}])


def _against_the_rules(error: AgainstTheRules) -> Problem:
    findings = finding_objects(error.findings, told_here)
    first, rule = error.findings[0], rule_called(error.findings[0].rule, language())
    found = findings[0]["message"].rstrip(".")
    told = zip(error.pointers, findings, strict=True)
    return Problem(
        "against-the-rules",
        REFUSED[language()].format(found=found, rule=rule),
        errors=[{"pointer": pointer, "detail": finding["message"]} for pointer, finding in told],
        rule=first.rule,
        seq=first.seq,
        findings=findings,
    )


def _unavailable(error: StoreError) -> Problem:
    log.error("store unavailable", error=type(error).__name__)
    return Problem("store-unavailable", str(error), headers={"Retry-After": RETRY_SECONDS})


def _no_picture(error: PictureUnavailable) -> Problem:
    detail = f"{error} Ask again in a moment, or for the drawing itself, which ends in .svg."
    return Problem("picture-unavailable", detail, headers={"Retry-After": RETRY_SECONDS})


def _damaged(error: StoreDamaged) -> Problem:
    context().damage.note(error)
    # Not the sentence: it may quote what a damaged event says.
    log.error("store damaged", error=type(error).__name__, stream=error.stream, seq=error.seq)
    return Problem(
        "store-damaged",
        "What is stored is not what was recorded. Stop the service, look at its log, and see with spadille "
        "verify what is damaged; then go back to a backup.",
    )


def _not_allowed(error: NotAllowed) -> Problem:
    if error.known:
        return Problem("not-allowed", str(error))
    return Problem("login-required", str(error), headers=CHALLENGE)


def _unknown_token(_: UnknownToken) -> Problem:
    return Problem(
        "invalid-token",
        "The token is not known here, or holds no longer. Ask whoever gave it to you for another.",
        headers=CHALLENGE,
    )


def _unknown_grant(error: UnknownGrant) -> Problem:
    return Problem(
        "unknown-grant", f"You manage no grant {error}. Those that you do stand at {PREFIX}/grants."
    )


def _unknown_session(error: UnknownSession) -> Problem:
    return Problem(
        "unknown-session", f"There is no session {error}. Those there are stand at {PREFIX}/sessions."
    )


def _unknown_member(error: UnknownMember) -> Problem:
    return Problem(
        "unknown-member", f"There is no member {str(error)[:60]}. Who there is stands at {PREFIX}/members."
    )


def _too_much(error: Exception) -> Problem:
    return Problem("too-large", str(error))


TRANSLATIONS: Final[dict[type[Exception], Callable[[Any], Problem]]] = {
    WireError: unfitting,
    NotAllowed: _not_allowed,
    UnknownToken: _unknown_token,
    UnknownGrant: _unknown_grant,
    UnknownSession: _unknown_session,
    UnknownMember: _unknown_member,
    MemberIdTaken: lambda error: Problem(
        "id-conflict", f"The id {error} is a member's already, or was one's. Give every new member another."
    ),
    Misplaced: _misplaced,
    NobodyDue: _nobody_due,
    NotThere: _not_there,
    AgainstTheRules: _against_the_rules,
    UnknownPoint: lambda error: Problem("unknown-point", str(error)),
    NotesUsedUp: lambda error: Problem("notes-used-up", str(error)),
    StreamFull: lambda error: Problem("record-full", told_full(error.most), version=error.version),
    TooManyRevisions: _too_much,
    DealTooLarge: _too_much,
    RevisionTaken: lambda error: Problem("revision-taken", str(error)),
    StaleVersion: _stale,
    IdConflict: _id_conflict,
    StreamMismatch: _stream_taken,
    UnknownRecord: _unknown_record,
    PictureUnavailable: _no_picture,
    StoreClosed: _unavailable,
    StoreUnavailable: _unavailable,
    StoreDamaged: _damaged,
    StoreError: _unavailable,
}
"""The problem of each error of ours."""
