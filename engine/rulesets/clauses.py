"""How a ruleset's module writes its clauses: by their point, as the source states them or as we decided."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.rulesets.model import Clause

ClausesByPoint = Mapping[str, tuple[Clause, ...]]


def stated(text: str, *on: str, source: str = "") -> Clause:
    """What the source says, and what it is the clause of (`Clause.on`)."""
    return Clause("", text, source, on=on)


def ours(text: str, *on: str, source: str = "") -> Clause:
    """What the source leaves open and we decided."""
    return Clause("", text, source, ours=True, on=on)


def silent(text: str) -> Clause:
    """What the source does not say, and nothing is judged or paid by."""
    return Clause("", text, "", silent=True)


def cite_clauses(source: str, by_point: ClausesByPoint) -> tuple[Clause, ...]:
    """The clauses with their points, read in ``source`` where they name no other."""
    return tuple(
        replace(clause, point=point, source=clause.source or source)
        for point, clauses in by_point.items()
        for clause in clauses
    )


def sort_clauses(unsorted: Iterable[Clause]) -> tuple[Clause, ...]:
    """The clauses by sections of RULES; within one, those on the same point together."""
    listed = tuple(unsorted)
    points = list(dict.fromkeys(clause.point for clause in listed))
    return tuple(sorted(listed, key=lambda one: (int(one.point.partition(".")[0]), points.index(one.point))))
