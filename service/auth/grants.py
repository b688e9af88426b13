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
"""The roles, from the one who may most to the one who may least."""

Permission = Literal[
    "see_public", "see_all", "note", "write", "open_deals", "open_tables", "publish_rules", "grant",
    "members", "oversee",
]  # fmt: skip
"""What a role may do within its scope:

``see_public`` what lay open on the table; ``see_all`` everything that was entered; ``note`` add remarks;
``write`` append any event and start deals at a table; ``open_deals`` record deals alone and
``open_tables`` open tables (scope: everything); ``publish_rules`` publish rulesets of the club's own
(scope: everything); ``grant`` hand out links and revoke them; ``members``
keep the list of the club; ``oversee`` see and end sessions, look at the service itself.
"""

PERMISSIONS_BY_ROLE: Final[dict[Role, frozenset[Permission]]] = {
    "owner": frozenset(get_args(Permission)),
    "organiser": frozenset(get_args(Permission)) - {"oversee"},
    "recorder": frozenset({"see_public", "see_all", "note", "write", "open_deals"}),
    "player": frozenset({"see_public", "note"}),
    "viewer": frozenset({"see_public"}),
}
"""What each role may do. A player sees, beside what lay open, what his seat knew."""

CLUB_WIDE_PERMISSIONS: Final[frozenset[Permission]] = frozenset(
    {"open_deals", "open_tables", "publish_rules", "members", "oversee"}
)
"""What concerns no one record: it takes a grant over everything."""


ScopeKind = Literal["everything", "table", "deal"]


class Scope(NamedTuple):
    """Where a grant holds: everywhere (``kind`` "everything"), at a table and its deals, or in one deal."""

    kind: ScopeKind = "everything"
    id: str | None = None

    @property
    def page_path(self) -> str | None:
        """The page of the table or deal; None where it holds everywhere."""
        return None if self.id is None else f"/{self.kind}s/{self.id}"


EVERYTHING_SCOPE: Final = Scope()


class GrantTerms(NamedTuple):
    """What a grant says.

    ``seat`` is a seat's name and ``person`` a player's name or a member's id: a player has one of them. A
    grant that holds ``once`` can be exchanged for a session a single time, and is good for nothing else.
    ``expires_at`` is a moment as the store writes it, or None for no end. A deal that is public and has a
    ``title`` stands under it in the library; the ``label`` is for whoever manages the grants.
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
        """What in it does not go together, if something does not."""
        if (self.role == "player") != bool(self.seat or self.person) or (self.seat and self.person):
            return "a player, and nobody else, has a seat or a person: one of them"
        if self.seat and self.scope.kind != "deal":
            return "a seat is one of a deal; for a table name the person"
        if self.role == "owner" and self.scope != EVERYTHING_SCOPE:
            return "an owner owns everything, not one table or deal"
        if self.public and (self.role != "viewer" or self.once):
            return "everybody may be a viewer, and for good"
        if self.title is not None and not (self.public and self.scope.kind == "deal"):
            return "a title is that of a deal which is published"
        return None


GRANT_JSON_FIELDS: Final = (
    "id", "role", "scope", "seat", "person", "label", "made_at", "made_by", "expires_at", "used_on", "once",
    "spent", "public", "title",
)  # fmt: skip
"""What is told of a grant, beside whether it holds."""


class Grant(NamedTuple):
    """A grant as it is kept. ``made_by`` is the grant that made it, None for the command line.

    ``used_on`` is the day it was last used. ``revoked_at`` and ``spent`` (a token that held once, and was
    exchanged) end it or its token for good.
    """

    id: str
    terms: GrantTerms
    made_at: str
    made_by: str | None = None
    used_on: str | None = None
    revoked_at: str | None = None
    spent: bool = False

    def to_json_object(self, now: str) -> dict[str, Any]:
        """The grant as it is told, on the wire too; ``now`` decides whether it holds."""
        fields = {**self.terms._asdict(), **self._asdict(), "scope": self.terms.scope._asdict()}
        is_expired = self.terms.expires_at is not None and self.terms.expires_at <= now
        return {name: fields[name] for name in GRANT_JSON_FIELDS} | {
            "active": not is_expired and self.revoked_at is None
        }

    @property
    def permissions(self) -> frozenset[Permission]:
        """What it allows within its scope."""
        return PERMISSIONS_BY_ROLE[self.terms.role]


class GrantSet(tuple[Grant, ...]):
    """Grants in the order of their creation, indexed by scope: a club may publish thousands of deals."""

    def find_covering(self, stream: StreamInfo | None) -> list[Grant]:
        """The grants that reach a record or, for None, everything."""
        found = [pair for scope in _iterate_covering_scopes(stream) for pair in self._by_scope.get(scope, ())]
        return [grant for _, grant in sorted(found, key=lambda pair: pair[0])]

    @cached_property
    def earliest_expiry(self) -> str | None:
        """When the first of them ends; None if none does."""
        return min((end for grant in self if (end := grant.terms.expires_at)), default=None)

    @cached_property
    def personal_grants(self) -> tuple[Grant, ...]:
        """The grants that may show more of a record than the public sees: a hand, or the holder's notes."""
        return tuple(one for one in self if one.terms.seat or one.terms.person or "note" in one.permissions)

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
    """A browser that showed tokens: the ids of their grants, and until when."""

    id: str
    made_at: str
    expires_at: str
    used_on: str | None
    grants: tuple[str, ...]


class Member(NamedTuple):
    """A member of the club. A forgotten one keeps his id, which events hold, and nothing else."""

    id: str
    name: str
    short: str = ""
    joined: str | None = None
    note: str = ""
    forgotten_at: str | None = None


def replace_member_ids(text: str, names_by_id: Mapping[str, str | None]) -> str:
    """A text for people, in which members are called by name; who was forgotten keeps the id."""
    return _MEMBER_ID_REGEX.sub(lambda found: names_by_id.get(found[0]) or found[0], text)


def is_member_id(player_id: str) -> bool:
    """Whether a player is named by a member's id."""
    return _MEMBER_ID_REGEX.fullmatch(player_id) is not None


MEMBER_ID_PATTERN: Final = r"m-[a-z2-7]{16}"
_MEMBER_ID_REGEX: Final = re.compile(rf"\b{MEMBER_ID_PATTERN}\b")
"""A member's id."""


class UnknownToken(Exception):
    """The token is none of ours, or no longer: expired, revoked, or used up."""


class UnknownGrant(LookupError):
    """There is no such grant."""


class UnknownSession(LookupError):
    """There is no such session."""


class MemberIdTaken(Exception):
    """The id that a new member was to have is that of a member already, or of one who was forgotten."""

    def __init__(self, member: Member) -> None:
        super().__init__(member.id)
        self.member = member


class UnknownMember(LookupError):
    """There is no such member, or he was forgotten."""
