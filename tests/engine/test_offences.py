"""Offences are offered to the director where a ruleset states points for them; nobody is accused by a gap."""

import pytest

from engine.judging.offences import SUITS_SAID
from engine.rulings import penalties, rulings
from tests.support.engine.shorthand import B, Event, F, M, audited, found, named, opened, said

TOURNAMENT = "dlu-tournament"


def call(seat: str, bid: str, **more: str) -> Event:
    return {"type": "bid_made", "seat": {"F": F, "M": M, "B": B}[seat], "bid": bid, **more}


def offences(*calls: Event, ruleset: str = TOURNAMENT, before: tuple[Event, ...] = ()) -> list[int]:
    """The calls, the first of them 1, for which a penalty is possible."""
    events = [*opened(ruleset=ruleset), *before, *calls]
    return [int(seq) - 1 - len(before) for seq, code in found(events) if code == "penalty_possible"]


NAMED = [
    (call("F", "simple", said="Spil i hjerter"), True),
    (call("F", "simple", said="Hjerterspil!"), True),
    (call("F", "simple", said="a simple game, in ♦"), True),
    (call("F", "solo", said="solo i spar"), True),
    (call("F", "solo", trump="S"), True),
    (call("F", "pass", said="pas, jeg har kun klør"), False),
    (call("F", "simple", said="spil"), False),
    (call("F", "simple", said="jeg sparer på det"), False),
    (call("F", "nolo-ouvert", said="nolo"), False),
]


@pytest.mark.parametrize(("event", "offends"), NAMED, ids=range(len(NAMED)))
def test_a_suit_is_named_by_the_words_or_the_suit_that_was_recorded(event: Event, offends: bool) -> None:
    assert offences(event) == [1] * offends
    assert offences(event, ruleset="dlu") == []


@pytest.mark.parametrize("suit", SUITS_SAID)
def test_every_suit_is_known_by_each_of_its_words(suit: int) -> None:
    for word in SUITS_SAID[suit]:  # type: ignore[index]
        assert offences(call("F", "simple", said=f"simple, {word}")) == [1], word


def test_a_bid_that_tells_its_suit_by_itself_names_none() -> None:
    solo = call("F", "solo")
    for more in ({"said": "solo spar"}, {"trump": "S"}):
        assert offences(solo, call("M", "spade-solo", **more)) == []
        assert offences(solo, call("M", "spade-solo"), call("F", "self", **more)) == []
    assert offences(solo, call("M", "spade-solo", said="solo, ikke hjerter")) == [2]


def test_who_ends_the_auction_has_the_contract_with_the_words_that_end_it() -> None:
    passed = (call("F", "pass"), call("M", "pass"))
    assert offences(*passed, call("B", "simple", said="spil i ruder")) == []
    assert offences(passed[0], call("M", "simple", said="spil i ruder")) == [2]
    # That it was too early is what the recorder says who records it as named with the bid.
    assert offences(*passed, call("B", "simple", trump="D")) == [3]


@pytest.mark.parametrize("needless", ["spade-game", "tourne", "simple-nolo", "spade-solo"])
def test_a_bid_is_needless_where_a_lower_one_would_have_been_enough(needless: str) -> None:
    assert offences(call("F", needless)) == [1]
    assert offences(call("F", "pass"), call("M", needless)) == [2]
    assert offences(call("F", "solo"), call("M", needless)) == []
    if needless != "spade-solo":
        assert offences(call("F", "simple"), call("M", needless)) == []


def test_where_calls_are_missing_nobody_is_accused_of_a_needless_one() -> None:
    assert offences(call("M", "spade-game")) == []
    assert offences(call("F", "spade-game"), before=({"type": "gap_noted"},)) == []


def test_a_suit_named_while_others_have_still_to_speak() -> None:
    simple = said("F simple, M pass")
    early = named("F", "simple", "H")
    assert offences(*simple, *early) == [3]
    assert offences(*simple, call("B", "pass"), *early) == []
    assert offences(*early) == []
    assert offences(*said("F solo, M pass"), {"type": "trump_named", "seat": F, "trump": "H"}) == [3]
    assert offences(*said("F nolo-ouvert, M pass"), *named("F", "nolo-ouvert")) == []


def ruled(**more: object) -> Event:
    return {"type": "ruling_made", "text": "so decided", **more}


OFFENDED = [*opened(ruleset=TOURNAMENT), *said("F spade-game, M pass, B pass"), *named("F", "spade-game")]
WON = {"type": "result_recorded", "outcome": "won"}


def test_points_are_offered_and_given_and_change_no_payment() -> None:
    offered = audited([*OFFENDED, WON])
    assert offered.ok
    assert [(one.seat, one.possible, one.offences, one.given) for one in penalties(offered)] == [
        (0, 1, (2,), 0)
    ]
    given = audited([*OFFENDED, WON, ruled(penalty={F: 1, B: 2})])
    assert given.score.payments == offered.score.payments
    assert [(one.seat, one.possible, one.given, one.rulings) for one in penalties(given)] == [
        (0, 1, 1, (7,)),
        (2, 0, 2, (7,)),
    ]
    assert rulings(given) == ()


def test_a_ruling_is_told_beside_what_the_deal_would_pay_without_it() -> None:
    judged = audited([*OFFENDED, WON, ruled(outcome="codille"), ruled(payments={F: -1, B: 1}), ruled()])
    first, last = rulings(judged)
    assert (first.in_force, first.changed, last.in_force) == (False, None, True)
    assert dict(last.without or ()) == {F: 2, M: -1, B: -1}
    assert dict(last.pays or ()) == {F: -1, M: 0, B: 1}
    assert dict(last.changed or ()) == {F: -3, M: 1, B: 2}


def test_a_ruling_on_a_deal_that_is_open_or_void_changes_nothing_that_is_certain() -> None:
    (alone,) = rulings(audited([*OFFENDED, ruled(outcome="bete")]))
    assert alone.in_force
    assert alone.without is None
    assert alone.changed is None
    assert dict(alone.pays or ()) == {F: -2, M: 1, B: 1}
    void = {"type": "deal_voided", "reason": "a misdeal"}
    (one,) = rulings(audited([*OFFENDED, WON, ruled(outcome="bete"), void]))
    assert not one.in_force
    (unpaid,) = rulings(audited([*OFFENDED, WON, ruled(outcome="forfeited", at_fault=F)]))
    assert unpaid.in_force
    assert unpaid.pays is None
    assert unpaid.changed is None
