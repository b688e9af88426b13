"""Where the service listens, and the addresses at which people reach it."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from service.config.program import program_command
from service.config.settings import LOOPBACK_HOST, Settings

WILDCARD_HOSTS: Final = ("0.0.0.0", "::")
LISTEN_BACKLOG: Final = 1024
"""Connections that may wait to be accepted: after a restart all live streams reconnect immediately."""
_PROBE_ADDRESSES: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Unassigned addresses. The source address for these is the one at which others reach this computer."""


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a service at this address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def list_own_addresses() -> list[str]:
    """The addresses at which others in the network reach this computer, IPv4 first.

    Sends nothing. Empty if the computer is not in a network.
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
    """The settings, with the computer's addresses among the host names that the service answers for.

    Nobody else can point an address at this computer. Behind a proxy requests use only the proxy's names,
    unless the service listens at one address.
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
    """End the process if others could reach the service but it would reject all their requests."""
    if not settings.names:
        sys.exit(
            f"{settings.host} is open to other computers, and the service answers only to the names it "
            f"knows. Set the name that they use, such as SPADILLE_NAMES=192.168.1.5:{settings.port}, or "
            "listen on one address, such as --host 192.168.1.5."
        )


def local_url(settings: Settings) -> str:
    """The address of the pages for a browser on this computer."""
    host = LOOPBACK_HOST if settings.host in WILDCARD_HOSTS else settings.host
    return f"http://{_format_host_port(host, settings.port)}"


def list_external_urls(settings: Settings) -> list[str]:
    """The addresses of the pages for others: the service's host names, behind a proxy with TLS."""
    if is_loopback(settings.host) and not settings.proxies:
        return []
    scheme = "https" if settings.proxies else "http"
    urls = (f"{scheme}://{name}" for name in sorted(settings.names))
    return [address for address in urls if address != local_url(settings)]


def is_unencrypted(settings: Settings) -> bool:
    """Whether others in the network can read the traffic."""
    return not is_loopback(settings.host) and not settings.proxies


def open_listener(port: int, host: str = LOOPBACK_HOST) -> socket.socket:
    """A socket that listens at ``host``. Ends the process if the port is not available."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        sys.exit(f"The address {host} is not available here: {error.strerror}. Name another with --host.")
    if sys.platform == "win32":
        # Otherwise another program could use the same port there.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if host == "::" and socket.has_dualstack_ipv6():
        # The wildcard means all addresses: some systems would leave out IPv4.
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        listener.bind(place)
        listener.listen(LISTEN_BACKLOG)
    except OSError as error:
        listener.close()
        sys.exit(_describe_port_error(port, error))
    return listener


def _describe_port_error(port: int, error: OSError) -> str:
    other_port = port + 1 if port < 65535 else 8240
    advice = f"choose another one, such as: {program_command()} serve --port {other_port}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use, perhaps by another Spadille. Stop the program that uses it, or {advice}"
        )
    return f"Port {port} cannot be used: {error.strerror}. Please {advice}"


def _format_host_port(host: str, port: int) -> str:
    return f"{f'[{host}]' if ':' in host else host}:{port}"
