"""The first login: links that log the owner in, made when the service starts on his own computer."""

from pathlib import Path
from typing import Final
from urllib.parse import quote

from service.auth.grants import Terms
from service.auth.moments import after_days
from service.auth.register import SESSION_DAYS, Register
from service.config.data_files import REGISTER_NAME
from service.eventstore.clock import utc_now

"""The register's file, beside the store's."""
AT_THE_START: Final = "made at the start of the service"
"""What these links are called in lists; it tells them from what people made."""


def register_beside(store: Path) -> Path:
    """Where the register of that store is."""
    return store.with_name(REGISTER_NAME)


def owner_links(register: Register, address: str, pages: list[str]) -> list[str]:
    """Links to those pages of the service at ``address``, each of which logs its owner in, once.

    Such links of an earlier start that nobody used hold no longer.
    """
    register.withdraw_unused(AT_THE_START)
    terms = Terms("owner", label=AT_THE_START, expires_at=after_days(utc_now(), SESSION_DAYS), once=True)
    return [link(address, register.make(terms).token or "", page) for page in pages]


def link(address: str, token: str, page: str | None = None) -> str:
    """A link that logs a browser in. The token stands behind the ``#``: a browser sends that nowhere."""
    return f"{address.rstrip('/')}/enter#token={token}{f'&to={quote(page)}' if page else ''}"
