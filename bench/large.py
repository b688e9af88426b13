"""A store of ten million events, compared with one of ten thousand: `python -m bench.large`.

Both are on the PostgreSQL of the tests, on the disk of ``TMPDIR``, with its files synced, and contain
evenings as the service records them: a table and its deals of random cards, played to the end. Timed in turns
in both stores:

* opening the store;
* appending a note to a deal through the application, which answers with the findings;
* the replay document of a deal, its page, the ledger of a table, the pages of the newest deals and tables;
* the list of seasons, a span of days with ten evenings, and a member with ten evenings, from the projections;
  the time to build those is printed before.

Deals and tables are chosen at random, and no application reads one twice, so that nothing is cached. The
result is the ratio of the medians. At the end the larger store is verified completely. This takes ten
gigabytes of disk and ten minutes of two idle processors; use ``--events`` for less.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, timedelta
from statistics import median
from typing import Final, NamedTuple

from flask.testing import FlaskClient

from bench.goals import BenchGoals, build_bench_parser
from bench.moving import run_spadille
from service.app import create_app
from service.auth.access_register import AccessRegister
from service.auth.grants import Member
from service.eventstore import MemoryStore, NewEvent, StreamAppend
from service.eventstore.ids import new_id
from service.eventstore.postgres.store import PostgresStore
from service.projections.projector import ALL_PROJECTIONS, Projector
from service.records.club_rules import ClubRules
from tests.support.api.clients import owner_of
from tests.support.api.recording import recorded_table, some_deal
from tests.support.store.postgres_server import Server

API_ROOT: Final = "/api/v1"
TEMPLATE_COUNT: Final = 12
DEALS_PER_EVENING: Final = 30
"""Deals of an evening."""
EVENINGS_PER_DAY: Final = 10
"""Evenings of a day, and of a club."""
FIRST_DAY: Final = date(2023, 9, 4)
PLAYERS: Final = ("Anna", "Bo", "Carl")
FILL_THREADS: Final = 2
MAX_RATIO: Final = 2.0
"""Goal for the ratio of the times in the large and in the small store."""
MIN_VERIFIED_PER_SECOND: Final = 100_000
"""Goal for verified events a second."""
_ID: Final = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_STORE_MEMBERS: Final = re.compile(rb',"seq":[0-9]+,"stored_at":"[^"]*"}\Z')
"""The fields that the store adds to an event."""


class TemplateEvent(NamedTuple):
    """An event of a template: the parts of its body between ids, and which ids these are."""

    stream: int
    kind: str
    event_id: int
    body_parts: list[bytes]
    id_numbers: list[int]


class EveningTemplate(NamedTuple):
    """An evening that can be recorded repeatedly, each time with new ids."""

    id_count: int
    table: int
    entries: list[TemplateEvent]


class FilledStore(NamedTuple):
    """A filled store: its address, its number of events, its tables and its deals."""

    url: str
    events: int
    tables: list[str]
    deals: list[str]


def build_evening_template(seed: int) -> EveningTemplate:
    """An evening recorded by the service: a table and its deals, played to the end."""
    store = MemoryStore()
    client = owner_of(create_app(store))
    table = recorded_table(store)
    for number in range(DEALS_PER_EVENING):
        seen = {"If-Match": f'"{store.stream_version(table)}"'}
        begun = client.post(f"{API_ROOT}/tables/{table}/deals", json={}, headers=seen).get_json()
        _, *course = some_deal(seed * DEALS_PER_EVENING + number)
        answer = client.post(
            f"{API_ROOT}/deals/{begun['deal']}/events", json=course, headers={"If-Match": '"1"'}
        )
        if answer.status_code != 201:
            raise RuntimeError(answer.get_data(as_text=True))
    numbers: dict[bytes, int] = {}

    def number_of(name: bytes) -> int:
        return numbers.setdefault(name, len(numbers))

    entries = []
    kinds = {one.stream: one.kind for one in store.list_streams(limit=1000)}
    for event in store.read_all(limit=1_000_000):
        body = _STORE_MEMBERS.sub(b"}", event.body)
        names = _ID.findall(body)
        stream, event_id = number_of(event.stream.encode()), number_of(event.event_id.encode())
        named = [number_of(one) for one in names]
        entries.append(TemplateEvent(stream, kinds[event.stream], event_id, _ID.split(body), named))
    return EveningTemplate(len(numbers), numbers[table.encode()], entries)


def record_template(store: PostgresStore, template: EveningTemplate, number: int) -> tuple[str, list[str]]:
    """Record the evening with this number, with new ids; returns the table and its deals.

    Ten evenings share a day and a club, so that an evening can be found by its day and by its players.
    """
    ids = [new_id() for _ in range(template.id_count)]
    club, day = number // EVENINGS_PER_DAY, FIRST_DAY + timedelta(number // EVENINGS_PER_DAY)
    pairs = zip(PLAYERS, list_club_players(club), strict=True)
    players = [(f'"{one}"'.encode(), f'"{who}"'.encode()) for one, who in pairs]
    on_that_day = f',"recorded_at":"{day.isoformat()}T19:30:00.000Z"}}'.encode()
    bare = [one.encode() for one in ids]
    streams: dict[int, list[NewEvent]] = {}
    kinds: dict[int, str] = {}
    for stream, kind, event_id, between, named in template.entries:
        pieces = [between[0]]
        for name, piece in zip(named, between[1:], strict=True):
            pieces += (bare[name], piece)
        body = b"".join(pieces)
        for one, who in players:
            body = body.replace(one, who)
        if kind == "table" and stream not in streams:
            body = body[:-1] + on_that_day
        streams.setdefault(stream, []).append(NewEvent(ids[event_id], body))
        kinds[stream] = kind
    table = ids[template.table]
    store.append(table, [StreamAppend(ids[one], 0, events, kinds[one]) for one, events in streams.items()])
    return table, [ids[one] for one, kind in kinds.items() if kind == "deal"]


TOKEN_REGISTER: Final = AccessRegister()
MEMBER_IDS: Final = tuple(TOKEN_REGISTER.add_member(Member("", name)).id for name in PLAYERS)


def list_club_players(number: int) -> tuple[str, ...]:
    """The players of the club with this number; the first club has members."""
    return tuple(f"{name} {number}" for name in PLAYERS) if number else MEMBER_IDS


def build_filled_store(server: Server, events: int) -> FilledStore:
    """Fill a store with at least this many events."""
    url = server.url(server.new_database())
    templates = [build_evening_template(seed) for seed in range(TEMPLATE_COUNT)]
    each = sum(len(one.entries) for one in templates) / TEMPLATE_COUNT
    count = -(-events // int(each))
    with PostgresStore(url) as store, ThreadPoolExecutor(FILL_THREADS) as fillers:
        numbers = range(count)
        told = fillers.map(
            lambda number: record_template(store, templates[number % TEMPLATE_COUNT], number), numbers
        )
        records = [*told]
        size = store.head()
    server.execute("VACUUM ANALYZE", url.rsplit("/", 1)[1].split("?")[0])  # as the server does in time
    return FilledStore(
        url, size, [table for table, _ in records], [one for _, deals in records for one in deals]
    )


@contextmanager
def open_application_client(records: FilledStore) -> Iterator[FlaskClient]:
    """An application with empty caches on a store."""
    with PostgresStore(records.url) as store:
        yield owner_of(create_app(store, register=TOKEN_REGISTER))


def measure_seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def measure_opening(records: FilledStore) -> float:
    """Seconds until the store is open and returns its number of events."""

    def open_store() -> None:
        with PostgresStore(records.url) as store:
            store.head()

    return measure_seconds(open_store)


def measure_get(client: FlaskClient, path: str) -> float:
    """Seconds for a response."""

    def send_request() -> None:
        answer = client.get(path)
        if answer.status_code != 200:
            raise RuntimeError(answer.get_data(as_text=True))

    return measure_seconds(send_request)


def measure_append(client: FlaskClient, deal: str) -> float:
    """Seconds until a note is stored and acknowledged."""

    def send_note() -> None:
        note = {"type": "note_added", "text": "The same to everybody."}
        answer = client.post(f"{API_ROOT}/deals/{deal}/events", json=note, headers={"If-Match": "*"})
        if answer.status_code != 201:
            raise RuntimeError(answer.get_data(as_text=True))

    return measure_seconds(send_note)


def update_projections(records: FilledStore) -> Iterator[tuple[str, int, float]]:
    """Update the projections of all records; returns each projection's name, its number of roots, and its
    seconds."""
    with PostgresStore(records.url) as store:
        for one in ALL_PROJECTIONS:
            projector = Projector(store, ClubRules(store), one)
            took = measure_seconds(projector.catch_up)
            yield one.name, projector.folded_count, took


def prepare_projections(records: FilledStore) -> None:
    """Update the projections of all records, and print how long it takes."""
    for name, made, took in update_projections(records):
        print(
            f"{name} kept of {made:,} roots of {records.events:,} events: {took:.0f} s, "
            f"{took / made * 1e3:.1f} ms each",
            flush=True,
        )


def pick_day(rng: random.Random, records: FilledStore) -> str:
    """A day with ten evenings."""
    return (FIRST_DAY + timedelta(rng.randrange(len(records.tables) // EVENINGS_PER_DAY))).isoformat()


NEWEST_TABLES: Final = "the newest tables"
LIST_OF_SEASONS: Final = "the list of seasons"
REASONS_WITHOUT_GOAL: Final = {
    NEWEST_TABLES: "the small store has ten tables, a page lists fifty",
    LIST_OF_SEASONS: "it counts all evenings",
}
"""Measurements without a goal for the ratio: the small store has less to return."""
RECORD_REQUESTS: Final[dict[str, Callable[[FlaskClient, str, str], float]]] = {
    "a note appended": lambda client, deal, _: measure_append(client, deal),
    "the replay of a deal": lambda client, deal, _: measure_get(client, f"{API_ROOT}/deals/{deal}/replay"),
    "the page of a deal": lambda client, deal, _: measure_get(client, f"/deals/{deal}"),
    "the ledger of a table": lambda client, _, table: measure_get(
        client, f"{API_ROOT}/tables/{table}/ledger"
    ),
    "the newest deals": lambda client, _, __: measure_get(client, "/deals"),
    NEWEST_TABLES: lambda client, _, __: measure_get(client, "/tables"),
}
SEASON_REQUESTS: Final[dict[str, Callable[[FlaskClient, str], float]]] = {
    "ten evenings of a day": lambda client, day: measure_get(client, f"/seasons/{day}--{day}"),
    "a member of ten evenings": lambda client, _: measure_get(client, f"/members/{MEMBER_IDS[0]}"),
    LIST_OF_SEASONS: lambda client, _: measure_get(client, "/seasons"),
}


def pick_records(rng: random.Random, records: FilledStore, count: int) -> list[tuple[str, str]]:
    """Deals and tables, without repetition."""
    return list(zip(rng.sample(records.deals, count), rng.sample(records.tables, count), strict=True))


def print_comparison(
    small: FilledStore, large: FilledStore, rounds: int, picks_per_round: int, goals: BenchGoals
) -> None:
    """Print the medians of each store and their ratio."""
    for name, (few, many) in measure_both_stores(small, large, rounds, picks_per_round).items():
        ratio = median(many) / median(few)
        goal = REASONS_WITHOUT_GOAL.get(name, f"goal: at most {MAX_RATIO:.0f}")
        print(
            f"{name:24} {median(few) * 1e3:8.2f} ms of {small.events:,} events, {median(many) * 1e3:8.2f} ms "
            f"of {large.events:,}: {ratio:.2f} ({goal})"
        )
        if name not in REASONS_WITHOUT_GOAL:
            goals.check_at_most(f"{name}, beside a small store", ratio, MAX_RATIO)


def measure_both_stores(
    small: FilledStore, large: FilledStore, rounds: int, picks_per_round: int
) -> dict[str, tuple[list[float], list[float]]]:
    """The seconds of each action in the small store and in the large one."""
    times: dict[str, tuple[list[float], list[float]]] = {}
    rng = random.Random(1)
    for turn in range(rounds):
        both = (small, large) if turn % 2 else (large, small)
        for records in both:
            times.setdefault("the store opened", ([], []))[records is large].append(measure_opening(records))
        with open_application_client(small) as first, open_application_client(large) as second:
            clients = {id(small): first, id(large): second}
            for records in both:
                took = measure_get(clients[id(records)], f"/deals/{rng.choice(records.deals)}")
                times.setdefault("its first page of a deal", ([], []))[records is large].append(took)
            for name, way in RECORD_REQUESTS.items():
                chosen = {id(one): pick_records(rng, one, picks_per_round) for one in both}
                for pick in range(picks_per_round):
                    for records in both:
                        took = way(clients[id(records)], *chosen[id(records)][pick])
                        times.setdefault(name, ([], []))[records is large].append(took)
            for records in both:  # as the service does, half a minute after the notes
                list(update_projections(records))
            for name, of_evenings in SEASON_REQUESTS.items():
                for _ in range(picks_per_round):
                    for records in both:
                        took = of_evenings(clients[id(records)], pick_day(rng, records))
                        times.setdefault(name, ([], []))[records is large].append(took)
    return times


def measure_verification(records: FilledStore, goals: BenchGoals) -> None:
    """Verify the whole store as a director does, and print the rate."""
    with tempfile.TemporaryDirectory() as folder:
        done = run_spadille("verify", records.url, "--data", folder)
    print(
        f"verify of {records.events:,} events: {done.seconds:.0f} s, {records.events / done.seconds:,.0f}/s "
        f"(goal: {MIN_VERIFIED_PER_SECOND:,}), "
        f"{done.cpu_seconds / records.events * 1e6:.1f} µs of processor each, "
        f"{done.max_memory_mib:.0f} MiB in the largest of its processes"
    )
    goals.check_at_least("events verified a second", records.events / done.seconds, MIN_VERIFIED_PER_SECOND)


def main() -> int:
    """Fill both stores, and print."""
    parser = build_bench_parser("Measures a large store beside a small one.")
    parser.add_argument("--events", type=int, default=10_000_000, help="events of the large store")
    parser.add_argument("--small", type=int, default=10_000, help="events of the small store")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--picks", type=int, default=8, help="deals, and tables, of each round")
    options = parser.parse_args()
    goals, server = BenchGoals(options), Server(synced=True)
    try:
        small = build_filled_store(server, options.small)
        began = time.perf_counter()
        large = build_filled_store(server, options.events)
        took = time.perf_counter() - began
        print(
            f"{large.events:,} events of {len(large.tables):,} evenings recorded in {took:,.0f} s, "
            f"load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        for records in (small, large):
            prepare_projections(records)
        print_comparison(small, large, options.rounds, options.picks, goals)
        sys.stdout.flush()
        measure_verification(large, goals)
    finally:
        server.stop()
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
