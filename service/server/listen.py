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

from service.config.settings import LOOPBACK, Settings

EVERYWHERE: Final = ("0.0.0.0", "::")
BACKLOG: Final = 1024
"""So many connections wait to be accepted: all who follow come back at once after a new start."""
_ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that are nobody's. What this computer would call itself on the way there, others call it, too."""


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches what listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def own_addresses() -> list[str]:
    """The addresses by which others in its network reach this computer, the one of IPv4 first.

    Nothing is sent to find them. There is none where it is in no network.
    """
    found = []
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return [one for one in found if "%" not in one and not is_loopback(one) and one not in EVERYWHERE]


def with_own_names(settings: Settings, own: Callable[[], list[str]] = own_addresses) -> Settings:
    """The settings with the addresses, at which others ask, as names that the service answers for.

    An address is no name that somebody else could point at us. Behind a proxy the service is asked for by
    the proxy's names only, unless it listens at one address.
    """
    host = settings.host
    if is_loopback(host):
        return settings
    if host not in EVERYWHERE:
        hosts = [host.lower()]
    else:
        hosts = [] if settings.proxies else own()
        if host == "0.0.0.0":
            hosts = [one for one in hosts if ":" not in one]
    return replace(settings, names=settings.names | {_with_port(one, settings.port) for one in hosts})


def require_names(settings: Settings) -> None:
    """Ends the process where others would reach the service and it would answer none of them."""
    if not settings.names:
        sys.exit(
            f"At {settings.host} others reach the service, and it answers only for names that it knows. Say "
            f"by which they ask for it, such as SPADILLE_NAMES=192.168.1.5:{settings.port}, or listen at one "
            "address, such as --host 192.168.1.5."
        )


def address_of(settings: Settings) -> str:
    """Where a browser of this computer finds the pages."""
    host = LOOPBACK if settings.host in EVERYWHERE else settings.host
    return f"http://{_with_port(host, settings.port)}"


def addresses_elsewhere(settings: Settings) -> list[str]:
    """Where others find the pages: by the names that the service answers for, behind a proxy with TLS."""
    if is_loopback(settings.host) and not settings.proxies:
        return []
    scheme = "https" if settings.proxies else "http"
    told = (f"{scheme}://{name}" for name in sorted(settings.names))
    return [address for address in told if address != address_of(settings)]


def is_open_to_readers(settings: Settings) -> bool:
    """Whether what is sent goes through a network as it is, for whoever is there to read."""
    return not is_loopback(settings.host) and not settings.proxies


def listen(port: int, host: str = LOOPBACK) -> socket.socket:
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
    # What is accepted inherits it: an answer's head and body are two writes, and the second would wait for
    # the client's delayed acknowledgement of the first, 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind(place)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        sys.exit(_no_port(port, error))
    return listener


def _no_port(port: int, error: OSError) -> str:
    other = f"choose another one, such as: spadille serve --port {port + 1 if port < 65535 else 8240}"
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken, perhaps by another Spadille. Stop what listens there, or {other}"
    return f"Port {port} cannot be used: {error.strerror}. Please {other}"


def _with_port(host: str, port: int) -> str:
    return f"{f'[{host}]' if ':' in host else host}:{port}"
