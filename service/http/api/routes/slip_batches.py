"""The API's doors to a pile of slips: rows read and judged, what is pasted, and several deals in one step."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Response
from flask.typing import ResponseReturnValue

from schemas.answers.states import Told, finding_objects, score_object
from schemas.spreadsheet.pasted import read_pasted
from schemas.spreadsheet.typed import frame_of
from schemas.wire.errors import PointedError, problem_errors
from schemas.wire.events import EventSchema
from schemas.wire.faults import unfit
from schemas.wire.writer import event_fields
from service.config.urls import PREFIX
from service.eventstore import StreamInfo
from service.http.api.openapi.contract import Routes, may_fail, takes, told_together
from service.http.api.openapi.languages import told_here
from service.http.api.preconditions import expected_version
from service.http.api.request_bodies import BATCH, invalid, json_body, read_events
from service.http.api.responses import NEVER_KEPT, answer, as_stored
from service.http.api.routes.deals import ETAG
from service.http.api.routes.identity import sent
from service.http.api.routes.tables import TABLE_ID, appended_object
from service.http.api.schemas.piles import (
    PastedReadSchema,
    PastedSchema,
    PileReadSchema,
    PileSchema,
    StartedPileSchema,
)
from service.http.api.schemas.streams import ModeQuery, StartingSchema, VersionHeader
from service.http.context import commands, context, queries
from service.http.problems import Problem
from service.http.request_log import note_appended
from service.presentation.i18n.translate import telling
from service.records.records import Posted
from service.records.slip_batches import MOST_ROWS, RowRead, read_pile

routes = Routes(
    "slip_batches", __name__, url_prefix=f"{PREFIX}/tables", description="Batches of slips at a table."
)

A_ROW: Final = {"contract": "solo", "trump": "h", "declarer": "Bo", "outcome": "+5"}
A_PASTE: Final = "Nr;Melder;Melding;Trumf;Resultat\n1;Bo;solo;hjerter;vundet\n2;Anna;tourné;;bet\n"
A_PILE: Final = [
    [
        {"type": "deal_opened"},
        {
            "type": "result_recorded",
            "declarer": "middlehand",
            "contract": "solo",
            "trump": "H",
            "outcome": "won",
        },
    ],
    [{"type": "deal_opened"}, {"type": "result_recorded", "outcome": "passed_out"}],
]
OPENING: Final = StartingSchema(partial=("type", "ruleset", "players"))
DEALS: Final = {
    "type": "array",
    "minItems": 1,
    "maxItems": MOST_ROWS,
    "items": {"type": "array", "minItems": 1, "items": {"anyOf": [OPENING, EventSchema]}},
}


@routes.route("/<stream:table>/slip-batches:read", methods=["POST"], parameters=TABLE_ID)
@takes(PileSchema, "Rows as they are typed from paper.", {"one": {"rows": [A_ROW]}})
@routes.response(200, PileReadSchema)
@may_fail(400, 401, 403, 404, 413, 415, 422)
def read_slip_batch(table: str) -> Response:
    """Read a pile of slips without storing it

    Each row as the next deal on top of those before it: who sits where, the events that it comes to, what it
    pays, running totals; and cell by cell what cannot be read, with what was expected. Words and first
    letters are read in Danish and English.
    """
    info = queries().table(table)
    queries().caller.require("write", info)
    body = sent(PileSchema())
    ahead = queries().ahead(info)
    called = _called(info, [*ahead.table.players, *(name for name, _ in ahead.totals)])
    pile = read_pile(
        ahead,
        body["rows"],
        called,
        lang=body["lang"],
        paper_shows=body["paper_shows"],
        book=context().book,
    )
    told = {
        "version": info.version,
        "players": list(pile.players),
        "rows": [row_object(row, telling(body["lang"])) for row in pile.rows],
        "names": queries().names(info, pile.players),
    }
    return answer(told, cache=NEVER_KEPT)


def _called(info: StreamInfo, players: Sequence[str]) -> dict[str, list[str]]:
    """What players are called, in their order: as at the table, or in full; who was forgotten by his id."""
    names, whole = queries().names(info, players), queries().whole_names(info, players)
    called = {player: [names.get(player) or player, whole.get(player, "")] for player in players}
    return {player: list(dict.fromkeys(filter(None, told))) for player, told in called.items()}


def row_object(row: RowRead, told: Told) -> dict[str, Any]:
    """A row as it was read, what is found in it as it is ``told``."""
    typed, line = row.typed, row.taken.line
    seating = typed.seating._asdict()
    return {
        "number": typed.number,
        "seating": {**seating, "sitting_out": list(typed.seating.sitting_out)},
        "blank": typed.blank,
        "missing": list(typed.missing),
        "faults": [fault._asdict() for fault in row.faults],
        "events": [event_fields(event) for event in row.events],
        "score": score_object(row.judged.score) if row.events else None,
        "findings": finding_objects(row.findings, told),
        "chips": dict(line.chips) if row.events else {},
        "totals": dict(line.totals),
        "differs": dict(row.differs),
    }


@routes.route("/<stream:table>/slip-batches:parse", methods=["POST"], parameters=TABLE_ID)
@takes(PastedSchema, "What was copied from a spreadsheet.", {"danish": {"text": A_PASTE, "lang": "da"}})
@routes.response(200, PastedReadSchema)
@may_fail(400, 401, 403, 404, 413, 415, 422)
def parse_paste(table: str) -> Response:
    """Take apart what was pasted from a spreadsheet

    Into rows and cells, with what each column seems to mean; by its head, or by what stands in it.
    """
    info = queries().table(table)
    queries().caller.require("write", info)
    body = sent(PastedSchema())
    now = queries().ahead(info)
    frame = frame_of(now.table.rules, _called(info, now.table.players), body["lang"])
    pasted = read_pasted(body["text"], frame)
    told = {
        "head": list(pasted.head),
        "columns": list(pasted.columns),
        "rows": [list(row) for row in pasted.rows],
        "passed_over": list(pasted.passed_over),
    }
    return answer(told, cache=NEVER_KEPT)


@routes.route("/<stream:table>/slip-batches", methods=["POST"], parameters=TABLE_ID)
@routes.arguments(VersionHeader, location="headers")
@routes.arguments(ModeQuery, location="query")
@takes(
    DEALS, "For each deal its `deal_opened` and what else is known of it, in their order.", {"two": A_PILE}
)
@routes.response(201, StartedPileSchema, headers=ETAG)
@routes.alt_response(200, schema=StartedPileSchema, description="It had been stored before.", success=True)
@may_fail(400, 401, 403, 404, 409, 412, 413, 415, 422, 428)
def start_slip_batch(headers: dict[str, Any], query: dict[str, Any], table: str) -> ResponseReturnValue:
    """Start several deals at a table

    All in one step, or none. `If-Match` names the table's version. What an opening leaves out is as for a
    deal that is started alone, the deals before it in the pile counted. Ids are looked at before the version:
    the same sent again is answered with what is stored.
    """
    reached = queries()
    info = reached.table(table)
    reached.caller.require("write", info)
    deals = commands().pile_at(info, _deals_sent(), _read_deal)
    openings = [one[0] for one in deals]
    expected = expected_version(headers["if_match"], openings, lambda: reached.version(info))
    started = commands().start_pile(info, expected, deals, mode=query["mode"])
    note_appended(started.table, *started.deals)
    body = {
        "table": appended_object(started.table),
        "deals": [
            {
                "deal": deal.stream,
                "version": deal.version,
                "events": as_stored(deal.events),
                "findings": finding_objects(reached.findings_at(deal), told_here),
            }
            for deal in started.deals
        ],
    }
    repeated = all(one.repeated == len(one.events) for one in (started.table, *started.deals))
    return answer(body, 200 if repeated else 201, tag=str(started.table.version), cache=NEVER_KEPT)


def _deals_sent() -> list[list[Mapping[str, Any]]]:
    """The deals of the body, each a list of objects. Raises the problem of a body that is no such list."""
    body = json_body()
    whole = f"a list of 1 to {MOST_ROWS} deals, each the list of its events"
    if not isinstance(body, list) or not 0 < len(body) <= MOST_ROWS:
        raise invalid(problem_errors(unfit(body, whole)))
    errors: list[PointedError] = []
    for place, deal in enumerate(body):
        if not isinstance(deal, list) or not deal or not isinstance(deal[0], dict):
            wrong = problem_errors(unfit(deal, "a list of events that begins with deal_opened"))
            errors += ({**one, "pointer": f"/{place}{one['pointer']}"} for one in wrong)
    if errors:
        raise invalid(errors)
    count = sum(map(len, body))
    if count > BATCH:
        raise Problem(
            "too-large", f"The pile has {count} events. Send at most {BATCH} at once, then the rest."
        )
    return body


def _read_deal(place: int, events: Sequence[Mapping[str, Any]]) -> list[Posted]:
    """The events of one deal. Raises the problem of those that cannot be read, with where they stand."""
    try:
        posted = read_events(list(events), "deal_opened")
    except Problem as problem:
        errors = [{**one, "pointer": f"/{place}{one['pointer']}"} for one in problem.members["errors"]]
        raise Problem("invalid-event", told_together(errors), errors=errors) from None
    return [one._replace(pointer=f"/{place}{one.pointer}") for one in posted]
