"""The check of a register's file finds what keeps a service from starting on it, and changes nothing."""

import random
from pathlib import Path

import pytest

from service.auth.access_register import AccessRegister
from service.auth.grants import EVERYTHING_SCOPE, GrantTerms, Member
from service.auth.register_check import require_intact_register
from service.auth.register_copy import copy_register_file_if_empty
from service.eventstore import NotAStore, StoreError
from service.eventstore.sqlite.connections import sqlite3
from tests.support.effort import examples

COPIES = examples(60, 24)
"""How many damaged copies are tried."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "access.db"
    with AccessRegister(path) as register:
        for number in range(8):
            register.add_member(Member("", f"Member {number}"))
            register.create_grant(GrantTerms("recorder", EVERYTHING_SCOPE, label=f"label {number}"))
    return path


def test_a_register_is_taken_over_only_into_an_empty_one(path: Path, tmp_path: Path) -> None:
    with AccessRegister(tmp_path / "empty.db") as empty, AccessRegister(tmp_path / "used.db") as used:
        used.add_member(Member("", "Eva"))
        assert [copy_register_file_if_empty(one.repository, path) for one in (empty, used)] == [True, False]
        assert [len(one.list_members()) for one in (empty, used)] == [8, 1]


def told_by(register: AccessRegister) -> object:
    return register.list_grants(), register.list_sessions(), register.list_members()


def test_a_sound_register_passes_and_stays_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    require_intact_register(path)
    with AccessRegister(path) as register:
        require_intact_register(path)  # while a service has it
        register.add_member(Member("", "Another"))
        require_intact_register(path)
    assert before != path.read_bytes()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_what_a_service_would_not_start_on_is_found(path: Path, tmp_path: Path) -> None:
    with AccessRegister(path) as register:
        due = told_by(register)
    whole, rng, refused = path.read_bytes(), random.Random(22), 0
    places = [whole.index(b"recorder"), whole.index(b"label 3"), whole.index(b"Member 7")]
    for number in range(COPIES):
        broken = bytearray(whole)
        at = places[number // 3] if number in (0, 3, 6) else rng.randrange(len(whole))
        if number % 3 == 0:
            broken[at] ^= 1 << rng.randrange(8)
        elif number % 3 == 1:
            broken[at : at + 300] = bytes(len(broken[at : at + 300]))
        else:
            del broken[at:]
        path.write_bytes(broken)
        found: StoreError | None = None
        try:
            require_intact_register(path)
        except StoreError as error:
            found = error
            assert ".spadille-register-" not in str(error)
        assert path.read_bytes() == broken
        try:
            with AccessRegister(path) as register:
                assert told_by(register) == due
        except StoreError:
            refused += 1
            assert found is not None, f"damage {number}"
        for one in tmp_path.glob("access.db-*"):
            one.unlink()
    assert refused > COPIES // 3


def test_a_strange_table_another_role_and_another_programs_file_are_damage(path: Path) -> None:
    with sqlite3.connect(str(path)) as connection:
        connection.execute("CREATE TABLE more (x)")
    with pytest.raises(StoreError, match=r"tables or indices have changed: more"):
        require_intact_register(path)
    with sqlite3.connect(str(path)) as connection:
        connection.execute("DROP TABLE more")
        connection.execute("UPDATE grants SET role = 'owner' WHERE rowid = 3")
    with pytest.raises(StoreError, match="its contents are not what was written"):
        require_intact_register(path)
    path.unlink()
    with sqlite3.connect(str(path)) as connection:
        connection.execute("CREATE TABLE x (y)")
    with pytest.raises(NotAStore):
        require_intact_register(path)
