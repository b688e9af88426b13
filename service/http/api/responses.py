"""Building answers: JSON, JSON Lines, CSV, the notation; caching and pages."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import chain, islice
from typing import Any
from unicodedata import normalize
from urllib.parse import quote, urlencode

import orjson
from flask import Response, request
from werkzeug.wsgi import ClosingIterator

from engine import Log
from schemas.notation import NOTATION_MEDIA_TYPE, format_notation_log, strip_metadata
from service.eventstore import StoredEvent
from service.http.api.cache_policies import NO_STORE, declared_cache_control
from service.http.api.etags import build_etag
from service.http.api.request_bodies import JSON_TYPE, JSONL_TYPE, JSONL_TYPES
from service.http.current_request import current_request


def json_response(
    body: Any,
    status: int = 200,
    *,
    etag: str | None = None,
    version: int | None = None,
    cache_control: str | None = None,
    next_url: str | None = None,
    location: str | None = None,
) -> Response:
    """Respond with ``body`` as JSON. ``next_url`` is the next page, ``location`` what was made.

    Without ``cache_control`` the operation's policy decides, as for a redacted answer. Without an ``etag`` a
    cacheable answer gets a tag made of its content, after the record's ``version`` if it is about one, and
    304 where the client has it.
    """
    if next_url is not None:
        body["next"] = next_url
    response = Response(orjson.dumps(body), status, content_type=JSON_TYPE)
    response.headers["Cache-Control"] = cache_control or declared_cache_control()
    if next_url is not None:
        response.headers["Link"] = format_next_link(next_url)
    if location is not None:
        response.headers["Location"] = location
    if etag is not None:
        response.set_etag(etag)
        return response
    return with_content_etag(response, version) if request.method in ("GET", "HEAD") else response


def with_content_etag(response: Response, version: int | None = None) -> Response:
    """The answer with a tag of its content; 304 where the client has it."""
    body = response.get_data()
    if version is not None:
        response.set_etag(build_etag(version, depends_on=(body,)))
    elif response.headers["Cache-Control"] != NO_STORE:
        response.set_etag(sha256(body).hexdigest()[:24])
    return make_conditional(response)


def not_modified_response(etag: str, cache_control: str) -> Response:
    """The answer to a client that has the content with that tag."""
    response = Response(status=304)
    response.headers["Cache-Control"] = cache_control
    response.set_etag(etag)
    return response


def kept_response(
    body: str | bytes | Iterable[bytes],
    content_type: str,
    *,
    etag: str | None = None,
    cache_control: str | None = None,
) -> Response:
    """An answer that may be kept as ``cache_control`` says, by default as the operation's policy says."""
    response = Response(body, content_type=content_type)
    response.headers["Cache-Control"] = cache_control or declared_cache_control()
    if etag is not None:
        response.set_etag(etag)
    return response


def csv_response(text: str, cache_control: str, file_name: str | None = None) -> Response:
    """Rows for a spreadsheet; with a ``file_name`` a browser stores them as that file."""
    response = kept_response(text, "text/csv; charset=utf-8", cache_control=cache_control)
    if file_name is not None:
        set_download_name(response, file_name)
    return with_content_etag(response)


def set_download_name(response: Response, file_name: str) -> None:
    """Mark an answer as a file to be saved, with its name also in ASCII (RFC 6266, 4.3)."""
    ascii_name = normalize("NFKD", file_name).encode("ascii", "ignore").decode().lstrip("-.")
    # Of a name in other letters only the extension may be left.
    ascii_name = ascii_name if "." in ascii_name else f"deal.{ascii_name}"
    extended_name = {} if ascii_name == file_name else {"filename*": f"UTF-8''{quote(file_name, safe='')}"}
    response.headers.set("Content-Disposition", "attachment", filename=ascii_name, **extended_name)


def stored_bodies_as_json(events: Iterable[StoredEvent]) -> list[orjson.Fragment]:
    """The bodies of stored events, for an answer to include unchanged."""
    return [orjson.Fragment(event.body) for event in events]


def prefetch_first_chunk(chunks: Iterable[bytes]) -> ClosingIterator:
    """The chunks of a long answer. The first is made now, so that its errors become problems."""
    chunk_iterator = iter(chunks)
    return ClosingIterator(
        chain(list(islice(chunk_iterator, 1)), chunk_iterator),
        [getattr(chunk_iterator, "close", lambda: None)],
    )


def jsonl_response(
    bodies: Iterable[bytes], etag: str | None = None, cache_control: str | None = None
) -> Response:
    """JSON Lines. The record is read whole before the answer begins: its end may be damaged."""
    lines = [body + b"\n" for body in bodies]
    return kept_response(lines, JSONL_TYPE, etag=etag, cache_control=cache_control)


def prefers_jsonl() -> bool:
    """Whether the client prefers JSON Lines to JSON."""
    return _quality(JSONL_TYPES) > _quality([JSON_TYPE])


def _quality(media_types: Iterable[str]) -> float:
    """How much the client wants the one of these types that it wants most."""
    return max(request.accept_mimetypes[media_type] for media_type in media_types)


def notation_response(
    log: Log, bookkeeping: str, etag: str | None = None, cache_control: str | None = None
) -> Response:
    """A log in the notation, with all its bookkeeping or only that which belongs to the deal."""
    text = format_notation_log(log if bookkeeping == "all" else strip_metadata(log))
    content_type = f"{NOTATION_MEDIA_TYPE}; charset=utf-8"
    return kept_response(text, content_type, etag=etag, cache_control=cache_control)


def prefers_notation() -> bool:
    """Whether the client prefers the notation to all other forms."""
    return _quality([NOTATION_MEDIA_TYPE]) > _quality((JSON_TYPE, *JSONL_TYPES))


def make_conditional(response: Response) -> Response:
    """The answer; 304 where the client has it and may keep it."""
    if response.headers["Cache-Control"] != NO_STORE:
        response.make_conditional(request.environ)
    return response


def honour_if_none_match_any(response: Response) -> Response:
    """The answer; 304 for `If-None-Match: *`."""
    if (
        current_request().environ.get("HTTP_IF_NONE_MATCH") == "*"
        and response.status_code == 200
        and "ETag" in response.headers
    ):
        return make_conditional(response)
    return response


def format_next_link(url: str) -> str:
    """The header `Link` to the next page."""
    return f'<{url}>; rel="next"'


def build_next_url(path: str, query: Mapping[str, Any]) -> str:
    """The address of the next page."""
    return f"{path}?{urlencode({name: value for name, value in query.items() if value is not None})}"
