"""What is asked of a drawing: its language, its ground, its size."""

from typing import Final

from engine.core.vocabulary import Kind
from service.http.api.schemas.fields import Parameter
from service.http.api.schemas.streams import PointQuery
from service.presentation.svg import LANGUAGES, SUIT_COLOURS, TERMS, THEMES

LEAST_WIDTH, USUAL_WIDTH, MOST_WIDTH = 320, 800, 1600

SIZES: Final = ("1200x630", "600x315", "1080x1080")
"""The sizes of pictures: of previews of links, the same for small ones, and a square."""


class LookQuery(PointQuery):
    """How a drawing looks."""

    lang = Parameter(
        Kind("choice", choices=LANGUAGES),
        "The language of its words, and of the letters on the cards: `da` (E K D Kn) or `en` (A K Q J).",
        default="en",
    )
    theme = Parameter(
        Kind("choice", choices=tuple(THEMES)), "On `light` ground, or on `dark`.", default="light"
    )
    terms = Parameter(
        Kind("choice", choices=TERMS),
        "What cards and bids are called: as in the language (`own`), or in Spanish (`es`: A R C S, espadas, "
        "vuelta), as far as a source names them.",
        default="own",
    )
    suits = Parameter(
        Kind("choice", choices=SUIT_COLOURS),
        "In how many colours the suits are: `two`, or `four` (diamonds blue, clubs green).",
        default="two",
    )


class DrawingQuery(LookQuery):
    """A drawing of any width."""

    width = Parameter(
        Kind("integer", least=LEAST_WIDTH, most=MOST_WIDTH),
        "How wide it is, in pixels; its height suits it.",
        default=USUAL_WIDTH,
    )


class PictureQuery(LookQuery):
    """A picture, of one of some sizes."""

    size = Parameter(
        Kind("choice", choices=SIZES),
        "Its width and height in pixels: `1200x630` and `600x315` for the preview of a link, or a square.",
        default=SIZES[0],
    )
