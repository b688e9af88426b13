"""Answering with drawings: how a deal stands, as SVG or as a picture."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.rulesets import NO_RULES, find_ruleset
from service.http.api.cache_policies import NO_STORE
from service.http.api.request_bodies import JSON_TYPE
from service.http.api.responses import make_conditional
from service.http.api.schemas import fields
from service.http.api.schemas.records import PointQuery
from service.http.service_context import service_context
from service.presentation.png import render_png
from service.presentation.svg import (
    DRAWING_LANGUAGES,
    SUIT_COLOURS,
    TERM_CHOICES,
    THEMES,
    DrawingOptions,
    draw_table,
)

Json = dict[str, Any]
OptionalDisplayNames = Mapping[str, str | None] | None
"""How members of the club are called who stand in a record by their ids."""

MIN_DRAWING_WIDTH, DEFAULT_DRAWING_WIDTH, MAX_DRAWING_WIDTH = 320, 800, 1600

PICTURE_SIZES: Final = ("1200x630", "600x315", "1080x1080")
"""The sizes of pictures: of previews of links, the same for small ones, and a square."""


class DrawingStyleQuery(PointQuery):
    """How a drawing looks."""

    lang = fields.query_choice(
        DRAWING_LANGUAGES,
        "The language of its words, and of the letters on the cards: `da` (E K D Kn) or `en` (A K Q J).",
        default="en",
    )
    theme = fields.query_choice(THEMES, "On `light` ground, or on `dark`.", default="light")
    terms = fields.query_choice(
        TERM_CHOICES,
        "What cards and bids are called: as in the language (`own`), or in Spanish (`es`: A R C S, espadas, "
        "vuelta), as far as a source names them.",
        default="own",
    )
    suits = fields.query_choice(
        SUIT_COLOURS,
        "In how many colours the suits are: `two`, or `four` (diamonds blue, clubs green).",
        default="two",
    )


class DrawingQuery(DrawingStyleQuery):
    """A drawing of any width."""

    width = fields.query_integer(
        "How wide it is, in pixels; its height suits it.",
        min_value=MIN_DRAWING_WIDTH,
        max_value=MAX_DRAWING_WIDTH,
        default=DEFAULT_DRAWING_WIDTH,
    )


class PictureQuery(DrawingStyleQuery):
    """A picture, of one of some sizes."""

    size = fields.query_choice(
        PICTURE_SIZES,
        "Its width and height in pixels: `1200x630` and `600x315` for the preview of a link, or a square.",
        default=PICTURE_SIZES[0],
    )


SVG_TYPE: Final = "image/svg+xml"
PNG_TYPE: Final = "image/png"
PNG_SCHEMA: Final = {"type": "string", "contentMediaType": PNG_TYPE}


class DrawingFormat(NamedTuple):
    """One kind of drawing: what is asked of it, how it is answered, and what is published of that."""

    query_schema: Any
    build_response: Callable[[Json, Json, str, OptionalDisplayNames], Response]
    media_type: str
    schema: Json
    error_statuses: tuple[int, ...]
    summary: str
    description: str


def preferred_drawing() -> str | None:
    """The drawing that the client prefers to JSON, by the end of its address; rather SVG; None for JSON."""
    accept = request.accept_mimetypes
    best = max(
        (accept[DRAWING_FORMATS[name].media_type], name == "state.svg", name) for name in DRAWING_FORMATS
    )
    return best[-1] if best[0] > accept[JSON_TYPE] else None


def svg_response(state: Json, query: Json, cache_control: str, names: OptionalDisplayNames) -> Response:
    """A state object as SVG."""
    svg = draw_table(state, build_drawing_options(state, query, names)).encode()
    return make_conditional(_with_drawing_etag(Response(svg, content_type=SVG_TYPE), svg, cache_control))


def png_response(state: Json, query: Json, cache_control: str, names: OptionalDisplayNames) -> Response:
    """A state object as a picture. Raises `PictureUnavailable`."""
    width, height = map(int, query.get("size", PICTURE_SIZES[0]).split("x"))
    svg = draw_table(state, build_drawing_options(state, query, names)._replace(width=width, height=height))
    # Told before it is painted: whoever has this picture already costs nothing.
    response = _with_drawing_etag(Response(content_type=PNG_TYPE), svg.encode(), cache_control)
    if cache_control != NO_STORE and request.if_none_match.contains(_drawing_etag(svg.encode())):
        return make_conditional(response)
    response.set_data(render_png(svg))
    return response


def build_drawing_options(state: Json, query: Json, names: OptionalDisplayNames) -> DrawingOptions:
    """How a state is drawn that is asked for so; what is not asked for is as usual."""
    rules = find_ruleset(service_context().book, state["ruleset"] or "", state["revision"]) or NO_RULES
    style = {name: query[name] for name in ("lang", "theme", "terms", "suits") if name in query}
    return DrawingOptions(
        width=query.get("width", DEFAULT_DRAWING_WIDTH), rules=rules, names=names or {}, **style
    )


def _with_drawing_etag(response: Response, drawing: bytes, cache_control: str) -> Response:
    """The answer with what it may be kept for; its tag is made of what is shown, and of nothing else."""
    response.headers["Cache-Control"] = cache_control
    response.set_etag(_drawing_etag(drawing))
    return response


def _drawing_etag(drawing: bytes) -> str:
    return sha256(drawing).hexdigest()[:24]


DRAWING_FORMATS: Final[Mapping[str, DrawingFormat]] = {
    "state.svg": DrawingFormat(
        DrawingQuery,
        svg_response,
        SVG_TYPE,
        {"type": "string", "contentMediaType": SVG_TYPE},
        (),
        "Draw how a deal stands",
        "The table as a plan seen from above: hands, trick, tricks won, talon, discards, whose turn it is. "
        "Drawn from what `/state` answers to the same question, and nothing else. It refers to nothing "
        "outside itself and holds no script.",
    ),
    "state.png": DrawingFormat(
        PictureQuery,
        png_response,
        PNG_TYPE,
        PNG_SCHEMA,
        (503,),
        "Picture how a deal stands",
        "The same drawing as a picture, for the preview of a link. Few are painted at once; the last ones "
        "are kept.",
    ),
}
"""The drawings of a state, by the end of their address."""
