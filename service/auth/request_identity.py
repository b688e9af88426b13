"""Who makes a request: the credentials it shows, the caller they stand for, and the cookie of a session."""

import math
from typing import Final, NamedTuple

from flask import Request, Response

from service.auth.access_register import SESSION_DAYS, AccessRegister
from service.auth.caller import NO_EXPIRY, Caller
from service.auth.grants import UnknownToken
from service.auth.timestamps import seconds_between
from service.auth.tokens import SESSION_PREFIX, has_secret_format
from service.eventstore.clock import utc_now

BEARER_SCHEME: Final = "bearer"
SECURE_COOKIE_NAME: Final = "__Host-spadille"
"""The prefix makes browsers accept the cookie only from this host, over https."""
_DAY_SECONDS: Final = 24 * 60 * 60


class Credentials(NamedTuple):
    """What a request shows: a token, or the secret of a session."""

    token: str | None = None
    session_secret: str | None = None


def session_cookie_name(request: Request) -> str:
    """The name of the session cookie.

    Over plain http (on this computer only) browsers refuse ``__Host-`` names. There the name has the port,
    as cookies are shared by all ports and two services may run here.
    """
    if request.is_secure:
        return SECURE_COOKIE_NAME
    port = request.host.rpartition(":")[2]
    return f"spadille-{port if port.isdigit() else 80}"


def read_credentials(request: Request) -> Credentials:
    """The credentials of a request; a token takes precedence over a session."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    # Another scheme is for a proxy before us that asks for a password.
    if scheme.lower() == BEARER_SCHEME:
        return Credentials(token=token.strip())
    if "HTTP_COOKIE" not in request.environ:
        return Credentials()
    cookie = request.cookies.get(session_cookie_name(request))
    return Credentials(
        session_secret=cookie if cookie and has_secret_format(cookie, SESSION_PREFIX) else None
    )


def is_session_request(request: Request) -> bool:
    """Whether the request is authenticated by a browser's session."""
    return "HTTP_COOKIE" in request.environ and read_credentials(request).session_secret is not None


def identify_caller(register: AccessRegister, credentials: Credentials) -> Caller:
    """The caller who shows these. Raises `UnknownToken` for a token that is not valid.

    A browser whose session has ended goes on without one, as everybody.
    """
    if credentials.token is not None:
        return register.find_token_caller(credentials.token)
    caller = register.find_session_caller(credentials.session_secret) if credentials.session_secret else None
    return caller or Caller(public_grants=register.list_public_grants())


class RequestIdentity:
    """The caller of a request, and whether the grants still hold while a long answer goes on.

    ``fixed_caller``, if given, is the caller whatever the request shows. Raises `UnknownToken`.
    """

    def __init__(
        self, register: AccessRegister, credentials: Credentials, fixed_caller: Caller | None = None
    ) -> None:
        self._register, self._credentials, self._fixed_caller = register, credentials, fixed_caller
        # Set by the first check: few answers go on for long enough to need one.
        self._checked_version: tuple[int, int] | None = None
        self.caller = fixed_caller or identify_caller(register, credentials)

    def is_still_valid(self) -> bool:
        """Whether the caller still has all grants. It costs little while the register does not change."""
        if self._fixed_caller is not None:
            return True
        if self.caller.earliest_expiry <= utc_now():
            return False
        state = self._register.data_version()
        if state == self._checked_version:
            return True
        try:
            now = identify_caller(self._register, self._credentials)
        except UnknownToken:
            return False
        self._checked_version = state
        current_grant_ids = {grant.id for grant in now.grants}
        return now.is_authenticated == self.caller.is_authenticated and current_grant_ids >= {
            grant.id for grant in self.caller.grants
        }

    def seconds_left(self) -> float:
        """Seconds until the first of the grants or the session ends; infinity if none does."""
        ends = self.caller.earliest_expiry
        if self._fixed_caller is not None or ends == NO_EXPIRY:
            return math.inf
        return seconds_between(utc_now(), ends)


def set_session_cookie(response: Response, request: Request, secret: str) -> None:
    """Store a session's secret in the browser, out of reach of scripts."""
    response.set_cookie(
        session_cookie_name(request),
        secret,
        max_age=SESSION_DAYS * _DAY_SECONDS,
        path="/",
        secure=request.is_secure,
        httponly=True,
        # Lax, not Strict: readers who follow a link in a mail should find themselves logged in.
        samesite="Lax",
    )


def delete_session_cookie(response: Response, request: Request) -> None:
    """Delete the session cookie."""
    response.delete_cookie(
        session_cookie_name(request), path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )
