"""Trials on random deals: nobody innocent is accused, and what visible cards prove is found.

Each trial is an attempt on one random deal of a ruleset; it gives None where the deal does not suit it.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from engine import audit, effective, fold_all
from engine.audit_report import build_audit_report
from engine.core.log import Log
from engine.core.work_budget import WorkBudget
from engine.diagnosis.finding_caveats import find_possible_last_trick
from engine.diagnosis.misprints import find_misprints
from engine.inference.claims import collect_claims
from engine.inference.evidence import find_further_revokes
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import PHYSICAL_ONLY, InferenceCase, build_case
from engine.judging.caveats import has_caveat
from engine.play.findings import CARD_FINDING_CODES, FAULT_SEVERITIES, Finding
from tests.properties.slow.cards import playable
from tests.support.engine.shorthand import Event, log_from
from tests.support.hidden.by_trying import policy_of
from tests.support.hidden.irregular import played_irregularly
from tests.support.hidden.misprinting import MISPRINTS, as_read, same
from tests.support.hidden.naive import PRIVILEGE
from tests.support.hidden.pen import SLIPS
from tests.support.hidden.records import cut, hidden_at_random, random_record, with_revoke

STEPS = 150
OF_SOMEBODY: Final = ("revoke", "wrong_seat")
"""Codes of findings that accuse somebody."""


class Verdict(NamedTuple):
    """What came of an attempt: the record, whether the answer to it was wrong, and what else was seen."""

    record: list[Event]
    wrong: bool
    notes: tuple[str, ...] = ()


class Tally(NamedTuple):
    """What came of many: how many were tried, the records answered wrongly, and how often what was noted."""

    tried: int
    wrong: list[list[Event]]
    notes: Counter[str]


Attempt = Callable[[random.Random, str], Verdict | None]


def tally(attempt: Attempt, seed: str, ruleset: str, deals: int) -> Tally:
    """Attempts on so many deals that suit it."""
    rng = random.Random(f"{seed} {ruleset}")
    verdicts: list[Verdict] = []
    while len(verdicts) < deals:
        if (verdict := attempt(rng, ruleset)) is not None:
            verdicts.append(verdict)
    notes = Counter(note for one in verdicts for note in one.notes)
    return Tally(deals, [one.record for one in verdicts if one.wrong], notes)


def case_from(events: list[Event]) -> InferenceCase:
    """The case that a record makes."""
    history = effective(log_from(events))
    return build_case(collect_claims(history.entries, fold_all(history.entries)))


def innocent(rng: random.Random, ruleset: str) -> Verdict:
    """A legal deal with random hiding: nobody may be accused, and it has to be possible."""
    events = hidden_at_random(rng, cut(rng, random_record(rng, ruleset)))
    case = case_from(events)
    impossible = has_consistent_deal(case, PHYSICAL_ONLY, WorkBudget(STEPS)) is False
    grave = any(one.severity in FAULT_SEVERITIES for one in audit(log_from(events)).findings)
    return Verdict(events, bool(find_further_revokes(case, STEPS)) or impossible or grave)


def irregular(rng: random.Random, ruleset: str) -> Verdict:
    """A deal with cards laid out of turn, second to a trick or after the end, in every third one revoke.

    Nobody else may be accused, by the proofs or the audit, and the deal has to be possible. Of cards that
    may have been laid when all was over, a finding says that it is so only if it was not.
    """
    made = played_irregularly(rng, ruleset, revoking=rng.random() < 1 / 3, numbered=rng.random() < 0.3)
    marked = [{**event, "was": place} for place, event in enumerate(made.events, 1)]
    events = hidden_at_random(rng, cut(rng, marked))
    was = [event.pop("was", 0) for event in events]
    case, judged = case_from(events), audit(log_from(events))
    found = judged.findings
    accused = {*find_further_revokes(case, STEPS), *(one.seq for one in found if one.code == "revoke")}
    accused = {seq for seq in accused if find_possible_last_trick(judged, seq) is None}
    impossible = has_consistent_deal(case, PHYSICAL_ONLY, WorkBudget(STEPS)) is False or any(
        one.severity == "impossible" for one in found
    )
    return Verdict(events, impossible or not {was[int(seq) - 1] for seq in accused} <= {made.revoke})


def planted(rng: random.Random, ruleset: str) -> Verdict | None:
    """A deal with a revoke that later cards prove, which has to be found, and no other."""
    made = with_revoke(rng, ruleset)
    if made is None or not proved_by_play(*made):
        return None
    seen = _all_covered(made[0])
    return Verdict(seen, find_further_revokes(case_from(seen), STEPS) != (made[1],))


def proved_by_play(events: list[Event], seq: int) -> bool:
    """Whether the cards played later by the same seat prove by themselves that it had to follow then."""
    policy = policy_of(fold_all(effective(log_from(events)).entries))
    event, played = events[seq - 1], [one for one in events if one["type"] == "card_played"]
    number = played.index(event)
    lead = played[number // 3 * 3]["card"]
    later = {one["card"] for one in played[number:] if one["seat"] == event["seat"]}
    privilege = PRIVILEGE[policy.privilege]
    with_spadille = {*later, "SA"} if privilege == "beats" and lead != "SA" else later
    return all(
        event["card"] not in playable(sorted(hand), lead, policy.trump, privilege)
        for hand in (later, with_spadille)
    )


def misprinted(kind: str, *, hidden: bool) -> Attempt:
    """A legal deal with one misprint by which it cannot be; ``hidden``: with cards hidden at random too.

    Wrong: the true correction was not proposed although all was looked at, or a proposal leaves something
    that cannot be.
    """

    def attempt(rng: random.Random, ruleset: str) -> Verdict | None:
        told = random_record(rng, ruleset)
        told = hidden_at_random(rng, told) if hidden else told
        try:
            printed = MISPRINTS[kind](rng, told)
        except IndexError:  # no card is told
            return None
        found = find_misprints(log_from(printed))
        if not found.contradicting_entries:
            return None
        readings = [as_read(printed, one.corrections) for one in found.proposals]
        true = [same(reading, told) for reading in readings]
        notes = ("corrected",) * any(true) + ("by the first proposal",) * (true[:1] == [True])
        missed = found.is_complete and not any(true)
        return Verdict(printed, missed or not all(map(can_be, readings)), notes)

    return attempt


def can_be(events: list[Event]) -> bool:
    """Whether a record is possible as matter, and judging finds no card where it cannot have been."""
    found = audit(log_from(events)).findings
    return not any(one.code in CARD_FINDING_CODES for one in found) and bool(
        has_consistent_deal(case_from(events), PHYSICAL_ONLY, WorkBudget(STEPS))
    )


def slipped(kind: str, *, hidden: bool) -> Attempt:
    """A deal in whose entries something slipped: nobody may be accused of it but on a condition.

    ``hidden``: nobody's cards are known before they are played.
    """

    def attempt(rng: random.Random, ruleset: str) -> Verdict | None:
        events = [{name: one[name] for name in one if name != "trick"} for one in random_record(rng, ruleset)]
        events = _as_entered(events, hidden=hidden)
        cards = [at for at, one in enumerate(events) if one["type"] == "card_played"]
        wrong = SLIPS[kind](rng, events, cards)
        if wrong is None:
            return None
        found = _reported(log_from(wrong))
        told = any(one.severity in FAULT_SEVERITIES and one.code in OF_SOMEBODY for one in found)
        return Verdict(wrong, any(map(_accuses, found)), () if told else ("nobody told of",))

    return attempt


def revokes(*, hidden: bool) -> Attempt:
    """A deal with a revoke that the audit finds: the report has to find it at the same entry."""

    def attempt(rng: random.Random, ruleset: str) -> Verdict | None:
        made = with_revoke(rng, ruleset)
        if made is None:
            return None
        events = _as_entered(made[0], hidden=hidden)
        log, seq = log_from(events), events.index(made[0][made[1] - 1]) + 1
        if not any((one.seq, one.code) == (seq, "revoke") for one in audit(log).findings):
            return None
        found = [one for one in _reported(log) if (one.seq, one.code) == (seq, "revoke")]
        sure = [one for one in found if _accuses(one)]
        lost = not any(one.severity == "error" for one in found)
        return Verdict(events, lost, () if sure or lost else ("on a condition",))

    return attempt


def _as_entered(events: list[Event], *, hidden: bool) -> list[Event]:
    """The record as somebody enters it who does not know the talon, and where hidden no hand either."""
    told = [one for one in events if one["type"] != "talon_laid"]
    if not hidden:
        return told
    return _all_covered([one for one in told if one["type"] not in ("hand_dealt", "hand_held")])


def _all_covered(events: list[Event]) -> list[Event]:
    """The record with no card told but those played."""
    return [{**one, "cards": ["??"] * len(one["cards"])} if "cards" in one else one for one in events]


def _reported(log: Log) -> list[Finding]:
    return [one for matter in build_audit_report(log).entry_reports for one in matter.findings]


def _accuses(one: Finding) -> bool:
    """Whether a finding accuses somebody without a condition."""
    return one.code in OF_SOMEBODY and one.severity in FAULT_SEVERITIES and not has_caveat(one.message)
