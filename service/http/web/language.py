"""The language of a page: as its address says, or as the browser prefers."""

from flask import Response, request

from schemas.i18n.catalogs import SOURCE_LANGUAGE
from service.http.web.page_texts import PAGE_LANGUAGES
from service.presentation.i18n.dates import format_day


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
