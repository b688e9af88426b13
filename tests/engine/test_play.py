"""The play: who follows, who wins, when it ends, and cards that nobody saw."""

from dataclasses import replace

import pytest

from engine.rulesets import DLU, OMBRE, Book, book_of
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    corrected,
    due_after,
    found,
    gap,
    held,
    legal_after,
    named,
    note,
    opened,
    paid,
    plays,
    said,
    score_after,
    shown,
    stands,
    state_after,
)

HANDS = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")


def solo(trump: str = "H", *hands: str, ruleset: str = "dlu") -> list[Event]:
    """Forehand's solo, nobody having exchanged: play is due."""
    contract = {"dlu": "spade-solo" if trump == "S" else "solo", "ombre": "oros" if trump == "D" else "solo"}
    named_as = contract.get(ruleset, "solo")
    events = opened(*hands, ruleset=ruleset) + said(f"F {named_as}, M pass, B pass")
    return events + named("F", named_as, trump) + stands("M B")


def nolo(contract: str, *hands: str) -> list[Event]:
    return opened(*hands) + said(f"F {contract}, M pass, B pass") + named("F", contract)


def at(events: list[Event], number: int) -> int:
    """The place of the last but ``number``-th event; 0 is the last."""
    return len(events) - number


# --- Who wins -------------------------------------------------------------------------------------


def winner(trump: str | None, trick: str) -> str | None:
    events = solo(trump) if trump else nolo("pure-nolo")
    won: str | None = state_after(events + plays(trick))["tricks"][0]["winner"]
    return won


@pytest.mark.parametrize(
    ("trump", "trick", "seat"),
    [
        pytest.param("H", "F-D2 M-D3 B-DK", B, id="the highest of the suit led"),
        pytest.param("H", "F-D2 M-D3 B-CK", F, id="a discard wins nothing; the two beats the three in red"),
        pytest.param("H", "F-C2 M-C3 B-SK", M, id="the three beats the two in black"),
        pytest.param("H", "F-DK M-H6 B-D2", M, id="the lowest trump beats a king"),
        pytest.param("H", "F-HK M-HA B-H2", M, id="ponto beats the king of trumps"),
        pytest.param("H", "F-HA M-CA B-H2", M, id="basta beats ponto"),
        pytest.param("H", "F-CA M-H7 B-H2", M, id="manille beats basta"),
        pytest.param("H", "F-H7 M-SA B-H2", M, id="spadille beats manille"),
        pytest.param("H", "F-CK M-CA B-C2", M, id="basta is a trump, no club"),
        pytest.param("S", "F-S3 M-S2 B-SK", M, id="the black two is manille"),
        pytest.param("D", "F-DA M-D7 B-D2", M, id="the red seven is manille"),
        pytest.param("S", "F-HA M-HJ B-H2", M, id="a plain red ace is below the knave"),
        pytest.param("S", "F-HA M-H2 B-H3", F, id="and above the two"),
        pytest.param(None, "F-SA M-S2 B-H2", M, id="in nolo the black ace is lowest"),
        pytest.param(None, "F-HA M-H2 B-H7", F, id="in nolo the red ace is fourth"),
        pytest.param(None, "F-CA M-HK B-DK", F, id="in nolo nothing trumps"),
    ],
)
def test_who_wins_a_trick(trump: str | None, trick: str, seat: str) -> None:
    assert winner(trump, trick) == seat


def test_the_winner_leads() -> None:
    events = solo() + plays("F-D2 M-D3 B-DK")
    assert due_after(events)["seat"] == B
    assert state_after(events)["tricks_won"] == {F: 0, M: 0, B: 1}


@pytest.mark.parametrize("contract", ["solo", "pure-nolo", "nolo-ouvert"])
@pytest.mark.parametrize("declarer", ["F", "M", "B"])
def test_forehand_leads_in_every_contract(contract: str, declarer: str) -> None:
    auction = {"F": "F {0}, M pass, B pass", "M": "F pass, M {0}, B pass", "B": "F pass, M pass, B {0}"}
    events = opened() + said(auction[declarer].format(contract))
    events += named(declarer, contract, "H" if contract == "solo" else None)
    if contract == "solo":
        events += stands(" ".join({"F": "MB", "M": "FB", "B": "FM"}[declarer]))
    assert (due_after(events)["seat"], due_after(events)["action"]) == (F, "play")
    assert found(events + plays("M-H4")) == [(len(events) + 1, "wrong_seat")]


# --- Who must follow ------------------------------------------------------------------------------


def house(policy: str) -> Book:
    return book_of((DLU, OMBRE, replace(DLU, id="house", matadors=policy)))


def playable(policy: str, trump: str, lead: str, hand: str) -> str:
    """What middlehand may play to forehand's lead, with nine cards in hand of which the rest are diamonds."""
    rest = [code for code in ("D2", "D3", "D4", "D5", "D6", "DJ", "DQ", "DK") if code not in hand]
    whole = " ".join([*hand.split(), *rest][:9])
    events = solo(trump, "", whole, ruleset="house") + plays(f"F-{lead}")
    due = legal_after(events, house(policy))
    assert due is not None
    assert due["seat"] == M
    cards = due["cards"]
    return "any" if len(cards) == 9 else " ".join(cards)


@pytest.mark.parametrize(
    ("lead", "hand", "by_policy"),
    [
        pytest.param("H7", "SA CA", ("CA SA", "any", "any"), id="spadille and basta, manille led"),
        pytest.param("H7", "CA", ("CA", "CA", "any"), id="basta alone, manille led"),
        pytest.param("H7", "SA", ("any", "any", "any"), id="spadille is never compelled"),
        pytest.param("SA", "H7 CA", ("CA H7", "CA H7", "any"), id="spadille compels the lower ones"),
        pytest.param("SA", "H7", ("H7", "H7", "any"), id="spadille compels manille"),
        pytest.param("CA", "H7", ("any", "any", "any"), id="basta compels neither"),
        pytest.param("CA", "SA H7", ("any", "any", "any"), id="nor both"),
        pytest.param("H4", "CA", ("any", "any", "any"), id="a low trump compels no matador"),
        pytest.param("H4", "SA H7 CA", ("any", "any", "any"), id="nor all three"),
        pytest.param("HA", "CA", ("any", "any", "any"), id="nor does ponto"),
        pytest.param("H4", "CA H2", ("CA H2", "CA H2", "CA H2"), id="with a low trump he must follow"),
        pytest.param("H4", "HA", ("HA", "HA", "HA"), id="ponto is no matador"),
        pytest.param("H4", "SA HA", ("HA SA", "HA SA", "HA SA"), id="and compels, spadille or not"),
        pytest.param("H4", "C3 C4", ("any", "any", "any"), id="without a trump, anything"),
        pytest.param("C7", "CA C3", ("C3", "C3", "C3"), id="basta is no club"),
        pytest.param("S7", "SA S3", ("S3", "S3", "S3"), id="spadille is no spade"),
        pytest.param("C7", "CA SA", ("any", "any", "any"), id="no club besides basta: anything"),
    ],
)
def test_the_privilege_of_the_matadors(lead: str, hand: str, by_policy: tuple[str, str, str]) -> None:
    policies = ("forced-by-higher", "can-beat-lead", "absolute")
    assert tuple(playable(policy, "H", lead, hand) for policy in policies) == by_policy


@pytest.mark.parametrize(("ruleset", "spadille_and_basta"), [("dlu", "any"), ("ombre", "CA SA")])
def test_the_rulesets_differ_where_manille_is_led(ruleset: str, spadille_and_basta: str) -> None:
    hand = "SA CA D2 D3 D4 D5 D6 DJ DQ"
    events = solo("H", "", hand, ruleset=ruleset) + plays("F-H7")
    cards = due_after(events)["cards"]
    assert ("any" if len(cards) == 9 else " ".join(cards)) == spadille_and_basta


def test_only_the_lead_counts_never_a_higher_matador_played_second() -> None:
    hand = "CA D2 D3 D4 D5 D6 DJ DQ DK"
    for ruleset in ("dlu", "ombre"):
        events = solo("H", "", "", hand, ruleset=ruleset) + plays("F-H4 M-SA")
        assert len(due_after(events)["cards"]) == 9


def test_the_privilege_comes_when_the_low_trumps_are_gone() -> None:
    events = solo("H", "", "CA H2 D2 D3 D4 D5 D6 DJ DQ") + plays("F-H4")
    assert due_after(events)["cards"] == ["CA", "H2"]
    events += plays("M-H2 B-H3 M-DQ B-DK F-D7 B-S3 F-SK M-D2 F-H5")
    assert len(due_after(events)["cards"]) == 6


def test_in_nolo_every_card_belongs_to_its_printed_suit() -> None:
    events = nolo("pure-nolo", "", "SA CA H2 H3 H4 D2 D3 D4 D5") + plays("F-S3")
    assert due_after(events)["cards"] == ["SA"]


# --- Out of order ---------------------------------------------------------------------------------


def test_a_card_out_of_turn_is_found_and_the_trick_goes_on() -> None:
    events = solo() + plays("F-D2 B-D3")
    assert found(events) == [(at(events, 0), "wrong_seat")]
    assert due_after(events)["seat"] == M
    events += plays("M-DK")
    assert found(events) == [(at(events, 1), "wrong_seat")]
    assert due_after(events)["seat"] == M  # he won it


def test_a_lead_by_one_who_did_not_win() -> None:
    events = solo() + plays("F-D2 M-D3 B-DK M-C3")
    assert found(events) == [(at(events, 0), "wrong_seat")]
    assert due_after(events)["seat"] == B
    assert state_after(events)["tricks_won"] == {F: 0, M: 0, B: 1}


def test_two_cards_of_one_seat_to_a_trick() -> None:
    events = solo() + plays("F-D2 F-D3")
    assert found(events) == [(at(events, 0), "wrong_seat")]


@pytest.mark.parametrize(
    ("words", "winner"), [("F-D2 M-C2 M-D3 B-DK", B), ("F-D2 B-D3 B-D4 M-DK", M), ("F-D2 F-D3 M-D4 B-DK", B)]
)
def test_a_second_card_of_a_seat_is_no_part_of_the_trick(words: str, winner: str) -> None:
    """Whatever the table does with it, a trick has one card of each: the next one still completes it."""
    events = solo() + plays(words)
    assert state_after(events)["tricks"][0]["winner"] == winner
    assert due_after(events)["seat"] == winner
    assert at(events, 0) not in [seq for seq, _ in found(events)]


def test_a_card_before_the_exchange_is_over() -> None:
    events = opened() + said("F simple, M pass, B pass") + named("F", "simple", "H") + plays("F-H4")
    assert found(events) == [(6, "wrong_phase")]
    assert state_after(events)["phase"] == "play"


# --- Whose card -----------------------------------------------------------------------------------


def test_a_card_that_another_holds() -> None:
    events = solo("H", *HANDS) + plays("F-SK")
    assert found(events) == [(at(events, 0), "card_not_held")]


def test_a_card_that_nobody_was_dealt() -> None:
    events = solo("H", *HANDS) + plays("F-D2")
    assert found(events) == [(at(events, 0), "card_not_held")]


def test_a_card_played_twice() -> None:
    events = solo("H") + plays("F-SK M-S3 B-S4 F-SK")
    assert found(events) == [(at(events, 0), "card_duplicated")]


def test_of_hidden_hands_a_card_known_to_be_elsewhere() -> None:
    events = solo("H", "", HANDS[1]) + plays("F-CK")
    assert found(events) == [(at(events, 0), "card_duplicated")]


@pytest.mark.parametrize("card", ["known", "hidden"])
def test_a_tenth_card(card: str) -> None:
    cards = [f"{suit}{rank}" if card == "known" else "??" for suit in "DC" for rank in "23456"]
    events = solo() + plays(" ".join(f"F-{code}" for code in cards))
    not_held = [seq for seq, code in found(events) if code == "card_not_held"]
    assert not_held == [at(events, 0)]


# --- The end --------------------------------------------------------------------------------------

FIVE = "F-SA M-H2 B-H4 F-CA M-H3 B-H5 F-HK M-S6 B-DJ F-HQ M-S7 B-C5 F-HJ M-CJ B-C6"


def test_a_game_ends_with_the_declarers_fifth_trick() -> None:
    events = solo("H", *HANDS) + plays(FIVE)
    assert state_after(events)["phase"] == "finished"
    assert legal_after(events) is None
    assert paid(events) == ("won", [6, -3, -3])


def test_play_after_the_end_is_no_offence_and_does_not_count() -> None:
    events = solo("H", *HANDS) + plays(FIVE)
    more = events + plays("F-S2 M-CK B-C7")
    assert found(more) == [(len(events) + n, "play_after_end") for n in (1, 2, 3)]
    assert score_after(more) == score_after(events)
    assert state_after(more)["tricks_won"] == state_after(events)["tricks_won"]
    assert [one["card"] for one in state_after(more)["played_on"]] == ["S2", "CK", "C7"]


def test_a_defenders_fifth_trick_ends_nothing() -> None:
    events = solo("H") + plays("F-D2 M-DK B-D3 M-CK B-C2 F-C3 M-CQ B-C4 F-C5 M-CJ B-C6 F-C7 M-SK B-S3 F-S4")
    assert due_after(events)["action"] == "play"
    assert paid(events) == ("codille", [-8, 4, 4])


def test_pure_nolo_ends_with_the_declarers_second_trick() -> None:
    one = nolo("pure-nolo") + plays("F-DK M-D2 B-D3")
    assert due_after(one)["action"] == "play"
    two = one + plays("F-CK M-C2 B-C3")
    assert legal_after(two) is None
    assert paid(two) == ("codille", [-10, 5, 5])


def test_nolo_ouvert_ends_with_the_declarers_first_trick() -> None:
    events = nolo("nolo-ouvert") + plays("F-DK M-D2 B-D3")
    assert legal_after(events) is None
    assert paid(events) == ("codille", [-14, 7, 7])


def test_simple_nolo_is_played_out() -> None:
    events = nolo("simple-nolo") + stands("F") + plays("F-DK M-D2 B-D3 F-CK M-C2 B-C3")
    assert paid(events) == ("codille", [-6, 3, 3])
    assert due_after(events)["action"] == "play"


def test_nolo_ouvert_is_laid_open_after_the_lead() -> None:
    def shows(events: list[Event]) -> bool:
        return {"action": "show", "seat": F} in due_after(events).get("also", [])

    events = nolo("nolo-ouvert", "D2 D3 D4 D5 D6 C2 C3 S2 S3")
    assert not shows(events)
    assert shows(events + plays("F-D2"))
    assert not shows(nolo("pure-nolo") + plays("F-D2"))
    laid_open = [*events, *plays("F-D2"), shown("F", "D3 D4 D5 D6 C2 C3 S2 S3")]
    assert found(laid_open) == []


def test_nolo_ouvert_is_laid_open_once() -> None:
    events = [*nolo("nolo-ouvert", "D2 D3 D4 D5 D6 C2 C3 S2 S3"), *plays("F-D2")]
    events += [shown("F", "D3 D4 D5 D6 C2 C3 S2 S3")]
    assert {"action": "show", "seat": F} not in due_after(events).get("also", [])


# --- Cards that nobody saw ------------------------------------------------------------------------


def test_a_hidden_card_that_changes_nothing_leaves_no_doubt() -> None:
    """Spadille wins whatever is laid to it."""
    events = solo() + plays("F-SA M-?? B-??")
    assert state_after(events)["tricks"][0]["winner"] == F


def test_of_a_hidden_card_the_suit_may_be_enough() -> None:
    events = solo() + plays("F-DK M-D? B-C?")
    assert state_after(events)["tricks"][0]["winner"] is None  # basta is printed with a club
    events = solo() + plays("F-DK M-D? B-D?")
    assert state_after(events)["tricks"][0]["winner"] == F


def test_a_hidden_winner_is_he_who_leads_next() -> None:
    events = solo() + plays("F-D2 M-?? B-D3")
    assert state_after(events)["tricks"][0]["winner"] is None
    assert legal_after(events) == {
        "seat": None, "action": "play", "cards": [], "hidden": True,
        "also": [{"action": "abandon", "seat": F, "pays": "codille"}, {"action": "claim", "seat": F}],
    }  # fmt: skip
    assert state_after(events)["tricks_won"] == {F: 0, M: 0, B: 0}
    events += plays("M-C2")
    assert state_after(events)["tricks"][0]["winner"] == M
    assert state_after(events)["tricks_won"] == {F: 0, M: 1, B: 0}
    assert found(events) == []


def test_a_hidden_last_trick_leaves_open_what_it_leaves_open() -> None:
    """Four all and the last trick unseen: won, bête or kodille."""
    tricks = "F-SA M-H2 B-H4 F-H7 M-H3 B-H5 F-CA M-H6 B-S3 F-HA M-S4 B-S5 "
    tricks += "F-D2 M-DK B-D3 M-CK B-C2 F-C3 M-CQ B-C4 F-C5 M-CJ B-C6 F-C7 M-?? B-?? F-??"
    result = score_after(solo() + plays(tricks))
    assert result["tricks"] == {F: 4, M: 4, B: 0}
    assert not result["decided"]
    assert set(result["reachable"]) == {"won", "bete", "codille"}


def test_hidden_cards_of_a_known_hand_shrink_it() -> None:
    events = solo("H", HANDS[0]) + plays("F-??")
    assert state_after(events)["hands"][F] == {"cards": [], "unknown": 8, "maybe": ["??"] * 8}
    events = solo("H", HANDS[0]) + plays("F-D?")
    hand = state_after(events)["hands"][F]
    assert (hand["cards"], hand["maybe"]) == (["CA", "HJ", "HK", "HQ", "S2", "SA"], ["D?", "D?"])


# --- Missing entries ------------------------------------------------------------------------------


def test_a_trick_number_that_jumps_says_that_entries_are_missing() -> None:
    events = solo() + plays("F-SA@1 M-H2@1 B-H3@1 M-C2@4 B-CK@4 F-C3@4")
    assert found(events) == [(at(events, 2), "incomplete")]
    state = state_after(events)
    assert [trick["number"] for trick in state["tricks"]] == [1, 2, 3, 4]
    assert [trick["winner"] for trick in state["tricks"]] == [F, None, M, B]
    assert state["incomplete"]
    assert [hand["unknown"] for hand in state["hands"].values()] == [5, 5, 5]


def test_the_last_card_of_a_trick_may_be_missing() -> None:
    events = solo() + plays("F-D2@1 M-D3@1 B-S2@2")
    assert found(events) == [(at(events, 0), "incomplete")]
    assert state_after(events)["tricks"][0]["winner"] == B


def test_a_trick_number_that_has_passed_is_wrong() -> None:
    events = solo() + plays("F-SA@1 M-H2@1 B-H3@1 F-H7@1")
    assert found(events) == [(at(events, 0), "trick_mismatch")]
    assert found(solo() + plays("F-SA@10")) == [(len(solo()) + 1, "trick_mismatch")]


def test_right_trick_numbers_change_nothing() -> None:
    numbered = " ".join(f"{word}@{1 + n // 3}" for n, word in enumerate(FIVE.split()))
    plain, anchored = solo("H", *HANDS) + plays(FIVE), solo("H", *HANDS) + plays(numbered)
    assert state_after(plain) == state_after(anchored)
    assert found(anchored) == []


def test_after_a_gap_anybody_may_play_next() -> None:
    events = [*solo(), *plays("F-SA M-H2 B-H3"), gap(), *plays("B-CK")]
    assert found(events) == []
    assert state_after(events)["incomplete"]


def test_after_a_gap_a_second_card_of_a_seat_begins_another_trick() -> None:
    events = [*solo(), *plays("F-H2 M-H3"), gap(), *plays("F-D2 M-D3 B-D4")]
    assert found(events) == []
    assert [trick["cards"] for trick in state_after(events)["tricks"]] == [["H2", "H3"], ["D2", "D3", "D4"]]


def test_notes_change_nothing() -> None:
    events = solo("H", *HANDS) + plays(FIVE)
    with_notes = [part for event in events for part in (event, note("!"))]
    state, other = state_after(events), state_after(with_notes)
    for told in (state, other):
        del told["calls"]
        for trick in told["tricks"]:
            del trick["seqs"]
    assert state == other


def test_a_card_put_right_is_played_in_its_place() -> None:
    events = solo("H", *HANDS) + plays("F-SA M-H2 B-SK F-CA")
    wrong = at(events, 1)
    assert found(events) == [(wrong, "revoke")]
    assert found([*events, corrected([wrong], *plays("B-H4"))]) == []


def test_a_stated_hand_in_the_middle_of_the_play() -> None:
    events = [*solo(), *plays("F-SA M-H2 B-H3"), held("F", "S2 CA HK HQ HJ D7 D6 D5"), *plays("F-HK")]
    assert found(events) == []
    assert state_after(events)["hands"][F]["cards"] == ["CA", "D5", "D6", "D7", "HJ", "HQ", "S2"]
