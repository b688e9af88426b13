"""Versions of records: at which one what a client sends may be appended."""

from collections.abc import Sequence

from service.eventstore import StreamInfo
from service.eventstore.events import ExpectedVersion
from service.http.api.openapi.contract import VERSION_HINT
from service.http.api.schemas.fields import IfMatch
from service.http.problems import Problem
from service.http.service_context import queries
from service.records.append import are_version_independent
from service.records.record_streams import SubmittedEvent


def resolve_expected_version(
    if_match: IfMatch, submitted_events: Sequence[SubmittedEvent], stream: StreamInfo
) -> ExpectedVersion:
    """The version at which to append to the record. Raises the problem of a request that has to name one."""
    if if_match.is_any and not are_version_independent(submitted_events):
        raise Problem("version-required", f"If-Match: * does not do for these events. {VERSION_HINT}")
    return if_match.resolve_version(lambda: queries().current_version(stream))
