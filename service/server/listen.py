"""Where the service listens, and by which addresses people reach it there."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from service.config.settings import LOOPBACK_HOST, Settings

WILDCARD_HOSTS: Final = ("0.0.0.0", "::")
LISTEN_BACKLOG: Final = 1024
"""Connections that may wait to be accepted: all live streams come back at once after a restart."""
_PROBE_ADDRESSES: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that are nobody's. What this computer would call itself on the way there, others call it, too."""


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches what listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def list_own_addresses() -> list[str]:
    """The addresses by which others in its network reach this computer, the one of IPv4 first.

    Nothing is sent to find them. There is none where it is in no network.
    """
    found = []
    for family, probe_address in _PROBE_ADDRESSES:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((probe_address, 9))
            found.append(str(probe.getsockname()[0]))
    return [one for one in found if "%" not in one and not is_loopback(one) and one not in WILDCARD_HOSTS]


def add_own_host_names(
    settings: Settings, list_addresses: Callable[[], list[str]] = list_own_addresses
) -> Settings:
    """The settings with the addresses, at which others ask, as names that the service answers for.

    An address is no name that somebody else could point at us. Behind a proxy the service is asked for by
    the proxy's names only, unless it listens at one address.
    """
    host = settings.host
    if is_loopback(host):
        return settings
    if host not in WILDCARD_HOSTS:
        hosts = [host.lower()]
    else:
        hosts = [] if settings.proxies else list_addresses()
        if host == "0.0.0.0":
            hosts = [one for one in hosts if ":" not in one]
    return replace(settings, names=settings.names | {_format_host_port(one, settings.port) for one in hosts})


def require_host_names(settings: Settings) -> None:
    """Ends the process where others would reach the service and it would answer none of them."""
    if not settings.names:
        sys.exit(
            f"At {settings.host} others reach the service, and it answers only for names that it knows. Say "
            f"by which they ask for it, such as SPADILLE_NAMES=192.168.1.5:{settings.port}, or listen at one "
            "address, such as --host 192.168.1.5."
        )


def local_url(settings: Settings) -> str:
    """Where a browser of this computer finds the pages."""
    host = LOOPBACK_HOST if settings.host in WILDCARD_HOSTS else settings.host
    return f"http://{_format_host_port(host, settings.port)}"


def list_external_urls(settings: Settings) -> list[str]:
    """Where others find the pages: by the names that the service answers for, behind a proxy with TLS."""
    if is_loopback(settings.host) and not settings.proxies:
        return []
    scheme = "https" if settings.proxies else "http"
    urls = (f"{scheme}://{name}" for name in sorted(settings.names))
    return [address for address in urls if address != local_url(settings)]


def is_unencrypted(settings: Settings) -> bool:
    """Whether others in the network can read what is sent."""
    return not is_loopback(settings.host) and not settings.proxies


def open_listener(port: int, host: str = LOOPBACK_HOST) -> socket.socket:
    """A socket that listens at ``host``. Ends the process where the port cannot be had."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        sys.exit(f"There is no address {host} to listen at: {error.strerror}. Name another with --host.")
    if sys.platform == "win32":
        # There another program could have the same port otherwise.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if host == "::" and socket.has_dualstack_ipv6():
        # Everywhere is everywhere: some systems would leave the addresses of IPv4 out.
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        listener.bind(place)
        listener.listen(LISTEN_BACKLOG)
    except OSError as error:
        listener.close()
        sys.exit(_describe_port_error(port, error))
    return listener


def _describe_port_error(port: int, error: OSError) -> str:
    advice = f"choose another one, such as: spadille serve --port {port + 1 if port < 65535 else 8240}"
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken, perhaps by another Spadille. Stop what listens there, or {advice}"
    return f"Port {port} cannot be used: {error.strerror}. Please {advice}"


def _format_host_port(host: str, port: int) -> str:
    return f"{f'[{host}]' if ':' in host else host}:{port}"
