"""A made-up evening with which a new club can try the pages: what opens it, and its deals.

The pages offer it where no evening is recorded yet; ``static/js/site/demo-evening.js`` records it by the API.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from replays import find_library_deal
from schemas.i18n.catalogs import gettext
from schemas.wire.event_writer import event_object
from service.http.web.slip_choices import DEFAULT_RULESET_ID
from service.records.demo_evening import DEMO_PLAYERS, DEMO_TITLE

DEMO_SOURCE: Final = "Made up to try Spadille; nobody played it"
DEMO_PLAYED_DEAL: Final = "dlu-solo-won"
"""A deal of the library that is played card by card."""

DEMO_SLIPS: Final[Sequence[Mapping[str, Any]]] = (
    {"declarer": "middlehand", "contract": "simple", "trump": "D", "outcome": "won"},
    {"declarer": "forehand", "contract": "tourne", "trump": "C", "outcome": "bete"},
    {"declarer": "backhand", "contract": "simple-nolo", "outcome": "won"},
    {"outcome": "passed_out"},
    {"declarer": "middlehand", "contract": "solo", "trump": "C", "outcome": "codille"},
    {"declarer": "forehand", "contract": "spade-game", "outcome": "won"},
    {"declarer": "backhand", "contract": "solo", "trump": "H", "outcome": "won"},
)
"""The slips of its other deals."""


def build_demo_evening(lang: str, day: str) -> dict[str, Any]:
    """The opening of the table, the events of each deal, and why it is set aside, in a language.

    ``day`` is the date of the evening.
    """
    played = find_library_deal(DEMO_PLAYED_DEAL)
    if played is None:
        raise LookupError(DEMO_PLAYED_DEAL)
    opening = {"type": "deal_opened", "source": gettext(DEMO_SOURCE, lang)}
    slips = [[opening, {"type": "result_recorded", **slip}] for slip in DEMO_SLIPS]
    play = [event_object(entry.event) for entry in played.read_log()[1:]]
    return {
        "table": {
            "ruleset": DEFAULT_RULESET_ID,
            "players": DEMO_PLAYERS,
            "title": gettext(DEMO_TITLE, lang),
            "date": day,
        },
        "deals": [*slips, [opening, *play]],
    }
