"""URLs of the API."""

import uuid
from typing import Final
from urllib.parse import quote

API_PREFIX: Final = "/api/v1"
"""The beginning of each URL of the API."""


def deal_url(deal: str, base: str = API_PREFIX) -> str:
    """The URL of a deal below ``base``: of a recorded deal by its id, of a library deal by its name."""
    try:
        return f"{base}/deals/{uuid.UUID(deal)}"
    except ValueError:
        return f"{base}/replays/{quote(deal, safe='')}"
