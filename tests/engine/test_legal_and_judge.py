"""What ``legal`` lists and what ``judge`` lets pass are the same acts, under every published ruleset.

Random deals are played by what is legal; at every point every other act that somebody could think of is
judged as well. Every card is known, so that nobody has the benefit of a doubt.
"""

import random
from collections.abc import Iterator

import pytest

from engine import Entry, evolve, judge, score
from engine.core import cards
from engine.core.events import ResultRecorded
from engine.play.findings import Findings
from engine.rulesets import PUBLISHED
from engine.scoring.score import Score, brief_score
from schemas.answers.states import score_object
from tests.support.effort import examples
from tests.support.engine.selfplay import PACK, Table
from tests.support.engine.shorthand import SEATS, Event, Json, audited

RULESETS = sorted(rules.ruleset.id for rules in PUBLISHED)
DEALS = examples(25)
SLIP = ResultRecorded(tricks=tuple(zip(cards.SEATS, (5, 2, 2), strict=True)))


def bids(table: Table) -> list[str]:
    return ["pass", "self", *table.state.opening.rules.bids]


def conceivable(table: Table, due: Json) -> Iterator[tuple[Event, bool]]:
    """Acts of the kind that is due, by anybody: each with whether ``legal`` lists it."""
    for seat in SEATS.values():
        own = seat == due["seat"]
        if due["action"] == "bid":
            standing = table.state.auction.standing
            for bid in bids(table):
                takes_over = bid == standing and "self" in due["calls"]  # by name instead of by "self"
                listed = own and (bid in due["calls"] or takes_over)
                yield {"type": "bid_made", "seat": seat, "bid": bid}, listed
        elif due["action"] == "name":
            yield from namings(table, due, seat)
        elif due["action"] == "exchange" and table.hands[seat]:
            for count in range(0 if own else 1, 10):
                discard = {"type": "cards_discarded", "seat": seat, "cards": table.hands[seat][:count]}
                yield discard, own and due["min"] <= count <= due["max"]
        elif due["action"] == "draw":
            for count in range(1, len(table.talon) + 1):
                draw = {"type": "cards_drawn", "seat": seat, "cards": table.talon[:count]}
                yield draw, own and count == due["count"]
        elif due["action"] == "play":
            for card in PACK:
                yield {"type": "card_played", "seat": seat, "card": card}, own and card in due["cards"]


def namings(table: Table, due: Json, seat: str) -> Iterator[tuple[Event, bool]]:
    allowed = {entry["contract"]: entry["trumps"] for entry in due["contracts"]}
    for contract in table.state.opening.rules.contracts:
        trumps = allowed.get(contract, [])
        for trump in (None, "C", "D", "H", "S"):
            event = {"type": "contract_named", "seat": seat, "contract": contract}
            unsaid = trump is None and len(trumps) <= 1
            listed = contract in allowed and (unsaid or trump in trumps)
            if trump is None and len(trumps) > 1:
                continue  # which trumps is merely not recorded
            yield {**event, "trump": trump} if trump else event, seat == due["seat"] and listed


def offences(findings: Findings) -> Findings:
    """The findings without the director's penalties: these are for acts that are legal."""
    return tuple(one for one in findings if one.code != "penalty_possible")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_act_breaks_nothing_exactly_if_it_is_listed(ruleset: str) -> None:
    for seed in range(DEALS):
        table = Table(random.Random(seed), ruleset)
        for due, _ in table.points():
            for event, listed in conceivable(table, due):
                findings = offences(judge(table.state, table.entry(event)))
                assert (findings == ()) is listed, f"seed {seed}, after {len(table.events)}: {event}"


def not_stated(score: Score) -> bool:
    """Whether only one outcome is left, and the source does not say what it pays."""
    paid = [chips for _, payments in score.reachable for _, chips in payments]
    return len(score.reachable) == 1 and set(paid) == {None}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_deal_of_legal_acts_breaks_nothing_and_what_is_decided_stays_so(ruleset: str) -> None:
    """No card changes a decided score, but a try for all nine tricks opens it again.

    At every point `brief_score` says what `score` says, but for what is reachable.
    """
    answers = set()
    for seed in range(2 * DEALS):
        table = Table(random.Random(seed), ruleset, pool=12)
        decided: Json | None = None
        for due, event in table.points():
            told = score(table.state)
            answers.add(told.decided)
            assert brief_score(table.state)._replace(reachable=told.reachable) == told, f"seed {seed}"
            slip = evolve(table.state, Entry(len(table.events) + 1, SLIP))
            assert brief_score(slip) == score(slip), f"seed {seed}"
            now = score_object(told)
            if decided and not due.get("optional"):
                assert now == {**decided, "tricks": now["tricks"]}, f"seed {seed}: {event}"
                assert all(now["tricks"][seat] >= decided["tricks"][seat] for seat in SEATS.values())
            decided = now if now["decided"] and not due.get("optional") else None
        audit = audited(table.events)
        answers.add(audit.score.decided)
        unsettled = [one.code for one in offences(audit.findings)]
        assert unsettled == ([] if audit.score.decided else ["incomplete"]), f"seed {seed}"
        assert audit.score.decided or not_stated(audit.score), f"seed {seed}"
    assert answers == {True, False}
