"""The register on PostgreSQL: several processes at once, cuts, rights, and what a file held before."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.auth.database_keeping import InDatabase
from service.auth.database_tables import GRANTS, LEDGER, TABLES
from service.auth.first_login import register_beside
from service.auth.grants import Member, Scope, Terms, UnknownToken
from service.auth.opening import notice_of_file, open_register
from service.auth.register import Held, Register
from service.auth.taking_over import make_the_same
from service.auth.tokens import TOKEN
from service.eventstore import NotAStore, StoreTooNew, StoreUnavailable
from service.eventstore.postgres import connections
from service.transparency.opening import open_notary
from tests.support.store.cutting import AFTER, BEFORE, Wire
from tests.support.store.postgres_cut import At, wired
from tests.support.store.postgres_pair import Pair, pair
from tests.support.store.postgres_server import a_database, as_role, execute, rows, server

pytestmark = pytest.mark.postgres

TABLE = Scope("table", "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e5f")


@pytest.fixture
def here(postgres_url: str) -> Iterator[Register]:
    with Register(InDatabase(postgres_url)) as register:
        yield register


def over_a_wire(url: str, cut: At) -> AbstractContextManager[tuple[Register, Wire]]:
    return wired(url, cut, lambda address: Register(InDatabase(address)))


def test_a_change_whose_acknowledgement_was_cut_off_was_made(postgres_url: str) -> None:
    with over_a_wire(postgres_url, At(b"COMMIT", AFTER)) as (register, wire):
        token = register.make(Terms("owner", once=True)).token or ""
        assert wire.cuts == 1
        assert register.enter(token).session.grants == (register.grants()[0].id,)


@pytest.mark.parametrize("said", ["COMMIT", "INSERT INTO sessions", "UPDATE grants SET spent"])
def test_a_change_that_was_cut_off_before_is_not_kept_and_said_so(postgres_url: str, said: str) -> None:
    with Register(InDatabase(postgres_url)) as register:
        token = register.make(Terms("owner", once=True)).token or ""
    with over_a_wire(postgres_url, At(said.encode(), BEFORE)) as (register, wire):
        with pytest.raises(StoreUnavailable, match="Nothing of this change was kept"):
            register.enter(token)
        assert wire.cuts == 1
        assert register.sessions() == []
        assert register.enter(token)


def test_what_is_asked_over_connections_that_were_ended_is_answered(here: Register) -> None:
    token = here.make(Terms("owner")).token or ""
    here.held_with(token)
    for act in (lambda: here.held_with(token), lambda: here.enrol(Member("", "Anna"))):
        ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        server().execute(ending)
        assert act()


def test_waiting_too_long_for_a_change_is_told(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SESSION", connections._SESSION.replace(b"10000", b"50"))
    with Register(InDatabase(postgres_url)) as here, Register(InDatabase(postgres_url)) as there:
        grant = there.make(Terms("viewer", TABLE)).grant
        with there.kept.changing():
            with pytest.raises(StoreUnavailable, match=r"locked by another.* Nothing of this change was"):
                here.revoke(grant.id)
            assert here.grant(grant.id).revoked_at is None  # who only reads waits for nobody
        assert here.revoke(grant.id).revoked_at


def test_reading_does_not_wait_to_note_the_use(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a commit waits for standbys that are gone, and nobody gets the lock meanwhile."""
    monkeypatch.setattr(connections, "_SESSION", connections._SESSION.replace(b"10000", b"0"))
    with Register(InDatabase(postgres_url)) as here, Register(InDatabase(postgres_url)) as there:
        grant, token = here.make(Terms("owner"))
        for changing in (here, there):
            met: list[Held] = []
            reader = threading.Thread(target=lambda met=met: met.append(here.held_with(token or "")))
            with changing.kept.changing():
                reader.start()
                reader.join(30)
                assert [held.grants[0].id for held in met] == [grant.id]
            assert here.grant(grant.id).used_on is None
        here.held_with(token or "")
        assert here.grant(grant.id).used_on


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


def test_changes_go_on_where_the_former_leader_takes_no_writes(failing: Pair) -> None:
    former = failing.leader
    failing.make_synchronous(False)
    with Register(InDatabase(failing.address(NAME))) as register:
        grant = register.make(Terms("owner")).grant
        failing.wait_for_replay()
        former.set("default_transaction_read_only", "on")
        failing.change_over()
        assert register.revoke(grant.id).revoked_at
    with Register(InDatabase(failing.leader.address(NAME))) as register:
        assert register.grant(grant.id).revoked_at
    former.set("default_transaction_read_only", "off")


def test_no_secret_is_in_the_tables(here: Register, postgres_url: str) -> None:
    token = here.make(Terms("owner", label="mine")).token or ""
    secret = here.enter(token).secret
    held = "".join(str(rows(postgres_url, f"SELECT * FROM {table}")) for table in TABLES)
    assert "mine" in held
    for word in (token, secret):
        assert word not in held and word[len(TOKEN) :] not in held


def test_the_service_needs_no_more_than_these_rights(postgres_url: str, tmp_path: Path) -> None:
    with as_role(postgres_url, "clerk", *GRANTS) as as_clerk:
        with Register(InDatabase(as_clerk)) as register:
            grant, token = register.make(Terms("player", TABLE, person="Anna"))
            session = register.enter(token or "")
            register.make(Terms("owner", once=True, label="unused"))
            register.withdraw_unused("unused")
            register.end_session(session.session.id)
            anna = register.enrol(Member("", "Anna"))
            register.amend(anna._replace(name="Anna B."))
            register.forget(anna.id)
            register.revoke(grant.id)
            open_notary(tmp_path, None, as_clerk)
            assert not (register.members() or register.sessions() or register.active_grants())
        for statement in ("DELETE FROM members", "DROP TABLE grants CASCADE", "TRUNCATE grants, sessions"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                execute(as_clerk, statement)


def test_tables_of_another_program_or_of_a_newer_version_are_left_alone() -> None:
    with a_database() as url:
        execute(url, "CREATE TABLE members (name text)")
        with pytest.raises(NotAStore, match=r"where the register's would be \(members\)"):
            InDatabase(url)
        execute(url, "DROP TABLE members")
        InDatabase(url).close()
        execute(url, f"INSERT INTO {LEDGER} (name) VALUES ('9999_later')")
        with pytest.raises(StoreTooNew, match="9999_later"):
            InDatabase(url)


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    store = tmp_path / "spadille.db"
    with open_register(store) as register:
        organiser = register.make(Terms("organiser", TABLE, label="Anna")).grant
        register.make(Terms("viewer", TABLE, public=True), organiser.id)
        register.enter(register.make(Terms("owner", once=True)).token or "")
        register.forget(register.enrol(Member("", "Bo")).id)
        register.enrol(Member("", "Anna", "A.", "2019-09-01", "has the key"))
    return store


def held(register: Register) -> tuple[Any, ...]:
    return register.grants(), register.sessions(), sorted(register.members(), key=lambda one: one.id)


def test_what_a_file_held_is_taken_over_once(beside: Path, postgres_url: str) -> None:
    with open_register(beside) as register:
        token = register.make(Terms("recorder", TABLE)).token or ""
        secret = register.enter(token).secret
        due = held(register)
    assert "was taken over" in (notice_of_file(beside, postgres_url) or "")
    with open_register(beside, postgres_url) as register:
        assert held(register) == due
        assert register.held_with(token).grants[0].terms == Terms("recorder", TABLE)
        assert register.held_in(secret)
        register.revoke(register.grants()[0].id)
        due = held(register)
        assert "is not looked at" in (notice_of_file(beside, postgres_url) or "")
        assert held(register) == due


def test_there_and_back_a_register_stays_what_it_is(tmp_path: Path, beside: Path, postgres_url: str) -> None:
    back = tmp_path / "back" / "spadille.db"
    back.parent.mkdir()
    with open_register(beside) as original:
        token = original.make(Terms("recorder", TABLE)).token or ""
        secret = original.enter(token).secret
        for place in ((beside, postgres_url), (back, None)):
            with open_register(*place) as copy:
                assert make_the_same(copy.kept, original.kept) == (4, 1)
                assert held(copy) == held(original)
                assert copy.held_with(token).grants[0].terms == Terms("recorder", TABLE)
                assert copy.held_in(secret)
    with open_register(beside, postgres_url) as original, open_register(back) as copy:
        anna = next(one for one in original.members() if one.short == "A.")
        original.revoke(original.held_with(token).grants[0].id)
        original.forget(anna.id)
        assert make_the_same(copy.kept, original.kept) == (4, 0)
        assert held(copy) == held(original)
        with pytest.raises(UnknownToken):
            copy.held_with(token)
    assert b"has the key" not in register_beside(back).read_bytes()
