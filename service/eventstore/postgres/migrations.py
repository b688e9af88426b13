"""Creates and upgrades a store on PostgreSQL, and recognises what is not a store."""

from __future__ import annotations

from typing import Final

from service.eventstore.errors import StoreUnavailable
from service.eventstore.ids import new_secret
from service.eventstore.postgres.connections import Connection, PostgresAddress, advisory_lock_key
from service.eventstore.postgres.migration_list import MigrationList, apply_pending_steps
from service.eventstore.postgres.projection_tables import PROJECTION_TABLES
from service.eventstore.postgres.safeguards import revoke_public_execute
from service.eventstore.postgres.tables import MIGRATION_STEPS, STEPS_TABLE, STORE_TABLES

STORE_MIGRATIONS: Final = MigrationList(
    "store", STEPS_TABLE, (*STORE_TABLES, *PROJECTION_TABLES), MIGRATION_STEPS
)

_OF_THIS_CLUSTER: Final = "(SELECT system_identifier FROM pg_control_system())"
_SAME_ERA: Final = f"""
    SELECT system_identifier = {_OF_THIS_CLUSTER} FROM eras ORDER BY era DESC LIMIT 1"""
_NEW_ERA: Final = f"""
    INSERT INTO eras (era, system_identifier)
    SELECT coalesce(max(era), 0) + 1, {_OF_THIS_CLUSTER} FROM eras"""

# In a new era the snapshot up to which events have positions is meaningless: once, all events are checked.
_PLACE_THE_REST: Final = """
    INSERT INTO log (position, root_key, stream_key, version, leaf, era)
    SELECT (SELECT coalesce(max(position), 0) FROM log) + row_number() OVER (ORDER BY e.era, e.tx, e.ordinal),
           e.root_key, e.stream_key, e.version, e.leaf, e.era
    FROM events AS e
    WHERE NOT EXISTS (SELECT FROM log AS l WHERE l.stream_key = e.stream_key AND l.version = e.version)
    ORDER BY e.era, e.tx, e.ordinal"""


def select_schema_name(connection: Connection, address: PostgresAddress) -> str:
    """The schema of the tables. Raises `StoreUnavailable` if there is none."""
    (schema,) = connection.execute("SELECT current_schema()").fetchone() or (None,)
    if schema is None:
        raise StoreUnavailable(
            f"The database at {address} has no schema that this user can use. Create one, or name one with "
            "?options=-csearch_path%3Dname in the address."
        )
    return str(schema)


def sequencer_lock_key(schema: str) -> int:
    """The key of the lock that is held while events receive positions."""
    return advisory_lock_key(schema, "positions")


def migrate_store(connection: Connection, address: PostgresAddress, schema: str) -> None:
    """Apply the pending steps. Raises `StoreUnavailable` if this user may not, `NotAStore`, `StoreTooNew`."""
    apply_pending_steps(connection, address, schema, STORE_MIGRATIONS, _insert_secret)
    revoke_public_execute(connection)
    (same,) = connection.execute(_SAME_ERA.encode()).fetchone() or (False,)
    if not same:
        with connection.transaction():
            _begin_era(connection, schema)


def _insert_secret(connection: Connection) -> None:
    connection.execute(
        "INSERT INTO secrets SELECT 1, %s WHERE NOT EXISTS (SELECT FROM secrets)", (new_secret(),)
    )


def _begin_era(connection: Connection, schema: str) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (sequencer_lock_key(schema),))
    (same,) = connection.execute(_SAME_ERA.encode()).fetchone() or (False,)
    if not same:
        connection.execute(_PLACE_THE_REST.encode())
        connection.execute(_NEW_ERA.encode())
