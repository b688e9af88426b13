"""The pages of the desk: a deal is written in the notation beside the table on which it is played.

What is written is replayed by the service and stored nowhere (``POST /replay``). Who may record deals can
have it kept.
"""

from typing import Any

from flask import Response

from service.http.api.routes.replays import deal_called, in_short
from service.http.context import queries
from service.http.web.pages import of_records, page, pages


@pages.get("/write")
def desk() -> Response:
    """A deal of one's own."""
    return desk_page()


@pages.get("/replays/<name>/write")
def desk_of_replay(name: str) -> Response:
    """A deal of the library, to be annotated or read otherwise."""
    short = in_short(deal_called(name))
    return desk_page(title=short["title"], source=short["source"], from_url=short["links"]["text"], name=name)


@pages.get("/deals/<stream:deal>/write")
def desk_of_deal(deal: str) -> Response:
    """A recorded deal, as far as whoever asks may know it.

    Its text has the ids of members, so that what is kept of it is theirs; how they are called stands beside.
    """
    reached = queries()
    short = reached.summary(reached.deal(deal))
    text, names = short["links"]["text"], short["names"]
    return desk_page(title=short["title"], source=short["source"], from_url=text, names=names)


def desk_page(name: str = "deal", **shown: Any) -> Response:
    """The desk; ``shown`` is the deal with which it begins."""
    keeps = queries().caller.may("open_deals")
    return of_records(page("desk.html", here="library", name=name, keeps=keeps, **shown))
