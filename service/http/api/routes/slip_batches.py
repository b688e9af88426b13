"""Routes for slip batches: rows read and judged, what is pasted, and several deals in one step."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Response
from flask.typing import ResponseReturnValue

from schemas.spreadsheet.pasted_rows import parse_pasted_text
from schemas.spreadsheet.row_reader import build_row_context
from schemas.spreadsheet.sheet_messages import SheetLanguages
from schemas.wire.event_schemas import EventSchema
from schemas.wire.problem_errors import ProblemError, build_problem_errors
from schemas.wire.wire_faults import unexpected_value_error
from service.eventstore import StreamInfo
from service.http.api.blueprint import DECIDED_VERSION, ETAG_HEADER, ApiBlueprint
from service.http.api.etags import IfMatch
from service.http.api.operation_permissions import TABLE_RECORDERS
from service.http.api.request_bodies import (
    MAX_BATCH_EVENTS,
    invalid_event_problem,
    parse_submitted_events,
    prefix_pointers,
    read_json_body,
    resolve_expected_version,
)
from service.http.api.responses import json_response
from service.http.api.routes.deals import deal_append_object
from service.http.api.routes.identity import read_body_as
from service.http.api.routes.tables import find_writable_table, table_append_object
from service.http.api.schemas import records, slip_batches
from service.http.problems import Problem
from service.http.request_log import log_appended_events
from service.http.service_context import commands, queries, service_context
from service.records.record_streams import SubmittedEvent
from service.records.slip_batches import MAX_BATCH_ROWS, read_slip_batch

routes = ApiBlueprint("slip_batches", "/tables", "Batches of slips at a table.")

SLIP_BATCH_DEALS_SCHEMA: Final = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_BATCH_ROWS,
    "items": {"type": "array", "minItems": 1, "items": {"anyOf": [records.DEAL_START_SCHEMA, EventSchema]}},
}


@routes.post("/<stream:table>/slip-batches:read", TABLE_RECORDERS)
@routes.accepts_body(slip_batches.SlipBatchSchema, "Rows as typed from paper.")
@routes.response(200, slip_batches.SlipBatchReadingSchema)
def read(table: str) -> Response:
    """Read a slip batch without storing it

    Each row is the next deal after those before it. The answer has the seats, the events, the payments and
    running totals, and for each unreadable cell what was expected. Words and first letters are read in Danish
    and English.
    """
    info = find_writable_table(table)
    body = read_body_as(slip_batches.SlipBatchSchema())
    continuation = queries().build_table_continuation(info)
    names_by_player = _list_player_names(
        info, [*continuation.table.players, *(name for name, _ in continuation.totals)]
    )
    batch = read_slip_batch(
        continuation,
        body["rows"],
        names_by_player,
        lang=body["lang"],
        paper_shows=body["paper_shows"],
        book=service_context().book,
    )
    names = queries().member_names(info, batch.players)
    answer = slip_batches.SlipBatchReadingSchema.write(batch, body["lang"], version=info.version, names=names)
    return json_response(answer)


def _list_player_names(info: StreamInfo, players: Sequence[str]) -> dict[str, list[str]]:
    """The names of players by player: as at the table, then in full; the id of a forgotten member."""
    names, full_names = queries().member_names(info, players), queries().full_member_names(info, players)
    return {
        player: list(dict.fromkeys(filter(None, (names.get(player) or player, full_names.get(player)))))
        for player in players
    }


@routes.post("/<stream:table>/slip-batches:parse", TABLE_RECORDERS)
@routes.accepts_body(slip_batches.PasteSchema, "Text copied from a spreadsheet.")
@routes.response(200, slip_batches.ParsedPasteSchema)
def parse(table: str) -> Response:
    """Split rows pasted from a spreadsheet

    Into rows and cells, with the likely meaning of each column, from its heading or its contents.
    """
    info = find_writable_table(table)
    body = read_body_as(slip_batches.PasteSchema())
    continuation = queries().build_table_continuation(info)
    languages = SheetLanguages(body["lang"], body["lang"])
    names_by_player = _list_player_names(info, continuation.table.players)
    context = build_row_context(continuation.table.rules, languages, names_by_player)
    return json_response(slip_batches.ParsedPasteSchema.write(parse_pasted_text(body["text"], context)))


@routes.post(
    "/<stream:table>/slip-batches", TABLE_RECORDERS, if_match=DECIDED_VERSION, query=records.ModeQuery
)
@routes.accepts_body(
    SLIP_BATCH_DEALS_SCHEMA, "For each deal its `deal_opened` and what else is recorded of it, in order."
)
@routes.creates(slip_batches.SlipBatchResultSchema, "It was already stored.", headers=ETAG_HEADER)
def start(if_match: IfMatch, query: dict[str, Any], table: str) -> ResponseReturnValue:
    """Start several deals at a table

    All of them, or none. `If-Match` names the table's version. An opening can leave out the same fields as
    for a single deal; earlier deals of the batch count. Ids are checked before the version: a repeated
    request gets the stored deals.
    """
    info = find_writable_table(table)
    deals = commands().complete_deals(info, _read_deals_body(), _parse_deal)
    openings = [deal_events[0] for deal_events in deals]
    expected = resolve_expected_version(if_match, openings, info)
    started = commands().start_deals(info, expected, deals, mode=query["mode"])
    log_appended_events(started.table_append, *started.deal_appends)
    body = {
        "table": table_append_object(started.table_append),
        "deals": [
            {"deal": deal.stream, **deal_append_object(deal, queries().audit_appended_events(deal))}
            for deal in started.deal_appends
        ],
    }
    is_repeat = all(
        result.repeated_count == len(result.events)
        for result in (started.table_append, *started.deal_appends)
    )
    return json_response(body, 200 if is_repeat else 201, etag=str(started.table_append.version))


def _read_deals_body() -> list[list[Mapping[str, Any]]]:
    """The deals of the body, each a list of objects. Raises the problem of any other body."""
    body = read_json_body()
    expected = f"a list of 1 to {MAX_BATCH_ROWS} deals, each the list of its events"
    if not isinstance(body, list) or not 0 < len(body) <= MAX_BATCH_ROWS:
        raise invalid_event_problem(build_problem_errors(unexpected_value_error(body, expected)))
    errors: list[ProblemError] = []
    for index, deal in enumerate(body):
        if not isinstance(deal, list) or not deal or not isinstance(deal[0], dict):
            fault = unexpected_value_error(deal, "a list of events that begins with deal_opened")
            errors += prefix_pointers(f"/{index}", build_problem_errors(fault))
    if errors:
        raise invalid_event_problem(errors)
    count = sum(map(len, body))
    if count > MAX_BATCH_EVENTS:
        raise Problem(
            "too-large",
            f"The slip batch has {count} events. Send at most {MAX_BATCH_EVENTS} together, then the rest.",
        )
    return body


def _parse_deal(index: int, events: Sequence[Mapping[str, Any]]) -> list[SubmittedEvent]:
    try:
        submitted = parse_submitted_events([{"type": "deal_opened", **events[0]}, *events[1:]])
    except Problem as problem:
        raise invalid_event_problem(prefix_pointers(f"/{index}", problem.members["errors"])) from None
    return [item._replace(pointer=f"/{index}{item.pointer}") for item in submitted]
