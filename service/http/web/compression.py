"""The contract, the library's deals and the files of pages: compressed for whoever takes that.

Nothing else is: where an answer holds a secret beside what somebody else chose, its length would tell of it.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Final

import brotli
from flask import Flask, Response, request

from service.http.api.request_bodies import JSON_TYPE

COMPRESSED_ENDPOINTS: Final = frozenset(
    {"show_contract", "replays.replay", "web.script_messages", "web.service_worker", "web.static"}
)
"""The endpoints whose answers hold nothing of any record, of no caller's and of no request."""
OMITTED_FILE_HEADERS: Final = ("Accept-Ranges", "Content-Disposition", "Last-Modified")
"""What nobody needs to know of a file that is one of forty of a page: its tag tells if it has changed."""
COMPRESSIBLE_TYPES: Final = frozenset(
    {JSON_TYPE, "text/html", "text/css", "text/javascript", "image/svg+xml"}
)
"""What becomes smaller; a font or a picture is compressed already."""
GZIP_LEVEL: Final = 6
LARGE_TEXT_BYTES: Final = 100_000
"""A text of more bytes is not worth the seconds that the last of them costs."""


def _brotli(body: bytes) -> bytes:
    compressed: bytes = brotli.compress(
        body, mode=brotli.MODE_TEXT, quality=11 if len(body) < LARGE_TEXT_BYTES else 9
    )
    return compressed


CONTENT_CODINGS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": _brotli,
    "gzip": lambda body: gzip.compress(body, GZIP_LEVEL, mtime=0),
}
"""How what is sent can be compressed, the smallest first: a seventh is between them."""


def register_compression(app: Flask) -> None:
    """Has those answers compressed, each form with a tag of its own."""

    @app.after_request
    def compress_response(response: Response) -> Response:
        if (
            request.endpoint not in COMPRESSED_ENDPOINTS
            or response.status_code != 200
            or response.mimetype not in COMPRESSIBLE_TYPES
        ):
            return response
        response.direct_passthrough = False  # a file is read, not handed on as it lies
        if request.endpoint == "web.static":
            for name in OMITTED_FILE_HEADERS:
                del response.headers[name]
        response.vary.add("Accept-Encoding")
        body = response.get_data()
        coding = next((coding for coding in CONTENT_CODINGS if request.accept_encodings[coding] > 0), "plain")
        if coding in CONTENT_CODINGS:
            response.set_data(_compress(coding, body))
            response.headers["Content-Encoding"] = coding
        response.set_etag(f"{sha256(body).hexdigest()[:16]}-{coding}")
        response.make_conditional(request.environ)
        return response


@lru_cache(maxsize=400)
def _compress(coding: str, body: bytes) -> bytes:
    return CONTENT_CODINGS[coding](body)
