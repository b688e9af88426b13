"""Which keys sign: those of the file in the folder of the records, or of one that is named."""

from __future__ import annotations

from pathlib import Path

from service.eventstore.errors import StoreUnavailable
from service.eventstore.store_factory import MISSING_DRIVER_MESSAGE
from service.transparency.notary import Notary
from service.transparency.signing_keys import KEY_FILE_NAME


def open_notary(folder: Path, key_path: Path | None = None, store_address: str | None = None) -> Notary:
    """The notary whose newest checkpoint lies in ``folder``, and whose key there or in the file ``key_path``.

    With the ``store_address`` of a store on PostgreSQL its keys are those by which all nodes sign. Raises
    `KeyUnusable`, and `StoreUnavailable` where the database cannot be asked.
    """
    if store_address is None:
        return Notary.from_folder(folder, key_path)
    try:
        from service.transparency.shared_signing_keys import load_shared_signers
    except ImportError as error:
        raise StoreUnavailable(MISSING_DRIVER_MESSAGE) from error
    return Notary(load_shared_signers(key_path or folder / KEY_FILE_NAME, store_address), folder)
