"""What the members at one table are called there: briefly, and so that each is told from the others."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import Final

from service.auth.access_register import AccessRegister
from service.auth.grants import Member

MAX_FAMILY_NAME_LETTERS: Final = 3
"""So many letters of a family name are told beside a first name: who reads may not know the whole of it."""


def short_display_names(
    members: Iterable[Member], other_names: Iterable[str] = (), *, can_see_full_names: bool = True
) -> dict[str, str]:
    """How members are called at a table, by their ids: the short name, else the first one.

    Where two would be called alike, or one like somebody among ``other_names``, who was only typed in, the
    first letters of the family name come to it, no more than it takes; where they tell nobody apart, the
    whole name does, with ``can_see_full_names``. Two who have the same name and no short one are called
    alike: only the club can say how to tell them apart.
    """
    told, taken = {one.id: one for one in members}, list(other_names)
    called = {member: _brief_name(one) for member, one in told.items()}
    for letters in range(1, MAX_FAMILY_NAME_LETTERS + 1):
        for member in _find_ambiguous_ids(called, taken):
            called[member] = _with_initial(told[member], letters)
    for member in _find_ambiguous_ids(called, taken) if can_see_full_names else ():
        called[member] = told[member].name
    return called


def member_display_names(
    register: AccessRegister,
    players: Iterable[str],
    full_name_ids: Container[str],
    *,
    can_see_full_names: bool,
) -> dict[str, str | None]:
    """How the members among ``players`` are called, by id, in full those in ``full_name_ids``; None if
    forgotten.

    ``can_see_full_names``: whether the reader may know the whole names of the others.
    """
    there = list(players)
    members = register.find_members_by_id(there)
    called = [one for one in members.values() if not one.forgotten_at]
    brief = short_display_names(
        called, [one for one in there if one not in members], can_see_full_names=can_see_full_names
    )
    told = {one.id: one.name if one.id in full_name_ids else brief[one.id] for one in called}
    return {member: told.get(member) for member in members}


def _brief_name(member: Member) -> str:
    return member.short or member.name.partition(" ")[0]


def _with_initial(member: Member, letters: int) -> str:
    """``Anna L.``, or with more letters ``Anna La.``; who has but one name keeps it."""
    family = member.name.split()[1:]
    return f"{_brief_name(member)} {family[-1][:letters]}." if family else _brief_name(member)


def _find_ambiguous_ids(names_by_id: Mapping[str, str], other_names: Iterable[str]) -> list[str]:
    """Those whose name is also that of another, however it is written."""
    often = Counter(name.casefold() for name in (*names_by_id.values(), *other_names))
    return [member for member, name in names_by_id.items() if often[name.casefold()] > 1]
