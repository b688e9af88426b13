"""The drawing of a table: from the state object of a deal to SVG, the same for page, print, picture and API.

Everything here is a pure function of the state object that ``/state`` answers with, and of how it is to
look. Nothing else of a deal comes in, so nothing that a viewer may not know can shine through.
"""

from service.presentation.svg.manner import LANGUAGES, SUIT_COLOURS, TERMS, THEMES, Manner
from service.presentation.svg.table import drawn

__all__ = ["LANGUAGES", "SUIT_COLOURS", "TERMS", "THEMES", "Manner", "drawn"]
