"""URLs of the service and its API."""

import uuid
from typing import Final
from urllib.parse import quote, urlsplit

OWN_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The hosts that mean this computer."""
API_PREFIX: Final = "/api/v1"
"""The beginning of each URL of the API."""


def deal_url(deal: str, base: str = API_PREFIX) -> str:
    """The URL of a deal below ``base``: of a recorded deal by its id, of a library deal by its name."""
    try:
        return f"{base}/deals/{uuid.UUID(deal)}"
    except ValueError:
        return f"{base}/replays/{quote(deal, safe='')}"


def shareable_base_url(host_url: str, host_names: frozenset[str]) -> str:
    """The address of the pages for a link that others open.

    It is ``host_url``, or has one of ``host_names`` if its host means this computer alone.
    """
    parts = urlsplit(host_url)
    if parts.hostname in {host.strip("[]") for host in OWN_HOSTS} and host_names:
        return f"{parts.scheme}://{min(host_names)}/"
    return host_url
