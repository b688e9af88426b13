"""Members found by the names that people write."""

import pytest

from service.auth.display_names import MemberLookup, unambiguous_names
from service.auth.grants import Member

LOOKUP = MemberLookup(
    [
        Member("1", "Anna Larsen"), Member("2", "Anna Madsen"), Member("3", "Bo Holm", short="Bob"),
        Member("4", "Karl Åge Friis"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "found", "similar"),
    [
        ("Anna Larsen", "1", ""),
        ("ANNA  larsen", "1", ""),
        ("Anna M.", "2", ""),
        ("Anna", None, "12"),
        ("Bob", "3", ""),
        ("Bo Hollm", None, "3"),
        ("Karl", "4", ""),
        ("Carl", None, "4"),
        ("Dora", None, ""),
    ],
)
def test_a_name_is_found_as_it_stands_or_is_similar(name: str, found: str | None, similar: str) -> None:
    member = LOOKUP.find(name)
    assert (member and member.id) == found
    assert found or {one.id for one in LOOKUP.find_similar(name)} == set(similar)


def test_members_have_their_names_in_a_sheet_unless_two_players_have_the_same() -> None:
    names = {"m-1": "Anna", "m-2": "Bo", "m-3": None}
    assert unambiguous_names(names, ["m-1", "m-2", "m-3", "bo"]) == {"m-1": "Anna", "m-3": "m-3"}
