"""Opening the register of a store: the file next to it, or the tables next to it on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from service.auth.access_register import AccessRegister
from service.auth.login_links import register_file_path
from service.auth.register_copy import copy_register_file_if_empty
from service.eventstore.store_factory import require_postgres_driver


def open_access_register(store_path: Path, address: str | None = None) -> AccessRegister:
    """The register of the store in the file ``store_path``, or at ``address`` on PostgreSQL.

    Raises `StoreUnavailable`, `StoreDamaged`, `NotAStore` or `StoreTooNew` if it cannot be used.
    """
    if address is None:
        return AccessRegister(register_file_path(store_path))
    with require_postgres_driver():
        from service.auth.postgres_repository import PostgresRepository
    return AccessRegister(PostgresRepository(address))


def has_register(store_path: Path, address: str | None = None) -> bool:
    """Whether the store has a register; on PostgreSQL opening it creates one."""
    return address is not None or register_file_path(store_path).is_file()


def import_leftover_register_file(store_path: Path, address: str | None) -> str | None:
    """Copy a register file into an empty register on PostgreSQL; a notice for the owner if there is a file.

    Raises as `open_access_register` does.
    """
    file = register_file_path(store_path)
    if address is None or not file.is_file():
        return None
    with open_access_register(store_path, address) as register:
        was_copied = copy_register_file_if_empty(register.repository, file)
    outcome = "its contents were copied to PostgreSQL" if was_copied else "its contents are ignored"
    return (
        f"The register is now on PostgreSQL with the store, no longer in {file}: {outcome}. Move the file "
        "away once you are sure that you do not need it."
    )
