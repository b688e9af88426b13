"""Routes for whole files: logs that become records, a table with its deals to take away."""

from itertools import chain
from typing import Any

from flask import Response

from engine.rulesets import Ruleset
from schemas.spreadsheet.sheet_writer import format_slip_sheet
from service.config.urls import API_PREFIX
from service.http.api.blueprint import ApiBlueprint
from service.http.api.cache_policies import LIST_POLICY, RECORD_POLICY, declared_cache_control
from service.http.api.etags import build_etag, matches_if_none_match, viewer_etag_parts
from service.http.api.operation_permissions import IMPORTERS, OVERSEERS, RECORD_VIEWERS
from service.http.api.record_responses import record_cache_control
from service.http.api.request_bodies import JSONL_TYPE
from service.http.api.responses import (
    csv_response,
    json_response,
    jsonl_response,
    kept_response,
    not_modified_response,
    prefetch_first_chunk,
)
from service.http.api.routes.logs import LOG_SCHEMA, read_logs_to_store, unreadable_log_problem
from service.http.api.schemas.records import ImportResultSchema, SlipSheetQuery
from service.http.service_context import commands, queries, service_context
from service.records.club_rules import RevisionTaken, TooManyRevisions
from service.records.log_import import ImportResult

routes = ApiBlueprint("files", "", "Import and export of whole files.")

IMPORT_BODY_DESCRIPTION = (
    "The logs of deals alone, and of tables with their deals: JSON Lines, a list of events, or the notation."
)


@routes.post("/import", IMPORTERS)
@routes.accepts_body(LOG_SCHEMA, IMPORT_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, ImportResultSchema)
def import_file() -> Response:
    """Import a file of logs

    Each log becomes a record, a table together with its deals. To import the same file again is harmless: ids
    are those of the entries, or follow from the contents. The answer lists what cannot be read or stored; the
    rest is imported. A line `ruleset_published` publishes one of the club's own rulesets; this, and tables,
    require an organiser.
    """
    submitted = read_logs_to_store("-")
    if not submitted.logs and not submitted.rulesets:
        raise unreadable_log_problem(submitted.problems, "No log could be read.")
    rulesets = [_publish_and_report(item) for item in submitted.rulesets]
    records = [_imported_record_object(item) for item in commands().import_logs(submitted.logs)]
    unreadable = {"problems": submitted.problems, "unlisted": submitted.unlisted}
    return json_response({"rulesets": rulesets, "records": records, **unreadable})


def _publish_and_report(ruleset: Ruleset) -> dict[str, Any]:
    is_new, failure_reason = False, None
    try:
        is_new = commands().publish_ruleset(ruleset).is_new
    except (RevisionTaken, TooManyRevisions) as error:
        failure_reason = str(error)
    return {"id": ruleset.id, "revision": ruleset.revision, "new": is_new, "detail": failure_reason}


def _imported_record_object(result: ImportResult[Any]) -> dict[str, Any]:
    return {
        "kind": result.kind,
        "id": result.record_id,
        "log": result.log.number,
        "version": result.version,
        "new": result.new_entries,
        "detail": result.failure_reason,
        "links": {} if result.failure_reason else {"self": f"{API_PREFIX}/{result.kind}s/{result.record_id}"},
    }


@routes.get("/export.jsonl", OVERSEERS)
@routes.response(200, content_type="application/jsonl")
def export_everything() -> Response:
    """Export everything

    The club's own rulesets, each table with its deals, and each single deal, as JSON Lines, as they are when
    the answer begins. The answer is streamed, so the store can have any size. `import` makes the same records
    in another store. Members, grants and proofs are not included: make a backup for those. For the owner.
    """
    lines = service_context().damage_tracker.track_chunks(queries().export_everything())
    response = kept_response(prefetch_first_chunk(lines), JSONL_TYPE)
    response.headers["Content-Disposition"] = 'attachment; filename="spadille.jsonl"'
    return response


@routes.get("/tables/<stream:table>/export.jsonl", RECORD_VIEWERS, RECORD_POLICY)
@routes.response(200, content_type="application/jsonl")
def export_table(table: str) -> Response:
    """Export a table with its deals

    Its log and those of its deals, in the order in which it started them, as JSON Lines. `import` reads them.
    """
    record_queries = queries()
    info = record_queries.find_table(table)
    viewer, streams = record_queries.resolve_viewer(info), [info, *record_queries.list_table_deals(info)]
    cache_control = declared_cache_control(viewer.sees_everything)
    etag = build_etag(info.version, "jsonl", depends_on=(*streams, viewer_etag_parts(viewer)))
    if (
        viewer.sees_everything
        and matches_if_none_match(etag)
        and not any(map(record_queries.has_erased_events, streams))
    ):
        return not_modified_response(etag, cache_control)
    bodies = (record_queries.read_event_bodies(stream, 0, stream.version)[0] for stream in streams)
    return jsonl_response(chain.from_iterable(bodies), etag, cache_control)


@routes.get("/tables/<stream:table>/slips.csv", RECORD_VIEWERS, LIST_POLICY, query=SlipSheetQuery)
@routes.response(200, content_type="text/csv")
def export_slips(query: dict[str, Any], table: str) -> Response:
    """Export a table as a sheet of slips

    One row per deal, in the columns that `spadille import-slips` reads. What does not fit on a slip is left
    out.
    """
    info = queries().find_table(table)
    slip_sheet = queries().build_slip_sheet(info)
    tables = [] if slip_sheet is None else [slip_sheet.table]
    text = format_slip_sheet(tables, query["lang"], service_context().book)
    return csv_response(text, record_cache_control(info))
