"""The address by which a client is counted for limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

IPV6_PREFIX_BITS: Final = 64
"""The bits of an IPv6 address that identify a household, which chooses the others."""


FORWARDED_ENVIRON_KEYS: Final = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED")


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
