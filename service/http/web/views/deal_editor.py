"""The pages of the deal editor: a deal is written in the notation beside the table on which it is played.

What is written is replayed by the service and stored nowhere (``POST /replay``). Who may record deals can
have it kept.
"""

from typing import Any

from flask import Response

from service.http.api.routes.replays import find_replay, replay_summary
from service.http.service_context import queries
from service.http.web.pages import pages, render_page, without_caching


@pages.get("/write")
def deal_editor() -> Response:
    """A deal of one's own."""
    return render_deal_editor()


@pages.get("/replays/<name>/write")
def deal_editor_of_replay(name: str) -> Response:
    """A deal of the library, to be annotated or read otherwise."""
    short = replay_summary(find_replay(name))
    return render_deal_editor(
        title=short["title"], source=short["source"], from_url=short["links"]["text"], name=name
    )


@pages.get("/deals/<stream:deal>/write")
def deal_editor_of_deal(deal: str) -> Response:
    """A recorded deal, as far as whoever asks may know it.

    Its text has the ids of members, so that what is kept of it is theirs; how they are called stands beside.
    """
    reached = queries()
    short = reached.summary(reached.find_deal(deal))
    text, names = short["links"]["text"], short["names"]
    return render_deal_editor(title=short["title"], source=short["source"], from_url=text, names=names)


def render_deal_editor(name: str = "deal", **shown: Any) -> Response:
    """The deal editor; ``context`` is the deal with which it begins."""
    keeps = queries().caller.has_permission("open_deals")
    return without_caching(render_page("deal_editor.html", here="library", name=name, keeps=keeps, **shown))
