"""The register on PostgreSQL: several processes at once, cuts, rights, and what a file held before."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.auth.access_register import AccessRegister
from service.auth.caller import Caller
from service.auth.grants import GrantTerms, Member, Scope, UnknownToken
from service.auth.login_links import register_file_path
from service.auth.postgres_repository import PostgresRepository
from service.auth.postgres_tables import REGISTER_STEPS_TABLE, REGISTER_TABLES, REGISTER_USER_GRANTS
from service.auth.register_copy import copy_register
from service.auth.register_factory import import_leftover_register_file, open_access_register
from service.auth.tokens import TOKEN_PREFIX
from service.eventstore import NotAStore, StoreTooNew, StoreUnavailable
from service.eventstore.postgres import connections
from service.transparency.notary import open_notary
from tests.support.store.cutting import AFTER, BEFORE, Wire
from tests.support.store.postgres_cut import At, wired
from tests.support.store.postgres_pair import Pair, pair
from tests.support.store.postgres_server import a_database, as_role, execute, rows, server

pytestmark = pytest.mark.postgres

TABLE = Scope("table", "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e5f")


def register_at(url: str) -> AccessRegister:
    return AccessRegister(PostgresRepository(url))


@pytest.fixture
def here(postgres_url: str) -> Iterator[AccessRegister]:
    with register_at(postgres_url) as register:
        yield register


def over_a_wire(url: str, cut: At) -> AbstractContextManager[tuple[AccessRegister, Wire]]:
    return wired(url, cut, register_at)


def test_a_change_whose_acknowledgement_was_cut_off_was_made(postgres_url: str) -> None:
    with over_a_wire(postgres_url, At(b"COMMIT", AFTER)) as (register, wire):
        token = register.create_grant(GrantTerms("owner", once=True)).token or ""
        assert wire.cuts == 1
        assert register.create_session(token).session.grants == (register.list_grants()[0].id,)


@pytest.mark.parametrize("said", ["COMMIT", "INSERT INTO sessions", "UPDATE grants SET spent"])
def test_a_change_that_was_cut_off_before_is_not_kept_and_said_so(postgres_url: str, said: str) -> None:
    with register_at(postgres_url) as register:
        token = register.create_grant(GrantTerms("owner", once=True)).token or ""
    with over_a_wire(postgres_url, At(said.encode(), BEFORE)) as (register, wire):
        with pytest.raises(StoreUnavailable, match="This change was not stored"):
            register.create_session(token)
        assert wire.cuts == 1
        assert register.list_sessions() == []
        assert register.create_session(token)


def test_what_is_asked_over_connections_that_were_ended_is_answered(here: AccessRegister) -> None:
    token = here.create_grant(GrantTerms("owner")).token or ""
    here.find_token_caller(token)
    for act in (lambda: here.find_token_caller(token), lambda: here.add_member(Member("", "Anna"))):
        ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        server().execute(ending)
        assert act()


def test_waiting_too_long_for_a_change_is_named(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SESSION", connections._SESSION.replace(b"10000", b"50"))
    with register_at(postgres_url) as here, register_at(postgres_url) as there:
        grant = there.create_grant(GrantTerms("viewer", TABLE)).grant
        with there.repository.transaction():
            with pytest.raises(StoreUnavailable, match=r"locked by another.* This change was"):
                here.revoke_grant(grant.id)
            assert here.find_grant(grant.id).revoked_at is None  # who only reads waits for nobody
        assert here.revoke_grant(grant.id).revoked_at


def test_reading_does_not_wait_to_note_the_use(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a commit waits for standbys that are gone, and nobody gets the lock meanwhile."""
    monkeypatch.setattr(connections, "_SESSION", connections._SESSION.replace(b"10000", b"0"))
    with register_at(postgres_url) as here, register_at(postgres_url) as there:
        grant, token = here.create_grant(GrantTerms("owner"))
        for changing in (here, there):
            met: list[Caller] = []
            reader = threading.Thread(target=lambda met=met: met.append(here.find_token_caller(token or "")))
            with changing.repository.transaction():
                reader.start()
                reader.join(30)
                assert [held.grants[0].id for held in met] == [grant.id]
            assert here.find_grant(grant.id).used_on is None
        here.find_token_caller(token or "")
        assert here.find_grant(grant.id).used_on


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
    with register_at(failing.address(NAME)) as register:
        terms = [GrantTerms("owner", once=once) for once in (False, True, False)]
        revoked, once, kept = map(register.create_grant, terms)
        register.find_token_caller(revoked.token or "")
        entered = register.create_session(once.token or "")
        register.revoke_grant(revoked.grant.id)
        failing.fail_over()
        for token in (revoked.token, once.token):
            with pytest.raises(UnknownToken):
                register.create_session(token or "")
        assert register.find_session_caller(entered.secret)
        assert register.find_token_caller(kept.token or "").grants[0].id == kept.grant.id
        failing.mend()
        anna = register.add_member(Member("", "Anna"))
        register.revoke_grant(kept.grant.id)
        assert register.find_member(anna.id) == anna
    with register_at(failing.leader.address(NAME)) as register:
        assert [one.revoked_at is None for one in register.list_grants()] == [False, True, False]


def test_changes_go_on_where_the_former_leader_takes_no_writes(failing: Pair) -> None:
    former = failing.leader
    failing.make_synchronous(False)
    with register_at(failing.address(NAME)) as register:
        grant = register.create_grant(GrantTerms("owner")).grant
        failing.wait_for_replay()
        former.set("default_transaction_read_only", "on")
        failing.change_over()
        assert register.revoke_grant(grant.id).revoked_at
    with register_at(failing.leader.address(NAME)) as register:
        assert register.find_grant(grant.id).revoked_at
    former.set("default_transaction_read_only", "off")


def test_no_secret_is_in_the_tables(here: AccessRegister, postgres_url: str) -> None:
    token = here.create_grant(GrantTerms("owner", label="mine")).token or ""
    secret = here.create_session(token).secret
    held = "".join(str(rows(postgres_url, f"SELECT * FROM {table}")) for table in REGISTER_TABLES)
    assert "mine" in held
    for word in (token, secret):
        assert word not in held and word[len(TOKEN_PREFIX) :] not in held


def test_the_service_needs_no_more_than_these_rights(postgres_url: str, tmp_path: Path) -> None:
    with as_role(postgres_url, "clerk", *REGISTER_USER_GRANTS) as as_clerk:
        with register_at(as_clerk) as register:
            grant, token = register.create_grant(GrantTerms("player", TABLE, person="Anna"))
            session = register.create_session(token or "")
            register.create_grant(GrantTerms("owner", once=True, label="unused"))
            register.delete_unused_grants("unused")
            register.end_session(session.session.id)
            anna = register.add_member(Member("", "Anna"))
            register.update_member(anna._replace(name="Anna B."))
            register.erase_member(anna.id)
            register.revoke_grant(grant.id)
            open_notary(tmp_path, None, as_clerk)
            assert not (register.list_members() or register.list_sessions() or register.list_active_grants())
        for statement in ("DELETE FROM members", "DROP TABLE grants CASCADE", "TRUNCATE grants, sessions"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                execute(as_clerk, statement)


def test_tables_of_another_program_or_of_a_newer_version_are_left_alone() -> None:
    with a_database() as url:
        execute(url, "CREATE TABLE members (name text)")
        with pytest.raises(NotAStore, match=r"clash with the register's \(members\)"):
            PostgresRepository(url)
        execute(url, "DROP TABLE members")
        PostgresRepository(url).close()
        execute(url, f"INSERT INTO {REGISTER_STEPS_TABLE} (name) VALUES ('9999_later')")
        with pytest.raises(StoreTooNew, match="9999_later"):
            PostgresRepository(url)


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    store = tmp_path / "spadille.db"
    with open_access_register(store) as register:
        organiser = register.create_grant(GrantTerms("organiser", TABLE, label="Anna")).grant
        register.create_grant(GrantTerms("viewer", TABLE, public=True), organiser.id)
        register.create_session(register.create_grant(GrantTerms("owner", once=True)).token or "")
        register.erase_member(register.add_member(Member("", "Bo")).id)
        register.add_member(Member("", "Anna", "A.", "2019-09-01", "has the key"))
    return store


def register_contents(register: AccessRegister) -> tuple[Any, ...]:
    members = sorted(register.list_members(), key=lambda one: one.id)
    return register.list_grants(), register.list_sessions(), members


def test_what_a_file_held_is_taken_over_once(beside: Path, postgres_url: str) -> None:
    with open_access_register(beside) as register:
        due = register_contents(register)
    assert "contents were copied" in (import_leftover_register_file(beside, postgres_url) or "")
    with open_access_register(beside, postgres_url) as register:
        assert register_contents(register) == due
        register.revoke_grant(register.list_grants()[0].id)
        due = register_contents(register)
        assert "contents are ignored" in (import_leftover_register_file(beside, postgres_url) or "")
        assert register_contents(register) == due


def test_there_and_back_a_register_stays_what_it_is(tmp_path: Path, beside: Path, postgres_url: str) -> None:
    back = tmp_path / "back" / "spadille.db"
    back.parent.mkdir()
    with open_access_register(beside) as original:
        token = original.create_grant(GrantTerms("recorder", TABLE)).token or ""
        secret = original.create_session(token).secret
        for place in ((beside, postgres_url), (back, None)):
            with open_access_register(*place) as copy:
                assert copy_register(copy.repository, original.repository) == (4, 1)
                assert register_contents(copy) == register_contents(original)
                assert copy.find_token_caller(token).grants[0].terms == GrantTerms("recorder", TABLE)
                assert copy.find_session_caller(secret)
    with open_access_register(beside, postgres_url) as original, open_access_register(back) as copy:
        original.revoke_grant(original.find_token_caller(token).grants[0].id)
        original.erase_member(next(one.id for one in original.list_members() if one.short == "A."))
        assert copy_register(copy.repository, original.repository) == (4, 0)
        assert register_contents(copy) == register_contents(original)
        with pytest.raises(UnknownToken):
            copy.find_token_caller(token)
    assert b"has the key" not in register_file_path(back).read_bytes()
