"""The trials at length: `python -m tests.properties.hidden --deals 100000`.

So many legal deals with random hiding, spread over the rulesets, in which nobody may be accused; as many in
which cards are laid out of turn, second to a trick or after the end, in which nobody may be accused but who
revoked in every third of them; a tenth as many with a planted revoke, which has to be found at its trick and
alone. With `--misprints 50` that many deals with one misprint too, of each kind in each ruleset, whose
correction has to be proposed. With `--records 5000` so many records with gaps, whose hidden cards have to be
what a search finds that tries every complete deal. With `--pen 30` that many deals with each mistake of the
pen in each ruleset, with all hands told and with none, in whose report nobody may be accused without a
condition; and as many true revokes, which have to be in theirs.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator

from tests.properties.hidden import trials as attempts
from tests.support.hidden.by_trying import a_trial, compared
from tests.support.hidden.misprinting import MISPRINTS
from tests.support.hidden.pen import SLIPS
from tests.support.hidden.records import RULESETS


def beside_trying(rng: random.Random, ruleset: str) -> attempts.Verdict:
    """A record with gaps: what its hidden cards can be has to be what a search by trying finds."""
    record = a_trial(rng, ruleset)
    try:
        compared(record)
    except AssertionError:
        return attempts.Verdict(record.visible, True)
    return attempts.Verdict(record.visible, False)


def trials(asked: argparse.Namespace) -> Iterator[tuple[str, str, attempts.Attempt, int]]:
    """What is tried: its name, what a wrong answer is, an attempt, and how many deals of each ruleset."""
    each = -(-asked.deals // len(RULESETS))
    yield "legal deals", "with an innocent accused", attempts.innocent, each
    yield "cards laid irregularly", "with one accused", attempts.irregular, each
    yield "planted revokes", "not found as they were", attempts.planted, -(-each // 10)
    for hidden, hands in ((False, "all cards told"), (True, "some hidden")):
        for kind in MISPRINTS:
            name = f"misprint: {kind}, {hands}"
            yield name, "answered wrongly", attempts.misprinted(kind, hidden=hidden), asked.misprints
    records = -(-asked.records // len(RULESETS))
    yield "records with gaps", "answered otherwise than by trying", beside_trying, records
    for hidden, hands in ((False, "hands told"), (True, "none told")):
        for kind in SLIPS:
            name = f"slip: {kind}, {hands}"
            attempt = attempts.slipped(kind, hidden=hidden)
            yield name, "with somebody accused without a condition", attempt, asked.pen
        yield f"true revokes, {hands}", "not reported", attempts.revokes(hidden=hidden), asked.pen


def main() -> int:
    """Runs the trials and prints a line for each, all rulesets together; 1 where any answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=900)
    parser.add_argument("--misprints", type=int, default=0)
    parser.add_argument("--records", type=int, default=0)
    parser.add_argument("--pen", type=int, default=0)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    failed = False
    for name, fault, attempt, each in trials(asked):
        if not each:
            continue
        seed = f"{asked.seed} {name}"
        found = {ruleset: attempts.tally(attempt, seed, ruleset, each) for ruleset in RULESETS}
        wrong = {ruleset: len(one.wrong) for ruleset, one in found.items() if one.wrong}
        notes = sum((one.notes for one in found.values()), Counter[str]())
        noted = "".join(f"; {times} {note}" for note, times in notes.items())
        where = f" {wrong}" if wrong else ""
        count = sum(one.tried for one in found.values())
        print(f"{name:40} {count:>7}, {sum(wrong.values())} {fault}{noted}{where}", flush=True)
        failed = failed or bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
