"""What a viewer is told contains no card that the viewer may not know, and does not follow from one.

The second is tried: two unseen cards change places everywhere in the log. If anything that the viewer is
told then reads otherwise, one of them was betrayed.
"""

import json
import random
import re
from collections.abc import Iterator

import pytest

from engine import FULL_VIEWER, PUBLIC_VIEWER, Log, Viewer, seat_viewer, view
from engine.core.cards import SEAT_BY_NAME
from engine.core.events import CardPlayed, CardsShown, TalonTurned
from engine.core.log import EVENT_TYPES
from engine.view import REDACTIONS
from schemas.wire.event_reader import read_entry
from schemas.wire.event_writer import entry_bytes
from tests.properties.slow import model
from tests.support.effort import examples
from tests.support.engine.annotated import annotated_deal, seen_by
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    a_deal,
    bids,
    cards_shown,
    corrected,
    dealt,
    hand_held,
    laid,
    log_from,
    names,
    note,
    plays,
    swap,
    view_json,
)

VIEWERS: dict[str, tuple[Viewer, set[str]]] = {
    "public": (PUBLIC_VIEWER, set()),
    **{seat: (seat_viewer(SEAT_BY_NAME[seat]), {seat}) for seat in model.SEATS},
    "two seats": (Viewer(frozenset((SEAT_BY_NAME[F], SEAT_BY_NAME[B]))), {F, B}),
}
DEALS = examples(20, 4)


def codes_in(text: str) -> set[str]:
    return set(re.findall(r"\b[CDHS][2-7AJKQ]\b", text))


def cut_text(events: list[Event], viewer: Viewer) -> str:
    """The cut log itself, as it would be sent."""
    return cut_text_of(view(log_from(events), viewer))


def cut_text_of(log: Log) -> str:
    return b"\n".join(entry_bytes(entry) for entry in log).decode()


def swapped(events: list[Event], one: str, other: str) -> list[Event]:
    """The log with two cards in each other's place: in hands, talon, corrections and words alike."""
    places = {one: other, other: one}
    text = re.sub(rf"\b({one}|{other})\b", lambda found: places[found[0]], json.dumps(events))
    changed: list[Event] = json.loads(text)
    return changed


def prefixes(seeds: range) -> Iterator[tuple[str, random.Random, list[Event]]]:
    for seed in seeds:
        rng = random.Random(seed)
        deal = annotated_deal(rng)
        for length in range(1, len(deal) + 1):
            yield f"seed {seed}, {length} entries", rng, deal[:length]


@pytest.mark.parametrize("who", VIEWERS)
def test_no_unseen_card_is_told_or_betrayed(who: str) -> None:
    viewer, seats = VIEWERS[who]
    for where, rng, events in prefixes(range(DEALS)):
        unseen = sorted(set(model.PACK) - seen_by(seats, events))
        cut, whole = cut_text(events, viewer), rng.random() < 0.15
        assert not codes_in(cut) & set(unseen), where
        answer = view_json(log_from(events), viewer) if whole else ""
        assert not codes_in(answer) & set(unseen), where
        if len(unseen) >= 2:
            one, other = rng.sample(unseen, 2)
            dealt_otherwise = swapped(events, one, other)
            assert cut_text(dealt_otherwise, viewer) == cut, f"{where}: {one} and {other}"
            if whole:
                assert view_json(log_from(dealt_otherwise), viewer) == answer, f"{where}: {one} and {other}"


WHOLE = [
    *a_deal("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ"),
    laid("C4 C3 C2 D2 D3"),
    *bids("F simple, M pass, B pass"),
    *names("F", "simple", "H"),
    *swap("F", "D7 D6 D5", "C4 C3 C2"),
    *swap("M", "CK CQ", "D2 D3"),
    *swap("B"),
    *plays("F-SA M-H2 B-H4"),
]


def hands_told(events: list[Event], viewer: Viewer) -> dict[str, list[str]]:
    state = json.loads(view_json(log_from(events), viewer))[0]
    return {seat: hand["cards"] for seat, hand in state["hands"].items()}


def test_every_event_with_cards_is_redacted_or_known_to_happen_before_everybody() -> None:
    before_everybody = {CardPlayed, CardsShown, TalonTurned}
    with_cards = {kind for kind in EVENT_TYPES.values() if {"card", "cards"} & set(kind.__dataclass_fields__)}
    assert with_cards == before_everybody | (with_cards & set(REDACTIONS))


def test_a_player_sees_their_own_hand_what_fell_and_how_many_cards_there_are() -> None:
    bos = ["CJ", "D2", "D3", "DK", "DQ", "H3", "S6", "S7"]
    assert hands_told(WHOLE, seat_viewer(SEAT_BY_NAME[M])) == {F: [], M: bos, B: []}
    assert codes_in(cut_text(WHOLE, PUBLIC_VIEWER)) == {"SA", "H2", "H4"}
    state = json.loads(view_json(log_from(WHOLE), PUBLIC_VIEWER))[0]
    assert state["hands"][F]["unknown"] == 8
    assert state["discards"][F] == {"cards": ["??"] * 3, "count": 3}
    assert state["talon"] == {"cards": ["??"] * 8, "count": 8, "turned": None}


CLOSING: Event = {"type": "deal_closed", "payments": {F: -4, M: 2, B: 2}, "engine": "0.1.0"}
GIVEN_UP: Event = {"type": "deal_abandoned", "seat": F, "pays": "codille"}


def test_closing_the_record_opens_everything_and_the_end_of_the_deal_nothing() -> None:
    assert hands_told([*WHOLE, GIVEN_UP], PUBLIC_VIEWER) == {F: [], M: [], B: []}
    closed = [*WHOLE, note("F held HK."), GIVEN_UP, CLOSING]
    assert view(log_from(closed), PUBLIC_VIEWER) == log_from(closed)
    assert view_json(log_from(closed), PUBLIC_VIEWER) == view_json(log_from(closed), FULL_VIEWER)
    again = [*WHOLE, CLOSING, corrected([4], dealt("B", "SK SQ SJ C7 C6 C5 H4 H5 DA"))]
    assert view(log_from(again), PUBLIC_VIEWER) == log_from(again)
    mistaken = [*WHOLE, CLOSING, corrected([len(WHOLE) + 1])]
    assert codes_in(cut_text(mistaken, PUBLIC_VIEWER)) == {"SA", "H2", "H4"}


def test_cards_shown_are_open_to_all_from_then_on_and_others_to_whom_they_concern() -> None:
    aces = [*a_deal("SA CA H2 H3 H4 D2 D3 D4 S3"), *bids("F grand-tourne")]
    assert hands_told(aces, PUBLIC_VIEWER)[F] == []
    assert hands_told([*aces, cards_shown("F", "SA CA")], PUBLIC_VIEWER)[F] == ["CA", "SA"]
    stated = [*a_deal(), *bids("F solo"), hand_held("F", "SA CA H2 H3 H4 D2 D3 D4 S3")]
    assert len(hands_told(stated, seat_viewer(SEAT_BY_NAME[F]))[F]) == 9
    assert hands_told(stated, seat_viewer(SEAT_BY_NAME[M]))[F] == []
    looked = [*WHOLE, {"type": "talon_seen", "cards": ["D4"] + ["??"] * 7, "seats": [M]}]
    assert "D4" in cut_text(looked, seat_viewer(SEAT_BY_NAME[M]))
    assert "D4" not in cut_text(looked, seat_viewer(SEAT_BY_NAME[F]))


def test_a_hand_entered_in_the_wrong_place_and_corrected_is_shown_only_to_its_owner() -> None:
    anna, bo = dealt("F", "SA S2 CA HK HQ HJ D7 D6 D5"), dealt("M", "S7 S6 CK CQ CJ H2 H3 DK DQ")
    log = log_from([*a_deal(), {**anna, "seat": M}, corrected([2], anna, bo)])
    for seat, sees in ((F, [False, False, True]), (M, [False] * 3), (B, [False] * 3)):
        seen = view(log, seat_viewer(SEAT_BY_NAME[seat]))
        assert ["SA" in cut_text_of((entry,)) for entry in seen] == sees, seat
    assert codes_in(cut_text_of(view(log, PUBLIC_VIEWER))) == set()
    assert "CK" in cut_text_of(view(log, seat_viewer(SEAT_BY_NAME[M]))[2:])


def test_what_was_said_at_the_table_stays_and_what_the_recorder_wrote_is_cut() -> None:
    events = [
        *a_deal(title="The deal with SA", source="H7 of hearts"),
        {"type": "bid_made", "seat": F, "bid": "solo", "said": "I have D7, so: solo"},
        note("C5 decides"),
        {"type": "ruling_made", "text": "C6 stays on the table"},
        {"type": "gap_noted", "text": "C7"},
    ]
    assert codes_in(cut_text(events, PUBLIC_VIEWER)) == {"D7", "C6"}


def test_what_somebody_wrote_is_no_secret_from_the_writer() -> None:
    mine, another = "018f5e2a-7b1c-7d3e-9f40-00000000000a", "018f5e2a-7b1c-7d3e-9f40-00000000000b"
    events = [
        *a_deal(),
        note("I hold SA.", mark="!") | {"recorded_by": mine, "accounts": ["me"]},
        note("Bo holds S2.") | {"recorded_by": another, "accounts": ["another"]},
        note("Nobody's.") | {"recorded_by": "Carl"},
        corrected([2], note("Bo holds SA.")) | {"recorded_by": another},
    ]
    log = tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))
    me = Viewer(frozenset({SEAT_BY_NAME[F]}), own_names=frozenset({mine}))
    seen = view(log, me)
    assert seen[1] == log[1]
    assert [entry.metadata.recorded_by for entry in seen[1:]] == [mine, another, None, another]
    assert [entry.metadata.accounts for entry in seen[2:]] == [None, None, None]
    assert "S2" not in cut_text_of(seen)
    assert "Bo holds" not in cut_text_of(seen)
    stranger = me._replace(own_names=frozenset({"Carl, another"}))
    for other in (PUBLIC_VIEWER, seat_viewer(SEAT_BY_NAME[F]), me.restrict(PUBLIC_VIEWER), stranger):
        assert "SA" not in cut_text_of(view(log, other))
    assert me.restrict(seat_viewer(SEAT_BY_NAME[F])) == me
    assert me.restrict(seat_viewer(SEAT_BY_NAME[M])) == PUBLIC_VIEWER
