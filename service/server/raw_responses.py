"""The answers of the server itself, before any application: to what is no request, and to what finds no room.

They repeat nothing of what was sent. Servers say what they could not read, and it may be a token that
somebody put where none belongs.
"""

from http import HTTPStatus
from typing import Any, Final

import orjson

from service.http.problems import PROBLEM_CONTENT_TYPE as PROBLEM_CONTENT_TYPE
from service.http.problems import Problem
from service.http.security import SECURITY_HEADERS

BAD_REQUEST_DETAIL: Final = "What was sent is no request that can be read here. Nothing was done."
REFUSAL_RETRY_SECONDS: Final = 2


def build_status_body(status: HTTPStatus) -> bytes:
    """What is told of it, in the shape of every problem."""
    problem_json = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": BAD_REQUEST_DETAIL,
    }
    return orjson.dumps(problem_json)


def build_status_response(status: HTTPStatus) -> bytes:
    """The whole answer, as it goes over the line; the connection ends with it."""
    return _build_response(status, build_status_body(status), {})


def build_problem_response(problem: Problem) -> bytes:
    """A problem as a whole answer, likewise."""
    return _build_response(HTTPStatus(problem.status), build_problem_body(problem), problem.headers)


def build_problem_body(problem: Problem) -> bytes:
    """What is told of a problem."""
    problem_json = {
        "type": f"/problems/{problem.name}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
    }
    return orjson.dumps(problem_json)


def request_too_slow_problem(timeout: float) -> Problem:
    """The problem of a request that was not all there in time."""
    return Problem(
        "too-slow",
        f"The request was not all there within {timeout:g} seconds, and it came too slowly to wait for the "
        "rest. Nothing was done. Send it again.",
    )


def body_too_large_problem(max_bytes: int) -> Problem:
    """The problem of a body that no address takes; of one of few bytes, that the method takes none."""
    if max_bytes < 1 << 20:
        return Problem(
            "too-large", f"The body has more than {max_bytes >> 10} KiB, and what is asked takes none."
        )
    return Problem("too-large", f"The body has more than {max_bytes >> 20} MiB. Send it in smaller parts.")


def too_many_connections_problem() -> Problem:
    """The problem of a request for which there is no room, or no time as the service is being stopped."""
    return Problem(
        "too-many-connections",
        "More is being asked at once than there is room for. Nothing was done. "
        f"Ask again in {REFUSAL_RETRY_SECONDS} s.",
        headers={"Retry-After": str(REFUSAL_RETRY_SECONDS)},
    )


def too_many_requests_problem() -> Problem:
    """The problem of a client who asks for more at the same moment than is his share."""
    return Problem(
        "too-many-requests",
        "So many of your requests are being answered that this one would take the place of others. "
        f"Go on in {REFUSAL_RETRY_SECONDS} s.",
        headers={"Retry-After": str(REFUSAL_RETRY_SECONDS)},
    )


def _build_response(status: HTTPStatus, body: bytes, headers: dict[str, Any]) -> bytes:
    more = "".join(f"{name}: {value}\r\n" for name, value in (*headers.items(), *SECURITY_HEADERS.items()))
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        f"Content-Type: {PROBLEM_CONTENT_TYPE}\r\nCache-Control: no-store\r\n"
        f"{more}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
