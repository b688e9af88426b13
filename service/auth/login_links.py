"""Links that log a browser in, also those that the service makes at its start, and the register's file.

The latter log the owner in, once, on the computer on which the service starts.
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
"""The label of these links in lists, which tells them from those that people made."""


def register_file_path(store_path: Path) -> Path:
    """The register's file, next to the store's."""
    return store_path.with_name(AUTH_FILE_NAME)


def create_owner_login_links(register: AccessRegister, base_url: str, page_paths: list[str]) -> list[str]:
    """Links to pages of the service at ``base_url`` that log its owner in once each.

    Unused links of earlier starts are deleted.
    """
    register.delete_unused_grants(STARTUP_LINK_LABEL)
    terms = GrantTerms(
        "owner", label=STARTUP_LINK_LABEL, expires_at=add_days(utc_now(), SESSION_DAYS), once=True
    )
    return [
        format_login_link(base_url, register.create_grant(terms).token or "", page) for page in page_paths
    ]


def format_login_link(base_url: str, token: str, page_path: str | None = None) -> str:
    """A link that logs a browser in. Browsers do not send what follows the ``#``."""
    return f"{base_url.rstrip('/')}/enter#token={token}{f'&to={quote(page_path)}' if page_path else ''}"
