"""Credentials: what a request shows of its caller, and the cookie that a browser keeps of a login."""

from typing import Final, NamedTuple

from flask import Request, Response

from service.auth.caller import Caller
from service.auth.register import SESSION_DAYS, Register
from service.auth.tokens import SESSION, is_secret

BEARER: Final = "bearer"
SECURE_COOKIE: Final = "__Host-spadille"
"""Over https: a name that browsers take only from this very host, over https."""
_DAY_SECONDS: Final = 24 * 60 * 60


class Shown(NamedTuple):
    """The secrets that a request shows: a token, or a session's."""

    token: str | None = None
    session: str | None = None


def cookie_name(request: Request) -> str:
    """What the cookie is called.

    Over plain http, which is for this computer only, browsers refuse a cookie that is called ``__Host-``.
    There the port is in the name: cookies do not tell ports apart, and two services may run here.
    """
    if request.is_secure:
        return SECURE_COOKIE
    port = request.host.rpartition(":")[2]
    return f"spadille-{port if port.isdigit() else 80}"


def shown_by(request: Request) -> Shown:
    """Return what the request shows; a token goes before a session."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    # Another scheme is the affair of whatever stands before us, such as a proxy that asks for a password.
    if scheme.lower() == BEARER:
        return Shown(token=given.strip())
    if "HTTP_COOKIE" not in request.environ:
        return Shown()
    cookie = request.cookies.get(cookie_name(request))
    return Shown(session=cookie if cookie and is_secret(cookie, SESSION) else None)


def shows_a_session(request: Request) -> bool:
    """Whether it is by a browser's session that the request is to be known."""
    return "HTTP_COOKIE" in request.environ and shown_by(request).session is not None


def caller_of(register: Register, shown: Shown) -> Caller:
    """Return who shows that. Raises `UnknownToken` for a token that is not valid (any longer).

    A session that has ended is none: its browser goes on as everybody.
    """
    if shown.token is not None:
        held = register.held_with(shown.token)
        return Caller(held.grants, held.public, known=True)
    if shown.session is not None and (kept := register.held_in(shown.session)) is not None:
        return Caller(kept.grants, kept.public, known=True, session=kept.session)
    return Caller(public=register.held_by_all())


def keep(answer: Response, request: Request, secret: str) -> None:
    """Has the browser keep a session's secret, out of reach of any script."""
    answer.set_cookie(
        cookie_name(request),
        secret,
        max_age=SESSION_DAYS * _DAY_SECONDS,
        path="/",
        secure=request.is_secure,
        httponly=True,
        # Lax and not Strict: a link in a letter to a deal is to find its reader logged in.
        samesite="Lax",
    )


def drop(answer: Response, request: Request) -> None:
    """Has the browser forget its session."""
    answer.delete_cookie(
        cookie_name(request), path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )
