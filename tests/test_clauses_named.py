"""Which clauses a report names: those on what was found, or on the contract; else all of the section."""

from engine.play.findings import CODES
from engine.rulesets import PUBLISHED
from service.presentation.reports.clauses import Clauses
from tests.support.schemas.slips import RULES

DLU = RULES["dlu"]


def numbers(clauses: Clauses, rule: str, *of: str | None) -> str:
    return clauses.section(rule, *of).numbers


def test_the_clauses_on_a_finding_are_named_and_no_others() -> None:
    clauses = Clauses(DLU, "en")
    assert numbers(clauses, "5. Play", None, "wrong_seat") == "5.1"
    assert numbers(clauses, "5. Play", None, "matador_withheld") == "5.2–5.3"
    assert numbers(clauses, "4. Exchange", None, "exchange_count") == "4.4–4.6, 4.9"
    assert numbers(clauses, "3. Auction", "black aces", "bid_not_allowed") == "3.6–3.7"
    assert [section.numbers for section in clauses.named()] == ["3.6–3.7", "4.4–4.6, 4.9", "5.1–5.3"]


def test_a_payment_is_by_the_clauses_on_the_contract() -> None:
    assert numbers(Clauses(DLU, "en", "solo"), "7. Payments") == "7.3"
    assert (
        numbers(Clauses(DLU, "en", "simple-nolo"), "7. Payments", None, "settlement_mismatch") == "7.2, 7.5"
    )


def test_every_mark_is_a_finding_a_contract_or_what_a_finding_is_about() -> None:
    about = {"black aces", "passed", "self", "talon_seen", "suit_named"}
    for rules in PUBLISHED:
        known = {*CODES, *about, *rules.contracts, *rules.bids}
        assert {mark for clause in rules.ruleset.clauses for mark in clause.on} <= known, rules.ruleset.id
