"""Revokes proved after the fact, in words."""

from engine import audit, effective, fold_all
from engine.inference.evidence import Evidence, evidence
from engine.inference.revokes import Proof, proofs
from engine.play.findings import Finding
from engine.play.state import State
from service.presentation.i18n.translate import told
from tests.support.engine.shorthand import (
    Event,
    dealt,
    held,
    log_from,
    named,
    opened,
    plays,
    said,
    stands,
    swap,
)
from tests.support.hidden.revokes import SIX_TRICKS, game


def found_in(events: list[Event]) -> tuple[Evidence, State]:
    entries = effective(log_from(events)).entries
    state = fold_all(entries)
    return evidence(entries, state), state


def proved(events: list[Event]) -> Proof:
    (one,) = proofs(*found_in(events))
    return one


def found(events: list[Event], code: str = "revoke") -> list[Finding]:
    return [one for one in audit(log_from(events)).findings if one.code == code]


def called(seat: str = "middlehand", kind: str = "kulørsvigt") -> Event:
    return {"type": "irregularity_noted", "seat": seat, "kind": kind}


def first(events: list[Event]) -> int:
    return next(seq for seq, event in enumerate(events, 1) if event["type"] == "card_played")


def test_a_card_played_later_proves_it_in_words() -> None:
    events = game() + plays(SIX_TRICKS)
    start, one = first(events), proved(events)
    assert (one.seq, one.seat, one.trick) == (start + 4, 1, 2)
    assert one.evidence == (start + 3, start + 4, start + 15)
    assert one.story == (
        "At trick 2 Anna led H7; Bo played C4.",
        "At trick 6 Bo played H6, held since the deal.",
    )
    assert one.privilege == "The matador privilege does not excuse it: H6 is no matador."
    assert one.finding.code == "revoke"


def test_what_was_drawn_was_held_since_the_exchange() -> None:
    events = opened() + said("F simple, M pass, B pass") + named("F", "simple", "H") + stands("F")
    events += [*swap("M", "?? ??", "?? ??"), *stands("B"), *plays("F-H4 M-C4 B-HJ B-D2 F-D3 M-H2")]
    assert proved(events).story[1] == "At trick 2 Bo played H2, held since the exchange."


def test_counting_alone_proves_it() -> None:
    """Ten diamonds are seen elsewhere but for one, which only he can have had."""
    events = opened("D7 D6 D5 D4 D3 S2 S3 S4 S5", "", "D2 DA DJ DQ C2 C3 C4 C5 C6") + said("F solo")
    events = events + said("M pass, B pass") + named("F", "solo", "H")
    events += [*swap("M", "", ""), *swap("B", "", ""), *plays("F-D7 M-C7")]
    left = ["S6", "S7", "SA", "SJ", "SQ", "SK", "CA", "CJ", "CQ", "CK", "H2", "H3", "H4"]
    talon = {"type": "talon_seen", "cards": left, "seats": []}
    one = proved([*events, talon])
    assert one.seq == first(events) + 1
    assert one.held == 0
    assert one.evidence == (2, 3, first(events), first(events) + 1, len(events) + 1)
    assert one.story[1].startswith("Entries ")
    assert one.privilege == "No trump was led: the matador privilege does not come into it."


def test_a_hand_dealt_proves_it_too() -> None:
    events = game() + plays("F-D4 M-C4")
    events.insert(1, dealt("M", "D2 C4 C5 C6 C7 S2 S3 S4 S5"))
    assert proved(events).story[1] == "Bo held D2 then."


def test_a_hand_stated_later_proves_it() -> None:
    events = [*game(), *plays("F-D4 M-C4"), held("M", "D2 C5 C6 C7 S2 S3 S4 S5")]
    assert proved(events).evidence == (first(events), first(events) + 1, len(events))


def test_the_matadors_excuse_what_is_called_a_revoke() -> None:
    events = game() + plays("F-H4 M-C4 B-HJ B-D2 F-D3 M-SA")
    (one,) = found([*events, called()], "matador_withheld")
    start = first(events)
    assert (one.seq, one.severity, one.evidence) == (
        start + 1,
        "info",
        (start, start + 1, start + 5, start + 6),
    )
    assert one.message == (
        "At trick 1 Anna led H4; Bo played C4. At trick 2 Bo played SA, held since the deal. "
        "The matador privilege excuses it: H4 does not compel SA."
    )
    assert found([*events, called()]) == []


def test_what_nobody_calls_a_revoke_is_not_told() -> None:
    events = game() + plays("F-H4 M-C4 B-HJ B-D2 F-D3 M-SA")
    for calls in ([], [called("backhand")], [called(kind="talk or signs")]):
        assert found([*events, *calls], "matador_withheld") == []
    early = [*events[: first(events)], called(), *events[first(events) :]]
    assert found(early, "matador_withheld") == []


def test_a_matador_that_frees_nobody_by_itself() -> None:
    """Manille is led; basta was excused in dlu by spadille alone, which nobody has seen."""
    events = game() + plays("F-H7 M-C4 B-H2 F-DK M-D4 B-D3 F-CK M-CA")
    (one,) = found([*events, called()], "matador_withheld")
    assert one.message.endswith("The matador privilege excuses it only if Bo held SA too.")
    assert found([*events, *plays("B-SA"), called()], "matador_withheld") == []
    (one,) = found([*events, *plays("B-SA"), called()])
    assert one.message.endswith(
        "The matador privilege does not excuse it: CA does not beat H7, and Bo held no matador that does. "
        "It was a revoke."
    )


def test_basta_is_proof_in_ombre_and_none_in_dlu() -> None:
    later = "F-H7 M-C4 B-H2 F-DK M-D4 B-D3 F-CK M-CA"
    one = proved(game("ombre") + plays(later))
    assert one.privilege == "The matador privilege does not excuse it: H7 was led, and CA has to follow that."
    assert proofs(*found_in(game() + plays(later))) == ()


def test_whether_it_can_be_mended_where_the_rules_say_so() -> None:
    hand = dealt("M", "D2 C4 C5 C6 C7 S2 S3 S4 S5")
    events = game("ombre")
    events.insert(1, hand)
    until = "Until trick 1 is folded the revoke can be mended."
    since = "Trick 1 has been folded since: the revoke is established."
    assert proved(events + plays("F-D4 M-C4")).mending == until
    assert proved(events + plays("F-DK M-C4 B-D3")).mending == until
    assert proved(events + plays("F-DK M-C4 B-D3 F-D5")).mending == since
    events = game()
    events.insert(1, hand)
    assert "do not state" in proved(events + plays("F-D4 M-C4")).mending


def test_a_revoke_that_a_later_card_proves_is_told_with_its_course() -> None:
    (one,) = found([*game("ombre"), *plays("F-DK M-C4 B-D3 F-DQ M-D4")])
    assert one.message == (
        "At trick 1 Anna led DK; Bo played C4. At trick 2 Bo played D4, held since the deal. "
        "It was a revoke. Trick 1 has been folded since: the revoke is established."
    )
    assert told(one.message, "da") == (
        "I stik 1 spillede Anna DK ud; Bo lagde C4. I stik 2 lagde Bo D4, som havde været på hånden siden "
        "uddelingen. Det var kulørsvigt. Stik 1 er siden vendt: kulørsvigten står fast."
    )


def test_a_card_shown_before_the_trick_is_folded_proves_what_can_still_be_mended() -> None:
    shown = {"type": "cards_shown", "seat": "middlehand", "cards": ["D4"]}
    (one,) = found([*game("ombre"), *plays("F-DK M-C4"), shown])
    assert one.message == (
        "At trick 1 Anna led DK; Bo played C4. Bo held D4 then. It was a revoke. "
        "Until trick 1 is folded the revoke can be mended."
    )


def test_a_matador_in_a_known_hand_that_has_to_follow_is_told_why() -> None:
    hand = dealt("M", "CA C4 C5 C6 C7 S2 S3 S4 S5")
    for ruleset, why in (
        ("ombre", "H7 was led, and CA has to follow that. Until trick 1 is folded the revoke can be mended."),
        ("dlu", "CA does not beat H7, and Bo held no matador that does."),
    ):
        events = game(ruleset)
        events.insert(1, hand)
        (one,) = found([*events, *plays("F-H7 M-C4")])
        assert one.message == (
            "Bo plays C4 to H7 at trick 1, holding CA: a revoke. The matador privilege does not excuse it: "
            + why
        )
