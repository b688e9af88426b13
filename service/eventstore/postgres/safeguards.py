"""Checks that the keys, triggers and functions on PostgreSQL are those that the migrations create."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from psycopg import sql

from service.eventstore.postgres.connections import Connection
from service.eventstore.postgres.tables import EVENT_PARTITIONS, MIGRATION_STEPS, STORE_TABLES

EXPECTED_KEYS: Final = {
    "roots": ("PRIMARY KEY (root_key)", "UNIQUE (root)"),
    "streams": ("PRIMARY KEY (stream_key)", "UNIQUE (stream)"),
    "events": ("PRIMARY KEY (root_key, stream_key, version)", "UNIQUE (event_id, root_key)"),
    "log": ('PRIMARY KEY ("position")', "UNIQUE (stream_key, version)"),
    "eras": ("PRIMARY KEY (era)",),
    "subtrees": ("PRIMARY KEY (level, number)",),
    "erasures": ("PRIMARY KEY (stream_key, version)",),
    "secrets": ("PRIMARY KEY (one)",),
}
"""The unique keys of each table, as PostgreSQL describes them: they resolve concurrent writes."""

_FUNCTION: Final = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?\$\$(.*)\$\$", re.DOTALL)
_PARTS: Final = tuple(f"events_{part}" for part in range(EVENT_PARTITIONS))

_HERE: Final = "c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relname = ANY(%s)"
_KEYS: Final = f"""
    SELECT c.relname, pg_get_constraintdef(k.oid)
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
    WHERE {_HERE} AND k.contype IN ('p', 'u') AND k.convalidated""".encode()
_TRIGGERS: Final = f"""
    SELECT pg_get_triggerdef(t.oid, true) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE {_HERE} AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')""".encode()
_FUNCTIONS: Final = """
    SELECT proname, prosrc FROM pg_proc
    WHERE pronamespace = quote_ident(current_schema())::regnamespace AND proname = ANY(%s)"""
_OPEN: Final = """
    SELECT proname, pg_has_role(proowner, 'USAGE') FROM pg_proc
    WHERE pronamespace = quote_ident(current_schema())::regnamespace
        AND proname IN ('erase_contents', 'place_events')
        AND has_function_privilege('public', oid, 'EXECUTE')"""
_REWRITTEN: Final = f"""
    SELECT w.rulename FROM pg_rewrite AS w JOIN pg_class AS c ON c.oid = w.ev_class WHERE {_HERE}""".encode()


def find_safeguard_differences(connection: Connection) -> list[str]:
    """The names of keys, triggers and functions that differ from the migration steps, sorted. Read-only."""
    tables = [*STORE_TABLES, *_PARTS]
    functions = set(_expected_functions())
    differences = {f"{key} of {table}" for table, key in _expected_keys() ^ _select_keys(connection)}
    triggers = {str(text) for (text,) in connection.execute(_TRIGGERS, (tables,))}
    differences |= {_trigger_name(text) for text in set(_expected_triggers()) ^ triggers}
    found_functions = connection.execute(_FUNCTIONS, ([name for name, _ in functions],)).fetchall()
    differences |= {
        name for name, _ in functions ^ {(str(name), str(text)) for name, text in found_functions}
    }
    differences |= {str(name) for (name,) in connection.execute(_REWRITTEN, (tables,))}
    differences |= {f"{name}, open to everybody" for name, _ in connection.execute(_OPEN)}
    return sorted(differences)


def revoke_public_execute(connection: Connection) -> None:
    """Revoke the public right to execute functions that are for granted users only; does nothing without the
    right to do so.

    A restored dump lets everybody execute the functions if the roles of its grants are missing.
    """
    for name, is_ours in connection.execute(_OPEN).fetchall():
        if is_ours:
            connection.execute(
                sql.SQL("REVOKE EXECUTE ON FUNCTION {} FROM PUBLIC").format(sql.Identifier(name))
            )


def _expected_keys() -> set[tuple[str, str]]:
    return {(table, key) for table, keys in EXPECTED_KEYS.items() for key in keys}


def _select_keys(connection: Connection) -> set[tuple[str, str]]:
    return {(str(table), str(key)) for table, key in connection.execute(_KEYS, (list(STORE_TABLES),))}


def _statements() -> Iterator[str]:
    for statements in MIGRATION_STEPS.values():
        yield from statements


def _expected_functions() -> Iterator[tuple[str, str]]:
    """Name and text of each function; a later step may replace the text."""
    found = (_FUNCTION.search(statement) for statement in _statements())
    yield from {one[1]: one[2] for one in found if one}.items()


def _expected_triggers() -> Iterator[str]:
    """Each trigger as PostgreSQL describes it; row triggers of events exist on every partition too."""
    for statement in _statements():
        if statement.startswith("CREATE TRIGGER"):
            text = statement.replace("UPDATE OR DELETE", "DELETE OR UPDATE")
            yield text
            if " ON events FOR EACH ROW " in text:
                yield from (text.replace(" ON events ", f" ON {part} ") for part in _PARTS)


def _trigger_name(text: str) -> str:
    name, table = text.split()[2], text.partition(" ON ")[2].split()[0]
    return name if table in name else f"{name} of {table}"
