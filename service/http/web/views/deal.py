"""The pages of one deal, of the library or recorded: the replayer, the deal editor, files and print."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response, make_response, request

from engine import Log
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    ContractNamed,
    HandDealt,
    HandHeld,
    ResultRecorded,
    TalonTurned,
)
from replays import Replay
from schemas.i18n.catalogs import gettext
from service.application.published_deals import find_published_deal, find_published_title, is_public_deal
from service.application.queries import Queries
from service.auth.caller import Caller, PermissionDenied
from service.auth.grants import UnknownToken
from service.config.urls import deal_url
from service.eventstore import StoreError, StreamInfo
from service.http.api.cache_policies import PRIVATE_NO_CACHE
from service.http.api.record_responses import summarize_records
from service.http.api.responses import set_download_name, with_content_etag
from service.http.api.routes.deals import deal_log_view
from service.http.api.routes.point_resources import LogView
from service.http.api.routes.replays import find_replay, replay_log_view, replay_summary
from service.http.problems import Problem
from service.http.security import EMPTY_EMBED_KEY
from service.http.service_context import queries, service_context
from service.http.vary import vary_on
from service.http.web.display_preferences import display_preferences, page_language, with_content_language
from service.http.web.page_texts import format_deal_number
from service.http.web.pages import (
    RECORDS_PER_PAGE,
    build_deal_result,
    build_deal_row,
    build_rules_page_url,
    can_open_deals,
    display_name,
    find_evening,
    format_deal_source,
    page_url,
    pages,
    render_page,
    render_record_page,
    ruleset_name,
    without_caching,
)
from service.http.web.standalone_file import build_standalone_file
from service.http.web.views.deal_readings import (
    Reading,
    find_reading,
    library_reading,
    list_readings,
    recorded_reading,
)
from service.http.web.views.table import build_table_row
from service.projections.summaries import RecordSummary
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.repository import UnknownRecord

CARD_EVENTS: Final = (
    BidMade, ContractNamed, TalonTurned, CardsDiscarded, CardsDrawn, CardPlayed, HandDealt, HandHeld,
)  # fmt: skip
"""What is not on a slip."""


@pages.get("/replays/<name>")
def replay(name: str) -> Response:
    """The replayer, over a deal of the library."""
    deal = find_replay(name)
    summary = replay_summary(deal)
    result = build_deal_result(summary)
    return render_replayer(
        summary,
        deal.name,
        {
            "can_choose_viewer": True,
            "is_public": True,
            "readings": list_reading_links(library_reading(deal)),
        },
        place=find_library_place(deal),
        result=result["result"],
        picture=build_preview_picture_url(summary["links"]["picture"], deal.read_log()),
    )


def list_reading_links(shown: Reading) -> list[dict[str, str]]:
    """The other readings of a deal, each with the page that compares it with this one."""
    return [
        {"title": one.title, "url": shown.comparison_url(one)}
        for one in list_readings(shown)
        if one.name != shown.name
    ]


@pages.get("/deals/<stream:deal>")
def recorded(deal: str) -> Response:
    """The replayer, over a recorded deal."""
    record_queries = queries()
    info = record_queries.find_deal(deal)
    summary = record_queries.summary(info)
    published_deal, caller = find_published_deal(record_queries, info), record_queries.caller
    published_title = published_deal.title if published_deal else None
    is_public = is_public_deal(record_queries, info)
    publishing = {
        "deal": deal,
        "title": published_title or summary["title"] or "",
        "own_title": summary["title"] or gettext("Deal", page_language()),
        "closing_engine": find_closing_engine(caller, info, summary),
        "grant": published_deal.grant if published_deal else None,
    }
    facts = {
        "live": f"/deals/{deal}/live",
        "can_choose_viewer": record_queries.resolve_viewer(info, None).sees_everything,
        "is_public": is_public,
        "readings": list_reading_links(recorded_reading(summary, published_title)),
        "publishing": publishing if caller.has_permission("grant", info) else None,
    }
    # The preview of a link is fetched by anybody, so it shows only what everybody may know.
    public_log = record_queries.expanded_record_view(info, "public").log if is_public else None
    picture = build_preview_picture_url(summary["links"]["picture"], public_log) if public_log else None
    return without_caching(
        render_replayer(
            summary,
            deal,
            facts,
            published_title=published_title,
            picture=picture,
            place=find_recorded_place(record_queries, summary, published_deal is not None),
            result=build_deal_row(summary)["result"],
            is_slip=is_slip(record_queries.expanded_record_view(info).log),
        )
    )


def is_slip(log: Log) -> bool:
    """Whether a log has the result of a deal, and none of its bids and cards."""
    events = [entry.event for entry in log]
    has_result = any(isinstance(event, ResultRecorded) for event in events)
    return has_result and not any(isinstance(event, CARD_EVENTS) for event in events)


def find_library_place(deal: Replay) -> dict[str, Any]:
    """Where a deal of the library stands: the deals before and after it, and the way back."""
    deals = [one for one in service_context().library.values() if one.folder == deal.folder]
    urls = [page_url("web.replay", name=one.name) for one in deals]
    up = page_url("web.example_deals") if deal.folder else page_url("web.library")
    title = gettext("What can happen" if deal.folder else "The library", page_language())
    return build_place(title, up, urls, deals.index(deal))


def find_recorded_place(record_queries: Queries, deal: RecordSummary, is_in_library: bool) -> dict[str, Any]:
    """Where a recorded deal stands: at its table, if the reader may see that, else in a list of deals."""
    try:
        table = record_queries.find_table(deal["table"] or "")
    except (UnknownRecord, PermissionDenied):
        title, endpoint = ("The library", "library") if is_in_library else ("Recorded deals", "deals")
        return build_place(gettext(title, page_language()), page_url(f"web.{endpoint}"))
    row = build_table_row(record_queries.summary(table))
    streams = [one.stream for one in record_queries.list_table_deals(table)]
    urls = [page_url("web.recorded", deal=stream) for stream in streams]
    index = streams.index(deal["id"]) if deal["id"] in streams else None
    return build_place(row["title"] or row["date"], row["sheet_url"], urls, index)


def build_place(title: str, up: str, urls: Sequence[str] = (), index: int | None = None) -> dict[str, Any]:
    """Where the page at ``index`` of ``urls`` stands; ``title`` is the page that lists them, at ``up``."""
    if index is None:
        return {"title": title, "up": up}
    return {
        "title": title,
        "up": up,
        "number": index + 1,
        "count": len(urls),
        "previous": urls[index - 1] if index else None,
        "next": urls[index + 1] if index + 1 < len(urls) else None,
    }


def find_closing_engine(caller: Caller, info: StreamInfo, deal: RecordSummary) -> str | None:
    """The version that closes the record of a deal, if the reader may: an open record hides its hands."""
    may_close = caller.has_permission("write", info) and not deal["closed"] and deal["score"]["decided"]
    return version("spadille") if may_close else None


@pages.get("/replays/<name>/embed")
def embedded_replay(name: str) -> Response:
    """A deal of the library, for a page of another site."""
    deal = find_replay(name)
    return render_replayer(
        replay_summary(deal), deal.name, {}, is_embedded=True, page_url=page_url("web.replay", name=name)
    )


@pages.get("/deals/<stream:deal>/embed")
def embedded_deal(deal: str) -> Response:
    """A published deal, for a page of another site; a note in its place if it is not published."""
    record_queries = queries()
    try:
        info = record_queries.find_deal(deal)
    except (UnknownRecord, PermissionDenied):
        return render_not_published()
    if not is_public_deal(record_queries, info):
        return render_not_published()
    return without_caching(
        render_replayer(
            record_queries.summary(info),
            deal,
            {"live": f"/deals/{deal}/live"},
            published_title=find_published_title(record_queries, info),
            is_embedded=True,
            page_url=page_url("web.recorded", deal=deal),
        )
    )


def render_not_published() -> Response:
    """The frame of a deal that was taken back, or never existed: it does not say which."""
    response = render_record_page("embed_gone.html")
    response.status_code = 404
    request.environ[EMPTY_EMBED_KEY] = True
    return response


def render_replayer(
    deal: Mapping[str, Any],
    name: str,
    facts: Mapping[str, Any],
    *,
    published_title: str | None = None,
    is_embedded: bool = False,
    **context: Any,
) -> Response:
    """Render the replayer of a deal, given its summary; ``name`` is its id, or its name in the library.

    ``facts`` are what the replayer may know and do besides what follows from the summary;
    ``published_title`` is its title in the library, if it differs; ``is_embedded``: it is for a page of
    another site; ``context`` are further variables of the template.
    """
    links, players = deal["links"], deal["players"]
    source = format_deal_source(deal)
    own_facts = {"what_ifs": True, "source": source, "variations": list_variation_rows(name)}
    if not is_embedded:
        can_keep = facts.get("can_choose_viewer", False) and can_open_deals()
        own_facts |= {"can_keep": can_keep, "links": build_deal_links(deal)}
    return render_page(
        "embed.html" if is_embedded else "replay.html",
        title=published_title or deal["title"] or format_deal_number(deal.get("number"), page_language()),
        source=source,
        sitting_out=[display_name(deal, player) for player in players["sitting_out"]],
        parent_deal=build_parent_link(deal),
        replay_url=links["replay"],
        rules_page=build_rules_page_url(deal),
        facts={**own_facts, **facts},
        **context,
    )


def build_preview_picture_url(picture_path: str, log: Log) -> str:
    """The absolute address of the picture in a preview of a link to the deal: the hands before the lead."""
    lead_seq = next((entry.seq for entry in log if isinstance(entry.event, CardPlayed)), None)
    point = {"at": lead_seq - 1} if isinstance(lead_seq, int) and lead_seq > 1 else {}
    return f"{request.host_url.rstrip('/')}{picture_path}?{urlencode({**point, 'lang': page_language()})}"


def build_deal_links(deal: Mapping[str, Any]) -> dict[str, str]:
    """The other pages of a deal, and the deal in other forms.

    The text is for people: it has members of the club by name.
    """
    links, is_replay = deal["links"], request.endpoint == "web.replay"

    def sibling_url(of_replay: str, of_record: str) -> str:
        return page_url(f"web.{of_replay if is_replay else of_record}", **request.view_args or {})

    return {
        **{name: links[name] for name in ("log", "replay", "drawing", "picture")},
        "text": f"{links['text']}?names=display" if "names" in deal else links["text"],
        "write": sibling_url("deal_editor_of_replay", "deal_editor_of_deal"),
        "print": sibling_url("printed_replay", "printed_deal"),
        "report": sibling_url("replay_report", "recorded_report"),
        "hidden_cards": sibling_url("replay_hidden_cards", "recorded_hidden_cards"),
        "compare": sibling_url("choose_account_of_replay", "choose_account_of_deal"),
        "file": sibling_url("replay_file", "recorded_file"),
        "embed": sibling_url("embedded_replay", "embedded_deal"),
    }


def build_parent_link(deal: Mapping[str, Any]) -> dict[str, Any] | None:
    """The deal that a variation branches from, with its page; None if the reader may not see it."""
    branch = deal.get("branch")
    if branch is None:
        return None
    try:
        replay = service_context().library.get(branch["deal"])
        title = replay.title if replay else queries().summary(queries().find_deal(branch["deal"]))["title"]
    except (UnknownRecord, PermissionDenied):
        return None
    return {"url": deal_url(branch["deal"], base=""), "title": title}


def list_variation_rows(name: str) -> list[dict[str, Any]]:
    """The variations of a deal that the reader may see; none while the store cannot be read."""
    try:
        record_queries = queries()
        summaries, _ = summarize_records(record_queries.list_variations(name, None, RECORDS_PER_PAGE).streams)
        return [build_deal_row(summary) for summary in summaries]
    except (UnknownToken, StoreError):
        return []


# The deal editor


@pages.get("/write")
def deal_editor() -> Response:
    """The deal editor: a deal is written in the notation, next to the table on which it is replayed.

    The service replays it (``POST /replay``) and stores nothing; a reader who may record deals can keep it.
    """
    return render_deal_editor()


@pages.get("/replays/<name>/write", endpoint="deal_editor_of_replay")
@pages.get("/deals/<stream:deal>/write", endpoint="deal_editor_of_deal")
def deal_editor_of(**key: str) -> Response:
    """A deal to annotate or to read differently, as far as the reader may know it.

    The text of a recorded one has the ids of members, so that a copy that is kept stays theirs; the page
    shows their names.
    """
    reading = find_reading(**key)
    summary = reading.summary
    more = {"names": summary["names"]} if reading.is_recorded else {"name": reading.name}
    return render_deal_editor(
        title=summary["title"], source=summary["source"], from_url=summary["links"]["text"], **more
    )


def render_deal_editor(name: str = "deal", **context: Any) -> Response:
    """Render the deal editor; ``context`` is the deal with which it begins."""
    can_keep = queries().caller.has_permission("open_deals")
    return render_record_page(
        "deal_editor.html", nav_section="library", name=name, can_keep=can_keep, **context
    )


# Files and print


@pages.get("/replays/<name>/file")
def replay_file(name: str) -> Response:
    """A deal of the library as a file."""
    return with_content_etag(_standalone_file_response(replay_log_view(name, requested_viewer())))


@pages.get("/deals/<stream:deal>/file")
def recorded_file(deal: str) -> Response:
    """A recorded deal as a file, as far as the reader may know it; a published one has its title there."""
    log_view, record_queries = deal_log_view(deal, requested_viewer()), queries()
    title = find_published_title(record_queries, record_queries.find_deal(deal))
    return without_caching(_standalone_file_response(log_view, title))


def _standalone_file_response(log_view: LogView, title: str | None = None) -> Response:
    file = build_standalone_file(
        log_view.read_log(),
        page_language(),
        service_context().book,
        display_preferences(),
        log_view.member_names(),
        title,
    )
    response = make_response(file.html)
    response.headers["Cache-Control"] = PRIVATE_NO_CACHE
    # It has scripts of its own, so it is saved, and not opened among our pages.
    set_download_name(response, file.name)
    vary_on(response, "Cookie")
    return with_content_language(response)


def requested_viewer() -> str | None:
    """The seat or role that the address asks to see the deal from, if any. Raises `Problem`."""
    viewer = request.args.get("viewer")
    if viewer is not None and viewer not in VIEWERS_BY_NAME:
        raise Problem("invalid-parameter", f"Write one of these viewers: {', '.join(VIEWERS_BY_NAME)}.")
    return viewer


def viewer_argument() -> dict[str, str]:
    """This viewer, as the argument of another address."""
    viewer = requested_viewer()
    return {} if viewer is None else {"viewer": viewer}


@pages.get("/replays/<name>/print", endpoint="printed_replay")
@pages.get("/deals/<stream:deal>/print", endpoint="printed_deal")
def print_column(**key: str) -> Response:
    """A deal as a column, as far as the reader may know it."""
    reading = find_reading(**key)
    deal = reading.summary
    viewer = requested_viewer()
    replay_url = deal["links"]["replay"]
    response = render_page(
        "print_column.html",
        title=reading.title or format_deal_number(deal.get("number"), page_language()),
        evening=evening["title"] if reading.is_recorded and (evening := find_evening(deal)) else None,
        source=format_deal_source(deal),
        rules=ruleset_name(deal),
        replay_url=f"{replay_url}?viewer={viewer}" if viewer else replay_url,
        page_url=reading.url,
    )
    return without_caching(response) if reading.is_recorded else response
