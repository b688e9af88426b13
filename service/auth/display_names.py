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
    members_by_id, other_names_list = {one.id: one for one in members}, list(other_names)
    display_names = {member: _brief_name(one) for member, one in members_by_id.items()}
    for letter_count in range(1, MAX_FAMILY_NAME_LETTERS + 1):
        for member in _find_ambiguous_ids(display_names, other_names_list):
            display_names[member] = _with_initial(members_by_id[member], letter_count)
    for member in _find_ambiguous_ids(display_names, other_names_list) if can_see_full_names else ():
        display_names[member] = members_by_id[member].name
    return display_names


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
    player_ids = list(players)
    members = register.find_members_by_id(player_ids)
    current_members = [one for one in members.values() if not one.forgotten_at]
    short_names = short_display_names(
        current_members,
        [one for one in player_ids if one not in members],
        can_see_full_names=can_see_full_names,
    )
    display_names = {
        one.id: one.name if one.id in full_name_ids else short_names[one.id] for one in current_members
    }
    return {member: display_names.get(member) for member in members}


def _brief_name(member: Member) -> str:
    return member.short or member.name.partition(" ")[0]


def _with_initial(member: Member, letter_count: int) -> str:
    """``Anna L.``, or with more letters ``Anna La.``; who has but one name keeps it."""
    family = member.name.split()[1:]
    return f"{_brief_name(member)} {family[-1][:letter_count]}." if family else _brief_name(member)


def _find_ambiguous_ids(names_by_id: Mapping[str, str], other_names: Iterable[str]) -> list[str]:
    """Those whose name is also that of another, however it is written."""
    name_counts = Counter(name.casefold() for name in (*names_by_id.values(), *other_names))
    return [member for member, name in names_by_id.items() if name_counts[name.casefold()] > 1]
