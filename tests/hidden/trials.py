"""Trials on random deals: nobody innocent is accused, and what visible cards prove is found."""

import random
from typing import Any, NamedTuple

from engine import audit, effective, fold_all
from engine.diagnosis.conditions import may_be_behind
from engine.diagnosis.misprints import misprints
from engine.inference.cases import Case, case_of
from engine.inference.claims import claims_of
from engine.inference.conflict import cannot_be
from engine.inference.offences import proved_revokes
from engine.inference.plays import MATTER_ONLY
from engine.inference.searching import Budget, agrees
from engine.play.findings import OF_CARDS
from tests.slow.cards import playable
from tests.support.engine.shorthand import log_from
from tests.support.hidden.irregular import played_irregularly
from tests.support.hidden.misprinting import MISPRINTS, as_read, same
from tests.support.hidden.records import cut, deal, hidden_at_random, with_revoke

Event = dict[str, Any]
STEPS = 150


class Tally(NamedTuple):
    """What came of some trials: how many, and the records in which the answer was wrong."""

    tried: int
    wrong: list[list[Event]]


def case_from(events: list[Event]) -> Case:
    """The case that a record makes."""
    history = effective(log_from(events))
    return case_of(claims_of(history.entries, fold_all(history.entries)))


def innocents(rng: random.Random, ruleset: str, deals: int) -> Tally:
    """Legal deals with random hiding, in which somebody was accused or no deal was held possible."""
    wrong = []
    for _ in range(deals):
        events = hidden_at_random(rng, cut(rng, deal(rng, ruleset)))
        case = case_from(events)
        if proved_revokes(case, STEPS) or agrees(case, MATTER_ONLY, Budget(STEPS)) is False:
            wrong.append(events)
    return Tally(deals, wrong)


def irregular(rng: random.Random, ruleset: str, deals: int) -> Tally:
    """Deals with cards laid out of turn, second to a trick or after the end, in every third one revoke.

    Wrong are those in which somebody else was accused, by the proofs or the audit, or no deal held possible.
    Of cards that may have been laid when all was over, a finding says that it is so only if it was not.
    """
    wrong = []
    for number in range(deals):
        made = played_irregularly(rng, ruleset, revoking=number % 3 == 0, numbered=rng.random() < 0.3)
        marked = [{**event, "was": place} for place, event in enumerate(made.events, 1)]
        events = hidden_at_random(rng, cut(rng, marked))
        was = [event.pop("was", 0) for event in events]
        case, judged = case_from(events), audit(log_from(events))
        found = judged.findings
        accused = {*proved_revokes(case, STEPS), *(one.seq for one in found if one.code == "revoke")}
        accused = {seq for seq in accused if may_be_behind(judged, seq) is None}
        impossible = cannot_be(case, MATTER_ONLY, STEPS) or any(one.severity == "impossible" for one in found)
        if impossible or not {was[int(seq) - 1] for seq in accused} <= {made.revoke}:
            wrong.append(events)
    return Tally(deals, wrong)


class Corrected(NamedTuple):
    """What came of trials with misprints: how often the true correction was proposed, and how often first.

    ``wrong``: records of which it was not proposed although all was looked at, or of which a proposal leaves
    something that cannot be.
    """

    tried: int
    proposed: int
    first: int
    wrong: list[list[Event]]


def misprinted(rng: random.Random, ruleset: str, kind: str, deals: int, *, hidden: bool) -> Corrected:
    """Legal deals with one misprint by which they cannot be; ``hidden``: with cards hidden at random too."""
    tried = proposed = first = 0
    wrong = []
    while tried < deals:
        told = deal(rng, ruleset)
        told = hidden_at_random(rng, told) if hidden else told
        try:
            printed = MISPRINTS[kind](rng, told)
        except IndexError:  # no card is told
            continue
        found = misprints(log_from(printed))
        if not found.contradicting:
            continue
        tried += 1
        readings = [as_read(printed, one.corrections) for one in found.proposals]
        true = [same(reading, told) for reading in readings]
        proposed += any(true)
        first += true[:1] == [True]
        if (found.complete and not any(true)) or not all(map(can_be, readings)):
            wrong.append(printed)
    return Corrected(tried, proposed, first, wrong)


def can_be(events: list[Event]) -> bool:
    """Whether a record is possible as matter, and judging finds no card where it cannot have been."""
    found = audit(log_from(events)).findings
    return not any(one.code in OF_CARDS for one in found) and bool(
        agrees(case_from(events), MATTER_ONLY, Budget(STEPS))
    )


def planted(rng: random.Random, ruleset: str, deals: int) -> Tally:
    """Deals with a revoke that later cards prove, in which it was not found, or another was."""
    tried, wrong = 0, []
    while tried < deals:
        made = with_revoke(rng, ruleset)
        if made is None:
            continue
        events, seq = made
        if not proved_by_play(events, seq, ruleset):
            continue
        tried += 1
        seen = [{**one, "cards": ["??"] * len(one["cards"])} if one.get("cards") else one for one in events]
        if proved_revokes(case_from(seen), STEPS) != (seq,):
            wrong.append(seen)
    return Tally(tried, wrong)


def proved_by_play(events: list[Event], seq: int, ruleset: str) -> bool:
    """Whether the cards played later by the same seat prove by themselves that it had to follow then."""
    state = fold_all(effective(log_from(events)).entries)
    rules, trump = state.opening.rules.ruleset, state.bargain.trump
    named = None if trump is None or trump == 4 else "aces" if trump == 5 else "CDHS"[trump]
    event = events[seq - 1]
    number = sum(one["type"] == "card_played" for one in events[:seq]) - 1
    lead = [one for one in events if one["type"] == "card_played"][number // 3 * 3]["card"]
    later = [
        one["card"]
        for one in events[seq - 1 :]
        if one["type"] == "card_played" and one["seat"] == event["seat"]
    ]
    privilege = {"forced-by-higher": "higher", "can-beat-lead": "beats", "absolute": "always"}[rules.matadors]
    with_spadille = {*later, "SA"} if privilege == "beats" and lead != "SA" else {*later}
    return all(
        event["card"] not in playable(sorted(hand), lead, named, privilege)
        for hand in (set(later), with_spadille)
    )
