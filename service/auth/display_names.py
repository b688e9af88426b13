"""Names of members: short ones that tell the members at a table apart, and names that look alike."""

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from difflib import get_close_matches
from typing import Final

from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms, Member
from service.records.hidden_characters import BIDI_CONTROLS, INVISIBLE_CHARACTERS

MAX_FAMILY_NAME_LETTERS: Final = 3
"""More letters of a family name might reveal it to readers who may not know it."""
MIN_NAME_SIMILARITY: Final = 0.75
"""From this ratio on two names may be meant for one."""


def short_display_names(
    members: Iterable[Member], other_names: Iterable[str] = (), *, can_see_full_names: bool = True
) -> dict[str, str]:
    """The names of members at a table, by id: the short name, else the first name.

    If two would be the same, or one the same as one of ``other_names`` (players who are no members), as many
    letters of the family name are added as needed or, if that is not enough, with ``can_see_full_names`` the
    full name is used. Two members with the same full name keep it, until the club gives them short names.
    """
    members_by_id, other_names_list = {one.id: one for one in members}, list(other_names)
    display_names = {member: _brief_name(one) for member, one in members_by_id.items()}
    for letter_count in range(1, MAX_FAMILY_NAME_LETTERS + 1):
        for member in _find_ambiguous_ids(display_names, other_names_list):
            display_names[member] = _with_initial(members_by_id[member], letter_count)
    for member in _find_ambiguous_ids(display_names, other_names_list) if can_see_full_names else ():
        display_names[member] = members_by_id[member].name
    return display_names


def grant_holder_name(register: AccessRegister, terms: GrantTerms) -> str:
    """The name of the person or device that a grant is for; empty if it has none."""
    if not terms.person:
        return terms.label
    names = member_display_names(register, [terms.person], [terms.person], can_see_full_names=True)
    return names.get(terms.person) or terms.person


def member_display_names(
    register: AccessRegister,
    players: Iterable[str],
    full_name_ids: Container[str],
    *,
    can_see_full_names: bool,
) -> dict[str, str | None]:
    """The names of the members among ``players``, by id; None for erased ones.

    Members in ``full_name_ids`` get the full name. ``can_see_full_names``: whether the reader may know the
    full names of the others.
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


def unambiguous_names(names_by_id: Mapping[str, str | None], players: Iterable[str]) -> dict[str, str]:
    """The names of the members among players, by id, but for names that two of the players have."""
    name_by_player = {player: names_by_id.get(player) or player for player in players}
    name_counts = Counter(map(fold_name, name_by_player.values()))
    return {player: name for player, name in name_by_player.items() if name_counts[fold_name(name)] == 1}


class MemberLookup:
    """Finds members by the names that people write, ignoring case and spaces."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.members = list(members)
        shown_names = short_display_names(self.members)
        self._members_by_name: dict[str, dict[str, Member]] = {}
        for one in self.members:
            for name in (one.name, shown_names[one.id], _brief_name(one)):
                self._members_by_name.setdefault(fold_name(name), {})[one.id] = one

    def find(self, name: str) -> Member | None:
        """The only member whose whole name, or name at a table, this is."""
        found = self._members_by_name.get(fold_name(name), {})
        return next(iter(found.values())) if len(found) == 1 else None

    def find_similar(self, name: str) -> list[Member]:
        """The members who may be meant by a name that nobody alone has."""
        folded = fold_name(name)
        names = get_close_matches(folded, self._members_by_name, cutoff=MIN_NAME_SIMILARITY)
        found = {member: one for close in names for member, one in self._members_by_name[close].items()}
        return list(found.values())


def fold_name(name: str) -> str:
    """A name without case and spaces."""
    return "".join(name.casefold().split())


def _brief_name(member: Member) -> str:
    return member.short or member.name.partition(" ")[0]


def _with_initial(member: Member, letter_count: int) -> str:
    """``Anna L.``, or with more letters ``Anna La.``; a single name stays as it is."""
    family = member.name.split()[1:]
    return f"{_brief_name(member)} {family[-1][:letter_count]}." if family else _brief_name(member)


def _find_ambiguous_ids(names_by_id: Mapping[str, str], other_names: Iterable[str]) -> list[str]:
    """The ids whose names are the same as others, ignoring case."""
    name_counts = Counter(name.casefold() for name in (*names_by_id.values(), *other_names))
    return [member for member, name in names_by_id.items() if name_counts[name.casefold()] > 1]


_HIDDEN: Final = BIDI_CONTROLS | INVISIBLE_CHARACTERS | frozenset("\u200c\u200d")
_CONFUSABLES: Final = {
    "a": "\u0430\u03b1",
    "b": "\u0432\u03b2",
    "c": "\u0441",
    "e": "\u0435\u03b5",
    "h": "\u043d\u03b7",
    "j": "\u0458",
    "k": "\u043a\u03ba",
    "l": "i1|\u0131\u0456\u03b9",
    "m": "\u043c\u03bc",
    "n": "\u03bd",
    "o": "0\u043e\u03bf",
    "p": "\u0440\u03c1",
    "s": "\u0455",
    "t": "\u0442\u03c4",
    "x": "\u0445\u03c7",
    "y": "\u0443\u03c5",
    "z": "\u03b6",
}
"""Small letters, also Cyrillic and Greek, that look like a Latin letter of either case."""
_CONFUSABLE_TO_LATIN: Final = {
    ord(letter): latin for latin, letters in _CONFUSABLES.items() for letter in letters
}


def skeleton(name: str) -> str:
    """A name without case, accents, invisible characters and spaces: the same for names that look alike.

    >>> skeleton("Anna") == skeleton(" \\u0410NNA\\u200d")  # a Cyrillic A, and a joiner
    True
    >>> skeleton("Bo") == skeleton("Ib")
    False
    """
    parts = unicodedata.normalize("NFKD", name.casefold())
    visible = "".join(one for one in parts if not unicodedata.combining(one) and one not in _HIDDEN)
    return "".join(visible.translate(_CONFUSABLE_TO_LATIN).split())


def find_lookalike(member: Member, others: Iterable[Member]) -> Member | None:
    """Another member whose name looks the same; None if there is none."""
    member_skeleton = skeleton(member.name)
    return next(
        (one for one in others if one.id != member.id and skeleton(one.name) == member_skeleton), None
    )
