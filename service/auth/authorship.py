"""Authorship: which grant stands for which person, and in whose name a caller with several grants writes.

A browser may open several links. Two that stand for different persons in one record are not merged into one
session without asking: what one of them wrote would be recorded as the other's.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from service.auth.grants import Grant, Scope

Overlap = Callable[[Scope, Scope], bool]
"""Whether some record lies within both scopes."""


class Person(NamedTuple):
    """Whom a grant that may write stands for: a seat, a person, or, of any other, what it is called."""

    seat: str | None = None
    player: str | None = None
    label: str | None = None


def person_of(grant: Grant) -> Person | None:
    """Whom the grant stands for; None where it may not write, or does not say."""
    terms = grant.terms
    if terms.seat or terms.person:
        return Person(terms.seat, terms.person)
    return Person(label=terms.label) if "write" in grant.powers and terms.label else None


def other_persons(held: Sequence[Grant], new: Grant, overlap: Overlap) -> list[Grant]:
    """The grants of ``held`` that stand for another person than ``new`` does, in a record of both.

    A recorder who also has a seat is one person: only seats are compared with seats, recorders with
    recorders.
    """
    person = person_of(new)
    if person is None:
        return []
    found = []
    for grant in held:
        other = person_of(grant)
        alike = other is not None and (other.label is None) == (person.label is None)
        if alike and other != person and overlap(grant.terms.scope, new.terms.scope):
            found.append(grant)
    return found


def named_player(grants: Sequence[Grant], seats: Collection[str], author: str) -> Grant | None:
    """Of these the grant of the player ``author``, who held ``seats``; None where there is none."""
    for grant in grants:
        terms = grant.terms
        if terms.person == author or (terms.seat and (terms.seat == author or terms.seat in seats)):
            return grant
    return None


def first_player(grants: Sequence[Grant]) -> Grant:
    """Of these the oldest of a seat, else the oldest of a person, else the oldest."""
    return min(grants, key=lambda grant: (not grant.terms.seat, not grant.terms.person))
