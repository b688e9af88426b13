"""The nodes of a cluster, known by what stands in their folders: built, killed, frozen, cut off, removed."""

import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson

from tests.support.waiting import until
from tests.system.cluster import layout
from tests.system.cluster.layout import HOST, SUPERUSER, Node

DEBIAN: Final = Path("/usr/lib/postgresql")
ACCOUNT: Final = "postgres"
"""PostgreSQL refuses to run as root; Debian's package makes this account for it."""
TIMEOUT_SECONDS: Final = 120.0
"""Seconds until something that has to happen is held to have failed."""
DISK_SIZE: Final = "2g"
PAGE: Final = 4096


class NotBuilt(Exception):
    """A cluster that cannot be built here, or did not come up."""


class Cluster:
    """Three nodes in ``folder``; ``synchronous``: nothing is acknowledged that one of them alone has.

    With ``own_disks`` each lies on a small one of its own (in memory), which can be full; only root can.
    """

    def __init__(
        self, folder: Path, first_port: int = 24100, *, synchronous: bool = True, own_disks: bool = False
    ) -> None:
        self.folder, self.strict, self.own_disks = folder.resolve(), synchronous, own_disks
        self.nodes = layout.nodes_in(self.folder, first_port)

    def up(self) -> None:
        """Builds it; comes back once it takes writes and a standby holds them, too. Raises `NotBuilt`."""
        programs = programs_here()
        for node in self.nodes:
            node.folder.mkdir(parents=True)
            if self.own_disks:
                _command("mount", "-t", "tmpfs", "-o", f"size={DISK_SIZE}", "spadille", str(node.folder))
            text = layout.patroni_configuration(node, self.nodes, programs, self.strict)
            (node.folder / "patroni.yml").write_text(text, encoding="utf-8")
        self._give(self.folder)
        for node in self.nodes:
            self.start(node)
        self.wait_until(self.is_whole, "the cluster to come up")

    def down(self) -> None:
        for node in self.nodes:
            self.kill(node)
            if node.folder.is_mount():
                _command("umount", "--lazy", str(node.folder))
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, node: Node) -> None:
        node.cut.unlink(missing_ok=True)
        ends = map(str, (node.link, node.postgres, node.cut))
        link = [sys.executable, "-m", "tests.system.cluster.link", *ends]
        self._run(node, "link", link, as_account=False)
        self._run(node, "etcd", layout.etcd_command(node, self.nodes))
        self._run(node, "patroni", ["patroni", str(node.folder / "patroni.yml")])

    def address(self, database: str, user: str = SUPERUSER) -> str:
        return layout.conninfo(self.nodes, database, user)

    def kill(self, node: Node) -> None:
        """kill -9 of everything on a node, as when its power fails."""
        self._signal(node, signal.SIGKILL)

    def freeze(self, node: Node) -> None:
        """Everything on a node stands still, and keeps its connections."""
        self._signal(node, signal.SIGSTOP)

    def thaw(self, node: Node) -> None:
        self._signal(node, signal.SIGCONT)

    def cut(self, node: Node) -> None:
        """The other nodes do not reach this one's PostgreSQL any more; clients do."""
        node.cut.touch()

    def fill(self, node: Node) -> None:
        piece, taken = 1 << 30, 0
        with node.filler.open("wb") as filler:
            while piece >= PAGE:
                try:
                    os.posix_fallocate(filler.fileno(), taken, piece)
                    taken += piece
                except OSError:
                    piece //= 2

    def empty(self, node: Node) -> None:
        node.filler.unlink(missing_ok=True)

    def leader(self) -> Node | None:
        """The node that takes writes; None while there is none."""
        return next((node for node in self.nodes if _answers(node, "primary")), None)

    def leading(self) -> Node:
        found = self.leader()
        assert found is not None
        return found

    def standbys(self) -> list[Node]:
        return [node for node in self.nodes if _answers(node, "replica")]

    def synchronous(self) -> Node | None:
        """The standby without which nothing is acknowledged; None while there is none."""
        return next((node for node in self.nodes if _answers(node, "synchronous")), None)

    def is_whole(self) -> bool:
        """Whether every node does its part, a synchronous standby among them where that was asked for."""
        ready = self.leader() is not None and len(self.standbys()) == len(self.nodes) - 1
        return ready and (not self.strict or self.synchronous() is not None)

    def told(self) -> str:
        return "\n".join(f"{node.name}: {_said(node)}" for node in self.nodes)

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something that has to happen. Raises `NotBuilt` where it does not."""
        try:
            until(is_so, what, TIMEOUT_SECONDS)
        except AssertionError as error:
            raise NotBuilt(f"{error}\n{self.told()}") from None

    def _run(self, node: Node, what: str, command: list[str], *, as_account: bool = True) -> None:
        account = ACCOUNT if as_account and os.geteuid() == 0 else None
        with (node.folder / f"{what}.log").open("ab") as log:
            subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                user=account, group=account, extra_groups=[] if account else None, umask=0o077,
            )  # fmt: skip

    def _signal(self, node: Node, number: int) -> None:
        """Sends a signal to whatever runs for a node, until it has reached everything."""
        reached: set[int] = set()
        while found := set(_running_in(node)) - reached:
            for pid in found:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            reached |= found

    def _give(self, folder: Path) -> None:
        if os.geteuid() != 0:
            return
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, ACCOUNT, ACCOUNT)
        for parent in folder.parents:
            if not parent.stat().st_mode & 0o001:
                raise NotBuilt(f"{parent} is closed to the account {ACCOUNT}; build the cluster elsewhere.")


def _command(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuilt(f"{' '.join(words)}: {done.stderr.strip()}")


def programs_here() -> Path:
    """Where PostgreSQL's newest programs are. Raises `NotBuilt` where a package is not installed."""
    lacking = [name for name in ("etcd", "patroni") if shutil.which(name) is None]
    found = sorted(DEBIAN.glob("*/bin/postgres"), key=lambda one: int(one.parts[-3]))
    if lacking or not found:
        raise NotBuilt("Install Debian's packages first: apt-get install postgresql patroni etcd-server")
    return found[-1].parent


def _running_in(node: Node) -> Iterator[int]:
    """The processes that run for a node, known by their command lines and folders."""
    place = str(node.folder)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                command = (entry / "cmdline").read_bytes().decode(errors="replace")
                if place in command or str((entry / "cwd").readlink()).startswith(place):
                    yield int(entry.name)


def _answers(node: Node, part: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{node.rest}/{part}", timeout=1) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _said(node: Node) -> str:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{node.rest}/patroni", timeout=1) as answer:
            told = orjson.loads(answer.read())
    except urllib.error.HTTPError as error:
        told = orjson.loads(error.read())
    except (OSError, urllib.error.URLError):
        return "does not answer"
    return f"{told.get('role')}, {told.get('state')}, timeline {told.get('timeline')}"
