"""The register: grants, sessions and members, in one SQLite file, in memory or on PostgreSQL.

Every question is answered as the tables are: what was revoked a moment ago, here, by the command line or by
another process, holds no longer. An answer is remembered only while nothing has changed.
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

from service.auth.file_keeping import InFile
from service.auth.grants import (
    Grant,
    Member,
    MemberIdTaken,
    Scope,
    Session,
    Terms,
    UnknownGrant,
    UnknownMember,
    UnknownSession,
    UnknownToken,
    is_member,
)
from service.auth.keeping import Keeping
from service.auth.moments import after_days
from service.auth.reach import Grants
from service.auth.tokens import SESSION, TOKEN, digest, is_secret, new_secret
from service.eventstore.clock import utc_now
from service.eventstore.errors import StoreUnavailable
from service.eventstore.ids import new_id
from service.eventstore.interface import Clock

SESSION_DAYS: Final = 30
"""A session ends after so many days, however much it is used."""
REMEMBERED: Final = 1000
"""So many answers are remembered, until anything changes."""
GRANTS_OF_A_SESSION: Final = 200
"""So many grants one session holds at most; the oldest make room."""
_MEMBER_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"

_GRANT: Final = """
    SELECT id, role, scope, scope_id, seat, person, label, expires_at, once, public, title,
           made_at, made_by, used_on, revoked_at, spent FROM grants"""
_SESSION: Final = """
    SELECT s.id, s.made_at, s.expires_at, s.used_on, g.grant_id
    FROM sessions AS s LEFT JOIN session_grants AS g ON g.session_id = s.id"""
_ACTIVE: Final = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
_OWNERS: Final = f"WHERE role = 'owner' AND token_digest IS NOT NULL AND {_ACTIVE}"
"""The grants by whose token somebody is an owner now."""
_MADE_BY: Final = """WITH RECURSIVE made (id) AS (
    SELECT id FROM grants WHERE id = ?
    UNION SELECT grants.id FROM grants JOIN made ON grants.made_by = made.id)"""
"""A grant, and the grants that were made by it."""


class Made(NamedTuple):
    """A grant that was made, and its token: told this once. A public grant has none."""

    grant: Grant
    token: str | None


class Entered(NamedTuple):
    """A session that was begun, with the secret that its browser keeps."""

    session: Session
    secret: str


NEVER: Final = "~"
"""Behind every moment."""


class Held(NamedTuple):
    """What somebody holds: grants, the session through which he has them, if it is one, and what is public.

    It is found together: to ask the register twice for each request costs twice.
    """

    grants: Grants
    session: Session | None = None
    public: Grants = Grants()

    @property
    def ends(self) -> str:
        """When the first of it ends; behind every moment where nothing does."""
        ends = (self.grants.ends, self.public.ends, self.session.expires_at if self.session else None)
        return min((end for end in ends if end), default=NEVER)


class Register:
    """The register in the file at ``kept``, which is made where there is none; None keeps it in memory.

    Or, where something else keeps its rows, that. All methods may be called from any thread. Each raises
    `StoreUnavailable` or `StoreDamaged` where the disk, the file or the server fails, `StoreClosed` after
    `close`.
    """

    def __init__(self, kept: Path | Keeping | None = None, clock: Clock = utc_now) -> None:
        self._clock = clock
        self.kept = InFile(kept) if kept is None or isinstance(kept, Path) else kept
        self._mutex = threading.Lock()
        self._looked_at: tuple[int, int] | None = None
        self._looked_on = ""
        self._found: dict[bytes, tuple[Held, str]] = {}

    # Grants

    def make(self, terms: Terms, made_by: str | None = None) -> Made:
        """Makes a grant, with a token of its own unless it is public."""
        token = None if terms.public else new_secret(TOKEN)
        row = (
            new_id(), digest(token) if token else None, terms.role, *terms.scope, terms.seat, terms.person,
            terms.label, terms.expires_at, terms.once, terms.public, terms.title, self._clock(),
            made_by,
        )  # fmt: skip
        with self.kept.changing() as execute:
            execute(
                """INSERT INTO grants (id, token_digest, role, scope, scope_id, seat, person, label,
                   expires_at, once, public, title, made_at, made_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                row,
            )
        return Made(self.grant(row[0]), token)

    def grants(self) -> list[Grant]:
        """All grants, also those that hold no longer, in the order they were made."""
        return self._grants("ORDER BY rowid")

    def active_grants(self) -> list[Grant]:
        """The grants that hold now."""
        return self._grants(f"WHERE {_ACTIVE} ORDER BY rowid", self._clock())

    def grant(self, grant_id: str) -> Grant:
        """One grant. Raises `UnknownGrant`."""
        for found in self._grants("WHERE id = ?", grant_id):
            return found
        raise UnknownGrant(grant_id)

    def revoke(self, grant_id: str) -> Grant:
        """Ends a grant, and what was made by it: whoever stole a token may have made himself another.

        To revoke one again is harmless. Raises `UnknownGrant`.
        """
        with self.kept.changing() as execute:
            execute(
                f"""{_MADE_BY}
                   UPDATE grants SET revoked_at = ?
                   WHERE id IN (SELECT id FROM made) AND revoked_at IS NULL""",
                (grant_id, self._clock()),
            )
        return self.grant(grant_id)

    def is_last_owner(self, grant_id: str) -> bool:
        """Whether no owner's token would be left if the grant were revoked, and there is one now."""
        now = self._clock()
        owners = {grant.id for grant in self._grants(_OWNERS, now)}
        gone = {grant.id for grant in self._grants(f"WHERE id IN ({_MADE_BY} SELECT id FROM made)", grant_id)}
        return bool(owners) and owners <= gone

    def withdraw_unused(self, label: str) -> None:
        """Takes back the grants of that label whose token holds once and has not been exchanged."""
        with self.kept.changing() as execute:
            execute("DELETE FROM grants WHERE label = ? AND once AND NOT spent", (label,))

    def state(self) -> tuple[int, int]:
        """Two numbers that are others after every change, whoever made it, here or in another program."""
        return self.kept.state()

    def has_owner(self) -> bool:
        """Whether somebody holds a token of an owner."""
        return bool(self._grants(f"{_OWNERS} LIMIT 1", self._clock()))

    def held_by_all(self) -> Grants:
        """What everybody holds: the public grants."""
        return self._remembered(b"", lambda: Held(Grants(), None, self._public())).public

    def _public(self) -> Grants:
        return Grants(self._grants(f"WHERE public AND {_ACTIVE} ORDER BY rowid", self._clock()))

    def held_with(self, token: str) -> Held:
        """What the holder of a token holds. Raises `UnknownToken`, also for one that holds once."""
        held = self._remembered(digest(token), lambda: self._with_token(token))
        (grant,) = held.grants
        if grant.terms.once:
            raise UnknownToken
        self._note_use("grants", grant.id, grant.used_on)
        return held

    def _remembered(self, key: bytes, look: Callable[[], Held]) -> Held:
        """What ``look`` found since the register last changed, if nothing of it has ended; else anew."""
        # Asked first: what is found after that is at least as new, and is kept under no newer state.
        state = self.kept.state()
        with self._mutex:
            now = self._clock()
            # A clock that was put back: what had ended then may hold now.
            if state != self._looked_at or now < self._looked_on or len(self._found) > REMEMBERED:
                self._found.clear()
                self._looked_at = state
            self._looked_on = now
            held, ends = self._found.get(key, (None, ""))
        if held is None or ends <= now:
            held = look()
            with self._mutex:
                if self._looked_at == state:
                    self._found[key] = held, held.ends
        return held

    def _with_token(self, token: str) -> Held:
        return Held(Grants([self._of_token(token)]), None, self.held_by_all())

    def _of_token(self, token: str) -> Grant:
        if not is_secret(token, TOKEN):
            raise UnknownToken
        query = f"WHERE token_digest = ? AND NOT spent AND {_ACTIVE}"
        for found in self._grants(query, digest(token), self._clock()):
            return found
        raise UnknownToken

    # Sessions

    def exchangeable(self, token: str) -> Grant:
        """The grant that a session would get for the token. Raises `UnknownToken`."""
        return self._of_token(token)

    def enter(self, token: str, before: str | None = None, without: Collection[str] = ()) -> Entered:
        """Exchanges a token for a session, which also gets the grants of the session ``before``.

        It does not get those whose ids are in ``without``. The session before ends: a secret that was there
        before a login is worth nothing after it. Raises `UnknownToken`.
        """
        secret, session_id, now = new_secret(SESSION), new_id(), self._clock()
        with self.kept.changing() as execute:
            grant = self._of_token(token)
            kept = self._session_of(before) if before else None
            expires_at = after_days(now, SESSION_DAYS)
            execute(
                "INSERT INTO sessions (id, secret_digest, made_at, expires_at) VALUES (?, ?, ?, ?)",
                (session_id, digest(secret), now, expires_at),
            )
            held = [*(one for one in (kept.grants if kept else ()) if one not in without), grant.id]
            for one in dict.fromkeys(held[-GRANTS_OF_A_SESSION:]):
                execute("INSERT INTO session_grants VALUES (?, ?)", (session_id, one))
            if kept:
                execute("DELETE FROM sessions WHERE id = ?", (kept.id,))
            if grant.terms.once:
                execute("UPDATE grants SET spent = TRUE WHERE id = ?", (grant.id,))
            self._note_use("grants", grant.id, grant.used_on)
            execute("DELETE FROM sessions WHERE expires_at <= ?", (now,))
        return Entered(self.session(session_id), secret)

    def held_in(self, secret: str) -> Held | None:
        """What the holder of a session's secret holds; None where there is no such session.

        One whose last grant has ended is at its end itself.
        """
        held = self._remembered(digest(secret), lambda: self._look_into(secret))
        if held.session is None or not held.grants:
            return None
        self._note_use("sessions", held.session.id, held.session.used_on)
        return held

    def _look_into(self, secret: str) -> Held:
        session = self._session_of(secret)
        if session is None:
            return Held(Grants())
        query = (
            f"WHERE id IN (SELECT grant_id FROM session_grants WHERE session_id = ?) AND {_ACTIVE} "
            f"ORDER BY rowid"
        )
        return Held(Grants(self._grants(query, session.id, self._clock())), session, self.held_by_all())

    def leave(self, secret: str) -> None:
        """Ends the session of that secret, if it is one."""
        session = self._session_of(secret)
        if session is not None:
            self.end_session(session.id)

    def sessions(self) -> list[Session]:
        """The sessions that go on."""
        return self._sessions("expires_at > ?", self._clock())

    def session(self, session_id: str) -> Session:
        """One session. Raises `UnknownSession`."""
        for found in self._sessions("id = ?", session_id):
            return found
        raise UnknownSession(session_id)

    def end_session(self, session_id: str) -> None:
        """Ends a session: its browser is logged out. Raises `UnknownSession`."""
        with self.kept.changing() as execute:
            self.session(session_id)
            execute("DELETE FROM sessions WHERE id = ?", (session_id,))

    def _session_of(self, secret: str) -> Session | None:
        if not is_secret(secret, SESSION):
            return None
        found = self._sessions("secret_digest = ? AND expires_at > ?", digest(secret), self._clock())
        return found[0] if found else None

    # Members

    def enrol(self, member: Member) -> Member:
        """Adds a member, who gets an id where ``member.id`` is empty. Raises `MemberIdTaken`."""
        added = member if member.id else member._replace(id=_new_member_id())
        with self.kept.changing() as execute:
            for row in self.kept.rows("SELECT * FROM members WHERE id = ?", added.id):
                raise MemberIdTaken(Member._make(row))
            execute("INSERT INTO members VALUES (?, ?, ?, ?, ?, ?)", added)
        return added

    def amend(self, member: Member) -> Member:
        """Changes what is known of a member. Raises `UnknownMember`."""
        with self.kept.changing() as execute:
            self.member(member.id)
            execute(
                "UPDATE members SET name = ?, short = ?, joined = ?, note = ? WHERE id = ?",
                (member.name, member.short, member.joined, member.note, member.id),
            )
        return member

    def member(self, member_id: str) -> Member:
        """A member. Raises `UnknownMember`, also for one who was forgotten."""
        for row in self.kept.rows("SELECT * FROM members WHERE id = ? AND forgotten_at IS NULL", member_id):
            return Member._make(row)
        raise UnknownMember(member_id)

    def members(self) -> list[Member]:
        """The members, by name."""
        rows = self.kept.rows("SELECT * FROM members WHERE forgotten_at IS NULL ORDER BY name, id")
        return list(map(Member._make, rows))

    def members_among(self, names: Iterable[str]) -> dict[str, Member]:
        """Of these names those that are members' ids, each with the member, also one who was forgotten."""
        found = {}
        for name in sorted(set(names)):
            if is_member(name):
                for row in self.kept.rows("SELECT * FROM members WHERE id = ?", name):
                    found[name] = Member._make(row)
        return found

    def forget(self, member_id: str) -> Member:
        """Erases all that is known of a member; his id stays, and his grants end.

        Raises `UnknownMember`.
        """
        with self.kept.changing() as execute:
            self.member(member_id)
            now = self._clock()
            forgotten = Member(member_id, "", forgotten_at=now)
            execute(
                """UPDATE members SET name = '', short = '', joined = NULL, note = '', forgotten_at = ?
                   WHERE id = ?""",
                (now, member_id),
            )
            for grant in self._grants("WHERE person = ?", member_id):
                self.revoke(grant.id)
            # What a grant was called may name him.
            execute("UPDATE grants SET label = '' WHERE person = ?", (member_id,))
            self.kept.to_be_cleaned()
        self.kept.clean()
        return forgotten

    # What keeps it

    def close(self) -> None:
        """Lets go of what keeps it. Closing twice is harmless."""
        self.kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _grants(self, rest: str, *values: Any) -> list[Grant]:
        return [_grant(row) for row in self.kept.rows(f"{_GRANT} {rest}", *values)]

    def _sessions(self, condition: str, *values: Any) -> list[Session]:
        rows = self.kept.rows(f"{_SESSION} WHERE {condition} ORDER BY s.made_at, s.id, g.grant_id", *values)
        return [
            Session._make((*row, tuple(one[-1] for one in of_it if one[-1] is not None)))
            for row, of_it in groupby(rows, lambda one: one[:-1])
        ]

    def _note_use(self, table: str, row_id: str, used_on: str | None) -> None:
        """Notes the day of a use: once a day, so that reading hardly ever writes."""
        today = self._clock()[:10]
        if used_on == today:
            return
        # Where the disk is full or somebody else has the lock, who only reads is let in all the same.
        with suppress(StoreUnavailable), self.kept.changing(lightly=True) as execute:
            execute(f"UPDATE {table} SET used_on = ? WHERE id = ?", (today, row_id))


def _grant(row: tuple[Any, ...]) -> Grant:
    grant_id, role, kind, scope_id, seat, person, label, expires_at, once, public, title, *rest = row
    scope, flags = Scope(kind, scope_id), (bool(once), bool(public))
    made_at, made_by, used_on, revoked_at, spent = rest
    terms = Terms(role, scope, seat, person, label, expires_at, *flags, title)
    return Grant(grant_id, terms, made_at, made_by, used_on, revoked_at, bool(spent))


def _new_member_id() -> str:
    return "m-" + "".join(secrets.choice(_MEMBER_LETTERS) for _ in range(16))
