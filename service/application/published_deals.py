"""Deals that a club has published, each under a title in the library.

A public grant with a title publishes a deal (`service.auth.grants`), and revoking the grant takes it back.
"""

from collections.abc import Iterator
from typing import NamedTuple

from service.application.queries import Queries
from service.auth.caller import PermissionDenied
from service.eventstore import StoreDamaged, StreamInfo
from service.records.record_streams import DEAL_KIND
from service.records.repository import UnknownRecord


class PublishedDeal(NamedTuple):
    """A deal in the library: its record, its title there, and the grant that published it."""

    deal: StreamInfo
    title: str
    grant: str


def list_published_deals(queries: Queries) -> list[PublishedDeal]:
    """The published deals, the latest first; each once, under its latest title."""
    return list(_iterate_published_deals(queries, None))


def find_published_deal(queries: Queries, deal: StreamInfo) -> PublishedDeal | None:
    """A deal as published; None if it is not."""
    return next(_iterate_published_deals(queries, deal.stream), None)


def find_published_title(queries: Queries, deal: StreamInfo) -> str | None:
    """The title of a published deal; None if it is not published."""
    published = find_published_deal(queries, deal)
    return published.title if published else None


def _iterate_published_deals(queries: Queries, only_deal: str | None) -> Iterator[PublishedDeal]:
    """The published deals, or only that one."""
    published: set[str] = set()
    for grant in reversed(queries.caller.public_grants):
        deal, title = grant.terms.scope.id, grant.terms.title
        if title is None or deal is None or deal in published or only_deal not in (None, deal):
            continue
        try:
            yield PublishedDeal(queries.find_deal(deal), title, grant.id)
        except (UnknownRecord, PermissionDenied):
            # It was never recorded, or begins in a deal whose hands are not open.
            continue
        published.add(deal)


def is_struck_from_table(queries: Queries, deal: StreamInfo) -> bool:
    """Whether a published deal no longer counts at its table; False if the caller may not read the table."""
    if deal.root == deal.stream:
        return False
    try:
        table_deals = queries.list_table_deals(queries.find_table(deal.root))
    except (UnknownRecord, PermissionDenied, StoreDamaged):
        return False
    return deal.stream not in {one.stream for one in table_deals}


def is_public_deal(queries: Queries, deal: StreamInfo) -> bool:
    """Whether the public may see a deal."""
    return deal.kind == DEAL_KIND and queries.caller.is_public_record(deal)
