"""The API's doors to tables: opening one, its log, starting deals there."""

from functools import partial
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue

from engine.rulesets import find
from engine.rulesets.model import Words
from engine.tables.rescoring import Other
from schemas.answers.ledgers import ledger_csv, ledger_object
from schemas.answers.states import finding_objects
from schemas.answers.table_audits import table_audit_object
from schemas.notation import MEDIA_TYPE
from schemas.rulesets.other_rules import read_other
from schemas.wire.events import EventSchema
from service.auth.grants import named
from service.config.urls import PREFIX
from service.eventstore import Appended
from service.http.api.anonymous_limits import LABORIOUS, laborious
from service.http.api.event_pages import events_answer, kept, text_answer
from service.http.api.openapi.contract import (
    Routes,
    also_answers,
    header,
    may_fail,
    other_forms,
    path_parameter,
    takes,
    told_together,
)
from service.http.api.openapi.languages import language, told_here
from service.http.api.preconditions import expected_version
from service.http.api.request_bodies import one_object, posted_events, read_event
from service.http.api.responses import NEVER_KEPT, answer, as_stored, rows_answer, varying
from service.http.api.routes.deals import ETAG, EVENTS
from service.http.api.routes.live import EVENT_STREAM, live_answer, require_stream, wants_stream
from service.http.api.routes.variations import NEXT
from service.http.api.schemas.files import SpreadsheetQuery
from service.http.api.schemas.ledger import LedgerSchema
from service.http.api.schemas.live import STREAM
from service.http.api.schemas.streams import (
    EventsPageSchema,
    LiveTableQuery,
    PageQuery,
    SeenEventsQuery,
    StartedDealSchema,
    StartingSchema,
    TableAppendedSchema,
    TableSchema,
    TablesPageSchema,
    TextQuery,
    VersionHeader,
    VersionOrAnyHeader,
)
from service.http.api.schemas.table_audits import TableAuditQuery, TableAuditSchema
from service.http.api.summary_page import page_in_short
from service.http.context import commands, context, queries
from service.http.problems import Problem
from service.http.request_log import note_appended
from service.presentation.csv_sheet import file_name, ledger_sheet
from service.presentation.i18n.translate import telling
from service.projections.summaries import opened_on
from service.records.records import TABLE

routes = Routes("tables", __name__, url_prefix=f"{PREFIX}/tables", description="Tables and their deals.")

TABLE_ID = path_parameter("table", "The table's id: that of the event that opened it.")
OPENING = {
    "type": "table_opened",
    "ruleset": "dlu",
    "players": ["Anna", "Bo", "Carl"],
    "title": "Club evening",
}
SCORE_SHEET = Words("Score sheet", "Regnskab")
"""What a ledger is called as a file."""
FIRST_DEAL = {"players": {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}}


@routes.route("", methods=["GET"])
@routes.arguments(PageQuery, location="query")
@routes.response(200, TablesPageSchema, headers=NEXT)
@may_fail(401, 403, 404, 422)
def list_tables(query: dict[str, Any]) -> Response:
    """List tables

    The earliest first, a page at a time.
    """
    page = queries().records(TABLE, None, query["after"], query["limit"])
    return page_in_short("tables", page, query, f"{PREFIX}/tables")


@routes.route("", methods=["POST"])
@takes(
    {"$ref": "#/components/schemas/TableOpened"},
    "A `table_opened`, whose `type` may be left out.",
    {"table": OPENING},
)
@routes.response(
    201, TableAppendedSchema, headers=ETAG | header("Location", "The table.", "/api/v1/tables/…")
)
@routes.alt_response(200, schema=TableAppendedSchema, description="It had been opened before.", success=True)
@may_fail(400, 401, 403, 409, 413, 415, 422)
def record_table() -> ResponseReturnValue:
    """Open a table

    With its rules, its players and, if it is agreed, how many deals are played. Its id is the opening's.
    """
    queries().caller.require("open_tables")
    appended = commands().open_table(read_event(one_object("table_opened"), "table_opened"))
    made = answered(appended)
    made.headers["Location"] = f"{PREFIX}/tables/{appended.stream}"
    return made


@routes.route("/<stream:table>", methods=["GET"], parameters=TABLE_ID)
@routes.response(200, TableSchema, headers=ETAG)
@may_fail(401, 404)
def show_table(table: str) -> Response:
    """Show a table in short

    Who sits there, by which rules, and which number the next deal gets.
    """
    info = queries().table(table)
    cache = kept(queries().viewer(info).everything)
    return answer(queries().summary(info), version=info.version, cache=cache)


@routes.route("/<stream:table>/events", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(SeenEventsQuery, location="query")
@routes.response(200, EventsPageSchema, headers=NEXT)
@other_forms
@also_answers(200, EVENT_STREAM, STREAM)
@may_fail(400, 401, 403, 404, 422)
def list_events(query: dict[str, Any], table: str) -> Response:
    """Read a table's log

    As a page of JSON, or as JSON Lines or in the notation where `Accept` prefers
    `application/jsonl` or `text/vnd.spadille.deal`; live, as server-sent events, where it prefers
    `text/event-stream`.
    """
    info = queries().table(table)
    if wants_stream():
        return live_answer(queries().following(info, query["viewer"]), str(query["after"]))
    return events_answer(info, query, f"{PREFIX}/tables/{table}/events")


@routes.route("/<stream:table>/live", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(LiveTableQuery, location="query")
@routes.response(200, STREAM, content_type=EVENT_STREAM)
@may_fail(400, 401, 403, 404, 406, 422, 503)
def follow(query: dict[str, Any], table: str) -> Response:
    """Follow a table with its deals

    Server-sent events of the table and of each deal that was started there, in the order in which they were
    stored. `id` is the stream's id and the seq there, such as `018f5e2a-…:17`; otherwise as for a deal.
    """
    require_stream()
    following = queries().following(queries().table(table), query["viewer"], with_deals=True)
    return live_answer(following, query["after"])


@routes.route("/<stream:table>/events.jsonl", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(SeenEventsQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="application/jsonl", headers=ETAG | NEXT)
@may_fail(401, 403, 404, 422)
def download_events(query: dict[str, Any], table: str) -> Response:
    """Read a table's log as JSON Lines

    Just as it is stored, without its deals; `…/export.jsonl` has them too.
    """
    return events_answer(queries().table(table), query, None)


@routes.route("/<stream:table>/events.deal", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(TextQuery, location="query")
@routes.response(200, {"type": "string"}, content_type=MEDIA_TYPE, headers=ETAG)
@may_fail(401, 403, 404, 422)
def download_text(query: dict[str, Any], table: str) -> Response:
    """Read a table's log in the notation

    Text for people, and without loss if all bookkeeping is asked for.
    """
    return text_answer(queries().table(table), query["bookkeeping"], query["viewer"])


@routes.route("/<stream:table>/events", methods=["POST"], parameters=TABLE_ID)
@routes.arguments(VersionOrAnyHeader, location="headers")
@takes(
    {"oneOf": [EventSchema, EVENTS]},
    "An event, or several that are stored together or not at all.",
    {"player": {"type": "player_joined", "player": "Dorte"}},
    lines=True,
)
@routes.response(201, TableAppendedSchema, headers=ETAG)
@routes.alt_response(200, schema=TableAppendedSchema, description="It had been stored before.", success=True)
@may_fail(400, 401, 403, 404, 409, 412, 413, 415, 422, 428)
def append_events(headers: dict[str, Any], table: str) -> ResponseReturnValue:
    """Append to a table's log

    Who joins or leaves, how the seats change, what is paid by hand, that the evening is over. Ids are looked
    at before the version: a repeat with the same body is answered with what is stored.
    """
    reached = queries()
    info = reached.table(table)
    commands().require_hand(info)
    posted = posted_events()
    expected = expected_version(headers["if_match"], posted, lambda: reached.version(info))
    return answered(commands().continue_table(info, expected, posted))


@routes.route("/<stream:table>/deals", methods=["POST"], parameters=TABLE_ID)
@routes.arguments(VersionHeader, location="headers")
@takes(
    StartingSchema(partial=("type", "ruleset", "players")), "The opening of the deal.", {"deal": FIRST_DEAL}
)
@routes.response(201, StartedDealSchema, headers=ETAG | header("Location", "The deal.", "/api/v1/deals/…"))
@routes.alt_response(200, schema=StartedDealSchema, description="It had been started before.", success=True)
@may_fail(400, 401, 403, 404, 409, 412, 413, 415, 422, 428)
def record_start(headers: dict[str, Any], table: str) -> ResponseReturnValue:
    """Start a deal at a table

    Its opening and the table's entry of it are stored in one step. `If-Match` names the table's version.
    What the opening leaves out is as the ledger has it: ruleset and switches, number, who sits where, who
    deals, what lies in the pool.
    """
    reached = queries()
    info = reached.table(table)
    reached.caller.require("write", info)
    sent = one_object("the fields of deal_opened")
    opening = read_event(commands().opening_at(info, sent))
    expected = expected_version(headers["if_match"], [opening], lambda: reached.version(info))
    started = commands().start_deal(info, expected, opening)
    deal = started.deal
    note_appended(started.table, deal)
    body = {
        "deal": deal.stream,
        "version": deal.version,
        "events": as_stored(deal.events),
        "findings": finding_objects(reached.findings_at(deal), told_here),
        "table": appended_object(started.table),
    }
    made = answer(body, 200 if deal.repeated else 201, tag=str(deal.version), cache=NEVER_KEPT)
    made.headers["Location"] = f"{PREFIX}/deals/{deal.stream}"
    return made


@routes.route("/<stream:table>/ledger", methods=["GET"], parameters=TABLE_ID)
@routes.response(200, LedgerSchema)
@may_fail(401, 404)
def show_ledger(table: str) -> Response:
    """Show a table's ledger

    A line for every deal and payment, running totals, standings, penalty points, what lies in the pool, who
    owes whom, and what the next deal is opened with. As rows for a spreadsheet where `Accept` prefers
    `text/csv`, or at `…/ledger.csv`.
    """
    if request.accept_mimetypes["text/csv"] > request.accept_mimetypes["application/json"]:
        return varying(_rows(table, None), "Accept")
    info = queries().table(table)
    ledger = queries().ledger(info)
    names = queries().names(info, [player for player, _ in ledger.totals])
    body = {**ledger_object(ledger, telling(language())), "names": names}
    return varying(answer(body, cache=kept(queries().viewer(info).everything)), "Accept")


@routes.route("/<stream:table>/audit", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(TableAuditQuery, location="query")
@routes.response(200, TableAuditSchema)
@may_fail(401, 404, 422)
def show_audit(query: dict[str, Any], table: str) -> Response:
    """Report on a table for whoever has to judge the evening

    What is wrong with its deals and between them, each thing once with what follows from it; every settlement
    counted again, the first that is not what is due, and by how much; with `as` what the same deals would
    have paid by other rules. The report on one of its deals is at `/deals/{deal}/audit`.
    """
    info = queries().table(table)
    other = _other_rules(query["rescore_with"])
    with laborious(LABORIOUS):
        made, rescoring = queries().table_report(info, other)
    address = f"{PREFIX}/tables/{table}"
    body = {
        **table_audit_object(made, telling(language()), other, rescoring),
        "names": queries().names(info, [player for player, _ in made.ledger.totals]),
        "links": {"self": f"{address}/audit", "table": address, "ledger": f"{address}/ledger"},
    }
    return answer(body, cache=kept(queries().viewer(info).everything))


def _other_rules(text: str | None) -> Other | None:
    """The rules that a query names. Raises the problem of one that names none."""
    if text is None:
        return None
    try:
        return read_other(text, context().book)
    except ValueError as error:
        faults = [{"parameter": "rescore_with", "detail": str(error)}]
        raise Problem("invalid-parameter", told_together(faults), errors=faults) from None


@routes.route("/<stream:table>/ledger.csv", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(SpreadsheetQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="text/csv")
@may_fail(401, 404, 422)
def download_ledger(query: dict[str, Any], table: str) -> Response:
    """Read a table's ledger as rows for a spreadsheet

    A row for every deal and payment, with what each player got and has; `lang` writes it for people.
    """
    return _rows(table, query["lang"])


def _rows(table: str, lang: str | None) -> Response:
    info = queries().table(table)
    ledger, summary = queries().ledger(info), queries().summary(info)
    spoken = partial(named, names=queries().names(info, [player for player, _ in ledger.totals]))
    cache = kept(queries().viewer(info).everything)
    if lang is None:
        return rows_answer(ledger_csv(ledger, spoken=spoken), cache)
    rules = find(context().book, summary["ruleset"], summary["revision"], tuple(summary["switches"].items()))
    name = file_name(lang, SCORE_SHEET, opened_on(summary).isoformat(), summary["title"])
    return rows_answer(ledger_sheet(ledger, lang, rules, spoken), cache, name)


def appended_object(appended: Appended) -> dict[str, Any]:
    """What became of a table's log."""
    return {
        "table": appended.stream,
        "version": appended.version,
        "events": as_stored(appended.events),
    }


def answered(appended: Appended) -> Response:
    """The answer to what was sent to a table."""
    note_appended(appended)
    status = 200 if appended.repeated == len(appended.events) else 201
    return answer(appended_object(appended), status, tag=str(appended.version), cache=NEVER_KEPT)
