"""What one slip of the recorder explains: it makes nobody revoke, and nobody play out of turn."""

import random
from collections.abc import Iterator

import pytest

from engine.audit import audit
from engine.audit_report import build_audit_report
from engine.core import events as ev
from engine.core.log import Log
from engine.diagnosis.explanations import Explanation, append_corrections, explain_findings
from engine.diagnosis.finding_caveats import add_caveats
from engine.play.findings import FAULT_SEVERITIES, Finding
from engine.play.history import effective
from tests.support.effort import examples
from tests.support.engine.shorthand import Event, a_deal, bids, log_from, names, plays, stands, swap, turned
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
from tests.support.hidden.records import RULESETS, random_record


def explained(events: list[Event]) -> Explanation:
    log = log_from(events)
    found = explain_findings(log, audit(log))
    assert found.mistakes
    return found


def mistakes_in(events: list[Event]) -> list[tuple[object, str, str]]:
    return [(one.finding.seq, one.finding.code, one.finding.message) for one in explained(events).mistakes]


def reported(events: list[Event]) -> list[Finding]:
    return [one for matter in build_audit_report(log_from(events)).entry_reports for one in matter.findings]


def matters(events: list[Event]) -> list[tuple[int | str, str, str]]:
    """All that a report finds, with its severity."""
    return [(one.seq, one.code, one.severity) for one in reported(events)]


def messages(events: list[Event], *codes: str) -> list[str]:
    """What a report says where it finds one of these."""
    return [one.message for one in reported(events) if one.code in codes]


def corrected(log: Log, corrections: tuple[ev.CorrectionMade, ...]) -> list[object]:
    """What stands once these are made."""
    return [one.event for one in effective(append_corrections(log, corrections)).entries]


def conditional(events: list[Event], *codes: str) -> list[str]:
    """What is found where these depend on a condition."""
    return [one.message for one in add_caveats(audit(log_from(events))) if one.code in codes]


TRUE = [one.event for one in log_from([*BEGUN, *PLAYED])]
ALL_THERE = " This holds if no entry is missing and all are in order."
IN_ORDER = " This holds if the entries are in order."
AS_WRITTEN = " This holds if the cards that show it are written correctly."
QUEEN_ENTRY = FIRST + QUEEN
SLIPS = {
    "a card tapped twice": (
        tapped_twice(QUEEN - 1),
        (QUEEN_ENTRY, "entry_doubled", f"Entry {QUEEN_ENTRY} repeats entry {QUEEN_ENTRY - 1}."),
    ),
    "a card not tapped": (
        not_tapped(QUEEN),
        (QUEEN_ENTRY, "entry_missing", f"CQ, played by Anna, is missing before entry {QUEEN_ENTRY}."),
    ),
    "a card tapped for another seat": (
        tapped_for(QUEEN, "middlehand"),
        (QUEEN_ENTRY, "seat_mistaken", f"Entry {QUEEN_ENTRY} has Bo instead of Anna."),
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_the_finger_is_named_and_explains_all_that_comes_of_it(slip: str) -> None:
    played, mistake = SLIPS[slip]
    log = log_from([*BEGUN, *played])
    assert mistakes_in([*BEGUN, *played]) == [mistake]
    assert explained([*BEGUN, *played]).audit.findings == ()
    (matter,) = build_audit_report(log).entry_reports
    assert [(one.seq, one.code) for one in matter.findings] == [mistake[:2]]
    assert matter.consequences == audit(log).findings
    assert [one.reason for one in matter.corrections] == [mistake[2]]
    begun = unseen(BEGUN)
    ((seq, code, message),) = mistakes_in([*begun, *played])
    assert (seq, code) == (len(begun) + 1 + QUEEN, mistake[1]), "no hand is known"
    assert code != "entry_missing" or message == f"A card played by Anna is missing before entry {seq}."
    left = explained([*begun, *played]).audit.findings
    assert not [one for one in left if one.severity in FAULT_SEVERITIES]


def test_a_missing_card_is_put_in_before_the_one_that_stands_there() -> None:
    log = log_from([*BEGUN, *not_tapped(QUEEN)])
    (matter,) = build_audit_report(log).entry_reports
    assert [one.replaces for one in matter.corrections] == [(QUEEN_ENTRY,)]
    assert corrected(log, matter.corrections) == TRUE
    due = matter.legal_actions
    assert due is not None and (due.seat, due.cards) == (0, ("CQ",))


def test_calls_tapped_twice_for_another_or_not_at_all() -> None:
    doubled = [*a_deal(), *bids("F simple, F simple, M pass, B pass"), *names("F", "simple", "H")]
    assert [one[:2] for one in mistakes_in(doubled)] == [(3, "entry_doubled")]
    passes = [*a_deal(), *bids("F pass, M pass, M pass")]
    assert mistakes_in(passes) == [(4, "seat_mistaken", "Entry 4 has Bo instead of Carl.")]
    for calls, before, player in (("F simple, B pass", 3, "Bo"), ("F simple, M pass", 4, "Carl")):
        events = [*a_deal(), *bids(calls), *names("F", "simple", "H"), *swap("F", "?? ??", "?? ??")]
        missing = f"A pass by {player} is missing before entry {before}."
        assert mistakes_in(events) == [(before, "entry_missing", missing)]
        (mistake,) = explained(events).mistakes
        (correction,) = mistake.corrections
        passed, _ = correction.with_
        assert isinstance(passed, ev.BidMade) and passed.bid == "pass"


MISREAD = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
"""C5 was led and D5 tapped: forehand, who took it with CQ, seems to revoke and to lead out of turn."""


def test_a_card_led_that_may_have_been_written_wrongly_makes_a_revoke_one_on_that_condition() -> None:
    lead = len(MISREAD) - len(PLAYED) + 7
    log = log_from(MISREAD)
    assert matters(MISREAD) == [
        (lead, "misprint_likely", "warning"),
        (lead + 1, "revoke", "error"),
        (lead + 3, "wrong_seat", "error"),
    ]
    (slip,) = messages(MISREAD, "misprint_likely")
    assert slip.startswith(f"Entry {lead} may have D5 instead of C5:")
    assert grave_after(log, build_audit_report(log).entry_reports[0].corrections) == []
    assert all(one.endswith(AS_WRITTEN) for one in messages(MISREAD, "revoke", "wrong_seat"))
    assert not explain_findings(log, audit(log)).mistakes


def grave_after(log: Log, corrections: tuple[ev.CorrectionMade, ...]) -> list[Finding]:
    found = audit(append_corrections(log, corrections)).findings
    return [one for one in found if one.severity in FAULT_SEVERITIES]


NOTED: Event = {"type": "irregularity_noted", "seat": "forehand", "by_seat": "backhand"}
RULED: Event = {"type": "ruling_made", "text": "Anna revoked.", "at_fault": "forehand"}


@pytest.mark.parametrize(
    ("said_of_it", "seen"),
    [
        ({**NOTED, "kind": "revoke"}, True),
        ({**RULED, "text": "It stands.", "outcome": "bete"}, True),
        ({**NOTED, "kind": "revoke", "text": "trick 3"}, True),
        ({**NOTED, "kind": "talking"}, False),
        ({**RULED, "text": "Anna talked.", "penalty": {"forehand": 1}}, False),
        ({**NOTED, "kind": "revoke", "text": "trick 2"}, False),
        ({**NOTED, "kind": "revoke", "seat": "middlehand"}, False),
        ({**RULED, "text": "Anna revoked in trick 2."}, False),
    ],
    ids=[
        "called", "ruled", "called in this trick", "talking called", "talking ruled",
        "called in another trick", "called of another", "ruled in another trick",
    ],
)  # fmt: skip
def test_a_revoke_that_people_saw_is_no_misprint(said_of_it: Event, seen: bool) -> None:
    """That somebody talked, or a call of another trick, says nothing of their cards."""
    events = [*MISREAD, said_of_it]
    assert messages(events, "revoke")
    assert bool(messages(events, "misprint_likely")) is not seen
    assert seen or all(one.endswith(AS_WRITTEN) for one in messages(events, "revoke"))


def test_a_call_made_before_a_revoke_does_not_mean_it() -> None:
    called = {**NOTED, "kind": "revoke"}
    assert messages([*MISREAD[: 1 - len(PLAYED)], called, *MISREAD[1 - len(PLAYED) :]], "misprint_likely")


def test_a_card_unlike_the_one_written_explains_no_revoke() -> None:
    """Middlehand, who has CJ, plays H6 to C5 and leads: H7 led would explain it, and is unlike C5."""
    events = [*unseen(BEGUN), *PLAYED[:7], *plays("F-CQ M-H6 M-CJ B-CK F-S4")]
    told_of = [one[1:] for one in matters(events)]
    assert ("revoke", "error") in told_of
    assert [one for one in told_of if one[0] == "misprint_likely"] == [("misprint_likely", "warning")]
    assert "H7" not in messages(events, "misprint_likely")[0]


@pytest.mark.parametrize("at", [5, 8, 14], ids=["about a trick's end", "the winner's lead", "the same one's"])
def test_two_cards_tapped_in_each_others_place_make_nobody_revoke(at: int) -> None:
    log = log_from([*BEGUN, *PLAYED[:at], PLAYED[at + 1], PLAYED[at], *PLAYED[at + 2 :]])
    (matter,) = build_audit_report(log).entry_reports
    first = FIRST + at
    assert [(one.seq, one.code, one.message) for one in matter.findings] == [
        (first, "order_mistaken", f"Entries {first} and {first + 1} have changed places.")
    ]
    assert "revoke" in [one.code for one in matter.consequences]
    assert corrected(log, matter.corrections) == TRUE


def test_two_cards_of_one_hand_about_a_tricks_end_may_be_in_each_others_place() -> None:
    """Backhand took H4 with HK and led S5; or revoked with S5, and middlehand to the HK that was led."""
    begun = unseen(BEGUN)
    events = [*begun, *plays("F-H3 M-H4 B-S5 B-HK F-S4 M-SK M-H6 B-HA F-DK")]
    last = len(begun) + 3
    may_be = f"Entries {last} and {last + 1} may have changed places."
    assert messages(events, "order_mistaken") == [may_be]
    assert [one[0] for one in matters(events) if one[1] == "revoke"] == [last, last + 3]
    assert all(IN_ORDER in one for one in messages(events, "revoke"))


def without_trick(number: int) -> list[Event]:
    return [*PLAYED[: number * 3 - 3], *PLAYED[number * 3 :]]


def test_a_trick_that_was_not_tapped_is_named_where_it_clears_more_than_one() -> None:
    """Backhand led to the third trick, and forehand, who won it, seems to lead out of turn to the next."""
    log = log_from([*BEGUN, *without_trick(3)])
    (matter,) = build_audit_report(log).entry_reports
    (slip,) = matter.findings
    missing = f"A whole trick is missing before entry {FIRST + 6}: C5 CQ CJ."
    assert (slip.seq, slip.code, slip.message) == (FIRST + 6, "entry_missing", missing)
    assert corrected(log, matter.corrections) == TRUE


def test_a_trick_that_may_as_well_be_missing_elsewhere_is_a_gap() -> None:
    """Forehand kept C3, not S4, and middlehand led to two tricks, of which the second was not tapped.

    Backhand seems to keep CK and forehand C3 when C4 is led; it may have been either trick.
    """
    begun = [*BEGUN[:-6], *swap("F", "H7 C6 C7", "S7 H3 DK"), *BEGUN[-4:]]
    log = log_from([*begun, *without_trick(7)])
    (matter,) = build_audit_report(log).entry_reports[:1]
    missing = f"A whole trick is missing, before entry {FIRST + 15} or elsewhere: SQ CK C3."
    assert [one.message for one in matter.findings] == [missing]
    assert [(below.seat, below.code) for below in matter.consequences] == [(2, "revoke"), (0, "revoke")]
    (correction,) = matter.corrections
    assert [type(event) for event in correction.with_] == [ev.GapNoted, ev.CardPlayed]
    assert grave_after(log, matter.corrections) == []


def test_a_trick_that_may_be_missing_leaves_one_revoke_what_it_is_on_that_condition() -> None:
    """Middlehand won the fifth and the sixth trick, which was not tapped: backhand seems to keep C2."""
    events = [*BEGUN, *without_trick(6)]
    assert [one[1:] for one in matters(events)] == [("entry_missing", "warning"), ("revoke", "error")]
    assert messages(events, "entry_missing")[0].endswith("SA C2 CA.")
    assert messages(events, "revoke")[0].endswith(ALL_THERE)


def test_a_revoke_that_nobody_tapped_wrongly_stays_one_behind_a_card_that_is_missing() -> None:
    """Backhand holds D3 when C2 is played to DK."""
    swapped = {11: PLAYED[16]["card"], 16: PLAYED[11]["card"]}
    wrong = [{**one, "card": swapped.get(at, one["card"])} for at, one in enumerate(PLAYED)]
    found = [one[:2] for one in matters([*BEGUN, *wrong[:QUEEN], *wrong[QUEEN + 1 :]])]
    assert {(QUEEN_ENTRY, "entry_missing"), (FIRST + 10, "revoke")} <= set(found)


OUT_OF_TURN = [*BEGUN, *PLAYED[:6], *plays("F-CQ M-CJ B-C5")]
"""Somebody led who had not won the trick, and the others followed: nothing says that it was not so."""


def test_one_card_out_of_turn_is_what_it_is() -> None:
    log = log_from(OUT_OF_TURN)
    assert not explain_findings(log, audit(log)).mistakes
    assert [(one.seq, one.code) for one in grave_after(log, ())] == [(FIRST + 6, "wrong_seat")]


SWAPPED = {8: PLAYED[10], 10: PLAYED[8]}
"""Middlehand keeps C4 and CJ and plays both; all cards were played, and all hands are known."""


@pytest.mark.parametrize(
    ("events", "condition"),
    [
        # Two cards are missing, so that no single one explains it
        ([*BEGUN, *not_tapped(QUEEN)[:12], *not_tapped(QUEEN)[13:20]], ALL_THERE),
        ([*a_deal(), *bids("F simple, B pass"), *names("F", "simple", "H")], ALL_THERE),
        ([*OUT_OF_TURN, *PLAYED[9:]], IN_ORDER),  # every card was played
    ],
    ids=["two cards missing", "a call missing", "all cards played"],
)
def test_what_hangs_on_whose_turn_it_was_is_so_on_a_condition(events: list[Event], condition: str) -> None:
    found = conditional(events, "wrong_seat", "revoke")
    assert found
    assert all(one.endswith(condition) for one in found)


def test_a_revoke_that_a_later_card_shows_is_so_without_a_condition() -> None:
    judged = audit(log_from([*BEGUN, *(SWAPPED.get(at, one) for at, one in enumerate(PLAYED))]))
    assert "revoke" in [one.code for one in judged.findings]
    assert add_caveats(judged) == judged.findings


OUVERT_HANDS = ("SA S5 S3 H5 DQ D2 D3 D4 D7", "SJ S7 S2 HK HA CJ C7 C6 C3", "SK S6 HJ H7 DK DA D5 C5 C2")
OUVERT = [
    *a_deal(*OUVERT_HANDS, ruleset="dlu-tournament"),
    *bids("F spade-game, M pass, B nolo-ouvert, F pass"),
    *names("B", "nolo-ouvert"),
    *plays("F-D7 M-C6 B-??"),
]
"""Backhand may have won the first trick, and so lost his game with it."""


def test_who_may_have_lost_a_nolo_before_need_not_have_followed() -> None:
    (over,) = conditional([*OUVERT, *plays("F-S3 M-S7 B-DA")], "revoke")
    assert over.endswith(" It is not a revoke if the deal was over with trick 1.")
    (on,) = conditional([*OUVERT, *plays("F-S3 M-S7 B-DA M-C3 B-C5 F-D2")], "revoke")
    assert "if the deal was over" not in on


def test_the_hands_at_a_card_tapped_twice_are_those_without_it() -> None:
    """A whole trick was tapped twice: before its second card, too, four tricks are not played but three."""
    found = build_audit_report(log_from([*BEGUN, *PLAYED[:9], *PLAYED[6:]])).entry_reports
    assert [one.findings[0].code for one in found] == ["entry_doubled"] * 3
    befores = [one.state_before for one in found]
    assert [one and (len(one.play.tricks), one.play.turn) for one in befores] == [(3, 0)] * 3


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


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_any_deal_a_slip_is_named_and_accuses_nobody(ruleset: str) -> None:
    deals, slips, tried = random.Random(f"slips {ruleset}"), random.Random(ruleset), 0
    while tried < examples(6, 3):
        events = [one for one in random_record(deals, ruleset) if one["type"] != "talon_laid"]
        if sum(one["type"] == "card_played" for one in events) < 20:
            continue
        tried += 1
        assert grave_after(log_from(events), ()) == []
        for code, slipped in slips_in(slips, events):
            left = explained(slipped)
            assert [one.finding.code for one in left.mistakes] == [code], (code, slipped)
            assert not [one for one in left.audit.findings if one.severity in FAULT_SEVERITIES]


def test_of_the_cards_that_show_a_revoke_one_alone_may_be_written_wrongly() -> None:
    """HQ in place of DQ: spadille, which middlehand also kept, would not have had to follow manille."""
    events = [
        *a_deal(), *bids("F simple, M pass, B pass"), *names("F", "tourne"), *turned("H7"),
        *swap("F", "?? " * 8, "?? " * 8), *swap("M"), *swap("B", "?? ??", "?? ??"),
        *plays("F-D2 M-D6 B-DK B-SJ F-S3 M-DJ B-S2 F-HJ M-DA F-C4 M-CA B-C3 M-D7 B-H6 F-H2"),
        *plays("F-H7 M-D5 B-HK F-HA M-D4 B-C6 F-CJ M-SA B-SK M-HQ B-S4 F-C7"),
    ]  # fmt: skip
    revokes = conditional(events, "revoke")
    assert len(revokes) == 2
    assert all(one.endswith(AS_WRITTEN) for one in revokes)


HANDS = a_deal("SA CA DK DQ D6 HK HQ H4 C7", "D4 D5 DJ H2 H3 H5 SK SQ C2", "D2 D3 DA HJ H6 S7 S6 CK CQ")
CALLS = bids("F simple, M pass, B pass")
IN_DIAMONDS = plays("F-SA M-D4 B-D3 F-CA M-D5 B-DA F-DK M-DJ B-D2 F-HK M-H5 B-H6 F-HQ M-H3 B-HJ")
"""Forehand draws all trumps with five diamonds on his side, and goes on with hearts: he has won."""
BEHIND = plays("F-DQ M-C2 B-S6")
"""Cards that do not count any more, and show that middlehand had a club."""
TRUMPS_RIGHT = " This holds if the trump suit is written correctly."
EXCHANGE_WHOLE = " This holds if the exchange is entered completely."


def tapped(trump: str, *, hidden: bool = False) -> list[Event]:
    """The game in diamonds, with these trumps tapped."""
    events = [*HANDS, *CALLS, *names("F", "simple", trump), *stands()]
    return [*(unseen(events) if hidden else events), *IN_DIAMONDS]


def accused(events: list[Event]) -> list[Finding]:
    found = [one for one in reported(events) if one.code in ("revoke", "wrong_seat")]
    return [one for one in found if one.severity in FAULT_SEVERITIES]


@pytest.mark.parametrize("hidden", [False, True], ids=["hands told", "none told"])
def test_trumps_tapped_wrongly_make_nobody_revoke(hidden: bool) -> None:
    log = log_from([*tapped("H", hidden=hidden), *BEHIND])
    matter, *others = build_audit_report(log).entry_reports
    assert {one.code for other in others for one in other.findings} == {"play_after_end"}
    (slip,) = matter.findings
    assert (slip.code, slip.severity) == ("contract_mistaken", "error")
    assert slip.message == f"Entry {slip.seq} has H as trumps instead of D."
    assert {(one.code, one.seat) for one in matter.consequences} == {("revoke", 1), ("revoke", 2)}
    put = corrected(log, matter.corrections)
    assert [one.trump for one in put if isinstance(one, ev.ContractNamed)] == [1]


def test_where_another_suit_would_do_as_well_the_trumps_are_left_open() -> None:
    """Nobody shows a club: trumps were diamonds or clubs."""
    slip, *others = reported(tapped("H", hidden=True))
    assert (slip.code, slip.severity) == ("contract_mistaken", "error")
    assert slip.message.endswith(
        "has H as trumps, but in the play another suit was trumps; nothing shows which."
    )
    assert {one.code for one in others} == {"incomplete"}


def test_one_who_seems_to_revoke_may_have_done_so_and_does_if_the_trumps_are_written_rightly() -> None:
    """Backhand plays a spade to spadille and a club later; in diamonds he had none to follow with."""
    played = plays("F-SA M-D4 B-S6 F-HK M-H5 B-H6 F-HQ M-H3 B-HJ F-D6 M-D5 B-CK")
    events = [*unseen(HANDS), *CALLS, *names("F", "simple", "C"), *stands(), *played]
    slip = next(one for one in reported(events) if one.code == "contract_mistaken")
    assert slip.severity == "warning"
    assert slip.message.startswith(f"Perhaps this: Entry {slip.seq} has C as trumps instead of D.")
    (revoke,) = accused(events)
    assert (revoke.code, revoke.seat) == ("revoke", 2)
    assert revoke.message.endswith(TRUMPS_RIGHT)


def test_other_trumps_clear_nobody_of_a_revoke_that_is_one_in_them_too() -> None:
    """Hearts tapped for diamonds, and middlehand did not follow the king of hearts."""
    played = plays("F-SA M-D4 B-D3 F-HK M-C2 B-H6 F-HQ M-H3 B-HJ")
    events = [*HANDS, *CALLS, *names("F", "simple", "H"), *stands(), *played]
    found = {one.seq: one.message for one in accused(events)}
    first, second, true = sorted(found)
    assert found[first].endswith(TRUMPS_RIGHT) and found[second].endswith(TRUMPS_RIGHT)
    assert not found[true].endswith(TRUMPS_RIGHT)
    assert any(one.message.endswith("Then less is wrong in the play.") for one in reported(events))


def test_called_a_revoke_the_trumps_are_not_asked_for() -> None:
    call = {"type": "irregularity_noted", "seat": "middlehand", "kind": "revoke"}
    found = reported([*tapped("H", hidden=True), call])
    assert "contract_mistaken" not in [one.code for one in found]
    assert {one.seat for one in found if one.code == "revoke"} == {1, 2}
    in_another_trick = reported([*tapped("H", hidden=True), {**call, "text": "trick 5"}])
    assert "contract_mistaken" in [one.code for one in in_another_trick]


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
    (slip,) = reported([*DEAL[:at], {**DEAL[at], "seat": "middlehand"}, *DEAL[at + 1 :]])
    assert (slip.code, slip.message) == ("seat_mistaken", f"Entry {at + 1} has Bo instead of Anna.")


@pytest.mark.parametrize(
    ("seat", "kinds", "says", "put_in"),
    [
        ("backhand", DISCARD, "Carl's discard is missing before entry 13: D5 H2 SJ.", [ev.CardsDiscarded]),
        ("forehand", DRAW, "Anna's draw is missing before ", [ev.CardsDrawn]),
        ("forehand", DISCARD + DRAW, "Anna's exchange is missing before", [ev.CardsDiscarded, ev.CardsDrawn]),
    ],
    ids=["a discard", "a draw", "both"],
)
def test_a_part_of_the_exchange_that_was_not_entered_is_known_from_what_was_played(
    seat: str, kinds: tuple[str, ...], says: str, put_in: list[type]
) -> None:
    log = log_from(without(seat, *kinds))
    (matter,) = build_audit_report(log).entry_reports
    (slip,) = matter.findings
    assert slip.code == "entry_missing"
    assert slip.message.startswith(says)
    (correction,) = matter.corrections
    assert [type(event) for event in correction.with_[: len(put_in)]] == put_in
    assert audit(append_corrections(log, matter.corrections)).ok


def test_a_discard_that_was_not_entered_makes_revokes_depend_on_that() -> None:
    log = log_from(without("backhand", *DISCARD))
    (matter,) = build_audit_report(log).entry_reports
    assert [one.code for one in matter.consequences].count("revoke") == 3
    revokes = [one for one in add_caveats(audit(log)) if one.code == "revoke"]
    assert revokes and all(one.message.endswith(EXCHANGE_WHOLE) for one in revokes)
    kept = [one for one in unseen(BEGUN) if (one["type"], one.get("seat")) != ("cards_discarded", "backhand")]
    (matter,) = build_audit_report(log_from([*kept, *PLAYED])).entry_reports
    assert matter.findings[0].message.endswith(": ?? ?? ??.")


HEARTS = a_deal("SA CA DK DQ D6 HK HQ H4 C7", "D4 D5 DJ H3 S4 S5 SK SQ C2", "D2 D3 DA HJ H6 S7 S6 CK CQ")
"""Middlehand has one heart as told, and follows no heart."""


def test_one_held_card_read_wrongly_explains_both_tricks_in_which_it_was_not_played() -> None:
    played = plays("F-SA M-D4 B-D3 F-CA M-D5 B-DA F-DK M-DJ B-D2 F-HK M-C2 B-H6 F-HQ M-SK B-HJ")
    events = [*HEARTS, *CALLS, *names("F", "simple", "D"), *stands(), *played]
    (slip,) = (one for one in reported(events) if one.code == "misprint_likely")
    assert (slip.seq, slip.severity) == (3, "warning")
    assert slip.message.startswith("Entry 3 may have H3 instead of ")
    conditions = [one.message.partition(" This holds if ")[2] for one in accused(events)]
    assert conditions == ["the cards that show it are written correctly."] * 2


def exchanged(one: int, other: int) -> list[Event]:
    """The deal with the cards of two entries in each other's place."""
    cards = {one: DEAL[other]["cards"], other: DEAL[one]["cards"]}
    return [{**event, "cards": cards[at]} if at in cards else event for at, event in enumerate(DEAL)]


@pytest.mark.parametrize("at", [1, place("cards_discarded", "forehand")], ids=["hands", "discard and draw"])
def test_cards_of_two_entries_entered_for_each_other_are_one_mistake(at: int) -> None:
    (matter,) = build_audit_report(log_from(exchanged(at, at + 1))).entry_reports
    (fault,) = matter.findings
    assert fault.message == f"The cards of entries {at + 1} and {at + 2} are swapped."
    assert at > 1 or (fault.code == "seat_mistaken" and len(matter.consequences) > 10)


def test_where_somebody_is_still_found_at_fault_entries_only_may_be_in_each_others_place() -> None:
    """All cards in the other order: two of them put right put little right."""
    found = reported([*unseen(BEGUN), *reversed(PLAYED)])
    exchanged = [one.message for one in found if one.code == "order_mistaken"]
    assert exchanged and all(one.endswith(" may have changed places.") for one in exchanged)
