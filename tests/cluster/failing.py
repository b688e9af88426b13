"""Parts of a cluster fail while clients record: nothing acknowledged is lost, doubled, left out or branched.

Service nodes stand on the cluster, and clients append by all of them (`tests.cluster.stand`). After each
failure everybody stands still, and what was acknowledged is held to what the cluster has. `test_short` does
the same to a leader and a standby without Patroni.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tests.cluster.nodes import Cluster
from tests.cluster.stand import OWNER, Stand
from tests.faults.accounts import amiss, lines_in

END_SESSIONS: Final = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{OWNER}'"
FROZEN_FOR: Final = 30.0
"""Seconds in which nobody leads: longer than an append may stand still."""
FULL_FOR: Final = 15.0
"""Seconds in which a disk is full."""


class Failed(NamedTuple):
    """What a run came to: by failure, how many events were acknowledged during it, and what was amiss."""

    failures: tuple[tuple[str, int], ...]
    acknowledged: int
    stored: int
    streams: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        kinds = ("lost", "doubled", "gap", "order", "changed", "ended")
        counts = ", ".join(f"{sum(one.startswith(kind) for one in self.faults)} {kind}" for kind in kinds)
        return (
            f"{len(self.failures)} failures, {self.acknowledged:,} events acknowledged in {self.streams:,} "
            f"records ({self.stored:,} stored): {counts}"
        )


Trial = Stand[Cluster]


# --- The failures ----------------------------------------------------------------------------------------


def leader_killed(stand: Trial) -> None:
    """kill -9 of everything on the leader's node; another is promoted, and the first comes back."""
    old = stand.cluster.leader()
    assert old is not None
    stand.cluster.kill(old)
    stand.cluster.wait_until(lambda: (stand.cluster.leader() or old) is not old, "another leader")
    stand.go_on()
    stand.cluster.start(old)


def service_killed(stand: Trial) -> None:
    """kill -9 of a service node."""
    service = stand.chance.choice(stand.services)
    service.kill()
    time.sleep(stand.chance.uniform(0, 1))
    service.start()


def connections_cut(stand: Trial) -> None:
    """Every session of the service is ended in the middle of what it does, again and again."""
    for _ in range(10):
        stand.on_the_leader(END_SESSIONS)
        time.sleep(stand.chance.uniform(0.02, 0.4))


def standby_frozen(stand: Trial) -> None:
    """A synchronous standby stands still: the cluster takes the other one, and goes on."""
    standby = stand.cluster.synchronous() or stand.chance.choice(stand.cluster.standbys())
    stand.cluster.freeze(standby)
    try:
        stand.go_on()
    finally:
        stand.cluster.thaw(standby)


def majority_frozen(stand: Trial) -> None:
    """Two of three nodes stand still: nobody may lead, nothing is acknowledged, and it goes on by itself."""
    standbys = stand.cluster.standbys()
    for one in standbys:
        stand.cluster.freeze(one)
    time.sleep(FROZEN_FOR)
    for one in standbys:
        stand.cluster.thaw(one)


def disk_full(stand: Trial) -> None:
    """No byte is left on the leader's disk for a while; whether it refuses or ends is its own affair."""
    old = stand.cluster.leader()
    assert old is not None
    stand.cluster.fill(old)
    time.sleep(FULL_FOR)
    stand.cluster.empty(old)


def link_cut_and_leader_killed(stand: Trial) -> None:
    """No standby reaches the leader any more while clients go on; then its node is killed."""
    old = stand.cluster.leader()
    assert old is not None
    stand.cluster.cut(old)
    time.sleep(5)
    stand.cluster.kill(old)
    stand.cluster.wait_until(lambda: (stand.cluster.leader() or old) is not old, "another leader")
    stand.go_on()
    stand.cluster.start(old)


FAILURES: Final[dict[str, Callable[[Trial], None]]] = {
    "leader-killed": leader_killed,
    "service-killed": service_killed,
    "connections-cut": connections_cut,
    "standby-frozen": standby_frozen,
    "majority-frozen": majority_frozen,
    "disk-full": disk_full,
    "link-cut": link_cut_and_leader_killed,
}
HARMLESS: Final = tuple(name for name in FAILURES if name != "link-cut")
"""Those in which nothing may be lost; the last has to lose events where replication is asynchronous."""


# --- A run -----------------------------------------------------------------------------------------------


def failed(
    folder: Path,
    cluster: Cluster,
    failures: list[str],
    clients: int,
    seed: int,
    tell: Callable[[str], None],
) -> Failed:
    """These failures one after another, while so many clients record; ends where something is amiss."""
    stand = Stand(folder, cluster, seed)
    made: list[tuple[str, int]] = []
    faults: list[str] = []
    with stand.running(clients, seed):
        for name in failures:
            before = stand.count()
            time.sleep(stand.chance.uniform(0.5, 2))
            FAILURES[name](stand)
            stand.go_on()
            cluster.wait_until(cluster.is_whole, "the cluster to be whole again")
            faults = stand.amiss()
            made.append((name, stand.count() - before))
            tell(f"{name}: {made[-1][1]:,} acknowledged" + "".join(f"\n  {one}" for one in faults[:3]))
            if faults:
                break
    stored, told = stand.stored(), lines_in(stand.clients)
    faults = faults or amiss(told, stored)
    acknowledged = sum(map(len, told.values()))
    return Failed(tuple(made), acknowledged, len(stored), len({one.stream for one in stored}), tuple(faults))
