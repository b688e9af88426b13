"""Routes for the library of historic and annotated deals."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from flask import Response, request

from engine import Log, audit, view
from engine.core.cards import CARD_CODES as CARDS
from engine.core.field_types import Name, Outcome
from engine.play.findings import FINDING_CODES as FINDINGS
from replays import Replay
from schemas.answers import fields
from schemas.answers.fields import QuerySchema
from schemas.answers.states import score_object, state_object
from schemas.notation import NOTATION_MEDIA_TYPE
from schemas.wire.event_writer import entry_bytes, entry_object
from schemas.wire.field_specs import field_kind
from service.config.urls import API_PREFIX
from service.eventstore import PAGE_SIZE
from service.http.api.blueprint import LOG_FORMAT_SCHEMAS, ApiBlueprint
from service.http.api.cache_policies import LIBRARY_POLICY, LIST_POLICY, REVALIDATED_POLICY
from service.http.api.operation_permissions import ANYONE, ANYONE_FILTERED
from service.http.api.record_responses import NEXT_LINK_HEADER, require_unpaged_query, variations_response
from service.http.api.responses import (
    build_next_url,
    format_next_link,
    json_response,
    jsonl_response,
    notation_response,
    prefers_jsonl,
    prefers_notation,
    with_content_etag,
)
from service.http.api.routes.point_resources import LogView, add_point_routes
from service.http.api.schemas import records
from service.http.api.schemas.library import LibrarySchema, ReplaySummarySchema
from service.http.problems import Problem
from service.http.service_context import service_context
from service.http.vary import vary_on
from service.projections.library_search import SearchCriteria, search_deals
from service.records.deal_points import VIEWERS_BY_NAME

routes = ApiBlueprint("replays", "/replays", "The library of deals.")

KNOWN_CARDS: Final = tuple(code for code in CARDS if "?" not in code)


def find_replay(name: str) -> Replay:
    """The deal of the library of that name. Raises the problem of an unknown name."""
    replay = service_context().library.get(name)
    if replay is None:
        raise Problem(
            "unknown-replay",
            f"The library has no deal “{name[:60]}”. Its deals are listed at {API_PREFIX}/replays.",
        )
    return replay


class LibraryQuery(QuerySchema):
    """Which part of the library, and what is searched for in it."""

    folder = fields.QueryParameter(
        field_kind(Name),
        "A folder of made-up examples. By default the list has the deals that were played or told; a "
        "search covers everything.",
    )
    player = fields.QueryParameter(field_kind(Name), "A player: a part of the name.")
    card = fields.query_choice(
        KNOWN_CARDS, "A recorded card of a hand; with `player`, of that player's hand."
    )
    ruleset = fields.QueryParameter(field_kind(Name), "The ruleset.")
    contract = fields.QueryParameter(field_kind(Name), "Which game.")
    outcome = fields.QueryParameter(field_kind(Outcome), "The outcome.")
    finding = fields.query_choice(FINDINGS, "The code of a finding.")


@routes.get("", ANYONE, REVALIDATED_POLICY, query=LibraryQuery)
@routes.response(200, LibrarySchema)
def list_replays(query: dict[str, Any]) -> Response:
    """List the library, or search it

    The deals that were played or told, and the folders of made-up examples: one for each contract, outcome
    and extra of each ruleset, and for each finding. A deal must match all search terms.
    """
    deals, folder = service_context().library.values(), query["folder"]
    counts = Counter(deal.folder for deal in deals if deal.folder)
    criteria = SearchCriteria(**{name: query[name] for name in SearchCriteria._fields})
    listed = search_deals(criteria, deals) if criteria.has_criteria else list(deals)
    if folder is not None or not criteria.has_criteria:
        listed = [deal for deal in listed if deal.folder == (folder or "")]
    folders = [
        {"name": name, "deals": count, "links": {"self": f"{API_PREFIX}/replays?folder={name}"}}
        for name, count in counts.items()
    ]
    return json_response({"replays": [replay_summary(deal) for deal in listed], "folders": folders})


@routes.get("/<name>", ANYONE, REVALIDATED_POLICY)
@routes.response(200, ReplaySummarySchema)
def show_replay(name: str) -> Response:
    """Show a deal of the library in short

    The players, the rules, the result, and links to the rest.
    """
    return json_response(replay_summary(find_replay(name)))


@routes.get("/<name>/events", ANYONE, REVALIDATED_POLICY, query=records.EventsQuery)
@routes.response(200, records.EventsPageSchema, headers=NEXT_LINK_HEADER, other_types=LOG_FORMAT_SCHEMAS)
def list_events(query: dict[str, Any], name: str) -> Response:
    """Read the log of a deal of the library

    As a page of JSON, or as JSON Lines or in the notation where `Accept` prefers
    `application/jsonl` or `text/vnd.spadille.deal`.
    """
    if prefers_notation():
        require_unpaged_query(query)
        return vary_on(download_text(name=name), "Accept")
    if prefers_jsonl():
        return vary_on(_replay_jsonl_response(name, query), "Accept")
    log = find_replay(name).read_log()
    last = query["after"] + (query["limit"] or PAGE_SIZE)
    events = [entry_object(entry) for entry in log[query["after"] : last]]
    next_url = _find_next_url(query, last, log)
    return vary_on(json_response({"version": len(log), "events": events}, next_url=next_url), "Accept")


@routes.get("/<name>/events.jsonl", ANYONE, REVALIDATED_POLICY, query=records.EventsQuery)
@routes.response(200, content_type="application/jsonl", headers=NEXT_LINK_HEADER)
def download_events(query: dict[str, Any], name: str) -> Response:
    """Read the log of a deal of the library as JSON Lines

    The whole log, one event per line.
    """
    return _replay_jsonl_response(name, query)


@routes.get("/<name>/events.deal", ANYONE, REVALIDATED_POLICY)
@routes.response(200, content_type=NOTATION_MEDIA_TYPE)
def download_text(name: str) -> Response:
    """Read the log of a deal of the library in the notation

    As it was written for the library, with its notes.
    """
    log = find_replay(name).read_log()
    return with_content_etag(notation_response(log, "all"))


def _replay_jsonl_response(name: str, query: dict[str, Any]) -> Response:
    log = find_replay(name).read_log()
    last = len(log) if query["limit"] is None else query["after"] + query["limit"]
    response = jsonl_response(entry_bytes(entry) for entry in log[query["after"] : last])
    if next_url := _find_next_url(query, last, log):
        response.headers["Link"] = format_next_link(next_url)
    return with_content_etag(response)


def _find_next_url(query: dict[str, Any], last: int, log: Log) -> str | None:
    if last >= len(log):
        return None
    return build_next_url(request.path, {"after": last, "limit": last - query["after"]})


@lru_cache(maxsize=2000)
def replay_summary(deal: Replay) -> Mapping[str, Any]:
    """A summary of a deal of the library, which never changes."""
    report = audit(deal.read_log())
    state, score = state_object(report.state), score_object(report.score)
    self_url = f"{API_PREFIX}/replays/{deal.name}"
    points = ("events", "state", "legal", "score", "findings", "replay", "audit", "evidence", "odds")
    return {
        "name": deal.name,
        "title": deal.title,
        "source": deal.source,
        **{member: state[member] for member in ("players", "ruleset", "revision", "trump")},
        "ok": report.ok,
        **{member: score[member] for member in ("outcome", "declarer", "contract")},
        "links": {
            "self": self_url,
            **{point: f"{self_url}/{point}" for point in points},
            "variations": f"{self_url}/variations",
            "drawing": f"{self_url}/state.svg",
            "picture": f"{self_url}/state.png",
            "log": f"{self_url}/events.jsonl",
            "text": f"{self_url}/events.deal",
            "page": f"/replays/{deal.name}",
        },
    }


def replay_log_view(name: str, viewer: str | None) -> LogView:
    """The log of a deal of the library, which everybody may see from any seat."""
    seen_by, deal = VIEWERS_BY_NAME[viewer or "all"], find_replay(name)
    return LogView(lambda: view(deal.read_log(), seen_by), None, seen_by, f"{API_PREFIX}/replays/{name}")


@routes.get("/<name>/variations", ANYONE_FILTERED, LIST_POLICY, query=records.PageQuery, may_fail=(403,))
@routes.response(200, records.VariationsPageSchema, headers=NEXT_LINK_HEADER)
def list_variations(query: dict[str, Any], name: str) -> Response:
    """List the variations of a deal of the library

    The recorded deals that branch from it and that you may read, the earliest first.
    """
    return variations_response(find_replay(name).name, query)


add_point_routes(routes, "/<name>", replay_log_view, ANYONE, LIBRARY_POLICY)
