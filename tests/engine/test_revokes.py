"""Revokes: found at once where the hand is known, later where a card proves it, never on a mere doubt."""

import pytest

from tests.support.engine.answers import findings, turn
from tests.support.engine.shorthand import (
    B,
    Event,
    audited,
    corrected,
    dealt,
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


def game(*hands: str, ruleset: str = "dlu", exchange: list[Event] | None = None) -> list[Event]:
    """Forehand's game in hearts; all stand. Only what is played is known, unless a hand is given."""
    contract = "simple" if ruleset == "dlu" else "play"
    events = opened(*hands, ruleset=ruleset) + said(f"F {contract}, M pass, B pass")
    return events + named("F", contract, "H") + (stands() if exchange is None else exchange)


def against(hand: str, words: str, ruleset: str = "dlu") -> list[Event]:
    """The play against middlehand's known hand; the first card is entry 10."""
    return game("", hand, ruleset=ruleset) + plays(words)


LONG_SPADES, PLAIN = "H2 S3 S4 S5 S6 S7 C4 C5 C6", "S3 S4 S5 S6 S7 C4 C5 C6 D2"
HEARTS = "H2 H3 H5 H6 HQ HK C4 C5"
BASTA, SPADILLE = "CA C4 C5 C6 C7 D2 D3 D4 D5", "SA C4 C5 C6 C7 D2 D3 D4 D5"
BOTH = "SA CA C4 C5 C6 C7 D2 D3 D4"

AT_ONCE: dict[str, tuple[list[Event], str]] = {
    "from a known hand": (against(LONG_SPADES, "F-H4 M-C4"), "revoke"),
    "in a plain suit": (against(PLAIN, "F-D4 M-C4"), "revoke"),
    "trumped instead of followed": (against(f"{HEARTS} D2", "F-D4 M-H2"), "revoke"),
    "basta withheld from a low trump": (against(BASTA, "F-H4 M-D2"), ""),
    "basta withheld from manille": (against(BASTA, "F-H7 M-D2"), "revoke"),
    "spadille and basta withheld from manille": (against(BOTH, "F-H7 M-D2"), ""),
    "the same in ombre": (against(BOTH, "F-H7 M-D2", "ombre"), "revoke"),
    "again and again": (
        against("H2 H3 C4 C5 C6 C7 CJ CQ CK", "F-H4 M-C4 B-HJ B-HK F-HQ M-C5"),
        "11 revoke, revoke",
    ),
}

TRICK_SIX = "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-SK M-S3 B-S4 F-CK M-C5 B-C6 F-D2 M-DK B-D3 M-H6"
AFTER_FIVE = "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-CA M-C5 B-S3 F-HA M-C6 B-S4 F-HK M-C7 B-S5 F-D2 M-H6"
CLUB = game() + plays("F-H4 M-C4")
"""Hearts are led, and middlehand gives a club."""
WITHHELD = "F-H7 M-C4 B-H2 F-DK "
"""Manille is led, and middlehand gives a club."""
WITH_BASTA = game() + plays(WITHHELD + "M-D4 B-D3 F-SK M-CA B-S2")
"""Middlehand plays basta later."""
BOUGHT = [*stands("F"), *swap("M", "?? ?? ??", "?? ?? ??"), *stands("B")]
LAID_AWAY = [*stands("F"), *swap("M", "SA ?? ??", "?? ?? ??"), *stands("B")]

PROVED_LATER: dict[str, tuple[list[Event], str]] = {
    "by trick 6": (game() + plays(TRICK_SIX), "13 revoke"),
    "not before it": (game() + plays(TRICK_SIX)[:-1], ""),
    "all by one card": (
        game() + plays("F-SA M-C2 B-H4 F-H7 M-C4 B-H5 F-CA M-C5 B-HK F-D2 M-H3"),
        "10 revoke, 13 revoke, 16 revoke",
    ),
    "in a plain suit": (game() + plays("F-DK M-C2 B-D3 F-DQ M-D2"), "10 revoke"),
    "by a stated hand": ([*CLUB, held("M", "H5 C6 C7 D4 D5 D6 D7 S2")], "10 revoke"),
    "by a card shown": ([*CLUB, shown("M", "H5")], "10 revoke"),
    "not by a stated hand without it": ([*CLUB, held("M", "C5 C6 C7 D4 D5 D6 D7 S2")], ""),
    "by a hand put in afterwards": (
        [*CLUB, corrected([], dealt("M", "H5 C4 C6 C7 D4 D5 D6 D7 S2"), after=1)],
        "10 revoke",
    ),
    "not of a hidden card": (game() + plays("F-H4 M-?? B-HJ B-D2 F-D3 M-H2"), ""),
    "of a hidden card of another suit": (game() + plays("F-H4 M-D? B-HJ B-D2 F-D3 M-H2"), "10 revoke"),
    "not to a hidden lead": (game() + plays("F-?? M-C4 B-H5 B-D2 F-D3 M-H2"), ""),
    "not by another's card": (
        game("H4 H5 H6 HK HQ HJ D7 D6 D5") + plays("F-H4 M-C4 B-C5 F-D5 M-HK"),
        "card_duplicated",
    ),
    # Basta, proved through spadille
    "by basta, spadille being elsewhere": ([*WITH_BASTA, *plays("M-C5 B-SA")], "10 revoke"),
    "by spadille elsewhere, then basta": (game() + plays(WITHHELD + "M-D4 B-SA B-C7 F-C2 M-CA"), "10 revoke"),
    "not by both from one hand": ([*WITH_BASTA, *plays("M-SA")], ""),
    "by basta, spadille being laid away": (
        game(exchange=LAID_AWAY) + plays(WITHHELD + "M-D4 B-D3 F-CK M-CA"),
        "11 revoke",
    ),
    "by basta alone in ombre": (game(ruleset="ombre") + plays(WITHHELD + "M-D4 B-D3 F-CK M-CA"), "10 revoke"),
    "not by spadille": (game() + plays(WITHHELD + "M-D4 B-D3 F-CK M-SA"), ""),
    "by the rest of the hand": ([*WITH_BASTA, held("M", "C5 C6 C7 D5 D6 D7")], "10 revoke"),
    "by spadille in another's stated hand": ([*WITH_BASTA, held("B", "SA C5 C6 C7 S5 S6")], "10 revoke"),
    "by a card after the end": (
        game() + plays(AFTER_FIVE),
        "13 revoke, 16 revoke, 19 revoke, 22 revoke, 24 play_after_end, play_after_end",
    ),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_revoke_from_a_known_hand_is_seen_at_once(name: str) -> None:
    events, expected = AT_ONCE[name]
    assert findings(events) == expected


@pytest.mark.parametrize("name", PROVED_LATER)
def test_a_revoke_is_found_when_something_proves_it(name: str) -> None:
    events, expected = PROVED_LATER[name]
    assert findings(events) == expected


@pytest.mark.parametrize(
    ("events", "seq", "evidence"),
    [
        (AT_ONCE["from a known hand"][0], 11, {2, 10, 11}),  # the hand, the lead, the card
        (against("H2 H3 ?? ?? ?? ?? ?? ?? ??", "F-H4 M-C4 B-HJ B-HK F-HQ M-H5"), 11, {2, 10, 11}),
        (PROVED_LATER["by trick 6"][0], 13, {13, 24}),
        (PROVED_LATER["by basta, spadille being elsewhere"][0], 10, {10, 16, 19}),
    ],
    ids=["at once", "once, proved twice", "later", "through spadille"],
)
def test_a_revoke_has_its_evidence(events: list[Event], seq: int, evidence: set[int]) -> None:
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    assert (revoke.seq, revoke.severity, revoke.seat, revoke.rule) == (seq, "error", 1, "5. Play")
    assert set(revoke.evidence) == evidence
    assert list(revoke.evidence) == sorted(evidence)


def test_a_revoke_names_the_card_and_changes_nobodys_tricks() -> None:
    """It is a fact, and the table rules; the trick goes where the cards put it."""
    events = against(LONG_SPADES, "F-H4 M-C4 B-HJ")
    (revoke,) = [one for one in audited(events).findings if one.code == "revoke"]
    assert "H2" in revoke.message
    assert score_after(events)["tricks"][B] == 1
    assert turn(events) == "B play"
