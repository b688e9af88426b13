"""The API's doors to the evidence: checkpoints, what leads from one to the next, and proofs of records."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Response

from service.config.urls import PREFIX
from service.eventstore import StreamInfo
from service.http.api.openapi.contract import Routes, header, may_fail, path_parameter, told_together
from service.http.api.request_bodies import JSON
from service.http.api.responses import FRESH, NEVER_KEPT, answer, conditional, next_address, tagged
from service.http.api.schemas.evidence import (
    CheckpointQuery,
    ConsistencyQuery,
    ConsistencySchema,
    LeavesQuery,
    ProofQuery,
    ProofSchema,
    TableProofQuery,
)
from service.http.context import published, queries
from service.http.problems import Problem
from service.transparency.growth import Growth, growth_object
from service.transparency.kept import leaf_lines
from service.transparency.notes import Note
from service.transparency.proofs import proof_bytes

TEXT: Final = "text/plain; charset=utf-8"

routes = Routes(
    "evidence", __name__, url_prefix=PREFIX, description="Evidence that records are as they were recorded."
)

DEAL_ID = path_parameter("deal", "The deal's id: that of the event that opened it.")
TABLE_ID = path_parameter("table", "The table's id: that of the event that opened it.")


@routes.route("/checkpoint", methods=["GET"])
@routes.arguments(CheckpointQuery, location="query")
@routes.response(
    200, {"type": "string"}, content_type=TEXT, headers=header("ETag", "How many events.", '"17"')
)
@may_fail(422, 500, 503)
def show_checkpoint(query: dict[str, Any]) -> Response:
    """Sign what all records come to

    A checkpoint in the form of C2SP's tlog-checkpoint: the log's name, how many events it has, the root of
    its Merkle tree, and a signature. It tells everybody how many events there are, and nothing of what they
    say. Keep it elsewhere: by it everything recorded until then can be proved.
    """
    note = _checkpoint("size", query["size"])
    made = _text(str(note))
    made.set_etag(str(note.checkpoint.size))
    return conditional(made)


@routes.route("/checkpoint/key", methods=["GET"])
@routes.response(200, {"type": "string"}, content_type=TEXT)
@may_fail()
def show_key() -> Response:
    """Show the key that checks the signature

    A line for each key, in the form of C2SP's signed notes.
    """
    return _text("".join(f"{key}\n" for key in published().verifiers))


@routes.route("/checkpoint/leaves", methods=["GET"])
@routes.arguments(LeavesQuery, location="query")
@routes.response(
    200,
    {"type": "string"},
    content_type=TEXT,
    headers=header("Link", "Where the next ones are.", '<…>; rel="next"'),
)
@may_fail(422)
def list_leaves(query: dict[str, Any]) -> Response:
    """List the leaf hashes of all events

    In base64, a line each. They are salted and tell nothing of what is recorded. With them, kept beside a
    checkpoint, it can be named which event was changed.
    """
    head, after = published().size, query["after"]
    last = min(head, after + query["limit"])
    made = _text("".join(leaf_lines(after, published().leaves(after, last))))
    if last < head:
        following = next_address(f"{PREFIX}/checkpoint/leaves", {"after": last, "limit": query["limit"]})
        made.headers["Link"] = f'<{following}>; rel="next"'
    return made


@routes.route("/checkpoint/consistency", methods=["GET"])
@routes.arguments(ConsistencyQuery, location="query")
@routes.response(200, ConsistencySchema)
@may_fail(422, 500, 503)
def show_consistency(query: dict[str, Any]) -> Response:
    """Prove that the log only grew

    A file by which `spadille verify` sees that the later log begins with the one of a checkpoint that was
    kept.
    """
    note = _checkpoint("to", query["to"])
    first, second = query["from"], note.checkpoint.size
    if first > second:
        raise _no_such_size("from", f"The log that it leads to has {second} events, not {first}.")
    proof = published().consistency(first, second)
    return answer(growth_object(Growth(first, note, tuple(proof))))


@routes.route("/deals/<stream:deal>/proof", methods=["GET"], parameters=DEAL_ID)
@routes.arguments(ProofQuery, location="query")
@routes.response(200, ProofSchema)
@may_fail(401, 403, 404, 422, 500, 503)
def prove_deal(query: dict[str, Any], deal: str) -> Response:
    """Prove a deal's log

    A file that proves offline that these are the events that were recorded until the checkpoint in it. Where
    the viewer may not know what an event says, its place is proved, and neither contents nor salt are told.
    """
    return _proof([queries().deal(deal)], query)


@routes.route("/tables/<stream:table>/proof", methods=["GET"], parameters=TABLE_ID)
@routes.arguments(TableProofQuery, location="query")
@routes.response(200, ProofSchema)
@may_fail(401, 403, 404, 422, 500, 503)
def prove_table(query: dict[str, Any], table: str) -> Response:
    """Prove a table's log

    Alone, or together with its deals: so it proves what `export.jsonl` has.
    """
    reached = queries()
    own = reached.table(table)
    return _proof([own, *(reached.deals_of(own) if query["records"] == "all" else ())], query)


def _proof(records: Sequence[StreamInfo], query: dict[str, Any]) -> Response:
    proof = queries().proof(records, _checkpoint("size", query["size"]), query["viewer"])
    made = Response(proof_bytes(proof), content_type=JSON)
    made.headers["Cache-Control"] = NEVER_KEPT
    return made


def _checkpoint(parameter: str, size: int | None) -> Note:
    """The checkpoint of that size. Raises the problem of a log that never had so many events."""
    try:
        return published().checkpoint(size)
    except ValueError as error:
        raise _no_such_size(parameter, str(error)) from None


def _no_such_size(parameter: str, sentence: str) -> Problem:
    faults = [{"parameter": parameter, "detail": sentence}]
    return Problem("invalid-parameter", told_together(faults), errors=faults)


def _text(text: str) -> Response:
    made = Response(text, content_type=TEXT)
    made.headers["Cache-Control"] = FRESH
    return tagged(made)
