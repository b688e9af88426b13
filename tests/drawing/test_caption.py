"""The line below a drawing says what has just happened and who is to act, in both languages."""

import re
from typing import Any

import pytest

from service.presentation.svg.caption import sentences
from service.presentation.svg.manner import Manner
from service.presentation.svg.terms import Terms
from tests.support.drawing.looking import SLIP, Json, caption, drawing, replayed, rules_of, state_of
from tests.support.engine.shorthand import plays
from tests.support.web.evening import bid, named

OPENING = SLIP[0]
PLAYED: list[Json] = [
    OPENING,
    bid("forehand", "solo"),
    bid("middlehand", "pass"),
    bid("backhand", "pass"),
    named("forehand", "solo", "H"),
    {"type": "cards_discarded", "seat": "middlehand", "cards": []},
    {"type": "cards_discarded", "seat": "backhand", "cards": []},
    *plays("F-H7 M-D? B-CA"),
]
CLAIM = {"type": "tricks_claimed", "seat": "forehand", "tricks": {"forehand": 8}}
ALL_PASS = [OPENING, *(bid(seat, "pass") for seat in OPENING["players"])]
VOID = [OPENING, {"type": "deal_voided", "reason": "a card too many"}]
LINES: list[tuple[list[Json], str, str]] = [
    (PLAYED[:1], "Anna is forehand, Bo middlehand, Carl backhand.",
     "Anna er forhånd, Bo mellemhånd, Carl baghånd."),
    (PLAYED[:2], "Anna bids solo. Bo is to speak.", "Anna melder solo. Bo skal melde."),
    (PLAYED[:3], "Bo passes. Carl is to speak.", "Bo melder pas. Carl skal melde."),
    (PLAYED[:4], "Anna has the bid. Anna is to name the game.", "Anna har meldingen. Anna skal vælge spil."),
    (PLAYED[:5], "Anna has the bid: solo in hearts. Bo is to exchange.",
     "Anna har meldingen: solo i hjerter. Bo skal købe."),
    (PLAYED[:7], "Anna has the bid: solo in hearts. Anna is to lead.",
     "Anna har meldingen: solo i hjerter. Anna skal spille ud."),
    (PLAYED[:8], "Trick 1: Anna leads manille. Bo is to play.",
     "Stik 1: Anna spiller manille ud. Bo skal spille."),
    (PLAYED[:9], "Trick 1: Bo plays one of the diamonds. Carl is to play.",
     "Stik 1: Bo lægger en ruder. Carl skal spille."),
    (PLAYED, "Trick 1: Carl plays basta; Anna takes the trick. Anna is to lead.",
     "Stik 1: Carl lægger basta; Anna tager stikket. Anna skal spille ud."),
    ([*PLAYED, CLAIM], "Anna claims the rest. Trick 1: Carl plays basta; Anna takes the trick.",
     "Anna lægger kortene op og tager resten. Stik 1: Carl lægger basta; Anna tager stikket."),
    (ALL_PASS, "All have passed.", "Alle har meldt pas."),
    (VOID, "The deal is over.", "Spillet er slut."),
    ([OPENING, {"type": "result_recorded"}], "The deal is over.", "Spillet er slut."),
]  # fmt: skip


def said(state: Json, lang: str = "en") -> str:
    return " ".join(sentences(state, Terms(state, Manner(lang=lang, rules=rules_of(state)))))


@pytest.mark.parametrize(("events", "english", "danish"), LINES, ids=[english for _, english, _ in LINES])
def test_each_phase_has_its_line(events: list[Json], english: str, danish: str) -> None:
    state = state_of(events)
    assert said(state, "en").startswith(english)
    assert said(state, "da").startswith(danish)


def test_the_deal_and_an_offer_to_surrender_have_a_line() -> None:
    dealt = {**replayed("belinda", 4), "phase": "auction"}
    assert said(dealt) == "The cards are dealt. Belinda is to speak."
    open_offer: dict[str, Any] = {"seat": "forehand", "accepted": [], "forbidden_by": None}
    offered = {**replayed("ombre-surrender-forbidden-won"), "phase": "play", "surrender": open_offer}
    assert re.match(r"[^.]+ offers to surrender\.", said(offered)), "the offer is told first"


def test_a_caption_is_shortened_by_whole_sentences() -> None:
    whole = "Stik 4: Sir Anonym lægger et skjult kort; Belinda tager stikket. Belinda skal spille ud."
    shorter = (whole.removesuffix(" Belinda skal spille ud."), "Stik 4 til Belinda. Belinda skal spille ud.")
    lines = [caption(drawing(replayed("belinda", 26), width=width, lang="da")) for width in (320, 390, 1600)]
    assert set(lines) <= {whole, *shorter}
    assert lines[0] in shorter, "a narrow drawing has no room for both sentences"
    assert lines[-1] == whole
