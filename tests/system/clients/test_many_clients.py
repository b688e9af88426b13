"""Random doings of many clients: what the service answers and holds is what a plain model says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from service.auth.request_identity import RequestIdentity
from service.eventstore import append_plan
from service.records.live.feeds import Feed
from service.records.live.redacted_logs import RedactedLogCache
from tests.support.effort import examples
from tests.system.clients.machine import InMemory, ManyClients

USUAL = settings(derandomize=True, suppress_health_check=list(HealthCheck))
"""The same stories each time; `python -m tests.system.clients` tells others."""

TestOnDisk = ManyClients.TestCase
TestOnDisk.settings = settings(USUAL, max_examples=examples(8), stateful_step_count=30)
TestInMemory = InMemory.TestCase
TestInMemory.settings = settings(USUAL, max_examples=examples(12), stateful_step_count=30)

STORIES = settings(
    max_examples=25, stateful_step_count=50, phases=[Phase.generate], database=None, deadline=None,
    print_blob=False, suppress_health_check=list(HealthCheck),
)  # fmt: skip
ROUNDS = 16
"""So many seeds are tried, as which stories a seed tells hangs on what is imported; the first mostly does."""

FAULTS: dict[str, tuple[tuple[Any, str, Any], ...]] = {
    "any version is taken": ((append_plan, "_require_fitting_version", lambda *_: None),),
    "a changed repeat is taken for a repeat": ((append_plan, "_require_repeat", lambda *_, **__: None),),
    "who comes back is not told anew": ((Feed, "_resets_after_reconnect", lambda _: iter(())),),
    "a cut is thought never to change": (
        (RedactedLogCache, "is_redaction_stable", lambda *_: True),
        (RedactedLogCache, "is_same_for_all", lambda *_: True),
    ),
    "who lost his grant is still told": ((RequestIdentity, "is_still_valid", lambda _: True),),
}


@pytest.mark.property
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_is_planted_in_the_service_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, attribute, instead in FAULTS[name]:
        monkeypatch.setattr(place, attribute, instead)
    with pytest.raises(AssertionError):
        for number in range(ROUNDS):
            run_state_machine_as_test(seed(70 + number)(InMemory), settings=STORIES)
