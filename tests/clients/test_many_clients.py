"""Random doings of many clients: what the service answers and holds is what a plain model says."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.clients.machine import InMemory, ManyClients
from tests.support.effort import examples

USUAL = settings(derandomize=True, suppress_health_check=list(HealthCheck))
"""The same stories each time; `python -m tests.clients` tells others."""

TestOnDisk = ManyClients.TestCase
TestOnDisk.settings = settings(USUAL, max_examples=examples(8), stateful_step_count=30)
TestInMemory = InMemory.TestCase
TestInMemory.settings = settings(USUAL, max_examples=examples(12), stateful_step_count=30)
