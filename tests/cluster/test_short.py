"""The short form of the cluster's trial: a leader and one standby, and nobody but the test to promote it.

The long one, with Patroni and etcd, is a command: ``python -m tests.cluster fail``.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.stand import Stand, drop_database
from tests.support.store.postgres_pair import Pair, pair

pytestmark = pytest.mark.process

CLIENTS = 3


@pytest.fixture
def whole_pair() -> Iterator[Pair]:
    """A pair of which parts may fail."""
    yield pair()
    pair().mend()
    drop_database(pair())


def test_nothing_acknowledged_is_lost_where_the_leader_is_killed(tmp_path: Path, whole_pair: Pair) -> None:
    stand = Stand(tmp_path, whole_pair, seed=1, nodes=2)
    with stand.running(CLIENTS, seed=1):
        for _ in range(2):
            stand.go_on()
            whole_pair.fail_over()
            # As long as there is no other standby nothing is acknowledged.
            whole_pair.mend()
            stand.go_on()
            assert stand.amiss() == []


def test_the_trial_tells_what_a_leader_took_with_him(tmp_path: Path, whole_pair: Pair) -> None:
    whole_pair.make_synchronous(False)
    stand = Stand(tmp_path, whole_pair, seed=2, nodes=1)
    with stand.running(CLIENTS, seed=2):
        stand.go_on()
        whole_pair.cut()
        stand.go_on()
        whole_pair.fail_over()
        assert [one for one in stand.amiss() if one.startswith("lost: ")]
