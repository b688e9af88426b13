"""Misprints: what makes a record possible that cannot be is proposed, and the truth is among it."""


import pytest

import replays
from engine import Log, audit
from engine.core.cards import BIT, CANDIDATES, FOREHAND, read_card
from engine.core.events import CorrectionMade, HandHeld
from engine.core.log import Entry
from engine.diagnosis.misprints import ADDED, REPLACED, grouped, misprints
from schemas.wire.reader import read_event
from schemas.wire.writer import entry_object
from service.presentation.i18n.translate import told
from tests.support.engine.shorthand import dealt, held, log_from, opened, swap
from tests.support.engine.slipping import BEGUN, PLAYED, unseen
from tests.support.hidden.misprinting import as_read, same


def belinda(name: str) -> Log:
    replay = replays.find(name)
    assert replay is not None
    return replay.log()


def test_belindas_game_as_printed_has_both_misprints_and_one_way_to_put_them_right() -> None:
    found = misprints(belinda("belinda-as-printed"))
    (proposal,) = found.proposals
    assert found.complete
    hers, his = proposal.changes
    assert (hers.seq, hers.kind, hers.wrong, hers.right) == (11, ADDED, None, read_card("SK"))
    assert (his.seq, his.kind, his.wrong, his.right) == (13, REPLACED, read_card("SK"), read_card("SQ"))
    assert proposal.reasons == (
        "Two misprints.",
        "Nothing is against the rules then.",
        "SK is told of the same hand in 2, 24.",
        "SQ is told of the same hand in 3, 28.",
        "SK is easily taken for SQ.",
    )
    assert told(proposal.corrections[1].reason, "da") == "Post 13 har SK i stedet for SQ."
    assert told(proposal.reasons[2], "da") == "SK står også på den hånd i post 2, 24."


def test_they_are_corrections_to_accept_which_leave_nothing_to_find() -> None:
    log = belinda("belinda-as-printed")
    (proposal,) = misprints(log).proposals
    accepted = [Entry(seq, event) for seq, event in enumerate(proposal.corrections, len(log) + 1)]
    wires = [entry_object(entry, bare=True) for entry in accepted]
    assert [(one["seq"], one["type"], one["replaces"], one["reason"]) for one in wires] == [
        (46, "correction_made", [11], "SK is missing from entry 11."),
        (47, "correction_made", [13], "Entry 13 has SK in place of SQ."),
    ]
    assert [one["with"] for one in wires] == [
        [held("F", "SA S2 CA CK HK HQ D5 D4 SK")],
        [held("M", "SQ SJ S7 S5 S3 DK DQ DJ HA")],
    ]
    for entry, wire in zip(accepted, wires, strict=True):
        assert read_event({name: wire[name] for name in wire if name != "seq"}) == entry.event
    assert audit((*log, *accepted)).findings == ()
    assert misprints((*log, *accepted)).contradicting == ()


@pytest.mark.parametrize("name", ["belinda", "belinda-second-reading"])
def test_a_record_that_can_be_has_none(name: str) -> None:
    assert misprints(belinda(name)) == ((), (), True, 0)


def test_what_a_correction_brought_is_corrected_in_its_turn() -> None:
    log = belinda("belinda-as-printed")
    hand = HandHeld(FOREHAND, tuple(map(read_card, ("SA", "S2", "CA", "CK", "HK", "HQ", "D5", "D4", "S6"))))
    log = (*log, Entry(46, CorrectionMade("It says S6.", (11,), None, (hand,))))
    (proposal,) = misprints(log).proposals
    assert [one.replaces for one in proposal.corrections] == [(13,), ("46.1",)]
    accepted = [Entry(seq, event) for seq, event in enumerate(proposal.corrections, 47)]
    assert not any(one.severity == "impossible" for one in audit((*log, *accepted)).findings)


def test_two_cards_that_changed_places() -> None:
    """Both hands are stated after the deal too, so that no single card puts them right."""
    hers, his = "SA S2 CA HK HQ HJ D7 D6 D5", "S3 S4 S5 S6 S7 SJ SQ SK D4"
    dealt_wrong = (hers.replace("D5", "D4"), his.replace("D4", "D5"))
    events = [*opened(*dealt_wrong), held("F", hers), held("M", his)]
    found = misprints(log_from(events)).proposals
    true = [one for one in found if same(as_read(events, one.corrections), [*opened(hers, his), *events[3:]])]
    assert [one.reasons[0] for one in true] == ["Two cards that changed places."]


def test_a_card_in_the_wrong_list() -> None:
    events = opened("SA S2 CA HK HQ HJ D7 D6", "S3 S4 S5 S6 S7 SJ SQ SK D5 D4", "C2 C3 C4 C5 C6 C7 CJ CQ CK")
    reasons = {one.reasons[0] for one in misprints(log_from(events)).proposals}
    assert "A card in the wrong list." in reasons


def test_with_little_work_allowed_it_is_said_that_there_may_be_more() -> None:
    deal = replays.find("findings-hand-mismatch")
    assert deal is not None
    found = misprints(deal.log(), work=2_000)
    assert (found.proposals, found.complete, found.work <= 2_000 + 1_000) == ((), False, True)
    found = misprints(belinda("belinda-as-printed"), work=50)
    assert (bool(found.contradicting), found.complete, found.work < 50 + 1_000) == (True, False, True)


def test_a_card_of_which_only_the_suit_is_told_is_not_put_right_by_one_of_that_suit() -> None:
    """Middlehand's second spade was seen only as a spade; what is wrong is the queen that he played twice."""
    played = [{**one, "card": "S?"} if one["card"] == "SK" else one for one in PLAYED]
    played[18] = {**played[18], "card": "SA"}
    found = misprints(log_from([*BEGUN, *played]))
    assert found.proposals
    for proposal in found.proposals:
        for change in proposal.changes:
            wrong = 0 if change.wrong is None else CANDIDATES[change.wrong]
            assert change.right is None or not BIT[change.right] & wrong


def test_proposals_that_differ_in_the_card_alone_are_grouped() -> None:
    found = misprints(log_from([*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "HK"}]))
    groups = grouped(found.proposals)
    assert len(groups) < len(found.proposals)
    assert sorted(map(id, found.proposals)) == sorted(
        id(one) for made in groups for one in (made.first, *made.others)
    )
    for made in groups:
        first = made.first.changes[0]
        assert [one.changes[0][:4] for one in made.others] == [first[:4]] * len(made.others)


def test_the_only_card_of_a_list_may_be_missing() -> None:
    """Middlehand sold one card; the one that he bought was not entered, and he plays it."""
    events = [one for one in BEGUN if one.get("seat") != "middlehand" or "cards" not in one]
    events.insert(2, dealt("M", "C4 D6 H4 SA H6 SK CJ SQ HQ"))
    at = next(place for place, one in enumerate(events) if one["type"] == "cards_discarded") + 2
    events[at:at] = swap("M", "HQ", "H5")
    assert not misprints(log_from([*events, *PLAYED])).contradicting
    events[at + 1] = {**events[at + 1], "cards": []}
    (proposal, *_) = misprints(log_from([*events, *PLAYED])).proposals
    (change,) = proposal.changes
    assert (change.seq, change.kind, change.right) == (at + 2, ADDED, read_card("H5"))
