"""`make` on a machine that is not ready says what is wrong and leaves nothing behind."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OLD_PYTHON = '#!/bin/sh\ncase "$*" in *--version) echo Python 3.10.1;; -c*) exit 1;; esac\n'
WITHOUT_VENV = '#!/bin/sh\ncase "$*" in *venv*) mkdir -p .venv/bin; exit 1;; esac\n'


def make(folder: Path, python: str) -> str:
    shutil.copy(ROOT / "Makefile", folder)
    command = ["make", f"PYTHON={python}", ".venv/made"]
    run = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=60)
    assert run.returncode, run.stdout
    assert not (folder / ".venv").exists(), "what is left would be taken for an environment"
    return run.stderr


@pytest.mark.parametrize(
    ("script", "explanation"),
    [
        pytest.param(OLD_PYTHON, "is Python 3.10.1. Spadille needs Python 3.11 or later.", id="too old"),
        pytest.param(WITHOUT_VENV, "install the package python3-venv", id="without venv"),
    ],
)
def test_a_python_that_will_not_do_is_named(tmp_path: Path, script: str, explanation: str) -> None:
    python = tmp_path / "python"
    python.write_text(script)
    python.chmod(0o755)
    assert explanation in make(tmp_path, str(python))


def test_a_python_that_does_not_exist_is_named(tmp_path: Path) -> None:
    assert "There is no program python9." in make(tmp_path, "python9")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / ".venv").write_text(
        "A file in its place stands for a folder without permissions: root has all."
    )
    shutil.copy(ROOT / "Makefile", tmp_path)
    command = ["make", "PYTHON=python3", ".venv/made"]
    run = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "cannot be written to." in run.stderr
