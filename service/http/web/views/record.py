"""The pages of the recorder: a deal card by card, at a table or alone, and where one begins.

What stands here is only the frame. How the deal stands, and what is legal, comes from the API to the page's
own modules (``static/js/recorder/*.js``), as the one who looks may know it.
"""

from importlib.metadata import version
from typing import Any, Final

from flask import Response

from engine import legal
from engine.core.cards import SEAT_NAMES
from engine.core.events import DealOpened
from engine.core.log import Entry, Record
from engine.core.vocabulary import Players
from schemas.answers.states import legal_object, score_object, state_object
from service.config.urls import PREFIX
from service.eventstore import StreamInfo
from service.http.context import context, queries
from service.http.web.language import language
from service.http.web.looks import in_terms
from service.http.web.pages import address, called, of_records, page, pages
from service.http.web.record_choices import record_choices
from service.http.web.slip_choices import usual_of
from service.http.web.views.table import as_attribute, of_table, rulesets_in_terms
from service.records.points import point_of
from service.records.records import TABLE
from service.records.slip_batches import opening_of

AT_ONCE: Final = 500
"""So many entries of a record are read with one question (``static/js/recorder/recorded-deal.js``)."""
NO_DEAL = "00000000-0000-0000-0000-000000000000"


@pages.get("/deals/<stream:deal>/record")
def record(deal: str) -> Response:
    """The recorder of a deal, for whoever may read it; who may not write looks on."""
    info = queries().deal(deal)
    short = queries().summary(info)
    table = short["table"] if short["table"] and may_read_table(short["table"]) else None
    closed = table is not None and queries().summary(queries().table(table))["closed"]
    return of_records(
        page(
            "record.html",
            here="tables" if table else "deals",
            deal=info.stream,
            title=short["title"],
            number=short["number"],
            players=[called(short, short["players"][seat]) for seat in SEAT_NAMES],
            rules=as_attribute("rules", choices_at(info)),
            names=as_attribute("names", queries().names_in(queries().course(info))),
            engine=version("spadille"),
            table=table,
            table_url=address("web.slip", table=table) if table else None,
            data_urls=asked_first(info),
            next_url=address("web.record_next", table=table) if table else address("web.new_deal"),
            record_url=address("web.record", deal=NO_DEAL),
            replay_url=address("web.recorded", deal=info.stream),
            **(CLOSED if closed and powers(info)["may_write"] else powers(info)),
        )
    )


@pages.get("/tables/<stream:table>/record")
def record_next(table: str) -> Response:
    """Where the next deal of a table is begun card by card, and an unfinished one is gone on with."""
    begun = begun_at(queries().table(table))
    return of_table(
        "record_next.html",
        table,
        record_url=address("web.record", deal=NO_DEAL),
        begun=as_attribute("begun", begun) if begun else "",
    )


def begun_at(table: StreamInfo) -> dict[str, Any] | None:
    """What a recorder needs of the deal that begins next, so that it opens also before that is stored.

    How a deal stands when it has just been opened, and what is legal then; who sits in it, the page knows.
    None where nobody is due, or the caller may not write.
    """
    ahead = queries().ahead(table)
    following = ahead.following()
    if not following or not queries().caller.may("write", table):
        return None
    due = following[0]
    return {**begun_with(opening_of(ahead, due.seating, due.number, due)), "addresses": addresses(table)}


def begun_with(opening: DealOpened) -> dict[str, Any]:
    """What can be called and played in a deal, and how it stands when it has just been opened."""
    point = point_of((Entry(1, opening, Record()),), None, None, context().book)
    return {
        "rules": in_terms(record_choices(point.state.opening.rules, language())),
        "state": state_object(point.state),
        "legal": legal_object(legal(point.state)),
        "score": score_object(point.score),
    }


def addresses(table: StreamInfo | None = None) -> dict[str, str]:
    """Where a recorder leads, with an id of noughts in place of the deal's; and the engine's version."""
    at_table = {"tableUrl": address("web.slip", table=table.stream)} if table else {}
    return {
        **at_table,
        "engine": version("spadille"),
        "nextUrl": address("web.record_next", table=table.stream) if table else address("web.new_deal"),
        "recordUrl": address("web.record", deal=NO_DEAL),
        "replayUrl": address("web.recorded", deal=NO_DEAL),
    }


@pages.get("/deals/new")
def new_deal() -> Response:
    """Where a deal is begun that belongs to no table."""
    queries().caller.require("open_deals")
    return of_records(
        page(
            "deal_new.html",
            here="deals",
            rulesets=as_attribute("rulesets", rulesets_in_terms()),
            usual=usual_of(context().book),
            begun=as_attribute("begun", {"rules": begun_by_rules(), "addresses": addresses()}),
            record_url=address("web.record", deal=NO_DEAL),
        )
    )


def begun_by_rules() -> dict[str, Any]:
    """By each ruleset what a recorder needs of a deal that begins by it."""
    newest = {rules.ruleset.id: rules for rules in context().book}
    return {
        name: begun_with(DealOpened(name, Players(*SEAT_NAMES), revision=rules.ruleset.revision))
        for name, rules in newest.items()
    }


CLOSED: Final = {"closed": True, "may_write": False, "may_note": False, "may_open": False}
"""What may be written on the page of a deal whose table is closed: nothing, until that is opened again.

The API takes corrections and rulings all the same, which come up when the evening is over.
"""


def powers(deal: StreamInfo) -> dict[str, bool]:
    """What the caller may write into this deal: everything, or, as a player, notes."""
    caller = queries().caller
    may_write = caller.may("write", deal)
    return {
        "may_write": may_write,
        "may_note": may_write or caller.may("note", deal),
        "may_open": caller.may("open_deals"),
    }


def asked_first(deal: StreamInfo) -> list[str]:
    """What the recorder's modules ask for first: a browser need not wait for them to ask."""
    own = f"{PREFIX}/deals/{deal.stream}"
    aspects = [f"{own}/{aspect}?known={deal.version}" for aspect in ("state", "legal", "score", "findings")]
    # A longer record is read in parts: then nobody knows yet which point is asked about first.
    return [f"{own}/events?limit={AT_ONCE}", *(aspects if deal.version <= AT_ONCE else [])]


def may_read_table(table: str) -> bool:
    """Whether the caller may see the table's own pages: a link to one deal does not show it."""
    return queries().caller.reads(StreamInfo(table, table, TABLE, 0))


def choices_at(deal: StreamInfo) -> dict[str, Any] | None:
    """What can be called and played by the rules of a deal; None where they are not known here."""
    rules = point_of(queries().course(deal).log, None, None, context().book).state.opening.rules
    return in_terms(record_choices(rules, language())) if rules.known else None
