"""Authorship: which grant stands for which person, and in whose name a caller with several grants writes.

A browser may open several links. Two that stand for different persons in one record are not merged into one
session without asking: what one of them wrote would be recorded as the other's.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from service.auth.grants import Grant, Scope

ScopeOverlap = Callable[[Scope, Scope], bool]
"""Whether some record lies within both scopes."""


class RepresentedPerson(NamedTuple):
    """Whom a grant that may write stands for: a seat, a person, or, of any other, what it is called."""

    seat: str | None = None
    player: str | None = None
    label: str | None = None


def represented_person(grant: Grant) -> RepresentedPerson | None:
    """Whom the grant stands for; None where it may not write, or does not say."""
    terms = grant.terms
    if terms.seat or terms.person:
        return RepresentedPerson(terms.seat, terms.person)
    return RepresentedPerson(label=terms.label) if "write" in grant.permissions and terms.label else None


def find_conflicting_grants(
    held_grants: Sequence[Grant], new_grant: Grant, do_scopes_overlap: ScopeOverlap
) -> list[Grant]:
    """The grants of ``held_grants`` that stand for another person than ``new_grant`` does, in a record of
    both.

    A recorder who also has a seat is one person: only seats are compared with seats, recorders with
    recorders.
    """
    person = represented_person(new_grant)
    if person is None:
        return []
    found = []
    for grant in held_grants:
        other_person = represented_person(grant)
        is_same_kind = other_person is not None and (other_person.label is None) == (person.label is None)
        if (
            is_same_kind
            and other_person != person
            and do_scopes_overlap(grant.terms.scope, new_grant.terms.scope)
        ):
            found.append(grant)
    return found


def find_player_grant(grants: Sequence[Grant], seats: Collection[str], author: str) -> Grant | None:
    """Of these the grant of the player ``author``, who held ``seats``; None where there is none."""
    for grant in grants:
        terms = grant.terms
        if terms.person == author or (terms.seat and (terms.seat == author or terms.seat in seats)):
            return grant
    return None


def oldest_player_grant(grants: Sequence[Grant]) -> Grant:
    """Of these the oldest of a seat, else the oldest of a person, else the oldest."""
    return min(grants, key=lambda grant: (not grant.terms.seat, not grant.terms.person))
