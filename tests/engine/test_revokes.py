"""Revokes: found at once where the hand is known, later where a card proves it, never on a mere doubt."""

import pytest

from tests.support.engine.shorthand import (
    B,
    Event,
    audited,
    corrected,
    dealt,
    due_after,
    found,
    held,
    named,
    opened,
    plays,
    said,
    score_after,
    shown,
    stands,
    swap,
)

# Forehand's spil in hearts; all stand. What is played is all that is known, unless a hand is given.


def game(*hands: str, ruleset: str = "dlu") -> list[Event]:
    contract = "simple" if ruleset == "dlu" else "play"
    events = opened(*hands, ruleset=ruleset) + said(f"F {contract}, M pass, B pass")
    return events + named("F", contract, "H") + stands()


def first(events: list[Event]) -> int:
    """The seq of the first card."""
    return next(seq for seq, event in enumerate(events, 1) if event["type"] == "card_played")


# --- Seen at once ---------------------------------------------------------------------------------


def test_a_revoke_from_a_known_hand_is_seen_at_once() -> None:
    events = game("", "H2 S3 S4 S5 S6 S7 C4 C5 C6") + plays("F-H4 M-C4")
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    assert (revoke.seq, revoke.severity, revoke.seat, revoke.rule) == (11, "error", 1, "5. Play")
    assert revoke.evidence == (2, 10, 11)  # the hand, the lead, the card
    assert "H2" in revoke.message


def test_of_a_hand_half_known_the_known_half_is_enough() -> None:
    assert found([*game("", "H2 ?? ?? ?? ?? ?? ?? ?? ??"), *plays("F-H4 M-C4")]) == [(11, "revoke")]


def test_a_plain_suit_is_followed_as_well() -> None:
    hand = "S3 S4 S5 S6 S7 C4 C5 C6 D2"
    assert found(game("", hand) + plays("F-D4 M-C4")) == [(11, "revoke")]
    assert found(game("", hand) + plays("F-D4 M-D2")) == []


def test_to_trump_in_while_one_could_follow_is_a_revoke() -> None:
    assert found(game("", "H2 H3 H5 H6 HQ HK C4 C5 D2") + plays("F-D4 M-H2")) == [(11, "revoke")]


def test_who_is_void_may_play_anything() -> None:
    assert found(game("", "H2 H3 H5 H6 HQ HK C4 C5 C6") + plays("F-D4 M-C4 B-D5")) == []


def test_a_matador_withheld_by_right_is_no_revoke() -> None:
    assert found(game("", "CA C4 C5 C6 C7 D2 D3 D4 D5") + plays("F-H4 M-D2")) == []
    assert found(game("", "CA C4 C5 C6 C7 D2 D3 D4 D5") + plays("F-H7 M-D2")) == [(11, "revoke")]
    assert found(game("", "SA C4 C5 C6 C7 D2 D3 D4 D5") + plays("F-H7 M-D2")) == []


@pytest.mark.parametrize(("ruleset", "findings"), [("dlu", []), ("ombre", [(11, "revoke")])])
def test_the_same_card_is_right_under_one_ruleset_and_wrong_under_another(
    ruleset: str, findings: list[tuple[int, str]]
) -> None:
    """Spadille and basta alone against manille led: in ombre basta is compelled."""
    events = game("", "SA CA C4 C5 C6 C7 D2 D3 D4", ruleset=ruleset) + plays("F-H7 M-D2")
    assert found(events) == findings


def test_a_seat_revokes_again_and_again() -> None:
    events = game("", "H2 H3 C4 C5 C6 C7 CJ CQ CK") + plays("F-H4 M-C4 B-HJ B-HK F-HQ M-C5")
    assert found(events) == [(11, "revoke"), (15, "revoke")]


def test_a_revoke_changes_nobodys_tricks() -> None:
    """It is a fact, and the table rules; the trick goes where the cards put it."""
    events = game("", "H2 S3 S4 S5 S6 S7 C4 C5 C6") + plays("F-H4 M-C4 B-HJ")
    assert score_after(events)["tricks"][B] == 1
    assert due_after(events)["seat"] == B


# --- Proved later ---------------------------------------------------------------------------------

SIX_TRICKS = (
    "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-SK M-S3 B-S4 F-CK M-C5 B-C6 F-D2 M-DK B-D3 "
    "M-H6"  # trick 6: a trump that he did not give to the second
)


def test_a_revoke_at_trick_2_that_trick_6_proves() -> None:
    events = game() + plays(SIX_TRICKS)
    second, sixth = first(events) + 4, first(events) + 15
    before = audited(events[:-1]).findings
    assert not [one for one in before if one.code == "revoke"]
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    assert revoke.seq == second
    assert {second, sixth} <= set(revoke.evidence)


def test_what_proves_one_revoke_proves_all() -> None:
    events = game() + plays("F-SA M-C2 B-H4 F-H7 M-C4 B-H5 F-CA M-C5 B-HK F-D2 M-H3")
    start = first(events)
    assert found(events) == [(start + 1, "revoke"), (start + 4, "revoke"), (start + 7, "revoke")]


def test_a_plain_suit_shown_later_proves_as_well() -> None:
    events = game() + plays("F-DK M-C2 B-D3 F-DQ M-D2")
    assert found(events) == [(first(events) + 1, "revoke")]


def test_a_card_that_came_with_the_exchange_proves_as_well() -> None:
    """Hands shrink only once play has begun: what the exchange brought was held at every trick."""
    events = opened() + said("F simple, M pass, B pass") + named("F", "simple", "H")
    events += [
        *stands("F"),
        *swap("M", "?? ?? ??", "?? ?? ??"),
        *stands("B"),
        *plays("F-H4 M-C4 B-HJ B-D2 F-D3 M-H2"),
    ]
    assert found(events) == [(first(events) + 1, "revoke")]


def test_a_hand_stated_or_shown_proves() -> None:
    events = game() + plays("F-H4 M-C4")
    assert found([*events, held("M", "H5 C6 C7 D4 D5 D6 D7 S2")]) == [(10, "revoke")]
    assert found([*events, shown("M", "H5")]) == [(10, "revoke")]
    assert found([*events, held("M", "C5 C6 C7 D4 D5 D6 D7 S2")]) == []


def test_a_hand_put_in_afterwards_proves_at_once() -> None:
    events = game() + plays("F-H4 M-C4")
    hand = dealt("M", "H5 C4 C6 C7 D4 D5 D6 D7 S2")
    assert found([*events, corrected([], hand, after=1)]) == [(10, "revoke")]


def test_a_hidden_card_is_no_revoke() -> None:
    events = game() + plays("F-H4 M-?? B-HJ B-D2 F-D3 M-H2")
    assert found(events) == []
    suits = game() + plays("F-H4 M-D? B-HJ B-D2 F-D3 M-H2")
    assert found(suits) == [(first(suits) + 1, "revoke")]


def test_to_a_hidden_lead_there_is_no_revoke() -> None:
    assert found(game() + plays("F-?? M-C4 B-H5 B-D2 F-D3 M-H2")) == []


# --- Basta, proved through spadille ---------------------------------------------------------------

WITHHELD = "F-H7 M-C4 B-H2 F-DK "  # manille led, middlehand gives a club


def test_basta_alone_proves_nothing_while_spadille_may_have_been_with_it() -> None:
    assert found(game() + plays(WITHHELD + "M-D4 B-D3 F-CK M-CA")) == []


def test_basta_and_spadille_seen_elsewhere() -> None:
    events = game() + plays(WITHHELD + "M-D4 B-D3 F-SK M-CA B-S2 M-C5 B-SA")
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    start = first(events)
    assert revoke.seq == start + 1
    assert {start + 1, start + 7, start + 10} <= set(revoke.evidence)


def test_spadille_seen_elsewhere_and_then_basta() -> None:
    events = game() + plays(WITHHELD + "M-D4 B-SA B-C7 F-C2 M-CA")
    assert found(events) == [(first(events) + 1, "revoke")]


def test_basta_and_spadille_from_the_same_hand_were_free() -> None:
    assert found(game() + plays(WITHHELD + "M-D4 B-D3 F-SK M-CA B-S2 M-SA")) == []


def test_spadille_laid_away_before_the_play_was_not_with_basta() -> None:
    events = opened() + said("F simple, M pass, B pass") + named("F", "simple", "H")
    events += [*stands("F"), *swap("M", "SA ?? ??", "?? ?? ??"), *stands("B")]
    events += plays(WITHHELD + "M-D4 B-D3 F-CK M-CA")
    assert found(events) == [(first(events) + 1, "revoke")]


def test_in_ombre_basta_is_proof_enough() -> None:
    events = game(ruleset="ombre") + plays(WITHHELD + "M-D4 B-D3 F-CK M-CA")
    assert found(events) == [(first(events) + 1, "revoke")]


def test_spadille_withheld_is_never_a_revoke() -> None:
    for ruleset in ("dlu", "ombre"):
        assert found(game(ruleset=ruleset) + plays(WITHHELD + "M-D4 B-D3 F-CK M-SA")) == []


LOST_PROOF = "a proof that a stated or shown hand completes is lost: judge weighs it against the state before"


def test_basta_and_the_rest_of_the_hand_stated_without_spadille() -> None:
    events = game() + plays(WITHHELD + "M-D4 B-D3 F-SK M-CA B-S2")
    hand = held("M", "C5 C6 C7 D5 D6 D7")  # the rest of his hand: no spadille
    assert found([*events, hand]) == [(first(events) + 1, "revoke")]


@pytest.mark.parametrize("spadille", [shown("B", "SA"), held("B", "SA C5 C6 C7 S5 S6")])
def test_basta_and_spadille_shown_in_another_hand(spadille: Event) -> None:
    events = game() + plays(WITHHELD + "M-D4 B-D3 F-SK M-CA B-S2")
    assert found([*events, spadille]) == [(first(events) + 1, "revoke")]


def test_a_card_played_after_the_end_proves_as_well() -> None:
    """It does not count, but it was held when he did not follow."""
    events = game() + plays(
        "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-CA M-C5 B-S3 F-HA M-C6 B-S4 F-HK M-C7 B-S5 F-D2 M-H6"
    )
    assert (first(events) + 4, "revoke") in found(events)


def test_a_card_that_is_known_to_be_anothers_proves_nothing() -> None:
    events = game("H4 H5 H6 HK HQ HJ D7 D6 D5") + plays("F-H4 M-C4 B-C5 F-D5 M-HK")
    assert found(events) == [(len(events), "card_duplicated")]


def test_the_same_revoke_stands_once_with_all_its_evidence() -> None:
    hand = "H2 H3 ?? ?? ?? ?? ?? ?? ??"
    events = game("", hand) + plays("F-H4 M-C4 B-HJ B-HK F-HQ M-H5")
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    assert revoke.evidence == (2, 10, 11)  # the hand, the lead, the card: no more is needed
