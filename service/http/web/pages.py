"""The pages over HTTP: what each shows, in the language of whoever looks."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from engine.core.cards import SEAT_NAMES
from engine.rulesets import find
from service.auth.grants import UnknownToken
from service.config.redaction import mentions_token, redact
from service.config.urls import PREFIX
from service.eventstore import StoreError
from service.http.api.openapi.contract import ContractApi, contract_of
from service.http.api.openapi.languages import preferred_language
from service.http.api.summary_page import all_in_short
from service.http.context import context, queries
from service.http.problems import PROBLEM_TYPES, Problem
from service.http.security import OWN_SITES
from service.http.web import offline
from service.http.web.language import asked_language, day, in_language, language
from service.http.web.looks import looks
from service.http.web.reference import Reference, reference
from service.http.web.words.errors import error_sentence
from service.http.web.words.pages import LANGUAGES, page_words, result_words
from service.presentation.i18n.card_words import SEATS
from service.projections.summaries import Summary, opened_on
from service.records.hidden_characters import without_hidden
from service.records.records import DEAL

pages = Blueprint(
    "web", __name__, static_folder="static", static_url_path="/static", template_folder="templates"
)

LISTED: Final = 50
"""So many recorded deals stand on one page."""


@pages.get("/deals")
def deals() -> Response:
    """The recorded deals, the latest first."""
    return newest_page(DEAL, "deals", deal_row, **beginnings())


def beginnings() -> dict[str, str | None]:
    """Where a table is opened, and where a deal alone is begun; None for who may not."""
    caller = queries().caller
    return {
        "open_url": address("web.new_table") if caller.may("open_tables") else None,
        "deal_url": address("web.new_deal") if caller.may("open_deals") else None,
    }


@pages.get("/enter")
def enter() -> Response:
    """Where a link leads that logs in: its page reads the token behind the ``#``, which is not sent.

    Where another site led here, or the browser does not say who did, the page waits for a click.
    """
    asks = request.headers.get("Sec-Fetch-Site") not in OWN_SITES
    seats = {seat: words[language()] for seat, words in SEATS.items()}
    made = page("enter.html", session_url=f"{PREFIX}/session", asks=asks, seats=seats)
    made.headers["Cache-Control"] = "no-store"
    return made


def newest_page(kind: str, here: str, row: Callable[[Summary], dict[str, Any]], **shown: Any) -> Response:
    """The page of a list of records, the latest first; ``here`` names its template and what that lists."""
    reached = queries()
    newest = reached.newest(kind, request.args.get("after"), LISTED)
    found, damaged = all_in_short(newest.streams)
    more = address(f"web.{here}", after=newest.streams[-1].stream) if newest.more else None
    listed = {here: [row(one) for one in found], "damaged": len(damaged), "next_url": more}
    return of_records(page(f"{here}.html", here=here, login=not reached.caller.known, **listed, **shown))


def of_records(made: Response) -> Response:
    """The page of records, which may show another reader other things: kept by nobody."""
    made.headers["Cache-Control"] = "no-store"
    return made


@pages.get("/api/docs")
def api_reference() -> Response:
    """The API's documentation, laid out from its contract."""
    contract_url = f"{PREFIX}/openapi.json"
    return page("reference.html", reference=laid_out(contract_of(current_app)), contract_url=contract_url)


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker, at the root: it holds for all pages."""
    return offline.worker()


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a device shows of the pages on its home screen."""
    return offline.manifest()


@pages.get("/offline/<name>")
def shell(name: str) -> Response:
    """A page without anybody's data, which a browser keeps for when there is no network."""
    template, shown = offline.shell_of(name)
    # What keeps this page keeps the type beside it.
    frame = {**framed(), "looks": looks()._replace(type="kept")}
    made = make_response(render_template(template, **frame, here="tables", **shown))
    made.headers["Cache-Control"] = "no-cache"
    return in_language(made)


@pages.get(f"{PREFIX}/openapi.yaml")
def contract_as_yaml() -> AnyResponse:
    """Where the contract is: every JSON is YAML."""
    return redirect(f"{PREFIX}/openapi.json", 308)


@lru_cache(maxsize=2)
def laid_out(api: ContractApi) -> Reference:
    """The contract for reading; it does not change while the application lives."""
    return reference(api.spec.to_dict())


@pages.get("/problems/<name>")
def problem(name: str) -> Response:
    """What a kind of problem means: the address that problems of the API name as their type."""
    kind = PROBLEM_TYPES.get(name)
    if kind is None:
        raise Problem("not-found", f"There is no kind of problem “{name[:60]}”.")
    return page("error.html", heading=kind.title, sentence=kind.meaning.replace("`", ""))


def page(template: str, **shown: Any) -> Response:
    """A page in the language of whoever looks."""
    html = render_template(
        template, **framed(), session_id=session_id(), leave_url=f"{PREFIX}/session", **shown
    )
    made = make_response(without_hidden(html))
    made.headers["Cache-Control"] = "private, no-cache"
    made.headers["Spadille-Version"] = offline.version()
    made.vary.add("Cookie")
    return in_language(made)


def framed() -> dict[str, Any]:
    """What the frame of every page takes, whoever looks."""
    lang = language()
    return {
        "lang": lang,
        "as_preferred": lang == preferred_language(),
        "t": page_words(lang),
        "languages": [{"code": code, "name": name, "url": in_this(code)} for code, name in LANGUAGES.items()],
        "library_url": address("web.library"),
        "deals_url": address("web.deals"),
        "tables_url": address("web.tables"),
        "manifest_url": address("web.manifest"),
        "looks": looks(),
    }


def may_open_deals() -> bool:
    """Whether the reader may record a deal here; not where nobody can tell just now."""
    try:
        return queries().caller.may("open_deals")
    except (UnknownToken, StoreError):
        return False


def session_id() -> str:
    """The id of the browser's session; empty where it has none."""
    try:
        session = queries().caller.session
    except (UnknownToken, StoreError):
        # The page may be the one that tells of it.
        return ""
    return session.id if session is not None else ""


def error_page(status: int, title: str, detail: str) -> Response:
    """The page of an error."""
    # It may quote the request, and someone may have put a token where none belongs.
    sentence = redact(error_sentence(status, language(), detail))
    made = page("error.html", sentence=sentence)
    made.status_code = status
    made.headers["Cache-Control"] = "no-store"
    return made


def address(endpoint: str, **values: Any) -> str:
    """The address of a page of ours, in the language that was asked for by this page's address."""
    # What is None is left out of an address.
    return url_for(endpoint, **values, lang=asked_language())


def in_this(code: str) -> str:
    """This page in another language."""
    # The page of an error may be about a token in its own address.
    kept = {
        name: value
        for name, value in request.args.items()
        if name != "lang" and not mentions_token(f"{name} {value}")
    }
    if request.endpoint is None:
        return f"?lang={code}"
    named: dict[str, Any] = {**kept, **(request.view_args or {}), "lang": code}
    return url_for(request.endpoint, **named)


def deal_row(deal: Summary) -> dict[str, Any]:
    """A recorded deal in its list."""
    score = deal["score"]
    return {
        "url": address("web.recorded", deal=deal["id"]),
        "title": deal["title"],
        "number": deal["number"],
        "date": day_of(deal),
        **told(deal, score["outcome"], score["declarer"], score["contract"]),
    }


def day_of(record: Summary) -> str:
    """The day on which a record was opened, in words: when it was written down, or stored."""
    return day(opened_on(record).isoformat())


def told(
    deal: Mapping[str, Any], outcome: str | None, declarer: str | None, contract: str | None
) -> dict[str, Any]:
    """Who played, by which rules, and how it ended, in the language of the page."""
    lang, players = language(), deal["players"]
    rules = find(context().book, deal["ruleset"] or "", deal["revision"])
    return {
        "players": [called(deal, players[seat]) for seat in SEAT_NAMES],
        "ruleset": rules.ruleset.words[lang] if rules else deal["ruleset"],
        "result": result_words(
            lang,
            outcome,
            name=called(deal, players[declarer]) if declarer else "",
            contract=contract or "",
            trump=deal["trump"],
            spanish=bool(looks().terms),
        ),
    }


def called(deal: Mapping[str, Any], player: str) -> str:
    """How a player is called: a member of the club by name, who was forgotten as such."""
    names: dict[str, str | None] = deal.get("names", {})
    return (names[player] or page_words(language())["forgotten"]) if player in names else player
