"""What else ends a deal: claims, giving up, rulings, a void deal; and what was paid at the table."""

from dataclasses import replace

import pytest

from engine.rulesets import DLU, book_of
from engine.rulesets.model import Slam
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    answered,
    claimed,
    corrected,
    due_after,
    found,
    given_up,
    legal_after,
    named,
    opened,
    paid,
    plays,
    said,
    score_after,
    settled,
    stands,
    state_after,
    swap,
    tricks,
    turned,
)


def bargain(contract: str = "simple", trump: str | None = "H", **opening: object) -> list[Event]:
    """Forehand's contract, named; nothing else has happened."""
    events = opened(**opening) + said(f"F {contract}, M pass, B pass")  # type: ignore[arg-type]
    return events + named("F", contract, trump)


def game() -> list[Event]:
    return bargain() + stands()


def pays(events: list[Event]) -> list[str]:
    """What giving up would pay as now."""
    also = due_after(events).get("also", [])
    return [one["pays"] for one in also if one["action"] == "abandon"]


# --- Claims -----------------------------------------------------------------------------------


def test_a_claim_accepted_by_both_ends_the_deal() -> None:
    events = [*game(), *tricks("FF"), claimed("F", 5, 3, 1), *answered("M accept, B accept")]
    assert found(events) == []
    assert legal_after(events) is None
    assert paid(events) == ("won", [2, -1, -1])
    assert score_after(events)["tricks"] == {F: 5, M: 3, B: 1}


def test_until_both_have_answered_the_deal_is_open() -> None:
    events = [*game(), *tricks("FF"), claimed("F", 5, 3, 1)]
    assert state_after(events)["claim"] == {"seat": F, "tricks": {F: 5, M: 3, B: 1}, "accepted": []}
    answers = [one["seat"] for one in due_after(events)["also"] if one["action"] == "answer"]
    assert answers == [B, M]
    events += answered("M accept")
    assert state_after(events)["claim"]["accepted"] == [M]
    assert due_after(events)["action"] == "play"
    assert not score_after(events)["decided"]


def test_a_contested_claim_is_off_the_table() -> None:
    events = [*game(), *tricks("FF"), claimed("F", 5, 3, 1), *answered("M accept, B contest")]
    assert found(events) == []
    assert state_after(events)["claim"] is None
    assert due_after(events)["action"] == "play"


def test_a_defender_may_claim_too() -> None:
    events = [*game(), *tricks("MMMM"), claimed("M", 3, 5, 1), *answered("F accept, B accept")]
    assert paid(events) == ("codille", [-4, 2, 2])


@pytest.mark.parametrize("count", [(6, 4, 1), (6, 3, 1), (1, 5, 3)])
def test_a_claim_makes_nine_tricks_at_most_and_takes_none_back(count: tuple[int, int, int]) -> None:
    events = [*game(), *tricks("FF"), claimed("F", *count)]
    assert found(events) == [(len(events), "claim_not_possible")]


def test_who_answers_what() -> None:
    events = [*game(), *tricks("FF")]
    assert found(events + answered("M accept")) == [(len(events) + 1, "wrong_phase")]
    own = [*events, claimed("F", 5, 3, 1), *answered("F accept")]
    assert found(own) == [(len(own), "wrong_seat")]


def test_cards_after_an_accepted_claim_do_not_count() -> None:
    events = [*game(), *tricks("FF"), claimed("F", 5, 3, 1), *answered("M accept, B accept")]
    assert found(events + plays("F-D7")) == [(len(events) + 1, "play_after_end")]


@pytest.mark.parametrize("events", [opened(), opened() + said("F simple"), [*game(), given_up("F")]])
def test_a_claim_belongs_to_the_play(events: list[Event]) -> None:
    more = [*events, claimed("F", 5, 3, 1)]
    assert found(more) == [(len(more), "wrong_phase")]


# --- Giving up --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "trump"), [("simple", "H"), ("spade-game", None), ("tourne", None), ("grand-tourne", None)]
)
def test_the_small_games_are_given_up_for_bete_until_two_cards_have_been_played(
    contract: str, trump: str | None
) -> None:
    events = bargain(contract, trump)
    assert pays(events) == ["bete", "codille"]
    if trump is None and contract != "spade-game":
        events += turned("H4") + swap("F", "?? ??", "H4 ??") + stands("M B")
    else:
        events += stands()
    assert pays(events) == pays(events + plays("F-D2")) == ["bete", "codille"]
    assert pays(events + plays("F-D2 M-D3")) == ["codille"]


@pytest.mark.parametrize(
    ("contract", "trump"), [("solo", "H"), ("spade-solo", None), ("simple-nolo", None), ("pure-nolo", None)]
)
def test_the_others_are_given_up_for_kodille(contract: str, trump: str | None) -> None:
    events = bargain(contract, trump)
    assert pays(events) == ["codille"]
    assert found([*events, given_up("F", "bete")]) == [(len(events) + 1, "abandon_not_allowed")]
    assert paid([*events, given_up("F")])[0] == "abandoned"


def test_what_giving_up_pays() -> None:
    assert paid([*bargain("tourne", None), given_up("F")]) == ("abandoned", [-4, 2, 2])
    assert paid([*bargain("tourne", None), given_up("F", "codille")]) == ("abandoned", [-6, 3, 3])
    assert paid([*bargain("solo"), given_up("F")]) == ("abandoned", [-8, 4, 4])
    assert paid([*game(), *plays("F-D2 M-D3"), given_up("F")]) == ("abandoned", [-4, 2, 2])


def test_who_gives_up_too_late_for_bete_said_so_and_the_table_let_him() -> None:
    events = [*game(), *plays("F-D2 M-D3"), given_up("F", "bete")]
    assert found(events) == [(len(events), "abandon_not_allowed")]
    assert paid(events) == ("abandoned", [-2, 1, 1])


def test_after_giving_up_it_is_over() -> None:
    events = [*game(), given_up("F")]
    assert legal_after(events) is None
    assert state_after(events)["phase"] == "finished"
    assert found([*events, given_up("F")]) == [(len(events) + 1, "wrong_phase")]
    assert found([*game(), *tricks("FFFFF"), given_up("F")])[-1][1] == "wrong_phase"


def test_nobody_gives_up_for_another() -> None:
    events = [*game(), given_up("M")]
    assert found(events) == [(len(events), "abandon_not_allowed")]
    assert due_after(events)["seat"] == F


def test_nobody_gives_up_before_there_is_a_contract() -> None:
    events = [*opened(), *said("F simple, M pass, B pass"), given_up("F")]
    assert found(events) == [(5, "abandon_not_allowed")]


# --- The director -----------------------------------------------------------------------------


def ruled(**decision: object) -> Event:
    return {"type": "ruling_made", "text": "So be it.", **decision}


@pytest.mark.parametrize(
    ("outcome", "payments"), [("won", [2, -1, -1]), ("bete", [-2, 1, 1]), ("codille", [-4, 2, 2])]
)
def test_a_ruling_sets_the_outcome(outcome: str, payments: list[int]) -> None:
    events = [*game(), *tricks("FF"), ruled(outcome=outcome)]
    assert found(events) == []
    assert paid(events) == (outcome, payments)
    assert legal_after(events) is None


def test_a_ruling_overrules_the_cards() -> None:
    assert paid([*game(), *tricks("FFFFF"), ruled(outcome="bete")]) == ("bete", [-2, 1, 1])


def test_a_ruling_sets_the_payments() -> None:
    events = [*game(), ruled(outcome="forfeited", at_fault=M, payments={F: 2, M: -2})]
    assert paid(events) == ("forfeited", [2, -2, 0])
    named_by_player = [*game(), ruled(outcome="forfeited", payments={"Anna": 2, "Bo": -2})]
    assert paid(named_by_player) == ("forfeited", [2, -2, 0])


def test_a_foul_for_which_the_rules_state_no_price_is_left_open() -> None:
    result = score_after([*game(), ruled(outcome="forfeited", at_fault=M)])
    assert not result["decided"]


def test_a_ruling_without_an_outcome_ends_nothing() -> None:
    events = [*game(), ruled(penalty={M: 1})]
    assert due_after(events)["action"] == "play"
    assert not score_after(events)["decided"]


def test_a_ruling_on_payments_does_not_void_the_deal() -> None:
    events = [*game(), *tricks("FFFFF"), ruled(payments={F: 1, M: -1})]
    assert score_after(events)["outcome"] == "won"


def test_a_deal_ruled_given_up_is_paid_as_bete() -> None:
    assert paid([*game(), ruled(outcome="abandoned")]) == ("abandoned", [-2, 1, 1])


def test_a_void_deal_pays_nothing() -> None:
    events = [*game(), *tricks("FFFFF"), {"type": "deal_voided", "reason": "misdeal"}]
    assert paid(events) == ("voided", [0, 0, 0])
    assert legal_after(events) is None


@pytest.mark.parametrize("end", [{"type": "deal_voided", "reason": "misdeal"}, ruled(outcome="voided")])
def test_a_bid_opens_no_deal_again_that_is_over(end: Event) -> None:
    events = [*opened(), end, *said("F simple")]
    assert found(events) == [(3, "wrong_phase")]
    assert legal_after(events) is None
    assert state_after(events)["phase"] == "finished"


# --- What was paid ----------------------------------------------------------------------------

WON = [*game(), *tricks("FFFFF")]


def test_a_settlement_by_seats_or_by_names() -> None:
    assert found([*WON, settled(forehand=2, middlehand=-1, backhand=-1)]) == []
    assert found([*WON, settled(Anna=2, Bo=-1, Carl=-1)]) == []
    assert found([*WON, settled(Anna=2, middlehand=-1, Carl=-1)]) == []


@pytest.mark.parametrize(
    "payments",
    [{F: -2, M: 1, B: 1}, {F: 2, M: -2}, {F: 2}, {"Anna": 2, "Bo": -1, "Dora": -1}, {F: 3, M: -1, B: -2}],
)
def test_a_settlement_that_is_not_what_the_rules_say(payments: dict[str, int]) -> None:
    assert found([*WON, settled(**payments)]) == [(len(WON) + 1, "settlement_mismatch")]


def test_a_settlement_before_the_end_is_compared_with_the_end() -> None:
    early = [*game(), settled(forehand=2, middlehand=-1, backhand=-1)]
    assert found(early) == []
    assert found([*early, *tricks("FFFFF")]) == []
    assert found([*early, *tricks("MMMMM")]) == [(len(early), "settlement_mismatch")]


def test_a_settlement_is_compared_with_the_ruling() -> None:
    events = [*WON, ruled(payments={F: 1, M: -1}), settled(forehand=1, middlehand=-1)]
    assert found(events) == []


def test_one_who_sits_out_and_is_named() -> None:
    players = {F: "Anna", M: "Bo", B: "Carl", "sitting_out": ["Dora"]}
    events = bargain(players=players) + stands() + tricks("FFFFF")
    assert found([*events, settled(Anna=2, Bo=-1, Carl=-1, Dora=0)]) == []


def test_who_took_a_hand_over_is_paid_by_his_name() -> None:
    """Pairs play: who bids a hand and who plays it can differ (RULES 9)."""
    players = {F: "Anna", M: "Bo", B: "Carl", "sitting_out": ["Dora"], "partners": [["Anna", "Dora"]]}
    taken: Event = {"type": "hand_taken_over", "seat": M, "player": "Dora"}
    events = [*bargain(players=players), taken, *stands(), *tricks("FFFFF")]
    assert found([*events, settled(Anna=2, Dora=-1, Carl=-1)]) == []


def closed(**payments: int) -> Event:
    return {"type": "deal_closed", "payments": payments, "engine": "0.1.0"}


def test_a_closed_record() -> None:
    assert found([*WON, closed(forehand=2, middlehand=-1, backhand=-1)]) == []
    wrong = [*WON, closed(forehand=4, middlehand=-2, backhand=-2)]
    assert found(wrong) == [(len(wrong), "settlement_mismatch")]
    assert legal_after([*game(), closed()]) is None


def test_a_correction_opens_a_closed_record_again() -> None:
    done = closed(forehand=2, middlehand=-1, backhand=-1)
    last = len(WON)
    events = [*WON[: last - 3], *tricks("M"), done]  # the last trick entered wrongly, say
    assert legal_after(events) is None
    again = [*events, corrected([last - 2, last - 1, last], *plays("F-D7 M-C7 B-S7"))]
    assert state_after(again)["tricks_won"][F] == 5
    assert paid(again)[0] == "won"


# --- All nine tricks --------------------------------------------------------------------------


def test_dlu_knows_no_tout() -> None:
    for events in (game(), [*game(), *tricks("FFFF")]):
        assert found([*events, {"type": "slam_announced", "seat": F}]) == [
            (len(events) + 1, "slam_not_allowed")
        ]
        assert not [one for one in due_after(events).get("also", []) if one["action"] == "slam"]


TOUT = book_of([replace(DLU, slam=Slam(worth=1, announced="until-sixth-lead"))])
"""A house where all nine tricks are announced, and worth a chip from each."""
ANNOUNCED: Event = {"type": "slam_announced", "seat": F}


def slams(events: list[Event]) -> bool:
    return {"action": "slam", "seat": F} in (legal_after(events, TOUT) or {}).get("also", [])


def test_a_tout_is_announced_at_the_latest_on_winning_the_fifth_trick() -> None:
    for events in (game(), [*game(), *tricks("FFFF")], [*game(), *tricks("FFFFF")]):
        assert slams(events)
        assert found([*events, ANNOUNCED], TOUT) == []
    late = [*game(), *tricks("FFFFFF")]
    assert not slams(late)
    assert found([*late, ANNOUNCED], TOUT) == [(len(late) + 1, "slam_not_allowed")]


def test_only_the_declarer_of_a_game_announces_a_tout() -> None:
    defender: Event = {"type": "slam_announced", "seat": M}
    assert found([*game(), defender], TOUT) == [(len(game()) + 1, "slam_not_allowed")]
    nolo = bargain("pure-nolo", None)
    assert found([*nolo, ANNOUNCED], TOUT) == [(len(nolo) + 1, "slam_not_allowed")]


@pytest.mark.parametrize(("winners", "slam", "each"), [("F" * 9, "made", 2), ("FFFFFFM", "failed", 0)])
@pytest.mark.parametrize("announced", [[], [ANNOUNCED]], ids=["led", "announced"])
def test_a_tout_pays_besides_the_game(winners: str, slam: str, each: int, announced: list[Event]) -> None:
    events = [*game(), *announced, *tricks(winners)]
    assert paid(events, TOUT) == ("won", [2 * each, -each, -each])
    assert score_after(events, TOUT)["slam"] == slam
    assert legal_after(events, TOUT) is None


def test_a_tout_announced_too_boldly_does_not_win_the_game() -> None:
    """A failed try costs its chip only where the game was won (RULES 6); no published ruleset has it yet."""
    assert paid([*game(), ANNOUNCED, *tricks("MMMMM")], TOUT) == ("codille", [-4, 2, 2])
    assert not score_after([*game(), ANNOUNCED, *tricks("M")], TOUT)["decided"]


def test_after_the_first_five_the_deal_is_won_and_may_go_on() -> None:
    events = [*game(), *tricks("FFFFF")]
    assert paid(events, TOUT) == ("won", [2, -1, -1])
    due = legal_after(events, TOUT)
    assert due is not None
    assert due["optional"]
    assert not score_after([*events, ANNOUNCED], TOUT)["decided"]


def test_dlu_knows_no_surrender() -> None:
    events = [*game(), {"type": "surrender_offered", "seat": F}]
    assert found(events) == [(len(events), "abandon_not_allowed")]
    assert due_after(events)["seat"] == F
    assert B not in (due_after(events)["seat"], M)
