"""What one mistake of the pen explains: who taps wrongly makes nobody revoke, and nobody play out of turn."""

import random
from collections.abc import Iterator

import pytest

from engine.audit import audit
from engine.conditions import with_conditions
from engine.events import BidMade, CardPlayed, CorrectionMade, GapNoted
from engine.explained import Explanation, explanation, with_corrections
from engine.findings import GRAVE, Finding
from engine.history import effective
from engine.log import Log
from engine.report import report
from tests.support.engine.shorthand import Event, log_from, named, opened, plays, said, swap, turned
from tests.support.engine.slipping import (
    BEGUN,
    FIRST,
    PLAYED,
    QUEEN,
    not_tapped,
    tapped_for,
    tapped_twice,
    unseen,
)
from tests.support.hidden.records import RULESETS, deal, with_revoke


def explained(events: list[Event]) -> Explanation:
    log = log_from(events)
    found = explanation(log, audit(log))
    assert found is not None
    return found


def told(events: list[Event]) -> list[tuple[object, str, str]]:
    return [(one.finding.seq, one.finding.code, one.finding.message) for one in explained(events).mistakes]


ALL_THERE = " That is so if no entry is missing and all are in their order."
IN_ORDER = " That is so if the entries are in their order."
AS_WRITTEN = " That is so if the cards that show it are written rightly."
QUEEN_ENTRY = FIRST + QUEEN
FIRST_CALL = 2
SLIPS = {
    "a card tapped twice": (
        tapped_twice(QUEEN - 1),
        (QUEEN_ENTRY, "entry_doubled", f"Entry {QUEEN_ENTRY} says again what entry {QUEEN_ENTRY - 1} says."),
    ),
    "a card not tapped": (
        not_tapped(QUEEN),
        (QUEEN_ENTRY, "entry_missing", f"CQ, played by Anna, is missing before entry {QUEEN_ENTRY}."),
    ),
    "a card tapped for another seat": (
        tapped_for(QUEEN, "middlehand"),
        (QUEEN_ENTRY, "seat_mistaken", f"Entry {QUEEN_ENTRY} has Bo in place of Anna."),
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_the_finger_is_named_and_explains_all_that_comes_of_it(slip: str) -> None:
    played, mistake = SLIPS[slip]
    assert told([*BEGUN, *played]) == [mistake]
    assert explained([*BEGUN, *played]).judged.findings == ()


@pytest.mark.parametrize("slip", SLIPS)
def test_so_it_is_where_no_hand_is_known(slip: str) -> None:
    played, _ = SLIPS[slip]
    begun = unseen(BEGUN)
    (mistake,) = explained([*begun, *played]).mistakes
    assert mistake.finding.seq == len(begun) + 1 + QUEEN
    assert mistake.finding.code == SLIPS[slip][1][1]
    if mistake.finding.code == "entry_missing":
        assert mistake.finding.message == f"A card of Anna's is missing before entry {mistake.finding.seq}."
    assert not [one for one in explained([*begun, *played]).judged.findings if one.severity in GRAVE]


@pytest.mark.parametrize("slip", SLIPS)
def test_the_report_has_one_matter_and_below_it_whoever_seems_to_have_done_something(slip: str) -> None:
    played, mistake = SLIPS[slip]
    log = log_from([*BEGUN, *played])
    (matter,) = report(log).matters
    assert [(one.seq, one.code) for one in matter.findings] == [mistake[:2]]
    assert matter.follows == audit(log).findings
    assert [one.reason for one in matter.corrections] == [mistake[2]]


def test_a_card_that_is_missing_is_put_in_before_the_one_that_stands_there() -> None:
    log = log_from([*BEGUN, *not_tapped(QUEEN)])
    (matter,) = report(log).matters
    (correction,) = matter.corrections
    assert correction.replaces == (QUEEN_ENTRY,)
    true = log_from([*BEGUN, *PLAYED])
    mended = effective(with_corrections(log, matter.corrections)).entries
    assert [one.event for one in mended] == [one.event for one in true]


def test_the_hands_are_told_as_they_stood_when_the_missing_card_was_to_be_played() -> None:
    (matter,) = report(log_from([*BEGUN, *not_tapped(QUEEN)])).matters
    assert matter.due is not None
    assert (matter.due.seat, matter.due.cards) == (0, ("CQ",))


def test_a_pass_tapped_for_who_has_passed_was_anothers() -> None:
    events = [*opened(), *said("F pass, M pass, M pass")]
    (mistake,) = explained(events).mistakes
    assert mistake.finding.code == "seat_mistaken"
    assert mistake.finding.message == "Entry 4 has Bo in place of Carl."


def test_a_bid_tapped_twice_is_one_bid() -> None:
    events = [*opened(), *said("F simple, F simple, M pass, B pass"), *named("F", "simple", "H")]
    assert [one[:2] for one in told(events)] == [(3, "entry_doubled")]


def test_a_card_led_that_may_have_been_written_wrongly_makes_a_revoke_one_on_that_condition() -> None:
    """C5 was led and D5 tapped: forehand, who took it with CQ, seems to revoke and to lead out of turn."""
    played = [*PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
    events = [*unseen(BEGUN), *played]
    lead = len(events) - len(PLAYED) + 7
    log = log_from(events)
    slip, *accused = report(log).matters
    assert [(one.seq, one.code, one.severity) for one in slip.findings] == [
        (lead, "misprint_likely", "warning")
    ]
    assert slip.findings[0].message.startswith(f"Entry {lead} may have D5 in place of C5:")
    assert [one.code for one in effective_audit(log, slip.corrections)] == []
    found = [one for matter in accused for one in matter.findings]
    assert [(one.seq, one.code, one.severity) for one in found] == [
        (lead + 1, "revoke", "error"),
        (lead + 3, "wrong_seat", "error"),
    ]
    assert all(one.message.endswith(AS_WRITTEN) for one in found)
    assert explanation(log, audit(log)) is None


def effective_audit(log: Log, corrections: tuple[CorrectionMade, ...]) -> list[Finding]:
    found = audit(with_corrections(log, corrections)).findings
    return [one for one in found if one.severity in GRAVE]


@pytest.mark.parametrize(
    "said_of_it",
    [
        {"type": "irregularity_noted", "seat": "forehand", "kind": "revoke", "by_seat": "backhand"},
        {"type": "ruling_made", "text": "Anna revoked.", "at_fault": "forehand"},
        {"type": "ruling_made", "text": "It stands.", "at_fault": "forehand", "outcome": "bete"},
    ],
    ids=["called", "ruled", "ruled what it pays"],
)
def test_a_revoke_that_people_saw_is_no_misprint(said_of_it: Event) -> None:
    played = [*PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
    events = [*unseen(BEGUN), *played, said_of_it]
    found = [one for matter in report(log_from(events)).matters for one in matter.findings]
    assert "misprint_likely" not in [one.code for one in found]
    assert "revoke" in [one.code for one in found]


@pytest.mark.parametrize(
    "said_of_it",
    [
        {"type": "irregularity_noted", "seat": "forehand", "kind": "talking", "by_seat": "backhand"},
        {"type": "ruling_made", "text": "Anna talked.", "at_fault": "forehand", "penalty": {"forehand": 1}},
    ],
    ids=["called", "ruled"],
)
def test_that_somebody_talked_says_nothing_of_his_cards(said_of_it: Event) -> None:
    played = [*PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
    events = [*unseen(BEGUN), *played, said_of_it]
    found = [one for matter in report(log_from(events)).matters for one in matter.findings]
    assert "misprint_likely" in [one.code for one in found]
    assert all(one.message.endswith(AS_WRITTEN) for one in found if one.code == "revoke")


def test_a_card_unlike_the_one_written_explains_no_revoke() -> None:
    """Middlehand, who has CJ, plays H6 to C5 and leads: H7 led would explain it, and is unlike C5."""
    events = [*unseen(BEGUN), *PLAYED[:7], *plays("F-CQ M-H6 M-CJ B-CK F-S4")]
    matters = report(log_from(events)).matters
    assert ("revoke", "error") in [(one.code, one.severity) for matter in matters for one in matter.findings]
    slips = [one for matter in matters for one in matter.findings if one.code == "misprint_likely"]
    assert [one.severity for one in slips] == ["warning"]
    assert "H7" not in slips[0].message


# --- In each other's place --------------------------------------------------------------------------


def in_other_order(at: int) -> list[Event]:
    return [*PLAYED[:at], PLAYED[at + 1], PLAYED[at], *PLAYED[at + 2 :]]


@pytest.mark.parametrize("at", [5, 8, 14], ids=["about a trick's end", "the winner's lead", "his own lead"])
def test_two_cards_tapped_in_each_others_place_make_nobody_revoke(at: int) -> None:
    log = log_from([*BEGUN, *in_other_order(at)])
    (matter,) = report(log).matters
    first = FIRST + at
    assert [(one.seq, one.code, one.message) for one in matter.findings] == [
        (first, "order_mistaken", f"Entries {first} and {first + 1} are in each other's place.")
    ]
    assert "revoke" in [one.code for one in matter.follows]
    mended = effective(with_corrections(log, matter.corrections)).entries
    assert [one.event for one in mended] == [one.event for one in log_from([*BEGUN, *PLAYED])]


def test_two_cards_of_one_hand_about_a_tricks_end_may_be_in_each_others_place() -> None:
    """Backhand took H4 with HK and led S5; or he revoked with S5, and middlehand to the HK that he led."""
    begun = unseen(BEGUN)
    events = [*begun, *plays("F-H3 M-H4 B-S5 B-HK F-S4 M-SK M-H6 B-HA F-DK")]
    found = [one for matter in report(log_from(events)).matters for one in matter.findings]
    last = len(begun) + 3
    assert [one.message for one in found if one.code == "order_mistaken"] == [
        f"Entries {last} and {last + 1} may be in each other's place."
    ]
    revokes = [one for one in found if one.code == "revoke"]
    assert [one.seq for one in revokes] == [last, last + 3]
    assert all(IN_ORDER in one.message for one in revokes)


# --- A whole trick ----------------------------------------------------------------------------------


def without_trick(number: int) -> list[Event]:
    return [*PLAYED[: number * 3 - 3], *PLAYED[number * 3 :]]


def test_a_trick_that_was_not_tapped_is_named_where_it_clears_more_than_one() -> None:
    """Backhand led to the third trick, and forehand, who won it, seems to lead out of turn to the next."""
    log = log_from([*BEGUN, *without_trick(3)])
    (matter,) = report(log).matters
    (one,) = matter.findings
    assert (one.seq, one.code) == (FIRST + 6, "entry_missing")
    assert one.message == f"A whole trick is missing before entry {FIRST + 6}: C5 CQ CJ."
    mended = effective(with_corrections(log, matter.corrections)).entries
    assert [one.event for one in mended] == [one.event for one in log_from([*BEGUN, *PLAYED])]


def test_a_trick_that_may_as_well_be_missing_elsewhere_is_a_gap() -> None:
    """Forehand kept C3, not S4, and middlehand led to two tricks, of which the second was not tapped.

    Backhand seems to keep CK and forehand C3 when C4 is led; it may have been either trick.
    """
    begun = [*BEGUN[:-6], *swap("F", "H7 C6 C7", "S7 H3 DK"), *BEGUN[-4:]]
    log = log_from([*begun, *without_trick(7)])
    (matter,) = report(log).matters[:1]
    (one,) = matter.findings
    sixth = FIRST + 15
    assert one.message == f"A whole trick is missing, before entry {sixth} or elsewhere: SQ CK C3."
    assert [(below.seat, below.code) for below in matter.follows] == [(2, "revoke"), (0, "revoke")]
    (correction,) = matter.corrections
    assert [type(event) for event in correction.with_] == [GapNoted, CardPlayed]
    assert effective_audit(log, matter.corrections) == []


def test_a_trick_that_may_be_missing_leaves_one_revoke_what_it_is_on_that_condition() -> None:
    """Middlehand won the fifth and the sixth trick, which was not tapped: backhand seems to keep C2."""
    log = log_from([*BEGUN, *without_trick(6)])
    slip, accused = report(log).matters
    assert [(one.code, one.severity) for one in slip.findings] == [("entry_missing", "warning")]
    assert slip.findings[0].message.endswith("SA C2 CA.")
    (one,) = accused.findings
    assert (one.code, one.severity) == ("revoke", "error")
    assert one.message.endswith(ALL_THERE)


def test_a_revoke_that_nobody_tapped_wrongly_stays_one_behind_a_card_that_is_missing() -> None:
    """Backhand holds D3 when he plays C2 to DK."""
    swapped = {11: PLAYED[16]["card"], 16: PLAYED[11]["card"]}
    wrong = [{**one, "card": swapped.get(at, one["card"])} for at, one in enumerate(PLAYED)]
    log = log_from([*BEGUN, *wrong[:QUEEN], *wrong[QUEEN + 1 :]])
    matters = report(log).matters
    found = [(one.seq, one.code) for matter in matters for one in matter.findings]
    assert (QUEEN_ENTRY, "entry_missing") in found
    assert (FIRST + 10, "revoke") in found


def test_one_card_out_of_turn_is_what_it_is() -> None:
    """Somebody led who had not won the trick, and the others followed: nothing says that it was not so."""
    events = [*BEGUN, *PLAYED[:6], *plays("F-CQ M-CJ B-C5")]
    log = log_from(events)
    assert explanation(log, audit(log)) is None
    assert [(one.seq, one.code) for one in audit(log).findings if one.severity in GRAVE] == [
        (FIRST + 6, "wrong_seat")
    ]


def test_what_hangs_on_whose_turn_it_was_is_so_only_if_no_entry_is_missing() -> None:
    """Two cards are missing, so that no single one explains it."""
    events = [*BEGUN, *not_tapped(QUEEN)[:12], *not_tapped(QUEEN)[13:20]]
    judged = audit(log_from(events))
    found = [one for one in with_conditions(judged) if one.code in ("wrong_seat", "revoke")]
    assert len(found) > 1
    assert all(one.message.endswith(ALL_THERE) for one in found)


def test_a_call_out_of_turn_is_so_only_if_no_call_is_missing() -> None:
    events = [*opened(), *said("F simple, B pass"), *named("F", "simple", "H")]
    found = [one for one in with_conditions(audit(log_from(events))) if one.code == "wrong_seat"]
    assert [one.seq for one in found] == [3]
    assert found[0].message.endswith(ALL_THERE)


def test_where_every_card_was_played_it_is_so_if_they_are_in_their_order() -> None:
    events = [*BEGUN, *PLAYED[:6], *plays("F-CQ M-CJ B-C5"), *PLAYED[9:]]
    judged = audit(log_from(events))
    assert [one.code for one in judged.findings if one.code == "wrong_seat"]
    told = {one.seq: one.message for one in with_conditions(judged) if one.code in ("wrong_seat", "revoke")}
    assert told
    assert all(message.endswith(IN_ORDER) for message in told.values())


def test_a_revoke_that_a_later_card_of_his_shows_is_so_without_a_condition() -> None:
    """Middlehand keeps C4 and CJ and plays both; all cards were played, and all hands are known."""
    swapped = {8: PLAYED[10], 10: PLAYED[8]}
    judged = audit(log_from([*BEGUN, *(swapped.get(at, one) for at, one in enumerate(PLAYED))]))
    assert "revoke" in [one.code for one in judged.findings]
    assert with_conditions(judged) == judged.findings


OUVERT = [
    *opened(
        "SA S5 S3 H5 DQ D2 D3 D4 D7",
        "SJ S7 S2 HK HA CJ C7 C6 C3",
        "SK S6 HJ H7 DK DA D5 C5 C2",
        ruleset="dlu-tournament",
    ),
    *said("F spade-game, M pass, B nolo-ouvert, F pass"),
    *named("B", "nolo-ouvert"),
    *plays("F-D7 M-C6 B-??"),
]
"""Backhand may have won the first trick, and so lost his game with it."""


def test_who_may_have_lost_a_nolo_before_need_not_have_followed() -> None:
    def revoked(events: list[Event]) -> list[str]:
        judged = audit(log_from([*OUVERT, *events]))
        return [str(one.message) for one in with_conditions(judged) if one.code == "revoke"]

    (over,) = revoked(plays("F-S3 M-S7 B-DA"))
    assert over.endswith(" It is none if the deal was over with trick 1.")
    (on,) = revoked(plays("F-S3 M-S7 B-DA M-C3 B-C5 F-D2"))
    assert "if the deal was over" not in on


def test_the_hands_at_a_card_tapped_twice_are_those_without_it() -> None:
    """A whole trick was tapped twice: before its second card, too, four tricks are not played but three."""
    events = [*BEGUN, *PLAYED[:9], *PLAYED[6:]]
    matters = report(log_from(events)).matters
    assert [one.findings[0].code for one in matters] == ["entry_doubled"] * 3
    befores = [one.before for one in matters]
    assert [one and (len(one.play.tricks), one.play.turn) for one in befores] == [(3, 0)] * 3


# --- Random deals -----------------------------------------------------------------------------------


def slips_in(rng: random.Random, events: list[Event]) -> Iterator[tuple[str, list[Event]]]:
    """A legal deal in which a card was tapped twice, not tapped, or for another."""
    cards = [at for at, one in enumerate(events) if one["type"] == "card_played"]
    at = rng.choice(cards[3:-6])
    card = {name: value for name, value in events[at].items() if name != "trick"}
    events = [{name: value for name, value in one.items() if name != "trick"} for one in events]
    other = rng.choice([seat for seat in ("forehand", "middlehand", "backhand") if seat != card["seat"]])
    yield "entry_doubled", [*events[:at], card, *events[at:]]
    yield "entry_missing", [*events[:at], *events[at + 1 :]]
    yield "seat_mistaken", [*events[:at], {**card, "seat": other}, *events[at + 1 :]]


def deals(seed: str, count: int, ruleset: str) -> Iterator[list[Event]]:
    rng = random.Random(f"{seed} {ruleset}")
    while count:
        events = deal(rng, ruleset)
        if sum(one["type"] == "card_played" for one in events) >= 20:
            count -= 1
            yield [one for one in events if one["type"] != "talon_laid"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_any_deal_a_slip_is_named_and_accuses_nobody(ruleset: str) -> None:
    rng = random.Random(ruleset)
    for events in deals("slips", 6, ruleset):
        assert not [one for one in audit(log_from(events)).findings if one.severity in GRAVE]
        for code, slipped in slips_in(rng, events):
            left = explained(slipped)
            assert [one.finding.code for one in left.mistakes] == [code], (code, slipped)
            assert not [one for one in left.judged.findings if one.severity in GRAVE]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_revoke_is_taken_for_a_slip(ruleset: str) -> None:
    rng = random.Random(f"revokes {ruleset}")
    tried = 0
    while tried < 15:
        made = with_revoke(rng, ruleset)
        if made is None:
            continue
        tried += 1
        events, at = made
        log = log_from(events)
        judged = audit(log)
        if ("revoke", at) in [(one.code, one.seq) for one in judged.findings]:
            assert explanation(log, judged) is None


@pytest.mark.parametrize(
    ("calls", "before"),
    [("F simple, B pass", FIRST_CALL + 1), ("F simple, M pass", FIRST_CALL + 2)],
    ids=["in the middle", "the last"],
)
def test_a_pass_that_was_not_entered_is_missing_before_what_comes_next(calls: str, before: int) -> None:
    events = [*opened(), *said(calls), *named("F", "simple", "H"), *swap("F", "?? ??", "?? ??")]
    player = "Bo" if before == FIRST_CALL + 1 else "Carl"
    assert told(events) == [
        (before, "entry_missing", f"A pass of {player}'s is missing before entry {before}.")
    ]
    (mistake,) = explained(events).mistakes
    (correction,) = mistake.corrections
    passed, _ = correction.with_
    assert isinstance(passed, BidMade) and passed.bid == "pass"


def test_of_the_cards_that_show_a_revoke_one_alone_may_be_written_wrongly() -> None:
    """HQ in place of DQ: spadille, which middlehand also kept, would not have had to follow manille."""
    events = [
        *opened(),
        *said("F simple, M pass, B pass"),
        *named("F", "tourne"),
        *turned("H7"),
        *swap("F", "?? " * 8, "?? " * 8),
        *swap("M"),
        *swap("B", "?? ??", "?? ??"),
        *plays("F-D2 M-D6 B-DK B-SJ F-S3 M-DJ B-S2 F-HJ M-DA F-C4 M-CA B-C3 M-D7 B-H6 F-H2"),
        *plays("F-H7 M-D5 B-HK F-HA M-D4 B-C6 F-CJ M-SA B-SK M-HQ B-S4 F-C7"),
    ]
    revokes = [one for one in with_conditions(audit(log_from(events))) if one.code == "revoke"]
    assert len(revokes) == 2
    assert all(one.message.endswith(AS_WRITTEN) for one in revokes)
