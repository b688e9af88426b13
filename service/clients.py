"""Clients: by what a caller is counted, for his share of what is bounded."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

IPV6_NETWORK: Final = 64
"""So many bits of an IPv6 address name one household; the rest its owner may choose as he likes."""


def client_of(environ: Mapping[str, Any]) -> str:
    """The network address that a request counts for; empty for this computer itself, whose owner is asking.

    Where proxies are trusted, the address is the one that they tell, and this computer's own programs are
    those that come without a proxy.
    """
    try:
        address = ipaddress.ip_address(str(environ.get("REMOTE_ADDR", "")))
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return ""
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
