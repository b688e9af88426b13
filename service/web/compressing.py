"""The contract and its page are large, and are sent compressed to whoever takes that.

Nothing else is: where an answer holds a secret beside what somebody else chose, its length would tell of it.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from typing import Final

from flask import Flask, Response, request

COMPRESSED: Final = frozenset({"api-docs.openapi_json", "web.api_reference"})
"""The endpoints whose answers hold nothing of any record, of no caller's and of no request."""
LEVEL: Final = 6
CODING: Final = "gzip"


def compress(app: Flask) -> None:
    """Has those answers compressed, each form with a tag of its own."""

    @app.after_request
    def compressed(made: Response) -> Response:
        if request.endpoint not in COMPRESSED or made.status_code != 200:
            return made
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


@lru_cache(maxsize=8)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
