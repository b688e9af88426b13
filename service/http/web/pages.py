"""The pages over HTTP: what each shows, in the language of whoever looks."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from engine.core.cards import SEAT_NAMES
from engine.rulesets import CompiledRuleset, find_ruleset
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.auth.grants import UnknownToken
from service.config.redaction import mentions_token, redact
from service.config.urls import API_PREFIX
from service.eventstore import StoreError
from service.http.api.openapi.languages import preferred_language
from service.http.api.record_responses import summarize_records
from service.http.problems import PROBLEM_TYPES, Problem
from service.http.security import ALLOWED_FETCH_SITES, API_REFERENCE_PATH
from service.http.service_context import queries, service_context
from service.http.web import offline
from service.http.web.display_preferences import (
    display_preferences,
    format_page_date,
    game_words,
    page_language,
    requested_language,
    with_content_language,
)
from service.http.web.page_texts import PAGE_LANGUAGES, error_sentence, format_result, page_texts
from service.http.web.script_messages import translate_script
from service.projections.summaries import RecordSummary, opening_date
from service.records.hidden_characters import replace_hidden_characters
from service.records.record_streams import DEAL_KIND

pages = Blueprint(
    "web", __name__, static_folder="static", static_url_path="/static", template_folder="templates"
)

RECORDS_PER_PAGE: Final = 50
"""So many recorded deals stand on one page."""


@pages.get("/deals")
def deals() -> Response:
    """The recorded deals, the latest first."""
    return render_newest_records(DEAL_KIND, "deals", build_deal_row, **build_start_links())


def build_start_links() -> dict[str, str | None]:
    """Where a table is opened, and where a deal alone is begun; None for who may not."""
    caller = queries().caller
    return {
        "open_url": page_url("web.new_table") if caller.has_permission("open_tables") else None,
        "deal_url": page_url("web.new_deal") if caller.has_permission("open_deals") else None,
    }


@pages.get("/enter")
def enter() -> Response:
    """Where a link leads that logs in: its page reads the token behind the ``#``, which is not sent.

    Where another site led here, or the browser does not say who did, the page waits for a click.
    """
    needs_click = request.headers.get("Sec-Fetch-Site") not in ALLOWED_FETCH_SITES
    seats = {seat: gettext(words, page_language()) for seat, words in SEAT_TERMS.items()}
    response = render_page(
        "login.html", session_url=f"{API_PREFIX}/session", needs_click=needs_click, seats=seats
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def render_newest_records(
    kind: str, list_name: str, build_row: Callable[[RecordSummary], dict[str, Any]], **context: Any
) -> Response:
    """The page of a list of records, the latest first; ``list_name`` names its template and the list."""
    record_queries = queries()
    page = record_queries.list_newest_records(kind, request.args.get("after"), RECORDS_PER_PAGE)
    summaries, damaged = summarize_records(page.streams)
    next_url = page_url(f"web.{list_name}", after=page.streams[-1].stream) if page.has_more else None
    list_context = {
        list_name: [build_row(summary) for summary in summaries],
        "damaged": len(damaged),
        "next_url": next_url,
    }
    return render_record_page(
        f"{list_name}.html",
        nav_section=list_name,
        shows_login=not record_queries.caller.is_authenticated,
        **list_context,
        **context,
    )


def without_caching(response: Response) -> Response:
    """The page of records, which may show another reader other things: kept by nobody."""
    response.headers["Cache-Control"] = "no-store"
    return response


def render_record_page(template: str, **context: Any) -> Response:
    """A page that shows records, as `render_page` makes it."""
    return without_caching(render_page(template, **context))


@pages.get(API_REFERENCE_PATH)
def api_reference() -> Response:
    """The API's documentation, laid out from its contract by OpenAPI Explorer."""
    return render_page("reference.html", contract_url=f"{API_PREFIX}/openapi.json")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker, at the root: it holds for all pages."""
    return offline.service_worker_response()


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a device shows of the pages on its home screen."""
    return offline.manifest_response()


@pages.get("/static/js/messages/<module>-<lang>.js")
def script_messages(module: str, lang: str) -> Response:
    """What a page's scripts say, in a language."""
    script = translate_script(module, lang)
    if script is None:
        raise NotFound
    response = Response(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/offline/<name>")
def shell(name: str) -> Response:
    """A page without anybody's data, which a browser keeps for when there is no network."""
    template, shell_context = offline.find_shell(name)
    # What keeps this page keeps the type beside it.
    base_context = {**build_base_context(), "preferences": display_preferences()._replace(type="kept")}
    response = make_response(render_template(template, **base_context, nav_section="tables", **shell_context))
    response.headers["Cache-Control"] = "no-cache"
    return with_content_language(response)


@pages.get(f"{API_PREFIX}/openapi.yaml")
def contract_as_yaml() -> AnyResponse:
    """Where the contract is: every JSON is YAML."""
    return redirect(f"{API_PREFIX}/openapi.json", 308)


@pages.get("/problems/<name>")
def problem(name: str) -> Response:
    """What a kind of problem means: the address that problems of the API name as their type."""
    problem_type = PROBLEM_TYPES.get(name)
    if problem_type is None:
        raise Problem("not-found", f"There is no kind of problem “{name[:60]}”.")
    return render_page(
        "error.html", heading=problem_type.title, sentence=problem_type.meaning.replace("`", "")
    )


def render_page(template: str, **context: Any) -> Response:
    """A page in the language of whoever looks."""
    html = render_template(
        template,
        **build_base_context(),
        session_id=current_session_id(),
        leave_url=f"{API_PREFIX}/session",
        **context,
    )
    response = make_response(replace_hidden_characters(html))
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Spadille-Version"] = offline.assets_version()
    response.vary.add("Cookie")
    return with_content_language(response)


def build_base_context() -> dict[str, Any]:
    """What the frame of every page takes, whoever looks."""
    lang = page_language()
    return {
        "lang": lang,
        "is_preferred_language": lang == preferred_language(),
        "t": page_texts(lang),
        "languages": [
            {"code": code, "name": name, "url": current_page_url(code)}
            for code, name in PAGE_LANGUAGES.items()
        ],
        "library_url": page_url("web.library"),
        "deals_url": page_url("web.deals"),
        "tables_url": page_url("web.tables"),
        "manifest_url": page_url("web.manifest"),
        "preferences": display_preferences(),
    }


def can_open_deals() -> bool:
    """Whether the reader may record a deal here; not where nobody can tell just now."""
    try:
        return queries().caller.has_permission("open_deals")
    except (UnknownToken, StoreError):
        return False


def current_session_id() -> str:
    """The id of the browser's session; empty where it has none."""
    try:
        session = queries().caller.session
    except (UnknownToken, StoreError):
        # The page may be the one that tells of it.
        return ""
    return session.id if session is not None else ""


def render_error_page(status: int, title: str, detail: str) -> Response:
    """The page of an error."""
    # It may quote the request, and someone may have put a token where none belongs.
    sentence = redact(error_sentence(status, page_language(), detail))
    response = render_page("error.html", sentence=sentence)
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


def page_url(endpoint: str, **values: Any) -> str:
    """The address of a page of ours, in the language that was asked for by this page's address."""
    # What is None is left out of an address.
    return url_for(endpoint, **values, lang=requested_language())


def current_page_url(code: str) -> str:
    """This page in another language."""
    # The page of an error may be about a token in its own address.
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
    """A recorded deal in its list."""
    score = deal["score"]
    return {
        "url": page_url("web.recorded", deal=deal["id"]),
        "title": deal["title"],
        "number": deal["number"],
        "date": format_record_date(deal),
        **build_deal_result(deal, score["outcome"], score["declarer"], score["contract"]),
    }


def format_record_date(record: RecordSummary) -> str:
    """The day on which a record was opened, in words: when it was written down, or stored."""
    return format_page_date(opening_date(record).isoformat())


def build_deal_result(
    deal: Mapping[str, Any], outcome: str | None, declarer: str | None, contract: str | None
) -> dict[str, Any]:
    """Who played, by which rules, and how it ended, in the language of the page."""
    players = deal["players"]
    return {
        "players": [display_name(deal, players[seat]) for seat in SEAT_NAMES],
        "ruleset": ruleset_name(deal),
        "result": format_result(
            page_language(),
            outcome,
            name=display_name(deal, players[declarer]) if declarer else "",
            game=game_words(find_record_rules(deal)).game(contract or "", deal["trump"]),
        ),
    }


def find_record_rules(record: Mapping[str, Any]) -> CompiledRuleset | None:
    """The rules of a deal or table as they were published; None where they are not known here."""
    return find_ruleset(service_context().book, record["ruleset"] or "", record["revision"])


def ruleset_name(record: Mapping[str, Any]) -> str:
    """What the rules of a deal or table are called."""
    rules = find_record_rules(record)
    return gettext(rules.ruleset.words, page_language()) if rules else record["ruleset"]


def display_name(deal: Mapping[str, Any], player_id: str) -> str:
    """How a player of a deal or table is called."""
    return member_display_name(player_id, deal.get("names", {}))


def member_display_name(player_id: str, names: Mapping[str, str | None]) -> str:
    """How a player is called: a member of the club by name, who was forgotten as such."""
    if player_id not in names:
        return player_id
    return names[player_id] or gettext("someone who left", page_language())
