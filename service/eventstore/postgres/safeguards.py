"""What guards the tables on PostgreSQL, held to what the steps make: keys, triggers, and their functions.

An owner can take a safeguard out and put it back. Where it is still out, or another stands in its place, that
shows here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
"""The unique keys of each table, as PostgreSQL tells them: they decide between two who write at once."""

Safeguard = tuple[str, ...]
"""Its name, and whatever tells it from another of that name."""

_FUNCTION: Final = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?\$\$(.*)\$\$", re.DOTALL)
_TRIGGER: Final = re.compile(
    r"CREATE TRIGGER (\w+) (BEFORE|AFTER) ([A-Z ]+) ON (\w+) (?:REFERENCING NEW TABLE AS \w+ )?"
    r"FOR EACH (ROW|STATEMENT) EXECUTE FUNCTION (\w+)\('?(\w*)'?\)"
)
# As PostgreSQL keeps them: bits of one number.
_ACTS: Final = {"INSERT": 4, "DELETE": 8, "UPDATE": 16, "TRUNCATE": 32}
_WHEN: Final = {"BEFORE": 2, "AFTER": 0}
_FOR_EACH_ROW: Final = 1
_PARTS: Final = tuple(f"events_{part}" for part in range(EVENT_PARTITIONS))

_HERE: Final = "c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relname = ANY(%s)"
_KEYS: Final = f"""
    SELECT c.relname, pg_get_constraintdef(k.oid)
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
    WHERE {_HERE} AND k.contype IN ('p', 'u') AND k.convalidated""".encode()
_TRIGGERS: Final = f"""
    SELECT t.tgname, c.relname, t.tgtype::integer, p.proname, encode(t.tgargs, 'escape'),
           t.tgenabled::text, t.tgqual IS NULL
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid
    WHERE {_HERE} AND NOT t.tgisinternal""".encode()
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
    """The names of keys, triggers and functions that are not as the steps make them, sorted. Reads only."""
    tables = [*STORE_TABLES, *_PARTS]
    functions = set(_expected_functions())
    differences = {f"{key} of {table}" for table, key in _expected_keys() ^ _select_keys(connection)}
    differences |= {
        _format_trigger(one) for one in set(_expected_triggers()) ^ _select_triggers(connection, tables)
    }
    found_functions = connection.execute(_FUNCTIONS, ([name for name, _ in functions],)).fetchall()
    differences |= {
        name for name, _ in functions ^ {(str(name), str(text)) for name, text in found_functions}
    }
    differences |= {str(name) for (name,) in connection.execute(_REWRITTEN, (tables,))}
    differences |= {f"{name}, open to everybody" for name, _ in connection.execute(_OPEN)}
    return sorted(differences)


def revoke_public_execute(connection: Connection) -> None:
    """Take from everybody what only they may do whom the owner lets in; nothing where that is not ours to do.

    A dump takes it back in one statement with what it grants. Where those roles are not there yet that fails
    as a whole, and PostgreSQL lets everybody call a function of which it is told nothing.
    """
    for name, is_ours in connection.execute(_OPEN).fetchall():
        if is_ours:
            connection.execute(
                sql.SQL("REVOKE EXECUTE ON FUNCTION {} FROM PUBLIC").format(sql.Identifier(name))
            )


def _expected_keys() -> set[Safeguard]:
    return {(table, key) for table, keys in EXPECTED_KEYS.items() for key in keys}


def _select_keys(connection: Connection) -> set[Safeguard]:
    return {(str(table), str(key)) for table, key in connection.execute(_KEYS, (list(STORE_TABLES),))}


def _statements() -> Iterator[str]:
    for statements in MIGRATION_STEPS.values():
        yield from statements


def _expected_functions() -> Iterator[tuple[str, str]]:
    """Name and text of each function; a later step may give one another text."""
    found = (_FUNCTION.search(statement) for statement in _statements())
    yield from {one[1]: one[2] for one in found if one}.items()


def _expected_triggers() -> Iterator[Safeguard]:
    """Each trigger with its table, when it is called and what it calls; those for rows on every partition."""
    for statement in _statements():
        if (found := _TRIGGER.search(statement)) is None:
            continue
        name, when, acts, table, level, function, argument = found.groups()
        kind = _WHEN[when] + sum(_ACTS[act] for act in acts.split(" OR ")) + _FOR_EACH_ROW * (level == "ROW")
        on_parts = _PARTS if table == "events" and level == "ROW" else ()
        for triggered_table in (table, *on_parts):
            yield name, triggered_table, str(kind), function, argument


def _select_triggers(connection: Connection, tables: list[str]) -> set[Safeguard]:
    """As `_expected_triggers`; one that is switched off, or called on a condition, is none of them."""
    rows: Iterable[tuple[str, str, int, str, str, str, bool]] = connection.execute(_TRIGGERS, (tables,))
    return {
        (name, table, str(kind), function, argument.removesuffix("\\000"))
        for name, table, kind, function, argument, enabled, always in rows
        if enabled in ("O", "A") and always
    }


def _format_trigger(trigger: Safeguard) -> str:
    name, table = trigger[:2]
    return name if table in name else f"{name} of {table}"
