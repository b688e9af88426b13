"""`spadille show` and `spadille replay`: a deal as one likes to look at it, and entry by entry."""

import json
import re

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Log, audit, legal, log_of
from engine.core.events import DealOpened
from engine.core.vocabulary import Players
from engine.report import report
from engine.view import view
from schemas.answers.states import legal_object, score_object, state_object
from schemas.logs.pieces import PIECE, pieces_of
from schemas.wire.reader import read_event
from service.cli import main
from service.cli.commands.replay import told
from service.cli.commands.show import drawn
from service.cli.commands.validate import report_lines
from service.cli.io.inputs import Deal
from service.cli.io.terminal_text import printable, readable
from service.http.web.report_file import article_html
from service.presentation.reports.article import About
from service.presentation.reports.vouching import unvouched
from service.presentation.text.accounts import score_lines
from service.presentation.text.layout import cells
from service.presentation.text.style import Style
from service.records.points import VIEWERS, audited
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, Json, answers, jsonl, opened, run
from tests.support.effort import examples
from tests.support.schemas.strategies import events


def event(kind: str, /, **fields: object) -> Json:
    return {"type": kind, **fields}


def played(leader: str, cards: str) -> list[Json]:
    seats = ["forehand", "middlehand", "backhand"]
    first = seats.index(leader)
    in_order = seats[first:] + seats[:first]
    return [event("card_played", seat=s, card=c) for s, c in zip(in_order, cards.split(), strict=True)]


CLUB: list[Json] = [
    opened(title="The club's deal", source="Anna's book", table="3", number=12, dealer="Carl", pool=None),
    event("hand_dealt", seat="forehand", cards=["SA", "SK", "CK", "C3", "HK", "HA", "D2", "D3", "D4"]),
    event("hand_dealt", seat="middlehand", cards=["SQ", "SJ", "S5", "S3", "C4", "C2", "H5", "DK", "D7"]),
    event("hand_dealt", seat="backhand", cards=["S6", "S4", "C7", "C6", "C5", "HJ", "H2", "H3", "H6"]),
    event("bid_made", seat="forehand", bid="simple", said="spil!"),
    event("bid_made", seat="middlehand", bid="tourne"),
    event("bid_made", seat="forehand", bid="self"),
    event("bid_made", seat="middlehand", bid="pass"),
    event("bid_made", seat="backhand", bid="pass"),
    event("contract_named", seat="forehand", contract="tourne"),
    event("talon_turned", card="H7"),
    event("cards_discarded", seat="forehand", cards=["C3", "D2", "D3", "D4"]),
    event("cards_drawn", seat="forehand", cards=["H7", "CA", "??", "??"]),
    event("cards_discarded", seat="middlehand", cards=[]),
    event("cards_discarded", seat="backhand", cards=["??"]),
    event("cards_drawn", seat="backhand", cards=["DQ"]),
    *played("forehand", "SA H5 H2"),
    *played("forehand", "H7 SQ H3"),
    event("irregularity_noted", seat="middlehand", kind="looked into the tricks", by_seat="backhand"),
    *played("forehand", "CA S3 H6"),
    event("note_added", text="Three matadors.\nAnd more to come.", on=24, mark="!", author="Bo"),
    event("note_added", text="A fine hand.", on=2),
    event("note_added", text="Nothing bought.", on=14),
]
"""Seen by one who stood behind forehand: an auction with self, a turned card, hidden draws, notes."""

SHOWN = """\
The club's deal
deal 1 (number 12)
Anna's book
Danish Ombre Union (DLU) · table 3 · Carl deals

Hands as dealt
  Forehand    Anna  ♠A ♥A ♥K   ♠K   ♦2 ♦3 ♦4   ♣K ♣3
      │ A fine hand.
  Middlehand  Bo    ♥5   ♠Q ♠J ♠5 ♠3   ♦K ♦7   ♣4 ♣2
  Backhand    Carl  ♥J ♥2 ♥3 ♥6   ♠6 ♠4   ♣7 ♣6 ♣5

Auction
  Anna  simple game: “spil!”
  Bo    tourné
  Anna  self
  Bo    pass
  Carl  pass
  Anna has the contract: tourné in hearts
  ♥7 is turned: hearts are trumps

Exchange
  Anna  discards ♣3 ♦2 ♦3 ♦4      draws ♥7 ♣A and 2 unseen cards
  Bo    stands
      │ Nothing bought.
  Carl  discards one unseen card  draws ♦Q

Hands in the play
  Forehand    Anna  ♠A ♥7 ♣A ♥A ♥K   ♠K   ♣K   + 2 unknown
  Middlehand  Bo    ♥5   ♠Q ♠J ♠5 ♠3   ♦K ♦7   ♣4 ♣2
  Backhand    Carl  ♥2 ♥3 ♥6   ♦Q   + 5 unknown

Tricks (* wins)
     leader               F–M–B
  1  Anna    ♠A*  ♥5  ♥2  1–0–0
  2  Anna    ♥7*  ♠Q  ♥3  2–0–0
      – Looked into the tricks is called on Bo by Carl
  3  Anna    ♣A*  ♠3  ♥6  3–0–0
      │ ♣A! Three matadors.
      │ And more to come. — Bo

Hands now
"""


def test_a_deal_from_its_title_to_its_tricks() -> None:
    shown = run("show", "-", given=jsonl(CLUB)).stdout
    assert shown[: len(SHOWN)] == SHOWN
    rest = shown[len(SHOWN) :]
    assert "\nNext\n  Anna to play: " in rest
    assert "\nScore\n  tourné in hearts: not decided yet\n" in rest


def test_a_deal_in_danish() -> None:
    shown = run("show", "--lang", "da", "-", given=jsonl(CLUB)).stdout
    for line in (
        "Dansk L'hombre-Union (DLU) · bord 3 · Carl giver",
        "  Mellemhånd  Bo    ♥5   ♠D ♠Kn ♠5 ♠3   ♦K ♦7   ♣4 ♣2",
        "  Anna  spil: »spil!«",
        "  Anna  kan selv",
        "  Bo    køber ikke",
        "  1  Anna    ♠E*  ♥5  ♥2  1–0–0",
        "  tourné i hjerter: ikke afgjort endnu",
    ):
        assert f"\n{line}\n" in shown, line


def test_a_slip_has_no_empty_sections() -> None:
    assert run("show", "-", given=jsonl(SLIP)).stdout.splitlines()[:6] == [
        "deal 1",
        "Danish Ombre Union (DLU)",
        "Anna is forehand, Bo middlehand, Carl backhand",
        "      – The slip says: Bo, solo in hearts, tricks Anna 3, Bo 4, Carl 2",
        "",
        "Score",
    ]


def test_a_fault_is_marked_where_it_is_and_explained_at_the_end() -> None:
    shown = run("show", "-", given=jsonl(REVOKED)).stdout
    assert "  1  Anna    ♣A  ♥7  ✗10\n" in shown
    assert "\nFindings\n  ✗ entry 10, middlehand: Bo plays ♥7 to ♣A" in shown


def test_cards_played_after_the_end_stand_apart() -> None:
    deal = [*OPEN, event("card_played", seat="middlehand", card="C3")]
    assert "\n  played on: M ♣3\n" in run("show", "-", given=jsonl(deal)).stdout


def test_at_shows_the_hands_and_what_may_happen_then() -> None:
    shown = run("show", "--at", "8", "-", given=jsonl(OPEN)).stdout
    assert "Hands now\n  Forehand    Anna  8 unknown\n" in shown
    assert "\nNext\n  Bo to play: ♣3 ♣2\n" in shown
    assert "♠K" not in shown
    bidding = run("show", "--at", "3", "--lang", "da", "-", given=jsonl(OPEN)).stdout
    assert "\nNæste\n  Bo melder: pas, bedre spil, købe-nolo, tourné, solo, " in bidding
    naming = run("show", "--at", "5", "-", given=jsonl([*OPEN[:3], *PASSED_OUT[2:], *OPEN[6:]])).stdout
    assert "Anna to name the contract: simple game (♣ ♦ ♥), " in naming
    exchange = run("show", "--at", "11", "-", given=jsonl(CLUB)).stdout
    assert "Anna to exchange 2 to 9 cards" in exchange
    assert "Anna to draw 4" in run("show", "--at", "12", "-", given=jsonl(CLUB)).stdout
    assert "The talon's top card to be turned" in run("show", "--at", "10", "-", given=jsonl(CLUB)).stdout


def test_a_correction_is_mentioned_and_its_word_stands() -> None:
    wrong = {**OPEN[7], "card": "CK"}
    right = event("correction_made", replaces=[8], reason="typed wrong", **{"with": [OPEN[7]]})
    shown = run("show", "-", given=jsonl([*OPEN[:7], wrong, *OPEN[8:], right])).stdout
    assert "The record has been corrected" in shown
    assert "  1  Anna    ♣A  ♣2*  ♠K" in shown
    assert "The record has been corrected" not in run("show", "-", given=jsonl(OPEN)).stdout


@pytest.mark.parametrize(("width", "most"), [("20", 60), ("77", 77), ("300", 100)])
def test_no_line_is_wider_than_the_page(width: str, most: int) -> None:
    shown = run("show", "-", given=jsonl([*CLUB, event("note_added", text="word " * 80)]), COLUMNS=width)
    assert most - 8 < max(map(cells, shown.stdout.splitlines())) <= most


# --- `spadille replay`: entry by entry, as states and in words -------------------------------------


def test_a_line_has_the_event_and_what_is_after_it() -> None:
    lines = answers(run("replay", "--format", "json", "-", given=jsonl(OPEN)))
    assert [line["seq"] for line in lines] == list(range(1, len(OPEN) + 1))
    assert all(list(line) == ["seq", "event", "state", "legal", "score"] for line in lines)
    for event, line in zip(OPEN, lines, strict=True):
        bookkeeping = {"id", "seq", "recorded_at", "stored_at", "recorded_by", "basis", "accounts"}
        assert bookkeeping <= set(line["event"])
        assert {name: value for name, value in line["event"].items() if name not in bookkeeping} == event
    for count, line in enumerate(lines, 1):
        audited = audit(log_of(map(read_event, OPEN[:count])))
        told = [state_object(audited.state), legal_object(legal(audited.state)), score_object(audited.score)]
        assert [line["state"], line["legal"], line["score"]] == told
        if count in (1, 4, 11):
            part = run("replay", "--format", "json", "--at", str(count), "-", given=jsonl(OPEN))
            assert answers(part) == lines[:count]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--at", "12"), "deal 1: The log has no entry 12. Its entries are 1 to 11."),
        (("--at", "7.1"), "no entry 7.1"),
        (("--known", "12"), "deal 1: The log has 11 entries, and known=12 asks for more."),
        (("--at", "3."), "--at"),
        (("--known", "0"), "--known"),
    ],
)
def test_a_point_that_is_not_there_is_told_and_the_other_deals_are_shown(
    option: tuple[str, str], said: str
) -> None:
    longer = [*OPEN, {"type": "correction_made", "replaces": [7], "reason": "", "with": [OPEN[6]]}]
    result = run("replay", "--format", "json", *option, "-", given=jsonl(OPEN, longer))
    assert result.exit_code == 2
    assert said in result.stderr
    assert bool(answers(result)) is ("12" in option)


def test_a_viewer_sees_only_what_he_may_know() -> None:
    unseen = [event for event in OPEN if event["type"] != "cards_shown"]
    for viewer, sees in (("public", False), ("backhand", False), ("middlehand", True)):
        result = run("replay", "--format", "json", "--viewer", viewer, "-", given=jsonl(unseen))
        assert ("C3" in result.stdout) is sees
        assert "Open cards" not in result.stdout


def test_in_words() -> None:
    told = run("replay", "-", given=jsonl(OPEN)).stdout.splitlines()
    assert told[:2] == ["Open cards", "   1  Anna is forehand, Bo middlehand, Carl backhand"]
    assert told[11:] == ["  11  Carl plays the king of spades — Bo wins trick 1", ""]


# --- Variations in files: judged, scored and shown behind the deal that they leave -----------------


HEAD = "Rules: dlu\nForehand: Anna\nMiddlehand: Bo\nBackhand: Carl\n"
LEFT = f"Deal: The club’s game\n{HEAD}\nF bids simple; M passes; B passes\n"
SOLO = f'Deal: Solo instead\n{HEAD}Branch: "The club’s game" at @2\n\nM bids solo\n'
SPADES = f'Deal: And spades\n{HEAD}Branch: "solo instead" at @2\n\nF bids spade-solo\n'
KING = (
    "Deal: If she leads the king of hearts\nRules: ombre\nForehand: Belinda\nMiddlehand: the Baron\n"
    'Backhand: Sir Anonym\nBranch: "Belinda’s game" at @26\n\n5: F HK\n'
)


def ran(*args: str, text: str = "") -> str:
    """What a command prints."""
    result = CliRunner().invoke(main, [*args, "-"], input=text, catch_exceptions=False)
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def replayed(*deals: str) -> list[tuple[int | str, list[str]]]:
    """Each entry, and the calls after it."""
    lines = map(json.loads, ran("replay", "--format", "json", text="\n".join(deals)).splitlines())
    return [(line["seq"], [call["bid"] for call in line["state"]["calls"]]) for line in lines]


def test_a_variation_goes_on_where_it_leaves_the_deal_before_it() -> None:
    told = replayed(LEFT, SOLO, SPADES)[4:]
    assert told == [
        ("1.1", []), ("1.2", ["simple"]), (2, ["simple", "solo"]),
        ("1.1", []), ("1.2", ["simple"]), ("1.3", ["simple", "solo"]), (2, ["simple", "solo", "spade-solo"]),
    ]  # fmt: skip


def test_a_variation_of_a_deal_of_the_library() -> None:
    shown = ran("show", "--lang", "en", text=KING)
    assert "Belinda  ♠K*" in shown and "5  Belinda  ♥K" in shown
    assert "1.27" not in ran("replay", "--at", "1.20", text=KING)


@pytest.mark.parametrize(
    ("text", "says"),
    [(SOLO, "is not here"), (KING.replace("@26", "@999"), "at is 999")],
    ids=["no such deal", "no such point"],
)
def test_a_beginning_that_is_missing_is_told(text: str, says: str) -> None:
    told = " ".join(ran("validate", "--lang", "en", text=text).split())
    assert "beginning missing" in told and says in told
    assert "variantens begyndelse mangler" in ran("validate", "--lang", "da", text=text)


@pytest.mark.parametrize("size", [200, 700, PIECE])
@pytest.mark.parametrize("form", ["deal", "jsonl"])
def test_no_file_is_cut_before_a_variation(form: str, size: int) -> None:
    text = "\n".join([LEFT, SOLO, SPADES, "Deal: Another\n" + HEAD + "\nF bids solo\n"] * 5)
    data = (text if form == "deal" else ran("convert", "--to", "jsonl", text=text)).encode()
    parts = [
        b"".join(piece.chunks())
        for piece in pieces_of(iter([data[at : at + 50] for at in range(0, len(data), 50)]), size)
    ]
    assert b"".join(parts) == data
    for part in parts[1:]:
        opening = part.partition(b"\n\n" if form == "deal" else b"\n")[0]
        assert b"ranch" not in opening
    assert (len(parts) > 3) == (size < PIECE)


# --- Whatever events a log holds, it can be told and drawn within the page -------------------------


PLAYERS = st.sampled_from(["Anna", "Bo\x1b[2J", "漢字" * 30, "x" * 200])
OPENINGS = st.builds(
    DealOpened,
    ruleset=st.sampled_from(["dlu", "ombre", "whist"]),
    players=st.builds(Players, PLAYERS, PLAYERS, PLAYERS),
    title=st.sampled_from([None, "A deal\n✓ not ours"]),
    pool=st.sampled_from([None, 0, 5]),
)
LOGS = st.builds(lambda opening, more: log_of([opening, *more]), OPENINGS, st.lists(events(), max_size=10))
STYLES = st.builds(
    Style, lang=st.sampled_from(["da", "en"]), width=st.sampled_from([60, 80, 100]), symbols=st.booleans()
)


@settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(LOGS, STYLES)
def test_any_log_is_told_within_the_page(log: Log, style: Style) -> None:
    log = readable(log)
    judged, deal = audited(log, "all", None), Deal("f", 1, log)
    shown = [
        *drawn(deal, judged, style),
        *told(judged.history, style),
        *report_lines(deal, judged, style),
        *score_lines(judged.state, judged.score, style, tricks=True),
    ]
    for line in "\n".join(shown).split("\n"):
        assert cells(line) <= style.width
        assert line == printable(line)


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(LOGS, st.sampled_from(["da", "en"]), st.sampled_from(list(VIEWERS)))
def test_any_log_is_reported_on_as_html(log: Log, lang: str, viewer: str) -> None:
    seen = view(log, VIEWERS[viewer])
    html = article_html(report(seen), lang, About(unvouched(seen, "f")), "")
    assert html.count("<article") == html.count("</article>") == 1
    places = set(re.findall(r' id="([^"]+)"', html))
    assert {one for one in re.findall(r'href="#([^"]+)"', html) if not one.startswith("pip-")} <= places
