"""How cards look and what they are called: what this device has chosen, beside the language of the page.

The choice stands in two cookies (``static/js/core/display-preferences.js`` sets them), and a third tells that
the device has kept the type (``static/js/core/web-font.js``). They say nothing of who reads, and with them a
page is drawn as it stays: nothing moves when its modules come.
"""

from typing import Any, Final, NamedTuple

from flask import request

from engine.rulesets.model import Words
from service.presentation.i18n.card_words import SPANISH_GAMES

COOKIE: Final = "spadille-{}"


class Looks(NamedTuple):
    """``terms``: "es" where cards and bids are named in Spanish; ``suits``: "four" where each has a colour;
    ``type``: "kept" where the device has the type already, so that a page comes with it.

    Empty where the device has not chosen.
    """

    terms: str = ""
    suits: str = ""
    type: str = ""


def looks() -> Looks:
    """What the device that asks has chosen."""
    return Looks(_chosen("terms", "es"), _chosen("suits", "four"), _chosen("type", "kept"))


def _chosen(name: str, value: str) -> str:
    return value if request.cookies.get(COOKIE.format(name)) == value else ""


def game_called(game: str, words: Words, language: str) -> str:
    """What a bid or contract is called on this device."""
    spanish = SPANISH_GAMES.get(game) if looks().terms else None
    return spanish or words[language]


def in_terms(choices: dict[str, Any]) -> dict[str, Any]:
    """What a slip or the recorder offers, with bids and contracts called as this device has them."""
    if not looks().terms:
        return choices
    renamed: dict[str, Any] = _renamed(choices)
    return renamed


def _renamed(told: Any) -> Any:
    if isinstance(told, list):
        return [_renamed(one) for one in told]
    if not isinstance(told, dict):
        return told
    found = {name: _renamed(value) for name, value in told.items()}
    # A bid, a contract; a switch is called by what it does.
    if found.get("id") in SPANISH_GAMES and "name" in found and "stands" not in found:
        found["name"] = SPANISH_GAMES[found["id"]]
    return found
