"""The guide's ruleset of a club."""

import re
from pathlib import Path

GUIDE = (Path(__file__).parents[3] / "docs" / "club-rules.md").read_text(encoding="utf-8")
(CLUB_FILE,) = re.findall(r"<!-- club-rules.json -->\n```json\n(.*?)```", GUIDE, re.DOTALL)
"""The club's own rules of the guide."""
