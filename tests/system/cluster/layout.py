"""What each node of the cluster runs: its addresses, its folders, and the configurations of its programs."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

HOST: Final = "127.0.0.1"
NAMES: Final = ("n1", "n2", "n3")
SUPERUSER, REPLICATOR, REWINDER = "postgres", "replicator", "rewinder"
ACCOUNTS: Final = {"superuser": SUPERUSER, "replication": REPLICATOR, "rewind": REWINDER}
PASSWORD: Final = "of-a-cluster-for-tests"  # Nobody but this machine can reach it.
TTL: Final = 20
"""Seconds until a leader that says nothing is one no more: the least that Patroni takes."""
LOOP: Final = 2
RETRY: Final = 4


class Node(NamedTuple):
    name: str
    folder: Path
    etcd_client: int
    """Where etcd answers Patroni."""
    etcd_peer: int
    """Where etcd answers the other nodes' etcd."""
    rest: int
    """Where Patroni tells what the node is."""
    postgres: int
    """Where PostgreSQL answers clients."""
    link: int
    """Where the other nodes reach this one's PostgreSQL: a link that can be cut."""

    @property
    def cut(self) -> Path:
        """The file that cuts the link while it is there."""
        return self.folder / "link.cut"

    @property
    def filler(self) -> Path:
        """The file that takes all the room that is left on the node's disk."""
        return self.folder / "filler"


def nodes_in(folder: Path, first_port: int) -> tuple[Node, ...]:
    ports = (range(first, first + 5) for first in range(first_port, first_port + 30, 10))
    return tuple(Node(name, folder / name, *five) for name, five in zip(NAMES, ports, strict=True))


def etcd_command(node: Node, nodes: tuple[Node, ...]) -> list[str]:
    """How the node's etcd is started: one member of three, so that two go on without the third."""
    peers = ",".join(f"{one.name}=http://{HOST}:{one.etcd_peer}" for one in nodes)
    client, peer = f"http://{HOST}:{node.etcd_client}", f"http://{HOST}:{node.etcd_peer}"
    return [
        "etcd", "--name", node.name, "--data-dir", str(node.folder / "etcd"),
        "--listen-client-urls", client, "--advertise-client-urls", client,
        "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
        "--initial-cluster", peers, "--initial-cluster-state", "new",
        "--heartbeat-interval", "200", "--election-timeout", "2000",
    ]  # fmt: skip


def patroni_configuration(node: Node, nodes: tuple[Node, ...], programs: Path, synchronous: bool) -> str:
    """Patroni's configuration: with ``synchronous`` nothing is acknowledged that one node alone has."""
    configuration: dict[str, Any] = {
        "scope": "spadille",
        "name": node.name,
        "restapi": {"listen": f"{HOST}:{node.rest}", "connect_address": f"{HOST}:{node.rest}"},
        "etcd3": {"hosts": [f"{HOST}:{one.etcd_client}" for one in nodes]},
        "bootstrap": {
            "dcs": agreed(synchronous),
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
            "pg_hba": [
                f"host replication {REPLICATOR} {HOST}/32 scram-sha-256",
                f"host all all {HOST}/32 scram-sha-256",
            ],
        },
        "postgresql": {
            "listen": f"{HOST}:{node.postgres}",
            "connect_address": f"{HOST}:{node.link}",
            "data_dir": str(node.folder / "data"),
            "bin_dir": str(programs),
            "pgpass": str(node.folder / "pgpass"),
            "parameters": {"unix_socket_directories": str(node.folder)},
            "authentication": {
                role: {"username": name, "password": PASSWORD} for role, name in ACCOUNTS.items()
            },
        },
    }
    return json.dumps(configuration, indent=2)  # JSON is YAML, too.


def agreed(synchronous: bool) -> dict[str, Any]:
    """What the nodes agree on, kept in etcd."""
    return {
        "ttl": TTL,
        "loop_wait": LOOP,
        "retry_timeout": RETRY,
        "maximum_lag_on_failover": 1 << 40,
        "primary_start_timeout": 10,
        "synchronous_mode": synchronous,
        "synchronous_mode_strict": synchronous,
        "postgresql": {
            "use_pg_rewind": True,
            "use_slots": True,
            "parameters": {
                "max_connections": 200, "wal_keep_size": "256MB", "synchronous_commit": "on",
                "wal_receiver_timeout": "5s", "wal_sender_timeout": "5s",
            },
        },
    }  # fmt: skip


def conninfo(nodes: tuple[Node, ...], database: str, user: str = SUPERUSER) -> str:
    hosts = ",".join(f"{HOST}:{one.postgres}" for one in nodes)
    return (
        f"postgresql://{user}:{PASSWORD}@{hosts}/{database}?target_session_attrs=read-write&connect_timeout=3"
    )
