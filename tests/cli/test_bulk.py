"""Many deals at once: the same words whatever the number of processes, and a good end whatever happens."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from schemas.logs.pieces import Piece, pieces_of
from schemas.wire.jsonlines import LISTED, NOTHING_PASSED
from service.cli.commands import validate
from service.cli.commands.validate import Validating
from service.cli.io.points import Point
from service.cli.io.work import Part, done
from service.cli.io.workers import Workers
from service.presentation.text.style import Style
from tests.support.cli.bulk import GOOD, MIXED, shown, small_pieces
from tests.support.cli.deals import SLIP, answers, jsonl, run
from tests.support.waiting import until

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.process
@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("kind", MIXED)
def test_two_processes_say_what_one_says(kind: str, output: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(MIXED[kind])
    one = run("validate", "--format", output, str(file))
    with small_pieces():
        two = run("validate", "--format", output, "--jobs", "2", str(file))
    assert shown(two) == shown(one)
    assert two.output == one.output  # also in the order of output and sentences


@pytest.mark.parametrize("command", ["score", "replay"])
@pytest.mark.parametrize("output", ["text", "json"])
def test_the_other_commands_too(command: str, output: str) -> None:
    given = MIXED["a bad line in every fourth deal"]
    one = run(command, "--format", output, "--at", "3", "-", given=given)
    with small_pieces():
        two = run(command, "--format", output, "--at", "3", "--jobs", "3", "-", given=given)
    assert one.exit_code == 2 and b"no entry 3" in one.stderr_bytes
    assert shown(two) == shown(one)


@pytest.mark.parametrize("bad", [LISTED, LISTED + 1, LISTED + 150])
def test_so_many_deals_that_are_left_out_are_told_and_the_rest_is_counted(bad: int, tmp_path: Path) -> None:
    many, other = tmp_path / "many.jsonl", tmp_path / "other.jsonl"
    many.write_bytes((jsonl(SLIP) + b"rubbish\n" + jsonl(SLIP)) * bad)
    other.write_bytes(jsonl(SLIP) + b"rubbish\n")
    arguments = ("validate", "--format", "json", str(many), str(other), str(many))
    told = run(*arguments)
    with small_pieces():
        assert shown(run(*arguments, "--jobs", "2")) == shown(told)
    lines = told.stderr.splitlines()
    counted = [line for line in lines if "more deal" in line]
    assert sum("from line" in line for line in lines) == 2 * LISTED + 1
    assert lines[-1:] == counted[-1:] or bad == LISTED
    which = "1 more deal is" if bad == LISTED + 1 else f"{bad - LISTED} more deals are"
    assert counted == [f"{many}: {which} left out, which cannot be read."] * (2 if bad > LISTED else 0)
    assert len(answers(told)) == 2 * bad
    if bad > LISTED:
        assert lines.index(counted[0]) < lines.index(next(line for line in lines if str(other) in line))


def test_many_files_come_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.jsonl" for number in range(150)]
    for number, name in enumerate(names):
        if number % 40 != 7:
            name.write_bytes(GOOD * (number % 3))
    named = [*map(str, names), str(tmp_path), "no-such-deal"]
    one = run("validate", "--format", "json", *named)
    with small_pieces(5_000):
        two = run("validate", "--format", "json", "--jobs", "2", *named)
    assert one.exit_code == 2 and "is a folder" in one.stderr
    assert shown(two) == shown(one) and two.output == one.output


def test_going_on_after_a_deal_gives_the_rest_of_one_run(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_bytes(MIXED["a bad line in every fourth deal"])
    second.write_bytes(GOOD)
    for command in ("validate", "score", "replay"):
        arguments = (command, "--format", "json", str(first), str(second))
        whole = run(*arguments)
        for jobs, deal in (("1", 8), ("1", 10), ("2", 77), ("2", 150)):
            with small_pieces():
                rest = run(*arguments, "--jobs", jobs, "--after", f"{first}:{deal}")
            before = run(command, "--format", "json", "-", given=_first_logs(first.read_bytes(), deal))
            assert before.stdout.replace('"file":"-"', f'"file":"{first}"') + rest.stdout == whole.stdout
            assert rest.stderr == _told_after(whole.stderr, deal)
    assert run("validate", str(first), str(second), "--after", f"{second}:2").stdout.startswith("✓ Nobody")


def _first_logs(data: bytes, count: int) -> bytes:
    starts = [at for at in range(len(data)) if data.startswith(b'{"type": "deal_opened"', at)]
    return data[: [*starts, len(data)][count]]


def _told_after(told: str, deal: int) -> str:
    """What is told of the deals after a deal, each of which has one problem."""
    pairs = told.splitlines(keepends=True)
    left = [pairs[at : at + 2] for at in range(0, len(pairs), 2)]
    return "".join(line for pair in left if int(pair[1].split("deal ")[1].split()[0]) > deal for line in pair)


def test_going_on_after_what_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(GOOD)
    for jobs in ("1", "2"):
        ended = run("validate", "--jobs", jobs, "--after", f"{file}:4", str(file))
        assert (ended.exit_code, ended.output) == (0, "")
        beyond = run("validate", "--jobs", jobs, "--after", f"{file}:5", str(file))
        assert (beyond.exit_code, beyond.stdout) == (2, "")
        assert "ends with deal 4; there is no deal 5" in beyond.stderr
    other = run("validate", "--after", "other:1", str(file))
    assert other.exit_code == 2 and "none of the files named" in other.stderr
    for wrong in ("deals.jsonl", "deals.jsonl:x", ":3"):
        assert run("validate", "--after", wrong, str(file)).exit_code == 2


@pytest.mark.parametrize("jobs", ["0", "auto"])
def test_one_process_for_each_core(jobs: str) -> None:
    assert len(answers(run("score", "--format", "json", "--jobs", jobs, "-", given=GOOD))) == 4


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_can_be_started_in_every_way(method: str) -> None:
    work = Validating(Point(None, None, "all"), False, Style())
    (piece,) = pieces_of([GOOD])
    assert isinstance(piece, Piece)
    part = Part("deals.jsonl", piece, NOTHING_PASSED, 0)
    with Workers(work, 2, multiprocessing.get_context(method)) as workers:
        tickets = [workers.give([part]) for _ in range(5)]
        for ticket in tickets:
            workers.wait_for(ticket)
            assert ticket.answer == [done(part, work)]


def test_a_mistake_in_a_worker_ends_as_one_here_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: Any) -> Any:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(validate, "report_object", mistaken)
    one, two = (run("validate", "--format", "json", "--jobs", jobs, "-", given=GOOD) for jobs in "12")
    assert one.exit_code == 70 and "ZeroDivisionError: a mistake" in one.stderr
    assert shown(two) == shown(one)


PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from service.cli import main
main(prog_name="spadille")
"""


@contextmanager
def running(*arguments: str, stdout: int = subprocess.DEVNULL) -> Iterator[subprocess.Popen[bytes]]:
    """A run whose standard input never ends, with its two workers at hand; nobody outlives it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", PROGRAM, *arguments, "--jobs", "2", "-"]
    theirs, ours = os.pipe()
    with subprocess.Popen(
        command, env=environment, start_new_session=True,
        stdin=theirs, stdout=stdout, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        os.close(theirs)
        feeding = threading.Thread(target=feed, args=(ours,))
        feeding.start()
        try:
            until(lambda: len(children(process.pid)) == 2)
            yield process
        finally:
            process.kill()
            process.wait()
            feeding.join()


def feed(pipe: int) -> None:
    """Deals without end, until nobody reads them any more."""
    with suppress(BrokenPipeError), open(pipe, "wb", buffering=0) as stream:
        while True:
            stream.write(GOOD)


def children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")


@needs_proc
def test_a_worker_that_is_killed_ends_the_run_with_a_sentence() -> None:
    with running("validate", "--format", "json") as process:
        os.kill(children(process.pid)[0], signal.SIGKILL)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 70
    assert told.decode().startswith("One of the processes that --jobs started was ended from outside")
    assert b"Traceback" not in told


@needs_proc
def test_ctrl_c_ends_all_of_it_quietly() -> None:
    with running("validate", "--format", "json") as process:
        workers = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=30)
        until(lambda: not any(map(is_alive, workers)))
    assert (process.returncode, told) == (130, b"")


@needs_proc
def test_workers_do_not_outlive_a_run_that_is_killed() -> None:
    with running("replay") as process:
        workers = children(process.pid)
        process.kill()
        until(lambda: not any(map(is_alive, workers)))


@needs_proc
def test_a_reader_who_leaves_ends_all_of_it_silently() -> None:
    with running("replay", "--format", "json", stdout=subprocess.PIPE) as process:
        workers = children(process.pid)
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        _, told = process.communicate(timeout=60)
        until(lambda: not any(map(is_alive, workers)))
    assert (process.returncode, told) == (141, b"")


@pytest.mark.process
def test_a_bar_stands_beside_an_output_that_goes_elsewhere(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    file = tmp_path / "deals.jsonl"
    file.write_bytes(GOOD * 200 + b"rubbish\n" + GOOD)
    said = {}
    for name, more in {"bar": [], "two": ["--jobs", "2"], "none": ["--no-progress"]}.items():
        ours, terminal = pty.openpty()
        command = [sys.executable, "-m", "service.cli", "validate", *more, str(file)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=terminal, check=False)
        os.close(terminal)
        said[name] = os.read(ours, 100_000).decode()
        os.close(ours)
        assert ran.returncode == 2
        assert "\x1b" not in ran.stdout.decode()
    assert "100%" in said["bar"] and "100%" in said["two"]
    assert "\r\x1b[K" + f"{file}, line " in said["bar"]
    assert "%" not in said["none"] and f"{file}, line " in said["none"]
