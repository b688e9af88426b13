"""Routes for a deal at any point: state, legal actions, score, findings, replay, audit."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, Final, NamedTuple

from flask import Response

from engine import Log, State, Viewer, legal
from engine.diagnosis.finding_caveats import add_caveats
from engine.view import are_hands_open
from schemas.answers.audits import audit_object
from schemas.answers.deal_reports import replay_object
from schemas.answers.hidden_cards import EvidenceSchema, OddsSchema
from schemas.answers.states import (
    LegalSchema,
    ScoreSchema,
    StateSchema,
    finding_objects,
    legal_object,
    score_object,
    state_object,
)
from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from service.http.api.anonymous_limits import (
    HEAVY_REQUEST_COST,
    REPORT_REQUEST_COST,
    find_hidden_card_answer,
    heavy_work,
)
from service.http.api.blueprint import ApiBlueprint, ViewDecorator
from service.http.api.cache_policies import NO_STORE, CachePolicy, declared_cache_control
from service.http.api.drawing_responses import (
    DRAWING_FORMATS,
    DrawingFormat,
    drawing_response,
    preferred_drawing,
)
from service.http.api.etags import PROCESS_GENERATION, build_etag, matches_if_none_match, viewer_etag_parts
from service.http.api.openapi.languages import response_language
from service.http.api.operation_permissions import OperationPermission
from service.http.api.responses import json_response, not_modified_response
from service.http.api.schemas.audits import AuditSchema
from service.http.api.schemas.hidden_cards import EvidenceQuery, OddsQuery
from service.http.api.schemas.points import FindingsSchema, ReplaySchema
from service.http.api.schemas.records import PointQuery
from service.http.service_context import service_context
from service.http.vary import vary_on
from service.records.club_rules import is_club_ruleset
from service.records.deal_points import DealPoint, build_deal_point

Json = dict[str, Any]


class LogView(NamedTuple):
    """A log as its caller may see it, read only when it is needed.

    ``version`` is None for a log without versions; ``url`` is the deal's. ``read_names`` reads the names of
    club members in it; ``has_erased_events``: parts of it were erased; ``etag_dependencies`` are the other
    things its content depends on; ``is_fully_public``: everybody may read all of it.
    """

    read_log: Callable[[], Log]
    version: int | None
    viewer: Viewer
    url: str
    read_names: Callable[[], Mapping[str, str | None]] | None = None
    has_erased_events: Callable[[], bool] = bool
    etag_dependencies: tuple[object, ...] = ()
    is_fully_public: Callable[[], bool] = bool

    @property
    def is_unredacted(self) -> bool:
        """Whether it is shown whole."""
        return self.viewer.sees_everything

    def member_names(self) -> Mapping[str, str | None]:
        """The names of club members in it, by id."""
        return {} if self.read_names is None else self.read_names()


LogViewLoader = Callable[[str, str | None], LogView]
"""Finds a log by its key, for the viewer requested or else for the caller."""


class PointResource(NamedTuple):
    """One resource of a deal at a point: how it is answered, and how it is published.

    ``has_names``: it includes the names of club members and a link to the deal's variations;
    ``has_drawing``: it is also available as a drawing; ``is_localized``: it holds sentences, in the requested
    language; ``request_cost``: it may take about a second, and counts as that many requests of an anonymous
    caller; ``has_size_limit``: it is refused for a deal that is too large (`schemas.logs.deal_size`).
    ``query_schema``: its query parameters, all of which ``build`` is called with.
    """

    build: Callable[[DealPoint, str, Json], Any]
    schema: Any
    summary: str
    description: str
    has_names: bool = False
    has_drawing: bool = False
    is_localized: bool = False
    request_cost: float = 0
    has_size_limit: bool = False
    query_schema: Any = PointQuery


POINT_RESOURCES: Final[dict[str, PointResource]] = {
    "state": PointResource(
        lambda point, *_: state_object(point.state),
        StateSchema,
        "Show a deal at a point",
        "Phase, turn, calls, hands, talon and tricks, as far as they are recorded. As a drawing if "
        "`Accept` prefers `image/svg+xml`, or at `…/state.svg`.",
        has_drawing=True,
    ),
    "legal": PointResource(
        lambda point, *_: legal_object(legal(point.state)),
        {"anyOf": [LegalSchema, {"type": "null"}]},
        "Show the legal next events",
        "Null when the deal is over.",
    ),
    "score": PointResource(
        lambda point, lang, _: score_object(point.score, lang),
        ScoreSchema,
        "Show what a deal pays",
        "And why. While it is undecided, what each possible outcome would pay.",
        is_localized=True,
    ),
    "findings": PointResource(
        lambda point, lang, _: {
            "ok": point.audit.ok,
            "findings": finding_objects(add_caveats(point.audit), lang),
        },
        FindingsSchema,
        "Show the findings of a deal",
        "Every breach of the rules and every contradiction in the record, as known at that point.",
        is_localized=True,
    ),
    "replay": PointResource(
        lambda point, lang, _: replay_object(point.audit, lang),
        ReplaySchema,
        "Show a whole deal for a replayer",
        "Each entry of the effective history up to the point, with state, legal actions and score after it.",
        has_names=True,
        is_localized=True,
        has_size_limit=True,
    ),
    "audit": PointResource(
        lambda point, lang, _: audit_object(point.report, lang),
        AuditSchema,
        "Report on a deal for a judge",
        "The findings, each with the deal at that point and the possible actions; corrections, "
        "withdrawals and rulings; what was paid and what is due.",
        has_names=True,
        is_localized=True,
        request_cost=REPORT_REQUEST_COST,
        has_size_limit=True,
    ),
    "evidence": PointResource(
        partial(find_hidden_card_answer, "evidence"),
        EvidenceSchema,
        "Show what the hidden cards of a deal can be",
        "Each hidden card and each hand, from the cards alone and if the rules were kept too. Also the "
        "number of complete deals that agree, or the entries that contradict each other. Calculated from "
        "what you may know, in about a second; what would take longer is not `decided`.",
        is_localized=True,
        request_cost=HEAVY_REQUEST_COST,
        has_size_limit=True,
        query_schema=EvidenceQuery,
    ),
    "odds": PointResource(
        partial(find_hidden_card_answer, "odds"),
        OddsSchema,
        "Show the results of best play over the possible deals",
        "If cards are hidden, some lawful deals that agree with what you may know are drawn, and both "
        "sides play each as well as possible with all hands open. The answer says how often each card "
        "leads to each outcome.",
        is_localized=True,
        request_cost=HEAVY_REQUEST_COST,
        has_size_limit=True,
        query_schema=OddsQuery,
    ),
}
"""What can be asked of a deal at a point, by the end of its address."""


def add_point_routes(
    routes: ApiBlueprint,
    url_rule: str,
    load_log_view: LogViewLoader,
    permission: OperationPermission,
    cache_policy: CachePolicy,
) -> None:
    """Add a route for each resource below ``url_rule``, whose parameter is the key of ``load_log_view``."""

    def add_route(
        name: str,
        resource: PointResource | DrawingFormat,
        respond: Callable[[Json, LogView], Response],
        publish: ViewDecorator,
        failures: Iterable[int],
    ) -> None:
        def show(query: Json, **path_values: str) -> Response:
            (key,) = path_values.values()
            return respond(query, load_log_view(key, query["viewer"]))

        show.__name__ = name.replace(".", "_")
        show.__doc__ = f"{resource.summary}\n\n{resource.description}"
        register = routes.get(
            f"{url_rule}/{name}",
            permission,
            cache_policy,
            query=resource.query_schema,
            may_fail=(401, 403, *failures),
        )
        register(publish(show))

    for name, resource in POINT_RESOURCES.items():
        drawings = DRAWING_FORMATS.values() if resource.has_drawing else ()
        other_types = {drawing.media_type: drawing.schema for drawing in drawings}
        publish = routes.response(200, resource.schema, other_types=other_types)
        failures = [413] * resource.has_size_limit + [503] * resource.has_drawing
        add_route(name, resource, partial(point_response, resource), publish, failures)
    for name, drawing in DRAWING_FORMATS.items():
        publish = routes.response(200, drawing.schema, content_type=drawing.media_type)
        add_route(name, drawing, partial(_point_drawing_response, drawing), publish, drawing.error_statuses)


def build_requested_point(query: dict[str, Any], log_view: LogView) -> DealPoint:
    """The point of a log that ``query`` asks for."""
    return build_deal_point(log_view.read_log(), query["at"], query["known"], service_context().book)


def point_response(resource: PointResource, query: dict[str, Any], log_view: LogView) -> Response:
    """One resource of a log at the point that ``query`` asks for."""
    if not resource.has_drawing:
        return _point_json_response(resource, query, log_view)
    drawing_name = preferred_drawing()
    if drawing_name is None:
        return vary_on(_point_json_response(resource, query, log_view), "Accept")
    return vary_on(_point_drawing_response(DRAWING_FORMATS[drawing_name], query, log_view), "Accept")


def _point_drawing_response(drawing: DrawingFormat, query: dict[str, Any], log_view: LogView) -> Response:
    state = build_requested_point(query, log_view).state
    cache_control = _point_cache_control(log_view, query, lambda: state)
    return drawing_response(drawing, state_object(state), query, cache_control, log_view.member_names())


def _point_json_response(resource: PointResource, query: dict[str, Any], log_view: LogView) -> Response:
    """One resource as JSON; 304 where the client has it, without computing the resource."""
    names = log_view.read_names() if resource.has_names and log_view.read_names is not None else None
    lang = response_language() if resource.is_localized else MESSAGE_LANGUAGES[0]
    etag = _point_etag(resource, query, log_view, names, lang)
    find_point = cache(partial(build_requested_point, query, log_view))
    cache_control = _point_cache_control(log_view, query, lambda: find_point().state)
    if (
        etag is not None
        and cache_control != NO_STORE
        and matches_if_none_match(etag)
        and not log_view.has_erased_events()
    ):
        return not_modified_response(etag, cache_control)
    with heavy_work(resource.request_cost):
        body = resource.build(find_point(), lang, query)
    if names is not None:
        body["names"] = names
    if resource.has_names:
        body["links"] = {"self": log_view.url, "variations": f"{log_view.url}/variations"}
    return json_response(body, etag=etag, cache_control=cache_control)


def _point_etag(
    resource: PointResource,
    query: dict[str, Any],
    log_view: LogView,
    names: Mapping[str, Any] | None,
    lang: str,
) -> str | None:
    """The tag of a resource, made of all that it is computed from."""
    if log_view.version is None:
        return None
    query_values = tuple(query[name] for name in sorted(query) if name != "viewer")
    point = (resource.summary, *query_values, viewer_etag_parts(log_view.viewer), lang)
    book_size = len(service_context().book)
    dependencies = (PROCESS_GENERATION, book_size, point, names, log_view.etag_dependencies)
    return build_etag(log_view.version, depends_on=dependencies)


def _point_cache_control(log_view: LogView, query: dict[str, Any], find_state: Callable[[], State]) -> str:
    """How long the answer may be kept. The log is read only for a point that stays what it is."""
    is_fixed = (
        query["at"] is not None
        and query["known"] is not None
        and are_hands_open(log_view.read_log())
        and _has_fixed_rules(find_state())
        and not log_view.member_names()
    )
    return declared_cache_control(
        log_view.is_unredacted,
        is_fixed=is_fixed,
        is_fully_public=is_fixed and not log_view.is_unredacted and log_view.is_fully_public(),
    )


def _has_fixed_rules(state: State) -> bool:
    """Whether nothing published later can change the rules that a deal is played by."""
    deal_opened, rules = state.opening.event, state.opening.rules
    return (
        deal_opened is not None
        and rules.is_known
        and (deal_opened.revision is not None or not is_club_ruleset(deal_opened.ruleset))
    )
