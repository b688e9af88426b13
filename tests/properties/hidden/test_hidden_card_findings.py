"""What the audit finds of hidden cards, nothing of anybody innocent, and misprints that it proposes."""

import random
from typing import Any, NamedTuple

import pytest

import replays
from engine import FULL_VIEWER, PUBLIC_VIEWER, Audit, Log, audit, effective, fold_all, seat_viewer, view
from engine.core.cards import BACKHAND, CARD_BITS, CARD_CANDIDATES, FOREHAND, parse_card
from engine.core.events import CorrectionMade, HandHeld
from engine.core.log import Entry
from engine.diagnosis.correction_search import ADDED, REPLACED
from engine.diagnosis.misprints import find_misprints, group_proposals
from engine.inference.evidence import build_evidence
from engine.inference.hidden_card_findings import build_revoke_findings, judge_hidden_cards
from engine.play.findings import FINDING_CODES, Finding
from schemas.i18n.translate import translate
from schemas.wire.event_reader import read_event
from schemas.wire.event_writer import entry_object
from service.records.deal_points import build_deal_point
from tests.properties.hidden import trials
from tests.properties.hidden.trials import Attempt, innocent, irregular, misprinted, revokes, slipped, tally
from tests.properties.slow.__main__ import COMPARED
from tests.properties.slow.planting import PLANTERS, planted
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    a_deal,
    bids,
    dealt,
    gap,
    hand_held,
    log_from,
    names,
    plays,
    stands,
    swap,
)
from tests.support.engine.slipping import BEGUN, PLAYED, unseen
from tests.support.hidden.misprinting import MISPRINTS, as_read, same
from tests.support.hidden.pen import SLIPS
from tests.support.hidden.records import RULESETS, hidden_at_random, random_record

BY_COUNTING = "findings-revoke-by-counting"
"""The library's deal in which only counting shows that Bo had to follow."""
PROVING = 12
"""The entry without which nothing is proved."""


def in_hearts(ruleset: str = "dlu") -> list[Event]:
    contract = "simple" if ruleset == "dlu" else "play"
    events = a_deal(ruleset=ruleset) + bids(f"F {contract}, M pass, B pass")
    return events + names("F", contract, "H") + stands()


SIX_TRICKS = (
    "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-SK M-S3 B-S4 F-CK M-C5 B-C6 F-D2 M-DK B-D3 "
    "M-H6"  # trick 6: a trump that was not given to the second
)


def logged(name: str) -> Log:
    replay = replays.find_library_deal(name)
    assert replay is not None
    return replay.read_log()


def grave(judged: Audit) -> list[tuple[int | str, str]]:
    return [(one.seq, one.code) for one in judged.findings if one.severity in ("impossible", "error")]


def test_nobody_is_accused_by_a_card_laid_out_of_turn() -> None:
    """Bo lays ♣2 as a second card to trick 2: nobody knows whether he had it back when clubs were led."""
    events = [*a_deal(), *bids("F spade-solo, M pass, B pass"), *names("F", "spade-solo", "S")]
    events += stands("M B") + plays("F-HK M-H4 B-H5 F-DK M-D4 M-C2 B-D3 F-CK M-H2 B-C4")
    found = audit(log_from(events)).findings
    assert [one.code for one in found if one.severity == "error"] == ["wrong_seat"]


def test_before_the_entry_that_proves_it_nobody_is_accused() -> None:
    assert grave(audit(logged(BY_COUNTING)[:-1])) == []
    assert build_deal_point(logged(BY_COUNTING), 11).audit.findings == ()
    assert [one.seq for one in build_deal_point(logged(BY_COUNTING), PROVING).audit.findings] == [11]


@pytest.mark.parametrize(
    ("viewer", "accused"),
    [
        (FULL_VIEWER, True),
        (seat_viewer(FOREHAND), False),
        (seat_viewer(BACKHAND), False),
        (PUBLIC_VIEWER, False),
    ],
    ids=["recorder", "forehand", "backhand", "public"],
)
def test_a_viewer_is_told_what_follows_from_what_he_may_know(viewer: Any, accused: bool) -> None:
    """Forehand knows his own five diamonds and the talon; who has the other five he does not."""
    assert grave(audit(view(logged(BY_COUNTING), viewer))) == ([(11, "revoke")] if accused else [])


def test_a_record_that_is_impossible_otherwise_proves_nothing_more() -> None:
    events = [*in_hearts()[:1], dealt("F", "SA SA S2 S3 S4 S5 S6 S7 SJ"), *in_hearts()[1:], *plays("F-SK")]
    codes = {code for _, code in grave(audit(log_from(events)))}
    assert "card_duplicated" in codes
    assert "contradiction" not in codes


def test_where_nothing_is_hidden_or_nothing_known_nothing_is_asked() -> None:
    whole = log_from(random_record(random.Random(1), "dlu"))
    for log in (whole, whole[:1], log_from([*in_hearts(), gap()])):
        entries = effective(log).entries
        assert judge_hidden_cards(entries, fold_all(entries), ()) == ()


@pytest.mark.parametrize("ruleset", COMPARED)
def test_what_is_against_the_rules_contradicts_nothing(ruleset: str) -> None:
    """Every fault that can be played at a table, with cards hidden at random: it happened, so it can be."""
    make, second = COMPARED[ruleset]
    rng = random.Random(f"faults {ruleset}")
    for name in PLANTERS:
        for events, codes in planted(name, (make(seed) for seed in range(12)), second, rng, 1):
            if any(FINDING_CODES[code][0] == "impossible" for code in codes):
                continue
            found = grave(audit(log_from(hidden_at_random(rng, events))))
            assert "contradiction" not in {code for _, code in found}, events
            assert "revoke" in codes or "revoke" not in {code for _, code in found}, events


def test_who_forbids_a_surrender_has_exchanged_as_a_defender() -> None:
    """In a solo the declarer may not exchange; Bo, who did, becomes the declarer afterwards."""
    events = [*a_deal(middlehand="D7 D5 SQ H5 CQ CK D6 H2 CA", ruleset="ombre", pool=5)]
    events += [*bids("F solo, M pass, B pass"), *names("F", "solo", "S")]
    events += [{"type": "surrender_offered", "seat": "forehand"}]
    events += [{"type": "surrender_answered", "seat": "middlehand", "answer": "forbid"}, gap()]
    assert grave(audit(log_from([*events, *plays("F-S2 M-SK")]))) == []


SOME_RULESETS = RULESETS[:: examples(1, 3)]
"""All in a thorough run, else every third."""

OF_EACH_RULESET: dict[str, tuple[Attempt, int]] = {
    "nobody innocent is accused": (innocent, examples(25, 15)),
    "a planted revoke that later cards prove is found": (trials.planted, examples(8, 4)),
    "a card laid out of turn or second to a trick accuses nobody": (irregular, examples(25, 12)),
    "a true revoke stays in the report, all hands being told": (revokes(hidden=False), examples(15, 4)),
    "a true revoke stays in the report, no hand being told": (revokes(hidden=True), examples(3, 1)),
}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("law", OF_EACH_RULESET)
def test_in_every_ruleset(law: str, ruleset: str) -> None:
    attempt, deals = OF_EACH_RULESET[law]
    assert tally(attempt, law, ruleset, deals).wrong == []


@pytest.mark.parametrize("hidden", [False, True], ids=["hands told", "none told"])
@pytest.mark.parametrize("kind", SLIPS)
def test_a_slip_of_the_pen_accuses_nobody_without_a_condition(kind: str, *, hidden: bool) -> None:
    for ruleset in SOME_RULESETS:
        assert tally(slipped(kind, hidden=hidden), "slipped", ruleset, 1).wrong == []


def test_the_true_correction_is_proposed_mostly_first_and_each_makes_the_record_possible() -> None:
    kinds, rulesets = sorted(MISPRINTS), SOME_RULESETS[: examples(9, 1)]
    found = [tally(misprinted(kind, hidden=False), kind, one, 1) for kind in kinds for one in rulesets]
    assert [record for one in found for record in one.wrong] == []
    assert sum(one.notes["corrected"] for one in found) == len(found)
    assert 2 * sum(one.notes["by the first proposal"] for one in found) >= len(found)
    for kind in kinds[: examples(4, 1)]:
        assert tally(misprinted(kind, hidden=True), "hidden", "dlu", 1).wrong == []


SMALL = "C4 C5 C6 C7 S2 S3 S4 S5"
COUNTED = "S6 S7 SA SJ SQ SK CA CJ CQ CK H2 H3 H4"
"""What is left of the pack where counting shows that Bo had a diamond."""


def called(seat: str = "middlehand", kind: str = "kulørsvigt") -> Event:
    return {"type": "irregularity_noted", "seat": seat, "kind": kind}


def scene(cards: str, *more: Event, ruleset: str = "dlu", hand: str = "") -> list[Event]:
    """A game in hearts with these plays; ``hand``: what Bo was dealt."""
    opening, *rest = in_hearts(ruleset)
    return [opening, *([dealt("M", hand)] if hand else []), *rest, *plays(cards), *more]


def missing_diamond(*cards: str) -> list[Event]:
    """Ten diamonds are seen elsewhere but for one, which only Bo can have had."""
    events = [*a_deal("D7 D6 D5 D4 D3 S2 S3 S4 S5", "", "D2 DA DJ DQ C2 C3 C4 C5 C6"), *bids("F solo")]
    events += [*bids("M pass, B pass"), *names("F", "solo", "H"), *stands("M B")]
    return [*events, *plays(" ".join(cards)), {"type": "talon_seen", "cards": COUNTED.split(), "seats": []}]


def bought() -> list[Event]:
    events = [*a_deal(), *bids("F simple, M pass, B pass"), *names("F", "simple", "H"), *stands("F")]
    events += [*swap("M", "?? ??", "?? ??"), *stands("B")]
    return [*events, *plays("F-H4 M-C4 B-HJ B-D2 F-D3 M-H2")]


def lead(events: list[Event]) -> int:
    """The entry of the first card."""
    return next(seq for seq, event in enumerate(events, 1) if event["type"] == "card_played")


class Told(NamedTuple):
    """A scene, how many entries after the first lead the revoke is, what proves it, and how it is told."""

    events: list[Event]
    after: int
    evidence: tuple[int, ...]
    message: str


FIRST = "At trick 1 Anna led"
HELD = "played {}, held since the deal. It was a revoke."
REVOKES = {
    "by a card played later": Told(
        scene(SIX_TRICKS), 4, (4, 15),
        "At trick 2 Anna led H7; Bo played C4. At trick 6 Bo " + HELD.format("H6"),
    ),
    "by a card that was drawn": Told(
        bought(), 1, (1, 5),
        f"{FIRST} H4; Bo played C4. At trick 2 Bo played H2, held since the exchange. It was a revoke.",
    ),
    "by counting alone": Told(
        missing_diamond("F-D7 M-C7"), 1, (-8, -7, 0, 1, 2),
        f"{FIRST} D7; Bo played C7. Entries 2, 3, 12 leave no other place for all the cards that had to "
        "follow: Bo held one of them. No hand that Bo can have held allowed it: it was a revoke.",
    ),
    "by the hand as it was dealt": Told(
        scene("F-D4 M-C4", hand=f"D2 {SMALL}"), 1, (-8, 0, 1),
        "Bo plays C4 to D4 at trick 1, holding D2: a revoke.",
    ),
    "by a hand stated later": Told(
        scene("F-D4 M-C4", hand_held("M", "D2 C5 C6 C7 S2 S3 S4 S5")), 1, (1, 2),
        f"{FIRST} D4; Bo played C4. Bo held D2 then. It was a revoke.",
    ),
    "although nobody saw the card": Told(
        scene("F-D7 M-??", hand_held("M", "D2 DA DJ DQ C2 C3 C4 C5"), hand="D2 DA DJ DQ C2 C3 C4 C5 H6"),
        1, (-8, 0, 1, 2),
        f"{FIRST} D7; Bo played an unseen card. Bo held D2, DA, DJ, DQ then. "
        "No hand that Bo can have held allowed it: it was a revoke.",
    ),
    "of basta, seeing that Bo held spadille": Told(
        scene("F-H7 M-C4 B-H2 F-DK M-D4 B-D3 F-CK M-CA B-SA", called()), 1, (1, 7, 8),
        f"{FIRST} H7; Bo played C4. At trick 3 Bo played CA, held since the deal. The matador privilege does "
        "not excuse it: CA does not beat H7, and Bo held no matador that does. It was a revoke.",
    ),
    "of basta in ombre": Told(
        scene("F-H7 M-C4 B-H2 F-DK M-D4 B-D3 F-CK M-CA", ruleset="ombre"), 1, (1, 7),
        f"{FIRST} H7; Bo played C4. At trick 3 Bo played CA, held since the deal. The matador privilege does "
        "not excuse it: H7 was led, and CA must follow it. It was a revoke. "
        "Trick 1 has been folded since: the revoke is established.",
    ),
    "established, the trick being folded": Told(
        scene("F-DK M-C4 B-D3 F-DQ M-D4", ruleset="ombre"), 1, (1, 4),
        f"{FIRST} DK; Bo played C4. At trick 2 Bo " + HELD.format("D4")
        + " Trick 1 has been folded since: the revoke is established.",
    ),
    "by a card shown, to be mended yet": Told(
        scene("F-DK M-C4", {"type": "cards_shown", "seat": "middlehand", "cards": ["D4"]}, ruleset="ombre"),
        1, (1, 2),
        f"{FIRST} DK; Bo played C4. Bo held D4 then. It was a revoke. "
        "Until trick 1 is folded, the revoke can be corrected.",
    ),
    "of a known basta": Told(
        scene("F-H7 M-C4", hand=f"CA {SMALL}"), 1, (-8, 0, 1),
        "Bo plays C4 to H7 at trick 1, holding CA: a revoke. The matador privilege does not excuse it: "
        "CA does not beat H7, and Bo held no matador that does.",
    ),
    "of a known basta in ombre": Told(
        scene("F-H7 M-C4", hand=f"CA {SMALL}", ruleset="ombre"), 1, (-8, 0, 1),
        "Bo plays C4 to H7 at trick 1, holding CA: a revoke. The matador privilege does not excuse it: "
        "H7 was led, and CA must follow it. Until trick 1 is folded, the revoke can be corrected.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REVOKES.values(), ids=REVOKES)
def test_a_revoke_is_found_at_its_card_with_its_evidence_in_words(case: Told) -> None:
    start = lead(case.events)
    (one,) = [one for one in audit(log_from(case.events)).findings if one.code == "revoke"]
    assert (one.seq, one.seat, one.severity, one.rule) == (start + case.after, 1, "error", "5. Play")
    assert one.message == case.message
    assert one.evidence == tuple(start + at for at in case.evidence)


def test_they_are_told_in_danish() -> None:
    events = REVOKES["established, the trick being folded"].events
    (one,) = [one for one in audit(log_from(events)).findings if one.code == "revoke"]
    assert translate(one.message, "da") == (
        "I stik 1 spillede Anna DK ud; Bo lagde C4. I stik 2 lagde Bo D4, som havde været på hånden, siden "
        "kortene blev givet. Det var kulørsvigt. Stik 1 er vendt siden: kulørsvigtet står fast."
    )


def test_a_proof_says_what_the_matador_privilege_has_to_do_with_it_and_whether_it_can_be_corrected() -> None:
    def proved(events: list[Event]) -> Finding:
        entries = effective(log_from(events)).entries
        state = fold_all(entries)
        (one,) = build_revoke_findings(build_evidence(entries, state), state)
        return one

    one, counting = proved(scene(SIX_TRICKS)), proved(missing_diamond("F-D7 M-C7"))
    assert one.seat == 1 and "At trick 2" in one.message
    assert "matador" not in f"{one.message} {counting.message}"
    assert "leave no other place" in counting.message and "corrected" not in counting.message


WITHHELD = "F-H4 M-C4 B-HJ B-D2 F-D3 M-SA"


def withheld(events: list[Event]) -> list[str]:
    found = audit(log_from(events)).findings
    assert [one.code for one in found if one.severity == "error"] == []
    return [str(one.message) for one in found if one.code == "matador_withheld"]


def test_the_matadors_excuse_what_is_called_a_revoke() -> None:
    assert withheld(scene(WITHHELD, called())) == [
        f"{FIRST} H4; Bo played C4. At trick 2 Bo played SA, held since the deal. "
        "The matador privilege excuses it: H4 does not compel SA."
    ]
    # Manille is led; basta was excused in dlu by spadille alone, which nobody has seen.
    (one,) = withheld(scene("F-H7 M-C4 B-H2 F-DK M-D4 B-D3 F-CK M-CA", called()))
    assert one.endswith("The matador privilege excuses it only if Bo held SA too.")


@pytest.mark.parametrize(
    "calls",
    [(), (called("backhand"),), (called(kind="talk or signs"),), (called(kind="revoke in trick 2"),)],
    ids=["none", "of Carl", "of talk", "of another trick"],
)
def test_what_nobody_calls_a_revoke_is_not_told(calls: tuple[Event, ...]) -> None:
    assert withheld(scene(WITHHELD, *calls)) == []


def test_a_call_before_the_card_is_not_of_it() -> None:
    events = scene(WITHHELD)
    start = lead(events) - 1
    assert withheld([*events[:start], called(), *events[start:]]) == []


def test_belindas_game_as_printed_has_both_misprints_and_one_way_to_put_them_right() -> None:
    found = find_misprints(logged("belinda-as-printed"))
    (proposal,) = found.proposals
    assert found.is_complete
    hers, his = proposal.changes
    assert (hers.seq, hers.kind, hers.wrong_card, hers.right_card) == (11, ADDED, None, parse_card("SK"))
    assert (his.seq, his.kind) == (13, REPLACED)
    assert (his.wrong_card, his.right_card) == (parse_card("SK"), parse_card("SQ"))
    assert proposal.reasons == (
        "Two misprints.",
        "Then nothing is against the rules.",
        "SK also appears in this hand (entry 2, 24).",
        "SQ also appears in this hand (entry 3, 28).",
        "SK is easily mistaken for SQ.",
    )
    assert translate(proposal.corrections[1].reason, "da") == "Post 13 har SK i stedet for SQ."
    assert translate(proposal.reasons[2], "da") == "SK står også på den hånd (post 2, 24)."


def test_they_are_corrections_to_accept_which_leave_nothing_to_find() -> None:
    log = logged("belinda-as-printed")
    (proposal,) = find_misprints(log).proposals
    accepted = [Entry(seq, event) for seq, event in enumerate(proposal.corrections, len(log) + 1)]
    wires = [entry_object(entry, omit_unknown=True) for entry in accepted]
    assert [(one["seq"], one["type"], one["replaces"], one["reason"]) for one in wires] == [
        (46, "correction_made", [11], "SK is missing from entry 11."),
        (47, "correction_made", [13], "Entry 13 has SK instead of SQ."),
    ]
    assert [one["with"] for one in wires] == [
        [hand_held("F", "SA S2 CA CK HK HQ D5 D4 SK")],
        [hand_held("M", "SQ SJ S7 S5 S3 DK DQ DJ HA")],
    ]
    for entry, wire in zip(accepted, wires, strict=True):
        assert read_event({name: wire[name] for name in wire if name != "seq"}) == entry.event
    assert audit((*log, *accepted)).findings == ()
    assert find_misprints((*log, *accepted)).contradicting_entries == ()


@pytest.mark.parametrize("name", ["belinda", "belinda-second-reading"])
def test_a_record_that_can_be_has_none(name: str) -> None:
    assert find_misprints(logged(name)) == ((), (), True, 0)


def test_what_a_correction_brought_is_corrected_in_its_turn() -> None:
    log = logged("belinda-as-printed")
    hand = HandHeld(FOREHAND, tuple(map(parse_card, ("SA", "S2", "CA", "CK", "HK", "HQ", "D5", "D4", "S6"))))
    log = (*log, Entry(46, CorrectionMade("It says S6.", (11,), None, (hand,))))
    (proposal,) = find_misprints(log).proposals
    assert [one.replaces for one in proposal.corrections] == [(13,), ("46.1",)]
    accepted = [Entry(seq, event) for seq, event in enumerate(proposal.corrections, 47)]
    assert not any(one.severity == "impossible" for one in audit((*log, *accepted)).findings)


def test_two_cards_that_changed_places() -> None:
    """Both hands are stated after the deal too, so that no single card puts them right."""
    hers, his = "SA S2 CA HK HQ HJ D7 D6 D5", "S3 S4 S5 S6 S7 SJ SQ SK D4"
    dealt_wrong = (hers.replace("D5", "D4"), his.replace("D4", "D5"))
    events = [*a_deal(*dealt_wrong), hand_held("F", hers), hand_held("M", his)]
    found = find_misprints(log_from(events)).proposals
    true = [one for one in found if same(as_read(events, one.corrections), [*a_deal(hers, his), *events[3:]])]
    assert [one.reasons[0] for one in true] == ["Two cards that changed places."]


def test_a_card_in_the_wrong_list() -> None:
    events = a_deal("SA S2 CA HK HQ HJ D7 D6", "S3 S4 S5 S6 S7 SJ SQ SK D5 D4", "C2 C3 C4 C5 C6 C7 CJ CQ CK")
    reasons = {one.reasons[0] for one in find_misprints(log_from(events)).proposals}
    assert "A card in the wrong list." in reasons


def test_with_little_work_allowed_it_is_said_that_there_may_be_more() -> None:
    found = find_misprints(logged("findings-hand-mismatch"), max_checks=2_000)
    assert (found.proposals, found.is_complete, found.work <= 2_000 + 1_000) == ((), False, True)
    found = find_misprints(logged("belinda-as-printed"), max_checks=50)
    assert found.contradicting_entries and not found.is_complete and found.work < 50 + 1_000


def test_a_card_of_which_only_the_suit_is_told_is_not_put_right_by_one_of_that_suit() -> None:
    """Middlehand's second spade was seen only as a spade; what is wrong is the queen that he played twice."""
    played = [{**one, "card": "S?"} if one["card"] == "SK" else one for one in PLAYED]
    played[18] = {**played[18], "card": "SA"}
    found = find_misprints(log_from([*BEGUN, *played]))
    assert found.proposals
    for proposal in found.proposals:
        for change in proposal.changes:
            wrong = 0 if change.wrong_card is None else CARD_CANDIDATES[change.wrong_card]
            assert change.right_card is None or not CARD_BITS[change.right_card] & wrong


def test_proposals_that_differ_in_the_card_alone_are_grouped() -> None:
    found = find_misprints(log_from([*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "HK"}]))
    groups = group_proposals(found.proposals)
    assert len(groups) < len(found.proposals)
    grouped = [id(one) for made in groups for one in (made.first, *made.others)]
    assert sorted(grouped) == sorted(map(id, found.proposals))
    for made in groups:
        assert {one.changes[0][:4] for one in made.others} <= {made.first.changes[0][:4]}


def test_the_only_card_of_a_list_may_be_missing() -> None:
    """Middlehand sold one card; the one that he bought was not entered, and he plays it."""
    events = [one for one in BEGUN if one.get("seat") != "middlehand" or "cards" not in one]
    events.insert(2, dealt("M", "C4 D6 H4 SA H6 SK CJ SQ HQ"))
    at = next(place for place, one in enumerate(events) if one["type"] == "cards_discarded") + 2
    events[at:at] = swap("M", "HQ", "H5")
    assert not find_misprints(log_from([*events, *PLAYED])).contradicting_entries
    events[at + 1] = {**events[at + 1], "cards": []}
    (proposal, *_) = find_misprints(log_from([*events, *PLAYED])).proposals
    (change,) = proposal.changes
    assert (change.seq, change.kind, change.right_card) == (at + 2, ADDED, parse_card("H5"))
