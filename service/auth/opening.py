"""Which register it is: the file beside the store, or the tables beside it on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from service.auth.first_login import register_beside
from service.auth.register import Register
from service.auth.taking_over import take_over
from service.eventstore.errors import StoreUnavailable
from service.eventstore.opening import NO_DRIVER


def open_register(store: Path, address: str | None = None) -> Register:
    """The register of the store in the file ``store``, or of that at ``address`` on PostgreSQL.

    Raises `StoreUnavailable`, `StoreDamaged`, `NotAStore` and `StoreTooNew` where it cannot be used.
    """
    if address is None:
        return Register(register_beside(store))
    try:
        from service.auth.database_keeping import InDatabase
    except ImportError as error:
        raise StoreUnavailable(NO_DRIVER) from error
    return Register(InDatabase(address))


def holds_register(store: Path, address: str | None = None) -> bool:
    """Whether there is a register beside that store. On PostgreSQL there is one as soon as it is opened."""
    return address is not None or register_beside(store).is_file()


def notice_of_file(store: Path, address: str | None) -> str | None:
    """What the owner should know of a file beside the store that is the register no longer.

    Where nobody stands in the register on PostgreSQL yet, that takes over what the file holds. Raises as
    `open_register` does.
    """
    file = register_beside(store)
    if address is None or not file.is_file():
        return None
    with open_register(store, address) as register:
        taken = take_over(register.kept, file)
    done = "was taken over from it" if taken else "stands in it is not looked at"
    return (
        f"The register is on PostgreSQL, beside the store, and no longer in {file}: what {done}. "
        f"Put the file away when you are sure that you do not need it."
    )
