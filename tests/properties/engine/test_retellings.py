"""A true record breaks nothing, never settles a deal wrongly, and tells the truth of every hand."""

import random
from collections.abc import Callable, Iterator

import pytest

from tests.properties.slow import generator, model
from tests.support.effort import examples
from tests.support.engine import retellings
from tests.support.engine.answers import findings, payment, turn
from tests.support.engine.shorthand import (
    Event,
    F,
    Json,
    M,
    a_deal,
    audited,
    bids,
    gap,
    given_up,
    laid,
    names,
    plays,
    stands,
    state_after,
    swap,
    tricks,
)

Retelling = Callable[[list[Event], random.Random], list[Event]]
DEALS = examples(120, 12)


RETELLINGS: dict[str, Retelling] = {
    "all of it": lambda deal, rng: deal,
    "statements": retellings.with_statements,
    "a jump": retellings.with_a_jump,
    "a gap of whole parts": retellings.with_a_gap,
    "a gap anywhere": retellings.with_a_ragged_gap,
}


@pytest.mark.parametrize(
    ("name", "how"),
    [(name, how) for name in RETELLINGS for how in ("open", "hidden")]
    + [(name, "without trick numbers") for name in RETELLINGS if "gap" in name],
)
def test_what_is_left_out_is_no_offence(name: str, how: str) -> None:
    for seed in range(DEALS):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=seed % 3 == 0)
        told = RETELLINGS[name](deal, rng)
        told = generator.hide(told, rng) if how == "hidden" else told
        if how == "without trick numbers":
            told = [{key: value for key, value in event.items() if key != "trick"} for event in told]
        whole, part = audited(deal), audited(told)
        assert [one for one in part.findings if one.code != "incomplete"] == [], f"seed {seed}"
        if part.score.decided:
            paid = (part.score.outcome, part.score.payments)
            assert paid == (whole.score.outcome, whole.score.payments), f"seed {seed}"
        elif part.score.contract and name == "all of it":
            assert whole.score.outcome in {*dict(part.score.reachable), "abandoned"}, f"seed {seed}"


HANDS = ("SA S2 CA HK HQ HJ D7 D6 D5", "S7 S6 CK CQ CJ H2 H3 DK DQ", "SK SQ SJ C7 C6 C5 H4 H5 DJ")
CALLS, HEARTS = bids("F simple, M pass, B pass"), names("F", "simple", "H")
BARGAIN = a_deal(*HANDS) + CALLS + HEARTS
SOLO = [*a_deal(), gap(), *names("F", "solo", "H"), *stands("M B")]
BUYS = swap("M", "S6 S7", "C2 D2")
BO_BOUGHT = [*BARGAIN, gap(), *BUYS]
"""Anna's exchange is missing, Bo's is there: hers was before his, nobody waits for her."""

BO_STOOD = a_deal(middlehand="H2 C4 C5 C6 D2 D3 D4 D5 S3") + bids("F solo, M pass, B pass")
BO_STOOD += names("F", "solo", "H") + swap("M")
"""Bo stood and had a trump, and may have played it in the gap."""

FOUND: dict[str, tuple[list[Event], str]] = {
    "where the auction was": ([*a_deal(*HANDS), gap(), *HEARTS, *stands(), *plays("F-SA")], ""),
    "where the exchange was": ([*BARGAIN, gap(), *plays("F-SA M-D2 B-H5")], ""),
    # Forehand's bid and middlehand's pass are missing
    "where the contract was": ([*BARGAIN[:-1], gap(), *swap("F", "D5 D6", "C4 C3"), *BUYS], ""),
    "before another's exchange, then play": ([*BO_BOUGHT, *swap("B"), *plays("F-SA@1")], ""),
    "where cards were drawn": ([*BARGAIN[:4], laid("C4 C3 C2 D2 D3"), *BARGAIN[4:], gap(), *BUYS], ""),
    "before giving up": ([*a_deal(), *CALLS, gap(), given_up("F", "bete")], ""),
    "before the first card": ([*BO_STOOD, gap(), *plays("F-H4 M-C4 B-D7 F-H5 M-C5")], ""),
    "before the play": ([*a_deal(), gap(), *tricks("FFMBF")], ""),
    # It excuses what it may have swallowed, nothing that came long after it
    "long before a card out of turn": (SOLO + plays("F-D2@1 M-D3@1 B-DK@1 M-C2@2"), "wrong_seat"),
    "long before a card played twice": (SOLO + plays("F-D2@1 M-D3@1 B-DK@1 B-DK@2"), "card_duplicated"),
    "long before a revoke": (SOLO + plays("F-H4@1 M-D3@1 B-H6@1 F-S2@2 M-H2@2"), "7 revoke"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_after_a_gap(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


def test_what_is_known_after_a_gap() -> None:
    assert state_after([*a_deal(), gap()])["incomplete"]
    assert not state_after(a_deal())["incomplete"]
    assert state_after([*BARGAIN, gap()])["hands"][F] == {"cards": [], "unknown": 9}
    assert state_after(FOUND["where the exchange was"][0])["hands"][F]["unknown"] == 8
    assert turn(BO_BOUGHT) == "B exchange"
    assert payment([*BARGAIN, *stands(), gap(), given_up("F")]) == "open"  # bete or codille


def test_the_first_card_after_a_gap_is_not_always_a_lead() -> None:
    """Forehand's lead to trick 3 is in the gap, and so is who won trick 2: not middlehand."""
    events = a_deal() + bids("F pass, M pure-nolo, B pass") + names("M", "pure-nolo")
    events += [*plays("F-D2@1 M-D3@1 B-DK@1"), gap(), *plays("M-S2@3 B-SK@3 B-SQ@4 F-S3@4 M-C2@4")]
    assert state_after(events)["tricks_won"][M] == 0


def tells_of(told: Event, event: Event) -> bool:
    """Whether an entry tells of this event, with cards hidden perhaps and with a trick number."""
    others = [name for name in told if name not in ("card", "cards", "trick")]
    if any(event.get(name) != told[name] for name in others):
        return False
    if len(told.get("cards", [])) != len(event.get("cards", [])):
        return False
    pairs = [*zip(told.get("cards", []), event.get("cards", []), strict=True)]
    pairs += [(told["card"], event["card"])] if "card" in told else []
    return all(seen in (card, "??", f"{card[0]}?") for seen, card in pairs)


def points(deal: list[Event], told: list[Event]) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """After each entry of the retelling, from the first call on: its length, and the hands in truth."""
    at = 0
    for length, entry in enumerate(told, 1):
        extra = entry["type"] in ("hand_held", "gap_noted") or (
            entry["type"] == "cards_shown" and not (at < len(deal) and tells_of(entry, deal[at]))
        )
        if not extra:
            while not tells_of(entry, deal[at]):
                at += 1
            at += 1
        if at > 3 and entry["type"] != "gap_noted" and entry["type"] != "deal_abandoned":
            yield length, model.fold(deal[:at])["hands"]


def untruths(hand: Json, truth: list[str]) -> list[str]:
    """What is wrong in what is told of one hand."""
    unknown = [card for card in truth if card not in hand["cards"]]
    wrong = [f"{card} is not there" for card in hand["cards"] if card not in truth]
    if len(hand["cards"]) + hand["unknown"] != len(truth):
        wrong.append(f"it has {len(truth)} cards")
    for suit in "CDHS":
        told = hand.get("maybe", []).count(f"{suit}?")
        if told > sum(card[0] == suit for card in unknown):
            wrong.append(f"no {told} other cards of it are printed with {suit}")
    return wrong


@pytest.mark.parametrize("how", ["open", "hidden"])
@pytest.mark.parametrize("retold", ["statements", "a jump", "a gap of whole parts"])
def test_what_is_told_of_the_hands_is_true(retold: str, how: str) -> None:
    for seed in range(examples(20)):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=seed % 3 == 0)
        told = RETELLINGS[retold](deal, rng)
        told = generator.hide(told, rng) if how == "hidden" else told
        held = model.fold(deal)["hands"].items()
        known = {seat: {"cards": sorted(cards), "unknown": 0} for seat, cards in held}
        assert state_after(deal)["hands"] == known, f"seed {seed}"
        for length, truth in points(deal, told):
            hands = state_after(told[:length])["hands"]
            for seat in model.SEATS:
                where = f"seed {seed}, after {length}: {seat} has {truth[seat]}, told {hands[seat]}"
                assert untruths(hands[seat], truth[seat]) == [], where
