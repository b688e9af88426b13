"""How much random tests try: little in `make test`, much in `make test-all` (`SPADILLE_TESTS=thorough`)."""

import os
from typing import Final

THOROUGH: Final = os.environ.get("SPADILLE_TESTS") == "thorough"


def examples(thorough: int, fast: int = 0) -> int:
    """How many examples a test tries: all in a thorough run, else ``fast``, by default a fifth."""
    return thorough if THOROUGH else fast or max(2, thorough // 5)
