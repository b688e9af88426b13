"""Whom a grant stands for, and which two do not join one session without a question."""

from typing import Any

import pytest

from service.auth.authorship import first_player, named_player, other_persons
from service.auth.grants import Grant, Scope, Terms

DEAL, OTHER, TABLE = Scope("deal", "d"), Scope("deal", "e"), Scope("table", "t")


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
