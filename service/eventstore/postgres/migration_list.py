"""Creates and upgrades tables on PostgreSQL by a list of steps, and recognises other programs' tables.

All pending steps are applied in one transaction, under a lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import psycopg
from psycopg import sql

from service.eventstore.errors import NotAStore, StoreTooNew, StoreUnavailable
from service.eventstore.postgres.connections import Connection, PostgresAddress, advisory_lock_key

_OWNER: Final = "Start the service on it once, as the owner of the tables"


class MigrationList(NamedTuple):
    """Tables that belong together: their name for people, and the table that lists the applied steps.

    ``steps`` are all published steps, by name and in order; a published step is never changed.
    """

    description: str
    steps_table: str
    tables: Sequence[str]
    steps: Mapping[str, Sequence[str]]


def are_current(connection: Connection, address: PostgresAddress, migrations: MigrationList) -> bool:
    """Whether the tables exist and are current; False if steps are pending. Read-only.

    Raises `NotAStore` if other tables have these names, `StoreTooNew`.
    """
    existing_tables = _list_existing_tables(connection, migrations)
    if migrations.steps_table not in existing_tables:
        if existing_tables:
            raise NotAStore(
                f"The database at {address} has tables of another program that clash with the "
                f"{migrations.description}'s ({', '.join(existing_tables)}). Choose another database or "
                "schema."
            )
        return False
    applied_steps = _list_applied_steps(connection, migrations)
    if unknown := [name for name in applied_steps if name not in migrations.steps]:
        raise StoreTooNew(str(address), unknown)
    return len(applied_steps) == len(migrations.steps)


def require_current(connection: Connection, address: PostgresAddress, migrations: MigrationList) -> None:
    """Raise `StoreUnavailable` if there are no tables yet, or older ones. Read-only."""
    if not are_current(connection, address, migrations):
        raise StoreUnavailable(
            f"The database at {address} has no {migrations.description} yet, or one of an older version of "
            f"Spadille. {_OWNER}: that brings it up to date."
        )


def apply_pending_steps(
    connection: Connection,
    address: PostgresAddress,
    schema: str,
    migrations: MigrationList,
    after_steps: Callable[[Connection], object],
) -> bool:
    """Apply the pending steps, and call ``after_steps`` with them; returns whether there were any.

    Raises `StoreUnavailable` if this user may not, `NotAStore`, `StoreTooNew`.
    """
    if are_current(connection, address, migrations):
        return False
    try:
        with connection.transaction():
            _apply_steps(connection, address, schema, migrations)
            after_steps(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreUnavailable(
            f"The database at {address} has no {migrations.description} yet, or one of an older version, "
            f"and this user may not create its tables. {_OWNER}."
        ) from error
    return True


def _list_existing_tables(connection: Connection, migrations: MigrationList) -> list[str]:
    """Which tables of these names exist, including those committed while waiting for a lock."""
    names = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace "
        "AND relname = ANY(%s) ORDER BY relname",
        ([migrations.steps_table, *migrations.tables],),
    )
    return [name for (name,) in names]


def _list_applied_steps(connection: Connection, migrations: MigrationList) -> list[str]:
    listed = sql.SQL("SELECT name FROM {} ORDER BY name").format(sql.Identifier(migrations.steps_table))
    return [name for (name,) in connection.execute(listed)]


def _apply_steps(
    connection: Connection, address: PostgresAddress, schema: str, migrations: MigrationList
) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (advisory_lock_key(schema, "steps"),))
    # Functions keep this search path: another user's table, or a temporary one, is never mistaken for ours.
    connection.execute(sql.SQL("SET LOCAL search_path = {}, pg_temp").format(sql.Identifier(schema)))
    are_current(connection, address, migrations)  # now that nobody else can change them
    name = sql.Identifier(migrations.steps_table)
    connection.execute(
        sql.SQL(
            "CREATE TABLE IF NOT EXISTS {} "
            "(name text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())"
        ).format(name)
    )
    applied_steps = _list_applied_steps(connection, migrations)
    for step, statements in migrations.steps.items():
        if step not in applied_steps:
            for statement in statements:
                connection.execute(statement.encode())
            connection.execute(sql.SQL("INSERT INTO {} (name) VALUES (%s)").format(name), (step,))
