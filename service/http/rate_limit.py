"""A rate limit for each client: token buckets in memory, by network address."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from flask import Flask, current_app, request

from service.http.current_request import current_request
from service.http.problems import Problem

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

IPV6_PREFIX_BITS: Final = 64
"""The bits of an IPv6 address that identify a household, which chooses the others."""
FORWARDED_ENVIRON_KEYS: Final = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED")
MAX_TRACKED_CLIENTS: Final = 10_000
"""The most clients remembered, the latest; a forgotten client starts with a full bucket."""
_KEY: Final = "spadille-buckets"


def is_local_request(environ: Mapping[str, Any]) -> bool:
    """Whether a program of this computer asks, and not a proxy for somebody else."""
    address = _remote_address(environ)
    return (
        address is not None
        and address.is_loopback
        and not any(name in environ for name in FORWARDED_ENVIRON_KEYS)
    )


def client_address(environ: Mapping[str, Any]) -> str:
    """The network address that a request counts for; empty for this computer, whose owner asks.

    Behind trusted proxies it is the address that they report.
    """
    address = _remote_address(environ)
    if address is None:
        return "unknown"
    if is_local_request(environ):
        return ""
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_PREFIX_BITS), strict=False))


def _remote_address(environ: Mapping[str, Any]) -> IpAddress | None:
    return _parse_address(str(environ.get("REMOTE_ADDR", "")))


@lru_cache(1000)
def _parse_address(text: str) -> IpAddress | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class TokenBuckets:
    """A bucket for each client, which holds ``burst`` tokens and gains ``rate`` tokens a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._mutex = threading.Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Take a token. Return 0.0, or the seconds until there is one."""
        now = self._clock()
        with self._mutex:
            level, last_seconds = self._levels.pop(client, (self._burst, now))
            level = min(self._burst, level + max(0.0, now - last_seconds) * self._rate)
            has_token = level >= 1
            self._levels[client] = (level - 1 if has_token else level, now)
            if len(self._levels) > MAX_TRACKED_CLIENTS:
                self._levels.popitem(last=False)
        return 0.0 if has_token else (1 - level) / self._rate

    def charge(self, client: str, tokens: float) -> None:
        """Take more tokens for an accepted request. A client may owe up to a whole bucket."""
        with self._mutex:
            if client in self._levels:
                level, last_seconds = self._levels[client]
                self._levels[client] = (max(-self._burst, level - tokens), last_seconds)

    def __len__(self) -> int:
        return len(self._levels)


def charge_client(request_count: float) -> None:
    """Count this request as ``request_count`` more requests of its client."""
    if client := client_address(request.environ):
        current_app.extensions[_KEY].charge(client, request_count)


def register_rate_limit(app: Flask, rate: float, burst: int) -> None:
    """Refuse clients that ask too often, except local programs."""
    buckets = app.extensions[_KEY] = TokenBuckets(rate, burst)

    @app.before_request
    def check_rate() -> None:
        client = client_address(current_request().environ)
        if client and (wait := buckets.take(client)):
            seconds = max(1, math.ceil(wait))
            raise Problem(
                "too-many-requests",
                f"Too many requests: the limit is {burst} together, then {rate:g} per second. Wait "
                f"{seconds} s.",
                headers={"Retry-After": str(seconds)},
            )
