"""The pages of the deal editor: a deal is written in the notation beside the table on which it is played.

What is written is replayed by the service and stored nowhere (``POST /replay``). Who may record deals can
have it kept.
"""

from typing import Any

from flask import Response

from service.http.api.routes.replays import find_replay, replay_summary
from service.http.service_context import queries
from service.http.web.pages import pages, render_record_page


@pages.get("/write")
def deal_editor() -> Response:
    """A deal of one's own."""
    return render_deal_editor()


@pages.get("/replays/<name>/write")
def deal_editor_of_replay(name: str) -> Response:
    """A deal of the library, to be annotated or read otherwise."""
    summary = replay_summary(find_replay(name))
    return render_deal_editor(
        title=summary["title"], source=summary["source"], from_url=summary["links"]["text"], name=name
    )


@pages.get("/deals/<stream:deal>/write")
def deal_editor_of_deal(deal: str) -> Response:
    """A recorded deal, as far as whoever asks may know it.

    Its text has the ids of members, so that what is kept of it is theirs; how they are called stands beside.
    """
    record_queries = queries()
    summary = record_queries.summary(record_queries.find_deal(deal))
    text_url, names = summary["links"]["text"], summary["names"]
    return render_deal_editor(
        title=summary["title"], source=summary["source"], from_url=text_url, names=names
    )


def render_deal_editor(name: str = "deal", **context: Any) -> Response:
    """The deal editor; ``context`` is the deal with which it begins."""
    can_keep = queries().caller.has_permission("open_deals")
    return render_record_page(
        "deal_editor.html", nav_section="library", name=name, can_keep=can_keep, **context
    )
