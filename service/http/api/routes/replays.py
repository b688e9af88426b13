"""The API's doors to the library of historic and annotated deals."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from flask import Response, request

from engine import audit, view
from engine.core.cards import CODES as CARDS
from engine.core.vocabulary import Kind, Name, Outcome
from engine.play.findings import CODES as FINDINGS
from replays import Replay
from schemas.answers.states import score_object, state_object
from schemas.notation import MEDIA_TYPE
from schemas.wire.declaration import kind_of
from schemas.wire.writer import entry_bytes, entry_object
from service.config.urls import PREFIX
from service.eventstore import PAGE
from service.http.api.event_pages import require_whole
from service.http.api.openapi.contract import Routes, may_fail, other_forms, path_parameter
from service.http.api.responses import (
    answer,
    lines,
    next_address,
    next_link,
    notation,
    tagged,
    varying,
    wants_lines,
    wants_notation,
)
from service.http.api.routes.points import Seen, add_points
from service.http.api.routes.variations import NEXT, variations_of
from service.http.api.schemas.fields import Parameter
from service.http.api.schemas.library import ReplayInShortSchema, ReplaysSchema
from service.http.api.schemas.streams import (
    Asked,
    EventsPageSchema,
    EventsQuery,
    PageQuery,
    VariationsPageSchema,
)
from service.http.context import context
from service.http.problems import Problem
from service.projections.library_search import Wanted, found
from service.records.points import VIEWERS

routes = Routes("replays", __name__, url_prefix=f"{PREFIX}/replays", description="The library of deals.")

KNOWN_CARDS: Final = tuple(code for code in CARDS if "?" not in code)

NAME = path_parameter("name", "The deal's name in the library, such as `belinda`.")


def deal_called(name: str) -> Replay:
    """The deal of the library of that name. Raises the problem of one that is not there."""
    found = context().library.get(name)
    if found is None:
        raise Problem(
            "unknown-replay",
            f"The library has no deal “{name[:60]}”. What it has stands at {PREFIX}/replays.",
        )
    return found


class LibraryQuery(Asked):
    """Which part of the library, and what is searched for in it."""

    folder = Parameter(
        kind_of(Name),
        "A folder of made-up examples; without it the deals that were played, or told, and where anything is "
        "searched for all of them.",
    )
    player = Parameter(kind_of(Name), "Who played: a part of the name.")
    card = Parameter(
        Kind("choice", choices=KNOWN_CARDS),
        "A card that somebody held, as far as is recorded; with `player`, a card of his.",
    )
    ruleset = Parameter(kind_of(Name), "By which rules.")
    contract = Parameter(kind_of(Name), "Which game.")
    outcome = Parameter(kind_of(Outcome), "How it ended.")
    finding = Parameter(Kind("choice", choices=tuple(FINDINGS)), "What is found in it.")


@routes.route("", methods=["GET"])
@routes.arguments(LibraryQuery, location="query")
@routes.response(200, ReplaysSchema)
@may_fail(422)
def list_replays(query: dict[str, Any]) -> Response:
    """List the library, or search it

    The deals that were played, or told; and the folders of made-up examples, there being one of every
    contract, outcome and extra of every ruleset, and of every finding. What is searched for has to hold all
    at once.
    """
    deals, folder = context().library.values(), query["folder"]
    counts = Counter(deal.folder for deal in deals if deal.folder)
    wanted = Wanted(**{name: query[name] for name in Wanted._fields})
    listed = found(wanted, deals) if wanted.anything else list(deals)
    if folder is not None or not wanted.anything:
        listed = [deal for deal in listed if deal.folder == (folder or "")]
    folders = [
        {"name": name, "deals": count, "links": {"self": f"{PREFIX}/replays?folder={name}"}}
        for name, count in counts.items()
    ]
    return answer({"replays": [in_short(deal) for deal in listed], "folders": folders})


@routes.route("/<name>", methods=["GET"], parameters=NAME)
@routes.response(200, ReplayInShortSchema)
@may_fail(404)
def show_replay(name: str) -> Response:
    """Show a deal of the library in short

    Who plays, by which rules, how it ended, and where the rest is.
    """
    return answer(in_short(deal_called(name)))


@routes.route("/<name>/events", methods=["GET"], parameters=NAME)
@routes.arguments(EventsQuery, location="query")
@routes.response(200, EventsPageSchema, headers=NEXT)
@other_forms
@may_fail(404, 422)
def list_events(query: dict[str, Any], name: str) -> Response:
    """Read the log of a deal of the library

    As a page of JSON, or as JSON Lines or in the notation where `Accept` prefers
    `application/jsonl` or `text/vnd.spadille.deal`.
    """
    if wants_notation():
        require_whole(query)
        return varying(download_text(name=name), "Accept")
    if wants_lines():
        return varying(_lines(name, query), "Accept")
    log = deal_called(name).log()
    after, limit = query["after"], query["limit"] or PAGE
    events = [entry_object(entry) for entry in log[after : after + limit]]
    more = after + limit < len(log)
    path = f"{PREFIX}/replays/{name}/events"
    following = next_address(path, {"after": after + limit, "limit": limit}) if more else None
    return varying(answer({"version": len(log), "events": events}, following=following), "Accept")


@routes.route("/<name>/events.jsonl", methods=["GET"], parameters=NAME)
@routes.arguments(EventsQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="application/jsonl", headers=NEXT)
@may_fail(404, 422)
def download_events(query: dict[str, Any], name: str) -> Response:
    """Read the log of a deal of the library as JSON Lines

    All of it, an event on each line.
    """
    return _lines(name, query)


@routes.route("/<name>/events.deal", methods=["GET"], parameters=NAME)
@routes.response(200, {"type": "string"}, content_type=MEDIA_TYPE)
@may_fail(404)
def download_text(name: str) -> Response:
    """Read the log of a deal of the library in the notation

    As it was written for the library, with its notes.
    """
    log = deal_called(name).log()
    return tagged(notation(log, "all"))


def _lines(name: str, query: dict[str, Any]) -> Response:
    log = deal_called(name).log()
    after, limit = query["after"], query["limit"]
    last = len(log) if limit is None else after + limit
    made = lines(entry_bytes(entry) for entry in log[after:last])
    if last < len(log):
        made.headers["Link"] = next_link(next_address(request.path, {"after": last, "limit": limit}))
    return tagged(made)


@lru_cache(maxsize=2000)
def in_short(deal: Replay) -> Mapping[str, Any]:
    """A deal of the library in short; it never changes."""
    judged = audit(deal.log())
    state, told = state_object(judged.state), score_object(judged.score)
    address = f"{PREFIX}/replays/{deal.name}"
    points = ("events", "state", "legal", "score", "findings", "replay", "audit", "evidence", "odds")
    return {
        "name": deal.name,
        "title": deal.title,
        "source": deal.source,
        **{member: state[member] for member in ("players", "ruleset", "revision", "trump")},
        "ok": judged.ok,
        **{member: told[member] for member in ("outcome", "declarer", "contract")},
        "links": {
            "self": address,
            **{point: f"{address}/{point}" for point in points},
            "variations": f"{address}/variations",
            "drawing": f"{address}/state.svg",
            "picture": f"{address}/state.png",
            "log": f"{address}/events.jsonl",
            "text": f"{address}/events.deal",
            "page": f"/replays/{deal.name}",
        },
    }


def log_of_replay(name: str, viewer: str | None) -> Seen:
    """The log of a deal of the library, which anybody may see from any seat."""
    asked, deal = VIEWERS[viewer or "all"], deal_called(name)
    return Seen(lambda: view(deal.log(), asked), None, asked, f"{PREFIX}/replays/{name}", published=True)


@routes.route("/<name>/variations", methods=["GET"], parameters=NAME)
@routes.arguments(PageQuery, location="query")
@routes.response(200, VariationsPageSchema, headers=NEXT)
@may_fail(401, 403, 404, 422)
def list_variations(query: dict[str, Any], name: str) -> Response:
    """List the variations of a deal of the library

    Those recorded deals that begin in it and that you may read, the earliest first.
    """
    return variations_of(deal_called(name).name, query, f"{PREFIX}/replays/{name}/variations")


add_points(routes, "/<name>", NAME, log_of_replay)
