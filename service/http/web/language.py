"""The language of a page: as its address says, or as the browser prefers."""

from flask import Response, request

from service.http.web.words.pages import FALLBACK, LANGUAGES
from service.presentation.i18n.dates import day_called


def asked_language() -> str | None:
    """The language that the address asks for, if it is one of ours."""
    asked = request.args.get("lang")
    return asked if asked in LANGUAGES else None


def language() -> str:
    """The language of this page."""
    return asked_language() or request.accept_languages.best_match(list(LANGUAGES)) or FALLBACK


def day(moment: str) -> str:
    """The day of a moment (RFC 3339), as it is read in the language of this page."""
    return day_called(moment, language())


def in_language(page: Response) -> Response:
    """The page, said to be in its language and to depend on what the browser prefers."""
    page.headers["Content-Language"] = language()
    page.vary.add("Accept-Language")
    return page
