"""The drawing of a table: from the state object of a deal to SVG, the same for page, print, picture and API.

Everything here is a pure function of the state object that ``/state`` answers with, and of how it is to
look. Nothing else of a deal comes in, so nothing that a viewer may not know can shine through.
"""

from service.presentation.svg.drawing_options import (
    DRAWING_LANGUAGES,
    SUIT_COLOURS,
    TERM_CHOICES,
    THEMES,
    DrawingOptions,
)
from service.presentation.svg.table import draw_table

__all__ = ["DRAWING_LANGUAGES", "SUIT_COLOURS", "TERM_CHOICES", "THEMES", "DrawingOptions", "draw_table"]
