"""Every code of a finding is told by some log, with its severity, at the entry that broke the rule."""

import pytest

from engine.findings import CODES, SEVERITIES
from schemas.states import finding_objects
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    audited,
    claimed,
    corrected,
    dealt,
    gap,
    given_up,
    held,
    laid,
    named,
    opened,
    plays,
    said,
    settled,
    shown,
    slip,
    stands,
    swap,
    tricks,
    turned,
    withdrawn,
)

ANNA = "SA S2 CA HK HQ HJ D7 D6 D5"
NOT_OF_ONE_LOG = {
    "unknown_card": "no code of the wire is an unknown card: the reader refuses it with its place",
    "beginning_missing": "is found behind the deal that a variation leaves (`test_branching`)",
    "pool_mismatch": "is found between the deals of a table",
    "seating_mismatch": "is found between the deals of a table",
    "table_mismatch": "is found in the log of a table",
    "entry_after_close": "is found in the log of a table",
    "number_missing": "is found in the report of a table (`tests/tables`)",
    "deal_doubled": "is found in the report of a table (`tests/tables`)",
    "deal_unfinished": "is found in the report of a table (`tests/tables`)",
    "entry_doubled": "is found in the report of a table (`tests/tables`); a deal alone has what comes of it",
    "entry_missing": "is found in the report of a deal (`test_explained`)",
    "seat_mistaken": "is found in the report of a deal (`test_explained`)",
    "contract_mistaken": "is found in the report of a deal (`test_misnamed`)",
    "order_mistaken": "is found in the report of a deal (`test_explained`)",
    "misprint_likely": "is found in the report of a table (`tests/tables`); a deal alone has misprints",
}
BARGAIN = said("F simple, M pass, B pass") + named("F", "simple", "H")
GAME = [*opened(ANNA), *BARGAIN, *stands()]
TOURNE = [*opened(ANNA), *said("F tourne, M pass, B pass"), *named("F", "tourne")]


def ombre() -> list[Event]:
    return [*opened(ruleset="ombre"), *said("F play, M pass, B pass"), *named("F", "play", "H"), *swap("F")]


EXAMPLES: dict[str, list[list[Event]]] = {
    "card_duplicated": [
        opened(ANNA, "SA S7 CK CQ CJ H2 H3 DK DQ"),
        [*opened(ANNA), laid("SA")],
        [*GAME, *plays("F-SA"), *plays("M-SA")],
        [*opened(ANNA), *BARGAIN, *swap("F", "D5", "D6")],
    ],
    "hand_size": [[*GAME, held("F", "SA S2")], opened("SA")],
    "hand_mismatch": [[*GAME, held("F", "SA S2 CA HK HQ H2 H3 H4 H5")]],
    "card_not_held": [
        [*GAME, *plays("F-SK")],
        [*GAME, shown("F", "SK")],
        [*opened(ANNA), *BARGAIN, *swap("F", "SK")],
    ],
    "talon_mismatch": [
        [*opened(), laid("C4 C3"), *BARGAIN, *swap("F", "??", "C3")],
        [*opened(), laid("C4 C3"), *TOURNE[2:], *turned("C3")],
    ],
    "trick_mismatch": [[*GAME, *plays("F-SA@1 M-H2@1 B-H3@1 F-S2@1")]],
    "contradiction": [
        [*opened("S? S? S? S? S? S? ?? ?? ??", "S? S? S? S? S? ?? ?? ?? ??")],
    ],
    "wrong_phase": [
        [*opened(), *plays("F-SA")],
        [*GAME, *said("M solo")],
        [*opened(), *opened()],
        [*opened(), {"type": "player_joined", "player": "Dora"}],
    ],
    "wrong_seat": [[*opened(), *said("M simple")], [*GAME, *plays("M-H2")]],
    "bid_too_low": [[*opened(), *said("F solo, M simple")]],
    "bid_not_allowed": [
        [*opened(), *said("F self")],
        [*opened("S2 S3 S4 S5 S6 S7 SJ SQ SK"), *said("F grand-tourne")],
    ],
    "contract_not_allowed": [[*opened(), *said("F simple, M pass, B pass"), *named("F", "solo", "H")]],
    "exchange_not_allowed": [
        [*opened(), *said("F solo, M pass, B pass"), *named("F", "solo", "H"), *swap("F", "??")],
        [*ombre(), {"type": "exchange_yielded", "seat": B}],
        [*GAME, {"type": "talon_seen", "cards": ["??"] * 13, "seats": [M]}],
    ],
    "exchange_count": [[*TOURNE, *turned("H4"), *swap("F", "D5")]],
    "exchange_mismatch": [[*opened(ANNA), *BARGAIN, *swap("F", "D5", "C4 C3")]],
    "revoke": [[*opened(middlehand=ANNA), *BARGAIN, *stands(), *plays("F-H2 M-D5")]],
    "slam_not_allowed": [[*GAME, {"type": "slam_announced", "seat": F}]],
    "abandon_not_allowed": [[*GAME, given_up("M")], [*GAME, {"type": "surrender_offered", "seat": F}]],
    "reserve_not_allowed": [[*ombre(), *swap("F", "??"), {"type": "puesta_reserved", "seat": M}]],
    "penalty_possible": [[*opened(ruleset="dlu-tournament"), *said("F spade-game")]],
    "claim_not_possible": [[*GAME, claimed("F", 5, 5, 5)]],
    "result_mismatch": [[*opened(), slip("F", "simple", "4-4-1", outcome="won")]],
    "settlement_mismatch": [[*opened(), slip("F", "simple", "5-4-0"), settled(forehand=9)]],
    "correction_not_possible": [[*opened(), corrected([7])], [*opened(), withdrawn(1)]],
    "unknown_ruleset": [opened(ruleset="mars"), opened(revision=99)],
    "unknown_switch": [opened(switches={"talon_shown": True})],
    "incomplete": [[*GAME, *plays("F-SA@4")], opened(), [*opened(), gap()]],
    "matador_withheld": [
        [
            *GAME[:1],
            *BARGAIN,
            *stands(),
            *plays("F-HK M-C5 B-H2 F-HQ M-CA"),
            {"type": "irregularity_noted", "seat": M, "kind": "revoke"},
        ],
    ],
    "play_after_end": [[*GAME, *tricks("FFFFF"), *plays("M-D4")]],
}


def test_there_is_an_example_of_every_code() -> None:
    assert set(EXAMPLES) | set(NOT_OF_ONE_LOG) == set(CODES)


def test_a_code_is_told_with_its_severity(subtests: pytest.Subtests) -> None:
    for code in EXAMPLES:
        with subtests.test(code=code):
            severity, meaning = CODES[code]
            assert severity in SEVERITIES
            assert meaning.endswith(".")
            for events in EXAMPLES[code]:
                found = [one for one in audited(events).findings if one.code == code]
                assert found, events
                for one in found:
                    assert one.severity == severity
                    assert one.seq in one.evidence
                    assert one.message.endswith((".", "revoke."))
                    assert one.rule.partition(".")[0].isdigit()


def test_a_record_is_in_order_unless_something_is_impossible_or_wrong(subtests: pytest.Subtests) -> None:
    for code in EXAMPLES:
        with subtests.test(code=code):
            for events in EXAMPLES[code]:
                whole = audited(events)
                worst = {one.severity for one in whole.findings}
                assert whole.ok is not bool(worst & {"impossible", "error"})


def test_a_finding_on_the_wire(subtests: pytest.Subtests) -> None:
    for code in EXAMPLES:
        with subtests.test(code=code):
            for one in finding_objects(audited(EXAMPLES[code][0]).findings):
                assert set(one) >= {"seq", "code", "severity", "seat", "message", "rule", "evidence"}
                assert one["seat"] in (None, F, M, B)


def test_findings_come_in_the_order_of_their_entries() -> None:
    events = [*opened(ANNA, ANNA), *said("M pass, F self"), dealt("B", "SA")]
    seqs = [one.seq for one in audited(events).findings]
    assert seqs == sorted(seqs)
    assert len(set(seqs)) > 2
