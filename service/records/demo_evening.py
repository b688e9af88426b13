"""What the made-up evening of a new club is recognised by: nobody played it, so it counts nowhere.

`service.http.web.demo_evening` builds it.
"""

from typing import Final

from engine.core.table_events import TableOpened
from schemas.i18n.catalogs import MESSAGE_LANGUAGES, gettext

DEMO_TITLE: Final = "A made-up evening"
DEMO_PLAYERS: Final = ("Belinda", "Clarissa", "Ariel", "Umbriel")
"""People of Pope's poem, so that nobody takes them for members."""


def is_demo_evening(opening: TableOpened) -> bool:
    """Whether a table was opened as that evening, in any language."""
    titles = {gettext(DEMO_TITLE, lang) for lang in MESSAGE_LANGUAGES}
    return opening.title in titles and opening.players == DEMO_PLAYERS
