"""The register: grants, sessions and members, in one SQLite file, in memory or on PostgreSQL.

Every answer is up to date: a revocation by any process counts at once. Callers are cached until anything
changes.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from service.auth.caller import Caller
from service.auth.grants import (
    BrowserSession,
    Grant,
    GrantSet,
    GrantTerms,
    Member,
    MemberIdTaken,
    Scope,
    UnknownGrant,
    UnknownMember,
    UnknownSession,
    UnknownToken,
    is_member_id,
)
from service.auth.repository import AccessRepository, insert_row
from service.auth.sqlite_repository import SqliteRepository
from service.auth.timestamps import add_days
from service.auth.tokens import SESSION_PREFIX, TOKEN_PREFIX, generate_secret, has_secret_format, hash_secret
from service.eventstore.clock import utc_now
from service.eventstore.errors import StoreUnavailable
from service.eventstore.events import Clock
from service.eventstore.ids import new_id

SESSION_DAYS: Final = 30
"""A session ends after that many days, however much it is used."""
MAX_CACHED_LOOKUPS: Final = 1000
MAX_GRANTS_PER_SESSION: Final = 200
"""Of more grants in one session the oldest are dropped."""
_MEMBER_ID_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"

_SELECT_GRANTS: Final = """
    SELECT id, role, scope, scope_id, seat, person, label, expires_at, once, public, title,
           made_at, made_by, used_on, revoked_at, spent FROM grants"""
_SELECT_SESSIONS: Final = """
    SELECT s.id, s.made_at, s.expires_at, s.used_on, g.grant_id
    FROM sessions AS s LEFT JOIN session_grants AS g ON g.session_id = s.id"""
_IS_ACTIVE: Final = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
_WHERE_ACTIVE_OWNER: Final = f"WHERE role = 'owner' AND token_digest IS NOT NULL AND {_IS_ACTIVE}"
_WITH_DESCENDANTS: Final = """WITH RECURSIVE made (id) AS (
    SELECT id FROM grants WHERE id = ?
    UNION SELECT grants.id FROM grants JOIN made ON grants.made_by = made.id)"""
"""A grant and all that were made by it, directly or not."""


class CreatedGrant(NamedTuple):
    """A new grant, and its token, which is not stored. A public grant has none."""

    grant: Grant
    token: str | None


class CreatedSession(NamedTuple):
    """A new session, and the secret that its browser keeps."""

    session: BrowserSession
    secret: str


class AccessRegister:
    """The register in the file at ``storage``, in memory (None), or in any other repository.

    All methods may be called from any thread. Each raises `StoreUnavailable` or `StoreDamaged` if the disk,
    the file or the server fails, and `StoreClosed` after `close`.
    """

    def __init__(self, storage: Path | AccessRepository | None = None, clock: Clock = utc_now) -> None:
        self._clock = clock
        self.repository = (
            SqliteRepository(storage) if storage is None or isinstance(storage, Path) else storage
        )
        self._mutex = threading.Lock()
        self._cached_version: tuple[int, int] | None = None
        self._cached_time = ""
        self._cache: dict[bytes, tuple[Caller, str]] = {}

    # Grants

    def create_grant(self, terms: GrantTerms, made_by: str | None = None) -> CreatedGrant:
        """Create a grant, with a token unless it is public."""
        token = None if terms.public else generate_secret(TOKEN_PREFIX)
        row = {
            **terms._asdict(),
            "scope": terms.scope.kind,
            "scope_id": terms.scope.id,
            "id": new_id(),
            "token_digest": hash_secret(token) if token else None,
            "made_at": self._clock(),
            "made_by": made_by,
        }
        with self.repository.transaction() as execute:
            insert_row(execute, "grants", row)
        return CreatedGrant(self.find_grant(row["id"]), token)

    def list_grants(self) -> list[Grant]:
        """All grants, also revoked and expired ones, in the order of their creation."""
        return self._select_grants("ORDER BY rowid")

    def list_active_grants(self) -> list[Grant]:
        """The grants that are not revoked or expired."""
        return self._select_grants(f"WHERE {_IS_ACTIVE} ORDER BY rowid", self._clock())

    def find_grant(self, grant_id: str) -> Grant:
        """One grant. Raises `UnknownGrant`."""
        for found in self._select_grants("WHERE id = ?", grant_id):
            return found
        raise UnknownGrant(grant_id)

    def revoke_grant(self, grant_id: str) -> Grant:
        """Revoke a grant and all that were made by it: the thief of a token may have created others.

        Revoking one again is harmless. Raises `UnknownGrant`.
        """
        with self.repository.transaction() as execute:
            execute(
                f"""{_WITH_DESCENDANTS}
                   UPDATE grants SET revoked_at = ?
                   WHERE id IN (SELECT id FROM made) AND revoked_at IS NULL""",
                (grant_id, self._clock()),
            )
        return self.find_grant(grant_id)

    def is_last_owner(self, grant_id: str) -> bool:
        """Whether revoking the grant would leave no owner."""
        now = self._clock()
        owners = {grant.id for grant in self._select_grants(_WHERE_ACTIVE_OWNER, now)}
        revoked_ids = {
            grant.id
            for grant in self._select_grants(
                f"WHERE id IN ({_WITH_DESCENDANTS} SELECT id FROM made)", grant_id
            )
        }
        return bool(owners) and owners <= revoked_ids

    def delete_unused_grants(self, label: str) -> None:
        """Delete the one-time grants of that label that nobody has used."""
        with self.repository.transaction() as execute:
            execute("DELETE FROM grants WHERE label = ? AND once AND NOT spent", (label,))

    def data_version(self) -> tuple[int, int]:
        """Two numbers that differ after every change by any process."""
        return self.repository.data_version()

    def has_owner(self) -> bool:
        """Whether there is an owner with a token."""
        return bool(self._select_grants(f"{_WHERE_ACTIVE_OWNER} LIMIT 1", self._clock()))

    def list_public_grants(self) -> GrantSet:
        """The public grants, which everybody has."""
        return self._cached_lookup(b"", self._lookup_everybody).public_grants

    def _lookup_everybody(self) -> Caller:
        query = f"WHERE public AND {_IS_ACTIVE} ORDER BY rowid"
        return Caller(public_grants=GrantSet(self._select_grants(query, self._clock())))

    def find_token_caller(self, token: str) -> Caller:
        """The caller who shows a token. Raises `UnknownToken`, also for a one-time token."""
        caller = self._cached_lookup(hash_secret(token), lambda: self._lookup_token(token))
        (grant,) = caller.own_grants
        if grant.terms.once:
            raise UnknownToken
        self._record_use("grants", grant.id, grant.used_on)
        return caller

    def _cached_lookup(self, key: bytes, lookup: Callable[[], Caller]) -> Caller:
        """The result of ``lookup``, cached until the register changes or a grant in it ends."""
        # Read before the lookup, so that its result is never cached under a newer version.
        state = self.repository.data_version()
        with self._mutex:
            now = self._clock()
            # If the clock was set back, expired grants may be valid again.
            if (
                state != self._cached_version
                or now < self._cached_time
                or len(self._cache) > MAX_CACHED_LOOKUPS
            ):
                self._cache.clear()
                self._cached_version = state
            self._cached_time = now
            caller, expires_at = self._cache.get(key, (None, ""))
        if caller is None or expires_at <= now:
            caller = lookup()
            with self._mutex:
                if self._cached_version == state:
                    self._cache[key] = caller, caller.earliest_expiry
        return caller

    def _lookup_token(self, token: str) -> Caller:
        own_grants = GrantSet([self.find_grant_by_token(token)])
        return Caller(own_grants, self.list_public_grants(), is_authenticated=True)

    def find_grant_by_token(self, token: str) -> Grant:
        """The grant of a token that is valid, even once. Raises `UnknownToken`."""
        if not has_secret_format(token, TOKEN_PREFIX):
            raise UnknownToken
        query = f"WHERE token_digest = ? AND NOT spent AND {_IS_ACTIVE}"
        for found in self._select_grants(query, hash_secret(token), self._clock()):
            return found
        raise UnknownToken

    # Sessions

    def create_session(
        self, token: str, previous_secret: str | None = None, excluded_grant_ids: Collection[str] = ()
    ) -> CreatedSession:
        """Exchange a token for a session, which also gets the grants of the session ``previous_secret``.

        Except for ``excluded_grant_ids``. The previous session ends: a secret from before a login is
        worthless after it. Raises `UnknownToken`.
        """
        secret, session_id, now = generate_secret(SESSION_PREFIX), new_id(), self._clock()
        with self.repository.transaction() as execute:
            grant = self.find_grant_by_token(token)
            previous_session = self._find_session_by_secret(previous_secret) if previous_secret else None
            row = {
                "id": session_id,
                "secret_digest": hash_secret(secret),
                "made_at": now,
                "expires_at": add_days(now, SESSION_DAYS),
            }
            insert_row(execute, "sessions", row)
            held_grant_ids = previous_session.grants if previous_session else ()
            grant_ids = [*(one for one in held_grant_ids if one not in excluded_grant_ids), grant.id]
            for one in dict.fromkeys(grant_ids[-MAX_GRANTS_PER_SESSION:]):
                execute("INSERT INTO session_grants VALUES (?, ?)", (session_id, one))
            if previous_session:
                execute("DELETE FROM sessions WHERE id = ?", (previous_session.id,))
            if grant.terms.once:
                execute("UPDATE grants SET spent = TRUE WHERE id = ?", (grant.id,))
            self._record_use("grants", grant.id, grant.used_on)
            execute("DELETE FROM sessions WHERE expires_at <= ?", (now,))
        return CreatedSession(self.find_session(session_id), secret)

    def find_session_caller(self, secret: str) -> Caller | None:
        """The caller who shows a session's secret; None if the session, or the last of its grants, ended."""
        caller = self._cached_lookup(hash_secret(secret), lambda: self._lookup_session(secret))
        if caller.session is None or not caller.own_grants:
            return None
        self._record_use("sessions", caller.session.id, caller.session.used_on)
        return caller

    def _lookup_session(self, secret: str) -> Caller:
        session = self._find_session_by_secret(secret)
        if session is None:
            return Caller()
        query = (
            f"WHERE id IN (SELECT grant_id FROM session_grants WHERE session_id = ?) AND {_IS_ACTIVE} "
            f"ORDER BY rowid"
        )
        own_grants = GrantSet(self._select_grants(query, session.id, self._clock()))
        return Caller(own_grants, self.list_public_grants(), is_authenticated=True, session=session)

    def end_session_by_secret(self, secret: str) -> None:
        """End the session of that secret, if there is one."""
        session = self._find_session_by_secret(secret)
        if session is not None:
            self.end_session(session.id)

    def list_sessions(self) -> list[BrowserSession]:
        """The sessions that have not ended."""
        return self._select_sessions("expires_at > ?", self._clock())

    def find_session(self, session_id: str) -> BrowserSession:
        """One session. Raises `UnknownSession`."""
        for found in self._select_sessions("id = ?", session_id):
            return found
        raise UnknownSession(session_id)

    def end_session(self, session_id: str) -> None:
        """End a session: its browser is logged out. Raises `UnknownSession`."""
        with self.repository.transaction() as execute:
            self.find_session(session_id)
            execute("DELETE FROM sessions WHERE id = ?", (session_id,))

    def _find_session_by_secret(self, secret: str) -> BrowserSession | None:
        if not has_secret_format(secret, SESSION_PREFIX):
            return None
        found = self._select_sessions(
            "secret_digest = ? AND expires_at > ?", hash_secret(secret), self._clock()
        )
        return found[0] if found else None

    # Members

    def add_member(self, member: Member) -> Member:
        """Add a member, with a new id if ``member.id`` is empty. Raises `MemberIdTaken`."""
        added = member if member.id else member._replace(id=_new_member_id())
        with self.repository.transaction() as execute:
            for row in self.repository.select_rows("SELECT * FROM members WHERE id = ?", added.id):
                raise MemberIdTaken(Member._make(row))
            execute("INSERT INTO members VALUES (?, ?, ?, ?, ?, ?)", added)
        return added

    def update_member(self, member: Member) -> Member:
        """Change the data of a member. Raises `UnknownMember`."""
        with self.repository.transaction() as execute:
            self.find_member(member.id)
            execute(
                "UPDATE members SET name = ?, short = ?, joined = ?, note = ? WHERE id = ?",
                (member.name, member.short, member.joined, member.note, member.id),
            )
        return member

    def find_member(self, member_id: str) -> Member:
        """One member. Raises `UnknownMember`, also for an erased one."""
        for row in self.repository.select_rows(
            "SELECT * FROM members WHERE id = ? AND forgotten_at IS NULL", member_id
        ):
            return Member._make(row)
        raise UnknownMember(member_id)

    def list_members(self) -> list[Member]:
        """The members, sorted by name."""
        rows = self.repository.select_rows(
            "SELECT * FROM members WHERE forgotten_at IS NULL ORDER BY name, id"
        )
        return list(map(Member._make, rows))

    def find_members_by_id(self, names: Iterable[str]) -> dict[str, Member]:
        """The members whose ids are among ``names``, by id; also erased ones."""
        found = {}
        for name in sorted(set(names)):
            if is_member_id(name):
                for row in self.repository.select_rows("SELECT * FROM members WHERE id = ?", name):
                    found[name] = Member._make(row)
        return found

    def erase_member(self, member_id: str) -> Member:
        """Erase the data of a member, whose id stays and whose grants are revoked. Raises `UnknownMember`."""
        with self.repository.transaction(erases=True) as execute:
            self.find_member(member_id)
            now = self._clock()
            forgotten = Member(member_id, "", forgotten_at=now)
            execute(
                """UPDATE members SET name = '', short = '', joined = NULL, note = '', forgotten_at = ?
                   WHERE id = ?""",
                (now, member_id),
            )
            for grant in self._select_grants("WHERE person = ?", member_id):
                self.revoke_grant(grant.id)
            # The labels may name the person.
            execute("UPDATE grants SET label = '' WHERE person = ?", (member_id,))
        return forgotten

    def close(self) -> None:
        """Close the repository. Closing twice is harmless."""
        self.repository.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _select_grants(self, clauses: str, *values: Any) -> list[Grant]:
        return [
            _parse_grant(row) for row in self.repository.select_rows(f"{_SELECT_GRANTS} {clauses}", *values)
        ]

    def _select_sessions(self, condition: str, *values: Any) -> list[BrowserSession]:
        rows = self.repository.select_rows(
            f"{_SELECT_SESSIONS} WHERE {condition} ORDER BY s.made_at, s.id, g.grant_id", *values
        )
        return [
            BrowserSession._make((*row, tuple(one[-1] for one in session_rows if one[-1] is not None)))
            for row, session_rows in groupby(rows, lambda one: one[:-1])
        ]

    def _record_use(self, table: str, row_id: str, used_on: str | None) -> None:
        """Store the day of a use: at most once a day, so that reading rarely writes."""
        today = self._clock()[:10]
        if used_on == today:
            return
        # A full disk or a lock does not keep out callers who only read.
        with suppress(StoreUnavailable), self.repository.transaction(best_effort=True) as execute:
            execute(f"UPDATE {table} SET used_on = ? WHERE id = ?", (today, row_id))


def _parse_grant(row: tuple[Any, ...]) -> Grant:
    grant_id, role, kind, scope_id, seat, person, label, expires_at, once, public, title, *rest = row
    scope, flags = Scope(kind, scope_id), (bool(once), bool(public))
    made_at, made_by, used_on, revoked_at, spent = rest
    terms = GrantTerms(role, scope, seat, person, label, expires_at, *flags, title)
    return Grant(grant_id, terms, made_at, made_by, used_on, revoked_at, bool(spent))


def _new_member_id() -> str:
    return "m-" + "".join(secrets.choice(_MEMBER_ID_ALPHABET) for _ in range(16))
