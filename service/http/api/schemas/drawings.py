"""What is asked of a drawing: its language, its ground, its size."""

from typing import Final

from engine.core.field_types import FieldKind
from service.http.api.schemas.fields import QueryParameter
from service.http.api.schemas.records import PointQuery
from service.presentation.svg import DRAWING_LANGUAGES, SUIT_COLOURS, TERM_CHOICES, THEMES

MIN_DRAWING_WIDTH, DEFAULT_DRAWING_WIDTH, MAX_DRAWING_WIDTH = 320, 800, 1600

PICTURE_SIZES: Final = ("1200x630", "600x315", "1080x1080")
"""The sizes of pictures: of previews of links, the same for small ones, and a square."""


class DrawingStyleQuery(PointQuery):
    """How a drawing looks."""

    lang = QueryParameter(
        FieldKind("choice", choices=DRAWING_LANGUAGES),
        "The language of its words, and of the letters on the cards: `da` (E K D Kn) or `en` (A K Q J).",
        default="en",
    )
    theme = QueryParameter(
        FieldKind("choice", choices=tuple(THEMES)), "On `light` ground, or on `dark`.", default="light"
    )
    terms = QueryParameter(
        FieldKind("choice", choices=TERM_CHOICES),
        "What cards and bids are called: as in the language (`own`), or in Spanish (`es`: A R C S, espadas, "
        "vuelta), as far as a source names them.",
        default="own",
    )
    suits = QueryParameter(
        FieldKind("choice", choices=SUIT_COLOURS),
        "In how many colours the suits are: `two`, or `four` (diamonds blue, clubs green).",
        default="two",
    )


class DrawingQuery(DrawingStyleQuery):
    """A drawing of any width."""

    width = QueryParameter(
        FieldKind("integer", minimum=MIN_DRAWING_WIDTH, maximum=MAX_DRAWING_WIDTH),
        "How wide it is, in pixels; its height suits it.",
        default=DEFAULT_DRAWING_WIDTH,
    )


class PictureQuery(DrawingStyleQuery):
    """A picture, of one of some sizes."""

    size = QueryParameter(
        FieldKind("choice", choices=PICTURE_SIZES),
        "Its width and height in pixels: `1200x630` and `600x315` for the preview of a link, or a square.",
        default=PICTURE_SIZES[0],
    )
