"""The line below a drawing says what has just happened and who is to act, in both languages."""

from typing import Any

import pytest

from service.presentation.svg.caption import sentences
from service.presentation.svg.manner import Manner
from service.presentation.svg.terms import Terms
from tests.support.drawing.looking import SLIP, Json, caption, drawing, replayed, rules_of, state_of

OPENING = SLIP[0]
PLAYED: list[Json] = [
    OPENING,
    {"type": "bid_made", "seat": "forehand", "bid": "solo"},
    {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
    {"type": "bid_made", "seat": "backhand", "bid": "pass"},
    {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "H"},
    {"type": "cards_discarded", "seat": "middlehand", "cards": []},
    {"type": "cards_discarded", "seat": "backhand", "cards": []},
    {"type": "card_played", "seat": "forehand", "card": "H7"},
    {"type": "card_played", "seat": "middlehand", "card": "D?"},
    {"type": "card_played", "seat": "backhand", "card": "CA"},
]
CLAIM = {"type": "tricks_claimed", "seat": "forehand", "tricks": {"forehand": 8}}


def said(events: list[Json], lang: str) -> str:
    state = state_of(events)
    return " ".join(sentences(state, Terms(state, Manner(lang=lang, rules=rules_of(state)))))


ALL_PASS = [
    OPENING,
    *({"type": "bid_made", "seat": seat, "bid": "pass"} for seat in OPENING["players"]),
]
VOID = [OPENING, {"type": "deal_voided", "reason": "a card too many"}]
LINES: list[tuple[list[Json], str]] = [
    (PLAYED[:1], "Anna is forehand, Bo middlehand, Carl backhand."),
    (PLAYED[:2], "Anna bids solo. Bo is to speak."),
    (PLAYED[:3], "Bo passes. Carl is to speak."),
    (PLAYED[:4], "Anna has the bid. Anna is to name the game."),
    (PLAYED[:5], "Anna has the bid: solo in hearts. Bo is to exchange."),
    (PLAYED[:7], "Anna has the bid: solo in hearts. Anna is to lead."),
    (PLAYED[:8], "Trick 1: Anna leads manille. Bo is to play."),
    (PLAYED[:9], "Trick 1: Bo plays one of the diamonds. Carl is to play."),
    (PLAYED, "Trick 1: Carl plays basta; Anna takes the trick. Anna is to lead."),
    ([*PLAYED, CLAIM], "Anna claims the rest. Trick 1: Carl plays basta; Anna takes the trick."),
    (ALL_PASS, "All have passed."),
    (VOID, "The deal is over."),
    ([OPENING, {"type": "result_recorded"}], "The deal is over."),
]


DANISH = [
    "Anna er forhånd, Bo mellemhånd, Carl baghånd.",
    "Anna melder solo. Bo skal melde.",
    "Bo melder pas. Carl skal melde.",
    "Anna har meldingen. Anna skal vælge spil.",
    "Anna har meldingen: solo i hjerter. Bo skal købe.",
    "Anna har meldingen: solo i hjerter. Anna skal spille ud.",
    "Stik 1: Anna spiller manille ud. Bo skal spille.",
    "Stik 1: Bo lægger en ruder. Carl skal spille.",
    "Stik 1: Carl lægger basta; Anna tager stikket. Anna skal spille ud.",
    "Anna lægger kortene op og tager resten. Stik 1: Carl lægger basta; Anna tager stikket.",
    "Alle har meldt pas.",
    "Spillet er slut.",
    "Spillet er slut.",
]


@pytest.mark.parametrize("number", range(len(LINES)), ids=[line for _, line in LINES])
def test_each_phase_has_its_line(number: int) -> None:
    events, english = LINES[number]
    assert said(events, "en").startswith(english)
    assert said(events, "da").startswith(DANISH[number])


def test_once_the_cards_are_dealt_forehand_speaks() -> None:
    state = replayed("belinda", 4)
    told = sentences({**state, "phase": "auction"}, Terms(state, Manner(rules=rules_of(state))))
    assert told == ["The cards are dealt.", "Belinda is to speak."]


@pytest.mark.parametrize("width", [320, 390, 800, 1600])
def test_a_caption_is_shortened_by_whole_sentences(width: int) -> None:
    line = caption(drawing(replayed("belinda", 26), width=width, lang="da"))
    assert line in (
        "Stik 4: Sir Anonym lægger et skjult kort; Belinda tager stikket. Belinda skal spille ud.",
        "Stik 4: Sir Anonym lægger et skjult kort; Belinda tager stikket.",
        "Stik 4 til Belinda. Belinda skal spille ud.",
    )


def test_a_surrender_that_waits_for_an_answer_comes_first() -> None:
    state = replayed("ombre-surrender-forbidden-won")
    open_offer: dict[str, Any] = {"seat": "forehand", "accepted": [], "forbidden_by": None}
    state |= {"phase": "play", "surrender": open_offer}
    told = sentences(state, Terms(state, Manner(rules=rules_of(state))))
    assert told[0].endswith("offers to surrender.")
