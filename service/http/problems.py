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
        "The body cannot be read. `errors` gives the line and column, or the name that occurs twice in an "
        "object.",
    ),
    "malformed-header": ProblemType(
        400, "A header cannot be read", "A header of the request does not have the form that HTTP defines."
    ),
    "secret-in-address": ProblemType(
        400,
        "A token is in the address",
        "Addresses are written to logs and histories. Send tokens in the header `Authorization`, and "
        "revoke this one.",
    ),
    "secret-in-body": ProblemType(
        400,
        "A token is in the body",
        "Others can read what is recorded. Leave the token out, and revoke it, because it is no longer "
        "secret. Nothing was stored.",
    ),
    "login-required": ProblemType(
        401,
        "A link or a token is needed",
        "Send `Authorization: Bearer` and a token, or log in with a link. The answer is the same whether "
        "the record exists or not.",
    ),
    "invalid-token": ProblemType(
        401,
        "The token is not valid",
        "It is unknown here, expired, revoked or used up.",
    ),
    "not-allowed": ProblemType(
        403, "Your permission is not enough", "`detail` says which permission is needed. Nothing was changed."
    ),
    "cross-site-request": ProblemType(
        403,
        "The request comes from another site",
        "A page of another site asked for a change. Only the service's own pages, and programs, may do that.",
    ),
    "other-session": ProblemType(
        403,
        "Somebody else is logged in now",
        "The header `Spadille-Session` names a login, but the request has another or none. Nothing was "
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
        404, "There is no such season", "The address has no season, which is a span of days."
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
        "The method is not allowed here",
        "The address is right, but the method is not. `Allow` lists the methods of this address.",
    ),
    "not-acceptable": ProblemType(
        406, "The answer is not available in that form", "`Accept` allows none of the forms of this address."
    ),
    "last-owner": ProblemType(
        409,
        "It is the last owner's grant",
        "Without it there is no owner until somebody makes one on the computer of the service. Nothing "
        "was revoked.",
    ),
    "similar-name": ProblemType(
        409,
        "The name looks like another member's",
        "People could not tell the two names apart. `member` names the other member. Nothing was stored.",
    ),
    "other-person": ProblemType(
        409,
        "The browser is logged in as another person",
        "Its session is for somebody else in the same record: `here` names that person, and `asked` the "
        "person of the token. Send `instead: true` to continue as the latter. Nothing was changed.",
    ),
    "id-conflict": ProblemType(
        409, "The id is taken", "An id of the request already names something else. Nothing was stored."
    ),
    "revision-taken": ProblemType(
        409,
        "That revision is already published",
        "A published revision never changes, because deals were played by it. Publish the new rules under "
        "the next number.",
    ),
    "stale-version": ProblemType(
        412,
        "The record has changed",
        "`If-Match` does not name the current version, which is in `ETag` and `version`. Read the entries "
        "in between and decide again. Nothing was stored.",
    ),
    "too-large": ProblemType(
        413, "The request is too large", "The body, or the batch in it, exceeds the limit."
    ),
    "record-full": ProblemType(
        413,
        "The record is full",
        "The deal or table has as many entries as it may have, or all but those that are reserved for its "
        "recorder. `version` is the number of entries. Nothing was stored.",
    ),
    "notes-used-up": ProblemType(
        413,
        "This link may add no more notes to the record",
        "A link that may only add notes has a limit for each record, so that there is room for the "
        "recorder. Nothing was stored.",
    ),
    "unsupported-media-type": ProblemType(
        415,
        "The service cannot read this type of body",
        "Send uncompressed JSON, with its type in `Content-Type`.",
    ),
    "wrong-host": ProblemType(
        421,
        "The request is for another host",
        "The service answers only for its own addresses and names.",
    ),
    "invalid-event": ProblemType(
        422, "An event cannot be read", "`errors` says what is wrong, and where. Nothing was stored."
    ),
    "invalid-parameter": ProblemType(
        422, "A parameter cannot be read", "`errors` names the parameter and the values that it takes."
    ),
    "wrong-stream": ProblemType(
        422,
        "The event does not belong here",
        "A deal's events go to a deal, a table's to a table. Nothing was stored.",
    ),
    "wrong-branch": ProblemType(
        422,
        "A variation cannot begin there",
        "`branch` names a deal that is not here, or a point that the deal does not have: see `errors`. "
        "`stream` and `seq` are what it names. Nothing was stored.",
    ),
    "against-the-rules": ProblemType(
        422,
        "The rules do not allow that",
        "Strict mode refuses an event that breaks a rule: `rule` names the rule, `seq` the place that the "
        "event would have had, and `findings` lists all findings. Nothing was stored.",
    ),
    "invalid-request": ProblemType(
        422, "The request cannot be read", "`errors` says what is wrong, and where. Nothing was changed."
    ),
    "invalid-ruleset": ProblemType(
        422,
        "The ruleset is not consistent",
        "`errors` says where, what was read and what was expected. Nothing was published.",
    ),
    "unreadable-log": ProblemType(
        422, "No deal could be read", "`errors` says what was read and what was expected, line by line."
    ),
    "version-required": ProblemType(
        428,
        "The version is missing",
        'Send `If-Match` with the version that you know, such as `"17"`. Notes, irregularities, rulings '
        "and settlements also accept `*`.",
    ),
    "too-many-requests": ProblemType(
        429,
        "Too many requests",
        "One client sent more requests than the limit. `Retry-After` gives the seconds to wait.",
    ),
    "unexpected": ProblemType(
        500,
        "Something went wrong",
        "A bug of this program; see its log. Nothing incomplete was stored.",
    ),
    "store-damaged": ProblemType(
        500,
        "The store is damaged",
        "The stored data is not what was recorded. Stop the service, run spadille verify to see what is "
        "damaged, and restore a backup.",
    ),
    "picture-unavailable": ProblemType(
        503,
        "No picture can be made now",
        "Other pictures are being made, or it took too long. Try again, or ask for the drawing itself "
        "(`…/state.svg`).",
    ),
    "store-unavailable": ProblemType(
        503,
        "The store is not available now",
        "The disk is full or failing. Send the same request again, with the same ids.",
    ),
    "too-many-streams": ProblemType(
        503,
        "All live streams are in use",
        "Each stream uses resources of this computer, so their number is limited. Try again a little later.",
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
