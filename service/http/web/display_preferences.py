"""The language of a page, and how it shows and names cards, as address and device ask for.

The preferences of a device are in two cookies (set by ``static/js/site/display-preferences.js``); a third one
says that it has cached the fonts (``static/js/site/web-font.js``). They say nothing about the reader. With
them a page is rendered in its final form, so that nothing moves when its modules load.
"""

from typing import Any, Final, NamedTuple

from flask import Response, request

from engine.rulesets import NO_RULES, CompiledRuleset
from schemas.i18n.card_words import SPANISH_GAMES
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from service.http.vary import vary_on
from service.http.web.page_texts import PAGE_LANGUAGES
from service.presentation.i18n.dates import format_day
from service.presentation.i18n.game_words import GameWords

PREFERENCE_COOKIE_FORMAT: Final = "spadille-{}"


def requested_language() -> str | None:
    """The language that the address asks for; None if it is not supported."""
    language = request.args.get("lang")
    return language if language in PAGE_LANGUAGES else None


def page_language() -> str:
    """The language of this page."""
    return (
        requested_language() or request.accept_languages.best_match(list(PAGE_LANGUAGES)) or SOURCE_LANGUAGE
    )


def format_page_date(timestamp: str) -> str:
    """The day of a time (RFC 3339), in the language of this page."""
    return format_day(timestamp, page_language())


def with_content_language(response: Response) -> Response:
    """Set the headers about the language of a page."""
    response.headers["Content-Language"] = page_language()
    vary_on(response, "Accept-Language")
    return response


class DisplayPreferences(NamedTuple):
    """What a device prefers; empty by default.

    ``terms``: "es" if cards and bids are named in Spanish; ``suits``: "four" if each has its own colour;
    ``type``: "kept" if the device has cached the fonts.
    """

    terms: str = ""
    suits: str = ""
    type: str = ""


def display_preferences() -> DisplayPreferences:
    """The preferences of the device that asks."""
    choices = {"terms": "es", "suits": "four", "type": "kept"}
    cookies = {name: request.cookies.get(PREFERENCE_COOKIE_FORMAT.format(name)) for name in choices}
    return DisplayPreferences(**{name: one for name, one in choices.items() if cookies[name] == one})


def game_words(rules: CompiledRuleset | None) -> GameWords:
    """The words of this device for suits, cards and the games of ``rules``."""
    return GameWords(page_language(), rules or NO_RULES, bool(display_preferences().terms))


def apply_game_names(choices: dict[str, Any]) -> dict[str, Any]:
    """The choices of a slip or the recorder, with bids and contracts named as this device prefers."""
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
    # A bid or a contract; a switch is called by what it does.
    if replaced.get("id") in SPANISH_GAMES and "name" in replaced and "stands" not in replaced:
        replaced["name"] = SPANISH_GAMES[replaced["id"]]
    return replaced
