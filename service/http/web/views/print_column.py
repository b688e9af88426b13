"""The pages on which a deal stands as a column, as in a magazine: to be printed, or read on a screen.

What stands there is drawn by its modules (``static/js/replay/*column*.js``) from the replay document, which
holds no more than its reader may know.
"""

from collections.abc import Mapping
from typing import Any

from flask import Response

from engine.rulesets import find_ruleset
from schemas.i18n.catalogs import gettext
from service.application.published_deals import find_published_deal
from service.http.api.routes.replays import find_replay, replay_summary
from service.http.service_context import queries, service_context
from service.http.web.language import page_language
from service.http.web.pages import page_url, pages, render_page, without_caching
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
    published_deal = find_published_deal(record_queries, info)
    title = {"title": published_deal.title} if published_deal and published_deal.title else {}
    return without_caching(
        render_print_column({**record_queries.summary(info), **title}, page_url("web.recorded", deal=deal))
    )


def render_print_column(deal: Mapping[str, Any], page_url: str) -> Response:
    """The column of the deal whose summary this is; ``page_url`` is where it is walked through."""
    viewer = requested_viewer()
    replay_url = deal["links"]["replay"]
    rules = find_ruleset(service_context().book, deal["ruleset"] or "", deal["revision"])
    return render_page(
        "print_column.html",
        title=deal["title"],
        source=deal["source"],
        rules=gettext(rules.ruleset.words, page_language()) if rules else deal["ruleset"],
        replay_url=f"{replay_url}?viewer={viewer}" if viewer else replay_url,
        page_url=page_url,
    )
