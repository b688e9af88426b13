"""The pages on which a deal stands as a column, as in a magazine: to be printed, or read on a screen.

What stands there is drawn by its modules (``static/js/replay/*column*.js``) from the replay document, which
holds no more than its reader may know.
"""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.application.published_deals import find_published_title
from service.http.api.routes.replays import find_replay, replay_summary
from service.http.service_context import queries
from service.http.web.pages import page_url, pages, render_page, ruleset_name, without_caching
from service.http.web.views.deal_files import requested_viewer


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
