"""``python -m tests.system.clients --minutes 15``: many clients against the model, for as long as you like.

Every round is another seed. What differs from the model is printed as the shortest story that shows it.
"""

import argparse
import random
import sys
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.system.clients.machine import InMemory, ManyClients

MACHINES = {"disk": ManyClients, "memory": InMemory}
EXAMPLES = 20
"""So many stories make a round."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.clients", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--minutes", type=float, default=5, help="how long, at least one round")
    parser.add_argument("--steps", type=int, default=50, help="steps of each story at most")
    parser.add_argument("--seed", type=int, default=None, help="of the first round; another one each time")
    parser.add_argument("--store", choices=[*MACHINES, "both"], default="both", help="over which store")
    parser.add_argument("--no-shrink", action="store_true", help="tell what differs as it was found")
    asked = parser.parse_args()
    first = random.randrange(10**6) if asked.seed is None else asked.seed
    kinds = list(MACHINES) if asked.store == "both" else [asked.store]
    rounds = settings(
        max_examples=EXAMPLES, stateful_step_count=asked.steps, database=None, deadline=None,
        phases=[Phase.generate] if asked.no_shrink else [Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    end, number = time.monotonic() + 60 * asked.minutes, 0
    while number == 0 or time.monotonic() < end:
        kind = kinds[number % len(kinds)]
        begun = time.monotonic()
        run_state_machine_as_test(seed(first + number)(MACHINES[kind]), settings=rounds)
        told = f"{EXAMPLES} stories in {time.monotonic() - begun:5.1f} s, no difference"
        print(f"seed {first + number:7} {kind:6} {told}", flush=True)
        number += 1
    print(f"{number * EXAMPLES} stories, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
