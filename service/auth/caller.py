"""The caller: whoever makes a request, and the one place that decides what he may."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine import EVERYTHING, PUBLIC, Log, Viewer, effective
from engine.core.cards import SEAT_NAMES, SEATS
from engine.core.events import DealOpened, Event, HandTakenOver, NoteAdded
from service.auth.authorship import first_player, named_player
from service.auth.grants import CLUB_WIDE, ROLES, Grant, Power, Session, Terms
from service.auth.reach import Grants
from service.eventstore import StreamInfo
from service.records.points import VIEWERS
from service.records.records import DEAL

NOTES: Final[tuple[type[Event], ...]] = (NoteAdded,)
"""What a player may append: remarks. What was played is for the recorder to write down."""


class NotAllowed(Exception):
    """The caller may not do that; the text says what it takes.

    ``known`` is whether he has shown a token or a session at all.
    """

    def __init__(self, sentence: str, *, known: bool) -> None:
        super().__init__(sentence)
        self.known = known


class Caller(NamedTuple):
    """Whoever makes a request: what he holds, and what everybody holds.

    ``known`` is whether he showed a token or a session; ``session`` is the latter.
    """

    own: Grants = Grants()
    public: Grants = Grants()
    known: bool = False
    session: Session | None = None

    @property
    def grants(self) -> tuple[Grant, ...]:
        """All that he holds."""
        return (*self.own, *self.public)

    def may(self, power: Power, stream: StreamInfo | None = None) -> bool:
        """Whether he may do that: to this record, or, without one, everywhere."""
        return any(power in grant.powers for grant in self._holding(stream))

    def require(self, power: Power, stream: StreamInfo | None = None) -> None:
        """Raises `NotAllowed` where he may not do that."""
        if not self.may(power, stream):
            raise NotAllowed(TAKES[power], known=self.known)

    def records(self) -> bool:
        """Whether he may write into any record at all, by a grant of his own."""
        return any("write" in grant.powers for grant in self.own)

    def _holding(self, stream: StreamInfo | None) -> list[Grant]:
        return [*self.own.reaching(stream), *self.public.reaching(stream)]

    def reads(self, stream: StreamInfo) -> bool:
        """Whether he may read the record at all."""
        return self.may("see_public", stream)

    def is_published(self, stream: StreamInfo) -> bool:
        """Whether everybody may read the record."""
        return bool(self.public.reaching(stream))

    def knows_names(self, stream: StreamInfo) -> bool:
        """Whether he may know the full names of the members in the record, by a grant of his own."""
        return bool(self.own.reaching(stream))

    def viewer(self, stream: StreamInfo, log: Callable[[], Log]) -> Viewer:
        """The most that he may see of a record that he may read, as a viewer of `engine.view`.

        ``log`` gives the record's whole log: who sits where is read from it.
        """
        if self.may("see_all", stream):
            return EVERYTHING
        own = self.writing_as(stream)
        if stream.kind != DEAL:
            return PUBLIC._replace(own=own)
        seats = {VIEWERS[seat] for grant in self._holding(stream) if (seat := grant.terms.seat)}
        people = [person for grant in self._holding(stream) if (person := grant.terms.person)]
        if people:
            held = seats_of(log())
            seats |= {VIEWERS[SEAT_NAMES[seat]] for person in people for seat in held.get(person, ())}
        return Viewer(frozenset(seat for viewer in seats for seat in viewer.seats), own=own)

    def viewer_asked(self, asked: str | None, most: Viewer) -> Viewer:
        """The viewer that ``asked`` names, or ``most`` where none is asked for.

        Raises `NotAllowed` where that one may see what ``most`` may not.
        """
        if asked is None:
            return most
        viewer = VIEWERS[asked]
        if not most.everything and (viewer.everything or not viewer.seats <= most.seats):
            named = "everything" if viewer.everything else f"the hand of {asked}"
            raise NotAllowed(f"Your link does not let you see {named}; leave viewer out.", known=self.known)
        return most.asking_for(viewer)

    def require_append(self, stream: StreamInfo, events: Sequence[Event]) -> None:
        """Raises `NotAllowed` where he may not append these events to the record."""
        if self.may("write", stream):
            return
        if self.may("note", stream):
            if all(isinstance(event, NOTES) for event in events):
                return
            raise NotAllowed("A player may add notes; the rest is written by a recorder.", known=self.known)
        raise NotAllowed(TAKES["write"], known=self.known)

    def author(self, power: Power, stream: StreamInfo | None = None) -> str:
        """The grant by which he does that. What he records has it: nobody writes in another's name."""
        return next(grant.id for grant in self._holding(stream) if power in grant.powers)

    def author_of(self, event: Event, stream: StreamInfo, log: Callable[[], Log]) -> str:
        """The grant in whose name he appends an event; ``log`` gives the record's whole log.

        A note that names its author is of the grant of that player, if he holds it. Any other event is of
        the grant by which he may write; where he may only note, of a seat's before a person's.
        """
        if isinstance(event, NoteAdded):
            grants = [grant for grant in self._holding(stream) if "note" in grant.powers]
            if event.author and len(grants) > 1:
                held = seats_of(log()).get(event.author, ()) if stream.kind == DEAL else ()
                player = named_player(grants, {SEAT_NAMES[seat] for seat in held}, event.author)
                if player is not None:
                    return player.id
            if not self.may("write", stream):
                return first_player(grants).id
        return self.author("write", stream)

    def writing_as(self, stream: StreamInfo) -> frozenset[str]:
        """The grants in whose names he may have written into the record."""
        return frozenset(grant.id for grant in self._holding(stream) if "note" in grant.powers)

    def may_give(self, terms: Terms, place: StreamInfo | None) -> Grant | None:
        """The grant by which he may hand out, or revoke, one of these terms; None where he may not.

        ``place`` is the record of the terms' scope, None where that is everything. It never is more than
        he has: no higher a role, no wider a scope.
        """
        for grant in self._holding(place):
            if "grant" in grant.powers and ROLES.index(grant.terms.role) <= ROLES.index(terms.role):
                return grant
        return None

    def powers(self) -> list[Power]:
        """What concerns no one record and he may do."""
        return [power for power in TAKES if power in CLUB_WIDE | {"grant"} and self.may(power)]


OWNER_ID: Final = "00000000-0000-0000-0000-000000000000"
OWNER: Final = Caller(Grants([Grant(OWNER_ID, Terms("owner"), "1970-01-01T00:00:00.000Z")]), known=True)
"""A caller who owns everything by no grant of the register: for who has an application to himself."""

TAKES: Final[dict[Power, str]] = {
    "see_public": "That takes a link to this record.",
    "see_all": "That takes a recorder's link: it shows what is hidden from the players.",
    "note": "Adding notes takes a player's link, or a recorder's.",
    "write": "Writing into this record takes the link of its recorder.",
    "open_deals": "Recording a deal alone takes a recorder's link to everything.",
    "open_tables": "Opening a table takes an organiser's link to everything.",
    "publish_rules": "Publishing a ruleset takes an organiser's link to everything.",
    "grant": "Handing out links takes an organiser's link.",
    "members": "The list of members takes an organiser's link to everything.",
    "oversee": "That is for the owner.",
}
"""What each power takes, said to somebody who does not have it."""


def seats_of(log: Log) -> dict[str, set[int]]:
    """The seats that each player of a deal held, at its opening or by taking a hand over."""
    held: dict[str, set[int]] = {}
    for entry in effective(log).entries:
        event = entry.event
        if isinstance(event, DealOpened):
            for seat in SEATS:
                held.setdefault(event.players.at(seat), set()).add(seat)
        elif isinstance(event, HandTakenOver):
            held.setdefault(event.player, set()).add(event.seat)
    return held
