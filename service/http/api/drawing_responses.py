"""Drawings of a deal as answers: SVG and PNG."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.rulesets import NO_RULES, find_ruleset
from schemas.answers import fields
from service.http.api.cache_policies import NO_STORE
from service.http.api.etags import matches_if_none_match
from service.http.api.request_bodies import JSON_TYPE
from service.http.api.responses import kept_response, not_modified_response
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

MIN_DRAWING_WIDTH, DEFAULT_DRAWING_WIDTH, MAX_DRAWING_WIDTH = 320, 800, 1600

PICTURE_SIZES: Final = ("1200x630", "600x315", "1080x1080")
"""The sizes of pictures: the preview of a link, a small preview, a square."""


class DrawingStyleQuery(PointQuery):
    """How a drawing looks."""

    lang = fields.query_choice(
        DRAWING_LANGUAGES,
        "The language of the words and the letters on the cards: `da` (E K D Kn) or `en` (A K Q J).",
        default="en",
    )
    theme = fields.query_choice(THEMES, "The background: `light` or `dark`.", default="light")
    terms = fields.query_choice(
        TERM_CHOICES,
        "The names of cards and bids: in the language (`own`), or in Spanish (`es`: A R C S, espadas, "
        "vuelta) where a source has them.",
        default="own",
    )
    suits = fields.query_choice(
        SUIT_COLOURS,
        "The number of suit colours: `two`, or `four` (diamonds blue, clubs green).",
        default="two",
    )


class DrawingQuery(DrawingStyleQuery):
    """A drawing of any width."""

    width = fields.query_integer(
        "The width in pixels; the height follows.",
        min_value=MIN_DRAWING_WIDTH,
        max_value=MAX_DRAWING_WIDTH,
        default=DEFAULT_DRAWING_WIDTH,
    )


class PictureQuery(DrawingStyleQuery):
    """A picture, of one of some sizes."""

    size = fields.query_choice(
        PICTURE_SIZES,
        "The width and height in pixels: `1200x630` and `600x315` for the preview of a link, or a square.",
        default=PICTURE_SIZES[0],
    )


class DrawingFormat(NamedTuple):
    """One kind of drawing: what is asked of it, how it is made of SVG, and what is published of it."""

    query_schema: Any
    find_size: Callable[[Json], Json]
    render: Callable[[str], bytes]
    media_type: str
    error_statuses: tuple[int, ...]
    summary: str
    description: str

    @property
    def schema(self) -> Json:
        """What is published of the answer."""
        return {"type": "string", "contentMediaType": self.media_type}


def preferred_drawing() -> str | None:
    """The drawing that the client prefers to JSON, by the end of its address; None for JSON."""
    accept = request.accept_mimetypes
    best = max(
        (accept[DRAWING_FORMATS[name].media_type], name == "state.svg", name) for name in DRAWING_FORMATS
    )
    return best[-1] if best[0] > accept[JSON_TYPE] else None


def drawing_response(
    drawing: DrawingFormat, state: Json, query: Json, cache_control: str, names: Mapping[str, str | None]
) -> Response:
    """Draw a state object; 304 where the client has it, before a picture is rendered.

    ``names`` are the names of club members by their ids. Raises `PictureUnavailable`.
    """
    rules = find_ruleset(service_context().book, state["ruleset"] or "", state["revision"]) or NO_RULES
    style = {name: query[name] for name in ("lang", "theme", "terms", "suits") if name in query}
    svg = draw_table(state, DrawingOptions(**drawing.find_size(query), rules=rules, names=names, **style))
    etag = sha256(svg.encode()).hexdigest()[:24]
    if cache_control != NO_STORE and matches_if_none_match(etag):
        return not_modified_response(etag, cache_control)
    return kept_response(drawing.render(svg), drawing.media_type, etag=etag, cache_control=cache_control)


def _find_picture_size(query: Json) -> Json:
    width, height = map(int, query.get("size", PICTURE_SIZES[0]).split("x"))
    return {"width": width, "height": height}


DRAWING_FORMATS: Final[Mapping[str, DrawingFormat]] = {
    "state.svg": DrawingFormat(
        DrawingQuery,
        lambda query: {"width": query.get("width", DEFAULT_DRAWING_WIDTH)},
        str.encode,
        "image/svg+xml",
        (),
        "Draw a deal at a point",
        "The table seen from above: hands, trick, tricks won, talon, discards and turn. It shows exactly "
        "what `/state` answers to the same query. It has no external references and no script.",
    ),
    "state.png": DrawingFormat(
        PictureQuery,
        _find_picture_size,
        render_png,
        "image/png",
        (503,),
        "Draw a deal at a point as a picture",
        "The same drawing as a picture, for the preview of a link. Few are made at the same time; the "
        "last ones are cached.",
    ),
}
"""The drawings of a state, by the end of their address."""
