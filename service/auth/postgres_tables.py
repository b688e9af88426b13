"""The register's tables on PostgreSQL, next to those of the store, and the steps that create them.

They are those of the file (`service.auth.sqlite_repository`) and two more. ``register_changes`` has the
newest thousand changes: a random stamp shows other processes that something changed, and a process whose
connection broke whether its change was committed. ``signing_keys`` has the public keys of the nodes that sign
checkpoints.

A published step never changes: further steps change the tables.
"""

from __future__ import annotations

from typing import Final, LiteralString

REGISTER_STEPS_TABLE: Final = "spadille_register_steps"
REGISTER_TABLES: Final = (
    "grants",
    "sessions",
    "session_grants",
    "members",
    "register_changes",
    "signing_keys",
)

REGISTER_USER_GRANTS: Final[tuple[LiteralString, ...]] = (
    "GRANT SELECT, INSERT, UPDATE, DELETE ON grants, sessions TO {user}",
    "GRANT SELECT, INSERT, UPDATE ON members TO {user}",
    "GRANT SELECT, INSERT ON session_grants TO {user}",
    "GRANT SELECT, INSERT, DELETE ON register_changes, signing_keys TO {user}",
    "GRANT SELECT ON spadille_register_steps TO {user}",
)
"""What the service's user needs if it does not own the tables."""

_CREATE_GRANTS: Final = """
    CREATE TABLE grants (
        rowid bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        id text COLLATE "C" PRIMARY KEY,
        token_digest bytea UNIQUE CHECK (octet_length(token_digest) = 32),
        role text COLLATE "C" NOT NULL,
        scope text COLLATE "C" NOT NULL CHECK (scope IN ('everything', 'table', 'deal')),
        scope_id text COLLATE "C" CHECK ((scope = 'everything') = (scope_id IS NULL)),
        seat text COLLATE "C",
        person text COLLATE "C",
        label text COLLATE "C" NOT NULL,
        expires_at text COLLATE "C",
        once boolean NOT NULL,
        public boolean NOT NULL,
        title text COLLATE "C",
        made_at text COLLATE "C" NOT NULL,
        made_by text COLLATE "C" REFERENCES grants,
        used_on text COLLATE "C",
        revoked_at text COLLATE "C",
        spent boolean NOT NULL DEFAULT FALSE
    )"""

_CREATE_SESSIONS: Final = """
    CREATE TABLE sessions (
        id text COLLATE "C" PRIMARY KEY,
        secret_digest bytea NOT NULL UNIQUE CHECK (octet_length(secret_digest) = 32),
        made_at text COLLATE "C" NOT NULL,
        expires_at text COLLATE "C" NOT NULL,
        used_on text COLLATE "C"
    )"""

_CREATE_SESSION_GRANTS: Final = """
    CREATE TABLE session_grants (
        session_id text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
        grant_id text COLLATE "C" NOT NULL REFERENCES grants,
        PRIMARY KEY (session_id, grant_id)
    )"""

_CREATE_MEMBERS: Final = """
    CREATE TABLE members (
        id text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL,
        short text COLLATE "C" NOT NULL,
        joined text COLLATE "C",
        note text COLLATE "C" NOT NULL,
        forgotten_at text COLLATE "C"
    )"""

_CREATE_CHANGES: Final = """
    CREATE TABLE register_changes (
        number bigint PRIMARY KEY CHECK (number > 0),
        stamp bigint NOT NULL,
        made_at timestamptz NOT NULL DEFAULT now()
    )"""

_CREATE_SIGNING_KEYS: Final = """
    CREATE TABLE signing_keys (
        verifier text COLLATE "C" PRIMARY KEY
    )"""

REGISTER_MIGRATION_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "0001_grants_sessions_members": (
        _CREATE_GRANTS,
        "CREATE INDEX public_grants ON grants (rowid) WHERE public",
        _CREATE_SESSIONS,
        _CREATE_SESSION_GRANTS,
        _CREATE_MEMBERS,
        _CREATE_CHANGES,
        _CREATE_SIGNING_KEYS,
    )
}
"""All published steps, in order."""
