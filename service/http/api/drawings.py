"""Answering with drawings: how a deal stands, as SVG or as a picture."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.rulesets import NO_RULES, find
from service.http.api.request_bodies import JSON
from service.http.api.responses import NEVER_KEPT, conditional
from service.http.api.schemas.drawings import SIZES, USUAL_WIDTH, DrawingQuery, PictureQuery
from service.http.context import context
from service.presentation.png import picture
from service.presentation.svg import Manner, drawn

Json = dict[str, Any]
Names = Mapping[str, str | None] | None
"""How members of the club are called who stand in a record by their ids."""

SVG: Final = "image/svg+xml"
PNG: Final = "image/png"
BINARY: Final = {"type": "string", "contentMediaType": PNG}


class Drawing(NamedTuple):
    """One kind of drawing: what is asked of it, how it is answered, and what is published of that."""

    query: Any
    answered: Callable[[Json, Json, str, Names], Response]
    media_type: str
    schema: Json
    statuses: tuple[int, ...]
    summary: str
    means: str


def drawing_wanted() -> str | None:
    """The drawing that the client would rather have than JSON, by the end of its address; None for JSON.

    Whoever takes both kinds as gladly, as browsers do, gets the one that is light.
    """
    accept = request.accept_mimetypes
    best = max((accept[DRAWINGS[name].media_type], name == "state.svg", name) for name in DRAWINGS)
    return best[-1] if best[0] > accept[JSON] else None


def svg_answer(state: Json, query: Json, cache: str, names: Names) -> Response:
    """A state object as SVG."""
    return _answer(drawn(state, manner_of(state, query, names)).encode(), SVG, cache)


def png_answer(state: Json, query: Json, cache: str, names: Names) -> Response:
    """A state object as a picture. Raises `PictureUnavailable`."""
    width, height = map(int, query.get("size", SIZES[0]).split("x"))
    svg = drawn(state, manner_of(state, query, names)._replace(width=width, height=height))
    # Told before it is painted: whoever has this picture already costs nothing.
    made = _tagged(Response(content_type=PNG), svg.encode(), cache)
    if cache != NEVER_KEPT and request.if_none_match.contains(_tag(svg.encode())):
        return conditional(made)
    made.set_data(picture(svg))
    return made


def manner_of(state: Json, query: Json, names: Names) -> Manner:
    """How a state is drawn that is asked for so; what is not asked for is as usual."""
    rules = find(context().book, state["ruleset"] or "", state["revision"]) or NO_RULES
    look = {name: query[name] for name in ("lang", "theme", "terms", "suits") if name in query}
    return Manner(width=query.get("width", USUAL_WIDTH), rules=rules, names=names or {}, **look)


def _answer(body: bytes, media_type: str, cache: str) -> Response:
    return conditional(_tagged(Response(body, content_type=media_type), body, cache))


def _tagged(made: Response, drawing: bytes, cache: str) -> Response:
    """The answer with what it may be kept for; its tag is made of what is shown, and of nothing else."""
    made.headers["Cache-Control"] = cache
    made.set_etag(_tag(drawing))
    return made


def _tag(drawing: bytes) -> str:
    return sha256(drawing).hexdigest()[:24]


DRAWINGS: Final[Mapping[str, Drawing]] = {
    "state.svg": Drawing(
        DrawingQuery,
        svg_answer,
        SVG,
        {"type": "string", "contentMediaType": SVG},
        (),
        "Draw how a deal stands",
        "The table as a plan seen from above: hands, trick, tricks won, talon, discards, whose turn it is. "
        "Drawn from what `/state` answers to the same question, and nothing else. It refers to nothing "
        "outside itself and holds no script.",
    ),
    "state.png": Drawing(
        PictureQuery,
        png_answer,
        PNG,
        BINARY,
        (503,),
        "Picture how a deal stands",
        "The same drawing as a picture, for the preview of a link. Few are painted at once; the last ones "
        "are kept.",
    ),
}
"""The drawings of a state, by the end of their address."""
