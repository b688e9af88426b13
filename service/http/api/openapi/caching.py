"""What may be kept of each answer, as the contract tells it, and what is common to all operations."""

from typing import Any, Final

from apispec import APISpec

from service.http.api.cache_policies import CachePolicy
from service.http.read_your_writes import POSITION_HEADER

Json = dict[str, Any]

EVENT_STREAM_TYPE: Final = "text/event-stream"
CACHE_POLICY_KEY: Final = "cache_policy"
"""Under it an operation has its `CachePolicy`, until it is told of."""

NOT_MODIFIED_COMPONENT: Final = "NotModified"
IF_NONE_MATCH_COMPONENT: Final = "IfNoneMatch"
LAST_EVENT_ID_COMPONENT: Final = "LastEventId"
POSITION_COMPONENT: Final = "SpadillePosition"
STRING_SCHEMA: Final = {"type": "string"}


def register_caching_components(spec: APISpec) -> None:
    """Tells what several operations have in common."""
    spec.components.parameter(
        IF_NONE_MATCH_COMPONENT,
        "header",
        {
            "name": "If-None-Match",
            "description": "The `ETag` of what you have: where it is still that, you are answered with "
            "`304` and no body; with `*` wherever there is something. What is never kept (`no-store`) "
            "is sent each time.",
            "schema": STRING_SCHEMA,
            "example": '"17"',
        },
    )
    spec.components.parameter(
        LAST_EVENT_ID_COMPONENT,
        "header",
        {
            "name": "Last-Event-ID",
            "description": "Of a live stream: the `id` of the last event that you have; browsers send it "
            "by themselves. You are told whatever came behind it. It goes before `after`.",
            "schema": STRING_SCHEMA,
            "example": "17",
        },
    )
    spec.components.parameter(
        POSITION_COMPONENT,
        "header",
        {
            "name": POSITION_HEADER,
            "description": "Where answers may come from a standby of the store: the position that you "
            "were told with your last change. You are told nothing older. With `0` anything will do; a "
            "program that may write and says nothing is answered from the store itself.",
            "schema": STRING_SCHEMA,
            "example": "41872",
        },
    )
    spec.components.response(
        NOT_MODIFIED_COMPONENT,
        {
            "description": "You have that already, as `If-None-Match` says; there is no body.",
            "headers": {
                "ETag": header_object("What you have."),
                "Cache-Control": header_object("As of the answer."),
            },
        },
    )


def describe_caching(method: str, operation: Json) -> None:
    """Tells of an operation what may be kept of it, how to ask again, and what any may be answered with."""
    policy, responses = operation.pop(CACHE_POLICY_KEY), operation["responses"]
    documented = {str(status) for status in responses}
    responses |= {status: f"Problem{status}" for status in ("429", "503") if status not in documented}
    if method == "get":
        _document_caching(operation, responses, policy)
    else:
        _document_position(responses)


def _document_caching(operation: Json, responses: Json, policy: CachePolicy) -> None:
    """Adds what may be kept of what an operation reads, and how to ask again."""
    ok_response = next(candidate for status, candidate in responses.items() if str(status) == "200")
    headers = ok_response.setdefault("headers", {})
    headers["Cache-Control"] = header_object(f"For how long it may be kept: {policy.description}.")
    parameters = operation.setdefault("parameters", [])
    if policy.etag_basis is not None:
        headers["ETag"] = header_object(f"Of what is answered: {policy.etag_basis}.")
        parameters.append(IF_NONE_MATCH_COMPONENT)
        responses["304"] = NOT_MODIFIED_COMPONENT
    parameters.append(
        LAST_EVENT_ID_COMPONENT if EVENT_STREAM_TYPE in ok_response.get("content", {}) else POSITION_COMPONENT
    )


def _document_position(responses: Json) -> None:
    for status, response in responses.items():
        if str(status).startswith("2"):
            response.setdefault("headers", {})[POSITION_HEADER] = header_object(
                "How far the log had come, where answers may come from a standby: to be shown with what is "
                "asked next.",
                "41872",
            )


def header_object(description: str, example: str | None = None) -> Json:
    """A header of an answer."""
    return {"description": description, "schema": STRING_SCHEMA} | (
        {} if example is None else {"example": example}
    )


PROBLEM_HEADERS: Final[dict[int, Json]] = {
    401: {"WWW-Authenticate": header_object("How to show a token.", "Bearer")},
    405: {"Allow": header_object("The methods that the address has.", "GET, HEAD, OPTIONS")},
    412: {"ETag": header_object("The version that the record has now.", '"17"')},
    415: {
        "Accept-Post": header_object("What types of body are read, where it was one of another."),
        "Accept-Encoding": header_object("That none is unpacked, where one was compressed.", "identity"),
    },
    429: {"Retry-After": header_object("In how many seconds to go on.", "2")},
    503: {"Retry-After": header_object("In how many seconds to ask again.", "5")},
}
"""What the answers with a problem of a status say in their headers."""
