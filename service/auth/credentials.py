"""Credentials: what a request shows of its caller, and the cookie that a browser keeps of a login."""

from typing import Final, NamedTuple

from flask import Request, Response

from service.auth.access_register import SESSION_DAYS, AccessRegister
from service.auth.caller import Caller
from service.auth.tokens import SESSION_PREFIX, has_secret_format

BEARER_SCHEME: Final = "bearer"
SECURE_COOKIE_NAME: Final = "__Host-spadille"
"""Over https: a name that browsers take only from this very host, over https."""
_DAY_SECONDS: Final = 24 * 60 * 60


class Credentials(NamedTuple):
    """The secrets that a request shows: a token, or a session's."""

    token: str | None = None
    session_secret: str | None = None


def session_cookie_name(request: Request) -> str:
    """What the cookie is called.

    Over plain http, which is for this computer only, browsers refuse a cookie that is called ``__Host-``.
    There the port is in the name: cookies do not tell ports apart, and two services may run here.
    """
    if request.is_secure:
        return SECURE_COOKIE_NAME
    port = request.host.rpartition(":")[2]
    return f"spadille-{port if port.isdigit() else 80}"


def read_credentials(request: Request) -> Credentials:
    """Return what the request shows; a token goes before a session."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    # Another scheme is the affair of whatever stands before us, such as a proxy that asks for a password.
    if scheme.lower() == BEARER_SCHEME:
        return Credentials(token=token.strip())
    if "HTTP_COOKIE" not in request.environ:
        return Credentials()
    cookie = request.cookies.get(session_cookie_name(request))
    return Credentials(
        session_secret=cookie if cookie and has_secret_format(cookie, SESSION_PREFIX) else None
    )


def is_session_request(request: Request) -> bool:
    """Whether it is by a browser's session that the request is to be known."""
    return "HTTP_COOKIE" in request.environ and read_credentials(request).session_secret is not None


def identify_caller(register: AccessRegister, credentials: Credentials) -> Caller:
    """Return who shows that. Raises `UnknownToken` for a token that is not valid (any longer).

    A session that has ended is none: its browser goes on as everybody.
    """
    if credentials.token is not None:
        token_grants = register.find_token_grants(credentials.token)
        return Caller(token_grants.grants, token_grants.public, is_authenticated=True)
    if (
        credentials.session_secret is not None
        and (session_grants := register.find_session_grants(credentials.session_secret)) is not None
    ):
        return Caller(
            session_grants.grants,
            session_grants.public,
            is_authenticated=True,
            session=session_grants.session,
        )
    return Caller(public_grants=register.list_public_grants())


def set_session_cookie(response: Response, request: Request, secret: str) -> None:
    """Has the browser keep a session's secret, out of reach of any script."""
    response.set_cookie(
        session_cookie_name(request),
        secret,
        max_age=SESSION_DAYS * _DAY_SECONDS,
        path="/",
        secure=request.is_secure,
        httponly=True,
        # Lax and not Strict: a link in a letter to a deal is to find its reader logged in.
        samesite="Lax",
    )


def delete_session_cookie(response: Response, request: Request) -> None:
    """Has the browser forget its session."""
    response.delete_cookie(
        session_cookie_name(request), path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )
