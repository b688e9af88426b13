"""``python -m tests.clients --minutes 15``: many clients against the model, for as long as you like.

Every round is another seed. What differs from the model is printed as the shortest story that shows it.
"""

import argparse
import random
import sys
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.clients.machine import InMemory, ManyClients

MACHINES = {"disk": ManyClients, "memory": InMemory}
EXAMPLES = 20
"""So many stories make a round."""


def round_settings(steps: int, shrink: bool) -> settings:
    phases = [Phase.generate, *([Phase.shrink] if shrink else [])]
    return settings(
        max_examples=EXAMPLES, stateful_step_count=steps, phases=phases, database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5, help="how long, at least one round")
    parser.add_argument("--steps", type=int, default=50, help="steps of each story at most")
    parser.add_argument("--seed", type=int, default=None, help="of the first round; another one each time")
    parser.add_argument("--store", choices=[*MACHINES, "both"], default="both", help="over which store")
    parser.add_argument("--no-shrink", action="store_true", help="tell what differs as it was found")
    asked = parser.parse_args()
    first = random.randrange(10**6) if asked.seed is None else asked.seed
    kinds = list(MACHINES) if asked.store == "both" else [asked.store]
    end, number = time.monotonic() + 60 * asked.minutes, 0
    while number == 0 or time.monotonic() < end:
        kind = kinds[number % len(kinds)]
        begun = time.monotonic()
        rounds = settings(round_settings(asked.steps, not asked.no_shrink))
        run_state_machine_as_test(seed(first + number)(MACHINES[kind]), settings=rounds)
        took = time.monotonic() - begun
        print(
            f"seed {first + number:7} {kind:6} {EXAMPLES} stories in {took:5.1f} s, no difference", flush=True
        )
        number += 1
    print(f"{number * EXAMPLES} stories, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
