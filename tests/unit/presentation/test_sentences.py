"""What is said of each type of event, in both languages."""

import io

import pytest

from engine import evolve
from engine.core.events import DEAL_EVENTS, type_name
from engine.core.log import Entry
from engine.core.table_events import PlayerJoined
from engine.play.state import INITIAL_STATE
from schemas.notation import read_notation_logs
from service.presentation.text.sentences import SentenceContext, entry_sentence
from service.presentation.text.style import TextStyle

OPENING = "Deal:\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
SAID = r"""
B hand SA H7 ?? ?? D?
  Carl is dealt ♠A ♥7 ♦? and 2 unseen cards
  Carl får ♠E ♥7 ♦? og 2 skjulte kort
Talon H7 ??
  The talon is laid, top first: ♥7 and one unseen card
  Talonen er lagt, øverst først: ♥7 og et skjult kort
F bids simple in H "spil i hjerter"
  Anna bids simple game, naming hearts already: “spil i hjerter”
  Anna melder spil og nævner allerede hjerter: »spil i hjerter«
F shows SA CA "respect"
  Anna shows ♠A ♣A: respect
  Anna viser ♠E ♣E: respect
M holds none
  Bo has now no cards
  Bo har nu ingen kort
M names solo in H
  Bo has the contract: solo in hearts
  Bo har meldingen: solo i hjerter
M chooses C
  Bo names trumps: clubs
  Bo vælger trumf: klør
B yields
  Carl yields the first choice of the talon
  Carl lader den anden købe først
Seen by F B H4
  The rest of the talon is seen by Anna and Carl: ♥4
  Anna og Carl ser resten af talonen: ♥4
F stands
  Anna discards nothing
  Anna køber ikke
F draws DQ
  Anna draws ♦Q
  Anna køber ♦D
F taken over by Dot
  Dot takes over the hand of Anna
  Dot overtager kortene fra Anna
1. F ??
  Anna leads an unseen card
  Anna spiller et skjult kort ud
F announces slam
  Anna goes for all nine tricks
  Anna går efter alle ni stik
M claims F 4 M 5
  Bo claims: Anna 4, Bo 5
  Bo lægger op: Anna 4, Bo 5
F contests claim
  Anna contests the claim
  Anna er ikke enig
F abandons as codille
  Anna gives up, to pay as codille
  Anna kaster kortene og betaler som kruk
F surrenders
  Anna offers to surrender
  Anna vil give op
B forbids surrender
  Carl forbids the surrender and plays on alone
  Carl siger nej og spiller det selv
Withdrawn @7 "a slip"
  Entry 7 is taken back: a slip
  Post 7 tages tilbage: a slip
Result F solo in D, won, slam made, primeras yes, estuches 4
  The slip says: Anna, solo in diamonds, won, all nine tricks made, primeras, 4 estuches
  Sedlen siger: Anna, solo i ruder, vundet, alle ni stik taget, primeras, 4 estuches
Irregularity B talking called by F "loudly"
  Talking is called against Carl by Anna: loudly
  Der gøres indsigelse mod Carl: talking, af Anna: loudly
Ruling "Lost.", outcome forfeited, fault B, payments B -2 Anna +2, penalty B 1
  The director rules: Lost; forfeited; at fault: Carl; Carl −2, Anna +2; penalty: Carl 1
  Turneringslederen afgør: Lost; fortabt; skyld: Carl; Carl −2, Anna +2; straf: Carl 1
Voided "41 cards"
  The deal is void: 41 cards
  Spillet gælder ikke: 41 cards
F reserves puesta
  Anna sets the puesta aside
  Anna lægger sin puesta til side
Correction "typed wrong"
  The record is corrected: typed wrong
  Optegnelsen rettes: typed wrong
Gap
  Entries are missing here
  Her mangler noget
{! Well\nplayed} by Pope on @4
  Note on entry 4: “! Well played” — Pope
  Note til post 4: »! Well played« — Pope
Settled F +2 M -1 Carl -1
  Paid at the table: Anna +2, Bo −1, Carl −1
  Betalt ved bordet: Anna +2, Bo −1, Carl −1
Closed F 0 engine "0.1"
  The record is closed: Anna 0 (0.1)
  Optegnelsen lukkes: Anna 0 (0.1)
F passes
  Anna passes
  Anna melder pas
F bids self
  Anna says self and takes over the bid
  Anna kan selv
B accepts claim
  Carl accepts the claim
  Carl er enig
B accepts surrender
  Carl accepts the surrender
  Carl siger ja
Result
  The slip says nothing
  Sedlen siger intet
Seen by none none
  The rest of the talon is seen by somebody: no cards
  Nogen ser resten af talonen: ingen kort
B names tourne; Turned H4
  ♥4 is turned: hearts are trumps
  ♥4 er vendt: hjerter er trumf
B names tourne; Turned ??
  A card is turned
  Et kort er vendt
1. F C3 M C4 B C5
  Carl plays the five of clubs — who wins trick 1 is not known
  Carl lægger klør 5 — hvem der tager stik 1, vides ikke
"""
"""Events in the notation; below each, what is said of it, or of the last of several."""
LINES = [line.strip() for line in SAID.strip().splitlines()]
ROWS = list(zip(LINES[::3], LINES[1::3], LINES[2::3], strict=True))


def log_of_text(text: str) -> tuple[Entry, ...]:
    """The log of a deal in which these events come after its opening."""
    (deal,) = read_notation_logs(io.BytesIO(f"{OPENING}{text}\n".encode()), "a deal")
    assert not deal.problems
    return deal.log


def last_sentence(log: tuple[Entry, ...], lang: str) -> str:
    state = INITIAL_STATE
    for entry in log[:-1]:
        state = evolve(state, entry)
    return entry_sentence(log[-1], SentenceContext(state, evolve(state, log[-1]), TextStyle(lang)))


def test_a_sentence_for_each_event(subtests: pytest.Subtests) -> None:
    for text, english, danish in ROWS:
        with subtests.test(text):
            log = log_of_text(text)
            assert (last_sentence(log, "en"), last_sentence(log, "da")) == (english, danish)


def test_an_opening_and_what_only_a_table_has() -> None:
    opening = log_of_text("")
    assert last_sentence(opening, "en") == "Anna is forehand, Bo middlehand, Carl backhand"
    assert last_sentence(opening, "da") == "Anna er forhånd, Bo mellemhånd, Carl baghånd"
    joined = (*opening, Entry(2, PlayerJoined("Dot")))
    assert last_sentence(joined, "en") == "Player joined, which belongs to a table"
    assert last_sentence(joined, "da") == "Player joined, som hører til et bord"


def test_no_type_is_left_out() -> None:
    told = {type_name(type(entry.event)) for text, *_ in ROWS for entry in log_of_text(text)}
    assert told == {type_name(one) for one in DEAL_EVENTS}
