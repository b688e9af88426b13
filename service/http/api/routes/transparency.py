"""Routes for transparency: checkpoints, what leads from one to the next, and proofs of records."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Response

from service.config.urls import API_PREFIX
from service.eventstore import StreamInfo
from service.http.api.blueprint import ApiBlueprint, response_header
from service.http.api.cache_policies import CHECKPOINT_POLICY, REVALIDATED_POLICY
from service.http.api.operation_permissions import ANYONE, RECORD_VIEWERS
from service.http.api.request_bodies import JSON_TYPE
from service.http.api.responses import (
    build_next_url,
    json_response,
    kept_response,
    make_conditional,
    with_content_etag,
)
from service.http.api.schemas import transparency
from service.http.problems import invalid_parameter_problem
from service.http.service_context import queries, transparency_log
from service.transparency.checkpoint_file import format_leaf_lines
from service.transparency.proof_files import (
    ConsistencyProof,
    build_consistency_proof_object,
    serialize_inclusion_proof,
)
from service.transparency.signed_notes import SignedNote

TEXT_TYPE: Final = "text/plain; charset=utf-8"

routes = ApiBlueprint("transparency", "", "Proofs that records are unchanged.")


@routes.get("/checkpoint", ANYONE, CHECKPOINT_POLICY, query=transparency.CheckpointQuery, may_fail=(500, 503))
@routes.response(200, content_type=TEXT_TYPE, headers=response_header("ETag", "How many events.", '"17"'))
def show_checkpoint(query: dict[str, Any]) -> Response:
    """Sign the state of all records

    A checkpoint in the form of C2SP's tlog-checkpoint: the log's name, its number of events, the root of its
    Merkle tree, and a signature. It reveals the number of events, and nothing of their contents. Keep it
    elsewhere: it proves everything recorded before it.
    """
    note = _find_checkpoint("size", query["size"])
    response = _text_response(str(note))
    response.set_etag(str(note.checkpoint.size))
    return make_conditional(response)


@routes.get("/checkpoint/key", ANYONE, REVALIDATED_POLICY)
@routes.response(200, content_type=TEXT_TYPE)
def show_key() -> Response:
    """Show the key that checks the signature

    One line per key, in the form of C2SP's signed notes.
    """
    return _text_response("".join(f"{key}\n" for key in transparency_log().verifiers))


@routes.get("/checkpoint/leaves", ANYONE, REVALIDATED_POLICY, query=transparency.LeavesQuery)
@routes.response(
    200,
    content_type=TEXT_TYPE,
    headers=response_header("Link", "The position of the next leaf hashes.", '<…>; rel="next"'),
)
def list_leaves(query: dict[str, Any]) -> Response:
    """List the leaf hashes of all events

    In base64, one per line. They are salted and reveal nothing of what is recorded. If you keep them with a
    checkpoint, `spadille verify` can name a changed event.
    """
    head, after = transparency_log().size, query["after"]
    last = min(head, after + query["limit"])
    response = _text_response(
        "".join(format_leaf_lines(after, transparency_log().read_leaf_hashes(after, last)))
    )
    if last < head:
        next_url = build_next_url(f"{API_PREFIX}/checkpoint/leaves", {"after": last, "limit": query["limit"]})
        response.headers["Link"] = f'<{next_url}>; rel="next"'
    return response


@routes.get(
    "/checkpoint/consistency",
    ANYONE,
    REVALIDATED_POLICY,
    query=transparency.ConsistencyQuery,
    may_fail=(500, 503),
)
@routes.response(200, transparency.ConsistencySchema)
def show_consistency(query: dict[str, Any]) -> Response:
    """Prove that the log only grew

    With this file `spadille verify` checks that the later log begins with the one of a checkpoint that you
    kept.
    """
    note = _find_checkpoint("to", query["to"])
    first, second = query["from"], note.checkpoint.size
    if first > second:
        raise invalid_parameter_problem(
            f"The log of the later checkpoint has {second} events, not {first}.", "from"
        )
    proof = transparency_log().prove_consistency(first, second)
    return json_response(build_consistency_proof_object(ConsistencyProof(first, note, tuple(proof))))


@routes.get("/deals/<stream:deal>/proof", RECORD_VIEWERS, query=transparency.ProofQuery, may_fail=(500, 503))
@routes.response(200, transparency.ProofSchema)
def prove_deal(query: dict[str, Any], deal: str) -> Response:
    """Prove a deal's log

    A file that proves offline that these are the events that were recorded before its checkpoint. For an
    event that the viewer may not know it proves the place only, without contents and salt.
    """
    return _proof_response([queries().find_deal(deal)], query)


@routes.get(
    "/tables/<stream:table>/proof", RECORD_VIEWERS, query=transparency.TableProofQuery, may_fail=(500, 503)
)
@routes.response(200, transparency.ProofSchema)
def prove_table(query: dict[str, Any], table: str) -> Response:
    """Prove a table's log

    Alone, or together with its deals; the latter proves the file `export.jsonl`.
    """
    record_queries = queries()
    info = record_queries.find_table(table)
    return _proof_response(
        [info, *(record_queries.list_table_deals(info) if query["records"] == "all" else ())], query
    )


def _proof_response(records: Sequence[StreamInfo], query: dict[str, Any]) -> Response:
    proof = queries().build_proof(records, _find_checkpoint("size", query["size"]), query["viewer"])
    return kept_response(serialize_inclusion_proof(proof), JSON_TYPE)


def _find_checkpoint(parameter_name: str, size: int | None) -> SignedNote:
    """The checkpoint of that size. Raises the problem of a size that the log never had."""
    try:
        return transparency_log().sign_checkpoint(size)
    except ValueError as error:
        raise invalid_parameter_problem(str(error), parameter_name) from None


def _text_response(text: str) -> Response:
    return with_content_etag(kept_response(text, TEXT_TYPE))
