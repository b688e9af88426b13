"""Links that log a browser in: how one is written, and those that the service makes at its start.

The latter let the owner in, once, on the computer on which the service starts. Where the register of a store
lies is said here, too.
"""

from pathlib import Path
from typing import Final
from urllib.parse import quote

from service.auth.access_register import SESSION_DAYS, AccessRegister
from service.auth.grants import GrantTerms
from service.auth.timestamps import add_days
from service.config.data_files import AUTH_FILE_NAME
from service.eventstore.clock import utc_now

STARTUP_LINK_LABEL: Final = "made at the start of the service"
"""What these links are called in lists; it tells them from what people made."""


def register_file_path(store_path: Path) -> Path:
    """The register's file, beside the store's."""
    return store_path.with_name(AUTH_FILE_NAME)


def create_owner_login_links(register: AccessRegister, base_url: str, page_paths: list[str]) -> list[str]:
    """Links to those pages of the service at ``base_url``, each of which logs its owner in, once.

    Such links of an earlier start that nobody used hold no longer.
    """
    register.delete_unused_grants(STARTUP_LINK_LABEL)
    terms = GrantTerms(
        "owner", label=STARTUP_LINK_LABEL, expires_at=add_days(utc_now(), SESSION_DAYS), once=True
    )
    return [
        format_login_link(base_url, register.create_grant(terms).token or "", page) for page in page_paths
    ]


def format_login_link(base_url: str, token: str, page_path: str | None = None) -> str:
    """A link that logs a browser in. The token stands behind the ``#``: a browser sends that nowhere."""
    return f"{base_url.rstrip('/')}/enter#token={token}{f'&to={quote(page_path)}' if page_path else ''}"
