"""The blueprint of the pages, what all of them share, and the small ones."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from engine.core.cards import SEAT_NAMES
from engine.rulesets import CompiledRuleset, find_ruleset
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import SOURCE_LANGUAGE, gettext
from service.auth.caller import PermissionDenied
from service.auth.display_names import grant_holder_name
from service.auth.grants import ROLES, Role, UnknownToken
from service.auth.login_links import STARTUP_LINK_LABEL
from service.config.redaction import mentions_token, redact
from service.config.urls import API_PREFIX
from service.eventstore import StoreError, StreamInfo
from service.http.api.cache_policies import NO_CACHE, NO_STORE, PRIVATE_NO_CACHE
from service.http.api.openapi.languages import preferred_language
from service.http.api.record_responses import summarize_records
from service.http.problems import PROBLEM_TYPES, Problem
from service.http.security import ALLOWED_FETCH_SITES, API_REFERENCE_PATH
from service.http.service_context import queries, service_context
from service.http.vary import vary_on
from service.http.web import offline
from service.http.web.display_preferences import (
    display_preferences,
    format_page_date,
    game_words,
    page_language,
    requested_language,
    with_content_language,
)
from service.http.web.page_assets import PAGE_STYLES, join_style_sheets, script_path
from service.http.web.page_texts import (
    PAGE_LANGUAGES,
    error_sentence,
    format_result,
    page_texts,
    translate_script_texts,
)
from service.presentation.i18n.dates import format_source
from service.presentation.svg.card_symbols import card_symbols_document, page_suit_symbols
from service.projections.summaries import RecordSummary, opening_date
from service.records.hidden_characters import replace_hidden_characters
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import UnknownRecord

pages = Blueprint(
    "web", __name__, static_folder="static", static_url_path="/static", template_folder="templates"
)

ROLE_NAMES: Final[Mapping[Role, str]] = {
    "owner": "Owner",
    "organiser": "Organiser",
    "recorder": "Recorder",
    "player": "Player",
    "viewer": "Onlooker",
}
CARD_LETTERS: Final = (*PAGE_LANGUAGES, "es")
"""The languages of the letters on cards."""
RECORDS_PER_PAGE: Final = 50
"""Recorded deals on one page."""


@pages.get("/deals")
def deals() -> Response:
    """The recorded deals, the latest first."""
    return render_newest_records(DEAL_KIND, "deals", build_deal_row, **build_start_links())


def build_start_links() -> dict[str, str | None]:
    """The pages on which a table is opened and a single deal begun; None for readers who may not."""
    caller = queries().caller
    return {
        "open_url": page_url("web.new_table") if caller.has_permission("open_tables") else None,
        "deal_url": page_url("web.new_deal") if caller.has_permission("open_deals") else None,
    }


@pages.get("/enter")
def enter() -> Response:
    """The page of a link that logs in: it reads the token after the ``#``, which is not sent.

    It waits for a click if another site led here, or if the browser does not say which did.
    """
    needs_click = request.headers.get("Sec-Fetch-Site") not in ALLOWED_FETCH_SITES
    seats = {seat: gettext(words, page_language()) for seat, words in SEAT_TERMS.items()}
    response = render_page(
        "login.html", session_url=f"{API_PREFIX}/session", needs_click=needs_click, seats=seats
    )
    response.headers["Cache-Control"] = NO_STORE
    return response


def render_newest_records(
    kind: str, list_name: str, build_row: Callable[[RecordSummary], dict[str, Any]], **context: Any
) -> Response:
    """Render a list of records, the latest first; ``list_name`` names its template and variable."""
    record_queries = queries()
    page = record_queries.list_newest_records(kind, request.args.get("after"), RECORDS_PER_PAGE)
    summaries, damaged = summarize_records(page.streams)
    next_url = page_url(f"web.{list_name}", after=page.streams[-1].stream) if page.has_more else None
    return render_record_page(
        f"{list_name}.html",
        nav_section=list_name,
        shows_login=not record_queries.caller.is_authenticated,
        damaged=len(damaged),
        next_url=next_url,
        **{list_name: list(map(build_row, summaries))},
        **context,
    )


def without_caching(response: Response) -> Response:
    """Forbid to store a page of records: another reader may see other things."""
    response.headers["Cache-Control"] = NO_STORE
    return response


def render_record_page(template: str, **context: Any) -> Response:
    """Render a page that shows records, with `render_page`."""
    return without_caching(render_page(template, **context))


@pages.get(API_REFERENCE_PATH)
def api_reference() -> Response:
    """The API's documentation, shown by OpenAPI Explorer."""
    return render_page("reference.html", contract_url=f"{API_PREFIX}/openapi.json")


@pages.get("/verify")
def verify() -> Response:
    """The page on which a proof is checked, by scripts alone: nothing is sent."""
    return render_page("verify.html")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker, at the root, so that it serves all pages."""
    return offline.service_worker_response()


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """The manifest of the pages for a device's home screen."""
    return offline.manifest_response()


@pages.get("/static/styles/<name>.css")
def style_sheet(name: str) -> Response:
    """The style sheets of a page, as one."""
    if name not in PAGE_STYLES:
        raise NotFound
    return _revalidated(join_style_sheets(name), "text/css")


@pages.get("/static/texts/<lang>.js")
def script_texts(lang: str) -> Response:
    """The texts of scripts in a language, as a module."""
    if lang not in PAGE_LANGUAGES:
        raise NotFound
    texts = orjson.dumps(translate_script_texts(lang)).decode()
    return _revalidated(f"export default {texts};\n", "text/javascript")


@pages.get("/static/cards/<letters>.svg")
def card_symbols(letters: str) -> Response:
    """The cards with the letters of a language, or Spanish ones."""
    if letters not in CARD_LETTERS:
        raise NotFound
    return _revalidated(card_symbols_document(letters), "image/svg+xml")


def _revalidated(text: str, media_type: str) -> Response:
    """A text that browsers cache, and ask for again at each visit."""
    response = Response(text, content_type=f"{media_type}; charset=utf-8")
    response.headers["Cache-Control"] = NO_CACHE
    return response


@pages.get("/offline/<name>")
def shell(name: str) -> Response:
    """A page without data, which a browser keeps for when there is no network."""
    template, shell_context = offline.find_shell(name)
    # A device that keeps this page also keeps the fonts.
    base_context = {**build_base_context(), "preferences": display_preferences()._replace(type="kept")}
    response = make_response(render_template(template, **base_context, nav_section="tables", **shell_context))
    response.headers["Cache-Control"] = NO_CACHE
    return with_content_language(response)


@pages.get(f"{API_PREFIX}/openapi.yaml")
def contract_as_yaml() -> AnyResponse:
    """Redirect to the contract: all JSON is YAML."""
    return redirect(f"{API_PREFIX}/openapi.json", 308)


@pages.get("/problems/<name>")
def problem(name: str) -> Response:
    """The meaning of a kind of problem, at the address that problems of the API have as their type."""
    problem_type = PROBLEM_TYPES.get(name)
    if problem_type is None:
        raise Problem("not-found", f"There is no kind of problem “{name[:60]}”.")
    return render_page(
        "error.html", heading=problem_type.title, sentence=problem_type.meaning.replace("`", "")
    )


def render_page(template: str, **context: Any) -> Response:
    """Render a page in the reader's language."""
    html = render_template(
        template,
        **build_base_context(),
        session_id=current_session_id(),
        reader=current_reader(),
        made_up=_is_about_made_up_evening(),
        leave_url=f"{API_PREFIX}/session",
        **context,
    )
    response = make_response(replace_hidden_characters(html))
    response.headers["Cache-Control"] = PRIVATE_NO_CACHE
    response.headers["Spadille-Version"] = offline.assets_version()
    vary_on(response, "Cookie")
    return with_content_language(response)


def build_base_context() -> dict[str, Any]:
    """The variables of `base.html` that do not depend on the caller."""
    lang, preferences = page_language(), display_preferences()
    return {
        "lang": lang,
        "is_preferred_language": lang == preferred_language(),
        "t": page_texts(lang),
        "languages": [
            {"code": code, "name": name, "url": current_page_url(code)}
            for code, name in PAGE_LANGUAGES.items()
        ],
        "library_url": page_url("web.library"),
        "game_url": page_url("web.game_guide"),
        "rules_url": page_url("web.rulesets"),
        "verify_url": page_url("web.verify"),
        "home_url": page_url("web.home"),
        "seasons_url": page_url("web.seasons"),
        "tables_url": page_url("web.tables"),
        "manifest_url": page_url("web.manifest"),
        "preferences": preferences,
        "suit_symbols": page_suit_symbols(),
        "cards_url": url_for("web.card_symbols", letters=preferences.terms or lang),
        "script_url": lambda bundle: url_for("web.static", filename=script_path(bundle)),
        "texts_url": None if lang == SOURCE_LANGUAGE else url_for("web.script_texts", lang=lang),
    }


def can_open_deals() -> bool:
    """Whether the reader may record a deal; no while that cannot be read."""
    try:
        return queries().caller.has_permission("open_deals")
    except (UnknownToken, StoreError):
        return False


def current_session_id() -> str:
    """The id of the browser's session; empty where it has none."""
    try:
        session = queries().caller.session
    except (UnknownToken, StoreError):
        # The page may be the one that reports this error.
        return ""
    return session.id if session is not None else ""


def current_reader() -> str:
    """Who is logged in: the name, if the login has one, and the role; empty for visitors."""
    try:
        caller, register = queries().caller, queries().register
        if caller.session is None or not caller.own_grants:
            return ""
        terms = min((grant.terms for grant in caller.own_grants), key=lambda one: ROLES.index(one.role))
        name = "" if terms.label == STARTUP_LINK_LABEL else grant_holder_name(register, terms)
    except (UnknownToken, StoreError):
        return ""
    role = gettext(ROLE_NAMES[terms.role], page_language())
    return f"{name}, {role}" if name else role


def _is_about_made_up_evening() -> bool:
    """Whether the address names the made-up evening, or a deal of it."""
    address = request.view_args or {}
    try:
        table = address.get("table") or queries().find_deal(address["deal"]).root
        return bool(queries().summary(queries().find_table(table))["made_up"])
    except (KeyError, UnknownRecord, PermissionDenied, UnknownToken, StoreError):
        return False


def render_error_page(status: int, title: str, detail: str) -> Response:
    """The page of an error."""
    # The detail may quote the request, and a token may be in it by mistake.
    sentence = redact(error_sentence(status, page_language(), detail))
    response = render_page("error.html", sentence=sentence, shows_login=status == HTTPStatus.UNAUTHORIZED)
    response.status_code = status
    response.headers["Cache-Control"] = NO_STORE
    return response


def page_url(endpoint: str, **values: Any) -> str:
    """The address of a page, with the language that this page's address asks for."""
    return url_for(endpoint, **values, lang=requested_language())


def current_page_url(code: str) -> str:
    """This page in another language."""
    # The address of an error page may have a token in it.
    query = {
        name: value
        for name, value in request.args.items()
        if name != "lang" and not mentions_token(f"{name} {value}")
    }
    if request.endpoint is None:
        return f"?lang={code}"
    url_values: dict[str, Any] = {**query, **(request.view_args or {}), "lang": code}
    return url_for(request.endpoint, **url_values)


def build_deal_row(deal: RecordSummary) -> dict[str, Any]:
    """A recorded deal in its list, with its evening if it has one."""
    return {
        "evening": _describe_evening(evening) if (evening := find_evening(deal)) else None,
        "url": page_url("web.recorded", deal=deal["id"]),
        "title": deal["title"],
        "number": deal["number"],
        "source": format_deal_origin(deal),
        **build_deal_result(deal),
    }


@pages.app_template_filter("by_evening")
def group_by_evening(rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any] | None, list[dict[str, Any]]]]:
    """Rows of deals by their evening, in the order in which the evenings first appear."""
    groups: dict[str | None, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["evening"] and row["evening"]["url"], []).append(row)
    return [(deals[0]["evening"], deals) for deals in groups.values()]


def find_evening(deal: Mapping[str, Any]) -> RecordSummary | None:
    """The table of a recorded deal; None without one, or if the reader may not see it."""
    table = deal["table"]
    # A link to one deal does not show its table.
    if table is None or not queries().caller.can_read(StreamInfo(table, table, TABLE_KIND, 0)):
        return None
    return queries().summary(queries().find_table(table))


def _describe_evening(table: RecordSummary) -> dict[str, Any]:
    """The table of a deal in a list."""
    players = ", ".join(display_name(table, player) for player in table["players"])
    return {
        "url": page_url("web.sheet", table=table["id"]),
        "title": table["title"] or players,
        "date": format_record_date(table),
        "made_up": table["made_up"],
    }


def format_record_date(record: RecordSummary) -> str:
    """The date of a record, else the day on which it was opened, in words."""
    return format_page_date(record["date"] or opening_date(record).isoformat())


def format_deal_source(deal: Mapping[str, Any]) -> str:
    """Where a deal comes from and its date, as far as its opening states them."""
    return format_source(deal["source"], deal.get("date"), page_language())


def format_deal_origin(deal: RecordSummary) -> str:
    """Where a deal comes from and its date; of one from an evening here, the day on which it was recorded."""
    return format_deal_source(deal) or ("" if is_old_deal(deal) else format_record_date(deal))


def is_old_deal(deal: RecordSummary) -> bool:
    """Whether a recorded deal is from a book, or more than a year older than its record."""
    if deal["table"] is not None:
        return False
    year, day = deal["opened_at"][:4], deal["opened_at"][4:10]
    is_dated_earlier = deal["date"] is not None and deal["date"] < f"{int(year) - 1}{day}"
    return is_dated_earlier or deal["source"] is not None or deal["basis"] in ("printed", "reconstructed")


def build_deal_result(deal: Mapping[str, Any]) -> dict[str, Any]:
    """Who played, by which rules, and how it ended, in the language of the page."""
    # The summary of a deal of the library has its result among its own members.
    players, score = deal["players"], deal.get("score", deal)
    declarer = score["declarer"]
    return {
        "players": [display_name(deal, players[seat]) for seat in SEAT_NAMES],
        "ruleset": ruleset_name(deal),
        "result": format_result(
            page_language(),
            score["outcome"],
            name=display_name(deal, players[declarer]) if declarer else "",
            game=game_words(find_record_rules(deal)).game(score["contract"] or "", deal["trump"]),
        ),
    }


def find_record_rules(record: Mapping[str, Any]) -> CompiledRuleset | None:
    """The rules of a deal or table; None where they are not known here."""
    return find_ruleset(service_context().book, record["ruleset"] or "", record["revision"])


def build_rules_page_url(record: Mapping[str, Any]) -> str:
    """The page of the rules of a deal or table; empty where they are not known here."""
    rules = find_record_rules(record)
    if rules is None:
        return ""
    return page_url("web.ruleset", ruleset=rules.ruleset.id, revision=rules.ruleset.revision)


def ruleset_name(record: Mapping[str, Any]) -> str:
    """The name of the rules of a deal or table."""
    rules = find_record_rules(record)
    return gettext(rules.ruleset.words, page_language()) if rules else record["ruleset"]


def display_name(deal: Mapping[str, Any], player_id: str) -> str:
    """The name of a player of a deal or table."""
    return member_display_name(player_id, deal.get("names", {}))


def member_display_name(player_id: str, names: Mapping[str, str | None]) -> str:
    """The name of a player; ``names`` are those of members, None for one who was erased."""
    if player_id not in names:
        return player_id
    return names[player_id] or gettext("someone who left", page_language())
