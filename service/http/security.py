"""Security: which requests are accepted, and what browsers may do with the answers.

`service.auth` decides what a caller may see and do. Pages of other sites can also reach the service through
the browser of a logged-in user: by its address, or by a name of theirs that points to it (DNS rebinding). So
the host has to be ours, and changes have to come from our pages.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Request, Response

from schemas.notation import NOTATION_MEDIA_TYPE
from service.auth.request_identity import is_session_request
from service.config.redaction import mentions_token
from service.config.urls import OWN_HOSTS
from service.http.api.request_bodies import JSON_TYPE, JSONL_TYPE, is_supported_type
from service.http.current_request import current_request, request_globals
from service.http.problems import Problem
from service.http.service_context import queries
from service.http.vary import vary_on

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
ALLOWED_FETCH_SITES: Final = frozenset({"same-origin", "none"})
"""The values of `Sec-Fetch-Site` for our pages, and for the user of the browser."""

EXPECTED_SESSION_HEADER: Final = "Spadille-Session"
"""The header that names the only session, by id, under which a change may be made."""

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect", "manifest")),
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""The headers of every answer, except for parts of a page."""
EMBED_SUFFIX: Final = "/embed"
"""The end of the addresses of pages that other sites may embed. They have no controls."""
EMPTY_EMBED_KEY: Final = "spadille.tells_nothing"
"""The key in the environment of a request whose embedded page has nothing to show."""
EMBED_HEADERS: Final = {
    **{name: value for name, value in SECURITY_HEADERS.items() if not name.startswith("Cross-Origin-")},
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
}
"""The headers of embedded pages."""
API_REFERENCE_PATH: Final = "/api/docs"
"""The API reference. Its library brings its own styles and icons."""
API_REFERENCE_HEADERS: Final = {
    **SECURITY_HEADERS,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline'"
    ),
}
"""The headers of the API reference, which holds no records."""
HSTS_HEADER: Final = ("Strict-Transport-Security", "max-age=31536000")
"""The header of answers over TLS: for a year the browser asks this host by https only (RFC 6797)."""
ASSET_HEADERS: Final = {
    name: SECURITY_HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
}
"""The headers of parts of a page: the page's policy covers them, and a page loads forty of them."""
OMITTED_ASSET_HEADERS: Final = frozenset({"X-Request-Id"})
"""The headers that parts of a page go without."""
ASSET_SUFFIXES: Final = (".js", ".css", ".woff2")
"""The extensions of files that are never opened in a window by themselves."""
STATIC_PREFIX: Final = "/static/"
"""The path of the files of pages."""
ASSET_FOUND_STATUSES: Final = ("200", "206", "304")
"""The statuses of found files. Other answers are texts for people."""
CALLER_HEADERS: Final = ("Authorization", "Cookie")
"""The headers of a request that identify the caller."""


def register_security(app: Flask, port: int | None, host_names: frozenset[str] = frozenset()) -> None:
    """Check host and origin of every request, and add security headers to every answer.

    ``port`` is our port; None accepts any, as in tests. ``host_names`` are our other names, with their ports.
    """

    @app.before_request
    def check_request() -> None:
        http_request = current_request()
        environ = http_request.environ
        require_own_host(environ.get("HTTP_HOST", ""), port, host_names)
        require_no_secret_in_url(environ)
        if http_request.method not in SAFE_METHODS:
            require_same_origin(http_request)
            require_same_session(http_request)
            if http_request.routing_exception is None and (
                http_request.method != "DELETE" or _has_body(http_request)
            ):
                require_supported_content_type(http_request)
                require_no_content_encoding(http_request)

    app.wsgi_app = _add_security_headers(app.wsgi_app)  # type: ignore[assignment,method-assign]

    @app.after_request
    def add_vary_header(response: Response) -> Response:
        if "use_cases" in request_globals():
            # The answer may be another one for another caller.
            vary_on(response, *CALLER_HEADERS)
        return response


def _add_security_headers(app: WSGIApplication) -> WSGIApplication:
    """The application, with security headers on every answer. At this level they cost least."""
    page_headers, asset_headers, embed_headers, reference_headers = (
        list(mapping.items())
        for mapping in (SECURITY_HEADERS, ASSET_HEADERS, EMBED_HEADERS, API_REFERENCE_HEADERS)
    )

    def wrapped_app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        is_asset = path.startswith(STATIC_PREFIX) and path.endswith(ASSET_SUFFIXES)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            # Behind a proxy the scheme is known only now.
            if environ.get("wsgi.url_scheme") == "https":
                headers = [*headers, HSTS_HEADER]
            if is_asset and status[:3] in ASSET_FOUND_STATUSES:
                kept_headers = [header for header in headers if header[0] not in OMITTED_ASSET_HEADERS]
                return start_response(status, [*kept_headers, *asset_headers], *error)
            may_be_framed = path.endswith(EMBED_SUFFIX) and (
                status[:3] in ASSET_FOUND_STATUSES or EMPTY_EMBED_KEY in environ
            )
            if may_be_framed:
                return start_response(status, [*headers, *embed_headers], *error)
            extra = reference_headers if path == API_REFERENCE_PATH else page_headers
            return start_response(status, [*headers, *extra], *error)

        return app(environ, start)

    return wrapped_app


def _has_body(request: Request) -> bool:
    return bool(request.content_length) or "Transfer-Encoding" in request.headers


def require_no_secret_in_url(environ: WSGIEnvironment) -> None:
    """Raise the problem of a token in an address: addresses are kept in logs and histories."""
    if mentions_token(f"{environ.get('PATH_INFO', '')}?{environ.get('QUERY_STRING', '')}"):
        raise Problem(
            "secret-in-address",
            "A token is in the address, and addresses are written to logs. Send it in the header "
            "Authorization, and revoke this one.",
        )


def require_own_host(host: str, port: int | None, host_names: frozenset[str] = frozenset()) -> None:
    """Raise the problem of a request for another host."""
    if host.lower() in host_names:
        return
    name, colon, stated_port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not colon:
        name, stated_port = host, ""
    is_own_port = port is None or stated_port == str(port) or (not stated_port and port == 80)
    if name.lower() not in OWN_HOSTS or not is_own_port:
        own_host = "localhost" if port is None else f"localhost:{port}"
        raise Problem(
            "wrong-host", f"The request is for {host[:100] or 'no host'}. Ask for {own_host} instead."
        )


def require_same_origin(request: Request) -> None:
    """Raise the problem of a change that a page of another site asks for.

    Programs send neither header. Browsers send at least one, and so must requests with a session.
    """
    environ = request.environ
    site, origin = environ.get("HTTP_SEC_FETCH_SITE"), environ.get("HTTP_ORIGIN")
    if site is None and origin is None and is_session_request(request):
        raise _cross_site_problem("It has a browser's session, but does not say which site it comes from.")
    if site is not None and site not in ALLOWED_FETCH_SITES:
        raise _cross_site_problem(f"The browser says that the request comes from another site ({site[:40]}).")
    if origin is not None and not _is_same_origin(origin, environ.get("HTTP_HOST")):
        raise _cross_site_problem(f"The request comes from {origin[:100]}.")


def _is_same_origin(origin: str, host: str | None) -> bool:
    """Whether a page from that origin is ours: from the ``host`` and port of the request."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc == host


def _cross_site_problem(message: str) -> Problem:
    return Problem(
        "cross-site-request", f"{message} Only pages and programs of this computer may change records."
    )


def require_same_session(request: Request) -> None:
    """Raise the problem of a change that names another session than that of the request.

    The outbox of a browser may be sent after somebody else has logged in there.
    """
    expected_session = request.headers.get(EXPECTED_SESSION_HEADER)
    if expected_session is None:
        return
    session = queries().caller.session
    if session is None or session.id != expected_session:
        raise Problem(
            "other-session",
            "This was written under another login than the browser's current one. Nothing was stored.",
        )


def require_supported_content_type(request: Request) -> None:
    """Raise the problem of a body of an unknown type: forms of other sites can send such bodies."""
    if not is_supported_type(request.mimetype):
        raise Problem(
            "unsupported-media-type",
            f"The type of the body is {request.mimetype[:60] or 'missing'}. Send {JSON_TYPE}, {JSONL_TYPE} "
            f"or {NOTATION_MEDIA_TYPE}, and name it in Content-Type.",
            headers={"Accept-Post": f"{JSON_TYPE}, {JSONL_TYPE}, {NOTATION_MEDIA_TYPE}"},
        )


def require_no_content_encoding(request: Request) -> None:
    """Raise the problem of a compressed body: bodies are read as they are."""
    coding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in ("identity", ""):
        raise Problem(
            "unsupported-media-type",
            f"The body has the encoding {coding[:60]}, which the service does not decode. Send it without "
            "Content-Encoding.",
            headers={"Accept-Encoding": "identity"},
        )
