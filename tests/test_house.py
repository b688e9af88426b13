"""The rules of the house: what engine may touch, what is locked and shipped.

Each rule is a small function over source text.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.rulesets import PUBLISHED

ROOT = Path(__file__).resolve().parent.parent

PACKAGES = ["engine", "schemas", "replays", "service"]

# The pure part of the standard library: same arguments, same answer, nothing read or written.
PURE = {
    "__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "decimal", "enum",
    "fractions", "functools", "graphlib", "hashlib", "heapq", "itertools", "json", "math", "numbers",
    "operator", "re", "statistics", "string", "struct", "textwrap", "types", "typing", "unicodedata",
}  # fmt: skip
IMPURE_BUILTINS = {"open", "input", "print", "exec", "eval", "compile", "breakpoint", "__import__"}

# What reads or writes records without asking who calls: routes go through service.application instead.
UNASKED = {
    "service.records.records": {"log_in", "stored_events", "entry_in", "described"},
    "service.records.append": {"open_deal", "continue_deal", "open_table", "continue_table", "findings_at"},
    "service.records.tables": {"table_in", "ledger_in", "opening_at", "start_deal"},
    "service.eventstore": {"EventReader", "EventStore", "MemoryStore", "SqliteReader", "SqliteStore"},
}
DOORS = ("service/http/api", "service/http/web")

RULESETS = {rules.ruleset.id for rules in PUBLISHED}

# Put together here, so that this file does not hold what it looks for.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("yarnpkg", "com"),
        ("deb", "debian", "org"), ("security", "debian", "org"), ("jsdelivr", "net"), ("unpkg", "com"),
        ("proxy", "golang", "org"), ("crates", "io"),
    )
]  # fmt: skip


def modules(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    assert found, f"{package}/ holds no module"
    return found


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that is imported, wherever in the file and in whatever way."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module
        elif isinstance(node, ast.Call) and node.args and _called(node) in {"import_module", "__import__"}:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield node.lineno, name.value


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def impure(source: str) -> list[str]:
    """What makes a module of engine depend on more than its arguments."""
    tree = ast.parse(source)
    faults = [
        f"line {line}: import {name}"
        for line, name in imported(tree)
        if name.partition(".")[0] not in PURE | {"engine"}
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in IMPURE_BUILTINS:
            faults.append(f"line {node.lineno}: {node.id}")
    return faults


def ruleset_comparisons(source: str) -> list[str]:
    """Places where code asks which ruleset it is: a ruleset is data, never a branch."""
    faults = []
    for node in ast.walk(ast.parse(source)):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            asked = [node.value]
        elif isinstance(node, ast.Call) and _called(node) in {"startswith", "endswith", "__eq__"}:
            asked = list(node.args)
        for part in (inner for outer in asked for inner in ast.walk(outer)):
            if isinstance(part, ast.Constant) and part.value in RULESETS:
                faults.append(f"line {part.lineno}: asks for {part.value!r}")
    return faults


def past_the_door(source: str) -> list[str]:
    """Where a route reaches the store, or what reads it, past the one place that knows who calls."""
    faults = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").removesuffix(".interface")
            raw = {alias.name for alias in node.names} & UNASKED.get(module, set())
            faults += [f"line {node.lineno}: imports {name}" for name in sorted(raw)]
        elif isinstance(node, ast.Import):
            faults += [f"line {node.lineno}: imports {a.name}" for a in node.names if a.name in UNASKED]
        elif isinstance(node, ast.Attribute) and node.attr in {"store", "_store"}:
            faults.append(f"line {node.lineno}: reaches for the store")
    return faults


def registry_hosts(text: str) -> list[str]:
    return [host for host in REGISTRIES if re.search(rf"(?<![\w-]){re.escape(host)}(?![\w-])", text)]


def faults_of(paths: list[Path], check: Callable[[str], list[str]]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in paths
        for fault in check(path.read_text(encoding="utf-8"))
    ]


def tracked(*folders: str) -> list[str]:
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--", *folders],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    names = listed.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


# What lives where


def test_engine_is_pure() -> None:
    assert faults_of(modules("engine"), impure) == []


def test_no_ruleset_is_asked_for_by_name() -> None:
    assert faults_of(modules("engine"), ruleset_comparisons) == []


def test_every_route_reaches_records_as_its_caller_may() -> None:
    doors = [path for folder in DOORS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(doors) > 20
    assert faults_of(doors, past_the_door) == []


# What is installed and shipped


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_name_is_ours_alone(package: str) -> None:
    owners = set(importlib.metadata.packages_distributions().get(package, ())) - {"spadille"}
    assert not owners, f"{', '.join(owners)} also installs {package}/: use a virtual environment of its own"
    ask = f"import {package}; print({package}.__file__)"
    found = subprocess.run([sys.executable, "-I", "-c", ask], capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()) == ROOT / package / "__init__.py"


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("spadille-*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    assert set(tracked(*PACKAGES)) - shipped == set()
    assert {name.partition("/")[0] for name in shipped} - set(PACKAGES) == {
        f"spadille-{importlib.metadata.version('spadille')}.dist-info"
    }


# What is locked


def test_no_registry_is_named() -> None:
    named = []
    for name in tracked():
        held = (ROOT / name).read_bytes()
        if b"\0" not in held:
            named += [f"{name}: {host}" for host in registry_hosts(held.decode("utf-8", "replace"))]
    assert named == []


def uv(*arguments: str, cache: Path) -> str:
    """What uv says, without network, without the settings of this machine."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith("UV_")}
    quiet |= {"UV_CACHE_DIR": str(cache), "UV_OFFLINE": "1", "UV_PYTHON_DOWNLOADS": "never"}
    command = [sys.executable, "-m", "uv", *arguments, "--quiet", "--python", sys.executable]
    done = subprocess.run(command, check=False, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert done.returncode == 0, f"uv {' '.join(arguments)}: {done.stderr or 'failed'}\nRun `make lock`."
    return done.stdout


def test_the_lock_fits_pyproject_and_names_no_place(tmp_path: Path) -> None:
    text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    assert "://" not in text, "uv.lock names a registry: run `make lock`, which takes that out"
    assert len(tomllib.loads(text)["package"]) > 20
    uv("lock", "--check", cache=tmp_path)


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("requirements.txt", ["--no-dev", "--group", "build"]),
        ("requirements-postgres.txt", ["--no-dev", "--group", "build", "--extra", "postgres"]),
        ("requirements-dev.txt", ["--all-groups"]),
    ],
)
def test_the_requirements_are_the_lock(name: str, groups: list[str], tmp_path: Path) -> None:
    header, _, written = (ROOT / name).read_text(encoding="utf-8").partition("\n")
    exported = uv("export", "--frozen", "--no-emit-project", "--no-header", *groups, cache=tmp_path)
    assert header.startswith("#")
    assert "--hash=sha256:" in written
    assert "://" not in written
    assert written == exported, f"{name} is not what uv.lock says: run `make lock`"
