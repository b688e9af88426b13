"""What is said of each type of event, in both languages."""

import pytest

from engine import evolve, log_of
from engine.events import DEAL_EVENTS, type_name
from engine.log import EVENT_TYPES
from engine.state import START
from schemas.reader import read_event
from service.wording.sentences import Telling, sentence
from service.wording.style import Style
from tests.support.cli.deals import Json, opened

SAID: dict[str, tuple[Json, str, str]] = {
    "hand_dealt": (
        {"seat": "backhand", "cards": ["SA", "H7", "??", "??", "D?"]},
        "Carl is dealt ♠A ♥7 ♦? and 2 unseen cards",
        "Carl får ♠E ♥7 ♦? og 2 skjulte kort",
    ),
    "talon_laid": (
        {"cards": ["H7", "??"]},
        "The talon is laid, top first: ♥7 and one unseen card",
        "Talonen er lagt, øverst først: ♥7 og et skjult kort",
    ),
    "bid_made": (
        {"seat": "forehand", "bid": "simple", "trump": "H", "said": "spil i hjerter"},
        "Anna bids simple game, naming hearts already: “spil i hjerter”",
        "Anna melder spil og nævner allerede hjerter: »spil i hjerter«",
    ),
    "cards_shown": (
        {"seat": "forehand", "cards": ["SA", "CA"], "why": "respect"},
        "Anna shows ♠A ♣A: respect",
        "Anna viser ♠E ♣E: respect",
    ),
    "hand_held": ({"seat": "middlehand", "cards": []}, "Bo has now no cards", "Bo har nu ingen kort"),
    "contract_named": (
        {"seat": "middlehand", "contract": "solo", "trump": "H"},
        "Bo has the contract: solo in hearts",
        "Bo har meldingen: solo i hjerter",
    ),
    "trump_named": ({"seat": "middlehand", "trump": "C"}, "Bo names trumps: clubs", "Bo nævner trumf: klør"),
    "exchange_yielded": (
        {"seat": "backhand"},
        "Carl yields the first choice of the talon",
        "Carl lader den anden købe først",
    ),
    "talon_seen": (
        {"cards": ["H4"], "seats": ["forehand", "backhand"]},
        "What is left of the talon is looked at by Anna and Carl: ♥4",
        "Anna og Carl ser resten af talonen: ♥4",
    ),
    "cards_discarded": ({"seat": "forehand", "cards": []}, "Anna discards nothing", "Anna køber ikke"),
    "cards_drawn": ({"seat": "forehand", "cards": ["DQ"]}, "Anna draws ♦Q", "Anna køber ♦D"),
    "hand_taken_over": (
        {"seat": "forehand", "player": "Dot"},
        "Dot takes over the hand of Anna",
        "Dot overtager kortene fra Anna",
    ),
    "card_played": (
        {"seat": "forehand", "card": "??"},
        "Anna leads an unseen card",
        "Anna spiller et skjult kort ud",
    ),
    "slam_announced": ({"seat": "forehand"}, "Anna goes for all nine tricks", "Anna går efter alle ni stik"),
    "tricks_claimed": (
        {"seat": "middlehand", "tricks": {"middlehand": 5, "forehand": 4}},
        "Bo claims: Anna 4, Bo 5",
        "Bo lægger op: Anna 4, Bo 5",
    ),
    "claim_answered": (
        {"seat": "forehand", "answer": "contest"},
        "Anna contests the claim",
        "Anna er ikke enig",
    ),
    "deal_abandoned": (
        {"seat": "forehand", "pays": "codille"},
        "Anna gives up, to pay as codille",
        "Anna giver op mod at betale som kruk",
    ),
    "surrender_offered": ({"seat": "forehand"}, "Anna offers to surrender", "Anna tilbyder at give op"),
    "surrender_answered": (
        {"seat": "backhand", "answer": "forbid"},
        "Carl forbids the surrender and plays on alone",
        "Carl siger nej og spiller det selv",
    ),
    "action_withdrawn": (
        {"of": 7, "text": "a slip"},
        "What entry 7 says is taken back: a slip",
        "Hvad post 7 siger, tages tilbage: a slip",
    ),
    "result_recorded": (
        {
            "outcome": "won",
            "declarer": "forehand",
            "contract": "solo",
            "trump": "D",
            "slam": "made",
            "primeras": True,
            "estuches": 4,
        },
        "The slip says: Anna, solo in diamonds, won, all nine tricks made, primeras, 4 estuches",
        "Sedlen siger: Anna, solo i ruder, vundet, alle ni stik taget, primeras, 4 estuches",
    ),
    "irregularity_noted": (
        {"seat": "backhand", "kind": "talking", "by_seat": "forehand", "text": "loudly"},
        "Talking is called on Carl by Anna: loudly",
        "Der gøres indsigelse mod Carl: talking, af Anna: loudly",
    ),
    "ruling_made": (
        {
            "text": "Lost.",
            "outcome": "forfeited",
            "at_fault": "backhand",
            "payments": {"backhand": -2, "Anna": 2},
            "penalty": {"backhand": 1},
        },
        "The director rules: Lost; forfeited; at fault: Carl; Carl −2, Anna +2; penalty: Carl 1",
        "Turneringslederen afgør: Lost; fortabt; skyld: Carl; Carl −2, Anna +2; straf: Carl 1",
    ),
    "deal_voided": ({"reason": "41 cards"}, "The deal is void: 41 cards", "Spillet gælder ikke: 41 cards"),
    "puesta_reserved": (
        {"seat": "forehand"},
        "Anna sets the puesta aside",
        "Anna lægger sin puesta til side",
    ),
    "correction_made": (
        {"replaces": [], "with": [], "reason": "typed wrong"},
        "The record is corrected: typed wrong",
        "Optegnelsen rettes: typed wrong",
    ),
    "gap_noted": ({}, "Entries are missing here", "Her mangler noget"),
    "note_added": (
        {"text": "Well\nplayed", "on": 4, "mark": "!", "author": "Pope"},
        "Note on entry 4: “! Well played” — Pope",
        "Note til post 4: »! Well played« — Pope",
    ),
    "deal_settled": (
        {"payments": {"forehand": 2, "middlehand": -1, "Carl": -1}},
        "Paid at the table: Anna +2, Bo −1, Carl −1",
        "Betalt ved bordet: Anna +2, Bo −1, Carl −1",
    ),
    "deal_closed": (
        {"payments": {"forehand": 0}, "engine": "0.1"},
        "The record is closed: Anna 0 (0.1)",
        "Optegnelsen lukkes: Anna 0 (0.1)",
    ),
    "player_joined": (
        {"player": "Dot"},
        "Player joined, which belongs to a table",
        "Player joined, som hører til et bord",
    ),
}


def said(before: list[Json], event: Json, lang: str) -> str:
    """The sentence about an event that comes after others."""
    *earlier, entry = log_of(read_event(one) for one in [*before, event])
    state = START
    for one in earlier:
        state = evolve(state, one)
    return sentence(entry, Telling(state, evolve(state, entry), Style(lang)))


def test_a_sentence_for_each_type(subtests: pytest.Subtests) -> None:
    for kind in SAID:
        with subtests.test(kind=kind):
            fields, english, danish = SAID[kind]
            assert said([opened()], {"type": kind, **fields}, "en") == english
            assert said([opened()], {"type": kind, **fields}, "da") == danish


def test_no_type_is_left_out() -> None:
    elsewhere = {"deal_opened", "talon_turned"}
    assert {type_name(one) for one in DEAL_EVENTS} - set(SAID) == elsewhere
    assert set(SAID) <= set(EVENT_TYPES)


@pytest.mark.parametrize(
    ("event", "english", "danish"),
    [
        ({"type": "bid_made", "seat": "forehand", "bid": "pass"}, "Anna passes", "Anna melder pas"),
        (
            {"type": "bid_made", "seat": "forehand", "bid": "self"},
            "Anna says self and takes over the bid",
            "Anna kan selv",
        ),
        ({"type": "deal_abandoned", "seat": "forehand"}, "Anna gives up", "Anna giver op"),
        (
            {"type": "claim_answered", "seat": "backhand", "answer": "accept"},
            "Carl accepts the claim",
            "Carl er enig",
        ),
        (
            {"type": "surrender_answered", "seat": "backhand", "answer": "accept"},
            "Carl accepts the surrender",
            "Carl tager imod",
        ),
        ({"type": "result_recorded"}, "The slip says nothing", "Sedlen siger intet"),
        (
            {"type": "ruling_made", "text": "Play on"},
            "The director rules: Play on",
            "Turneringslederen afgør: Play on",
        ),
        (
            {"type": "irregularity_noted", "seat": "forehand", "kind": "signs"},
            "Signs is called on Anna",
            "Der gøres indsigelse mod Anna: signs",
        ),
        ({"type": "note_added", "text": "x"}, "Note: “x”", "Note: »x«"),
        (
            {"type": "talon_seen", "cards": [], "seats": []},
            "What is left of the talon is looked at by somebody: no cards",
            "Nogen ser resten af talonen: ingen kort",
        ),
        (
            opened(),
            "Anna is forehand, Bo middlehand, Carl backhand",
            "Anna er forhånd, Bo mellemhånd, Carl baghånd",
        ),
    ],
)
def test_other_turns_of_phrase(event: Json, english: str, danish: str) -> None:
    assert said([opened()], event, "en") == english
    assert said([opened()], event, "da") == danish


NAMED = [opened(), {"type": "contract_named", "seat": "backhand", "contract": "tourne"}]


@pytest.mark.parametrize(
    ("card", "english"),
    [
        ("H4", "♥4 is turned: hearts are trumps"),
        ("CA", "♣A is turned: clubs are trumps"),
        ("??", "A card is turned"),
    ],
)
def test_the_turned_card(card: str, english: str) -> None:
    assert said(NAMED, {"type": "talon_turned", "card": card}, "en") == english


def test_a_trick_that_nobody_knows_who_won() -> None:
    before = [
        opened(),
        {"type": "card_played", "seat": "forehand", "card": "C3"},
        {"type": "card_played", "seat": "middlehand", "card": "C4"},
    ]
    last = {"type": "card_played", "seat": "backhand", "card": "C5"}
    assert said(before, last, "en") == "Carl plays the five of clubs — who wins trick 1 is not known"
