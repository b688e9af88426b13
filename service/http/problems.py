"""Problems: the shape of every error answer (RFC 9457)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from flask import Response

from service.config.redaction import redact

PROBLEM_CONTENT_TYPE: Final = "application/problem+json"


class ProblemType(NamedTuple):
    """A kind of problem: its HTTP status, its title, and its meaning with what to do."""

    status: int
    title: str
    meaning: str


PROBLEM_TYPES: Final[dict[str, ProblemType]] = {
    "malformed-json": ProblemType(
        400,
        "The body is not JSON",
        "The body cannot be read. `errors` says at which line and column, or which name stands twice in an "
        "object.",
    ),
    "malformed-header": ProblemType(
        400, "A header cannot be read", "A header of the request is not of the form that HTTP gives it."
    ),
    "secret-in-address": ProblemType(
        400,
        "A token stands in the address",
        "Addresses are written to logs and histories. Send a token in the header `Authorization`, and revoke "
        "the one that was sent like this.",
    ),
    "secret-in-body": ProblemType(
        400,
        "A token stands in the body",
        "What is recorded is read by others. Leave the token out, and revoke it: whoever wrote it there has "
        "told it. Nothing was stored.",
    ),
    "login-required": ProblemType(
        401,
        "That takes a link or a token",
        "Send `Authorization: Bearer` and a token, or log in with a link. It is the same whether there is "
        "such a record or not.",
    ),
    "invalid-token": ProblemType(
        401,
        "The token does not hold",
        "It is not known here, or it has expired, been revoked or been used up.",
    ),
    "not-allowed": ProblemType(
        403, "What you hold does not allow that", "`detail` says what it takes. Nothing was changed."
    ),
    "cross-site-request": ProblemType(
        403,
        "The request comes from another site",
        "A page of another site asked for a change. Only our own pages and programs may.",
    ),
    "other-session": ProblemType(
        403,
        "Somebody else is logged in now",
        "The header `Spadille-Session` names a login, and the request came with another or none. Nothing was "
        "changed.",
    ),
    "not-found": ProblemType(404, "Nothing is there", "No resource has this address."),
    "unknown-deal": ProblemType(404, "There is no such deal", "No deal with this id is recorded here."),
    "unknown-table": ProblemType(404, "There is no such table", "No table with this id is recorded here."),
    "unknown-grant": ProblemType(404, "There is no such grant", "No grant with this id is yours to manage."),
    "unknown-session": ProblemType(404, "There is no such session", "No session has this id."),
    "unknown-member": ProblemType(
        404, "There is no such member", "No member has this id, or the member was forgotten."
    ),
    "unknown-season": ProblemType(
        404, "There is no such season", "The address says no season: no span of days."
    ),
    "unknown-point": ProblemType(
        404, "The record has no such entry", "`at` or `known` names an entry that the log does not have."
    ),
    "unknown-replay": ProblemType(404, "The library has no such deal", "No replay has this name."),
    "unknown-ruleset": ProblemType(
        404, "There is no such ruleset", "No ruleset has this id, or not this revision of it."
    ),
    "method-not-allowed": ProblemType(
        405,
        "That cannot be done here",
        "The address is right, the method is not. `Allow` names those that are.",
    ),
    "not-acceptable": ProblemType(
        406, "It is not to be had in that form", "`Accept` takes none of the forms that this address has."
    ),
    "last-owner": ProblemType(
        409,
        "It is the last grant of an owner",
        "Without it nobody is an owner here until one is made at the computer of the service. Nothing was "
        "revoked.",
    ),
    "similar-name": ProblemType(
        409,
        "The name looks like another member's",
        "People could not tell the two apart. `member` names the other one. Nothing was stored.",
    ),
    "other-person": ProblemType(
        409,
        "The browser is logged in as another person",
        "Its session stands for somebody else in the same record: `here` says who, and `asked` for whom the "
        "token is. Send `instead: true` to go on as that one. Nothing was changed.",
    ),
    "id-conflict": ProblemType(
        409, "The id is taken", "An id of the request already names something else. Nothing was stored."
    ),
    "revision-taken": ProblemType(
        409,
        "That revision is published already",
        "A published revision never changes: deals were played by it. Give what is new the next number.",
    ),
    "stale-version": ProblemType(
        412,
        "The record has moved on",
        "`If-Match` names another version than the current one, which `ETag` and `version` tell. Read what "
        "came in between and decide again. Nothing was stored.",
    ),
    "too-large": ProblemType(
        413, "That is too much at once", "The body, or the batch in it, is larger than is taken at once."
    ),
    "record-full": ProblemType(
        413,
        "The record takes no more",
        "A deal or a table has as many entries as it takes, or all but those that are kept for its recorder. "
        "`version` is how many it has. Nothing was stored.",
    ),
    "notes-used-up": ProblemType(
        413,
        "This link has as many notes in the record as it may",
        "Whoever may only add notes has a share of a record, so that there is room for its recorder. Nothing "
        "was stored.",
    ),
    "unsupported-media-type": ProblemType(
        415,
        "The body is of a type that is not read here",
        "Send JSON, and say so in `Content-Type`; send it as it is, not compressed.",
    ),
    "wrong-host": ProblemType(
        421,
        "This is not the host that was asked for",
        "The service answers for its own addresses, and for the names that it was told are its own.",
    ),
    "invalid-event": ProblemType(
        422, "An event cannot be read", "`errors` says what is wrong, and where. Nothing was stored."
    ),
    "invalid-parameter": ProblemType(
        422, "A parameter cannot be read", "`errors` names the parameter and what it takes."
    ),
    "wrong-stream": ProblemType(
        422,
        "The event does not belong here",
        "A deal's events go to a deal, a table's to a table. Nothing was stored.",
    ),
    "wrong-branch": ProblemType(
        422,
        "A variation cannot begin there",
        "`branch` names a deal that is not here, or a point that it does not have: `errors` says which, "
        "`stream` and `seq` are what it names. Nothing was stored.",
    ),
    "against-the-rules": ProblemType(
        422,
        "The rules do not allow that",
        "In strict mode an event that breaks a rule is refused: `rule` names the rule, `seq` the place the "
        "event would have had, `findings` all that was found. Nothing was stored.",
    ),
    "invalid-request": ProblemType(
        422, "The request cannot be read", "`errors` says what is wrong, and where. Nothing was changed."
    ),
    "invalid-ruleset": ProblemType(
        422,
        "The ruleset does not hold together",
        "`errors` says where, what was read and what was expected. Nothing was published.",
    ),
    "unreadable-log": ProblemType(
        422, "No deal in it could be read", "`errors` says what was read and what was expected, line by line."
    ),
    "version-required": ProblemType(
        428,
        "Say which version you have seen",
        'Send `If-Match` with the version you know, such as `"17"`. Notes, irregularities, rulings and '
        "settlements may be sent with `*`.",
    ),
    "too-many-requests": ProblemType(
        429,
        "That is too often",
        "One client asked more often than is answered. `Retry-After` says in how many seconds to go on.",
    ),
    "unexpected": ProblemType(
        500,
        "Something went wrong here",
        "A fault of this program, written to its log. Nothing half-done was stored.",
    ),
    "store-damaged": ProblemType(
        500,
        "The store is damaged",
        "What is stored is not what was recorded. Stop the service, see with spadille verify what is "
        "damaged, and go back to a backup.",
    ),
    "picture-unavailable": ProblemType(
        503,
        "No picture can be made just now",
        "Others are being made, or it took too long. Ask again, or for the drawing itself (`…/state.svg`).",
    ),
    "store-unavailable": ProblemType(
        503,
        "The store cannot do it now",
        "The disk is full or failing. Send the same again, with the same ids.",
    ),
    "too-many-streams": ProblemType(
        503,
        "All live streams are in use",
        "Each stream takes something of this computer, so their number is bounded. Ask again a little later.",
    ),
}
"""The kinds of problems by name, which is the end of the ``type``: ``/problems/stale-version``."""


MAX_LISTED_ERRORS: Final = 100
"""The most faults that one problem lists."""


class Problem(Exception):
    """An error to be answered.

    ``name`` is one of ``PROBLEM_TYPES``; ``detail`` is a sentence for people with what to do; ``errors`` are
    the single faults, each with a ``pointer`` into the body or a ``parameter``, and a ``detail``;
    ``extra_members`` are further members of the answer, unless they are None.
    """

    def __init__(
        self,
        name: str,
        detail: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **extra_members: Any,
    ) -> None:
        super().__init__(detail)
        self.name = name
        self.status, self.title, _ = PROBLEM_TYPES[name]
        self.detail = detail
        members = {"errors": list(errors[:MAX_LISTED_ERRORS]) or None, **extra_members}
        self.members = {member: value for member, value in members.items() if value is not None}
        self.headers = dict(headers or {})

    def to_response(self) -> Response:
        """The problem as an answer."""
        return problem_response(
            f"/problems/{self.name}", self.title, self.status, self.detail, self.headers, self.members
        )


def faulty_request_problem(name: str, errors: Sequence[Mapping[str, Any]]) -> Problem:
    """The problem of a request with these faults. The detail quotes the first and counts the others."""
    first = errors[0]
    where = first.get("parameter") or first.get("pointer")
    detail = f"At {where}: {first['detail']}" if where else str(first["detail"])
    if len(errors) > 1:
        detail += f" ({len(errors) - 1} more in `errors`.)"
    return Problem(name, detail, errors=errors)


def invalid_parameter_problem(detail: str, *parameters: str) -> Problem:
    """The problem of parameters that all have the same fault."""
    errors = [{"parameter": name, "detail": detail} for name in parameters]
    return faulty_request_problem("invalid-parameter", errors)


def body_too_large_problem(max_bytes: int) -> Problem:
    """The problem of a body of more than ``max_bytes``."""
    return Problem("too-large", f"The body has more than {max_bytes >> 20} MiB. Send it in smaller parts.")


def problem_response(
    type_uri: str,
    title: str,
    status: int,
    detail: str,
    headers: Mapping[str, str],
    members: Mapping[str, Any],
) -> Response:
    """An answer in the shape of RFC 9457."""
    body = {"type": type_uri, "title": title, "status": status, "detail": detail, **members}
    text = orjson.dumps(body).decode()
    # The text may quote the request, which may hold a token in the wrong place.
    response = Response(redact(text), status, content_type=PROBLEM_CONTENT_TYPE)
    response.headers.update(headers)
    response.headers["Cache-Control"] = "no-store"
    return response
