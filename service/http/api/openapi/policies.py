"""What the contract says of an operation's policies: who may ask, how long to keep it, its language."""

from typing import Any, Final

from apispec import APISpec

from service.auth.request_identity import SECURE_COOKIE_NAME
from service.http.api.blueprint import header_object
from service.http.api.cache_policies import CachePolicy
from service.http.api.openapi.languages import LOCALIZED_OPERATIONS
from service.http.api.operation_permissions import ANYONE, OperationPermission
from service.http.api.schemas.live import EVENT_STREAM_TYPE
from service.http.read_your_writes import POSITION_HEADER

Json = dict[str, Any]

SECURITY_SCHEMES: Final[dict[str, Json]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "spadille_t_ and 49 letters and digits",
        "description": "For programs. `POST /api/v1/grants` and `spadille tokens make` create one.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SECURE_COOKIE_NAME,
        "description": (
            "For browsers: `POST /api/v1/session` sets it in exchange for a token. Over plain http, which "
            "is for the service's own computer, its name is `spadille-` and the port. A change with this "
            "cookie must come from a page of the service (`Sec-Fetch-Site`, `Origin`)."
        ),
    },
}
POSITION_EXAMPLE: Final = "41872"
PARAMETER_COMPONENTS: Final[dict[str, Json]] = {
    "IfNoneMatch": {
        "name": "If-None-Match",
        **header_object(
            "The `ETag` of what you have. If it is still current, the answer is `304` without a body; `*` "
            "matches anything. Answers with `no-store` are always sent.",
            '"17"',
        ),
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        **header_object(
            "In a live stream: the `id` of the last event that you have; browsers send it by themselves. "
            "The stream continues after it. It overrides `after`.",
            "17",
        ),
    },
    "SpadillePosition": {
        "name": POSITION_HEADER,
        **header_object(
            "If a standby of the store may answer: the position from your last change. The answer is at "
            "least as new. `0` accepts any age. Without it, a program that may write gets its answer from "
            "the store itself.",
            POSITION_EXAMPLE,
        ),
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        **header_object("The language of findings: Danish if the client prefers it, else English.", "da"),
    },
}
"""Headers of requests that many operations have."""
PROBLEM_HEADERS: Final[dict[int, Json]] = {
    401: {"WWW-Authenticate": header_object("How to show a token.", "Bearer")},
    405: {"Allow": header_object("The methods of this address.", "GET, HEAD, OPTIONS")},
    412: {"ETag": header_object("The current version of the record.", '"17"')},
    415: {
        "Accept-Post": header_object("The accepted types of body, if the type was wrong."),
        "Accept-Encoding": header_object(
            "That no encoding is accepted, if the body was compressed.", "identity"
        ),
    },
    429: {"Retry-After": header_object("Seconds to wait.", "2")},
    503: {"Retry-After": header_object("Seconds to wait.", "5")},
}
"""The headers of problems, by their status."""


def register_common_components(spec: APISpec) -> None:
    """Publish what several operations have in common."""
    for name, parameter in PARAMETER_COMPONENTS.items():
        spec.components.parameter(name, "header", parameter)
    spec.components.response(
        "NotModified",
        {
            "description": "You already have it, as `If-None-Match` says; there is no body.",
            "headers": {
                "ETag": header_object("What you have."),
                "Cache-Control": header_object("As of the answer."),
            },
        },
    )


def describe_language(document: Json) -> None:
    """Publish in which language an operation that answers with findings words them."""
    if document["operationId"] not in LOCALIZED_OPERATIONS:
        return
    document["parameters"].append("AcceptLanguage")
    for status in {"200", "201"} & document["responses"].keys():
        headers = document["responses"][status].setdefault("headers", {})
        headers["Content-Language"] = header_object("The language of the findings.", "da")


def describe_permission(document: Json, permission: OperationPermission) -> None:
    """Publish who may ask an operation, as OpenAPI's ``security`` and as a sentence."""
    document["security"] = _security_requirements(permission)
    document["description"] = f"{document['description']}\n\n{permission.description}".strip()


def _security_requirements(permission: OperationPermission) -> list[Json]:
    """OpenAPI's security requirements, any one of which is enough, with the lowest role that may."""
    if permission == ANYONE:
        return []
    roles = [permission.min_role] if permission.min_role else []
    anonymous: list[Json] = [{}] if permission.allows_anonymous else []
    return anonymous + [{scheme: roles} for scheme in SECURITY_SCHEMES]


def describe_caching(method: str, document: Json, policy: CachePolicy) -> None:
    """Publish how long an answer may be kept, how to ask again, and the problems of any operation."""
    responses: Json = document["responses"]
    for status in ("429", "503"):
        responses.setdefault(status, f"Problem{status}")
    if method == "get":
        _describe_kept_answer(document, responses, policy)
        return
    for status, response in responses.items():
        if status.startswith("2"):
            response.setdefault("headers", {})[POSITION_HEADER] = header_object(
                "The position of the log in this answer, if a standby may answer: send it with your next "
                "request.",
                POSITION_EXAMPLE,
            )


def _describe_kept_answer(document: Json, responses: Json, policy: CachePolicy) -> None:
    ok_response, parameters = responses["200"], document["parameters"]
    headers = ok_response.setdefault("headers", {})
    headers["Cache-Control"] = header_object(f"How long it may be cached: {policy.description}.")
    if policy.etag_basis is not None:
        headers["ETag"] = header_object(f"Tag: {policy.etag_basis}.")
        parameters.append("IfNoneMatch")
        responses["304"] = "NotModified"
    is_stream = EVENT_STREAM_TYPE in ok_response.get("content", {})
    parameters.append("LastEventId" if is_stream else "SpadillePosition")
