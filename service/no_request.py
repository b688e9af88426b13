"""The answer to what is sent and is no request: written before any application, and repeating nothing of it.

Servers say what they could not read, and it may be a token that somebody put where none belongs.
"""

from http import HTTPStatus
from typing import Final

import orjson

CONTENT_TYPE: Final = "application/problem+json"
DETAIL: Final = "What was sent is no request that can be read here. Nothing was done."


def body_of(status: HTTPStatus) -> bytes:
    """What is told of it, in the shape of every problem."""
    said = {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": DETAIL}
    return orjson.dumps(said)


def answer_of(status: HTTPStatus) -> bytes:
    """The whole answer, as it goes over the line; the connection ends with it."""
    body = body_of(status)
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Cache-Control: no-store\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
