"""The drawing of a table as SVG, the same for page, print, picture and API.

A drawing is a pure function of its options and of the state object that ``/state`` returns. So it cannot show
what a viewer may not know.
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
