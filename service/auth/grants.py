"""Grants: who may do what, and where; and the members of a club.

A *grant* is a role within a scope. It belongs to the holder of its token or, if public, to everybody.
A *session* is what a browser keeps after login; it has the grants of all tokens that the browser showed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, get_args

from service.eventstore import StreamInfo
from service.records.record_streams import DEAL_KIND, TABLE_KIND

Role = Literal["owner", "organiser", "recorder", "player", "viewer"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""The roles, from the most to the fewest permissions."""

Permission = Literal[
    "see_public", "see_all", "note", "write", "open_deals", "open_tables", "publish_rules", "grant",
    "members", "oversee",
]  # fmt: skip
"""What a role may do within its scope:

``see_public`` see what lay open on the table; ``see_all`` see everything that was recorded; ``note`` add
notes; ``write`` append any event and start deals at a table; ``open_deals`` record deals without a table;
``open_tables`` open tables; ``publish_rules`` publish the club's rulesets; ``grant`` create and revoke links;
``members`` manage the members; ``oversee`` see and end sessions, inspect the service.
"""

PERMISSIONS_BY_ROLE: Final[dict[Role, frozenset[Permission]]] = {
    "owner": frozenset(get_args(Permission)),
    "organiser": frozenset(get_args(Permission)) - {"oversee"},
    "recorder": frozenset({"see_public", "see_all", "note", "write", "open_deals"}),
    "player": frozenset({"see_public", "note"}),
    "viewer": frozenset({"see_public"}),
}
"""The permissions of each role. Players also see the cards of their own seats."""

CLUB_WIDE_PERMISSIONS: Final[frozenset[Permission]] = frozenset(
    {"open_deals", "open_tables", "publish_rules", "members", "oversee"}
)
"""Permissions that concern no single record: they need a grant for everything."""

ScopeKind = Literal["everything", "table", "deal"]


class Scope(NamedTuple):
    """Where a grant holds: everywhere, for a table and its deals, or for one deal."""

    kind: ScopeKind = "everything"
    id: str | None = None

    @property
    def page_path(self) -> str | None:
        """The page of the table or deal; None for everywhere."""
        return None if self.id is None else f"/{self.kind}s/{self.id}"


EVERYTHING_SCOPE: Final = Scope()


class GrantTerms(NamedTuple):
    """What a grant allows, and to whom.

    A player has either a ``seat`` or a ``person``, a player's name or a member's id. A ``once`` grant can
    only be exchanged for a session, a single time. ``expires_at`` is a timestamp, None for no end. A public
    deal with a ``title`` is in the library. The ``label`` is for those who manage grants.
    """

    role: Role
    scope: Scope = EVERYTHING_SCOPE
    seat: str | None = None
    person: str | None = None
    label: str = ""
    expires_at: str | None = None
    once: bool = False
    public: bool = False
    title: str | None = None

    def find_fault(self) -> str | None:
        """What contradicts itself, if anything does."""
        if (self.role == "player") != bool(self.seat or self.person) or (self.seat and self.person):
            return "a player needs either a seat or a person, and no other role takes one"
        if self.seat and self.scope.kind != "deal":
            return "a seat belongs to a deal; for a table name the person"
        if self.role == "owner" and self.scope != EVERYTHING_SCOPE:
            return "an owner owns everything, not one table or deal"
        if self.public and (self.role != "viewer" or self.once):
            return "a public grant is for viewers and is not for one use"
        if self.title is not None and not (self.public and self.scope.kind == "deal"):
            return "only a published deal has a title"
        return None


GRANT_JSON_FIELDS: Final = (
    "id", "role", "scope", "seat", "person", "label", "made_at", "made_by", "expires_at", "used_on", "once",
    "spent", "public", "title",
)  # fmt: skip
"""The fields of a grant in answers, except ``active``."""


class Grant(NamedTuple):
    """A stored grant. ``made_by`` is the grant that created it, None for the command line.

    ``used_on`` is the day of its last use; ``spent`` means that a one-time token was exchanged.
    """

    id: str
    terms: GrantTerms
    made_at: str
    made_by: str | None = None
    used_on: str | None = None
    revoked_at: str | None = None
    spent: bool = False

    def to_json_object(self, now: str) -> dict[str, Any]:
        """The grant as JSON; ``now`` decides whether it is active."""
        fields = {**self.terms._asdict(), **self._asdict(), "scope": self.terms.scope._asdict()}
        is_expired = self.terms.expires_at is not None and self.terms.expires_at <= now
        return {name: fields[name] for name in GRANT_JSON_FIELDS} | {
            "active": not is_expired and self.revoked_at is None
        }

    @property
    def permissions(self) -> frozenset[Permission]:
        """The permissions within its scope."""
        return PERMISSIONS_BY_ROLE[self.terms.role]


class GrantSet(tuple[Grant, ...]):
    """Grants in the order of their creation, indexed by scope: a club may publish thousands of deals."""

    def find_covering(self, stream: StreamInfo | None) -> list[Grant]:
        """The grants that reach a record or, for None, everything."""
        return [grant for _, grant in sorted(self._iterate_covering(stream), key=lambda pair: pair[0])]

    def have_permission(self, permission: Permission, stream: StreamInfo | None) -> bool:
        """Whether one of the grants that reach a record has a permission."""
        return permission in self._club_permissions or any(
            permission in grant.permissions for _, grant in self._iterate_covering(stream)
        )

    def _iterate_covering(self, stream: StreamInfo | None) -> Iterator[tuple[int, Grant]]:
        """The grants that reach a record, each after its number, those of the widest scope first."""
        for scope in _iterate_covering_scopes(stream) if self else ():
            yield from self._by_scope.get(scope, ())

    @cached_property
    def earliest_expiry(self) -> str | None:
        """When the first of them ends; None if none does."""
        return min((end for grant in self if (end := grant.terms.expires_at)), default=None)

    @cached_property
    def personal_grants(self) -> tuple[Grant, ...]:
        """The grants that may show more of a record than the public sees: a hand, or the holder's notes."""
        return tuple(one for one in self if one.terms.seat or one.terms.person or "note" in one.permissions)

    @cached_property
    def _club_permissions(self) -> frozenset[Permission]:
        """The permissions for every record."""
        return frozenset().union(*(one.permissions for one in self if one.terms.scope == EVERYTHING_SCOPE))

    @cached_property
    def _by_scope(self) -> dict[Scope, list[tuple[int, Grant]]]:
        found: dict[Scope, list[tuple[int, Grant]]] = {}
        for number, grant in enumerate(self):
            found.setdefault(grant.terms.scope, []).append((number, grant))
        return found


def _iterate_covering_scopes(stream: StreamInfo | None) -> Iterator[Scope]:
    """The scopes that reach a record; a table's also reaches its deals."""
    yield EVERYTHING_SCOPE
    if stream is not None:
        yield Scope(TABLE_KIND, stream.root)
        if stream.kind == DEAL_KIND:
            yield Scope(DEAL_KIND, stream.stream)


class BrowserSession(NamedTuple):
    """A browser that showed tokens, with the ids of their grants."""

    id: str
    made_at: str
    expires_at: str
    used_on: str | None
    grants: tuple[str, ...]


class Member(NamedTuple):
    """A member of the club. An erased one has only the id, which events refer to."""

    id: str
    name: str
    short: str = ""
    joined: str | None = None
    note: str = ""
    forgotten_at: str | None = None


def replace_member_ids(text: str, names_by_id: Mapping[str, str | None]) -> str:
    """Replace the ids of members in a text by their names; the ids of erased ones stay."""
    return _MEMBER_ID_REGEX.sub(lambda found: names_by_id.get(found[0]) or found[0], text)


def is_member_id(player_id: str) -> bool:
    """Whether a player is named by a member's id."""
    return _MEMBER_ID_REGEX.fullmatch(player_id) is not None


MEMBER_ID_PATTERN: Final = r"m-[a-z2-7]{16}"
_MEMBER_ID_REGEX: Final = re.compile(rf"\b{MEMBER_ID_PATTERN}\b")


class UnknownToken(Exception):
    """The token is not ours, expired, revoked or used up."""


class UnknownGrant(LookupError):
    """There is no such grant."""


class UnknownSession(LookupError):
    """There is no such session."""


class MemberIdTaken(Exception):
    """The id of a new member is that of another one, perhaps erased."""

    def __init__(self, member: Member) -> None:
        super().__init__(member.id)
        self.member = member


class UnknownMember(LookupError):
    """There is no such member, or the member was erased."""
