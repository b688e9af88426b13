"""The API's doors for whole files: logs that become records, a table with its deals to take away."""

from collections.abc import Iterator
from typing import Any

from flask import Response

from engine.rulesets import Ruleset
from schemas.spreadsheet.writing import sheet_text
from service.application.queries import Queries
from service.config.urls import PREFIX
from service.eventstore import StreamInfo
from service.http.api.etags import is_known, seen_by, tag_of
from service.http.api.event_pages import kept
from service.http.api.openapi.contract import Routes, may_fail, takes
from service.http.api.responses import NEVER_KEPT, answer, begun, lines, not_modified, tagged
from service.http.api.routes.deals import SLIP
from service.http.api.routes.logs import LOG, posted_logs, unreadable
from service.http.api.routes.tables import TABLE_ID
from service.http.api.schemas.files import ImportedSchema, SheetQuery
from service.http.context import commands, context, queries
from service.records.club_rules import RevisionTaken, TooManyRevisions
from service.records.importing import Imported

routes = Routes("files", __name__, url_prefix=PREFIX, description="Whole files, in and out.")

IMPORT_MEANS = (
    "The logs of deals alone, and of tables with their deals: JSON Lines, a list of events, or the notation."
)


@routes.route("/import", methods=["POST"])
@takes(LOG, IMPORT_MEANS, {"slip": SLIP}, lines=True, text=True)
@routes.response(200, ImportedSchema)
@may_fail(400, 401, 403, 413, 415, 422)
def import_file() -> Response:
    """Import a file of logs

    Every log becomes a record, a table together with its deals. The same file again is harmless: ids are
    those of the entries, or derived from what a log says. What cannot be read or stored is told, and spoils
    nothing else. A line `ruleset_published` publishes a ruleset of the club's own; that, and tables, take an
    organiser.
    """
    queries().caller.require("open_deals")
    posted = posted_logs("-")
    if not posted.logs and not posted.rulesets:
        raise unreadable(posted.problems, "No log could be read.")
    rulesets = [_published(one) for one in posted.rulesets]
    records = [_record(one) for one in commands().import_logs(posted.logs)]
    told = {"problems": posted.problems, "unlisted": posted.unlisted}
    return answer({"rulesets": rulesets, "records": records, **told}, cache=NEVER_KEPT)


def _published(ruleset: Ruleset) -> dict[str, Any]:
    """What became of a ruleset of a file."""
    new, why_not = False, None
    try:
        new = commands().publish_rules(ruleset).new
    except (RevisionTaken, TooManyRevisions) as error:
        why_not = str(error)
    return {"id": ruleset.id, "revision": ruleset.revision, "new": new, "detail": why_not}


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


@routes.route("/export.jsonl", methods=["GET"])
@routes.response(200, {"type": "string"}, content_type="application/jsonl")
@may_fail(401, 403)
def export_everything() -> Response:
    """Take everything away

    The rulesets of the club's own, every table with its deals, and every deal alone, as JSON Lines, as they
    stand when the answer begins; sent as it is read, so the store may be as large as it likes. `import`
    makes the same of it in another store. Members, grants and what proves the records are not in it: a
    backup has all of that. For the owner.
    """
    lines = context().damage.watching(queries().everything())
    made = Response(begun(lines), content_type="application/jsonl")
    made.headers["Cache-Control"] = NEVER_KEPT
    made.headers["Content-Disposition"] = 'attachment; filename="spadille.jsonl"'
    return made


@routes.route("/tables/<stream:table>/export.jsonl", methods=["GET"], parameters=TABLE_ID)
@routes.response(200, {"type": "string"}, content_type="application/jsonl")
@may_fail(401, 404)
def export_table(table: str) -> Response:
    """Take a table away whole

    Its log and those of its deals, in the order in which it started them, as JSON Lines. `import` takes them.
    """
    reached = queries()
    info = reached.table(table)
    viewer, streams = reached.viewer(info), [info, *reached.deals_of(info)]
    tag = tag_of(info.version, "jsonl", depends=(*streams, seen_by(viewer)))
    if viewer.everything and is_known(tag) and not any(map(reached.was_erased, streams)):
        return not_modified(tag)
    return lines(_bodies_of(streams, reached), tag, kept(viewer.everything))


def _bodies_of(streams: list[StreamInfo], reached: Queries) -> Iterator[bytes]:
    """The events of streams."""
    for stream in streams:
        yield from reached.bodies(stream, 0, stream.version)[0]


@routes.route("/tables/<stream:table>/slips.csv", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(SheetQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="text/csv")
@may_fail(401, 404, 422)
def export_slips(query: dict[str, Any], table: str) -> Response:
    """Take a table away as a sheet of slips

    One row for each deal, in the columns that `spadille import-slips` reads. What no slip can say is left
    out.
    """
    info = queries().table(table)
    told = queries().slips(info)
    tables = [] if told is None else [told.table]
    text = sheet_text(tables, query["lang"], context().book)
    made = Response(text, content_type="text/csv; charset=utf-8")
    made.headers["Cache-Control"] = kept(queries().viewer(info).everything)
    return tagged(made)
