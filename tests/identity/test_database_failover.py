"""Another server leads: what was revoked stays revoked, what is spent stays spent, and changes go on."""

from collections.abc import Iterator

import pytest

from service.auth.database_keeping import InDatabase
from service.auth.grants import Member, Terms, UnknownToken
from service.auth.register import Register
from tests.support.store.postgres_pair import Pair, pair

pytestmark = pytest.mark.postgres

NAME = "register_failover"


@pytest.fixture
def failing() -> Iterator[Pair]:
    """A pair with an empty database, of which the leader waits for its standby."""
    whole = pair()
    whole.make_synchronous(True)
    whole.leader.execute(f"CREATE DATABASE {NAME} TEMPLATE template0")
    yield whole
    whole.mend()
    whole.leader.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def test_what_was_acknowledged_holds_with_another_leader(failing: Pair) -> None:
    with Register(InDatabase(failing.address(NAME))) as register:
        revoked, once, kept = (register.make(Terms("owner", once=flag)) for flag in (False, True, False))
        register.held_with(revoked.token or "")
        entered = register.enter(once.token or "")
        register.revoke(revoked.grant.id)
        failing.fail_over()
        for token in (revoked.token, once.token):
            with pytest.raises(UnknownToken):
                register.enter(token or "")
        assert register.held_in(entered.secret)
        assert register.held_with(kept.token or "").grants[0].id == kept.grant.id
        failing.mend()
        anna = register.enrol(Member("", "Anna"))
        register.revoke(kept.grant.id)
        assert register.member(anna.id) == anna
    with Register(InDatabase(failing.leader.address(NAME))) as register:
        assert [one.revoked_at is None for one in register.grants()] == [False, True, False]
