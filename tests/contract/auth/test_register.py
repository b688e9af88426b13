"""The register, in memory, in a file and on PostgreSQL: one set of answers, and what was ended is over."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlite_utils import Database

from service.auth import sqlite_repository
from service.auth.access_register import SESSION_DAYS, AccessRegister
from service.auth.caller import find_conflicting_grants, find_player_grant, oldest_player_grant
from service.auth.grants import Grant, GrantTerms, Member, Scope, UnknownMember, UnknownSession, UnknownToken
from service.auth.login_links import STARTUP_LINK_LABEL, create_owner_login_links
from service.auth.postgres_repository import PostgresRepository
from service.auth.repository import AccessRepository
from service.auth.timestamps import add_days
from service.eventstore import NotAStore, StoreClosed, StoreDamaged, StoreUnavailable
from service.eventstore.sqlite import connections
from tests.support.store.concurrency import in_threads

NOW = "2026-11-20T19:30:05.250Z"
TABLE = Scope("table", "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e5f")
FOREHAND = GrantTerms("player", Scope("deal", "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"), seat="forehand")


class Clock:
    now = NOW

    def __call__(self) -> str:
        return self.now

    def advance(self, days: float) -> None:
        self.now = add_days(self.now, days)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "file", "postgresql"])
def register(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[AccessRegister]:
    kept: Path | AccessRepository | None = None
    if request.param == "file":
        kept = tmp_path / "access.db"
    elif request.param == "postgresql":
        kept = PostgresRepository(request.getfixturevalue("postgres_url"))
    with AccessRegister(kept, clock) as made:
        yield made


def token_of(register: AccessRegister, terms: GrantTerms, made_by: str | None = None) -> str:
    return register.create_grant(terms, made_by).token or ""


@pytest.fixture
def two(
    request: pytest.FixtureRequest, register: AccessRegister, tmp_path: Path, clock: Clock
) -> Iterator[tuple[AccessRegister, AccessRegister]]:
    """The registers of two processes over the same file or tables; in memory there is only one."""
    kind = request.node.callspec.params["register"]
    if kind == "memory":
        yield register, register
        return
    url = request.getfixturevalue("postgres_url") if kind == "postgresql" else None
    with AccessRegister(PostgresRepository(url) if url else tmp_path / "access.db", clock) as other:
        yield register, other


def require_unknown(register: AccessRegister, token: str) -> None:
    for ask in (register.find_token_caller, register.create_session):
        with pytest.raises(UnknownToken):
            ask(token)


def test_a_word_that_is_no_token_opens_nothing(register: AccessRegister) -> None:
    token_of(register, GrantTerms("owner"))
    for word in ("", "x", "spadille_t_", "spadille_t_" + "0" * 49, "a" * 10_000, "\ud800"):
        require_unknown(register, word)
        assert register.find_session_caller(word) is None


def test_what_is_revoked_at_one_process_holds_at_none(two: tuple[AccessRegister, AccessRegister]) -> None:
    here, there = two
    token = token_of(here, GrantTerms("recorder", TABLE))
    (grant,), secret = here.list_grants(), there.create_session(token).secret
    assert here.find_session_caller(secret) and there.find_token_caller(token)
    stood = here.data_version()
    assert there.revoke_grant(grant.id).revoked_at == NOW
    assert here.data_version() != stood
    for register in two:
        assert register.find_session_caller(secret) is None
        require_unknown(register, token)
        assert register.list_active_grants() == []
        assert [one.id for one in register.list_grants()] == [grant.id]


def test_of_all_who_exchange_an_invitation_at_once_one_gets_in(
    two: tuple[AccessRegister, AccessRegister],
) -> None:
    registers = two * 4
    for invited in range(1, 4):
        token = token_of(two[0], GrantTerms("owner", once=True))

        def enter(number: int, token: str = token) -> None:
            with suppress(UnknownToken):
                registers[number].create_session(token)

        in_threads(len(registers), enter)
        assert len(two[0].list_sessions()) == invited


def test_with_a_grant_goes_what_was_made_by_it(register: AccessRegister) -> None:
    organiser = register.create_grant(GrantTerms("organiser", TABLE)).grant
    second = register.create_grant(GrantTerms("organiser", TABLE), organiser.id).grant
    third = token_of(register, GrantTerms("recorder", TABLE), second.id)
    other = token_of(register, GrantTerms("recorder", TABLE))
    register.revoke_grant(organiser.id)
    require_unknown(register, third)
    assert register.find_token_caller(other)


def test_a_grant_ends_by_the_clock_and_holds_if_that_goes_back(
    register: AccessRegister, clock: Clock
) -> None:
    end = add_days(NOW, 2)
    token = token_of(register, GrantTerms("owner", expires_at=end))
    public = register.create_grant(GrantTerms("viewer", public=True, expires_at=end)).grant
    secret = register.create_session(token).secret
    clock.advance(1.99)
    assert register.find_token_caller(token)
    clock.advance(0.01)
    require_unknown(register, token)
    assert register.find_session_caller(secret) is None
    assert (register.list_public_grants(), register.has_owner()) == ((), False)
    clock.advance(-1)
    assert register.find_token_caller(token).grants and register.find_session_caller(secret)
    assert (register.list_public_grants(), register.has_owner()) == ((public,), True)


def test_a_token_that_holds_once_can_be_exchanged_once(register: AccessRegister) -> None:
    token = token_of(register, GrantTerms("owner", once=True))
    with pytest.raises(UnknownToken):
        register.find_token_caller(token)
    held = register.find_session_caller(register.create_session(token).secret)
    assert held and held.grants[0].spent
    require_unknown(register, token)


def test_what_everybody_holds_has_no_token(register: AccessRegister) -> None:
    grant, token = register.create_grant(GrantTerms("viewer", TABLE, public=True))
    assert token is None
    assert register.list_public_grants() == (grant,)
    register.create_grant(FOREHAND)
    assert register.list_public_grants() == (grant,)
    register.revoke_grant(grant.id)
    assert register.list_public_grants() == ()


def test_use_is_noted_by_the_day(register: AccessRegister, clock: Clock) -> None:
    grant, made = register.create_grant(FOREHAND)
    token = made or ""
    register.find_token_caller(token)
    assert register.find_grant(grant.id).used_on == "2026-11-20"
    clock.advance(1)
    secret = register.create_session(token).secret
    assert register.find_grant(grant.id).used_on == "2026-11-21"
    register.find_session_caller(secret)
    assert register.list_sessions()[0].used_on == "2026-11-21"


def test_a_session_takes_over_what_the_one_before_it_held(register: AccessRegister) -> None:
    first = register.create_session(token_of(register, GrantTerms("recorder", TABLE)))
    second = register.create_session(token_of(register, FOREHAND), first.secret)
    held = register.find_session_caller(second.secret)
    assert held and {grant.terms.role for grant in held.grants} == {"recorder", "player"}
    assert register.find_session_caller(first.secret) is None
    assert [one.id for one in register.list_sessions()] == [second.session.id]


def test_a_session_holds_no_more_than_so_many(
    register: AccessRegister, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.auth.access_register.MAX_GRANTS_PER_SESSION", 4)
    secret = None
    for number in range(7):
        token = token_of(register, GrantTerms("viewer", TABLE, label=str(number)))
        secret = register.create_session(token, secret).secret
    held = register.find_session_caller(secret or "")
    assert held and [grant.terms.label for grant in held.grants] == ["3", "4", "5", "6"]


def test_a_session_ends(register: AccessRegister, clock: Clock) -> None:
    token = token_of(register, GrantTerms("owner"))
    left, ended, last = (register.create_session(token) for _ in range(3))
    register.end_session_by_secret(left.secret)
    register.end_session(ended.session.id)
    assert register.find_session_caller(left.secret) is register.find_session_caller(ended.secret) is None
    assert register.find_session_caller(last.secret)
    clock.advance(SESSION_DAYS)
    assert register.find_session_caller(last.secret) is None
    assert register.list_sessions() == []
    with pytest.raises(UnknownSession):
        register.end_session(left.session.id)
    register.end_session_by_secret(left.secret)


def test_a_member_is_named_by_an_id(register: AccessRegister) -> None:
    anna = register.add_member(Member("", "Anna Andersen", "Anna", "2019-09-01", "has the key"))
    assert anna.id.startswith("m-") and len(anna.id) == 18
    assert register.find_member(anna.id) == anna
    register.update_member(anna._replace(name="Anna Bertelsen"))
    bo = register.add_member(Member("", "Bo"))
    assert [one.name for one in register.list_members()] == ["Anna Bertelsen", "Bo"]
    assert register.find_members_by_id(["Carl", anna.id, "m-", bo.id, anna.id]).keys() == {anna.id, bo.id}
    many = [register.add_member(Member("", f"Player {number}")).id for number in range(8)]
    assert list(register.find_members_by_id(many)) == sorted(many), "one order, whatever the hash seed"


def test_a_member_is_forgotten(register: AccessRegister) -> None:
    anna = register.add_member(Member("", "Anna Andersen", "Anna", "2019-09-01", "has the key"))
    grant, token = register.create_grant(GrantTerms("player", TABLE, person=anna.id, label="Anna’s phone"))
    register.erase_member(anna.id)
    for ended in (register.find_member, register.erase_member, lambda _: register.update_member(anna)):
        with pytest.raises(UnknownMember):
            ended(anna.id)
    assert register.list_members() == []
    assert register.find_members_by_id([anna.id])[anna.id] == Member(anna.id, "", forgotten_at=NOW)
    ended_grant = register.find_grant(grant.id)
    assert ended_grant.revoked_at and ended_grant.terms.label == ""
    with pytest.raises(UnknownToken):
        register.find_token_caller(token or "")


def test_another_program_s_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "access.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    with pytest.raises(NotAStore, match="not a register"):
        AccessRegister(path)
    path.write_bytes(b"no database at all, and long enough to be read as one" * 40)
    with pytest.raises(NotAStore):
        AccessRegister(path)


def test_after_closing_nothing_is_answered(register: AccessRegister) -> None:
    register.close()
    register.close()
    for ask in (register.list_grants, register.list_sessions, register.list_members):
        with pytest.raises(StoreClosed):
            ask()


def test_a_step_that_fails_leaves_nothing_half_done(register: AccessRegister) -> None:
    token = token_of(register, GrantTerms("owner", once=True))
    with (
        patch.object(register, "_find_session_by_secret", side_effect=ZeroDivisionError),
        pytest.raises(ZeroDivisionError),
    ):
        register.create_session(token, "spadille_s_")
    assert register.create_session(token)


def test_every_start_has_links_of_its_own(register: AccessRegister) -> None:
    first = create_owner_login_links(register, "http://127.0.0.1:8240", ["/replays/belinda", "/deals"])
    secret = register.create_session(first[0].partition("#token=")[2].partition("&")[0]).secret
    again = create_owner_login_links(register, "http://127.0.0.1:8240", ["/deals"])
    assert first[0].endswith("&to=/replays/belinda")
    assert again[0].startswith("http://127.0.0.1:8240/enter#token=spadille_t_")
    # Who is logged in stays so; what nobody used holds no longer.
    held = register.find_session_caller(secret)
    assert held and held.grants[0].terms.role == "owner"
    with pytest.raises(UnknownToken):
        register.create_session(first[1].partition("#token=")[2].partition("&")[0])
    assert [grant.terms.label for grant in register.list_grants()] == [STARTUP_LINK_LABEL] * 2


def test_who_only_reads_is_let_in_though_the_use_cannot_be_noted(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_repository, "BUSY_TIMEOUT_SECONDS", 0.05)
    with AccessRegister(tmp_path / "access.db", clock) as register:
        token = token_of(register, GrantTerms("owner"))
        other = connections.sqlite3.connect(str(tmp_path / "access.db"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        (grant,) = register.find_token_caller(token).grants
        assert grant.terms.role == "owner"
        with pytest.raises(StoreUnavailable, match="This change was not stored"):
            register.create_grant(GrantTerms("viewer"))
        other.close()
        clock.advance(1)
        register.find_token_caller(token)
        assert register.find_grant(grant.id).used_on == clock.now[:10]


def test_who_was_forgotten_is_in_no_corner_of_the_file(tmp_path: Path) -> None:
    chance, path = random.Random(2), tmp_path / "access.db"
    with AccessRegister(path) as register:
        marks = [f"ZQX{number}ZQX" for number in range(24)]
        members = [
            register.add_member(Member("", mark + "x" * chance.randrange(200), "z", note=mark + "n" * 90))
            for mark in marks
        ]
        for mark, member in zip(marks, members, strict=True):
            register.create_grant(GrantTerms("player", TABLE, person=member.id, label=f"phone of {mark}"))
        for member in chance.sample(members, 12):
            register.update_member(member._replace(note="n" * chance.randrange(900)))
        gone = chance.sample(range(24), 6)
        assert all(mark.encode() in path.read_bytes() for mark in marks)
        for number in gone:
            register.erase_member(members[number].id)
    data = path.read_bytes()
    assert [number for number in range(24) if marks[number].encode() not in data] == sorted(gone)
    with AccessRegister(path) as register:
        assert len(register.list_members()) == 18


def test_an_older_register_is_migrated_and_damage_in_it_found(tmp_path: Path) -> None:
    for name, turned in (("sound.db", False), ("turned.db", True)):
        path = tmp_path / name
        with AccessRegister(path) as register:
            made = register.create_grant(FOREHAND)
        older = sqlite3.connect(path)
        older.execute("ALTER TABLE grants DROP COLUMN title")
        older.execute("DELETE FROM _sqlite_migrations WHERE name = '0003_titles'")
        sqlite_repository.update_register_checksum(Database(older))
        if turned:
            older.execute("UPDATE grants SET role = 'owner'")
        older.commit()
        older.close()
        with pytest.raises(StoreDamaged) if turned else nullcontext(), AccessRegister(path) as again:
            assert again.find_grant(made.grant.id) == made.grant


DEAL, OTHER = Scope("deal", "d"), Scope("deal", "e")


def overlap(one: Scope, other: Scope) -> bool:
    return one == other or {one, other} == {DEAL, TABLE} or "everything" in (one.kind, other.kind)


def player(scope: Scope = DEAL, **who: Any) -> GrantTerms:
    return GrantTerms("player", scope, **who)


A, B = player(seat="forehand", label="Anna"), player(seat="middlehand", label="Bo")


@pytest.mark.parametrize(
    ("held", "new", "clash"),
    [
        (A, B, True),
        (A, A, False),
        (A, A._replace(label="Anna's tablet"), False),
        (A, B._replace(scope=OTHER), False),
        (A, player(TABLE, person="Bo"), True),
        (player(Scope(), person="Anna"), player(TABLE, person="Bo"), True),
        (A, GrantTerms("viewer", DEAL, label="Bo"), False),
        (A, GrantTerms("recorder", DEAL, label="Bo"), False),
        (GrantTerms("recorder", DEAL, label="Anna"), GrantTerms("recorder", TABLE, label="Bo"), True),
        (GrantTerms("recorder", DEAL, label="Anna"), GrantTerms("recorder", DEAL), False),
        (GrantTerms("owner", label="laptop"), GrantTerms("owner", label="laptop"), False),
    ],
)
def test_two_persons_in_one_record_are_told_apart(held: GrantTerms, new: GrantTerms, clash: bool) -> None:
    grants = [Grant(str(n), terms, "2026") for n, terms in enumerate((held, new))]
    assert find_conflicting_grants(grants[:1], grants[1], overlap) == (grants[:1] if clash else [])


def test_of_several_grants_the_player_s_who_is_named_comes_first() -> None:
    grants = [Grant(str(n), terms, "2026") for n, terms in enumerate((player(TABLE, person="Anna"), B, A))]
    assert find_player_grant(grants, {"forehand"}, "Carl") == grants[2]
    assert find_player_grant(grants, (), "Anna") == grants[0]
    assert find_player_grant(grants, {"backhand"}, "Carl") is None
    assert oldest_player_grant(grants) == grants[1]
