"""How cards look and what they are called: what this device has chosen, beside the language of the page.

The choice stands in two cookies (``static/js/site/display-preferences.js`` sets them), and a third tells that
the device has kept the type (``static/js/site/web-font.js``). They say nothing of who reads, and with them a
page is drawn as it stays: nothing moves when its modules come.
"""

from typing import Any, Final, NamedTuple

from flask import request

from engine.rulesets import NO_RULES, CompiledRuleset
from schemas.i18n.card_words import SPANISH_GAMES
from service.http.web.language import page_language
from service.presentation.i18n.game_words import GameWords

PREFERENCE_COOKIE_FORMAT: Final = "spadille-{}"


class DisplayPreferences(NamedTuple):
    """``terms``: "es" where cards and bids are named in Spanish; ``suits``: "four" where each has a colour;
    ``type``: "kept" where the device has the type already, so that a page comes with it.

    Empty where the device has not chosen.
    """

    terms: str = ""
    suits: str = ""
    type: str = ""


def display_preferences() -> DisplayPreferences:
    """What the device that asks has chosen."""
    return DisplayPreferences(
        _read_cookie("terms", "es"), _read_cookie("suits", "four"), _read_cookie("type", "kept")
    )


def _read_cookie(name: str, value: str) -> str:
    return value if request.cookies.get(PREFERENCE_COOKIE_FORMAT.format(name)) == value else ""


def game_words(rules: CompiledRuleset | None) -> GameWords:
    """What this device calls suits, cards and games; with ``rules``, by these."""
    return GameWords(page_language(), rules or NO_RULES, bool(display_preferences().terms))


def apply_game_names(choices: dict[str, Any]) -> dict[str, Any]:
    """What a slip or the recorder offers, with bids and contracts called as this device has them."""
    if not display_preferences().terms:
        return choices
    renamed: dict[str, Any] = _replace_game_names(choices)
    return renamed


def _replace_game_names(choices: Any) -> Any:
    if isinstance(choices, list):
        return [_replace_game_names(choice) for choice in choices]
    if not isinstance(choices, dict):
        return choices
    replaced = {name: _replace_game_names(value) for name, value in choices.items()}
    # A bid, a contract; a switch is called by what it does.
    if replaced.get("id") in SPANISH_GAMES and "name" in replaced and "stands" not in replaced:
        replaced["name"] = SPANISH_GAMES[replaced["id"]]
    return replaced
