"""`spadille show`: a deal as one likes to look at it."""

import random

import pytest

from service.presentation.text.layout import display_width
from tests.properties.slow.generator import hide
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, Json, jsonl, opening, run, whole_deal
from tests.support.effort import examples
from tests.support.engine.shorthand import bids, corrected, dealt, names, note, plays, stands, swap, turned

CLUB: list[Json] = [
    opening(title="The club's deal", source="Anna's book", table="3", number=12, dealer="Carl", pool=None),
    dealt("F", "SA SK CK C3 HK HA D2 D3 D4"),
    dealt("M", "SQ SJ S5 S3 C4 C2 H5 DK D7"),
    dealt("B", "S6 S4 C7 C6 C5 HJ H2 H3 H6"),
    *({**bid, "said": "spil!"} for bid in bids("F simple")),
    *bids("M tourne, F self, M pass, B pass"),
    *names("F", "tourne"),
    *turned("H7"),
    *swap("F", "C3 D2 D3 D4", "H7 CA ?? ??"), *stands("M"), *swap("B", "??", "DQ"),
    *plays("F-SA M-H5 B-H2 F-H7 M-SQ B-H3"),
    {"type": "irregularity_noted", "seat": "middlehand", "kind": "looked into the tricks",
     "by_seat": "backhand"},
    *plays("F-CA M-S3 B-H6"),
    note("Three matadors.\nAnd more to come.", on=24, mark="!", author="Bo"),
    note("A fine hand.", on=2),
    note("Nothing bought.", on=14),
]  # fmt: skip
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
      – Looked into the tricks is called against Bo by Carl
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


DANISH = """\
Dansk L'hombre-Union (DLU) · bord 3 · Carl giver
Kortene som de blev givet
  Forhånd     Anna  ♠E ♥E ♥K   ♠K   ♦2 ♦3 ♦4   ♣K ♣3
  Mellemhånd  Bo    ♥5   ♠D ♠Kn ♠5 ♠3   ♦K ♦7   ♣4 ♣2
  Anna  spil: »spil!«
  Anna  kan selv
  Anna har meldingen: tourné i hjerter
  ♥7 er vendt: hjerter er trumf
  Bo    køber ikke
Stikkene (* tager)
  1  Anna    ♠E*  ♥5  ♥2  1–0–0
      – Der gøres indsigelse mod Bo: looked into the tricks, af Carl
  tourné i hjerter: ikke afgjort endnu
"""


def test_a_deal_in_danish() -> None:
    shown = run("show", "--lang", "da", "-", given=jsonl(CLUB)).stdout.splitlines()
    assert [line for line in DANISH.splitlines() if line not in shown] == []


SLIP_SHOWN = """\
deal 1
Danish Ombre Union (DLU)
Anna is forehand, Bo middlehand, Carl backhand
      – The slip says: Bo, solo in hearts, tricks Anna 3, Bo 4, Carl 2

Score
  solo in hearts: Bo won
  Anna  pays Bo  3  chips
  Carl  pays Bo  3  chips

  Anna  −3
  Bo    +6
  Carl  −3

  3  from each  solo won  7. Payments

"""


def test_a_slip_has_no_empty_sections() -> None:
    assert run("show", "-", given=jsonl(SLIP)).stdout == SLIP_SHOWN


def test_faults_and_cards_played_after_the_end_are_marked() -> None:
    shown = run("show", "-", given=jsonl(REVOKED)).stdout
    assert "  1  Anna    ♣A  ♥7  ✗10\n" in shown
    assert "\nFindings\n  ✗ entry 10, middlehand: Bo plays ♥7 to ♣A" in shown
    shown = run("show", "-", given=jsonl([*OPEN, *plays("M-C3")])).stdout
    assert "  2  Bo      ♣3           played on\n" in shown


def test_at_shows_the_hands_and_what_may_happen_then() -> None:
    shown = run("show", "--at", "8", "-", given=jsonl(OPEN)).stdout
    assert "Hands now\n  Forehand    Anna  8 unknown\n" in shown
    assert "\nNext\n  Bo to play: ♣3 ♣2\n" in shown
    assert "♠K" not in shown
    bidding = run("show", "--at", "3", "--lang", "da", "-", given=jsonl(OPEN)).stdout
    assert "\nNæste\n  Bo melder: pas, bedre spil, købe-nolo, tourné, solo, " in bidding
    all_passed = [*OPEN[:3], *PASSED_OUT[2:], *OPEN[6:]]
    for deal, at, says in (
        (all_passed, "5", "Anna to name the contract: simple game (♣ ♦ ♥), "),
        (CLUB, "10", "The talon's top card to be turned"),
        (CLUB, "11", "Anna to exchange 2 to 9 cards"),
        (CLUB, "12", "Anna to draw 4"),
    ):
        assert says in run("show", "--at", at, "-", given=jsonl(deal)).stdout


def test_a_correction_is_mentioned_and_counts() -> None:
    wrong = {**OPEN[7], "card": "CK"}
    shown = run("show", "-", given=jsonl([*OPEN[:7], wrong, *OPEN[8:], corrected([8], OPEN[7])])).stdout
    assert "The record has been corrected" in shown and "  1  Anna    ♣A  ♣2*  ♠K" in shown
    assert "The record has been corrected" not in run("show", "-", given=jsonl(OPEN)).stdout


@pytest.mark.parametrize(("width", "page"), [("20", 60), ("77", 77), ("300", 100)])
def test_no_line_is_wider_than_the_page(width: str, page: int) -> None:
    names = {"forehand": "Anna " * 30, "middlehand": "Bo" * 90, "backhand": "漢字" * 50}
    for seed in range(examples(4, 1)):
        deal = hide(whole_deal(seed), random.Random(seed))
        deal[0] = {**deal[0], "players": names, "title": "Titel " * 30}
        for command in ("show", "score", "validate", "replay"):
            lang = "da" if seed % 2 else "en"
            shown = run(command, "--lang", lang, "-", given=jsonl(deal), COLUMNS=width).stdout
            assert max(map(display_width, shown.splitlines())) <= page
