"""Compiles the engine and the reader of JSON Lines by mypyc, as ``make fast`` does; ``--remove`` goes back.

The compiled modules lie beside their source, where Python finds them first; what they share lies in the root
of the project. A few modules stay plain: mypyc cannot compile subclasses of ``str``, and the fields of events
and rulesets are read from their annotations, of which compiled classes keep too little.

    python -m docs.compile_engine
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
ENGINE: Final = ROOT / "engine"
SCHEMAS: Final = ROOT / "schemas"
PLAIN_FOLDERS: Final = ("rulesets",)
PLAIN_MODULES: Final = (
    "core/argument_checks.py",
    "core/events.py",
    "core/field_types.py",
    "core/log.py",
    "core/message.py",
    "core/spoken_words.py",
    "core/table_events.py",
)
COMPILED_READERS: Final = (
    "schemas/wire/jsonlines.py",
    "schemas/wire/line_reader.py",
    "schemas/wire/quick_reader.py",
)
"""Outside the engine, the modules through which every line of a file passes."""
SETUP: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(sys.argv.pop().split(","), opt_level="2", multi_file=True, group_name="spadille")
setup(name="spadille-engine", packages=[], ext_modules=modules)
"""


def list_compiled_modules() -> Iterator[str]:
    """The source files that are compiled, as paths from the root of the project."""
    for file in sorted(ENGINE.rglob("*.py")):
        name = file.relative_to(ENGINE)
        if name.parts[0] not in PLAIN_FOLDERS and name.as_posix() not in PLAIN_MODULES:
            yield file.relative_to(ROOT).as_posix()
    yield from COMPILED_READERS


def compile_engine() -> None:
    """Compile the engine and put the modules in their places. Raises `CalledProcessError`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for package in (ENGINE, SCHEMAS):
            shutil.copytree(
                package, folder / package.name, ignore=shutil.ignore_patterns("*.so", "__pycache__")
            )
        (folder / "setup.py").write_text(SETUP, encoding="utf-8")
        jobs = str(os.cpu_count() or 1)
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--build-lib", "built", "-j", jobs]
        modules = ",".join(list_compiled_modules())
        subprocess.run([*command, modules], cwd=folder, check=True, capture_output=True, text=True)
        remove_compiled_engine()
        shutil.copytree(folder / "built", ROOT, dirs_exist_ok=True)


def remove_compiled_engine() -> None:
    """Delete all compiled modules."""
    for file in (*ENGINE.rglob("*.*"), *SCHEMAS.rglob("*.*"), *ROOT.glob("spadille__mypyc.*")):
        if file.suffix in (".so", ".pyd"):
            file.unlink()


def main() -> int:
    """Compile the engine, or remove what was compiled."""
    parser = argparse.ArgumentParser(description="Compiles the engine by mypyc.")
    parser.add_argument("--remove", action="store_true", help="go back to plain Python")
    if parser.parse_args().remove:
        remove_compiled_engine()
        return 0
    compiler = (sysconfig.get_config_var("CC") or "cl").split()[0]
    if shutil.which(compiler) is None:
        print("The engine is compiled by a C compiler, and there is none. On Debian and Ubuntu:")
        print("apt install gcc libc6-dev python3-dev")
        return 1
    print("Compiling the engine takes two to five minutes …")
    try:
        compile_engine()
    except subprocess.CalledProcessError as failed:
        print(failed.stdout[-2000:], failed.stderr[-2000:], sep="\n")
        print("The engine could not be compiled; it runs in plain Python as before.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
