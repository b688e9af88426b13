"""Routes for tables: opening one, its log, starting deals there."""

from functools import partial
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue

from engine.rulesets import find_ruleset
from engine.tables.rescoring import OtherRules
from schemas.answers.ledgers import format_ledger_csv, ledger_object
from schemas.answers.table_audits import table_audit_object
from schemas.rulesets.other_rules_text import parse_rules_text
from schemas.wire.event_schemas import EventSchema
from service.auth.grants import replace_member_ids
from service.config.urls import API_PREFIX
from service.eventstore import AppendResult, StreamInfo
from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, heavy_work
from service.http.api.blueprint import (
    DECIDED_VERSION,
    DECIDED_VERSION_OR_ANY,
    ETAG_HEADER,
    ApiBlueprint,
    response_header,
)
from service.http.api.cache_policies import LIST_POLICY, RECORD_POLICY
from service.http.api.etags import IfMatch
from service.http.api.openapi.languages import response_language
from service.http.api.operation_permissions import (
    ANYONE_FILTERED,
    NOTE_WRITERS,
    RECORD_VIEWERS,
    TABLE_OPENERS,
    TABLE_RECORDERS,
)
from service.http.api.record_responses import (
    NEXT_LINK_HEADER,
    event_stream_response,
    record_cache_control,
    require_event_stream_accepted,
    summary_page_response,
)
from service.http.api.request_bodies import (
    parse_submitted_event,
    read_json_object,
    read_submitted_events,
    resolve_expected_version,
)
from service.http.api.responses import csv_response, json_response, stored_bodies_as_json
from service.http.api.routes.deals import EVENTS_SCHEMA, deal_append_object
from service.http.api.routes.log_resources import add_log_routes
from service.http.api.schemas import records
from service.http.api.schemas.audits import TableAuditQuery, TableAuditSchema
from service.http.api.schemas.ledgers import LedgerSchema
from service.http.api.schemas.live import EVENT_STREAM_SCHEMA, EVENT_STREAM_TYPE
from service.http.api.schemas.records import SpreadsheetQuery
from service.http.problems import invalid_parameter_problem
from service.http.request_log import log_appended_events
from service.http.service_context import commands, queries, service_context
from service.http.vary import vary_on
from service.presentation.csv_sheet import download_file_name, format_ledger_sheet
from service.projections.summaries import opening_date
from service.records.record_streams import TABLE_KIND

routes = ApiBlueprint("tables", "/tables", "Tables and their deals.")

SCORE_SHEET_FILE_TITLE = "Score sheet"
"""The title of the file of a ledger."""


@routes.get("", ANYONE_FILTERED, LIST_POLICY, query=records.PageQuery, may_fail=(403, 404))
@routes.response(200, records.TablesPageSchema, headers=NEXT_LINK_HEADER)
def list_tables(query: dict[str, Any]) -> Response:
    """List tables

    The earliest first, a page at a time.
    """
    page = queries().list_records(TABLE_KIND, None, query["after"], query["limit"])
    return summary_page_response("tables", page, query)


@routes.post("", TABLE_OPENERS, may_fail=(409,))
@routes.accepts_body(
    {"$ref": "#/components/schemas/TableOpened"}, "A `table_opened`, whose `type` may be left out."
)
@routes.creates(
    records.TableAppendResultSchema,
    "It was already opened.",
    headers=ETAG_HEADER | response_header("Location", "The table.", "/api/v1/tables/…"),
)
def record_table() -> ResponseReturnValue:
    """Open a table

    With its rules, its players and, if agreed, the number of deals. Its id is that of the opening.
    """
    opening = {"type": "table_opened", **read_json_object("table_opened")}
    result = commands().open_table(parse_submitted_event(opening))
    return table_append_response(result, f"{API_PREFIX}/tables/{result.stream}")


@routes.get("/<stream:table>", RECORD_VIEWERS, RECORD_POLICY)
@routes.response(200, records.TableSchema, headers=ETAG_HEADER)
def show_table(table: str) -> Response:
    """Show a table in short

    The players, the rules, and the number of the next deal.
    """
    info = queries().find_table(table)
    return json_response(
        queries().summary(info), version=info.version, cache_control=record_cache_control(info)
    )


add_log_routes(routes, "table", lambda table: queries().find_table(table))


@routes.get("/<stream:table>/live", RECORD_VIEWERS, query=records.LiveTableQuery, may_fail=(400, 406, 503))
@routes.response(200, EVENT_STREAM_SCHEMA, content_type=EVENT_STREAM_TYPE)
def follow(query: dict[str, Any], table: str) -> Response:
    """Follow a table with its deals

    Server-sent events of the table and of each deal that it started, in the order in which they were stored.
    `id` is the stream's id and the seq there, such as `018f5e2a-…:17`; otherwise as for a deal.
    """
    require_event_stream_accepted()
    subscription = queries().build_subscription(queries().find_table(table), query["viewer"], with_deals=True)
    return event_stream_response(subscription, query["after"])


@routes.post("/<stream:table>/events", NOTE_WRITERS, if_match=DECIDED_VERSION_OR_ANY)
@routes.accepts_body(
    {"oneOf": [EventSchema, EVENTS_SCHEMA]},
    "An event, or several; all are stored, or none.",
    jsonl=True,
)
@routes.creates(records.TableAppendResultSchema, "It was already stored.", headers=ETAG_HEADER)
def append_events(if_match: IfMatch, table: str) -> ResponseReturnValue:
    """Append to a table's log

    Players who join or leave, changes of seats, payments by hand, the end of the evening. Ids are checked
    before the version: a repeated request gets the stored entries.
    """
    info = queries().find_table(table)
    commands().require_any_write_access(info)
    submitted = read_submitted_events()
    expected = resolve_expected_version(if_match, submitted, info)
    return table_append_response(commands().append_to_table(info, expected, submitted))


@routes.post("/<stream:table>/deals", TABLE_RECORDERS, if_match=DECIDED_VERSION)
@routes.accepts_body(records.DEAL_START_SCHEMA, "The opening of the deal.")
@routes.creates(
    records.DealStartResultSchema,
    "It was already started.",
    headers=ETAG_HEADER | response_header("Location", "The deal.", "/api/v1/deals/…"),
)
def record_start(if_match: IfMatch, table: str) -> ResponseReturnValue:
    """Start a deal at a table

    Stores its opening and the table's entry of it in one step. `If-Match` names the table's version. What the
    opening leaves out comes from the ledger: ruleset and switches, number, seats, dealer, pool.
    """
    info = find_writable_table(table)
    opening_fields = read_json_object("the fields of deal_opened")
    ((opening,),) = commands().complete_deals(
        info, [[opening_fields]], lambda _, events: [parse_submitted_event(events[0])]
    )
    expected = resolve_expected_version(if_match, [opening], info)
    started = commands().start_deals(info, expected, [[opening]], mode="as_played")
    (deal,) = started.deal_appends
    log_appended_events(started.table_append, deal)
    body = {
        "deal": deal.stream,
        **deal_append_object(deal, queries().audit_appended_events(deal)),
        "table": table_append_object(started.table_append),
    }
    status, location = 200 if deal.repeated_count else 201, f"{API_PREFIX}/deals/{deal.stream}"
    return json_response(body, status, etag=str(deal.version), location=location)


@routes.get("/<stream:table>/ledger", RECORD_VIEWERS, LIST_POLICY)
@routes.response(200, LedgerSchema)
def show_ledger(table: str) -> Response:
    """Show a table's ledger

    One line per deal and payment, running totals, standings, penalty points, the pool, who owes whom, and the
    opening of the next deal. As rows for a spreadsheet if `Accept` prefers `text/csv`, or at `…/ledger.csv`.
    """
    if request.accept_mimetypes["text/csv"] > request.accept_mimetypes["application/json"]:
        return vary_on(_ledger_csv_response(table, None), "Accept")
    info = queries().find_table(table)
    ledger = queries().ledger(info)
    names = queries().member_names(info, [player for player, _ in ledger.totals])
    body = {**ledger_object(ledger, response_language()), "names": names}
    return vary_on(json_response(body, cache_control=record_cache_control(info)), "Accept")


@routes.get("/<stream:table>/audit", RECORD_VIEWERS, LIST_POLICY, query=TableAuditQuery)
@routes.response(200, TableAuditSchema)
def show_audit(query: dict[str, Any], table: str) -> Response:
    """Report on a table for a judge

    Each fault in its deals and between them, once, with its consequences; every settlement recalculated, and
    the first one that is wrong, with the amount; with `as`, what the same deals pay by other rules. The
    report on one of its deals is at `/deals/{deal}/audit`.
    """
    info = queries().find_table(table)
    other_rules = _parse_other_rules(query["rescore_with"])
    with heavy_work(HEAVY_REQUEST_COST):
        report, rescoring = queries().table_report(info, other_rules)
    table_url = f"{API_PREFIX}/tables/{table}"
    body = {
        **table_audit_object(report, response_language(), other_rules, rescoring),
        "names": queries().member_names(info, [player for player, _ in report.ledger.totals]),
        "links": {"self": f"{table_url}/audit", "table": table_url, "ledger": f"{table_url}/ledger"},
    }
    return json_response(body, cache_control=record_cache_control(info))


def find_writable_table(table: str) -> StreamInfo:
    """A table that the caller may write into. Raises `UnknownRecord`, `PermissionDenied`."""
    info = queries().find_table(table)
    TABLE_RECORDERS.require(queries().caller, info)
    return info


def _parse_other_rules(text: str | None) -> OtherRules | None:
    """The rules that a query names. Raises the problem of unknown rules."""
    if text is None:
        return None
    try:
        return parse_rules_text(text, service_context().book)
    except ValueError as error:
        raise invalid_parameter_problem(str(error), "rescore_with") from None


@routes.get("/<stream:table>/ledger.csv", RECORD_VIEWERS, LIST_POLICY, query=SpreadsheetQuery)
@routes.response(200, content_type="text/csv")
def download_ledger(query: dict[str, Any], table: str) -> Response:
    """Read a table's ledger as rows for a spreadsheet

    One row per deal and payment, with each player's payment and total; `lang` sets the language.
    """
    return _ledger_csv_response(table, query["lang"])


def _ledger_csv_response(table: str, lang: str | None) -> Response:
    info = queries().find_table(table)
    ledger, summary = queries().ledger(info), queries().summary(info)
    format_cell = partial(
        replace_member_ids, names_by_id=queries().member_names(info, [player for player, _ in ledger.totals])
    )
    cache_control = record_cache_control(info)
    if lang is None:
        return csv_response(format_ledger_csv(ledger, format_cell=format_cell), cache_control)
    rules = find_ruleset(
        service_context().book, summary["ruleset"], summary["revision"], tuple(summary["switches"].items())
    )
    name = download_file_name(
        lang,
        SCORE_SHEET_FILE_TITLE,
        summary["date"] or opening_date(summary).isoformat(),
        summary["title"],
    )
    return csv_response(format_ledger_sheet(ledger, lang, rules, format_cell), cache_control, name)


def table_append_object(result: AppendResult) -> dict[str, Any]:
    """What was appended to a table's log."""
    return {"table": result.stream, "version": result.version, "events": stored_bodies_as_json(result.events)}


def table_append_response(result: AppendResult, location: str | None = None) -> Response:
    """The answer to an append to a table."""
    log_appended_events(result)
    status = 200 if result.repeated_count == len(result.events) else 201
    return json_response(table_append_object(result), status, etag=str(result.version), location=location)
