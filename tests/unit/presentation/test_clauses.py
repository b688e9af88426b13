"""The clause that a finding cites is on what was broken, in every ruleset."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

import replays
from engine import Audit, audit
from engine.core.events import DealOpened
from engine.play.findings import FINDING_CODES, Finding
from engine.rulesets import DLU, PUBLISHED_RULESETS, CompiledRuleset, compile_ruleset
from service.presentation.reports.clauses import ClauseCitations
from tests.support.engine.shorthand import (
    Event,
    Json,
    a_deal,
    audited,
    bids,
    dealt,
    given_up,
    laid,
    names,
    plays,
    settled,
    slip,
    stands,
    swap,
    trumps,
    turned,
)

ABOUT = {"black aces", "exchange order", "forced-spadille", "passed", "self", "suit_named", "talon_seen",
         "turned card"}  # fmt: skip
BIDDING_ORDER = r"<|outbid|outrank|higher|equal|worth|instead|as if saying self"
EXCHANGE = r"exchange|discard|buy|many as|as many|least|most|none|talon|defenders"
NAMING = r"after |won with|names?\b|contract|bid\b|bid,|named"
TURNED = r"turned|top card"
TOPICS = {
    ("1. Pack", "card_duplicated"): "forty cards",
    ("1. Pack", "card_not_held"): "forty cards",
    ("1. Pack", "hand_mismatch"): "forty cards",
    ("2. Deal", "hand_size"): "nine",
    ("2. Deal", "hand_mismatch"): "nine",
    ("2. Deal", "talon_mismatch"): "thirteen",
    ("2. Deal", "wrong_phase"): "nine",
    ("2. Deal", "seating_mismatch"): r"deal|sits? out|three play|opposite|backhand",
    ("3. Auction", "wrong_seat"): "duels|rounds",
    ("3. Auction", "wrong_phase"): "duels|rounds",
    ("3. Auction", "passed"): "passed",
    ("3. Auction", "self"): "self|elder|say the same|forehand",
    ("3. Auction", "bid_not_allowed"): BIDDING_ORDER,
    ("3. Auction", "bid_too_low"): BIDDING_ORDER,
    ("3. Auction", "black aces"): "black aces|dealt",
    ("3. Naming", "contract_not_allowed"): NAMING,
    ("3. Naming", "incomplete"): NAMING,
    ("3. Naming", "wrong_phase"): NAMING,
    ("3. Naming", "black aces"): "black aces",
    ("3. Naming", "turned card"): TURNED,
    ("3. Naming", "talon_mismatch"): TURNED,
    ("4. Exchange", "exchange_not_allowed"): EXCHANGE,
    ("4. Exchange", "exchange_count"): EXCHANGE,
    ("4. Exchange", "exchange order"): "first|then|order|next",
    ("4. Exchange", "wrong_seat"): "first|then|order|next",
    ("4. Exchange", "wrong_phase"): "first|then|order|next",
    ("4. Exchange", "exchange_mismatch"): "as many cards from the top",
    ("4. Exchange", "talon_mismatch"): "from the top|turned card",
    ("4. Exchange", "talon_seen"): "rest|leftover|switch",
    ("5. Play", "revoke"): "suit is followed|matador|happens later|spadille",
    ("5. Play", "matador_withheld"): "matador|happens later|spadille",
    ("5. Play", "wrong_seat"): "forehand leads",
    ("5. Play", "wrong_phase"): "forehand leads",
    ("6. Outcome", "result_mismatch"): "",
    ("6. Outcome", "play_after_end"): "",
    ("6. All nine tricks", "slam_not_allowed"): "",
    ("6. Giving up", "abandon_not_allowed"): "",
    ("6. Giving up", "wrong_phase"): "",
    ("7. Payments", "settlement_mismatch"): "",
    ("7. Payments", "reserve_not_allowed"): "",
    ("8. Payments", "settlement_mismatch"): "",
    ("8. Pool", "pool_mismatch"): "stakes",
    ("8. Surrender", "abandon_not_allowed"): "offered|surrender|before",
    ("8. Surrender", "wrong_phase"): "",
    ("8. Surrender", "wrong_seat"): "",
    ("8. Reserved puestas", "reserve_not_allowed"): "",
    ("8. Extras", "gascarille"): "gascarille",
    ("8. Extras", "countervole"): "countervole",
    ("8. Extras", "forced-spadille"): "spadille",
    ("8. Extras", "passed"): "all have passed",
    ("8. Extras", "wrong_seat"): "elder",
    ("9. Penalties", "suit_named"): "director|naming a suit",
    ("9. Penalties", "spade-game"): "director|spade game",
    ("9. Penalties", "tourne"): "director|tourné",
    ("9. Penalties", "simple-nolo"): "director|simple nolo",
    ("9. Penalties", "grand-tourne"): "director|grand tourné",
    ("9. Penalties", "spade-solo"): "director|spade solo",
}  # fmt: skip
"""What every clause is on that is cited for a subject; "" where the whole section is on it."""
NO_CLAUSE = {"9. Record", "9. Ruling"}
"""What contradicts the record or a decision, not the rules."""
every_ruleset = pytest.mark.parametrize("rules", PUBLISHED_RULESETS, ids=lambda rules: rules.ruleset.id)


@every_ruleset
def test_the_clauses_cited_for_a_subject_are_on_it(rules: CompiledRuleset) -> None:
    sections = {clause.point for clause in rules.ruleset.clauses}
    needed = {"1. Pack", "2. Deal", "3. Auction", "3. Naming", "4. Exchange", "5. Play", "6. Outcome",
              "6. All nine tricks"}  # fmt: skip
    assert needed <= sections
    for (section, subject), topic in TOPICS.items():
        if section not in sections or (subject == "black aces" and section not in ace_sections(rules)):
            continue
        cited = ClauseCitations(rules, "en").cite_section(section, subject).clauses
        strays = [one.text for one in cited if not re.search(topic, one.text.lower())]
        assert cited and not strays, (section, subject)


@every_ruleset
def test_a_finding_cites_a_section_that_the_ruleset_has(rules: CompiledRuleset) -> None:
    sections = {clause.point for clause in rules.ruleset.clauses} | NO_CLAUSE
    happened = set()
    for whole in audits(rules):
        for one in whole.findings:
            assert one.rule in sections, (rules.ruleset.id, one)
            assert one.rule in NO_CLAUSE or subject_of(one) in TOPICS, one
            happened.add(subject_of(one))
    expected = {key for key in TOPICS if key[0] in sections and key[0][0] in "12345"}
    expected -= {("2. Deal", "seating_mismatch"), ("3. Naming", "black aces"), ("3. Auction", "black aces")}
    assert expected <= happened


def ace_sections(rules: CompiledRuleset) -> set[str]:
    """The sections in which a holding of both black aces is needed: to bid, and to name after another bid."""
    needed = {bid.id for bid in rules.ruleset.bids if bid.needs_black_aces}
    named = {one.contract for bid, namings in rules.ruleset.naming for one in namings if one.contract != bid}
    found = {"3. Auction": needed, "3. Naming": needed & named}
    return {section for section, bids in found.items() if bids}


def subject_of(finding: Finding) -> tuple[str, str]:
    bid_ids = {bid.id for rules in PUBLISHED_RULESETS for bid in rules.ruleset.bids}
    about = finding.about if finding.about in ABOUT | bid_ids else None
    return finding.rule, about or finding.code


def audits(rules: CompiledRuleset) -> Iterator[Audit]:
    """The examples of all findings and the records below, played by these rules."""
    for one in replays.list_examples():
        if one.folder == "findings":
            log = one.read_log()
            opened = log[0].event
            assert isinstance(opened, DealOpened)
            moved = replace(opened, ruleset=rules.ruleset.id, revision=None, switches=())
            yield audit((log[0]._replace(event=moved), *log[1:]))
    yield from map(audited, records(rules))


def records(rules: CompiledRuleset) -> Iterator[list[Event]]:
    low, turn = ("simple", "tourne") if "simple" in rules.bids else ("play", "voltereta")

    def won(contract: str, *trump: str, talon: str = "") -> list[Event]:
        before = [laid(talon)] if talon else []
        calls = bids(f"F {contract}, M pass, B pass")
        return [*a_deal(ruleset=rules.ruleset.id), *before, *calls, *names("F", contract, *trump)]

    new, solo, game, by_turn = won(low)[:1], won("solo", "H"), won(low, "H"), won(turn, talon="H3")
    look: Json = {"type": "talon_seen", "cards": ["??"] * 13, "seats": ["forehand"]}
    for acts in ("M pass", "F pass, M pass, F solo", "F self", "F moon", f"F solo, M {low}"):
        yield [*new, *bids(acts)]
    yield [*solo, *bids("M solo")]
    yield [*new, *bids(f"F {low}, M pass, B pass"), *names("F", "moon")]
    yield won("solo")
    yield [*new, *bids("F solo, M pass, B pass"), trumps("F", "H")]
    yield [*solo, *turned("H2")]
    yield [*by_turn, *turned("H2")]
    yield [*solo, *swap("F", "C2")]
    yield [*game, *swap("F", "C2", "C3"), *swap("F", "C4")]
    yield [*game, *swap("F", " ".join(["??"] * 10))]
    yield [*game, *swap("F", "??", "?? ??")]
    yield [*won(low, "H", talon="H3"), *swap("F", "??", "H4")]
    yield [*game, *swap("B", "??", "??")]
    yield [*game, *stands(), look]
    yield [*game, *stands(), *plays("F-C4 M-C5 B-C6"), *swap("F", "C7")]
    yield [*game, *stands(), *plays("M-C4")]
    yield [*game, *stands(), *plays("F-C4 M-C5 B-C6"), dealt("F", "C4 " + "?? " * 8)]
    yield [*new, dealt("F", "SA ??"), {"type": "talon_laid", "cards": ["??"]}]
    yield [*new, {"type": "cards_shown", "seat": "forehand", "cards": ["SA"]},
           dealt("F", "H2 H3 H4 H5 H6 D2 D3 D4 D5")]  # fmt: skip
    yield [*game, given_up("M")]
    yield [*new, slip("F", low, "5-3-1"), settled(forehand=9, middlehand=-9)]
    yield [*new, {"type": "puesta_reserved", "seat": "forehand"}]
    yield [*solo, {"type": "surrender_offered", "seat": "middlehand"}]


def test_every_code_is_of_the_rules_or_of_the_record() -> None:
    of_the_rules = {code for _, code in TOPICS} & FINDING_CODES.keys()
    of_the_record = {"beginning_missing", "claim_not_possible", "contract_mistaken", "contradiction",
                     "correction_not_possible", "deal_doubled", "deal_unfinished", "entry_after_close",
                     "entry_doubled", "entry_missing", "misprint_likely", "number_missing", "order_mistaken",
                     "seat_mistaken", "table_mismatch", "trick_mismatch", "unknown_card", "unknown_ruleset",
                     "unknown_switch"}  # fmt: skip
    assert of_the_rules | of_the_record | {"penalty_possible"} == FINDING_CODES.keys()


@every_ruleset
def test_every_mark_is_a_finding_a_contract_or_what_a_finding_is_about(rules: CompiledRuleset) -> None:
    ruleset = rules.ruleset
    known = {*FINDING_CODES, *ABOUT, *(bid.id for bid in ruleset.bids), *rules.contracts}
    assert {mark for clause in ruleset.clauses for mark in clause.on} <= known


def numbers(clauses: ClauseCitations, rule: str, *of: str | None) -> str:
    return clauses.cite_section(rule, *of).numbers


def test_the_clauses_on_a_finding_are_named_and_no_others() -> None:
    clauses = ClauseCitations(compile_ruleset(DLU), "en")
    assert numbers(clauses, "5. Play", None, "wrong_seat") == "5.1"
    assert numbers(clauses, "5. Play", None, "matador_withheld") == "5.2–5.3"
    assert numbers(clauses, "4. Exchange", None, "exchange_count") == "4.4–4.6, 4.9"
    assert numbers(clauses, "3. Auction", "black aces", "bid_not_allowed") == "3.6–3.7"
    assert [section.numbers for section in clauses.cited_sections()] == ["3.6–3.7", "4.4–4.6, 4.9", "5.1–5.3"]


def test_a_payment_is_by_the_clauses_on_the_contract() -> None:
    assert numbers(ClauseCitations(compile_ruleset(DLU), "en", "solo"), "7. Payments") == "7.3"
    nolo = ClauseCitations(compile_ruleset(DLU), "en", "simple-nolo")
    assert numbers(nolo, "7. Payments", None, "settlement_mismatch") == "7.2, 7.5"
