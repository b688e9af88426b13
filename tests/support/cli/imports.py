"""Shared by tests that use what the tests of import do."""

from pathlib import Path

SHEETS = Path(__file__).parents[2] / "cli" / "sheets"
