"""The API's doors for whole files: logs that become records, a table with its deals to take away."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from flask import Response

from engine.tables import Table
from schemas.slips.from_logs import slips_from
from schemas.slips.writing import sheet_text
from service.addresses import PREFIX
from service.api.answers import FRESH, answer
from service.api.contract import Routes, may_fail, takes
from service.api.deals import SLIP
from service.api.logs import LOG, posted_logs, unreadable
from service.api.shapes.files import ImportedSchema, SheetQuery
from service.api.tables import TABLE_ID
from service.context import context
from service.importing import Imported, import_logs
from service.records import TABLE, described, log_in, stored_events
from service.store import EventStore, UnknownStream
from service.tables import table_in

routes = Routes("files", __name__, url_prefix=PREFIX, description="Whole files, in and out.")

IMPORT_MEANS = (
    "The logs of deals alone, and of tables with their deals: JSON Lines, a list of events, or the notation."
)


@routes.route("/import", methods=["POST"])
@takes(LOG, IMPORT_MEANS, {"slip": SLIP}, lines=True, text=True)
@routes.response(200, ImportedSchema)
@may_fail(400, 413, 415, 422)
def import_file() -> Response:
    """Import a file of logs

    Every log becomes a record, a table together with its deals. The same file again is harmless: ids are
    those of the entries, or derived from what a log says. What cannot be read or stored is told, and spoils
    nothing else.
    """
    serving = context()
    posted = posted_logs("-")
    if not posted.logs:
        raise unreadable(posted.problems, "No log could be read.")
    records = [_record(one) for one in import_logs(serving.store, posted.logs, serving.book)]
    return answer({"records": records, "problems": posted.problems, "unlisted": posted.unlisted})


def _record(one: Imported[Any]) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "id": one.record,
        "log": one.log.number,
        "version": one.version,
        "new": one.new,
        "detail": one.why_not,
        "links": {} if one.why_not else {"self": f"{PREFIX}/{one.kind}s/{one.record}"},
    }


@routes.route("/tables/<stream:table>/export.jsonl", methods=["GET"], parameters=TABLE_ID)
@routes.response(200, {"type": "string"}, content_type="application/jsonl")
@may_fail(404)
def export_table(table: str) -> Response:
    """Take a table away whole

    Its log and those of its deals, in the order in which it started them, as JSON Lines. `import` takes them.
    """
    store = context().store
    described(store, TABLE, table)
    streams = [table, *_deals(table_in(store, table, context().book))]
    made = Response(_lines_of(store, streams), content_type="application/jsonl")
    made.headers["Cache-Control"] = FRESH
    return made


def _lines_of(store: EventStore, streams: list[str]) -> Iterator[bytes]:
    """The events of streams, read as the client takes them; a deal without a record is passed over."""
    for stream in streams:
        with suppress(UnknownStream):
            for event in stored_events(store, stream):
                yield event.body + b"\n"


def _deals(table: Table) -> list[str]:
    """The deals of a table, each once, in the order in which it started them."""
    return list(dict.fromkeys(started.deal for started in table.deals))


@routes.route("/tables/<stream:table>/slips.csv", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(SheetQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="text/csv")
@may_fail(404, 422)
def export_slips(query: dict[str, Any], table: str) -> Response:
    """Take a table away as a sheet of slips

    One row for each deal, in the columns that `spadille import` reads. What no slip can say is left out.
    """
    store, book = context().store, context().book
    described(store, TABLE, table)
    logs = {}
    for deal in _deals(table_in(store, table, book)):
        with suppress(UnknownStream):
            logs[deal] = log_in(store, deal)
    told = slips_from(log_in(store, table), logs, book)
    tables = [] if told is None else [told.table]
    made = Response(sheet_text(tables, query["lang"], book), content_type="text/csv; charset=utf-8")
    made.headers["Cache-Control"] = FRESH
    return made
