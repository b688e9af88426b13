"""A contract, trumps or an exchange entered wrongly makes nobody revoke, and nobody act out of turn."""

import pytest

from engine.audit import audit
from engine.core.events import CardsDiscarded, CardsDrawn, ContractNamed
from engine.diagnosis.conditions import with_conditions
from engine.diagnosis.explanations import with_corrections
from engine.play.findings import GRAVE, Finding
from engine.play.history import effective
from engine.report import report
from tests.support.engine.shorthand import Event, log_from, named, opened, plays, said, stands
from tests.support.engine.slipping import BEGUN, PLAYED, unseen

HANDS = opened("SA CA DK DQ D6 HK HQ H4 C7", "D4 D5 DJ H2 H3 H5 SK SQ C2", "D2 D3 DA HJ H6 S7 S6 CK CQ")
CALLS = said("F simple, M pass, B pass")
IN_DIAMONDS = plays("F-SA M-D4 B-D3 F-CA M-D5 B-DA F-DK M-DJ B-D2 F-HK M-H5 B-H6 F-HQ M-H3 B-HJ")
"""Forehand draws all trumps with five diamonds on his side, and goes on with hearts: he has won."""
BEHIND = plays("F-DQ M-C2 B-S6")
"""Cards that do not count any more, and show that middlehand had a club."""
TRUMPS_RIGHT = " That is so if the trump suit is written rightly."
EXCHANGE_WHOLE = " That is so if the exchange is entered wholly."


def tapped(trump: str, *, hidden: bool = False) -> list[Event]:
    """The game in diamonds, with these trumps tapped."""
    events = [*HANDS, *CALLS, *named("F", "simple", trump), *stands()]
    return [*(unseen(events) if hidden else events), *IN_DIAMONDS]


def told(events: list[Event]) -> list[Finding]:
    return [one for matter in report(log_from(events)).matters for one in matter.findings]


def accused(events: list[Event]) -> list[Finding]:
    return [one for one in told(events) if one.code in ("revoke", "wrong_seat") and one.severity in GRAVE]


@pytest.mark.parametrize("hidden", [False, True], ids=["hands told", "none told"])
def test_trumps_tapped_wrongly_make_nobody_revoke(hidden: bool) -> None:
    log = log_from([*tapped("H", hidden=hidden), *BEHIND])
    matter, *others = report(log).matters
    assert {one.code for other in others for one in other.findings} == {"play_after_end"}
    (slip,) = matter.findings
    assert (slip.code, slip.severity) == ("contract_mistaken", "error")
    assert slip.message == f"Entry {slip.seq} has H in place of D for trumps."
    assert {(one.code, one.seat) for one in matter.follows} == {("revoke", 1), ("revoke", 2)}
    put = [entry.event for entry in effective(with_corrections(log, matter.corrections)).entries]
    assert [one.trump for one in put if isinstance(one, ContractNamed)] == [1]


def test_where_another_suit_would_do_as_well_the_trumps_are_left_open() -> None:
    """Nobody shows a club: trumps were diamonds or clubs."""
    slip, *others = told(tapped("H", hidden=True))
    assert (slip.code, slip.severity) == ("contract_mistaken", "error")
    assert slip.message.endswith("has H for trumps, and another suit was played in; nothing shows which.")
    assert {one.code for one in others} == {"incomplete"}


def test_one_who_seems_to_revoke_may_have_done_so_and_does_if_the_trumps_are_written_rightly() -> None:
    """Backhand plays a spade to spadille and a club later; in diamonds he had none to follow with."""
    played = plays("F-SA M-D4 B-S6 F-HK M-H5 B-H6 F-HQ M-H3 B-HJ F-D6 M-D5 B-CK")
    events = [*unseen(HANDS), *CALLS, *named("F", "simple", "C"), *stands(), *played]
    slip = next(one for one in told(events) if one.code == "contract_mistaken")
    assert slip.severity == "warning"
    assert slip.message.startswith(f"Perhaps it is this: Entry {slip.seq} has C in place of D for trumps.")
    (revoke,) = accused(events)
    assert (revoke.code, revoke.seat) == ("revoke", 2)
    assert revoke.message.endswith(TRUMPS_RIGHT)


def test_other_trumps_clear_nobody_of_a_revoke_that_is_one_in_them_too() -> None:
    """Hearts tapped for diamonds, and middlehand did not follow the king of hearts."""
    played = plays("F-SA M-D4 B-D3 F-HK M-C2 B-H6 F-HQ M-H3 B-HJ")
    events = [*HANDS, *CALLS, *named("F", "simple", "H"), *stands(), *played]
    found = {one.seq: one.message for one in accused(events)}
    first, second, true = sorted(found)
    assert found[first].endswith(TRUMPS_RIGHT) and found[second].endswith(TRUMPS_RIGHT)
    assert not found[true].endswith(TRUMPS_RIGHT)
    assert any(one.message.endswith("With that, less is wrong in the play.") for one in told(events))


def test_called_a_revoke_the_trumps_are_not_asked_for() -> None:
    call = {"type": "irregularity_noted", "seat": "middlehand", "kind": "revoke"}
    found = told([*tapped("H", hidden=True), call])
    assert "contract_mistaken" not in [one.code for one in found]
    assert {one.seat for one in found if one.code == "revoke"} == {1, 2}


DEAL = [*BEGUN, *PLAYED]


def place(kind: str, seat: str) -> int:
    """Where the first such act of a seat is."""
    return next(at for at, one in enumerate(DEAL) if (one["type"], one.get("seat")) == (kind, seat))


def without(seat: str, *kinds: str) -> list[Event]:
    return [one for one in DEAL if one.get("seat") != seat or one["type"] not in kinds]


DISCARD, DRAW = ("cards_discarded",), ("cards_drawn",)


@pytest.mark.parametrize("kind", ["contract_named", "cards_discarded", "cards_drawn"])
def test_what_comes_before_the_play_may_be_another_seats_where_each_played_nine(kind: str) -> None:
    at = place(kind, "forehand")
    (slip,) = told([*DEAL[:at], {**DEAL[at], "seat": "middlehand"}, *DEAL[at + 1 :]])
    assert (slip.code, slip.message) == ("seat_mistaken", f"Entry {at + 1} has Bo in place of Anna.")


@pytest.mark.parametrize(
    ("seat", "kinds", "says", "put_in"),
    [
        ("backhand", DISCARD, "Carl's discard is missing before entry 13: D5 H2 SJ.", [CardsDiscarded]),
        ("forehand", DRAW, "Anna's draw is missing before ", [CardsDrawn]),
        ("forehand", DISCARD + DRAW, "Anna's exchange is missing before ", [CardsDiscarded, CardsDrawn]),
    ],
    ids=["a discard", "a draw", "both"],
)
def test_a_part_of_the_exchange_that_was_not_entered_is_known_from_what_was_played(
    seat: str, kinds: tuple[str, ...], says: str, put_in: list[type]
) -> None:
    log = log_from(without(seat, *kinds))
    (matter,) = report(log).matters
    (slip,) = matter.findings
    assert slip.code == "entry_missing"
    assert slip.message.startswith(says)
    (correction,) = matter.corrections
    assert [type(event) for event in correction.with_[: len(put_in)]] == put_in
    assert audit(with_corrections(log, matter.corrections)).ok


def test_a_discard_that_was_not_entered_makes_revokes_depend_on_that() -> None:
    log = log_from(without("backhand", *DISCARD))
    (matter,) = report(log).matters
    assert [one.code for one in matter.follows].count("revoke") == 3
    revokes = [one for one in with_conditions(audit(log)) if one.code == "revoke"]
    assert revokes and all(one.message.endswith(EXCHANGE_WHOLE) for one in revokes)
    kept = [one for one in unseen(BEGUN) if (one["type"], one.get("seat")) != ("cards_discarded", "backhand")]
    (matter,) = report(log_from([*kept, *PLAYED])).matters
    assert matter.findings[0].message.endswith(": ?? ?? ??.")


# --- Cards and hands --------------------------------------------------------------------------------


HEARTS = opened("SA CA DK DQ D6 HK HQ H4 C7", "D4 D5 DJ H3 S4 S5 SK SQ C2", "D2 D3 DA HJ H6 S7 S6 CK CQ")
"""Middlehand has one heart as told, and follows no heart."""


def test_one_held_card_read_wrongly_explains_both_tricks_in_which_it_was_not_played() -> None:
    played = plays("F-SA M-D4 B-D3 F-CA M-D5 B-DA F-DK M-DJ B-D2 F-HK M-C2 B-H6 F-HQ M-SK B-HJ")
    events = [*HEARTS, *CALLS, *named("F", "simple", "D"), *stands(), *played]
    (slip,) = (one for one in told(events) if one.code == "misprint_likely")
    assert (slip.seq, slip.severity) == (3, "warning")
    assert slip.message.startswith("Entry 3 may have H3 in place of ")
    assert [one.message.partition(" That is so if ")[2] for one in accused(events)] == [
        "the cards that show it are written rightly."
    ] * 2


def exchanged(one: int, other: int) -> list[Event]:
    """The deal with the cards of two entries in each other's place."""
    cards = {one: DEAL[other]["cards"], other: DEAL[one]["cards"]}
    return [{**event, "cards": cards[at]} if at in cards else event for at, event in enumerate(DEAL)]


@pytest.mark.parametrize("at", [1, place("cards_discarded", "forehand")], ids=["hands", "discard and draw"])
def test_cards_of_two_entries_entered_for_each_other_are_one_mistake(at: int) -> None:
    (matter,) = report(log_from(exchanged(at, at + 1))).matters
    (fault,) = matter.findings
    assert fault.message == f"Entries {at + 1} and {at + 2} have each other's cards."
    assert at > 1 or (fault.code == "seat_mistaken" and len(matter.follows) > 10)


def test_where_somebody_is_still_found_at_fault_entries_only_may_be_in_each_others_place() -> None:
    """All cards in the other order: two of them put right put little right."""
    found = told([*unseen(BEGUN), *reversed(PLAYED)])
    exchanged = [one.message for one in found if one.code == "order_mistaken"]
    assert exchanged and all(one.endswith(" may be in each other's place.") for one in exchanged)
