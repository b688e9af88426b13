"""Parts of a cluster fail while clients record: nothing acknowledged is lost, doubled or branched."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.system.cluster.nodes import Cluster
from tests.system.cluster.stand import OWNER, Stand
from tests.system.faults.accounts import amiss, fault_counts

END_SESSIONS: Final = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{OWNER}'"
FROZEN_FOR: Final = 30.0
"""Seconds in which nobody leads: longer than an append may stand still."""
FULL_FOR: Final = 15.0
"""Seconds in which a disk is full."""


def leader_killed(stand: Stand, cluster: Cluster) -> None:
    """kill -9 of everything on the leader's node; another is promoted, and the first comes back."""
    old = cluster.leading()
    cluster.kill(old)
    cluster.wait_until(lambda: cluster.leader() not in (None, old), "another leader")
    stand.go_on()
    cluster.start(old)


def service_killed(stand: Stand, cluster: Cluster) -> None:
    service = stand.chance.choice(stand.services)
    service.kill()
    time.sleep(stand.chance.uniform(0, 1))
    service.start()


def connections_cut(stand: Stand, cluster: Cluster) -> None:
    """Every session of the service is ended in the middle of what it does, again and again."""
    for _ in range(10):
        stand.on_the_leader(END_SESSIONS)
        time.sleep(stand.chance.uniform(0.02, 0.4))


def standby_frozen(stand: Stand, cluster: Cluster) -> None:
    """A synchronous standby stands still: the cluster takes the other one, and goes on."""
    standby = cluster.synchronous() or stand.chance.choice(cluster.standbys())
    cluster.freeze(standby)
    try:
        stand.go_on()
    finally:
        cluster.thaw(standby)


def majority_frozen(stand: Stand, cluster: Cluster) -> None:
    """Two of three nodes stand still: nobody may lead, nothing is acknowledged, and it goes on by itself."""
    standbys = cluster.standbys()
    for one in standbys:
        cluster.freeze(one)
    time.sleep(FROZEN_FOR)
    for one in standbys:
        cluster.thaw(one)


def disk_full(stand: Stand, cluster: Cluster) -> None:
    """No byte is left on the leader's disk for a while; whether it refuses or ends is its own affair."""
    old = cluster.leading()
    cluster.fill(old)
    time.sleep(FULL_FOR)
    cluster.empty(old)


def link_cut_and_leader_killed(stand: Stand, cluster: Cluster) -> None:
    """No standby reaches the leader any more while clients go on; then its node is killed."""
    cluster.cut(cluster.leading())
    time.sleep(5)
    leader_killed(stand, cluster)


FAILURES: Final[dict[str, Callable[[Stand, Cluster], None]]] = {
    "leader-killed": leader_killed, "service-killed": service_killed, "connections-cut": connections_cut,
    "standby-frozen": standby_frozen, "majority-frozen": majority_frozen, "disk-full": disk_full,
    "link-cut": link_cut_and_leader_killed,
}  # fmt: skip
HARMLESS: Final = tuple(name for name in FAILURES if name != "link-cut")
"""Those in which nothing may be lost; the last has to lose events where replication is asynchronous."""


def failed(
    folder: Path, cluster: Cluster, failures: list[str], clients: int, seed: int, tell: Callable[[str], None]
) -> list[str]:
    """These failures one after another, while so many clients record; what is amiss, and then it ends."""
    stand = Stand(folder, cluster, seed)
    faults: list[str] = []
    with stand.running(clients):
        for name in failures:
            before = stand.clients.count()
            time.sleep(stand.chance.uniform(0.5, 2))
            FAILURES[name](stand, cluster)
            stand.go_on()
            cluster.wait_until(cluster.is_whole, "the cluster to be whole again")
            faults = stand.amiss()
            tell(f"{name}: {stand.clients.count() - before:,} acknowledged")
            if faults:
                break
    told, stored = stand.clients.told(), stand.stored()
    faults = faults or amiss(told, stored)
    tell(
        f"{sum(map(len, told.values())):,} events acknowledged in {len({one.stream for one in stored}):,} "
        f"records ({len(stored):,} stored): {fault_counts(faults)}"
    )
    return faults
