"""The short form of `python -m tests.system.cluster fail`: a leader and one standby, which the test
promotes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.store.postgres_pair import pair
from tests.system.cluster.stand import Stand

pytestmark = pytest.mark.process

CLIENTS = 3


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    made = Stand(tmp_path, pair(), seed=1)
    yield made
    pair().mend()
    made.drop_database()


def test_nothing_acknowledged_is_lost_where_the_leader_is_killed(stand: Stand) -> None:
    with stand.running(CLIENTS):
        for _ in range(2):
            stand.go_on()
            pair().fail_over()
            # As long as there is no other standby nothing is acknowledged.
            pair().mend()
            stand.go_on()
            assert stand.amiss() == []


def test_the_trial_tells_what_a_lost_leader_alone_had(stand: Stand) -> None:
    pair().make_synchronous(False)
    with stand.running(CLIENTS):
        stand.go_on()
        pair().cut()
        stand.go_on()
        pair().fail_over()
        assert [one for one in stand.amiss() if one.startswith("lost: ")]
