"""One key for all nodes that serve a store on PostgreSQL: a node with another key does not start.

Each node has the private key in a file. The database has only the public key, stored by the first node. A key
is changed node by node, through a file with both keys: each node shares a key with the one before.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import psycopg

from service.eventstore.postgres.connections import (
    WAIT_TIMEOUT_SECONDS,
    PostgresAddress,
    advisory_lock_key,
    translate_error,
)
from service.eventstore.postgres.migrations import select_schema_name
from service.transparency.signed_notes import Signer
from service.transparency.signing_keys import KeyUnusable, load_or_create_signers


def load_shared_signers(path: Path, address: str) -> tuple[Signer, ...]:
    """The keys in the file ``path``, which the other nodes of the store at ``address`` have too.

    The first node creates the file with a new key. Raises `KeyUnusable` if other nodes have other keys,
    `StoreUnavailable` and the like if the database cannot be asked.
    """
    postgres_address = PostgresAddress(address)
    try:
        with psycopg.connect(
            address, connect_timeout=int(WAIT_TIMEOUT_SECONDS), **postgres_address.connect_options
        ) as connection:
            schema = select_schema_name(connection, postgres_address)
            connection.execute(
                "SELECT pg_advisory_xact_lock(%s)", (advisory_lock_key(schema, "signing keys"),)
            )
            if connection.execute("SELECT to_regclass('signing_keys')").fetchone() == (None,):
                # No service has started on it yet: the first one stores its keys.
                return load_or_create_signers(path)
            stored = {name for (name,) in connection.execute("SELECT verifier FROM signing_keys")}
            if stored and not path.exists():
                raise KeyUnusable(f"There is no signing key at {path}. {_explain_shared_key(stored)}")
            signers = load_or_create_signers(path)
            current = {str(signer.verifier) for signer in signers}
            if stored and not stored & current:
                raise KeyUnusable(
                    f"The signing key at {path} is not the one of this store. {_explain_shared_key(stored)}"
                )
            if stored != current:
                connection.execute("DELETE FROM signing_keys")
                connection.execute(
                    "INSERT INTO signing_keys (verifier) SELECT unnest(%s::text[])", (list(current),)
                )
            return signers
    except psycopg.Error as error:
        raise translate_error(error, postgres_address, "opened") from error


def _explain_shared_key(verifiers: Collection[str]) -> str:
    names = ", ".join(sorted({verifier.partition("+")[0] for verifier in verifiers}))
    return (
        f"The checkpoints of this store are signed by {names}. Copy the key file from another node, and "
        "name it with SPADILLE_KEY. If the file is lost, see docs/scaling.md."
    )
