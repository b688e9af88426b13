"""What is asked of a drawing: its language, its ground, its size."""

from typing import Final

from service.http.api.schemas import fields
from service.http.api.schemas.records import PointQuery
from service.presentation.svg import DRAWING_LANGUAGES, SUIT_COLOURS, TERM_CHOICES, THEMES

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
