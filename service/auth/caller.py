"""The caller: the client that makes a request, and the one place that decides what it may do."""

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from engine import FULL_VIEWER, PUBLIC_VIEWER, Log, Viewer, effective
from engine.core.cards import SEAT_BY_NAME, SEAT_NAMES, SEATS, Seat
from engine.core.events import DealOpened, Event, HandTakenOver, NoteAdded
from service.auth.grants import (
    CLUB_WIDE_PERMISSIONS,
    ROLES,
    BrowserSession,
    Grant,
    GrantSet,
    GrantTerms,
    Permission,
    Scope,
)
from service.eventstore import StreamInfo
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.record_streams import DEAL_KIND

PLAYER_EVENTS: Final[tuple[type[Event], ...]] = (NoteAdded,)
"""What a player may append; recorders write down what was played."""


NO_EXPIRY: Final = "~"
"""Sorts after every timestamp."""


class PermissionDenied(Exception):
    """The caller lacks a permission; the message says what is required."""

    def __init__(self, message: str, *, is_authenticated: bool) -> None:
        super().__init__(message)
        self.is_authenticated = is_authenticated


class Caller(NamedTuple):
    """The client that makes a request: its own grants and everybody's.

    ``is_authenticated``: whether it showed a token or the secret of a ``session``.
    """

    own_grants: GrantSet = GrantSet()
    public_grants: GrantSet = GrantSet()
    is_authenticated: bool = False
    session: BrowserSession | None = None

    @property
    def grants(self) -> tuple[Grant, ...]:
        """All grants of the caller."""
        return (*self.own_grants, *self.public_grants)

    @property
    def earliest_expiry(self) -> str:
        """When the first of the grants or the session ends; `NO_EXPIRY` if none does."""
        session_end = self.session.expires_at if self.session else None
        ends = (self.own_grants.earliest_expiry, self.public_grants.earliest_expiry, session_end)
        return min(filter(None, ends), default=NO_EXPIRY)

    def has_permission(self, permission: Permission, stream: StreamInfo | None = None) -> bool:
        """Whether the caller has a permission for a record or, for None, everywhere."""
        return self.own_grants.have_permission(permission, stream) or self.public_grants.have_permission(
            permission, stream
        )

    def require_permission(self, permission: Permission, stream: StreamInfo | None = None) -> None:
        """Raise `PermissionDenied` unless `has_permission` is true."""
        if not self.has_permission(permission, stream):
            raise PermissionDenied(DENIAL_MESSAGES[permission], is_authenticated=self.is_authenticated)

    def require_permission_anywhere(self, permission: Permission) -> None:
        """Raise `PermissionDenied` unless the caller has the permission anywhere."""
        if not any(permission in grant.permissions for grant in self.grants):
            raise PermissionDenied(DENIAL_MESSAGES[permission], is_authenticated=self.is_authenticated)

    def can_write_any_record(self) -> bool:
        """Whether one of the caller's own grants allows writing into any record."""
        return any("write" in grant.permissions for grant in self.own_grants)

    def _covering_grants(self, stream: StreamInfo | None) -> list[Grant]:
        return [*self.own_grants.find_covering(stream), *self.public_grants.find_covering(stream)]

    def can_read(self, stream: StreamInfo) -> bool:
        """Whether the caller may read the record at all."""
        return self.has_permission("see_public", stream)

    def is_public_record(self, stream: StreamInfo) -> bool:
        """Whether everybody may read the record."""
        return bool(self.public_grants.find_covering(stream))

    def can_see_full_names(self, stream: StreamInfo) -> bool:
        """Whether the caller may know the full names of members, which takes a grant of their own."""
        return bool(self.own_grants.find_covering(stream))

    def widest_viewer(self, stream: StreamInfo, read_log: Callable[[], Log]) -> Viewer:
        """The viewer of `engine.view` who sees all that the caller may see of a readable record.

        ``read_log`` gives the record's whole log, which says who sits where.
        """
        if self.has_permission("see_all", stream):
            return FULL_VIEWER
        own_grant_ids = self.all_author_grant_ids(stream)
        if stream.kind != DEAL_KIND:
            return PUBLIC_VIEWER._replace(own_names=own_grant_ids)
        grants = self._covering_grants(stream)
        seats = {SEAT_BY_NAME[grant.terms.seat] for grant in grants if grant.terms.seat}
        if persons := [grant.terms.person for grant in grants if grant.terms.person]:
            seats_by_player = deal_seats_by_player(read_log())
            seats.update(seat for person in persons for seat in seats_by_player.get(person, ()))
        return Viewer(frozenset(seats), own_names=own_grant_ids)

    def resolve_requested_viewer(self, viewer_name: str | None, widest: Viewer) -> Viewer:
        """The viewer of that name, or ``widest`` for None.

        Raises `PermissionDenied` if that viewer sees what ``widest`` does not.
        """
        if viewer_name is None:
            return widest
        viewer = VIEWERS_BY_NAME[viewer_name]
        if not widest.sees_everything and (viewer.sees_everything or not viewer.seats <= widest.seats):
            requested_view = "everything" if viewer.sees_everything else f"the hand of {viewer_name}"
            raise PermissionDenied(
                f"Your link does not show {requested_view}; leave out viewer.",
                is_authenticated=self.is_authenticated,
            )
        return widest.restrict(viewer)

    def require_append_permission(self, stream: StreamInfo, events: Sequence[Event]) -> None:
        """Raise `PermissionDenied` unless the caller may append these events to the record."""
        if self.has_permission("write", stream):
            return
        if self.has_permission("note", stream):
            if all(isinstance(event, PLAYER_EVENTS) for event in events):
                return
            raise PermissionDenied(
                "A player may only add notes; a recorder writes the rest.",
                is_authenticated=self.is_authenticated,
            )
        raise PermissionDenied(DENIAL_MESSAGES["write"], is_authenticated=self.is_authenticated)

    def author_grant_id(self, permission: Permission, stream: StreamInfo | None = None) -> str:
        """The id of the grant that allows it, which the recorded events bear."""
        return next(grant.id for grant in self._covering_grants(stream) if permission in grant.permissions)

    def event_author_grant_id(self, event: Event, stream: StreamInfo, read_log: Callable[[], Log]) -> str:
        """The id of the grant that an appended event bears; ``read_log`` gives the record's whole log.

        For a note by an author whose grant the caller has, that grant. Otherwise the grant that allows
        writing; for a caller who may only add notes, a seat's grant before a person's.
        """
        if isinstance(event, NoteAdded):
            grants = [grant for grant in self._covering_grants(stream) if "note" in grant.permissions]
            if event.author and len(grants) > 1:
                author_seats = (
                    deal_seats_by_player(read_log()).get(event.author, ()) if stream.kind == DEAL_KIND else ()
                )
                player = find_player_grant(grants, {SEAT_NAMES[seat] for seat in author_seats}, event.author)
                if player is not None:
                    return player.id
            if not self.has_permission("write", stream):
                return oldest_player_grant(grants).id
        return self.author_grant_id("write", stream)

    def all_author_grant_ids(self, stream: StreamInfo) -> frozenset[str]:
        """The ids of the grants that entries by the caller may bear."""
        return frozenset(grant.id for grant in self._covering_grants(stream) if "note" in grant.permissions)

    def find_delegating_grant(self, terms: GrantTerms, record: StreamInfo | None) -> Grant | None:
        """The grant that allows creating or revoking one with these terms; None if there is none.

        ``record`` is the record of the terms' scope, None for everything. No grant allows a higher role or a
        wider scope than its own.
        """
        for grant in self._covering_grants(record):
            if "grant" in grant.permissions and ROLES.index(grant.terms.role) <= ROLES.index(terms.role):
                return grant
        return None

    def list_club_permissions(self) -> list[Permission]:
        """The caller's permissions that concern no single record."""
        return [
            permission
            for permission in DENIAL_MESSAGES
            if permission in CLUB_WIDE_PERMISSIONS | {"grant"} and self.has_permission(permission)
        ]


OWNER_GRANT_ID: Final = "00000000-0000-0000-0000-000000000000"
OWNER_CALLER: Final = Caller(
    GrantSet([Grant(OWNER_GRANT_ID, GrantTerms("owner"), "1970-01-01T00:00:00.000Z")]), is_authenticated=True
)
"""A caller who owns everything without a grant of the register, for an application with one user."""

DENIAL_MESSAGES: Final[dict[Permission, str]] = {
    "see_public": "This needs a link to this record.",
    "see_all": "This needs a recorder's link: it shows what the players must not see.",
    "note": "To add notes you need a player's or a recorder's link.",
    "write": "To write into this record you need its recorder's link.",
    "open_deals": "To record a single deal you need a recorder's link to everything.",
    "open_tables": "To open a table you need an organiser's link to everything.",
    "publish_rules": "To publish a ruleset you need an organiser's link to everything.",
    "grant": "To hand out links you need an organiser's link.",
    "members": "The list of members needs an organiser's link to everything.",
    "oversee": "Only the owner may do that.",
}
"""What each permission takes, for callers who lack it."""


def deal_seats_by_player(log: Log) -> dict[str, set[Seat]]:
    """The seats that each player of a deal had from its opening or by taking over a hand."""
    seats_by_player: dict[str, set[Seat]] = {}
    for entry in effective(log).entries:
        event = entry.event
        if isinstance(event, DealOpened):
            for seat in SEATS:
                seats_by_player.setdefault(event.players.at(seat), set()).add(seat)
        elif isinstance(event, HandTakenOver):
            seats_by_player.setdefault(event.player, set()).add(event.seat)
    return seats_by_player


def find_player_grant(grants: Sequence[Grant], seats: Collection[str], author: str) -> Grant | None:
    """The grant of the player ``author``, who held ``seats``; None if there is none."""
    for grant in grants:
        terms = grant.terms
        if terms.person == author or (terms.seat and (terms.seat == author or terms.seat in seats)):
            return grant
    return None


def oldest_player_grant(grants: Sequence[Grant]) -> Grant:
    """The oldest grant for a seat, else the oldest for a person, else the oldest."""
    return min(grants, key=lambda grant: (not grant.terms.seat, not grant.terms.person))


class RepresentedPerson(NamedTuple):
    """The person for whom a grant may write: a seat, a player or, for other grants, its label."""

    seat: str | None = None
    player: str | None = None
    label: str | None = None


def represented_person(grant: Grant) -> RepresentedPerson | None:
    """The person for whom a grant may write; None if it may not write or names nobody."""
    terms = grant.terms
    if terms.seat or terms.person:
        return RepresentedPerson(terms.seat, terms.person)
    return RepresentedPerson(label=terms.label) if "write" in grant.permissions and terms.label else None


def find_conflicting_grants(
    held_grants: Sequence[Grant], new_grant: Grant, do_scopes_overlap: Callable[[Scope, Scope], bool]
) -> list[Grant]:
    """The held grants that stand for another person than ``new_grant`` in a record that both reach.

    They are not merged into one session without asking: one person's entries would be recorded as another's.
    A recorder who also has a seat is one person: seats are compared with seats, recorders with recorders.
    """
    person = represented_person(new_grant)
    if person is None:
        return []

    def is_conflicting(grant: Grant) -> bool:
        other = represented_person(grant)
        is_same_kind = other is not None and (other.label is None) == (person.label is None)
        return (
            is_same_kind and other != person and do_scopes_overlap(grant.terms.scope, new_grant.terms.scope)
        )

    return list(filter(is_conflicting, held_grants))
