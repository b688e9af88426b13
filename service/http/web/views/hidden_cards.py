"""The page of what the hidden cards of a deal can be, after one of its entries."""

from typing import Any

from flask import Response, request

from engine import Log, State, initial_state
from engine.core.cards import CARD_BITS, SEAT_BY_NAME
from engine.core.events import CardPlayed, NoteAdded
from engine.core.field_types import Seq
from engine.inference.unseen_cards import analyze_unseen_cards
from schemas.i18n.catalogs import gettext
from service.application.member_names import replace_ids_with_names
from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, heavy_work
from service.http.api.routes.deals import deal_log_view
from service.http.api.routes.point_resources import LogView
from service.http.api.routes.replays import replay_log_view
from service.http.service_context import service_context
from service.http.web.display_preferences import page_language
from service.http.web.pages import page_url, pages, render_page, without_caching
from service.http.web.views.deal import requested_viewer, viewer_argument
from service.http.web.views.deal_readings import find_reading
from service.presentation.reports.card_markup import report_template_variables
from service.presentation.reports.diagrams import build_hidden_cards
from service.presentation.text import names
from service.presentation.text.findings import mistakes_sentence
from service.presentation.text.hidden_cards import (
    card_shares_sentence,
    contradiction_sentences,
    has_hidden_cards,
)
from service.presentation.text.sentences import capitalize_first, successive_sentences
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint, UnknownPoint, build_deal_point


@pages.get("/replays/<name>/hidden-cards")
def replay_hidden_cards(name: str) -> Response:
    """What the hidden cards of a deal of the library can be."""
    return _render_hidden_cards(replay_log_view(name, requested_viewer()), name=name)


@pages.get("/deals/<stream:deal>/hidden-cards")
def recorded_hidden_cards(deal: str) -> Response:
    """What the hidden cards of a recorded deal can be, from what the reader may know."""
    return without_caching(_render_hidden_cards(deal_log_view(deal, requested_viewer()), deal=deal))


def _render_hidden_cards(log_view: LogView, **key: str) -> Response:
    """Render the page for the entry ``at`` of the address, or for the end of the deal."""
    lang, viewer_name, reading = page_language(), requested_viewer(), find_reading(**key)
    log = replace_ids_with_names(log_view.read_log(), log_view.member_names())
    book = service_context().book
    whole_deal = build_deal_point(log, None, book=book)
    whole_deal.require_size()
    sentences = _list_entry_sentences(whole_deal, TextStyle(lang))
    at = _find_requested_entry(whole_deal.entries)
    with heavy_work(HEAVY_REQUEST_COST):
        answer = describe_hidden_cards(build_deal_point(log, at, book=book), TextStyle(lang))
    return render_page(
        "hidden_cards.html",
        nav_section="deals" if reading.is_recorded else "library",
        title=reading.title,
        deal_page=f"{reading.url}#at={at}" if at else reading.url,
        report_page=page_url(
            "web.recorded_report" if reading.is_recorded else "web.replay_report", **key, **viewer_argument()
        ),
        viewer=viewer_name,
        viewer_sentence=_viewer_sentence(viewer_name, whole_deal.state, lang),
        entries=sentences,
        at=at,
        requested_language=request.args.get("lang"),
        **answer,
        **report_template_variables({}, lang),
    )


def _viewer_sentence(viewer_name: str | None, state: State, lang: str) -> str:
    """By whom the deal is seen, where the address says so."""
    seat = SEAT_BY_NAME.get(viewer_name or "")
    if seat is not None:
        name = names.player_label(state, seat, TextStyle(lang))
        return gettext("As {name} saw it.", lang).format(name=name)
    return gettext("As an onlooker saw it.", lang) if viewer_name == "public" else ""


def _list_entry_sentences(point: DealPoint, style: TextStyle) -> dict[Seq, str]:
    """The entries that can be looked at, each in words."""
    entries = point.entries
    sentences = successive_sentences(initial_state(point.book), entries, style)
    return {
        entry.seq: capitalize_first(sentence)
        for entry, sentence in zip(entries, sentences, strict=True)
        if not isinstance(entry.event, NoteAdded)
    }


def _find_requested_entry(entries: Log) -> Seq | None:
    """The entry of the address, by default the last; of a note the entry before. Raises `UnknownPoint`."""
    asked, found = request.args.get("at"), None
    for entry in entries:
        if not isinstance(entry.event, NoteAdded):
            found = entry.seq
        if str(entry.seq) == asked:
            return found
    if asked:
        raise UnknownPoint(f"The deal has no entry “{asked[:20]}”.")
    return found


def describe_hidden_cards(point: DealPoint, style: TextStyle) -> dict[str, Any]:
    """What is proved of the hidden cards at a point; ``hidden_cards`` is None where none is hidden.

    ``mistakes`` and ``contradictions`` say why the record may be wrong, ``shares`` in how many deals the card
    of the last entry is which.
    """
    audit, last = point.audit, next(reversed(point.entries), None)
    if not has_hidden_cards(audit):
        return {"hidden_cards": None, "mistakes": "", "contradictions": [], "shares": ""}
    unseen_cards = analyze_unseen_cards(point.entries, point.state)
    plays_hidden_card = last and isinstance(last.event, CardPlayed) and not CARD_BITS[last.event.card]
    found = build_hidden_cards(unseen_cards, audit, style)
    return {
        "hidden_cards": found,
        "mistakes": mistakes_sentence(point.mistakes, style) if point.mistakes else "",
        "contradictions": list(contradiction_sentences(unseen_cards, audit, style)),
        "shares": card_shares_sentence(unseen_cards, last.seq, point.state, style)
        if last and plays_hidden_card and found
        else "",
    }
