"""The service as one would tell it: a dict of records with lists of events, and who holds what.

Written from the guides alone. It shares nothing with the service, and asks the engine for one thing: who
held which seat, where a record was corrected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from tests.system.clients.folding import seats_held

Json = dict[str, Any]

ANY: Final = "*"
VERSION_INDEPENDENT: Final = frozenset({"note_added", "irregularity_noted", "ruling_made", "deal_settled"})
OF_BOTH: Final = frozenset({"correction_made", "note_added", "gap_noted"})
OF_TABLES: Final = frozenset(
    {"player_joined", "player_left", "seats_set", "payment_made", "penalty_given", "table_closed"}
)
OPENINGS: Final = ("deal_opened", "table_opened", "deal_started")
ROLES: Final = ("owner", "organiser", "recorder", "player", "viewer")
GIVE: Final = ROLES[:2]
WRITE: Final = ROLES[:3]
NOTE: Final = ROLES[:4]


@dataclass(eq=False)
class Record:
    """A deal's or a table's log. ``script`` is how the deal went, and ``typed`` how much of it was typed."""

    id: str
    root: str
    kind: str
    events: list[Json] = field(default_factory=list)
    strict: bool = False
    script: list[Json] = field(default_factory=list)
    typed: int = 0

    @property
    def version(self) -> int:
        return len(self.events)

    def by_the_script(self, new: Sequence[Json]) -> bool:
        """Whether with these behind it the record has the deal as it went, and remarks: no rule is broken."""
        acts = [one for one in (*self.events, *new) if one["type"] not in VERSION_INDEPENDENT][1:]
        return [{**act, **went} for act, went in zip(acts, self.script[1:], strict=False)] == acts

    def place_of(self, event_id: str) -> int | None:
        return next((seq for seq, one in enumerate(self.events, 1) if one["id"] == event_id), None)


@dataclass(eq=False)
class Grant:
    """A role somewhere: ``at`` a record, or everywhere."""

    role: str
    at: str | None = None
    seat: str | None = None
    person: str | None = None
    ends: int | None = None
    public: bool = False
    made_by: Grant | None = None
    id: str = ""
    revoked: bool = False

    @property
    def player(self) -> tuple[str | None, str | None] | None:
        """The player whom it stands for, by seat or by name; None where it stands for nobody."""
        return (self.seat, self.person) if self.seat or self.person else None

    def reaches(self, record: Record) -> bool:
        """Whether it holds for the record: a table's holds for its deals."""
        return self.at in (None, record.id, record.root)


@dataclass(eq=False)
class Holder:
    own: list[Grant] = field(default_factory=list)
    browser: bool = False
    logins: int = 0
    """With each link that a browser opens it gets a new session, and the one before is nothing any more."""


class Outcome(NamedTuple):
    """What is to be answered, and what is then stored: where, in which order."""

    status: int
    version: int = 0
    events: tuple[Json, ...] = ()
    """All events that were sent, as they stand in the record."""
    new: tuple[Json, ...] = ()


class Model:
    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.order: list[tuple[str, int]] = []
        self.grants: list[Grant] = []
        self.members: dict[str, str | None] = {}
        self.now = 0

    def holds(self, grant: Grant) -> bool:
        """Whether a grant holds now: nobody revoked it or one by which it was made, and it has not ended."""
        return not grant.revoked and (grant.ends is None or self.now < grant.ends)

    def revoke(self, grant: Grant) -> None:
        grant.revoked = True
        for other in self.grants:
            if other.made_by is grant and not other.revoked:
                self.revoke(other)

    def forget(self, member: str) -> None:
        self.members[member] = None
        for grant in self.grants:
            if grant.person == member:
                self.revoke(grant)

    def active(self, holder: Holder) -> list[Grant]:
        return [grant for grant in self.grants if grant in holder.own and self.holds(grant)]

    def held(self, holder: Holder) -> list[Grant]:
        return [*self.active(holder), *(g for g in self.grants if g.public and self.holds(g))]

    def turned_away(self, holder: Holder) -> bool:
        """Whether all requests are refused: of a token that ended. A browser goes on as everybody."""
        return bool(holder.own) and not holder.browser and not self.active(holder)

    def roles(self, holder: Holder, record: Record | None) -> set[str]:
        """The roles that he has for a record; without one, for everything."""
        found = self.held(holder)
        return {one.role for one in found if (one.at is None if record is None else one.reaches(record))}

    def may(self, holder: Holder, roles: Sequence[str], record: Record | None = None) -> bool:
        return bool(self.roles(holder, record) & set(roles))

    def seats(self, holder: Holder, record: Record, upto: int | None = None) -> frozenset[str] | None:
        if self.may(holder, WRITE, record):
            return None
        if record.kind == "table":
            return frozenset()
        found: set[str] = set()
        for grant in self.held(holder):
            if grant.reaches(record):
                found |= {grant.seat} if grant.seat else set()
                found |= seats_held(record.events[:upto], grant.person) if grant.person else set()
        return frozenset(found)

    def own(self, holder: Holder, record: Record) -> frozenset[str]:
        """The grants by which he may have written there: what he wrote is no secret from him."""
        return frozenset(one.id for one in self.held(holder) if one.role in NOTE and one.reaches(record))

    def clashing(self, holder: Holder, new: Grant) -> list[Grant]:
        """The grants by which a browser is another player in a record that ``new`` is for, too."""
        if not new.player:
            return []
        held = (one for one in self.active(holder) if one.player and one.player != new.player)
        return [one for one in held if self.overlap(one.at, new.at)]

    def overlap(self, one: str | None, other: str | None) -> bool:
        """Whether two grants hold for the same record: a deal's, and its table's."""
        if one is None or other is None or one == other:
            return True
        return self.records[other].root == one or self.records[one].root == other

    def refused(self, holder: Holder) -> int:
        return 403 if self.active(holder) else 401

    def access_status(self, holder: Holder, record: str, kind: str) -> int | None:
        """The status for somebody who cannot read the record, None where he can."""
        if self.turned_away(holder):
            return 401
        found = self.records.get(record)
        if found is not None and found.kind == kind and self.roles(holder, found):
            return None
        if not self.active(holder) and not self.roles(holder, None):
            return 401
        return 404

    def appending(self, holder: Holder, record: Record, expected: int | str, sent: Sequence[Json]) -> Outcome:
        status = self.access_status(holder, record.id, record.kind)
        if status is not None:
            return Outcome(status)
        roles = self.roles(holder, record)
        if not roles & set(NOTE):
            return Outcome(self.refused(holder))
        if expected == ANY and not all(one["type"] in VERSION_INDEPENDENT for one in sent):
            return Outcome(428)
        notes_only = not roles & set(WRITE)
        if notes_only and any(one["type"] != "note_added" for one in sent):
            return Outcome(self.refused(holder))
        if any(not belongs(one, record.kind) for one in sent):
            return Outcome(422)
        own = self.own(holder, record) if notes_only else None
        return self.storing(record, expected, self.signed(holder, record, sent), own)

    def signed(self, holder: Holder, record: Record | None, sent: Sequence[Json]) -> list[Json]:
        """Events as recorded by the grant by which he writes there: anywhere, where no record is named."""
        grants = [one for one in self.held(holder) if one.at is None or (record and one.reaches(record))]
        for roles in (GIVE if record is None else WRITE, WRITE, NOTE):
            if by := [one.id for one in grants if one.role in roles]:
                return [{**one, "recorded_by": by[0]} for one in sent]
        return list(sent)

    def storing(
        self, record: Record, expected: int | str, sent: Sequence[Json], own: frozenset[str] | None = None
    ) -> Outcome:
        """Ids first, then the version. Who may only add his ``own`` cannot try out what others wrote."""
        ids = [one["id"] for one in sent]
        if len(set(ids)) < len(ids):
            return Outcome(409)
        stored: list[int] = []
        for number, one in enumerate(sent):
            found = self.find(record.root, one["id"])
            if found is None:
                continue
            there, seq = found
            known = there.events[seq - 1]
            if there is not record or as_sent(known) != as_sent(one) or len(stored) < number:
                return Outcome(409)
            if own is not None and known["recorded_by"] not in own:
                return Outcome(409)
            stored.append(seq)
        new = tuple(dict(one) for one in sent[len(stored) :])
        began_there = isinstance(expected, int) and stored == list(range(expected + 1, record.version + 1))
        if new and expected not in (ANY, record.version) and not (stored and began_there):
            return Outcome(412, record.version)
        old = tuple(record.events[seq - 1] for seq in stored)
        return Outcome(201 if new else 200, record.version + len(new), old + new, new)

    def find(self, root: str, event_id: str) -> tuple[Record, int] | None:
        found = ((record, record.place_of(event_id)) for record in self.of_root(root))
        return next(((record, seq) for record, seq in found if seq is not None), None)

    def of_root(self, root: str) -> Iterator[Record]:
        return (record for record in self.records.values() if record.root == root)

    def append(self, record: Record, new: Sequence[Json]) -> None:
        for event in new:
            record.events.append({**event, "seq": record.version + 1})
            self.order.append((record.id, record.version))

    def open(self, record: Record) -> Record:
        return self.records.setdefault(record.id, record)


def as_sent(event: Json) -> Json:
    """What a writer said, without what the service gave."""
    return {name: value for name, value in event.items() if name not in ("seq", "stored_at", "recorded_by")}


def belongs(event: Json, kind: str) -> bool:
    """Whether an event can be sent to a record of that kind that is open already."""
    types = [one["type"] for one in (event, *event.get("with", ()))]
    fits = all(one in OF_BOTH or (one in OF_TABLES) == (kind == "table") for one in types)
    return fits and types[0] not in OPENINGS
