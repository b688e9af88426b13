"""Calls and contracts: two duels (dlu), rounds (ombre), who may say what, and what the winner may name."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    due_after,
    found,
    held,
    legal_after,
    named,
    opened,
    paid,
    said,
    score_after,
    shown,
    stands,
    state_after,
    trumps,
)

ACES = "SA CA H2 H3 H4 D2 D3 D4 S3"
NO_ACES = "S4 C2 H2 H3 H4 D2 D3 D4 S3"
NEW_BIDS = ["nolo-ouvert", "pass", "pure-nolo", "simple", "simple-nolo", "solo", "spade-game", "spade-solo"]


def called(words: str, ruleset: str = "dlu") -> list[Event]:
    return opened(ruleset=ruleset) + said(words)


def calls(words: str, ruleset: str = "dlu") -> list[str]:
    due = due_after(called(words, ruleset))
    assert due["action"] == "bid"
    return list(due["calls"])


# --- Who speaks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "turn"),
    [
        ("", F),
        ("F pass", M),
        ("F simple", M),
        ("F simple, M solo", F),
        ("F simple, M solo, F self", M),
        ("F simple, M solo, F self, M pure-nolo", F),
        ("F simple, M pass", B),
        ("F pass, M simple", B),
        ("F pass, M pass", B),
        ("F simple, M solo, F pass", B),
        ("F simple, M pass, B solo", F),
        ("F pass, M simple, B solo", M),
        ("F pass, M simple, B solo, M self", B),
        ("F pass, M simple, B solo, M pure-nolo", B),
    ],
)
def test_two_duels_decide_who_speaks(words: str, turn: str) -> None:
    assert due_after(called(words))["seat"] == turn
    assert state_after(called(words))["to_act"] == turn
    assert found(called(words)) == []


@pytest.mark.parametrize(
    ("words", "declarer"),
    [
        ("F simple, M pass, B pass", F),
        ("F pass, M simple, B pass", M),
        ("F pass, M pass, B simple", B),
        ("F simple, M solo, F self, M pass, B pass", F),
        ("F simple, M solo, F pass, B pure-nolo, M pass", B),
        ("F pass, M simple, B tourne, M self, B solo, M self, B pass", M),
    ],
)
def test_the_last_who_has_not_passed_names_the_contract(words: str, declarer: str) -> None:
    due = due_after(called(words))
    assert (due["seat"], due["action"]) == (declarer, "name")
    assert state_after(called(words))["declarer"] == declarer


def test_all_pass() -> None:
    events = called("F pass, M pass, B pass")
    assert legal_after(events) is None
    assert paid(events) == ("passed_out", [0, 0, 0])
    assert state_after(events)["phase"] == "finished"


@pytest.mark.parametrize(
    ("words", "turn"),
    [
        ("", F),
        ("F pass", M),
        ("F play", M),
        ("F play, M pass", B),
        ("F play, M higher", B),
        ("F play, M higher, B pass", F),
        ("F play, M higher, B voltereta", F),
        ("F play, M higher, B voltereta, F pass", M),
        ("F play, M pass, B higher", F),
        ("F pass, M pass", B),
    ],
)
def test_in_ombre_the_turn_goes_round(words: str, turn: str) -> None:
    assert due_after(called(words, "ombre"))["seat"] == turn
    assert found(called(words, "ombre")) == []


# --- What may be said -----------------------------------------------------------------------------


def test_the_first_bid_may_be_any() -> None:
    assert calls("") == sorted([*NEW_BIDS, "tourne", "grand-tourne"])


def test_a_bid_must_outrank_the_one_that_stands() -> None:
    assert calls("F tourne") == sorted(
        {"grand-tourne", "nolo-ouvert", "pass", "pure-nolo", "solo", "spade-solo"}
    )
    assert calls("F nolo-ouvert") == ["pass"]


@pytest.mark.parametrize(
    ("words", "low"),
    [
        ("F solo, M simple", 3),
        ("F simple, M simple", 3),
        ("F tourne, M simple-nolo", 3),
        ("F pure-nolo, M spade-solo", 3),
        ("F pass, M solo, B solo", 4),
        ("F simple, M solo, F tourne", 4),
    ],
)
def test_a_bid_of_equal_or_lower_rank_does_not_outbid(words: str, low: int) -> None:
    assert found(called(words)) == [(low, "bid_too_low")]


def test_the_elder_may_hold_the_bid_that_outbid_him() -> None:
    assert "self" in calls("F simple, M solo")
    assert "self" in calls("F pass, M simple, B solo")
    assert "self" in calls("F simple, M pass, B solo")


def test_nobody_else_may_say_self() -> None:
    assert "self" not in calls("")
    assert "self" not in calls("F simple")  # the younger
    assert "self" not in calls("F simple, M solo, F self")
    assert "self" not in calls("F simple, M pass")
    assert found(called("F self")) == [(2, "bid_not_allowed")]
    assert found(called("F simple, M self")) == [(3, "bid_not_allowed")]
    assert found(called("F simple, M pass, B self")) == [(4, "bid_not_allowed")]


def test_an_elder_who_repeats_the_standing_bid_has_said_self() -> None:
    events = called("F simple, M solo, F solo, M pass, B pass")
    assert found(events) == []
    assert due_after(events)["seat"] == F


def test_self_takes_the_bid_over() -> None:
    events = called("F simple, M tourne, F self, M pass, B pass")
    assert due_after(events)["contracts"] == [{"contract": "tourne", "trumps": []}]


def test_a_pass_is_final() -> None:
    assert found(called("F pass, M simple, F solo")) == [(4, "bid_not_allowed")]
    assert found(called("F simple, M pass, M solo")) == [(4, "bid_not_allowed")]


@pytest.mark.parametrize(
    "words", ["M simple", "B pass", "F simple, B pass", "F simple, F solo", "F simple, M solo, B pass"]
)
def test_who_speaks_out_of_turn_is_found(words: str) -> None:
    events = called(words)
    assert found(events) == [(len(events), "wrong_seat")]


def test_after_a_bid_out_of_turn_the_auction_goes_on() -> None:
    """Backhand spoke before middlehand: middlehand still has his say, and then the two who are left."""
    events = called("F simple, B solo")
    assert due_after(events)["seat"] == M
    events += said("M pass")
    assert due_after(events)["seat"] == F
    assert "self" in due_after(events)["calls"]


def test_a_bid_that_was_too_low_stands_if_the_table_let_it() -> None:
    events = called("F solo, M simple, F pass, B pass")
    assert found(events) == [(3, "bid_too_low")]
    assert (due_after(events)["seat"], due_after(events)["action"]) == (M, "name")


def test_a_word_that_is_no_bid_is_found() -> None:
    assert found(called("F oros")) == [(2, "bid_not_allowed")]
    assert found(called("F boston")) == [(2, "bid_not_allowed")]


# --- Both black aces ------------------------------------------------------------------------------


def test_grand_tourne_is_for_one_who_was_dealt_both_black_aces() -> None:
    assert "grand-tourne" in due_after(opened(ACES))["calls"]
    assert "grand-tourne" not in due_after(opened(NO_ACES))["calls"]
    assert found(opened(NO_ACES) + said("F grand-tourne")) == [(3, "bid_not_allowed")]


def test_a_hand_stated_in_the_auction_tells_what_was_dealt() -> None:
    events = [*opened(), held("F", NO_ACES)]
    assert "grand-tourne" not in due_after(events)["calls"]
    assert found(events + said("F grand-tourne")) == [(3, "bid_not_allowed")]


def test_one_ace_is_not_enough() -> None:
    assert found(opened("SA C2 H2 H3 H4 D2 D3 D4 S3") + said("F grand-tourne")) == [(3, "bid_not_allowed")]


def test_a_hand_nobody_recorded_has_the_benefit_of_the_doubt() -> None:
    assert "grand-tourne" in due_after(opened())["calls"]
    assert found(opened() + said("F grand-tourne")) == []


def test_a_black_ace_in_another_hand_takes_the_doubt_away() -> None:
    assert "grand-tourne" not in due_after(opened(middlehand=ACES))["calls"]
    assert found(opened(middlehand=ACES) + said("F grand-tourne")) == [(3, "bid_not_allowed")]


def test_an_ace_that_shows_up_elsewhere_later_proves_the_bid_wrong() -> None:
    events = called("F grand-tourne, M pass, B pass") + named("F", "grand-tourne")
    events += [{"type": "talon_turned", "card": "SA"}]
    assert (2, "bid_not_allowed") in found(events)
    events = [*called("F grand-tourne"), shown("M", "CA")]
    assert found(events) == [(2, "bid_not_allowed")]


def test_an_ace_entered_twice_does_not_prove_a_right_bid_wrong() -> None:
    """Anna was dealt both: what is wrong is Bo's entry, not her bid."""
    events = [*opened(ACES), *said("F grand-tourne"), shown("M", "SA")]
    assert found(events) == [(4, "card_duplicated")]


def test_grand_tourne_is_taken_over_only_with_the_aces() -> None:
    events = opened("HK HQ HJ S4 S5 S6 D5 D6 C4", ACES) + said("F simple, M grand-tourne")
    assert "self" not in due_after(events)["calls"]
    assert found(events + said("F self")) == [(6, "bid_not_allowed")]


# --- Naming ---------------------------------------------------------------------------------------


def contracts(words: str, ruleset: str = "dlu") -> dict[str, str]:
    due = due_after(called(words, ruleset))
    return {entry["contract"]: "".join(entry["trumps"]) for entry in due["contracts"]}


@pytest.mark.parametrize(
    ("bid", "open_to_him"),
    [
        ("simple", {"simple": "CDH", "spade-game": "S", "tourne": "", "simple-nolo": ""}),
        ("spade-game", {"spade-game": "S"}),
        ("tourne", {"tourne": ""}),
        ("simple-nolo", {"simple-nolo": ""}),
        ("grand-tourne", {"grand-tourne": ""}),
        ("solo", {"solo": "CDH"}),
        ("spade-solo", {"spade-solo": "S"}),
        ("pure-nolo", {"pure-nolo": ""}),
        ("nolo-ouvert", {"nolo-ouvert": ""}),
    ],
)
def test_what_the_winner_of_the_auction_may_name(bid: str, open_to_him: dict[str, str]) -> None:
    assert contracts(f"F {bid}, M pass, B pass") == open_to_him


@pytest.mark.parametrize(
    ("bid", "contract", "trump"),
    [
        ("simple", "solo", "H"),
        ("simple", "grand-tourne", None),
        ("simple", "simple", "S"),
        ("simple", "spade-game", "H"),
        ("simple", "tourne", "H"),
        ("tourne", "simple", "H"),
        ("spade-game", "spade-solo", None),
        ("solo", "spade-solo", None),
        ("solo", "solo", "S"),
        ("pure-nolo", "nolo-ouvert", None),
        ("solo", "oros", "D"),
    ],
)
def test_what_he_may_not_name(bid: str, contract: str, trump: str | None) -> None:
    events = called(f"F {bid}, M pass, B pass") + named("F", contract, trump)
    assert found(events) == [(5, "contract_not_allowed")]


def test_only_the_winner_names() -> None:
    events = called("F simple, M pass, B pass") + named("M", "simple", "H")
    assert found(events) == [(5, "wrong_seat")]


def test_the_contract_is_named_after_the_auction() -> None:
    assert found(called("F simple, M pass") + named("F", "simple", "H")) == [(4, "wrong_phase")]
    again = called("F simple, M pass, B pass") + named("F", "simple", "H") + named("F", "tourne")
    assert found(again) == [(6, "wrong_phase")]
    assert state_after(again)["contract"] == "simple"


def test_a_bid_after_the_contract_is_late() -> None:
    events = called("F simple, M pass, B pass") + named("F", "simple", "H") + said("B solo")
    assert found(events) == [(6, "wrong_phase")]
    assert state_after(events)["declarer"] == F


def test_a_trump_suit_nobody_wrote_down_is_missing_not_wrong() -> None:
    events = called("F simple, M pass, B pass") + named("F", "simple")
    assert found(events) == [(5, "incomplete")]


def test_where_there_is_but_one_contract_it_need_not_be_written_down() -> None:
    events = called("F pure-nolo, M pass, B pass")
    played = [*events, {"type": "card_played", "seat": F, "card": "H4"}]
    assert found(played) == []
    assert state_after(played)["contract"] == "pure-nolo"


def test_a_contract_that_was_a_choice_must_be_written_down() -> None:
    events = called("F simple, M pass, B pass")
    assert found([*events, {"type": "card_played", "seat": F, "card": "H4"}])[0] == (5, "wrong_phase")


@pytest.mark.parametrize(
    ("contract", "trump"), [("spade-game", "S"), ("tourne", None), ("simple-nolo", None)]
)
def test_what_the_contract_says_of_trumps(contract: str, trump: str | None) -> None:
    events = called("F simple, M pass, B pass") + named("F", contract)
    assert state_after(events)["trump"] == trump


# --- Trumps named later ---------------------------------------------------------------------------

WON = said("F simple, M pass, B pass")


def test_trumps_may_be_named_after_the_contract() -> None:
    events = [*opened(), *WON, *named("F", "simple"), trumps("F", "H")]
    assert state_after(events)["trump"] == "H"
    assert found(events) == [(5, "incomplete")]  # that they were not named with it


def test_trumps_are_made_once() -> None:
    assert found([*opened(), *WON, *named("F", "simple", "H"), trumps("F", "D")]) == [
        (6, "contract_not_allowed")
    ]
    assert found([*opened(), *WON, *named("F", "simple", "H"), trumps("F", "H")]) == []


TOO_FREE = "trump_named is taken from anybody at any time, for any suit"


def test_trumps_named_in_the_auction_end_no_auction() -> None:
    events = [*opened(), *said("F simple"), trumps("F", "H")]
    assert found(events) == [(3, "wrong_phase")]
    assert (due_after(events)["seat"], due_after(events)["action"]) == (M, "bid")


@pytest.mark.parametrize(
    ("contract", "seat", "trump", "code"),
    [
        ("simple", "M", "H", "wrong_seat"),
        ("simple", "F", "S", "contract_not_allowed"),
        ("tourne", "F", "H", "contract_not_allowed"),
    ],
)
def test_trumps_are_named_by_the_declarer_where_he_has_the_choice(
    contract: str, seat: str, trump: str, code: str
) -> None:
    events = [*opened(), *WON, *named("F", contract), trumps(seat, trump)]
    assert (6, code) in found(events)


# --- Ombre ----------------------------------------------------------------------------------------


def test_the_bids_of_ombre() -> None:
    assert calls("", "ombre") == ["oros", "pass", "play", "solo", "voltereta"]
    assert calls("F play", "ombre") == ["higher", "oros", "pass", "solo", "voltereta"]
    assert calls("F play, M higher", "ombre") == ["oros", "pass", "solo", "voltereta"]
    assert calls("F solo", "ombre") == ["oros", "pass"]


def test_higher_is_said_only_over_play() -> None:
    assert found(called("F higher", "ombre")) == [(2, "bid_not_allowed")]
    assert found(called("F voltereta, M higher", "ombre"))[0][0] == 3


@pytest.mark.parametrize(
    ("bid", "open_to_him"),
    [
        ("play", {"play": "CDHS", "voltereta": "", "solo": "CHS", "oros": "D"}),
        ("voltereta", {"voltereta": "", "solo": "CHS", "oros": "D"}),
        ("solo", {"solo": "CHS", "oros": "D"}),
        ("oros", {"oros": "D"}),
    ],
)
def test_what_ombre_may_name(bid: str, open_to_him: dict[str, str]) -> None:
    assert contracts(f"F {bid}, M pass, B pass", "ombre") == open_to_him


def test_who_bid_higher_names_a_higher_game() -> None:
    assert contracts("F play, M higher, B pass, F pass", "ombre") == {
        "voltereta": "", "solo": "CHS", "oros": "D",
    }  # fmt: skip
    events = called("F play, M higher, B pass, F pass", "ombre") + named("M", "play", "H")
    assert found(events) == [(6, "contract_not_allowed")]


def test_the_elder_holds_an_equal_bid_in_ombre() -> None:
    events = called("F play, M pass, B voltereta, F self, B pass", "ombre")
    assert found(events) == []
    assert due_after(events)["seat"] == F
    assert found(called("F play, M self", "ombre")) == [(3, "bid_not_allowed")]


def test_the_elder_of_two_has_priority_in_ombre_whoever_was_outbid() -> None:
    """If two players wish to make the same bid the elder of them has priority (003, the auction)."""
    events = called("F play, M higher, B voltereta", "ombre")
    assert "self" in due_after(events)["calls"]
    assert found(events + said("F self")) == []


def test_all_pass_in_ombre_and_the_pool_stays() -> None:
    events = opened(ruleset="ombre", pool=10) + said("F pass, M pass, B pass")
    assert paid(events) == ("passed_out", [0, 0, 0])
    assert score_after(events)["pool"] == {"before": 10, "after": 10, "reserved": []}


def test_diamonds_solo_is_oros() -> None:
    events = called("F solo, M pass, B pass", "ombre") + named("F", "solo", "D")
    assert found(events) == [(5, "contract_not_allowed")]
    events = called("F solo, M pass, B pass", "ombre") + named("F", "oros", "D") + stands("M B")
    assert found(events) == []
    assert state_after(events)["trump"] == "D"
    assert state_after(events)["to_act"] == F


def test_oros_needs_no_trump_said() -> None:
    events = called("F oros, M pass, B pass", "ombre") + named("F", "oros")
    assert found(events) == []
    assert state_after(events)["trump"] == "D"


def test_calls_are_kept_with_the_words() -> None:
    events: list[Event] = [*opened(), {"type": "bid_made", "seat": F, "bid": "simple", "said": "spil"}]
    assert state_after(events)["calls"] == [{"seq": 2, "seat": F, "bid": "simple", "said": "spil"}]
    assert B not in {call["seat"] for call in state_after(events)["calls"]}
