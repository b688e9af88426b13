"""The tag Date: dates of reduced precision, as people write them."""

import io
from dataclasses import replace

import pytest

from engine.core.events import CorrectionMade, DealOpened
from engine.core.table_events import TableOpened
from schemas.notation import format_notation_log, read_notation_logs
from schemas.notation.written_dates import parse_written_date
from schemas.wire.jsonlines import ParsedLog


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("1766", "1766"), ("1766-05", "1766-05"), ("2026-5-3", "2026-05-03"),
        ("27.11.2026", "2026-11-27"), ("27. 11. 2026", "2026-11-27"), ("27/11 2026", "2026-11-27"),
        ("27.11.26", "2026-11-27"), ("3 May 1766", "1766-05-03"), ("May 3, 1766", "1766-05-03"),
        ("den 3. maj 1766", "1766-05-03"), ("3rd of May", None), ("Sept. 1766", "1766-09"),
        ("2. okt. 1999", "1999-10-02"), ("Thursday", None), ("5.11", None), ("3.5.66", None),
        ("30.2.2026", None), ("11/27/2026", None), ("3 Foo 1766", None), ("2026-00-01", None),
    ],
)  # fmt: skip
def test_a_date_as_people_write_it(written: str, date: str | None) -> None:
    assert parse_written_date(written) == date


@pytest.mark.parametrize(
    "written", ["Date: 3.5.1766", "Dato: 3. maj 1766", "date: May 3, 1766", "Dag: 1766-05-03"]
)
@pytest.mark.parametrize(
    ("opener", "players"),
    [("Deal", "forehand: Anna; middlehand: Bo; backhand: Carl"), ("Evening", "players: Anna, Bo, Carl")],
)
def test_a_deal_and_an_evening_have_a_date(opener: str, players: str, written: str) -> None:
    text = f"""{opener}: x\nRules: dlu\nPlayers: Anna, Bo, Carl\n{written}\n
Correction of @1 "again" (Opened {opener.lower()} [rules: dlu; {players}; date: May 1766])
""".replace("Opened deal", "Opened")
    (log,) = read_notation_logs(io.BytesIO(text.encode()), "x.deal")
    assert isinstance(log, ParsedLog), log.problems
    opening, correction = (entry.event for entry in log.log)
    assert isinstance(opening, DealOpened | TableOpened) and opening.date == "1766-05-03"
    assert isinstance(correction, CorrectionMade)
    assert correction.with_ == (replace(opening, date="1766-05", title=None),)
    assert "\nDate:       1766-05-03\n" in format_notation_log(log.log)
