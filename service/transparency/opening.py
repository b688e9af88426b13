"""Which keys sign: those of the file in the folder of the records, or of one that is named."""

from __future__ import annotations

from pathlib import Path

from service.eventstore.errors import StoreUnavailable
from service.eventstore.opening import NO_DRIVER
from service.transparency.keys import KEY_FILE
from service.transparency.notary import Notary


def open_notary(folder: Path, key: Path | None = None, address: str | None = None) -> Notary:
    """The notary whose newest checkpoint lies in ``folder``, and whose key there or in the file ``key``.

    With the ``address`` of a store on PostgreSQL its keys are those by which all nodes sign. Raises
    `KeyUnusable`, and `StoreUnavailable` where the database cannot be asked.
    """
    if address is None:
        return Notary.in_folder(folder, key)
    try:
        from service.transparency.agreement import agreed_keys
    except ImportError as error:
        raise StoreUnavailable(NO_DRIVER) from error
    return Notary(agreed_keys(key or folder / KEY_FILE, address), folder)
