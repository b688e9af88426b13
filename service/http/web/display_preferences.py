"""In which language a page is, how cards look and what they are called: as address and device have chosen.

The choice of the device stands in two cookies (``static/js/site/display-preferences.js`` sets them), and a
third tells that it has kept the type (``static/js/site/web-font.js``). They say nothing of who reads, and
with them a page is drawn as it stays: nothing moves when its modules come.
"""

from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.rulesets import NO_RULES, CompiledRuleset
from schemas.i18n.card_words import SPANISH_GAMES
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from service.http.web.page_texts import PAGE_LANGUAGES
from service.presentation.i18n.dates import format_day
from service.presentation.i18n.game_words import GameWords

PREFERENCE_COOKIE_FORMAT: Final = "spadille-{}"


def requested_language() -> str | None:
    """The language that the address asks for, if it is one of ours."""
    language = request.args.get("lang")
    return language if language in PAGE_LANGUAGES else None


def page_language() -> str:
    """The language of this page."""
    return (
        requested_language() or request.accept_languages.best_match(list(PAGE_LANGUAGES)) or SOURCE_LANGUAGE
    )


def format_page_date(timestamp: str) -> str:
    """The day of a moment (RFC 3339), as it is read in the language of this page."""
    return format_day(timestamp, page_language())


def with_content_language(response: Response) -> Response:
    """The page, said to be in its language and to depend on what the browser prefers."""
    response.headers["Content-Language"] = page_language()
    response.vary.add("Accept-Language")
    return response


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
