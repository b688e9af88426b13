"""Compress the contract, the library's deals and the files of pages.

Nothing else: if an answer contains a secret and text that somebody else chose, its length reveals the secret.
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
from service.http.vary import vary_on

COMPRESSED_ENDPOINTS: Final = frozenset(
    {
        "show_contract",
        "replays.replay",
        "web.card_symbols",
        "web.script_texts",
        "web.service_worker",
        "web.static",
        "web.style_sheet",
    }
)
"""The endpoints whose answers contain nothing of records, callers or requests."""
OMITTED_FILE_HEADERS: Final = ("Accept-Ranges", "Content-Disposition", "Last-Modified")
"""Headers that are not needed for one of the forty files of a page; its tag shows changes."""
COMPRESSIBLE_TYPES: Final = frozenset(
    {JSON_TYPE, "text/html", "text/css", "text/javascript", "image/svg+xml"}
)
"""Fonts and pictures are compressed already."""
GZIP_LEVEL: Final = 6
LARGE_TEXT_BYTES: Final = 100_000
"""Larger texts are compressed less, because the best quality takes seconds."""


def _brotli(body: bytes) -> bytes:
    compressed: bytes = brotli.compress(
        body, mode=brotli.MODE_TEXT, quality=11 if len(body) < LARGE_TEXT_BYTES else 9
    )
    return compressed


CONTENT_CODINGS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": _brotli,
    "gzip": lambda body: gzip.compress(body, GZIP_LEVEL, mtime=0),
}
"""The content codings, the smaller first, by a seventh."""


def register_compression(app: Flask) -> None:
    """Compress these answers; each coding has its own tag."""

    @app.after_request
    def compress_response(response: Response) -> Response:
        if (
            response.status_code != 200
            or request.endpoint not in COMPRESSED_ENDPOINTS
            or response.mimetype not in COMPRESSIBLE_TYPES
        ):
            return response
        response.direct_passthrough = False  # a file is read into memory
        if request.endpoint == "web.static":
            for name in OMITTED_FILE_HEADERS:
                del response.headers[name]
        vary_on(response, "Accept-Encoding")
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
