"""A store on PostgreSQL is made, brought up to date, and told from what is none.

All steps that are due are done in one transaction, under a lock: of several processes that start together
one does them, and a step that fails leaves nothing behind.
"""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg import sql

from service.ids import new_secret
from service.store.errors import NotAStore, StoreTooNew, StoreUnavailable
from service.store.postgres_connections import Address, Connection, lock_key
from service.store.postgres_tables import LEDGER, STEPS, TABLES

_OF_THIS_CLUSTER: Final = "(SELECT system_identifier FROM pg_control_system())"
_SAME_ERA: Final = f"""
    SELECT system_identifier = {_OF_THIS_CLUSTER} FROM eras ORDER BY era DESC LIMIT 1"""
_NEW_ERA: Final = f"""
    INSERT INTO eras (era, system_identifier)
    SELECT coalesce(max(era), 0) + 1, {_OF_THIS_CLUSTER} FROM eras"""

# Where another numbering of transactions begins, the snapshot up to which events were placed says nothing any
# more: once, all events are looked at.
_PLACE_THE_REST: Final = """
    INSERT INTO log (position, root_key, stream_key, version, leaf, era)
    SELECT (SELECT coalesce(max(position), 0) FROM log) + row_number() OVER (ORDER BY e.era, e.tx, e.ordinal),
           e.root_key, e.stream_key, e.version, e.leaf, e.era
    FROM events AS e
    WHERE NOT EXISTS (SELECT FROM log AS l WHERE l.stream_key = e.stream_key AND l.version = e.version)
    ORDER BY e.era, e.tx, e.ordinal"""


def schema_of(connection: Connection, address: Address) -> str:
    """The schema in which the tables stand. Raises `StoreUnavailable` where there is none."""
    (schema,) = connection.execute("SELECT current_schema()").fetchone() or (None,)
    if schema is None:
        raise StoreUnavailable(
            f"The database at {address} has no schema that this user finds. Make one, or name one with "
            f"?options=-csearch_path%3Dname in the address."
        )
    return str(schema)


def sequencing_key(schema: str) -> int:
    """The lock that whoever gives events their positions holds."""
    return lock_key(schema, "positions")


def require_store(connection: Connection, address: Address) -> bool:
    """Whether the tables are there and of this version; False where steps are due. Reads only.

    Raises `NotAStore` where other tables bear these names, `StoreTooNew`.
    """
    done = _steps_done(connection)
    if done is None:
        if others := _of_our_names(connection):
            raise NotAStore(
                f"The database at {address} has tables of another program where the store's would be "
                f"({', '.join(others)}). Choose another database or schema."
            )
        return False
    if unknown := [name for name in done if name not in STEPS]:
        raise StoreTooNew(str(address), unknown)
    return len(done) == len(STEPS)


def require_current(connection: Connection, address: Address) -> None:
    """Raise `StoreUnavailable` where there is no store yet, or one of an older version. Reads only."""
    if not require_store(connection, address):
        raise StoreUnavailable(
            f"The database at {address} has no store yet, or one of an older version of Spadille. "
            f"Start the service on it once, as the owner of the tables: that brings it up to date."
        )


def bring_up_to_date(connection: Connection, address: Address, schema: str) -> None:
    """Do the steps that are due. Raises `StoreUnavailable` where this user may not, `NotAStore`,
    `StoreTooNew`."""
    if not require_store(connection, address):
        try:
            with connection.transaction():
                _do_steps(connection, address, schema)
        except psycopg.errors.InsufficientPrivilege as error:
            raise StoreUnavailable(
                f"The database at {address} has no store yet, or one of an older version, and this user may "
                f"not make its tables. Start the service on it once, as the owner of the tables."
            ) from error
    (same,) = connection.execute(_SAME_ERA.encode()).fetchone() or (False,)
    if not same:
        with connection.transaction():
            _begin_era(connection, schema)


def _steps_done(connection: Connection) -> list[str] | None:
    """The steps that were done; None where there is no list of them."""
    (there,) = connection.execute("SELECT to_regclass(%s)", (LEDGER,)).fetchone() or (None,)
    if there is None:
        return None
    return [name for (name,) in connection.execute("SELECT name FROM spadille_steps ORDER BY name")]


def _of_our_names(connection: Connection) -> list[str]:
    return [
        name
        for (name,) in connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
            "AND relname = ANY(%s) ORDER BY relname",
            (list(TABLES),),
        )
    ]


def _do_steps(connection: Connection, address: Address, schema: str) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (lock_key(schema, "steps"),))
    # Functions keep this path: no table of somebody's own, temporary ones least, is taken for one of ours.
    connection.execute(sql.SQL("SET LOCAL search_path = {}, pg_temp").format(sql.Identifier(schema)))
    require_store(connection, address)  # now that nobody else is at it
    connection.execute(
        "CREATE TABLE IF NOT EXISTS spadille_steps "
        "(name text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())"
    )
    done = _steps_done(connection) or []
    for name, statements in STEPS.items():
        if name not in done:
            for statement in statements:
                connection.execute(statement.encode())
            connection.execute("INSERT INTO spadille_steps (name) VALUES (%s)", (name,))
    connection.execute(
        "INSERT INTO secrets SELECT 1, %s WHERE NOT EXISTS (SELECT FROM secrets)", (new_secret(),)
    )


def _begin_era(connection: Connection, schema: str) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (sequencing_key(schema),))
    (same,) = connection.execute(_SAME_ERA.encode()).fetchone() or (False,)
    if not same:
        connection.execute(_PLACE_THE_REST.encode())
        connection.execute(_NEW_ERA.encode())
