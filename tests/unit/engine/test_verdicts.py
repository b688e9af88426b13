"""The verdict of a report: one sentence that says what was wrong and what is paid."""

import pytest

from engine.audit_report import build_audit_report
from engine.core.log import Log
from engine.tables.table_report import TableReport, compile_table_report
from engine.verdicts import deal_verdict, table_verdict
from schemas.i18n.translate import translate
from tests.support.drawing.looking import log_called
from tests.support.engine.shorthand import (
    Event,
    a_deal,
    bids,
    corrected,
    log_from,
    names,
    plays,
    ruled,
    settled,
    slip,
    stands,
)

WON = [*a_deal(), slip("F", "simple", outcome="won")]
REVOKED = [
    *a_deal(), *bids("F simple, M pass, B pass"), *names("F", "simple", "H"), *stands(),
    *plays("F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-SK M-S3 B-S4 F-CK M-C5 B-C6 F-D2 M-DK B-D3 M-H6"),
]  # fmt: skip
"""Bo follows no trump to the second trick, and leads one to the sixth."""


def called_revoke(text: str) -> Event:
    return {"type": "irregularity_noted", "seat": "middlehand", "kind": "revoke", "text": text}


def told(log: Log, lang: str = "en") -> str:
    return translate(deal_verdict(build_audit_report(log)), lang)


@pytest.mark.parametrize(("events", "verdict"), [
    (WON, "No offence: the record is sound, and Anna wins 1 chip from each."),
    ([*a_deal(), slip("F", "simple", outcome="bete")],
     "No offence: the record is sound, and Anna pays 1 chip to each."),
    ([*a_deal(), slip(outcome="passed_out")], "No offence: the record is sound, and nobody pays anything."),
    ([*WON, settled(Anna=4, Bo=-2, Carl=-2)],
     "No offence, but what was paid is wrong; Anna wins 1 chip from each."),
    ([*WON, {"type": "deal_voided", "reason": "Misdealt."}],
     "No offence: the record is sound, and the deal does not count."),
    (a_deal(), "Not decided: no offence was found, and what the deal pays is open."),
    (REVOKED, "By the record as it is Bo revoked in trick 2; what the deal pays is open."),
    ([*REVOKED, called_revoke("Trick 2.")], "Bo revoked in trick 2; what the deal pays is open."),
    ([*REVOKED, called_revoke("Trick 3.")],
     "By the record as it is Bo revoked in trick 2; the revoke called against Bo in trick 3 is excluded; "
     "what the deal pays is open."),
    ([*REVOKED, called_revoke("Trick 3."), called_revoke("Trick 4.")],
     "By the record as it is Bo revoked in trick 2; the revokes called against Bo are excluded; what the "
     "deal pays is open."),
    ([*REVOKED, ruled(text="A revoke.", outcome="won")],
     "By the record as it is Bo revoked in trick 2; by the ruling (won) Anna wins 1 chip from each."),
    ([*WON, called_revoke("Trick 2.")],
     "No offence is proved, but the revoke called against Bo is not excluded; Anna wins 1 chip from each."),
    ([*REVOKED[:-13], called_revoke("Trick 1.")],
     "No offence: the revoke called against Bo in trick 1 is excluded, and what the deal pays is open."),
    ([*REVOKED[:-13], called_revoke("")],
     "No offence: the revoke called against Bo is excluded, and what the deal pays is open."),
    ([*a_deal(), *bids("M simple")], "Bo bid out of turn at entry 2; what the deal pays is open."),
    ([*a_deal(), *bids("F solo, M simple")], "Bo bid too low at entry 3; what the deal pays is open."),
    ([*REVOKED[:-16], *plays("F-SA B-H4")],
     "Carl played out of turn in trick 1; what the deal pays is open."),
    ([*REVOKED[:4], *names("M", "simple", "H")],
     "Bo acted out of turn at entry 5; what the deal pays is open."),
    (a_deal(ruleset="nonesuch"), "The rules are not known here, so nothing can be judged."),
])  # fmt: skip
def test_a_deal(events: list[Event], verdict: str) -> None:
    assert told(log_from(events)) == verdict


def test_a_record_that_cannot_be_is_settled_by_none() -> None:
    contradiction = "The record contradicts itself at entry 10; it cannot be settled from it."
    assert told(log_called("findings-hand-mismatch")) == contradiction
    assert told(log_called("belinda-as-printed")) == (
        "No offence was found; the deal pays Belinda +23, the Baron -9, Sir Anonym -9. The record cannot be "
        "right as written: entries 11 and 13 are probably wrong, and are taken as corrected here."
    )


def test_a_verdict_in_danish() -> None:
    assert told(log_from(REVOKED), "da") == (
        "Som optegnelsen står: Bo svigtede kulør i stik 2; det står åbent, hvad der skal betales."
    )
    assert told(log_called("belinda-as-printed"), "da").endswith(
        "Optegnelsen kan ikke være rigtig, som den står: posterne 11 og 13 er sandsynligvis forkerte og er "
        "regnet som rettet her."
    )
    called_elsewhere = told(log_from([*REVOKED, called_revoke("Trick 3.")]), "da")
    assert "; det kulørsvigt, Bo beskyldes for i stik 3, er udelukket; det står åbent" in called_elsewhere
    assert told(log_from([*a_deal(), *bids("M simple")]), "da").startswith(
        "Bo meldte uden for tur ved post 2;"
    )
    assert told(log_from(WON), "da") == (
        "Ingen forseelse: optegnelsen er i orden, og Anna vinder 1 jeton fra hver."
    )


TABLE: list[Event] = [
    {"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]},
    {"type": "deal_started", "deal": "first", "number": 1},
    {"type": "player_joined", "player": "Dorthe"},
    {"type": "deal_started", "deal": "second", "number": 2},
    {"type": "player_left", "player": "Dorthe", "reason": "The last bus."},
]


def report_of(**deals: list[Event]) -> TableReport:
    report = compile_table_report(log_from(TABLE[:2]), {name: log_from(deal) for name, deal in deals.items()})
    assert report is not None
    return report


def test_a_table() -> None:
    number = {"number": 1}
    opened, *rest = WON
    right = [opened | number, *rest, settled(Anna=2, Bo=-1, Carl=-1)]
    wrong = [opened | number, *rest, settled(Anna=4, Bo=-2, Carl=-2)]
    assert table_verdict(report_of(first=right)) == "No fault in 1 deal; what was paid is what is due."
    assert table_verdict(report_of(first=wrong)) == (
        "1 fault, in deal 1: what was paid is not what is due, in all Anna +2, Bo -1, Carl -1."
    )
    nothing = compile_table_report(log_from(TABLE[:1]), {})
    assert nothing is not None
    assert table_verdict(nothing) == "No deal was started, so there is nothing to judge."


def test_who_came_later_and_what_was_corrected_is_told() -> None:
    deal = [*WON, corrected([2], slip("F", "solo", outcome="won"))]
    log = log_from([*TABLE, corrected([1], {**TABLE[0], "title": "Torsdag"})])
    report = compile_table_report(log, {"first": log_from(deal)})
    assert report is not None
    assert [(one.number, one.seq, str(one.message)) for one in report.changes] == [
        (None, 3, "Dorthe joined after deal 1."),
        (None, 5, "Dorthe left after deal 2: The last bus."),
        (None, 6, "The table's own log was corrected: a slip of the pen"),
        (1, 3, "Deal 1 was corrected: a slip of the pen"),
    ]
