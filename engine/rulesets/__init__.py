"""The rulesets that ship with the engine, and how a deal finds the one it names."""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from engine.cards import NO_TRUMP, Suit
from engine.ranking import UNKNOWN_TRUMP, Following, following
from engine.rulesets.dlu import DLU
from engine.rulesets.model import Bid, Contract, Naming, Ruleset, Tariff, Words
from engine.rulesets.ombre import OMBRE

UNKNOWN: Final = Ruleset(
    id="",
    revision=0,
    words=Words("unknown ruleset", "ukendt regelsæt"),
    source="",
    bids=(),
    contracts=(),
    naming=(),
)
"""Stands in for a ruleset nobody published: its deals fold, nothing is judged or paid."""


class Rules(NamedTuple):
    """A ruleset made ready to fold with: the same data, found by id."""

    ruleset: Ruleset
    known: bool
    bids: dict[str, Bid]
    contracts: dict[str, Contract]
    naming: dict[str, tuple[Naming, ...]]
    tariff: dict[str, Tariff]
    bases: dict[str, int]
    tables: tuple[Following, ...]
    """By trump suit; at ``NO_TRUMP`` those of nolo."""

    def following(self, trump: Suit | None) -> Following:
        """The tables of play for ``trump``; None where nobody recorded it."""
        return UNKNOWN_TRUMP if trump is None else self.tables[trump]


Book = tuple[Rules, ...]
"""The rulesets that a deal may name, ready to fold with."""


@cache
def rules_of(ruleset: Ruleset) -> Rules:
    """A ruleset made ready to fold with."""
    tables = tuple(
        following(Suit(trump), ruleset.red_trumps, ruleset.matadors) for trump in range(int(NO_TRUMP) + 1)
    )
    return Rules(
        ruleset,
        bool(ruleset.id),
        {bid.id: bid for bid in ruleset.bids},
        {contract.id: contract for contract in ruleset.contracts},
        dict(ruleset.naming),
        dict(ruleset.tariff),
        dict(ruleset.pool.bases) if ruleset.pool else {},
        tables,
    )


def book_of(rulesets: Iterable[Ruleset]) -> Book:
    """A book of ``rulesets``."""
    return tuple(rules_of(ruleset) for ruleset in rulesets)


PUBLISHED: Final = book_of((DLU, OMBRE))
"""Every published revision, oldest first."""

NO_RULES: Final = rules_of(UNKNOWN)
"""The rules of a deal whose ruleset is in no book."""


def find(book: Book, ruleset_id: str, revision: int | None = None) -> Rules | None:
    """The rules of that id in ``book``: that revision, or the newest; None if there are none."""
    found = None
    for rules in book:
        ruleset = rules.ruleset
        named = ruleset.id == ruleset_id and revision in (None, ruleset.revision)
        if named and (found is None or ruleset.revision > found.ruleset.revision):
            found = rules
    return found


__all__ = [
    "DLU",
    "NO_RULES",
    "OMBRE",
    "PUBLISHED",
    "UNKNOWN",
    "Book",
    "Rules",
    "Ruleset",
    "book_of",
    "find",
    "rules_of",
]
