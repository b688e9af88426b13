"""``legal`` and ``judge`` know the same acts, and findings have what their codes promise."""

import copy
import importlib
import pickle
import pkgutil
import random
from collections.abc import Callable, Iterator
from types import ModuleType

import orjson
import pytest

import engine.judging
import replays
from engine import Audit, Entry, audit, effective, evolve, judge, score
from engine.audit import judge_history
from engine.core import cards, message
from engine.core.events import ResultRecorded
from engine.core.message import Message, Term, TextList
from engine.play.findings import FINDING_CODES, SEVERITIES, Finding, Findings
from engine.play.state import initial_state
from engine.rulesets import PUBLISHED_RULESETS
from engine.scoring.score import Score, brief_score
from schemas.answers.states import finding_objects, score_object
from tests.properties.slow import generator
from tests.properties.slow.faults import FAULTS
from tests.support.effort import examples
from tests.support.engine.annotated import annotated_deal
from tests.support.engine.retellings import with_a_gap, with_statements
from tests.support.engine.selfplay import PACK, Table, played_out
from tests.support.engine.shorthand import (
    SEATS,
    B,
    Event,
    F,
    Json,
    M,
    a_deal,
    audited,
    bids,
    claimed,
    dealt,
    log_from,
    plays,
)

RULESETS = sorted(rules.ruleset.id for rules in PUBLISHED_RULESETS)
DEALS = examples(25)
SLIP = ResultRecorded(tricks=tuple(zip(cards.SEATS, (5, 2, 2), strict=True)))


def bid_options(table: Table) -> list[str]:
    return ["pass", "self", *table.state.opening.rules.bids]


def conceivable(table: Table, due: Json) -> Iterator[tuple[Event, bool]]:
    """Acts of the kind that is due, by anybody: each with whether ``legal`` lists it."""
    for seat in SEATS.values():
        own = seat == due["seat"]
        if due["action"] == "bid":
            standing = table.state.auction.standing_bid
            for bid in bid_options(table):
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


ROUNDS = examples(40)


def quick_ways() -> Iterator[tuple[ModuleType, str]]:
    for found in pkgutil.iter_modules(engine.judging.__path__):
        module = importlib.import_module(f"engine.judging.{found.name}")
        for name in vars(module):
            if name.startswith("_is_ordinary_"):
                yield module, name


def record_kinds(seed: int) -> Iterator[tuple[str, list[Event]]]:
    """Records in order and out of order, whole and with things left out."""
    rng = random.Random(seed)
    fault = list(FAULTS)[seed % len(FAULTS)]
    yield "legal", generator.random_deal(rng, talon=seed % 2 == 0)
    yield "hidden", generator.hide(generator.random_deal(rng, talon=seed % 2 == 0), rng)
    yield fault, FAULTS[fault](rng)[0]
    yield "ombre", played_out(seed, "ombre")
    yield "stated", with_statements(generator.random_deal(rng), rng)
    yield "annotated", annotated_deal(rng)
    yield "gap", with_a_gap(generator.random_deal(rng), rng)


def findings_in(events: list[Event]) -> list[tuple[object, ...]]:
    return [(one.seq, one.code, one.seat) for one in audited(events).findings]


def test_quick_careful_and_single_judging_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [(f"seed {seed}, {kind}", events) for seed in range(ROUNDS) for kind, events in record_kinds(seed)]
    for where, events in told:
        history, state = effective(log_from(events)), initial_state(PUBLISHED_RULESETS)
        findings: list[Finding] = []
        for entry in history.entries:
            findings += judge(state, entry)
            state = evolve(state, entry)
        assert judge_history(history, initial_state(PUBLISHED_RULESETS)) == (state, findings), where
    quickly = [findings_in(events) for _, events in told]
    ways = list(quick_ways())
    assert ways, "there is no quick way named _is_ordinary_… any more: look for its new name"
    for module, name in ways:
        monkeypatch.setattr(module, name, lambda *_: False)
    for (where, events), quick in zip(told, quickly, strict=True):
        assert findings_in(events) == quick, where


ANNA = "SA S2 CA HK HQ HJ D7 D6 D5"
AUDITS = [
    *(audit(one.read_log()) for one in replays.list_examples() if one.folder == "findings"),
    audited([*a_deal(), *a_deal()]),
    audited([*a_deal(), {"type": "player_joined", "player": "Dora"}]),
    audited([*a_deal(ANNA), *plays("F-SA@4 M-SA@4"), claimed("F", 5, 5, 5)]),
    audited(a_deal(revision=99)),
]


@pytest.mark.parametrize("whole", AUDITS)
def test_a_finding_has_what_its_code_promises(whole: Audit) -> None:
    assert whole.findings
    for one in whole.findings:
        severity, meaning = FINDING_CODES[one.code]
        assert one.severity == severity in SEVERITIES
        assert meaning.endswith(".")
        assert one.seq in one.evidence
        assert one.message.endswith((".", "revoke."))
        assert one.rule.partition(".")[0].isdigit()
    worst = {one.severity for one in whole.findings}
    assert whole.ok is not bool(worst & {"impossible", "error"})
    for told in finding_objects(whole.findings):
        assert set(told) >= {"seq", "code", "severity", "seat", "message", "rule", "evidence"}
        assert told["seat"] in (None, F, M, B)


def test_findings_come_in_the_order_of_their_entries() -> None:
    events = [*a_deal(ANNA, ANNA), *bids("M pass, F self"), dealt("B", "SA")]
    seqs = [one.seq for one in audited(events).findings]
    assert seqs == sorted(seqs)
    assert len(set(seqs)) > 2


GAME = message.format_message(
    "{game} in {suits}", game="solo", suits=TextList((Term("suit", "H"), Term("suit", "S")), " or ")
)
SENTENCE = message.format_message("{player} names {game}.", player="{Bo}", game=GAME)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_a_sentence_knows_its_parts_also_in_another_process(again: Callable[[Message], Message]) -> None:
    text = again(SENTENCE)
    assert isinstance(text, Message)
    assert text == "{Bo} names solo in H or S.", "what is given is no form"
    assert (text.template, text.arguments["player"]) == ("{player} names {game}.", "{Bo}")
    assert orjson.loads(orjson.dumps([text])) == [text]
    game = text.arguments["game"]
    assert isinstance(game, Message)
    suits = game.arguments["suits"]
    assert isinstance(suits, TextList) and suits.separator == " or "
    assert [one.kind for one in suits.texts if isinstance(one, Term)] == ["suit", "suit"]
    assert message.format_message("{chips:+d} and {word!r}", chips=3, word="solo") == "+3 and 'solo'"
