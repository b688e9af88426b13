"""The cost of signed logs: `python -m bench.evidence`.

Leaf hashes, compared with the bare SHA-256 of the same bodies; a checkpoint and a deal's proof in a small
store and in a large one, each compared with reading that deal's events; verifying a whole store, compared
with reading all of it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median

from bench.goals import BenchGoals, build_bench_parser
from bench.store import EVENTS_PER_DEAL, STORED_AT_TEXT, build_event_deals
from service.eventstore import SqliteStore, StoredEvent, StreamAppend
from service.eventstore.merkle.leaves import compute_commitment, compute_event_leaf, new_salts
from service.transparency.notary import Notary
from service.transparency.proof_files import build_inclusion_proof, serialize_inclusion_proof
from service.transparency.store_verification import verify_store


def median_seconds(action: Callable[[], object], times: int) -> float:
    """The median time of this many runs."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return median(taken)


def measure_leaves(event_count: int) -> None:
    """Salt, commitment and leaf of each event, compared with hashing its body once."""
    work = [event for deal in build_event_deals(event_count // EVENTS_PER_DEAL) for event in deal]

    def seal_events() -> None:
        for salt, event in zip(new_salts(len(work)), work, strict=True):
            compute_event_leaf(
                "table 1", "deal 1", 7, event.event_id, STORED_AT_TEXT, compute_commitment(salt, event.body)
            )

    ours = median_seconds(seal_events, 5) / len(work)
    bare = median_seconds(lambda: [sha256(event.body).digest() for event in work], 5) / len(work)
    print(f"leaf of an event        {ours * 1e6:8.2f} µs   bare SHA-256 {bare * 1e6:.2f} µs")


def fill_store(store: SqliteStore, event_count: int) -> None:
    """Record this many events, in batches of several deals of one table."""
    for table in range(event_count // (EVENTS_PER_DEAL * 20)):
        work = build_event_deals(20)
        store.append(
            f"table {table}",
            [StreamAppend(f"deal {table}-{number}", 0, deal, "deal") for number, deal in enumerate(work)],
        )


def read_all_events(store: SqliteStore) -> list[StoredEvent]:
    """Read every event, a page at a time; returns the last page."""
    after, page = 0, store.read_all()
    while page:
        after = page[-1].position
        page = store.read_all(after)
    return page


def measure_transparency(event_count: int, folder: Path) -> float:
    """Print the cost of transparency in a store with this many events; returns the seconds for a proof."""
    with SqliteStore(folder / f"{event_count}.db") as store:
        fill_store(store, event_count)
        head, notary, deal = store.head(), Notary.in_memory(), "deal 0-7"
        note = notary.sign_checkpoint(store)
        proof = median_seconds(
            lambda: serialize_inclusion_proof(
                build_inclusion_proof(store, note, {deal: EVENTS_PER_DEAL}, lambda _: True)
            ),
            20,
        )
        read = median_seconds(lambda: store.read_stream(deal), 20)
        checkpoint = median_seconds(lambda: notary.sign_checkpoint(store), 20)
        verified = median_seconds(lambda: verify_store(store.inspection()), 1)
        walked = median_seconds(lambda: read_all_events(store), 1)
        print(
            f"{head:9,} events: checkpoint {checkpoint * 1e3:6.2f} ms, "
            f"proof of {EVENTS_PER_DEAL} events {proof * 1e3:6.2f} ms (reading them {read * 1e3:.2f} ms), "
            f"verify {head / verified:9,.0f} events/s (reading {head / walked:9,.0f}/s)"
        )
        return proof


def main() -> int:
    """Run and print."""
    parser = build_bench_parser("Measures what evidence costs.")
    parser.add_argument("--small", type=int, default=12_000, help="events of the small store")
    parser.add_argument("--large", type=int, default=240_000, help="events of the large store")
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the files are made")
    options = parser.parse_args()
    measure_leaves(options.small)
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        small, large = (measure_transparency(size, Path(folder)) for size in (options.small, options.large))
    print(f"a proof in the large store takes {large / small:.2f} × its time in the small one")
    return BenchGoals(options).exit_status()


if __name__ == "__main__":
    sys.exit(main())
