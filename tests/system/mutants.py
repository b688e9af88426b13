"""Change the code in small ways, one at a time, and see whether the tests notice.

Draws a sample of the changes that cosmic-ray makes. For each change, runs the tests that reach the changed
line, the most specific first, until one fails. `make mutants` runs it with its defaults.
"""

import argparse
import ast
import difflib
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage.numbits import numbits_to_nums

ROOT: Final = Path(__file__).parents[2]
FAST: Final = "smoke or not (browser or postgres or process or property)"
PYTEST: Final = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly"]
# `==` and `is` are the same for the small numbers that cards, seats and suits are.
SAME: Final = ("_Eq_Is", "_NotEq_IsNot")
# A mutant that loops for ever is killed after a minute in one test.
STUCK: Final = ["-o", "faulthandler_timeout=60", "-o", "faulthandler_exit_on_timeout=true"]


class Mutant(NamedTuple):
    """One change: what ``operator`` does to its ``occurrence`` in the file at ``path``."""

    path: str
    line: int
    operator: str
    occurrence: int

    def text(self, source: str) -> str:
        return mutate_code(source, get_operator(self.operator)(), self.occurrence)

    def diff(self, source: str) -> str:
        lines = difflib.unified_diff(source.splitlines(), self.text(source).splitlines(), n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


class Reached(NamedTuple):
    """Which tests ran which line, and which ran any line of a file."""

    by_line: Mapping[tuple[str, int], frozenset[str]]
    by_file: Mapping[str, frozenset[str]]
    size: Mapping[str, int]  # lines a test runs

    def tests(self, path: str, lines: range) -> list[str]:
        """Return the tests that run ``lines``, the smallest first.

        Of lines that only an import runs: the tests of their file; all tests where the file is data alone.
        """
        found = frozenset().union(*(self.by_line.get((path, line), frozenset()) for line in lines))
        if found == {""}:
            found = self.by_file[path]
        if found == {""}:
            found = frozenset(self.size)
        return sorted(found - {""}, key=lambda test: (self.size[test], test))


def mutants_of(path: str) -> Iterator[Mutant]:
    """List all changes in a file, except those in annotations, which nothing runs."""
    source = (ROOT / path).read_text()
    skipped = annotated(source)
    nodes = list(ast_nodes(get_ast(source)))
    for name in operator_names():
        kind = get_operator(name)
        if kind.arguments() or name.endswith(SAME):
            continue
        places = (start for node in nodes for start, _ in kind().mutation_positions(node))
        for occurrence, start in enumerate(places):
            if start not in skipped:
                yield Mutant(path, start[0], name, occurrence)


def annotated(source: str) -> set[tuple[int, int]]:
    """Return the positions (line, column) within annotations."""
    roots = [
        root
        for node in ast.walk(ast.parse(source))
        for root in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if root is not None
    ]
    lines = source.splitlines()
    return {
        (line, column)
        for root in roots
        for line in range(root.lineno, root.end_lineno + 1)
        for column in range(
            root.col_offset if line == root.lineno else 0,
            root.end_col_offset if line == root.end_lineno else len(lines[line - 1]),
        )
    }


def drawn(package: str, count: int, seed: int) -> list[Mutant]:
    """Draw ``count`` lines of a package, and for each one of the changes that are still Python."""
    chance = random.Random(f"{seed} {package}")
    by_line = defaultdict(list)
    for path in sorted((ROOT / package).rglob("*.py")):
        for mutant in mutants_of(path.relative_to(ROOT).as_posix()):
            by_line[mutant.path, mutant.line].append(mutant)
    found = []
    for line in chance.sample(sorted(by_line), len(by_line)):
        mutant = chance.choice(by_line[line])
        if compiles(mutant.text((ROOT / mutant.path).read_text())):
            found.append(mutant)
        if len(found) == count:
            break
    return found


def compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def statement(source: str, line: int) -> range:
    """Return the lines of the smallest statement that holds a line, without its body."""
    best = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line):
            body = getattr(node, "body", None)
            end = body[0].lineno if body else (node.end_lineno or line) + 1
            if line < end:
                best = range(node.lineno, end)
    return best


def measured(copy: Path, marks: str) -> Reached:
    """Run all tests once, and note which lines each runs; those that fail unchanged are left out."""
    settings = copy / "coverage.ini"
    settings.write_text("[run]\nsource = engine,schemas,replays,service\nrelative_files = true\n")
    coverage = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
    subprocess.run([*PYTEST, "-n", "auto", *coverage, "-m", marks], cwd=copy, check=False)
    failed = copy / ".pytest_cache" / "v" / "cache" / "lastfailed"
    return reached(copy / ".coverage", set(json.loads(failed.read_text())) if failed.exists() else set())


def reached(file: Path, without: Set[str] = frozenset()) -> Reached:
    by_line: dict[tuple[str, int], set[str]] = defaultdict(set)
    by_file: dict[str, set[str]] = defaultdict(set)
    size: Counter[str] = Counter()
    rows = (
        "select path, context, numbits from line_bits"
        " join file on file.id = file_id join context on context.id = context_id"
    )
    with sqlite3.connect(file) as database:
        for path, context, numbits in database.execute(rows):
            test = context.rpartition("|")[0]
            if test in without:
                continue
            lines = numbits_to_nums(numbits)
            size[test] += len(lines)
            by_file[path].add(test)
            for line in lines:
                by_line[path, line].add(test)
    frozen = {line: frozenset(tests) for line, tests in by_line.items()}
    return Reached(frozen, {path: frozenset(tests) for path, tests in by_file.items()}, size)


def killed(copy: Path, mutant: Mutant, tests: Sequence[str]) -> bool:
    """Make the change in a copy of the project, and run tests until one fails."""
    file = copy / mutant.path
    source = file.read_text()
    listed = copy / "selected.txt"
    listed.write_text("\n".join(tests))
    file.write_text(mutant.text(source))
    try:
        command = [*PYTEST, "-x", "-p", "no:cacheprovider", *STUCK, f"@{listed}"]
        run = subprocess.run(command, cwd=copy, capture_output=True, check=False)
    finally:
        file.write_text(source)
    return run.returncode != 0


def try_mutants(
    mutants: Sequence[Mutant], reach: Reached, copies: Sequence[Path]
) -> Iterator[tuple[Mutant, str]]:
    """Try each mutant; say `killed`, `survived` or `not reached`."""
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def one(mutant: Mutant) -> str:
        tests = reach.tests(mutant.path, statement((ROOT / mutant.path).read_text(), mutant.line))
        if not tests:
            return "not reached"
        copy = free.get()
        try:
            return "killed" if killed(copy, mutant, tests) else "survived"
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        yield from zip(mutants, pool.map(one, mutants), strict=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="draws the sample (1)")
    parser.add_argument("--engine", type=int, default=80, help="mutants in engine/ (80)")
    parser.add_argument("--schemas", type=int, default=40, help="mutants in schemas/ (40)")
    parser.add_argument("--service", type=int, default=80, help="mutants in service/ (80)")
    parser.add_argument("-m", dest="marks", default=FAST, help="which tests (as `make test`)")
    parser.add_argument("--reached", type=Path, help="a .coverage with contexts of an earlier run")
    parser.add_argument("--workers", type=int, default=2, help="mutants at a time (2)")
    options = parser.parse_args()

    mutants: list[Mutant] = []
    for package in ("engine", "schemas", "service"):
        mutants += drawn(package, getattr(options, package), options.seed)
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder) / str(number) for number in range(options.workers)]
        for copy in copies:
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
        reach = reached(options.reached) if options.reached else measured(copies[0], options.marks)
        for copy in copies[1:]:
            shutil.copytree(copies[0], copy, dirs_exist_ok=True)
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for mutant, outcome in try_mutants(mutants, reach, copies):
            counts[mutant.path.partition("/")[0]][outcome] += 1
            print(f"{outcome:11} {mutant.path}:{mutant.line}", flush=True)
            if outcome != "killed":
                print(mutant.diff((ROOT / mutant.path).read_text()), flush=True)
    for package, found in counts.items():
        print(package, dict(found))


if __name__ == "__main__":
    main()
