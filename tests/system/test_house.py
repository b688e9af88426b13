"""The rules of the house, each a small function over source text: what engine may touch, what is shipped."""

import ast
import importlib
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.rulesets import PUBLISHED_RULESETS

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = ["engine", "schemas", "replays", "service"]

# The pure part of the standard library: same arguments, same answer, nothing read or written.
PURE = {
    "__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "decimal", "enum",
    "fractions", "functools", "graphlib", "hashlib", "heapq", "itertools", "json", "math", "numbers",
    "operator", "re", "statistics", "string", "struct", "textwrap", "types", "typing", "unicodedata",
}  # fmt: skip
IMPURE_BUILTINS = {"open", "input", "print", "exec", "eval", "compile", "breakpoint", "__import__"}

# What reads or writes records without asking for whom: routes go through service.application instead.
RAW_ACCESS_NAMES = {
    "service.records.repository": {
        "append_to_record",
        "read_log",
        "read_stored_events",
        "parse_stored_entry",
        "record_info",
    },
    "service.records.append": {
        "open_deal",
        "append_to_deal",
        "open_table",
        "audit_appended_events",
    },
    "service.records.tables": {"read_table"},
    "service.records.deal_starts": {"complete_deals", "start_deals"},
    "service.eventstore": {"EventReader", "EventStore", "MemoryStore", "SqliteReader", "SqliteStore"},
}
ROUTES = ("service/http/api", "service/http/web")

# The entry point, fixtures that pytest finds by name, and a function in the text of applications in bench.
SHARED_NAMES = {"main", "app", "club", "store", "append"}
PUBLIC_NAME = re.compile(r"^(?:async def|def|class) ([A-Za-z]\w*)", re.MULTILINE)

RULESETS = {rules.ruleset.id for rules in PUBLISHED_RULESETS}

# With spaces, so that this file does not hold what it looks for.
REGISTRIES = (
    "pypi org, pythonhosted org, npmjs org, npmjs com, yarnpkg com, deb debian org, security debian org, "
    "jsdelivr net, unpkg com, proxy golang org, crates io"
)


def modules(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    assert found, f"{package}/ holds no module"
    return found


def _asks_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def impure(source: str) -> list[str]:
    """What makes a module of engine depend on more than its arguments."""
    faults = []
    tree = ast.parse(source)
    for_types = {inner for node in tree.body if _asks_for_types(node) for inner in ast.walk(node)}
    for node in (one for one in ast.walk(tree) if one not in for_types):
        if isinstance(node, ast.Name) and node.id in IMPURE_BUILTINS:
            faults.append(f"line {node.lineno}: {node.id}")
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                names = [node.module] if node.module and not node.level else []
            impure_names = [name for name in names if name.partition(".")[0] not in PURE | {"engine"}]
            faults += [f"line {node.lineno}: import {name}" for name in impure_names]
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
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"startswith", "endswith"}:
            asked = list(node.args)
        for part in (inner for outer in asked for inner in ast.walk(outer)):
            if isinstance(part, ast.Constant) and part.value in RULESETS:
                faults.append(f"line {part.lineno}: asks for {part.value!r}")
    return faults


def raw_accesses(source: str) -> list[str]:
    """Where a route reaches the store, or what reads it, without the use case that knows the caller."""
    faults = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").removesuffix(".interface")
            raw = {alias.name for alias in node.names} & RAW_ACCESS_NAMES.get(module, set())
            faults += [f"line {node.lineno}: imports {name}" for name in sorted(raw)]
        elif isinstance(node, ast.Import):
            faults += [
                f"line {node.lineno}: imports {a.name}" for a in node.names if a.name in RAW_ACCESS_NAMES
            ]
        elif isinstance(node, ast.Attribute) and node.attr in {"store", "_store"}:
            faults.append(f"line {node.lineno}: reaches for the store")
    return faults


def faults_of(paths: list[Path], check: Callable[[str], list[str]]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in paths
        for fault in check(path.read_text(encoding="utf-8"))
    ]


def git(*arguments: str) -> list[str]:
    command = ["git", "-c", f"safe.directory={ROOT}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.splitlines()


def test_engine_is_pure() -> None:
    assert faults_of(modules("engine"), impure) == []


def test_no_ruleset_is_asked_for_by_name() -> None:
    assert faults_of(modules("engine"), ruleset_comparisons) == []


def test_every_route_reaches_records_as_its_caller_may() -> None:
    routes = [path for folder in ROUTES for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(routes) > 20
    assert faults_of(routes, raw_accesses) == []
    for module, names in RAW_ACCESS_NAMES.items():
        loaded = importlib.import_module(module)
        assert [name for name in names if not hasattr(loaded, name)] == [], module


def test_a_name_is_found_by_grep() -> None:
    paths = [path for package in [*PACKAGES, "tests", "bench"] for path in modules(package)]
    found = Counter(name for path in paths for name in set(PUBLIC_NAME.findall(path.read_text("utf-8"))))
    assert [name for name, count in found.items() if count > 3 and name not in SHARED_NAMES] == []


def test_no_test_module_imports_another() -> None:
    imported = re.compile(r"^\s*(?:from|import) tests\.\S*(?: import .*)?\btest_", re.MULTILINE)
    assert [path for path in modules("tests") if imported.search(path.read_text("utf-8"))] == []


def test_the_package_names_are_ours_alone() -> None:
    owners = importlib.metadata.packages_distributions()
    others = {package: set(owners.get(package, ())) - {"spadille"} for package in PACKAGES}
    assert not any(others.values()), f"use a virtual environment of its own: {others}"
    names = ", ".join(PACKAGES)
    ask = f"import {names}; print(*(one.__file__ for one in ({names})), sep='\\n')"
    found = subprocess.run([sys.executable, "-I", "-c", ask], capture_output=True, text=True, check=True)
    assert list(map(Path, found.stdout.split())) == [ROOT / name / "__init__.py" for name in PACKAGES]


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("spadille-*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in git("ls-files", "--", *PACKAGES) if (ROOT / name).is_file()} - shipped == set()
    assert {name.partition("/")[0] for name in shipped} - set(PACKAGES) == {
        f"spadille-{importlib.metadata.version('spadille')}.dist-info"
    }


def test_no_registry_is_named() -> None:
    assert git("grep", "-IwnF", *[f"-e{host.replace(' ', '.')}" for host in REGISTRIES.split(", ")]) == []


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


@pytest.mark.parametrize(("name", "groups"), [
    ("requirements.txt", ["--no-dev", "--group", "build"]),
    ("requirements-postgres.txt", ["--no-dev", "--group", "build", "--extra", "postgres"]),
    ("requirements-dev.txt", ["--all-groups"]),
])  # fmt: skip
def test_the_requirements_are_the_lock(name: str, groups: list[str], tmp_path: Path) -> None:
    header, _, written = (ROOT / name).read_text(encoding="utf-8").partition("\n")
    exported = uv("export", "--frozen", "--no-emit-project", "--no-header", *groups, cache=tmp_path)
    assert header.startswith("#")
    assert "--hash=sha256:" in written
    assert "://" not in written
    assert written == exported, f"{name} is not what uv.lock says: run `make lock`"
