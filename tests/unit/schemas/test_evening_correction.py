"""What a corrected sheet changes in the record of its evening."""

import re
from collections.abc import Mapping

import pytest

from engine.core.events import CorrectionMade
from engine.core.log import build_log
from engine.core.table_events import PlayerJoined, SeatsSet
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS
from schemas.spreadsheet.evening_correction import correct_evening
from schemas.spreadsheet.sheet_reader import read_slip_sheet
from schemas.spreadsheet.sheet_writer import format_slip_sheet
from schemas.spreadsheet.slip import SlipTable
from schemas.spreadsheet.slip_logs import EveningLogs, build_evening_logs, build_slips

SHEET = """\
title,Torsdag
ruleset,dlu
players,Anna,Bo,Carl,Dora
chip value,0.25
no,dealer,forehand,middlehand,backhand,sits out,declarer,contract,trump,outcome,tricks,penalty,note,Anna,Bo
1,Dora,Anna,Bo,Carl,Dora,Bo,solo,hearts,won,5+2+2,,,-3,6
2,Anna,Bo,Carl,Dora,Anna,Carl,tourne,spades,bete,4+4+1,Bo 1,,,
3,Bo,Carl,Dora,Anna,Bo,,,,all passed,,,,,
4,Carl,Dora,Anna,Bo,Carl,Anna,simple-nolo,,codille,2,,Carl laughed,,
"""
FIRST = "1,Dora,Anna,Bo,Carl,Dora,Bo,solo,hearts,won,5+2+2,,,-3,6\n"
PASSED = "3,Bo,Carl,Dora,Anna,Bo,,,,all passed,,,,,\n"
LATE = "5,Dora,Anna,Bo,Carl,Dora,Bo,solo,hearts,won,6+2+1,Carl 2,Late,,\n"


def table_of(text: str) -> SlipTable:
    sheet = read_slip_sheet(text.encode())
    assert [fault for fault in sheet.faults if fault.loses_data] == []
    (table,) = sheet.tables
    return table


def logs_of(text: str) -> EveningLogs:
    (evening,) = build_evening_logs([table_of(text)])
    return evening


def text_of(evening: EveningLogs) -> str:
    found = build_slips(evening.table, {str(log[0].metadata.id): log for log in evening.deals})
    assert found is not None
    return re.sub("revision,.*\n", "", format_slip_sheet([found.table]))


def correct(recorded: EveningLogs, text: str, lang: str = "en") -> tuple[tuple[str, ...], EveningLogs]:
    """The changes, and the evening with them."""
    changes, logs = correct_evening(recorded, table_of(text), PUBLISHED_RULESETS, lang)
    deals = {log[0].metadata.id: log for log in (*recorded.deals, *logs.deals)}
    return changes, EveningLogs(logs.table, tuple(deals.values()))


@pytest.mark.parametrize(
    ("edits", "changes"),
    [
        ({"5+2+2": "6+2+1"}, ["deal 1: tricks 5+2+2 → 6+2+1"]),
        ({",-3,6": ",-4,8"}, ["deal 1: Anna -3 → -4, Bo +6 → +8"]),
        ({"Bo 1": "Bo 2"}, ["deal 2: penalty Bo 1 → Bo 2"]),
        (
            {PASSED: PASSED.replace("passed,,", "passed,,Carl 1").replace("1,,,", "1,,")},
            ["deal 3: penalty nothing → Carl 1"],
        ),
        ({"Carl laughed": "Anna laughed"}, ["deal 4: note Carl laughed → Anna laughed"]),
        ({"1,Dora,Anna,Bo": "1,Dora,Bo,Anna"}, ["deal 1: forehand Anna → Bo, middlehand Bo → Anna"]),
        ({"1,Dora,": "1,Carl,"}, ["deal 1: dealer Dora → Carl"]),
        ({"value,0.25": "value,0.5"}, ["chip value 0.25 → 0.5"]),
        ({"ruleset,dlu": "ruleset,dlu-tournament"}, ["ruleset dlu → dlu-tournament", "revision nothing → 1"]),
        ({"Dora": "Nora"}, None),
        ({PASSED: ""}, ["deal 3: not in the sheet any more"]),
        ({"2,,Carl laughed,,\n": f"2,,Carl laughed,,\n{LATE}"}, ["deal 5: new"]),
        ({"value,0.25\n": "value,0.25\nclosed,yes\n"}, ["closed nothing → yes"]),
        (
            {PASSED: "", "5+2+2": "6+2+1", "2,,Carl laughed,,\n": f"2,,Carl laughed,,\n{LATE}"},
            ["deal 1: tricks 5+2+2 → 6+2+1", "deal 3: not in the sheet any more", "deal 5: new"],
        ),
    ],
)
def test_a_corrected_evening_is_as_the_sheet_and_the_entries_before_stay(
    edits: Mapping[str, str], changes: list[str] | None
) -> None:
    recorded, text = logs_of(SHEET), SHEET
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    found, corrected = correct(recorded, text)
    assert changes is None or list(found) == changes
    assert text_of(corrected) == text_of(logs_of(text))
    for before, after in zip(
        (recorded.table, *recorded.deals), (corrected.table, *corrected.deals), strict=False
    ):
        assert after[: len(before)] == before
    assert correct(corrected, text) == ((), corrected)


def test_the_same_sheet_and_empty_cells_change_nothing() -> None:
    recorded = logs_of(SHEET)
    assert correct(recorded, SHEET) == ((), recorded)
    bare = (
        SHEET.replace(",-3,6\n", ",,\n")
        .replace("Carl laughed", "")
        .replace("Bo 1", "")
        .replace("1,Dora", "1,")
    )
    assert correct(recorded, bare) == ((), recorded)


def test_a_note_of_somebody_else_stays() -> None:
    recorded = logs_of(SHEET)
    first = recorded.deals[0]
    noted = build_log(
        [entry.event for entry in logs_of(SHEET.replace("2+2,,,", "2+2,,Well played,")).deals[0]]
    )
    with_note = (first[0], *noted[1:])
    found, _ = correct(recorded._replace(deals=(with_note, *recorded.deals[1:])), SHEET)
    assert found == ()


SEATED = """\
title,Torsdag
ruleset,dlu
players,Anna,Bo,Carl
number,dealer,forehand,middlehand,backhand,sits out,at the table,declarer,contract,trump,tricks
1,Carl,Anna,Bo,Carl,,,Bo,solo,hearts,5+2+2
2,Anna,Bo,Carl,Dora,Anna,"Anna, Bo, Carl, Dora",Carl,tourne,spades,4+4+1
"""


def test_who_came_on_the_page_and_is_seated_by_the_sheet_is_no_change() -> None:
    recorded = logs_of(SEATED)
    on_page = recorded._replace(
        table=tuple(
            entry._replace(event=PlayerJoined("Dora"))
            if isinstance(entry.event, SeatsSet) and "Dora" in entry.event.players
            else entry
            for entry in recorded.table
        )
    )
    assert on_page != recorded
    assert correct(on_page, SEATED) == ((), on_page)
    found, corrected = correct(on_page, SEATED.replace("Bo, Carl, Dora", "Dora, Bo, Carl"))
    assert found == ("deal 2: at the table Anna, Bo, Carl, Dora → Anna, Dora, Bo, Carl",)
    assert PlayerJoined not in {type(entry.event) for entry in effective(corrected.table).entries}


def test_a_deal_of_a_closed_table_goes_before_its_end() -> None:
    recorded = logs_of(SHEET.replace("chip value", "closed,yes\nchip value"))
    found, corrected = correct(recorded, SHEET + LATE, "da")
    assert found == ("spil 5: nyt",)
    assert isinstance(corrected.table[-1].event, CorrectionMade)
    assert type(effective(corrected.table).entries[-1].event).__name__ == "TableClosed"
