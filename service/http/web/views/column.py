"""The pages on which a deal stands as a column, as in a magazine: to be printed, or read on a screen.

What stands there is drawn by its modules (``static/js/replay/*column*.js``) from the replay document, which
holds no more than its reader may know.
"""

from collections.abc import Mapping
from typing import Any

from flask import Response

from engine.rulesets import find
from service.application.library import published_as
from service.http.api.routes.replays import deal_called, in_short
from service.http.context import context, queries
from service.http.web.language import language
from service.http.web.pages import address, of_records, page, pages
from service.http.web.views.deal_files import viewer_asked


@pages.get("/replays/<name>/print")
def printed_replay(name: str) -> Response:
    """A deal of the library as a column."""
    return column(in_short(deal_called(name)), address("web.replay", name=name))


@pages.get("/deals/<stream:deal>/print")
def printed_deal(deal: str) -> Response:
    """A recorded deal as a column, as far as whoever asks may know it."""
    reached = queries()
    info = reached.deal(deal)
    in_library = published_as(reached, info)
    title = {"title": in_library.title} if in_library and in_library.title else {}
    return of_records(column({**reached.summary(info), **title}, address("web.recorded", deal=deal)))


def column(deal: Mapping[str, Any], page_url: str) -> Response:
    """The column of the deal whose summary this is; ``page_url`` is where it is walked through."""
    viewer = viewer_asked()
    replay_url = deal["links"]["replay"]
    rules = find(context().book, deal["ruleset"] or "", deal["revision"])
    return page(
        "column.html",
        title=deal["title"],
        source=deal["source"],
        rules=rules.ruleset.words[language()] if rules else deal["ruleset"],
        replay_url=f"{replay_url}?viewer={viewer}" if viewer else replay_url,
        page_url=page_url,
    )
