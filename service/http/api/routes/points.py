"""The API's doors to a deal at any point: state, legal actions, score, findings, replay, audit."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Final, NamedTuple

from flask import Response

from engine import Log, State, Viewer, legal
from engine.diagnosis.conditions import with_conditions
from engine.view import hands_open
from schemas.answers.audits import audit_object
from schemas.answers.reports import replay_object
from schemas.answers.states import Told, finding_objects, legal_object, score_object, state_object
from service.http.api.anonymous_limits import LABORIOUS, REPORT, laborious
from service.http.api.drawings import DRAWINGS, Drawing, drawing_wanted
from service.http.api.etags import GENERATION, is_known, seen_by, tag_of
from service.http.api.hidden_card_answers import evidence_told, likely_told
from service.http.api.openapi.contract import Routes, also_answers, may_fail
from service.http.api.openapi.languages import language
from service.http.api.responses import (
    FOR_A_WHILE,
    FOR_EVER,
    FOR_EVER_BY_ITS_READER,
    FRESH,
    NEVER_KEPT,
    answer,
    not_modified,
    varying,
)
from service.http.api.schemas.audits import AuditSchema
from service.http.api.schemas.points import (
    FindingsSchema,
    LegalSchema,
    ReplaySchema,
    ScoreSchema,
    StateSchema,
)
from service.http.api.schemas.streams import PointQuery
from service.http.api.schemas.unseen import EvidenceQuery, EvidenceSchema, LikelyQuery, LikelySchema
from service.http.context import context
from service.presentation.i18n.translate import LANGUAGES, telling
from service.records.club_rules import is_own
from service.records.points import Point, point_of

Json = dict[str, Any]


class Aspect(NamedTuple):
    """One thing to ask of a deal at a point: how it is answered, and what is published of that.

    ``named``: members of the club in it are named beside it, and where its variations are; ``drawn``: it
    can be answered with a drawing instead; ``spoken``: it holds sentences, in the language that is asked for;
    ``laborious``: it may take about a second, and counts as so many requests of an anonymous caller;
    ``bounded``: it is refused for a deal that is too large (`schemas.logs.deal_size`). ``query`` is what
    can be asked of it, all of which it is told.
    """

    told: Callable[[Point, Told, Json], Any]
    schema: Any
    summary: str
    means: str
    named: bool = False
    drawn: bool = False
    spoken: bool = False
    laborious: float = 0
    bounded: bool = False
    query: Any = PointQuery


ASPECTS: Final[dict[str, Aspect]] = {
    "state": Aspect(
        lambda point, *_: state_object(point.state),
        StateSchema,
        "Show how a deal stands",
        "Phase, turn, calls, hands, talon and tricks, as far as the record says. As a drawing where `Accept` "
        "prefers `image/svg+xml`, or at `…/state.svg`.",
        drawn=True,
    ),
    "legal": Aspect(
        lambda point, *_: legal_object(legal(point.state)),
        {"anyOf": [LegalSchema, {"type": "null"}]},
        "Show what may happen next",
        "Null when the deal is over.",
    ),
    "score": Aspect(
        lambda point, *_: score_object(point.score),
        ScoreSchema,
        "Show what a deal pays",
        "And why; while it is undecided, what each outcome still possible would pay.",
    ),
    "findings": Aspect(
        lambda point, told, _: {
            "ok": point.audit.ok,
            "findings": finding_objects(with_conditions(point.audit), told),
        },
        FindingsSchema,
        "Show what a record breaks",
        "Every way in which it breaks the rules or contradicts itself, as far as was known at that point.",
        spoken=True,
    ),
    "replay": Aspect(
        lambda point, told, _: replay_object(point.audit, told),
        ReplaySchema,
        "Show a whole deal for a replayer",
        "Each entry of the effective history up to the point, with state, legal actions and score after it.",
        named=True,
        spoken=True,
        bounded=True,
    ),
    "audit": Aspect(
        lambda point, told, _: audit_object(point.report, told),
        AuditSchema,
        "Report on a deal for whoever has to judge it",
        "What was found, with the deal as it stood and what was open then; what was corrected, taken back "
        "and ruled; what was paid beside what is due.",
        named=True,
        spoken=True,
        laborious=REPORT,
        bounded=True,
    ),
    "evidence": Aspect(
        evidence_told,
        EvidenceSchema,
        "Say what the hidden cards of a deal can be",
        "Each hidden card and each hand as it stands, as matter alone and if the rules were kept too; how "
        "many complete deals agree, and where none does, which entries cannot all be true. Worked out of "
        "what you may know, in about a second at most: what would take longer is not `decided`.",
        spoken=True,
        laborious=LABORIOUS,
        bounded=True,
        query=EvidenceQuery,
    ),
    "odds": Aspect(
        likely_told,
        LikelySchema,
        "Say what best play comes to over the deals that can have been",
        "Where hands are hidden: some lawful deals that agree with what you may know are drawn, and in each "
        "both sides play as well as they can with all hands open. How often a card leads to which end.",
        spoken=True,
        laborious=LABORIOUS,
        bounded=True,
        query=LikelyQuery,
    ),
}
"""What can be asked of a deal at a point, by the end of its address."""


class Seen(NamedTuple):
    """A log that is asked about, as whoever asks may know it; it is read when it is needed.

    ``version`` is None where it has none; ``address`` is that of the deal; ``published``: it is the same for
    everybody, for good. ``names`` tells how members of the club in it are called, where it may have any;
    ``was_erased`` whether it no longer says what it said at that version; ``behind`` is what else its course
    depends on; ``is_open_to_all`` whether everybody may read it, and now knows all of it.
    """

    log: Callable[[], Log]
    version: int | None
    viewer: Viewer
    address: str
    published: bool = False
    names: Callable[[], Mapping[str, str | None]] | None = None
    was_erased: Callable[[], bool] = bool
    behind: tuple[object, ...] = ()
    is_open_to_all: Callable[[], bool] = bool

    @property
    def whole(self) -> bool:
        """Whether nothing may be cut out of it."""
        return self.viewer.everything

    def called(self) -> Mapping[str, str | None]:
        """How the members of the club in it are called, by their ids."""
        return {} if self.names is None else self.names()


LogOf = Callable[[str, str | None], Seen]
"""Finds a log by its key, for a viewer who is asked for, or else for the one who asks."""


def add_points(routes: Routes, address: str, parameters: list[dict[str, Any]], log_of: LogOf) -> None:
    """Adds a door for each aspect below ``address``, which holds one parameter: that of ``log_of``."""
    for name, aspect in ASPECTS.items():
        _add(routes, f"{address}/{name}", parameters, name, aspect, log_of)
    for name, drawing in DRAWINGS.items():
        _add_drawing(routes, f"{address}/{name}", parameters, name, drawing, log_of)


def _add(
    routes: Routes,
    address: str,
    parameters: list[dict[str, Any]],
    name: str,
    aspect: Aspect,
    log_of: LogOf,
) -> None:
    def show(query: dict[str, Any], **named: str) -> Response:
        (key,) = named.values()
        return answered(aspect, query, log_of(key, query["viewer"]))

    show.__name__ = name
    show.__doc__ = f"{aspect.summary}\n\n{aspect.means}"
    documented = may_fail(401, 403, 404, 422)(routes.response(200, aspect.schema)(show))
    if aspect.bounded:
        documented = may_fail(413)(documented)
    if aspect.drawn:
        for drawing in DRAWINGS.values():
            documented = also_answers(200, drawing.media_type, drawing.schema)(documented)
        documented = may_fail(503)(documented)
    routes.route(address, methods=["GET"], parameters=parameters)(
        routes.arguments(aspect.query, location="query")(documented)
    )


def _add_drawing(
    routes: Routes,
    address: str,
    parameters: list[dict[str, Any]],
    name: str,
    drawing: Drawing,
    log_of: LogOf,
) -> None:
    def draw(query: dict[str, Any], **named: str) -> Response:
        (key,) = named.values()
        seen = log_of(key, query["viewer"])
        state = point_at(query, seen).state
        return drawing.answered(state_object(state), query, _cache(seen, query, state), seen.called())

    draw.__name__ = name.replace(".", "_")
    draw.__doc__ = f"{drawing.summary}\n\n{drawing.means}"
    published = routes.response(200, drawing.schema, content_type=drawing.media_type)(draw)
    published = may_fail(401, 403, 404, 422, *drawing.statuses)(published)
    routes.route(address, methods=["GET"], parameters=parameters)(
        routes.arguments(drawing.query, location="query")(published)
    )


def point_at(query: dict[str, Any], seen: Seen) -> Point:
    """The point of a log that ``query`` asks for."""
    return point_of(seen.log(), query["at"], query["known"], context().book)


def answered(aspect: Aspect, query: dict[str, Any], seen: Seen) -> Response:
    """One aspect of a log at the point that ``query`` asks for."""
    wanted = drawing_wanted() if aspect.drawn else None
    if wanted is not None:
        state = point_at(query, seen).state
        cache = _cache(seen, query, state)
        made = DRAWINGS[wanted].answered(state_object(state), query, cache, seen.called())
    else:
        made = _unless_known(aspect, query, seen)
    return varying(made, "Accept") if aspect.drawn else made


def _unless_known(aspect: Aspect, query: dict[str, Any], seen: Seen) -> Response:
    """One aspect as JSON; 304 where the client has it, which is seen before anything is computed."""
    names = seen.names() if aspect.named and seen.names is not None else None
    lang = language() if aspect.spoken else LANGUAGES[0]
    tag = _tag(aspect, query, seen, names, lang)
    known = tag is not None and seen.whole and is_known(tag) and not seen.was_erased()
    if tag is not None and known and not _is_fixed(query):
        return not_modified(tag)
    point = point_at(query, seen)
    cache = _cache(seen, query, point.state)
    if cache == FOR_A_WHILE:
        known = tag is not None and is_known(tag) and not seen.was_erased()
    if tag is not None and known:
        return not_modified(tag, cache)
    with laborious(aspect.laborious) if aspect.laborious else nullcontext():
        body = aspect.told(point, telling(lang), query)
    if names is not None:
        body["names"] = names
    if aspect.named:
        body["links"] = {"self": seen.address, "variations": f"{seen.address}/variations"}
    return answer(body, tag=tag, cache=cache)


def _tag(
    aspect: Aspect, query: dict[str, Any], seen: Seen, names: Mapping[str, Any] | None, lang: str
) -> str | None:
    """The tag of an aspect: made of all that it is computed from, and not of what comes of it."""
    if seen.version is None:
        return None
    asked = tuple(query[name] for name in sorted(query) if name != "viewer")
    point = (aspect.summary, *asked, seen_by(seen.viewer), lang)
    return tag_of(seen.version, depends=(GENERATION, len(context().book), point, names, seen.behind))


def _cache(seen: Seen, query: dict[str, Any], state: State) -> str:
    """How long the answer may be kept: what is cut never, what cannot change for ever.

    What was published for a while only, where others are answered from it: that may be taken back, and so may
    the closing by which the hands came to lie open.
    """
    lasting = _is_fixed(query) and _is_over(seen, state)
    if not seen.whole:
        return FOR_A_WHILE if lasting and seen.is_open_to_all() else NEVER_KEPT
    if not lasting:
        return FRESH
    return FOR_EVER if seen.published else FOR_EVER_BY_ITS_READER


def _is_over(seen: Seen, state: State) -> bool:
    """Whether nothing is to come that could change what is told of a point that is fixed.

    A member's name may change, or be forgotten; a ruleset that is unknown may be published.
    """
    return hands_open(seen.log()) and _rules_are_fixed(state) and not seen.called()


def _is_fixed(query: dict[str, Any]) -> bool:
    """Whether the point stays what it is, whatever is recorded later."""
    return query["at"] is not None and query["known"] is not None


def _rules_are_fixed(state: State) -> bool:
    """Whether a deal is played by rules that nothing published later can change."""
    opening = state.opening
    opened = opening.opened
    if opened is None or not opening.rules.known:
        return False
    return opened.revision is not None or not is_own(opened.ruleset)
