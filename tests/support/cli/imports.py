"""The folder of the sheets that are imported."""

from pathlib import Path

SHEETS = Path(__file__).parents[2] / "cli" / "sheets"
