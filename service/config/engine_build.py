"""Which engine runs: plain Python, or the one that ``make fast`` has compiled."""

from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path


def describe_engine() -> str:
    """Which engine Python would import, in words; nothing is imported for it."""
    spec = PathFinder.find_spec("engine")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    modules = [Path(folder, f"audit{suffix}") for folder in folders for suffix in EXTENSION_SUFFIXES]
    compiled = next((module for module in modules if module.exists()), None)
    if compiled is None:
        return "engine in plain Python"
    sources = (compiled.parent, compiled.parent.parent / "schemas" / "wire")
    changed = max(source.stat().st_mtime for folder in sources for source in folder.rglob("*.py"))
    if changed > compiled.stat().st_mtime:
        return "compiled engine, older than its source: make fast"
    return "compiled engine"
