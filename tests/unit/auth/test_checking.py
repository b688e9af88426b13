"""The check of a register's file finds what keeps a service from starting on it, and changes nothing."""

import random
from pathlib import Path

import pytest

from service.auth.checking import require_sound_register
from service.auth.grants import EVERYTHING, Member, Terms
from service.auth.register import Register
from service.auth.taking_over import take_over
from service.eventstore import NotAStore, StoreError
from service.eventstore.sqlite.connections import sqlite3
from tests.support.effort import examples

COPIES = examples(60, 24)
"""How many damaged copies are tried."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "access.db"
    with Register(path) as register:
        for number in range(8):
            register.enrol(Member("", f"Member {number}"))
            register.make(Terms("recorder", EVERYTHING, label=f"label {number}"))
    return path


def test_a_register_is_taken_over_only_into_an_empty_one(path: Path, tmp_path: Path) -> None:
    with Register(tmp_path / "empty.db") as empty, Register(tmp_path / "used.db") as used:
        used.enrol(Member("", "Eva"))
        assert [take_over(one.kept, path) for one in (empty, used)] == [True, False]
        assert [len(one.members()) for one in (empty, used)] == [8, 1]


def told_by(register: Register) -> object:
    return register.grants(), register.sessions(), register.members()


def test_a_sound_register_passes_and_stays_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    require_sound_register(path)
    with Register(path) as register:
        require_sound_register(path)  # while a service has it
        register.enrol(Member("", "Another"))
        require_sound_register(path)
    assert before != path.read_bytes()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_what_a_service_would_not_start_on_is_found(path: Path, tmp_path: Path) -> None:
    with Register(path) as register:
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
            require_sound_register(path)
        except StoreError as error:
            found = error
            assert ".spadille-register-" not in str(error)
        assert path.read_bytes() == broken
        try:
            with Register(path) as register:
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
    with pytest.raises(StoreError, match=r"other tables .*: more"):
        require_sound_register(path)
    with sqlite3.connect(str(path)) as connection:
        connection.execute("DROP TABLE more")
        connection.execute("UPDATE grants SET role = 'owner' WHERE rowid = 3")
    with pytest.raises(StoreError, match="what stands in it is not what was written"):
        require_sound_register(path)
    path.unlink()
    with sqlite3.connect(str(path)) as connection:
        connection.execute("CREATE TABLE x (y)")
    with pytest.raises(NotAStore):
        require_sound_register(path)
