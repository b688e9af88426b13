"""Where the doors are."""

from typing import Final

PREFIX: Final = "/api/v1"
"""What the addresses of the API begin with."""
