"""The pages of one deal: the replayer, over a deal of the library or a recorded one, also in other pages."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from engine import Log
from engine.core.cards import SEAT_NAMES
from engine.core.events import CardPlayed
from replays import list_deal_readings
from service.application.published_deals import find_published_deal, find_published_title, is_public_deal
from service.application.queries import Queries
from service.auth.caller import PermissionDenied
from service.auth.grants import UnknownToken
from service.config.urls import deal_url
from service.eventstore import StoreError, StreamInfo
from service.http.api.record_responses import summarize_records
from service.http.api.routes.replays import find_replay, replay_summary
from service.http.security import EMPTY_EMBED_KEY
from service.http.service_context import queries, service_context
from service.http.web.display_preferences import page_language
from service.http.web.pages import (
    RECORDS_PER_PAGE,
    build_deal_row,
    can_open_deals,
    display_name,
    page_url,
    pages,
    render_page,
    render_record_page,
    without_caching,
)
from service.projections.summaries import RecordSummary
from service.records.repository import UnknownRecord


@pages.get("/replays/<name>")
def replay(name: str) -> Response:
    """The replayer, over a deal of the library."""
    deal = find_replay(name)
    summary = replay_summary(deal)
    others = [
        reading for reading in list_deal_readings(deal, service_context().library.values()) if reading != deal
    ]
    return render_replayer(
        summary,
        deal.name,
        can_choose_viewer=True,
        picture=build_preview_picture_url(summary["links"]["picture"], deal.read_log()),
        embed_url=page_url("web.embedded_replay", name=name),
        is_public=True,
        readings=[
            {
                "title": reading.title,
                "url": page_url("web.compare_readings_page", name=deal.name, other=reading.name),
            }
            for reading in others
        ],
    )


@pages.get("/deals/<stream:deal>")
def recorded(deal: str) -> Response:
    """The replayer, over a recorded deal."""
    record_queries = queries()
    info = record_queries.find_deal(deal)
    can_choose_viewer = record_queries.resolve_viewer(info, None).sees_everything
    summary = record_queries.summary(info)
    sharing_context = build_sharing_context(record_queries, info, summary)
    return without_caching(
        render_replayer(
            summary, deal, can_choose_viewer=can_choose_viewer, live=f"/deals/{deal}/live", **sharing_context
        )
    )


def build_sharing_context(record_queries: Queries, info: StreamInfo, deal: RecordSummary) -> dict[str, Any]:
    """How a recorded deal is shared, and what of that the reader may do.

    A record that is not closed keeps its hands from everybody: who may write in it can close it, once it is
    decided what it pays.
    """
    published_deal, caller = find_published_deal(record_queries, info), record_queries.caller
    is_public = is_public_deal(record_queries, info)
    may_close = caller.has_permission("write", info) and not deal["closed"] and deal["score"]["decided"]
    return {
        "deal_id": info.stream,
        "may_publish": caller.has_permission("grant", info),
        "closing_engine": version("spadille") if may_close else None,
        "in_library": published_deal,
        "published_title": published_deal.title if published_deal else None,
        "embed_url": page_url("web.embedded_deal", deal=info.stream),
        "is_public": is_public,
        # Whoever fetches it for a link is nobody's friend: it is drawn from what everybody may know.
        "picture": build_preview_picture_url(
            deal["links"]["picture"], record_queries.expanded_record_view(info, "public").log
        )
        if is_public
        else None,
    }


@pages.get("/replays/<name>/embed")
def embedded_replay(name: str) -> Response:
    """A deal of the library, to stand in a page of somebody else's."""
    deal = find_replay(name)
    return render_replayer(
        replay_summary(deal), deal.name, is_embedded=True, page_url=page_url("web.replay", name=name)
    )


@pages.get("/deals/<stream:deal>/embed")
def embedded_deal(deal: str) -> Response:
    """A published deal, to stand in a page of somebody else's; a word in its place where it is not."""
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
            live=f"/deals/{deal}/live",
            published_title=find_published_title(record_queries, info),
            is_embedded=True,
            page_url=page_url("web.recorded", deal=deal),
        )
    )


def render_not_published() -> Response:
    """What stands in a frame whose deal was taken back, or never was there: it does not tell which."""
    response = render_record_page("embed_gone.html")
    response.status_code = 404
    request.environ[EMPTY_EMBED_KEY] = True
    return response


def render_replayer(
    deal: Mapping[str, Any],
    name: str,
    *,
    published_title: str | None = None,
    is_embedded: bool = False,
    **context: Any,
) -> Response:
    """The replayer, over the deal whose summary this is; ``name`` is its id, or its name in the library.

    ``published_title`` is its title in the library, where that differs from its record's; ``is_embedded``
    says that it stands in a page of another site; ``context`` are further variables of its template.
    """
    links, players = deal["links"], deal["players"]
    return render_page(
        "embed.html" if is_embedded else "replay.html",
        title=published_title or deal["title"],
        own_title=deal["title"],
        source=deal["source"],
        players=[display_name(deal, players[seat]) for seat in SEAT_NAMES],
        sitting_out=[display_name(deal, player) for player in players["sitting_out"]],
        parent_deal=build_parent_link(deal),
        variations=list_variation_rows(name),
        can_keep=context.get("can_choose_viewer", False) and can_open_deals(),
        replay_url=links["replay"],
        **({} if is_embedded else build_download_links(deal)),
        **context,
    )


def build_preview_picture_url(picture_path: str, log: Log) -> str:
    """The address, whole, of a picture for whoever shows a link to the deal: the hands before the lead."""
    lead_seq = next((entry.seq for entry in log if isinstance(entry.event, CardPlayed)), None)
    point_query = {"at": lead_seq - 1} if isinstance(lead_seq, int) and lead_seq > 1 else {}
    return (
        f"{request.host_url.rstrip('/')}{picture_path}?{urlencode({**point_query, 'lang': page_language()})}"
    )


def build_download_links(deal: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of a deal offers to be taken along: the deal as a file, and in other forms.

    Its text is for people: the members of the club in a recorded one are called by name.
    """
    links = deal["links"]
    text_url = f"{links['text']}?names=display" if "names" in deal else links["text"]
    is_replay = request.endpoint == "web.replay"
    names = (
        ("deal_editor_of_replay", "printed_replay", "replay_report")
        if is_replay
        else ("deal_editor_of_deal", "printed_deal", "recorded_report")
    )
    editor_url, print_url, report_url = (page_url(f"web.{name}", **request.view_args or {}) for name in names)
    return {
        "write_url": editor_url,
        "print_url": print_url,
        "report_url": report_url,
        "file_url": page_url(f"{request.endpoint}_file", **request.view_args or {}),
        "downloads": [{"name": "JSON Lines", "url": links["log"]}, {"name": "JSON", "url": links["replay"]}],
        "forms": {"text": text_url, "drawing": links["drawing"], "picture": links["picture"]},
    }


def build_parent_link(deal: Mapping[str, Any]) -> dict[str, Any] | None:
    """The page of the deal that a variation leaves; None where there is none that the reader may see."""
    branch = deal.get("branch")
    if branch is None:
        return None
    title = None
    if (replay := service_context().library.get(branch["deal"])) is not None:
        title = replay.title
    else:
        try:
            title = queries().summary(queries().find_deal(branch["deal"]))["title"]
        except (UnknownRecord, PermissionDenied):
            return None
    return {"url": deal_url(branch["deal"], base=""), "title": title}


def list_variation_rows(name: str) -> list[dict[str, Any]]:
    """The variations of a deal that the reader may see; none where the store cannot be read just now."""
    try:
        record_queries = queries()
        summaries, _ = summarize_records(record_queries.list_variations(name, None, RECORDS_PER_PAGE).streams)
        return [build_deal_row(summary) for summary in summaries]
    except (UnknownToken, StoreError):
        return []
