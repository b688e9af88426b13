"""What evidence costs: `python -m bench.evidence`.

Leaf hashes beside the bare SHA-256 of the same bodies; a checkpoint and a deal's proof in a small store and
in a large one, each beside reading that deal's events; verifying a whole store beside reading all of it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median

from bench.goals import Goals, bench_options
from bench.store import DEAL, STORED_AT, deals
from service.eventstore import Append, SqliteStore, StoredEvent
from service.eventstore.merkle.leaves import commitment, event_leaf, new_salts
from service.transparency.notary import Notary
from service.transparency.proofs import proof_bytes, proof_of
from service.transparency.verifying import verify_store


def seconds(act: Callable[[], object], times: int) -> float:
    """The median of so many runs."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append(time.perf_counter() - began)
    return median(taken)


def leaves(events: int) -> None:
    """Salt, commitment and leaf of each event, beside hashing its body once."""
    work = [event for deal in deals(events // DEAL) for event in deal]

    def sealed() -> None:
        for salt, event in zip(new_salts(len(work)), work, strict=True):
            event_leaf("table 1", "deal 1", 7, event.event_id, STORED_AT, commitment(salt, event.body))

    ours = seconds(sealed, 5) / len(work)
    bare = seconds(lambda: [sha256(event.body).digest() for event in work], 5) / len(work)
    print(f"leaf of an event        {ours * 1e6:8.2f} µs   bare SHA-256 {bare * 1e6:.2f} µs")


def fill(store: SqliteStore, events: int) -> None:
    """Records so many events, in batches of some deals of one table."""
    for table in range(events // (DEAL * 20)):
        work = deals(20)
        store.append(
            f"table {table}",
            [Append(f"deal {table}-{number}", 0, deal, "deal") for number, deal in enumerate(work)],
        )


def read_all(store: SqliteStore) -> list[StoredEvent]:
    """Every event, a page at a time; the last page."""
    after, page = 0, store.follow()
    while page:
        after = page[-1].position
        page = store.follow(after)
    return page


def measured(events: int, folder: Path) -> float:
    """Prints what evidence costs in a store of so many events; the seconds that a proof takes."""
    with SqliteStore(folder / f"{events}.db") as store:
        fill(store, events)
        head, notary, deal = store.head(), Notary.in_memory(), "deal 0-7"
        note = notary.checkpoint(store)
        proof = seconds(lambda: proof_bytes(proof_of(store, note, {deal: DEAL}, lambda _: True)), 20)
        read = seconds(lambda: store.read(deal), 20)
        checkpoint = seconds(lambda: notary.checkpoint(store), 20)
        verified = seconds(lambda: verify_store(store.inspection()), 1)
        walked = seconds(lambda: read_all(store), 1)
        print(
            f"{head:9,} events: checkpoint {checkpoint * 1e3:6.2f} ms, "
            f"proof of {DEAL} events {proof * 1e3:6.2f} ms (reading them {read * 1e3:.2f} ms), "
            f"verify {head / verified:9,.0f} events/s (reading {head / walked:9,.0f}/s)"
        )
        return proof


def main() -> int:
    """Run and print."""
    parser = bench_options("Measures what evidence costs.")
    parser.add_argument("--small", type=int, default=12_000, help="events of the small store")
    parser.add_argument("--large", type=int, default=240_000, help="events of the large store")
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the files are made")
    options = parser.parse_args()
    leaves(options.small)
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        small, large = (measured(size, Path(folder)) for size in (options.small, options.large))
    print(f"a proof in the large store takes {large / small:.2f} × its time in the small one")
    return Goals(options).status()


if __name__ == "__main__":
    sys.exit(main())
