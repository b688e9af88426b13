"""What grants reach: of many, those that reach a record are found by its name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from service.auth.grants import EVERYTHING_SCOPE, Grant, Scope
from service.eventstore import StreamInfo
from service.records.record_streams import DEAL_KIND, TABLE_KIND


class GrantSet(tuple[Grant, ...]):
    """Grants in the order in which they were made.

    A club may have published thousands of deals: they are not gone through for each record of a page.
    """

    def find_covering(self, stream: StreamInfo | None) -> list[Grant]:
        """Those that reach a record, or, without one, everything."""
        found = [pair for scope in _iterate_covering_scopes(stream) for pair in self._by_scope.get(scope, ())]
        return [grant for _, grant in sorted(found, key=_creation_order)]

    @cached_property
    def earliest_expiry(self) -> str | None:
        """When the first of them ends; None where none does."""
        return min((end for grant in self if (end := grant.terms.expires_at)), default=None)

    @cached_property
    def personal_grants(self) -> tuple[Grant, ...]:
        """Those by which somebody may know more of a record than lies open: a hand, or a note that he
        wrote."""
        return tuple(one for one in self if one.terms.seat or one.terms.person or "note" in one.permissions)

    @cached_property
    def _by_scope(self) -> dict[Scope, list[tuple[int, Grant]]]:
        found: dict[Scope, list[tuple[int, Grant]]] = {}
        for number, grant in enumerate(self):
            found.setdefault(grant.terms.scope, []).append((number, grant))
        return found


def _iterate_covering_scopes(stream: StreamInfo | None) -> Iterator[Scope]:
    """The scopes that reach a record: a table's reaches its deals too."""
    yield EVERYTHING_SCOPE
    if stream is not None:
        yield Scope(TABLE_KIND, stream.root)
        if stream.kind == DEAL_KIND:
            yield Scope(DEAL_KIND, stream.stream)


def _creation_order(pair: tuple[int, Grant]) -> int:
    return pair[0]
