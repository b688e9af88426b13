"""The pages of one deal: the replayer, over a deal of the library or a recorded one, also in other pages."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from engine import Log
from engine.core.cards import SEAT_NAMES
from engine.core.events import CardPlayed
from replays import readings
from service.application.library import is_everybodys, published_as
from service.application.queries import Queries
from service.auth.caller import NotAllowed
from service.auth.grants import UnknownToken
from service.config.urls import address_of
from service.eventstore import StoreError, StreamInfo
from service.http.api.routes.replays import deal_called, in_short
from service.http.api.summary_page import all_in_short
from service.http.context import context, queries
from service.http.security import TELLS_NOTHING
from service.http.web.language import language
from service.http.web.pages import (
    LISTED,
    address,
    called,
    deal_row,
    may_open_deals,
    of_records,
    page,
    pages,
)
from service.projections.summaries import Summary
from service.records.records import UnknownRecord


@pages.get("/replays/<name>")
def replay(name: str) -> Response:
    """The replayer, over a deal of the library."""
    deal = deal_called(name)
    short = in_short(deal)
    others = [one for one in readings(deal, context().library.values()) if one != deal]
    return replayer(
        short,
        deal.name,
        views=True,
        picture=picture_of(short["links"]["picture"], deal.log()),
        embed_url=address("web.embedded_replay", name=name),
        everybodys=True,
        readings=[
            {"title": one.title, "url": address("web.readings_beside", name=deal.name, other=one.name)}
            for one in others
        ],
    )


@pages.get("/deals/<stream:deal>")
def recorded(deal: str) -> Response:
    """The replayer, over a recorded deal."""
    reached = queries()
    info = reached.deal(deal)
    views = reached.viewer(info, None).everything
    summary = reached.summary(info)
    sharing = sharing_of(reached, info, summary)
    return of_records(replayer(summary, deal, views=views, live=f"/deals/{deal}/live", **sharing))


def sharing_of(reached: Queries, info: StreamInfo, deal: Summary) -> dict[str, Any]:
    """How a recorded deal is shared, and what of that the reader may do.

    A record that is not closed keeps its hands from everybody: who may write in it can close it, once it is
    decided what it pays.
    """
    in_library, caller = published_as(reached, info), reached.caller
    everybodys = is_everybodys(reached, info)
    may_close = caller.may("write", info) and not deal["closed"] and deal["score"]["decided"]
    return {
        "deal_id": info.stream,
        "may_publish": caller.may("grant", info),
        "closing_engine": version("spadille") if may_close else None,
        "in_library": in_library,
        "called_so": in_library.title if in_library else None,
        "embed_url": address("web.embedded_deal", deal=info.stream),
        "everybodys": everybodys,
        # Whoever fetches it for a link is nobody's friend: it is drawn from what everybody may know.
        "picture": picture_of(deal["links"]["picture"], reached.course(info, "public").log)
        if everybodys
        else None,
    }


@pages.get("/replays/<name>/embed")
def embedded_replay(name: str) -> Response:
    """A deal of the library, to stand in a page of somebody else's."""
    deal = deal_called(name)
    return replayer(in_short(deal), deal.name, inside=True, page_url=address("web.replay", name=name))


@pages.get("/deals/<stream:deal>/embed")
def embedded_deal(deal: str) -> Response:
    """A published deal, to stand in a page of somebody else's; a word in its place where it is not."""
    reached = queries()
    try:
        info = reached.deal(deal)
    except (UnknownRecord, NotAllowed):
        return not_published()
    if not is_everybodys(reached, info):
        return not_published()
    in_library = published_as(reached, info)
    return of_records(
        replayer(
            reached.summary(info),
            deal,
            live=f"/deals/{deal}/live",
            called_so=in_library.title if in_library else None,
            inside=True,
            page_url=address("web.recorded", deal=deal),
        )
    )


def not_published() -> Response:
    """What stands in a frame whose deal was taken back, or never was there: it does not tell which."""
    made = of_records(page("embed_gone.html"))
    made.status_code = 404
    request.environ[TELLS_NOTHING] = True
    return made


def replayer(
    deal: Mapping[str, Any], name: str, *, called_so: str | None = None, inside: bool = False, **shown: Any
) -> Response:
    """The replayer, over the deal whose summary this is; ``name`` is its id, or its name in the library.

    ``called_so`` is its title where it is not called as its own record says; ``inside`` tells that it stands
    in a page of somebody else's. ``shown`` is what else its template takes of the one or the other.
    """
    links, players = deal["links"], deal["players"]
    return page(
        "embed.html" if inside else "replay.html",
        title=called_so or deal["title"],
        own_title=deal["title"],
        source=deal["source"],
        players=[called(deal, players[seat]) for seat in SEAT_NAMES],
        sitting_out=[called(deal, player) for player in players["sitting_out"]],
        leaves=left_by(deal),
        variations=leaving(name),
        keeps=shown.get("views", False) and may_open_deals(),
        replay_url=links["replay"],
        **({} if inside else taken_along(deal)),
        **shown,
    )


def picture_of(address: str, log: Log) -> str:
    """The address, whole, of a picture for whoever shows a link to the deal: the hands before the lead."""
    led = next((entry.seq for entry in log if isinstance(entry.event, CardPlayed)), None)
    point = {"at": led - 1} if isinstance(led, int) and led > 1 else {}
    return f"{request.host_url.rstrip('/')}{address}?{urlencode({**point, 'lang': language()})}"


def taken_along(deal: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of a deal offers to be taken along: the deal as a file, and in other forms.

    Its text is for people: the members of the club in a recorded one are called by name.
    """
    links = deal["links"]
    text = f"{links['text']}?names=display" if "names" in deal else links["text"]
    of_replay = request.endpoint == "web.replay"
    names = (
        ("desk_of_replay", "printed_replay", "replay_report")
        if of_replay
        else ("desk_of_deal", "printed_deal", "recorded_report")
    )
    desk, printed, reported = (address(f"web.{name}", **request.view_args or {}) for name in names)
    return {
        "write_url": desk,
        "print_url": printed,
        "report_url": reported,
        "file_url": address(f"{request.endpoint}_file", **request.view_args or {}),
        "downloads": [{"name": "JSON Lines", "url": links["log"]}, {"name": "JSON", "url": links["replay"]}],
        "forms": {"text": text, "drawing": links["drawing"], "picture": links["picture"]},
    }


def left_by(deal: Mapping[str, Any]) -> dict[str, Any] | None:
    """The page of the deal that a variation leaves; None where there is none that the reader may see."""
    branch = deal.get("branch")
    if branch is None:
        return None
    title = None
    if (replay := context().library.get(branch["deal"])) is not None:
        title = replay.title
    else:
        try:
            title = queries().summary(queries().deal(branch["deal"]))["title"]
        except (UnknownRecord, NotAllowed):
            return None
    return {"url": address_of(branch["deal"], base=""), "title": title}


def leaving(name: str) -> list[dict[str, Any]]:
    """The variations of a deal that the reader may see; none where the store cannot be read just now."""
    try:
        reached = queries()
        found, _ = all_in_short(reached.variations(name, None, LISTED).streams)
        return [deal_row(one) for one in found]
    except (UnknownToken, StoreError):
        return []
