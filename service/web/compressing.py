"""The contract, its page and the files that pages are made of are sent compressed to whoever takes that.

Nothing else is: where an answer holds a secret beside what somebody else chose, its length would tell of it.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from typing import Final

from flask import Flask, Response, request

from service.api.bodies import JSON

COMPRESSED: Final = frozenset(
    {"api-docs.openapi_json", "web.api_reference", "web.service_worker", "web.static"}
)
"""The endpoints whose answers hold nothing of any record, of no caller's and of no request."""
TEXTS: Final = frozenset({JSON, "text/html", "text/css", "text/javascript", "image/svg+xml"})
"""What becomes smaller; a font or a picture is compressed already."""
LEVEL: Final = 6
CODING: Final = "gzip"


def compress(app: Flask) -> None:
    """Has those answers compressed, each form with a tag of its own."""

    @app.after_request
    def compressed(made: Response) -> Response:
        if request.endpoint not in COMPRESSED or made.status_code != 200 or made.mimetype not in TEXTS:
            return made
        made.direct_passthrough = False  # a file is read, not handed on as it lies
        made.vary.add("Accept-Encoding")
        body = made.get_data()
        tag = sha256(body).hexdigest()[:24]
        if request.accept_encodings[CODING] > 0:
            tag += f"-{CODING}"
            made.set_data(_packed(body))
            made.headers["Content-Encoding"] = CODING
        made.set_etag(tag)
        made.make_conditional(request.environ)
        return made


@lru_cache(maxsize=200)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
