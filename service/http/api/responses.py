"""Making answers: JSON as it is stored, versions, pages, and what may be kept by whom."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import chain, islice
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import quote, urlencode

import orjson
from flask import Response, request
from werkzeug.wsgi import ClosingIterator

from engine import Log
from schemas.notation import MEDIA_TYPE, without_marks, written_log
from service.eventstore import StoredEvent
from service.http.api.etags import tag_of
from service.http.api.request_bodies import JSON, JSON_LINES, LINES_TYPES

FRESH: Final = "private, no-cache"
"""May be kept by whoever asked, and has to be asked for again each time."""
NEVER_KEPT: Final = "no-store"
FOR_EVER: Final = "public, max-age=31536000, immutable"
FOR_A_WHILE: Final = "public, max-age=300"
"""May be kept where others are answered from it, for so many seconds: publishing may be taken back."""
FOR_EVER_BY_ITS_READER: Final = "private, max-age=31536000, immutable"
"""May be kept for good, but not where others are answered from it: not everybody may read it."""


def answer(
    body: Any,
    status: int = 200,
    *,
    tag: str | None = None,
    version: int | None = None,
    cache: str = FRESH,
    following: str | None = None,
) -> Response:
    """``body`` as JSON. ``following`` is the address of the next page.

    ``tag`` is told as ETag; where there is none and the answer may be kept, one that is made of what it says,
    behind the ``version`` of the record where it is about one: who has just that is answered with 304.
    """
    if following is not None:
        body["next"] = following
    made = Response(orjson.dumps(body), status, content_type=JSON)
    made.headers["Cache-Control"] = cache
    if following is not None:
        made.headers["Link"] = next_link(following)
    if tag is not None:
        made.set_etag(tag)
        return made
    return tagged(made, version) if request.method in ("GET", "HEAD") else made


def tagged(made: Response, version: int | None = None) -> Response:
    """The answer with a tag of what it says; 304 without a body where the client has that already."""
    said = made.get_data()
    if version is not None:
        made.set_etag(tag_of(version, depends=(said,)))
    elif made.headers["Cache-Control"] != NEVER_KEPT:
        made.set_etag(sha256(said).hexdigest()[:24])
    return conditional(made)


def not_modified(tag: str, cache: str = FRESH) -> Response:
    """The answer to a client that has just that."""
    made = Response(status=304)
    made.headers["Cache-Control"] = cache
    made.set_etag(tag)
    return made


def rows_answer(text: str, cache: str, name: str | None = None) -> Response:
    """Rows for a spreadsheet; with a ``name`` as a file that a browser puts on the disk under it."""
    made = Response(text, content_type="text/csv; charset=utf-8")
    made.headers["Cache-Control"] = cache
    if name is not None:
        saved_as(made, name)
    return tagged(made)


def saved_as(made: Response, name: str) -> None:
    """Says that an answer is a file to be saved, and what it is called (RFC 6266, 4.3).

    That is said in ASCII, and as it is where that says less.
    """
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lstrip("-.")
    # Of a name in other letters nothing may be left but what it ends with.
    plain = plain if "." in plain else f"deal.{plain}"
    exact = {} if plain == name else {"filename*": f"UTF-8''{quote(name, safe='')}"}
    made.headers.set("Content-Disposition", "attachment", filename=plain, **exact)


def as_stored(events: Iterable[StoredEvent]) -> list[orjson.Fragment]:
    """The bodies of stored events, to be put into an answer as they are."""
    return [orjson.Fragment(event.body) for event in events]


def begun(pieces: Iterable[bytes]) -> ClosingIterator:
    """The pieces of a long answer, the first of which is made at once.

    What is amiss there, such as a damaged store, is so a problem and not an answer that breaks off.
    """
    rest = iter(pieces)
    return ClosingIterator(chain(list(islice(rest, 1)), rest), [getattr(rest, "close", _nothing)])


def _nothing() -> None:
    """What cannot be closed holds nothing."""


def lines(bodies: Iterable[bytes], tag: str | None = None, cache: str = FRESH) -> Response:
    """JSON Lines. A record is read whole before its answer begins: it may be damaged at its end."""
    made = Response([body + b"\n" for body in bodies], content_type=JSON_LINES)
    made.headers["Cache-Control"] = cache
    if tag is not None:
        made.set_etag(tag)
    return made


def wants_lines() -> bool:
    """Whether the client would rather have JSON Lines than JSON."""
    accept = request.accept_mimetypes
    return max((accept[one] for one in LINES_TYPES), default=0) > accept[JSON]


def notation(log: Log, bookkeeping: str, tag: str | None = None, cache: str = FRESH) -> Response:
    """A log as text; of its bookkeeping only what belongs to the deal, if not ``all`` is asked for."""
    text = written_log(log if bookkeeping == "all" else without_marks(log))
    made = Response(text, content_type=f"{MEDIA_TYPE}; charset=utf-8")
    made.headers["Cache-Control"] = cache
    if tag is not None:
        made.set_etag(tag)
    return made


def wants_notation() -> bool:
    """Whether the client would rather have the notation than anything else."""
    accept = request.accept_mimetypes
    others = max((accept[one] for one in (JSON, *LINES_TYPES)), default=0)
    return accept[MEDIA_TYPE] > others


def varying(made: Response, *headers: str) -> Response:
    """The answer, said to depend on these headers of the request."""
    made.vary.update(headers)
    return made


def conditional(made: Response) -> Response:
    """The answer; 304 without a body where the client has this version already.

    What is never kept is sent again each time.
    """
    if made.headers["Cache-Control"] != NEVER_KEPT:
        made.make_conditional(request.environ)
    return made


def spared(made: Response) -> Response:
    """The answer; 304 for a client that wants it only where there is nothing (`If-None-Match: *`).

    Whether there is, is known when it was made. A tag that he names is looked at before.
    """
    if (
        request.environ.get("HTTP_IF_NONE_MATCH") == "*"
        and made.status_code == 200
        and "ETag" in made.headers
    ):
        return conditional(made)
    return made


def next_link(address: str) -> str:
    """The header `Link` that names the next page."""
    return f'<{address}>; rel="next"'


def next_address(path: str, query: Mapping[str, Any]) -> str:
    """The address of the next page."""
    return f"{path}?{urlencode({name: value for name, value in query.items() if value is not None})}"
