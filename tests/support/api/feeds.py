"""Deals with corrections, notes and closings put in."""

from __future__ import annotations

import random

from tests.support.api.recording import PLAYERS, Json


def corrected(deal: list[Json], rng: random.Random) -> list[Json]:
    """The deal with corrections, corrections of corrections, notes and a closing put in somewhere."""
    told = list(deal)
    for _ in range(rng.randrange(4)):
        seq = rng.randrange(2, len(told) + 1)
        at = rng.randrange(seq, len(told) + 1)
        old = deal[seq - 1] if seq <= len(deal) else {"type": "gap_noted"}
        instead = [] if rng.random() < 0.4 or old["type"].startswith("correction") else [old]
        told.insert(
            at, {"type": "correction_made", "replaces": [seq], "reason": "slip of the pen", "with": instead}
        )
    if rng.random() < 0.5:
        closing = {"type": "deal_closed", "engine": "0.1.0", "payments": dict.fromkeys(PLAYERS, 0)}
        told.insert(rng.randrange(len(told) // 2, len(told) + 1), closing)
    return told
