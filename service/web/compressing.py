"""The contract and its page, the library's deals and the files of pages: compressed for whoever takes that.

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
    {"api-docs.openapi_json", "replays.replay", "web.api_reference", "web.service_worker", "web.static"}
)
"""The endpoints whose answers hold nothing of any record, of no caller's and of no request."""
SPARED: Final = ("Accept-Ranges", "Content-Disposition", "Last-Modified")
"""What nobody needs to know of a file that is one of forty of a page: its tag tells if it has changed."""
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
        if request.endpoint == "web.static":
            for name in SPARED:
                del made.headers[name]
        made.vary.add("Accept-Encoding")
        body = made.get_data()
        form = CODING if request.accept_encodings[CODING] > 0 else "plain"
        if form == CODING:
            made.set_data(_packed(body))
            made.headers["Content-Encoding"] = CODING
        made.set_etag(f"{sha256(body).hexdigest()[:24]}-{form}")
        made.make_conditional(request.environ)
        return made


@lru_cache(maxsize=200)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
