"""A deal to be taken away: as one file, which replays without this service, or printed as a column."""

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response, request

from service.application.published_deals import find_published_title
from service.http.api.responses import set_download_name, with_content_etag
from service.http.api.routes.deals import deal_log_view
from service.http.api.routes.point_resources import LogView
from service.http.api.routes.replays import find_replay, replay_log_view, replay_summary
from service.http.problems import Problem
from service.http.service_context import queries, service_context
from service.http.web.display_preferences import display_preferences, page_language, with_content_language
from service.http.web.pages import page_url, pages, render_page, ruleset_name, without_caching
from service.http.web.standalone_file import build_standalone_file
from service.records.deal_points import VIEWERS_BY_NAME


@pages.get("/replays/<name>/file")
def replay_file(name: str) -> Response:
    """A deal of the library as a file."""
    return with_content_etag(_standalone_file_response(replay_log_view(name, requested_viewer())))


@pages.get("/deals/<stream:deal>/file")
def recorded_file(deal: str) -> Response:
    """A recorded deal as a file, with what whoever asks may know of it.

    One that is published is called as it is in the library.
    """
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
    response.headers["Cache-Control"] = "private, no-cache"
    # It has scripts of its own, so it is looked at where it is saved, and not among our pages.
    set_download_name(response, file.name)
    response.vary.add("Cookie")
    return with_content_language(response)


def requested_viewer() -> str | None:
    """From where the deal is seen, if that is asked for. Raises `Problem`."""
    viewer = request.args.get("viewer")
    if viewer is not None and viewer not in VIEWERS_BY_NAME:
        raise Problem("invalid-parameter", f"A deal is seen as one of {', '.join(VIEWERS_BY_NAME)}.")
    return viewer


@pages.get("/replays/<name>/print")
def printed_replay(name: str) -> Response:
    """A deal of the library as a column."""
    return render_print_column(replay_summary(find_replay(name)), page_url("web.replay", name=name))


@pages.get("/deals/<stream:deal>/print")
def printed_deal(deal: str) -> Response:
    """A recorded deal as a column, as far as whoever asks may know it."""
    record_queries = queries()
    info = record_queries.find_deal(deal)
    summary = record_queries.summary(info)
    title = find_published_title(record_queries, info) or summary["title"]
    return without_caching(
        render_print_column({**summary, "title": title}, page_url("web.recorded", deal=deal))
    )


def render_print_column(deal: Mapping[str, Any], page_url: str) -> Response:
    """The column of the deal whose summary this is; ``page_url`` is where it is walked through."""
    viewer = requested_viewer()
    replay_url = deal["links"]["replay"]
    return render_page(
        "print_column.html",
        title=deal["title"],
        source=deal["source"],
        rules=ruleset_name(deal),
        replay_url=f"{replay_url}?viewer={viewer}" if viewer else replay_url,
        page_url=page_url,
    )
