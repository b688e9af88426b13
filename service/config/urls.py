"""Where the routes are."""

import uuid
from typing import Final
from urllib.parse import quote

API_PREFIX: Final = "/api/v1"
"""What the addresses of the API begin with."""


def deal_url(deal: str, base: str = API_PREFIX) -> str:
    """The address of a deal below ``base``: a recorded one by its id, one of the library by its name."""
    try:
        return f"{base}/deals/{uuid.UUID(deal)}"
    except ValueError:
        return f"{base}/replays/{quote(deal, safe='')}"
