"""The register, in memory, in a file and on PostgreSQL: one set of answers, and what was ended is over."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from service.auth import register_file
from service.auth.authorship import first_player, named_player, other_persons
from service.auth.database_keeping import InDatabase
from service.auth.first_login import AT_THE_START, owner_links
from service.auth.grants import Grant, Member, Scope, Terms, UnknownMember, UnknownSession, UnknownToken
from service.auth.keeping import Keeping
from service.auth.moments import after_days
from service.auth.register import SESSION_DAYS, Register
from service.eventstore import NotAStore, StoreClosed, StoreDamaged, StoreUnavailable
from service.eventstore.sqlite import connections
from tests.support.store.concurrency import in_threads

NOW = "2026-11-20T19:30:05.250Z"
TABLE = Scope("table", "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e5f")
FOREHAND = Terms("player", Scope("deal", "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"), seat="forehand")


class Clock:
    now = NOW

    def __call__(self) -> str:
        return self.now

    def advance(self, days: float) -> None:
        self.now = after_days(self.now, days)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "file", "postgresql"])
def register(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Register]:
    kept: Path | Keeping | None = None
    if request.param == "file":
        kept = tmp_path / "access.db"
    elif request.param == "postgresql":
        kept = InDatabase(request.getfixturevalue("postgres_url"))
    with Register(kept, clock) as made:
        yield made


def token_of(register: Register, terms: Terms, made_by: str | None = None) -> str:
    return register.make(terms, made_by).token or ""


@pytest.fixture
def two(
    request: pytest.FixtureRequest, register: Register, tmp_path: Path, clock: Clock
) -> Iterator[tuple[Register, Register]]:
    """The registers of two processes over the same file or tables; in memory there is only one."""
    kind = request.node.callspec.params["register"]
    if kind == "memory":
        yield register, register
        return
    url = request.getfixturevalue("postgres_url") if kind == "postgresql" else None
    with Register(InDatabase(url) if url else tmp_path / "access.db", clock) as other:
        yield register, other


def require_unknown(register: Register, token: str) -> None:
    for ask in (register.held_with, register.enter):
        with pytest.raises(UnknownToken):
            ask(token)


def test_a_word_that_is_no_token_opens_nothing(register: Register) -> None:
    token_of(register, Terms("owner"))
    for word in ("", "x", "spadille_t_", "spadille_t_" + "0" * 49, "a" * 10_000, "\ud800"):
        require_unknown(register, word)
        assert register.held_in(word) is None


def test_what_is_revoked_at_one_process_holds_at_none(two: tuple[Register, Register]) -> None:
    here, there = two
    token = token_of(here, Terms("recorder", TABLE))
    (grant,), secret = here.grants(), there.enter(token).secret
    assert here.held_in(secret) and there.held_with(token)
    stood = here.state()
    assert there.revoke(grant.id).revoked_at == NOW
    assert here.state() != stood
    for register in two:
        assert register.held_in(secret) is None
        require_unknown(register, token)
        assert register.active_grants() == []
        assert [one.id for one in register.grants()] == [grant.id]


def test_of_all_who_exchange_an_invitation_at_once_one_gets_in(two: tuple[Register, Register]) -> None:
    here, _ = two
    registers = two * 4
    for invited in range(1, 4):
        token = token_of(here, Terms("owner", once=True))

        def enter(number: int, token: str = token) -> None:
            with suppress(UnknownToken):
                registers[number].enter(token)

        in_threads(len(registers), enter)
        assert len(here.sessions()) == invited


def test_with_a_grant_goes_what_was_made_by_it(register: Register) -> None:
    organiser = register.make(Terms("organiser", TABLE)).grant
    second = register.make(Terms("organiser", TABLE), organiser.id).grant
    third = token_of(register, Terms("recorder", TABLE), second.id)
    other = token_of(register, Terms("recorder", TABLE))
    register.revoke(organiser.id)
    require_unknown(register, third)
    assert register.held_with(other)


def test_a_grant_ends_by_the_clock_and_holds_if_that_goes_back(register: Register, clock: Clock) -> None:
    end = after_days(NOW, 2)
    token = token_of(register, Terms("owner", expires_at=end))
    public = register.make(Terms("viewer", public=True, expires_at=end)).grant
    secret = register.enter(token).secret
    clock.advance(1.99)
    assert register.held_with(token)
    clock.advance(0.01)
    require_unknown(register, token)
    assert register.held_in(secret) is None
    assert (register.held_by_all(), register.has_owner()) == ((), False)
    clock.advance(-1)
    assert register.held_with(token).grants and register.held_in(secret)
    assert (register.held_by_all(), register.has_owner()) == ((public,), True)


def test_a_token_that_holds_once_can_be_exchanged_once(register: Register) -> None:
    token = token_of(register, Terms("owner", once=True))
    with pytest.raises(UnknownToken):
        register.held_with(token)
    held = register.held_in(register.enter(token).secret)
    assert held and held.grants[0].spent
    require_unknown(register, token)


def test_what_everybody_holds_has_no_token(register: Register) -> None:
    grant, token = register.make(Terms("viewer", TABLE, public=True))
    assert token is None
    assert register.held_by_all() == (grant,)
    register.make(FOREHAND)
    assert register.held_by_all() == (grant,)
    register.revoke(grant.id)
    assert register.held_by_all() == ()


def test_use_is_noted_by_the_day(register: Register, clock: Clock) -> None:
    grant, made = register.make(FOREHAND)
    token = made or ""
    register.held_with(token)
    assert register.grant(grant.id).used_on == "2026-11-20"
    clock.advance(1)
    secret = register.enter(token).secret
    assert register.grant(grant.id).used_on == "2026-11-21"
    register.held_in(secret)
    assert register.sessions()[0].used_on == "2026-11-21"


def test_a_session_takes_over_what_the_one_before_it_held(register: Register) -> None:
    first = register.enter(token_of(register, Terms("recorder", TABLE)))
    second = register.enter(token_of(register, FOREHAND), first.secret)
    held = register.held_in(second.secret)
    assert held and {grant.terms.role for grant in held.grants} == {"recorder", "player"}
    assert register.held_in(first.secret) is None
    assert [one.id for one in register.sessions()] == [second.session.id]


def test_a_session_holds_no_more_than_so_many(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.auth.register.GRANTS_OF_A_SESSION", 4)
    secret = None
    for number in range(7):
        secret = register.enter(token_of(register, Terms("viewer", TABLE, label=str(number))), secret).secret
    held = register.held_in(secret or "")
    assert held and [grant.terms.label for grant in held.grants] == ["3", "4", "5", "6"]


def test_a_session_ends(register: Register, clock: Clock) -> None:
    token = token_of(register, Terms("owner"))
    left, ended, last = (register.enter(token) for _ in range(3))
    register.leave(left.secret)
    register.end_session(ended.session.id)
    assert register.held_in(left.secret) is register.held_in(ended.secret) is None
    assert register.held_in(last.secret)
    clock.advance(SESSION_DAYS)
    assert register.held_in(last.secret) is None
    assert register.sessions() == []
    with pytest.raises(UnknownSession):
        register.end_session(left.session.id)
    register.leave(left.secret)


def test_a_member_is_named_by_an_id(register: Register) -> None:
    anna = register.enrol(Member("", "Anna Andersen", "Anna", "2019-09-01", "has the key"))
    assert anna.id.startswith("m-") and len(anna.id) == 18
    assert register.member(anna.id) == anna
    register.amend(anna._replace(name="Anna Bertelsen"))
    bo = register.enrol(Member("", "Bo"))
    assert [one.name for one in register.members()] == ["Anna Bertelsen", "Bo"]
    assert register.members_among(["Carl", anna.id, "m-", bo.id, anna.id]).keys() == {anna.id, bo.id}
    many = [register.enrol(Member("", f"Player {number}")).id for number in range(8)]
    assert list(register.members_among(many)) == sorted(many), "one order, whatever the hash seed"


def test_a_member_is_forgotten(register: Register) -> None:
    anna = register.enrol(Member("", "Anna Andersen", "Anna", "2019-09-01", "has the key"))
    grant, token = register.make(Terms("player", TABLE, person=anna.id, label="Anna’s phone"))
    register.forget(anna.id)
    for ended in (register.member, register.forget, lambda _: register.amend(anna)):
        with pytest.raises(UnknownMember):
            ended(anna.id)
    assert register.members() == []
    assert register.members_among([anna.id])[anna.id] == Member(anna.id, "", forgotten_at=NOW)
    ended_grant = register.grant(grant.id)
    assert ended_grant.revoked_at and ended_grant.terms.label == ""
    with pytest.raises(UnknownToken):
        register.held_with(token or "")


def test_another_program_s_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "access.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    with pytest.raises(NotAStore, match="no register"):
        Register(path)
    path.write_bytes(b"no database at all, and long enough to be read as one" * 40)
    with pytest.raises(NotAStore):
        Register(path)


def test_after_closing_nothing_is_answered(register: Register) -> None:
    register.close()
    register.close()
    for ask in (register.grants, register.sessions, register.members):
        with pytest.raises(StoreClosed):
            ask()


def test_a_step_that_fails_leaves_nothing_half_done(register: Register) -> None:
    token = token_of(register, Terms("owner", once=True))

    def broken(_: str) -> None:
        raise ZeroDivisionError

    register._session_of = broken  # type: ignore[assignment,method-assign]
    with pytest.raises(ZeroDivisionError):
        register.enter(token, "spadille_s_")
    del register._session_of
    assert register.enter(token)


def test_every_start_has_links_of_its_own(register: Register) -> None:
    first = owner_links(register, "http://127.0.0.1:8240", ["/replays/belinda", "/deals"])
    used = first[0].partition("#token=")[2].partition("&")[0]
    secret = register.enter(used).secret
    again = owner_links(register, "http://127.0.0.1:8240", ["/deals"])
    assert first[0].endswith("&to=/replays/belinda")
    assert again[0].startswith("http://127.0.0.1:8240/enter#token=spadille_t_")
    # Who is logged in stays so; what nobody used holds no longer.
    held = register.held_in(secret)
    assert held and held.grants[0].terms.role == "owner"
    with pytest.raises(UnknownToken):
        register.enter(first[1].partition("#token=")[2].partition("&")[0])
    assert [grant.terms.label for grant in register.grants()] == [AT_THE_START] * 2


def test_who_only_reads_is_let_in_though_the_use_cannot_be_noted(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register_file, "BUSY_SECONDS", 0.05)
    with Register(tmp_path / "access.db", clock) as register:
        token = token_of(register, Terms("owner"))
        other = connections.sqlite3.connect(str(tmp_path / "access.db"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        (grant,) = register.held_with(token).grants
        assert grant.terms.role == "owner"
        with pytest.raises(StoreUnavailable, match="Nothing of this change was kept"):
            register.make(Terms("viewer"))
        other.close()
        clock.advance(1)
        register.held_with(token)
        assert register.grant(grant.id).used_on == clock.now[:10]


def test_who_was_forgotten_is_in_no_corner_of_the_file(tmp_path: Path) -> None:
    chance, path = random.Random(2), tmp_path / "access.db"
    with Register(path) as register:
        marks = [f"ZQX{number}ZQX" for number in range(24)]
        members = [
            register.enrol(Member("", mark + "x" * chance.randrange(200), "z", note=mark + "n" * 90))
            for mark in marks
        ]
        for mark, member in zip(marks, members, strict=True):
            register.make(Terms("player", TABLE, person=member.id, label=f"phone of {mark}"))
        for member in chance.sample(members, 12):
            register.amend(member._replace(note="n" * chance.randrange(900)))
        gone = chance.sample(range(24), 6)
        assert all(mark.encode() in path.read_bytes() for mark in marks)
        for number in gone:
            register.forget(members[number].id)
    data = path.read_bytes()
    assert [number for number in range(24) if marks[number].encode() not in data] == sorted(gone)
    with Register(path) as register:
        assert len(register.members()) == 18


def test_an_older_register_is_migrated_and_damage_in_it_found(tmp_path: Path) -> None:
    for name, turned in (("sound.db", False), ("turned.db", True)):
        path = tmp_path / name
        with Register(path) as register:
            made = register.make(FOREHAND)
        older = sqlite3.connect(path)
        older.execute("ALTER TABLE grants DROP COLUMN title")
        older.execute("DELETE FROM _sqlite_migrations WHERE name = '0003_titles'")
        register_file.seal(Database(older))
        if turned:
            older.execute("UPDATE grants SET role = 'owner'")
        older.commit()
        older.close()
        if turned:
            with pytest.raises(StoreDamaged):
                Register(path)
        else:
            with Register(path) as again:
                assert again.grant(made.grant.id) == made.grant


DEAL, OTHER = Scope("deal", "d"), Scope("deal", "e")


def overlap(one: Scope, other: Scope) -> bool:
    return one == other or {one, other} == {DEAL, TABLE} or "everything" in (one.kind, other.kind)


def player(scope: Scope = DEAL, **who: Any) -> Terms:
    return Terms("player", scope, **who)


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
        (A, Terms("viewer", DEAL, label="Bo"), False),
        (A, Terms("recorder", DEAL, label="Bo"), False),
        (Terms("recorder", DEAL, label="Anna"), Terms("recorder", TABLE, label="Bo"), True),
        (Terms("recorder", DEAL, label="Anna"), Terms("recorder", DEAL), False),
        (Terms("owner", label="laptop"), Terms("owner", label="laptop"), False),
    ],
)
def test_two_persons_in_one_record_are_told_apart(held: Terms, new: Terms, clash: bool) -> None:
    grants = [Grant(str(n), terms, "2026") for n, terms in enumerate((held, new))]
    assert other_persons(grants[:1], grants[1], overlap) == (grants[:1] if clash else [])


def test_of_several_grants_the_player_s_who_is_named_comes_first() -> None:
    grants = [Grant(str(n), terms, "2026") for n, terms in enumerate((player(TABLE, person="Anna"), B, A))]
    assert named_player(grants, {"forehand"}, "Carl") == grants[2]
    assert named_player(grants, (), "Anna") == grants[0]
    assert named_player(grants, {"backhand"}, "Carl") is None
    assert first_player(grants) == grants[1]
