"""Two services that differ in nothing but cards and words that somebody may not know."""

import io
import json
import re
import uuid
from collections.abc import Callable, Collection
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from flask import Flask

from service.app import create_app
from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms, Scope
from service.eventstore import ANY_VERSION, EventStore, MemoryStore
from service.projections.summaries import SummaryCache
from service.records.append import append_to_deal, open_deal
from service.records.club_rules import ClubRules
from service.records.deal_starts import start_deals
from service.records.live import LiveStreams
from service.records.repository import append_to_record
from service.records.variations import Variations
from service.transparency.notary import Notary
from tests.support.api.clients import of_app
from tests.support.api.recording import DEAL, TABLE, posted, recorded_table
from tests.system.secrets.deals import PARTNER, SEATS, Json
from tests.system.secrets.disclosure import seats_of

API: Final = "/api/v1"
NOW: Final = "2026-11-20T19:30:05.250Z"
OTHER: Final = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9eff"
"""Another deal at the same table."""
WHAT_IF: Final = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e77"
"""A variation of the deal, by somebody who knows all hands."""
ALL: Final = frozenset({"everything"})
"""In place of the seats of somebody who sees all of a deal."""

Seats = Callable[[str, list[Json]], Collection[str]]


class Reader(NamedTuple):
    """Somebody who asks: the grants he holds, and the seats whose hands he may know of a deal's log."""

    terms: tuple[GrantTerms, ...]
    seats: Seats


def _nothing(deal: str, log: list[Json]) -> Collection[str]:
    return ()


def _in_seats(*seats: str) -> Seats:
    return lambda deal, log: seats if deal == DEAL else ()


def _called(person: str) -> Seats:
    return lambda deal, log: seats_of(log, person)


HERE: Final = Scope("deal", DEAL)
AT_THE_TABLE: Final = Scope("table", TABLE)
READERS: Final[dict[str, Reader]] = {
    "nobody": Reader((), _nothing),
    "viewer of the deal": Reader((GrantTerms("viewer", HERE),), _nothing),
    "viewer of the table": Reader((GrantTerms("viewer", AT_THE_TABLE),), _nothing),
    "viewer of everything": Reader((GrantTerms("viewer"),), _nothing),
    **{seat: Reader((GrantTerms("player", HERE, seat=seat),), _in_seats(seat)) for seat in SEATS},
    "two seats": Reader(
        (GrantTerms("player", HERE, seat=SEATS[0]), GrantTerms("player", HERE, seat=SEATS[2])),
        _in_seats(SEATS[0], SEATS[2]),
    ),
    "Anna": Reader((GrantTerms("player", AT_THE_TABLE, person="Anna"),), _called("Anna")),
    PARTNER: Reader((GrantTerms("player", person=PARTNER),), _called(PARTNER)),
    "Eva, who does not play": Reader((GrantTerms("player", person="Eva"),), _nothing),
    "recorder of the other deal": Reader(
        (GrantTerms("recorder", Scope("deal", OTHER)),), lambda deal, log: ALL if deal == OTHER else ()
    ),
    "viewer of the variation": Reader((GrantTerms("viewer", Scope("deal", WHAT_IF)),), _nothing),
    "player in the variation": Reader(
        (GrantTerms("player", Scope("deal", WHAT_IF), seat=SEATS[0]),), _nothing
    ),
    "player in the other deal": Reader(
        (GrantTerms("player", Scope("deal", OTHER), seat=SEATS[0]),),
        lambda deal, log: (SEATS[0],) if deal == OTHER else (),
    ),
}
OWNER: Final = "owner"


class Told(NamedTuple):
    """All that comes back: status, headers, bytes; and the lines that the log got."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    logged: tuple[str, ...]

    def header(self, name: str) -> str:
        return ", ".join(value for one, value in self.headers if one.lower() == name.lower())


class World:
    """One service, whose records are put in and replaced as a whole."""

    def __init__(self, register: AccessRegister) -> None:
        self.app: Flask = create_app(register=register)
        self.store: EventStore = MemoryStore()

    def fill(self, deal: list[Json], other: list[Json], remark: str = "Rain.") -> None:
        """Has it keep these two deals at a table, with a remark in its own log, and nothing else."""
        self.store = MemoryStore(lambda: NOW)
        recorded_table(self.store)
        self._remark(remark)
        for number, (name, log) in enumerate(((DEAL, deal), (OTHER, other)), 1):
            opening = {**log[0], "id": name, "table": TABLE, "number": number}
            table = self.store.stream_info(TABLE)
            start_deals(self.store, table, table.version, [[posted(opening)]])
            self.append(name, log, 1, len(log))
        self._what_if(deal, remark)
        context = of_app(self.app)
        context.store, context.notary = self.store, Notary.in_memory()
        context.summary_cache, context.live_streams = SummaryCache(), LiveStreams(self.store)
        context.variations, context.club_rules = Variations(self.store), ClubRules(self.store)

    def _remark(self, remark: str) -> None:
        """What the table's recorder says for himself: a note, that entries are missing, why he was wrong."""
        events: list[Json] = [
            {"type": "note_added", "text": remark, "author": remark, "recorded_by": remark},
            {"type": "gap_noted", "text": remark},
            {"type": "correction_made", "replaces": [3], "with": [], "reason": remark},
        ]
        named = [{**event, "id": id_of_entry(TABLE, 100 + place)} for place, event in enumerate(events)]
        append_to_record(
            self.store, self.store.stream_info(TABLE), ANY_VERSION, [posted(event) for event in named]
        )

    def _what_if(self, deal: list[Json], remark: str) -> None:
        """Somebody asks what would have been, with cards that he knows."""
        at = max(1, len(deal) // 2)
        hands = [event for event in deal if event["type"] == "hand_dealt"]
        played = [{"type": "card_played", "seat": one["seat"], "card": one["cards"][-1]} for one in hands]
        branch = {"deal": DEAL, "at": at, "known": len(deal)}
        opening = {**deal[0], "id": WHAT_IF, "title": remark, "branch": branch}
        log = [opening, *played, {"type": "note_added", "text": remark}]
        named = [{**event, "id": id_of_entry(WHAT_IF, place)} for place, event in enumerate(log)]
        open_deal(
            self.store, [posted(one) for one in ({**named[0], "id": WHAT_IF}, *named[1:])], strict=False
        )

    def append(self, deal: str, log: list[Json], first: int, last: int) -> None:
        """Appends the entries of a log behind the first ``first`` ones, up to ``last``."""
        new = [posted({**log[seq], "id": id_of_entry(deal, seq)}) for seq in range(first, last)]
        if new:
            append_to_deal(self.store, self.store.stream_info(deal), ANY_VERSION, new, strict=False)


def id_of_entry(deal: str, place: int) -> str:
    return str(uuid.uuid5(uuid.UUID(deal), str(place)))


class Pair(NamedTuple):
    """Two worlds in which the same people hold the same."""

    one: World
    other: World
    shown: dict[str, dict[str, str]]

    def told(self, world: World, who: str, method: str, path: str, sent: Json) -> Told:
        headers = {**self.shown[who], "Sec-Fetch-Site": "same-origin", **sent.get("headers", {})}
        before = len(LOG.lines)
        client = world.app.test_client(use_cookies=False)
        answer = client.open(path, method=method, **{**sent, "headers": headers})
        if answer.mimetype == "text/event-stream" and method == "GET":
            # What is there already comes at once; then it would wait for more.
            body = b"".join(islice(answer.iter_encoded(), 2))
        else:
            body = answer.get_data()
        answer.close()
        kept = sorted((name, text) for name, text in answer.headers if name not in ("Date", "X-Request-Id"))
        # A thread of an earlier test may log meanwhile.
        own = f'"request_id": "{answer.headers["X-Request-Id"]}"'
        lines = tuple(PASSING.sub(r'"\1": 0', line) for line in LOG.lines[before:] if own in line)
        return Told(answer.status_code, tuple(kept), body, lines)


class LogLines(io.StringIO):
    """What is logged, line by line; several threads may write at once."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, text: str) -> int:
        self.lines += text.splitlines()
        return len(text)


LOG: Final = LogLines()
PASSING: Final = re.compile(r'"(time|seconds|request_id)": ("[^"]*"|[0-9.e-]+)')


@cache
def pair(published: bool) -> Pair:
    """The worlds; made once, as they are filled anew each time. ``published``: everybody may view."""
    register = AccessRegister(clock=lambda: NOW)
    if published:
        register.create_grant(GrantTerms("viewer", AT_THE_TABLE, public=True))
        for place in (HERE, Scope("deal", WHAT_IF)):
            register.create_grant(GrantTerms("viewer", place, public=True, title="In the library"))
    shown = {who: _credentials(register, reader.terms) for who, reader in READERS.items()}
    shown[OWNER] = _credentials(register, (GrantTerms("owner"),))
    return Pair(World(register), World(register), shown)


def _credentials(register: AccessRegister, terms: tuple[GrantTerms, ...]) -> dict[str, str]:
    """The header by which somebody is known who holds that: a token's, or a session's for several."""
    made = [register.create_grant(one).token or "" for one in terms]
    if not made:
        return {}
    if len(made) == 1:
        return {"Authorization": f"Bearer {made[0]}"}
    secret = None
    for token in made:
        secret = register.create_session(token, secret).secret
    return {"Cookie": f"spadille-80={secret}"}


def salts_of(world: World, deal: str) -> dict[int, bytes]:
    return {one.event.seq: one.salt or b"" for one in world.store.read_sealed_events(deal)}


def as_text(thing: Any) -> str:
    return json.dumps(thing)[:300]
