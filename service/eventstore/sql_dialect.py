"""How the SQL of the databases differs in the statements that all stores share."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple, TypeAlias

Connection: TypeAlias = Any
"""A connection of ``sqlite3`` or of ``psycopg``: both take a query with named parameters."""


class SqlDialect(NamedTuple):
    """How a database's SQL differs."""

    parameter: str
    """What replaces a ``:name``, as ``re.sub`` takes it."""
    log: str
    """The table with a row for each position."""
    wanted: str
    """The table ``wanted (value)`` of the texts in the parameter ``roots``, a list in JSON."""

    def execute(self, connection: Connection, query: str, **values: object) -> Any:
        """Execute a query in the words of the database; returns its cursor."""
        statement = re.sub(r":(\w+)", self.parameter, query).format(log=self.log, wanted=self.wanted)
        return connection.execute(statement, values)


SQLITE_DIALECT: Final = SqlDialect(r":\1", "events", "json_each(:roots) AS wanted")
POSTGRES_DIALECT: Final = SqlDialect(
    r"%(\1)s", "log", "json_array_elements_text(%(roots)s::json) AS wanted (value)"
)
