"""Many deals at once: the same words whatever the number of processes, and a good end whatever happens."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import Result

from schemas.answers import deal_reports
from schemas.notation import format_notation_log
from schemas.wire.event_reader import read_entry
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS
from service.cli.io import bulk_run
from service.config.process_pool import open_process_pool
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, answers, jsonl, refusal, run
from tests.support.cli.docs import surroundings
from tests.support.waiting import until

DEALS = (SLIP, OPEN, PASSED_OUT, REVOKED)
GOOD = jsonl(*DEALS)
LOGS = [tuple(read_entry(event, seq) for seq, event in enumerate(deal, 1)) for deal in DEALS]
WRITTEN = b"".join(format_notation_log(log).encode() + b"\n" for log in LOGS)
"""The same deals in the notation."""
BAD_WRITTEN = WRITTEN + b"Deal: bad\nRules: dlu\nF laughs\n"
EVENING = b"Evening:\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
TABLE = b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"]}\n'
BROKEN_OPENING = b'{"type":"deal_opened","ruleset"\n'

MIXED = {
    "a bad line in every fourth deal": (GOOD + jsonl(SLIP).replace(b'"H"', b'"X"')) * 30,
    "more problems than are told": GOOD + (jsonl(SLIP) + b"rubbish\n") * (MAX_LISTED_PROBLEMS + 80) + GOOD,
    "tables and broken openings between": (GOOD + BROKEN_OPENING + TABLE) * 20,
    "broken off": (GOOD * 20)[:-30],
    "notation: more problems than are told": WRITTEN + BAD_WRITTEN * (MAX_LISTED_PROBLEMS + 80) + WRITTEN,
    "notation: evenings between": (WRITTEN + EVENING) * 20,
}  # fmt: skip
"""Files with deals for many batches."""


@contextmanager
def small_batches() -> Iterator[None]:
    """Batches so small that these short files have many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk_run, "BATCH_ENTRIES", 5)
        yield


def output_of(result: Result) -> tuple[int, bytes, bytes]:
    return result.exit_code, result.stdout_bytes, result.stderr_bytes


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")


@pytest.mark.process
@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("kind", MIXED)
def test_two_processes_say_what_one_says(kind: str, output: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(MIXED[kind])
    one = run("validate", "--format", output, str(file))
    with small_batches():
        two = run("validate", "--format", output, "--jobs", "2", str(file))
    assert output_of(two) == output_of(one)
    assert two.output == one.output  # also in the order of output and sentences


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("command", ["score", "replay", "stats"])
def test_the_other_commands_do_too(command: str, output: str) -> None:
    given = MIXED["a bad line in every fourth deal"]
    at = () if command == "stats" else ("--at", "3")
    one = run(command, "--format", output, *at, "-", given=given)
    with small_batches():
        two = run(command, "--format", output, *at, "--jobs", "3", "-", given=given)
    assert one.exit_code == 2 and (b"no entry 3" in one.stderr_bytes) == bool(at)
    assert output_of(two) == output_of(one)


@pytest.mark.parametrize("bad", [MAX_LISTED_PROBLEMS, MAX_LISTED_PROBLEMS + 1, MAX_LISTED_PROBLEMS + 2])
def test_some_deals_that_are_left_out_are_listed_and_the_rest_counted(bad: int, tmp_path: Path) -> None:
    many, other = tmp_path / "many.jsonl", tmp_path / "other.jsonl"
    many.write_bytes((jsonl(SLIP) + b"rubbish\n" + jsonl(SLIP)) * bad)
    other.write_bytes(jsonl(SLIP) + b"rubbish\n")
    arguments = ("validate", "--format", "json", str(many), str(other), str(many))
    told = run(*arguments)
    with small_batches():
        assert output_of(run(*arguments, "--jobs", "2")) == output_of(told)
    lines = told.stderr.splitlines()
    counted = [line for line in lines if "more deal" in line]
    assert sum("from line" in line for line in lines) == 2 * MAX_LISTED_PROBLEMS + 1
    assert lines[-1:] == counted[-1:] or bad == MAX_LISTED_PROBLEMS
    more = bad - MAX_LISTED_PROBLEMS
    which = "1 more deal is" if more == 1 else f"{more} more deals are"
    assert counted == [f"{many}: {which} unreadable and left out."] * (2 if more else 0)
    assert len(answers(told)) == 2 * bad
    if more:
        assert lines.index(counted[0]) < lines.index(next(line for line in lines if str(other) in line))


@needs_proc
def test_many_files_are_judged_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.jsonl" for number in range(60)]
    for number, name in enumerate(names):
        if number % 40 != 7:
            name.write_bytes(GOOD * (number % 3))
    named = [*map(str, names), str(tmp_path), "no-such-deal", "/proc/self/mem", str(names[1])]
    one = run("validate", "--format", "json", *named)
    with small_batches():
        two = run("validate", "--format", "json", "--jobs", "2", *named)
    assert one.exit_code == 2 and "is a folder" in one.stderr
    assert one.stderr.endswith("“/proc/self/mem” cannot be read: Input/output error.\n")
    assert output_of(two) == output_of(one) and two.output == one.output


def test_going_on_after_a_deal_gives_the_rest_of_one_run(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    data = MIXED["a bad line in every fourth deal"]
    starts = [*(one.start() for one in re.finditer(rb'{"type": "deal_opened"', data)), len(data)]
    first.write_bytes(data)
    second.write_bytes(GOOD)
    cases = (("validate", "1", 8), ("validate", "1", 10), ("score", "2", 77), ("replay", "2", 150))
    for command, jobs, deal in cases:
        arguments = (command, "--format", "json", str(first), str(second))
        whole = run(*arguments)
        with small_batches():
            rest = run(*arguments, "--jobs", jobs, "--resume-after", f"{first}:{deal}")
        before = run(command, "--format", "json", "-", given=data[: starts[deal]])
        assert before.stdout.replace('"file":"-"', f'"file":"{first}"') + rest.stdout == whole.stdout
        assert rest.stderr == _told_after(whole.stderr, deal)
    rest = run("validate", str(first), str(second), "--resume-after", f"{second}:2")
    assert rest.stdout.startswith("✓ Nobody")


def _told_after(told: str, deal: int) -> str:
    """What is told of the deals after a deal, each of which has one problem."""
    pairs = told.splitlines(keepends=True)
    left = [pairs[at : at + 2] for at in range(0, len(pairs), 2)]
    return "".join(line for pair in left if int(pair[1].split("deal ")[1].split()[0]) > deal for line in pair)


def test_going_on_after_what_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(GOOD)
    for jobs in ("1", "2"):
        ended = run("validate", "--jobs", jobs, "--resume-after", f"{file}:4", str(file))
        assert (ended.exit_code, ended.output) == (0, "")
        beyond = refusal("validate", "--jobs", jobs, "--resume-after", f"{file}:5", str(file))
        assert "ends with deal 4, so the run cannot resume after deal 5" in beyond
    assert "not one of the files named" in refusal("validate", "--resume-after", "other:1", str(file))
    for wrong in ("deals.jsonl", "deals.jsonl:x", ":3"):
        refusal("validate", "--resume-after", wrong, str(file))


@pytest.mark.process
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_can_be_started_in_every_way(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = partial(open_process_pool, context=multiprocessing.get_context(method))
    monkeypatch.setattr(bulk_run, "open_process_pool", pool)
    one, two = (run("score", "--jobs", jobs, "-", given=GOOD) for jobs in ("1", "2"))
    assert output_of(two) == output_of(one)


def test_a_mistake_in_a_worker_ends_as_one_here_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_reports, "report_object", Mock(side_effect=ZeroDivisionError("a mistake")))
    one, *others = (
        run("validate", "--format", "json", "--jobs", jobs, "-", given=GOOD) for jobs in ("1", "0", "auto")
    )
    assert one.exit_code == 70 and "ZeroDivisionError: a mistake" in one.stderr
    assert [output_of(other) for other in others] == [output_of(one)] * 2


PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from service.cli import main
main(prog_name="spadille")
"""


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A run whose standard input never ends, with its two workers at hand; nobody outlives it."""
    command = [sys.executable, "-c", PROGRAM, *arguments, "--jobs", "2", "-"]
    theirs, ours = os.pipe()
    with subprocess.Popen(
        command, env=surroundings(), start_new_session=True,
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
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


@needs_proc
@pytest.mark.process
def test_a_worker_that_is_killed_ends_the_run_with_a_sentence() -> None:
    with running("validate", "--format", "json") as process:
        os.kill(children(process.pid)[0], signal.SIGKILL)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 70
    assert told.decode().startswith("A process that --jobs started was killed")
    assert b"Traceback" not in told


@needs_proc
@pytest.mark.process
@pytest.mark.parametrize(("how", "status"), [
    pytest.param("Ctrl-C", 130, marks=pytest.mark.smoke),
    ("it is killed", -signal.SIGKILL),
    ("its reader leaves", 141),
])  # fmt: skip
def test_workers_end_with_the_run_and_say_nothing(how: str, status: int) -> None:
    with running("replay", "--format", "json") as process:
        workers = children(process.pid)
        if how == "Ctrl-C":
            os.killpg(process.pid, signal.SIGINT)
        elif how == "it is killed":
            process.kill()
        else:
            assert process.stdout is not None
            process.stdout.readline()
            process.stdout.close()
            process.stdout = None
        _, told = process.communicate(timeout=60)
        until(lambda: not any(map(is_alive, workers)))
    assert (process.returncode, told) == (status, b"")


@pytest.mark.process
def test_a_progress_bar_is_shown_where_the_output_goes_elsewhere(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    file = tmp_path / "deals.jsonl"
    file.write_bytes(GOOD * 200 + b"rubbish\n" + GOOD)
    environment = surroundings(TERM="xterm")
    for options, bar in (([], True), (["--jobs", "2"], True), (["--no-progress"], False)):
        ours, terminal = pty.openpty()
        command = [sys.executable, "-m", "service.cli", "validate", *options, str(file)]
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=terminal, check=False)
        os.close(terminal)
        said = os.read(ours, 100_000).decode()
        os.close(ours)
        assert (ran.returncode, b"\x1b" in ran.stdout) == (2, False)
        assert ("100%" in said, "\r\x1b[K" + f"{file}, line " in said) == (bar, bar), said
        assert f"{file}, line " in said
