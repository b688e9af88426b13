"""Hands as dealt, stated and shown: their size, cards in two places, what is left when something is wrong."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    audited,
    dealt,
    due_after,
    found,
    gap,
    held,
    laid,
    named,
    note,
    opened,
    plays,
    said,
    shown,
    stands,
    state_after,
    swap,
)

ANNA, BO, CARL = "SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ"


def hand(events: list[Event], seat: str = F) -> tuple[str, int]:
    """The known cards of a hand, and the number of the others."""
    told = state_after(events)["hands"][seat]
    return " ".join(told["cards"]), told["unknown"]


# --- Dealt ------------------------------------------------------------------------------------


def test_a_hand_nobody_told_of_has_nine_unknown_cards() -> None:
    assert hand(opened()) == ("", 9)


def test_a_dealt_hand_is_known() -> None:
    assert hand(opened(ANNA)) == (" ".join(sorted(ANNA.split())), 0)


def test_of_a_dealt_hand_some_cards_may_be_unknown() -> None:
    events = opened("SA S2 S? H? ?? ?? ?? ?? ??")
    assert found(events) == []
    assert hand(events) == ("S2 SA", 7)
    assert state_after(events)["hands"][F]["maybe"] == ["??"] * 5 + ["H?", "S?"]


@pytest.mark.parametrize("cards", ["SA S2 CA HK HQ HJ D7 D6", "SA S2 CA HK HQ HJ D7 D6 D5 D4", "?? ?? ??"])
def test_a_hand_has_nine_cards(cards: str) -> None:
    assert found(opened(cards)) == [(2, "hand_size")]


def test_a_card_left_out_of_a_hand_is_one_nobody_knows() -> None:
    assert hand(opened("SA S2 CA HK HQ HJ D7 D6")) == ("CA D6 D7 HJ HK HQ S2 SA", 1)


def test_a_card_twice_in_a_hand() -> None:
    assert found(opened("SA SA CA HK HQ HJ D7 D6 D5")) == [(2, "card_duplicated")]


def test_a_card_in_two_hands() -> None:
    assert found(opened(ANNA, BO.replace("S7", "SA"))) == [(3, "card_duplicated")]


def test_each_card_in_two_hands_is_told() -> None:
    findings = audited(opened(ANNA, BO.replace("S7", "SA").replace("S6", "S2"))).findings
    told = [one.message for one in findings if one.code == "card_duplicated"]
    assert len(told) == 2
    assert "S2" in told[0] + told[1]
    assert "SA" in told[0] + told[1]


def test_a_card_both_in_hand_and_talon() -> None:
    assert found([*opened(ANNA), laid("SA")]) == [(3, "card_duplicated")]


def test_a_hand_told_twice() -> None:
    assert found([*opened(ANNA), dealt("F", ANNA)]) == [(3, "wrong_phase")]


def test_a_hand_told_while_they_bid_is_as_good() -> None:
    events = [*opened(), *said("F simple, M pass"), dealt("F", ANNA)]
    assert found(events) == []
    assert hand(events)[1] == 0


def test_a_hand_told_after_its_aces_were_shown_is_no_second_one() -> None:
    events = [*opened(), *said("F grand-tourne"), shown("F", "SA CA"), dealt("F", ANNA)]
    assert found(events) == []


def test_a_hand_told_after_the_exchange_comes_too_late() -> None:
    events = opened() + said("F simple, M pass, B pass") + named("F", "simple", "H") + swap("F")
    assert found([*events, dealt("M", BO)]) == [(7, "wrong_phase")]
    assert found([*events, gap(), dealt("M", BO)]) == []


# --- Stated -----------------------------------------------------------------------------------


def game(*hands: str) -> list[Event]:
    events = opened(*hands) + said("F simple, M pass, B pass") + named("F", "simple", "H")
    return events + stands()


def test_a_stated_hand_that_agrees_says_nothing_new() -> None:
    events = [*game(ANNA), held("F", ANNA)]
    assert found(events) == []
    assert hand(events) == hand(game(ANNA))


def test_a_stated_hand_fills_in_what_was_unknown() -> None:
    events = [*game("SA ?? ?? ?? ?? ?? ?? ?? ??"), held("F", ANNA)]
    assert found(events) == []
    assert hand(events)[1] == 0


@pytest.mark.parametrize("cards", [ANNA.rsplit(" ", 1)[0], ANNA + " D4"])
def test_a_stated_hand_has_as_many_cards_as_it_must(cards: str) -> None:
    assert found([*game(), held("F", cards)]) == [(9, "hand_size")]
    assert found([*game(), *plays("F-D4"), held("F", ANNA)]) == [(10, "hand_size")]


def test_the_card_that_is_missing_is_named_and_kept() -> None:
    events = [*game(ANNA), held("F", ANNA.replace(" HK", ""))]
    (finding,) = [one for one in audited(events).findings if one.code == "hand_size"]
    assert "HK" in finding.message
    assert hand(events) == hand(game(ANNA))
    assert found([*events, *plays("F-HK")]) == [(10, "hand_size")]


def test_a_stated_hand_must_have_what_is_certainly_there() -> None:
    events = [*game(ANNA), held("F", ANNA.replace("HK", "H6"))]
    codes = [code for _, code in found(events)]
    assert "hand_mismatch" in codes


def test_a_stated_hand_has_no_card_of_another() -> None:
    assert (11, "card_duplicated") in found([*game(ANNA, BO), held("F", ANNA.replace("D5", "CK"))])
    assert (9, "card_duplicated") in found([*game(), held("F", ANNA.replace("D5", "SA"))])


def test_a_statement_that_the_play_refutes_is_wrong_not_the_play() -> None:
    """As in Belinda's game as printed: the Baron's king is hers, who plays it."""
    events = [*game(), held("F", ANNA), held("M", BO.replace("S7", "SA")), *plays("F-SA")]
    assert [(seq, code) for seq, code in found(events) if code == "card_duplicated"] == [
        (10, "card_duplicated")
    ]
    assert hand(events, M)[1] == 1


def test_a_hand_stated_before_the_draw_is_written_down() -> None:
    events = opened() + said("F simple, M pass, B pass") + named("F", "simple", "H")
    events += [*swap("F", "?? ??"), held("F", ANNA)]
    assert found(events) == []
    assert hand(events)[1] == 0


# --- Shown ------------------------------------------------------------------------------------


def test_cards_shown_are_in_the_hand() -> None:
    events = [*game(), shown("F", "SA CA")]
    assert found(events) == []
    assert hand(events) == ("CA SA", 7)


def test_nobody_shows_what_he_has_not() -> None:
    assert found([*game(ANNA), shown("F", "SK")]) == [(len(game(ANNA)) + 1, "card_not_held")]
    assert found([*game(ANNA), shown("M", "SA")]) == [(len(game(ANNA)) + 1, "card_duplicated")]
    assert found([*game(), *plays("F-SA"), shown("F", "SA")]) == [(10, "card_duplicated")]
    assert found([*game(), shown("F", "SA SA")]) == [(9, "card_duplicated")]


# --- What is left when something was wrong ----------------------------------------------------------


def test_a_wrong_card_clouds_the_hand_and_the_fold_goes_on() -> None:
    events = [*game(ANNA), *plays("F-SK M-S3 B-S4")]
    assert found(events) == [(len(game(ANNA)) + 1, "card_not_held")]
    assert hand(events) == ("", 8)
    assert due_after(events)["seat"] == F
    assert found([*events, *plays("F-SA")]) == found(events)


def test_who_holds_eight_plays_as_long_as_they_last() -> None:
    events = game("SA S2 CA HK HQ HJ D7 D6") + plays("F-D5")
    assert found(events) == [(2, "hand_size")]
    assert hand(events) == ("CA D6 D7 HJ HK HQ S2 SA", 0)


def test_what_was_dealt_to_one_reaches_nobody_else() -> None:
    """What he discards cannot be bought: it is known not to be in the others' hands."""
    events = opened(ANNA) + said("F simple, M pass, B pass") + named("F", "simple", "H")
    events += [*swap("F", "D5 D6", "?? ??"), *stands("M B"), *plays("F-HK M-D5")]
    assert found(events) == [(len(events), "card_duplicated")]


# --- Players ----------------------------------------------------------------------------------


def test_a_hand_taken_over_is_played_by_another() -> None:
    events = [*game(), {"type": "hand_taken_over", "seat": M, "player": "Dora"}]
    assert found(events) == []
    assert state_after(events)["players"] == {F: "Anna", M: "Dora", B: "Carl", "sitting_out": []}


def test_messages_call_players_by_name() -> None:
    (finding,) = [one for one in audited([*game(ANNA), *plays("F-SK")]).findings if one.code != "incomplete"]
    assert finding.message.startswith("Anna plays SK")


def test_a_deal_is_opened_once() -> None:
    events = [*opened(ANNA), opened(ruleset="ombre")[0], note("again")]
    assert found(events) == [(3, "wrong_phase")]
    assert state_after(events)["ruleset"] == "dlu"


def test_a_deal_must_be_opened() -> None:
    assert found(said("F simple, M pass, B pass")) != []
