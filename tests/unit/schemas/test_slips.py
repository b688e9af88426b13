"""Sheets of slips: cells read tolerantly, faults with their place, and one form that is read back."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.cards import HEARTS, SEATS, SPADES
from engine.core.events import DealOpened, ResultRecorded
from engine.core.field_types import ALL_OUTCOMES, Plan, Players
from engine.core.log import build_log
from engine.core.table_events import TABLE_EVENTS, DealStarted, TableOpened
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.cell_parsers import parse_contract
from schemas.spreadsheet.csv_sheet_file import MAX_CELL_LINES
from schemas.spreadsheet.sheet_messages import column_letters
from schemas.spreadsheet.sheet_reader import SlipSheet, read_slip_sheet
from schemas.spreadsheet.sheet_words import SHEET_COLUMNS, SHEET_SETTINGS, build_contract_by_word
from schemas.spreadsheet.sheet_writer import format_slip_sheet
from schemas.spreadsheet.slip import Slip, SlipTable, SlipTableTerms
from schemas.spreadsheet.slip_logs import build_evening_logs, build_slips
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG, read_json_lines_logs
from tests.support.costs import Work, assert_grows_evenly
from tests.support.effort import examples
from tests.support.schemas.slips import HEAD, RULES, read_sheet, result
from tests.support.schemas.strategies import events

SOLO = ResultRecorded("won", SEATS[1], "solo", HEARTS, tuple(zip(SEATS, (2, 5, 2), strict=True)))
TOUT = ResultRecorded("won", SEATS[0], "solo", HEARTS, ((SEATS[0], 9),), "made")
PASSED = ResultRecorded("passed_out")
BY_DLU = {"ruleset": ["dlu"]}

RESULTS = {
    "Bo,solo,hearts,5-2-2,won,": SOLO,
    "bo,SOLO,Hjerter,5+2+2,Vundet,": SOLO,
    "M,Solo,♥,5 2 2,w,": SOLO,
    "mellemhånd,solo ♥️,,5/2/2,V,": SOLO,
    "Bo,solo i hjerter,,5:2:2,vandt,": SOLO,
    "Anna,solo,H,9,tout,": TOUT,
    "Anna,solo,H,9,Vole,": TOUT,
    "Anna,solo,H,9,alle ni,": TOUT,
    "Anna,solo,spar,,,": ResultRecorded(None, SEATS[0], "spade-solo", SPADES),
    "Anna,spil,S,,,": ResultRecorded(None, SEATS[0], "spade-game", SPADES),
    "Carl,,,6,,": ResultRecorded(None, SEATS[2], tricks=((SEATS[2], 6),)),
    "Carl,,,5-3-1,,": ResultRecorded(None, SEATS[2], tricks=((SEATS[0], 3), (SEATS[1], 1), (SEATS[2], 5))),
    "Bo,,,5+?+?,,": ResultRecorded(None, SEATS[1], tricks=((SEATS[1], 5),)),
    ",,,3-3-3,,": ResultRecorded(tricks=tuple((seat, 3) for seat in SEATS)),
    "pas,,,,,": PASSED,
    "Pass,pas,,,all passed,": PASSED,
}
"""Declarer, contract, trump, tricks, outcome and note of a slip."""


@pytest.mark.parametrize("lang", ["da", "en"])
def test_columns_are_named_as_the_sheet_names_them(lang: str) -> None:
    told = {**BY_DLU, "players": ["Anna", "Bo", "Carl"]}
    for sheet, missing in (
        ("spilfører;melding;udfald\nBo;solo;vundet", "giver"),
        ("declarer,contract,outcome\nBo,solo,won", "dealer"),
    ):
        assert missing in {fault.heading for fault in read_slip_sheet(sheet.encode(), told, lang=lang).faults}


def test_results_are_read_as_players_write_them() -> None:
    assert {row: result(row) for row in RESULTS} == RESULTS


CONTRACTS = {
    "simple": ["alm. spil", "Spil"],
    "spade-game": ["bedre", "Bedre spil", "spil ♠"],
    "tourne": ["tourne", "Tourné", "turné", "vendt", "Vendt spil"],
    "grand-tourne": ["tourné respect", "Tourne Respekt"],
    "simple-nolo": ["købe-nolo", "KØBENOLO"],
    "pure-nolo": ["ren nolo", "ren"],
    "nolo-ouvert": ["nolo ouvert"],
    "spade-solo": ["solo kulør", "solo spar", "solo i spar"],
}


@pytest.mark.parametrize("contract", CONTRACTS)
def test_contracts_are_known_by_the_names_that_players_use(contract: str) -> None:
    found = {cell: result(f"Anna,{cell},,,,").contract for cell in CONTRACTS[contract]}
    assert found == dict.fromkeys(CONTRACTS[contract], contract)


def test_a_game_in_spades_is_another_contract_where_the_rules_say_so() -> None:
    found = read_sheet("1,,Anna,Bo,Carl,Anna,solo,spar,5,,")
    assert [(one.row, one.column, one.loses_data) for one in found.faults] == [(3, 7, False)]
    assert "recorded as spade solo" in found.faults[0].message
    in_any_suit = read_sheet("1,,A,B,C,A,solo,S,,,", above="ruleset,ombre").tables[0].slips[0].result
    assert in_any_suit is not None and in_any_suit.contract == "solo"


def test_a_player_called_as_a_word_of_the_sheet() -> None:
    assert read_sheet("1,,Anna,Bo,Carl,pas,solo,H,5,,").omitted_rows == 1
    called_so = read_sheet("1,,Anna,Pas,Carl,Pas,solo,H,5,,").tables[0].slips[0].result
    assert called_so is not None and called_so.declarer == SEATS[1]


def test_nolo_is_enough_where_there_is_but_one() -> None:
    dlu = RULES["dlu"]
    left = {name: one for name, one in dlu.contracts.items() if name not in ("simple-nolo", "nolo-ouvert")}
    only_one = dlu._replace(contracts=left)
    assert parse_contract("nolo", only_one, build_contract_by_word(only_one)) == ("pure-nolo", None)


@pytest.mark.parametrize(
    ("row", "column", "named", "advice"),
    [
        ("0,,Anna,Bo,Carl,,,,,,", 1, '"0"', ""),
        ("1,,Anna,Bo,,Anna,solo,,,,", 5, "nothing", ""),
        ("1,,Anna,Bo,Anna,Anna,solo,,,,", 5, '"Anna"', ""),
        ("1,,Anna,Bo,Carl,Dora,solo,,,,", 6, '"Dora"', ""),
        ("1,,Anna,Bo,Karl Åge,Karl Aage,solo,H,5,,", 6, '"Karl Aage"', "(did you mean Karl Åge?)."),
        ("1,,Anna,Bo,Carl,Anna,solu,,,,", 7, '"solu"', ""),
        ("1,,A,B,C,A,Nolo,,,,", 7, '"Nolo"', "write which of them: simple nolo, pure nolo, nolo ouvert."),
        ("1,,Anna,Bo,Carl,Anna,solo,green,,,", 8, '"green"', ""),
        ("1,,Anna,Bo,Carl,Anna,solo i ruder,hjerter,,,", 8, '"hjerter"', ""),
        ("1,,Anna,Bo,Carl,Anna,solo,H,many,,", 9, '"many"', ""),
        ("1,,Anna,Bo,Carl,Bo,solo,H,05-02-2002,,", 9, '"05-02-2002"', "set the column to text"),
        ("1,,Anna,Bo,Carl,,solo,H,5,,", 9, '"5"', ""),
        ("1,,Anna,Bo,Carl,Anna,solo,H,,tabt,", 10, '"tabt"', ""),
        ("1,,Anna,Bo,Carl,Anna,solo,H,,,a,b", 12, '"b"', ""),
    ],
)
def test_a_fault_has_its_row_its_column_and_what_was_read(
    row: str, column: int, named: str, advice: str
) -> None:
    found = read_sheet("1,,Anna,Bo,Carl,,pass,,,,", row, "7,,Anna,Bo,Carl,,pass,,,,")
    fault = next(one for one in found.faults if one.loses_data)
    assert (fault.row, fault.column, fault.read) == (4, column, named)
    assert advice in fault.message
    first, bad, last = found.tables[0].slips
    assert first.result == last.result == PASSED
    assert (bad.players, found.omitted_rows) == (None, 1)


def test_players_of_nearly_the_same_name_are_asked_about_once() -> None:
    rows = ("1,,Anna,Bo,Karl Åge,,,,,,", "2,,Bo,Karl Aage,Anna,,,,,,", "3,,Karl Aage,Anna,Bo,,,,,,")
    found = read_sheet(*rows)
    assert [(one.row, one.column, one.loses_data) for one in found.faults] == [(4, 4, False)]
    assert "did you mean Karl Åge?" in found.faults[0].message
    assert found.omitted_rows == 0
    chips = "ruleset,dlu\nforehand,middlehand,backhand,contract,Karl Aage\nAnna,Bo,Karl Åge,pas,0\n"
    (fault,) = read_slip_sheet(chips.encode()).faults
    assert fault.message == "Nothing is read from this column: did you mean Karl Åge?"


def test_tout_contradicts_a_slam_that_failed() -> None:
    head = "forehand,middlehand,backhand,declarer,contract,outcome,slam\n"
    contradicted = read_slip_sheet(f"ruleset,dlu\n{head}A,B,C,A,solo,tout,failed\n".encode())
    assert [(one.column, one.read) for one in contradicted.faults] == [(7, '"failed"')]


def test_chips_that_are_not_whole_cost_only_themselves() -> None:
    sheet = "ruleset;dlu\nforehand;middlehand;backhand;declarer;contract;tricks;A;B\nA;B;C;A;solo;5;1,5;-3\n"
    found = read_slip_sheet(sheet.encode())
    (only,) = found.tables[0].slips
    assert (found.omitted_rows, only.payments) == (0, ())
    assert only.result is not None and only.result.contract == "solo"
    (fault,) = found.faults
    assert (fault.row, fault.column, fault.loses_data) == (3, 7, True)
    assert fault.message.startswith('Chips are whole numbers, and "1,5" is none; ')


MONEY = {
    "0,25 kr": ("0.25", "kr"), "kr. 0,25": ("0.25", "kr."), "£0.10": ("0.10", "£"), ".25": (".25", None),
    "2kr.": ("2", "kr."), "0,25": ("0.25", None), "1e2": ("1e2", None),
}  # fmt: skip


def test_money_may_stand_beside_what_a_chip_is_worth() -> None:
    def sheet(cell: str, **stated: list[str]) -> SlipSheet:
        data = f"ruleset;dlu\nchip value;{cell}\nforehand;middlehand;backhand\nA;B;C\n"
        return read_slip_sheet(data.encode(), stated)

    for cell, (value, currency) in MONEY.items():
        found = sheet(cell)
        terms = found.tables[0].terms.opening
        assert (terms.chip_value, terms.currency, found.faults) == (value, currency, ()), cell
        for stated, faulty in ((currency or "x", False), ("dollars", currency is not None)):
            beside = sheet(cell, currency=[stated])
            assert (beside.tables[0].terms.opening.currency, bool(beside.faults)) == (stated, faulty)
    for cell in ("kr", "0,25 kr for 4", "NaN", "1 2"):
        assert [one.heading for one in sheet(cell).faults] == ["chip value"], cell


def test_blank_rows_rows_filled_in_beforehand_and_totals_are_no_deals() -> None:
    found = read_sheet(
        "1,Carl,Anna,Bo,Carl,,pass,,,,", "", ",,,,", "2,Anna,,,,,,,,,", "I alt,,,,,,,,,,", "Pause,,,"
    )
    assert [one.number for one in found.tables[0].slips] == [1]
    (only,) = found.faults
    assert (only.row, only.loses_data, only.message[-18:]) == (7, False, "The same in row 8.")


def test_an_unclosed_quotation_mark_costs_its_own_row_only() -> None:
    found = read_sheet('1,,Anna,Bo,Carl,,pass,,,,"hm', "2,,Anna,Bo,Carl,,pass,,,,")
    assert [(one.row, one.column) for one in found.faults] == [(3, 0)]
    assert [one.players is None for one in found.tables[0].slips] == [True, False]
    swallowed = read_sheet(
        '1,,Anna,Bo,Carl,,pass,,,,"hm', "2,,Anna,Bo,Carl,,pass,,,,", '3,,Anna,Bo,Carl,,pass,,,,"'
    )
    assert [one.result for one in swallowed.tables[0].slips] == [None, PASSED, None]
    many = "\n".join(["ruleset,dlu", HEAD, '"', *["1,,Anna,Bo,Carl,,pass,,,,"] * (2 * MAX_CELL_LINES)])
    assert len(read_slip_sheet(many.encode()).tables[0].slips) == 2 * MAX_CELL_LINES + 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_any_encoding_line_end_and_separator_gives_the_same(encoding: str, separator: str) -> None:
    rows = [
        "regelsæt,dlu",
        "forhånd,mellemhånd,baghånd,melder,melding,stik,bemærkning",
        "Ærø,Bo,Åse,Åse,tourné,4,“ja”",
    ]
    meant = ResultRecorded(None, SEATS[2], "tourne", tricks=((SEATS[2], 4),))
    for end in ("\n", "\r\n", "\r"):
        found = read_slip_sheet(end.join(rows).replace(",", separator).encode(encoding))
        (only,) = found.tables[0].slips
        assert not found.faults
        assert (only.players, only.result, only.note) == (Players("Ærø", "Bo", "Åse"), meant, "“ja”")
    named = read_slip_sheet(b"sep=|\nruleset|dlu\nforehand|middlehand|backhand|contract\nA|B|C|pas")
    assert named.tables[0].slips[0].result == PASSED


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"PK\x03\x04rest", "workbook"),
        (b"a\0b", "no text"),
        (b"\x81\x8d", "Line 1 cannot be decoded"),
        ("blåbær\n".encode() + b"\xe6ble", "Line 2 cannot be decoded"),
        (b"", "nothing in this sheet"),
        (b"\n;;\n", "nothing in this sheet"),
        (b"1,2,3", "no columns"),
        (b"ruleset,dlu\n1,2,3", "no columns"),
        (b"forehand,middlehand,backhand\nA,B,C", "by which rules"),
        (b"ruleset,whist\nforehand,middlehand,backhand\nA,B,C", "a ruleset: la-bete"),
        (b" " * (16 << 20) + b"x", "A sheet has at most 16 MiB"),
    ],
)
def test_what_is_no_sheet_is_refused_in_a_sentence(data: bytes, named: str) -> None:
    found = read_slip_sheet(data)
    assert not found.tables
    assert any(named in one.message for one in found.faults)
    assert any(one.loses_data for one in found.faults)


def test_columns_stand_in_any_order_and_an_unknown_one_is_named() -> None:
    head = "Melding;Bo;Baghånd;FORHÅND;Stikk;Alder;Mellemhånd;Anna;Carl;Melder"
    found = read_slip_sheet(f"{head}\nsolo;6;Carl;Anna;x;9;Bo;-3;-3;Bo".encode(), BY_DLU)
    assert found.tables[0].slips[0].payments == (("forehand", -3), ("middlehand", 6), ("backhand", -3))
    faults = [(one.row, one.column, one.read, one.loses_data) for one in found.faults]
    assert faults == [(1, 5, '"Stikk"', True), (1, 6, '"Alder"', False), (2, 0, "nothing", False)]


def test_spil_is_the_game_or_the_deal_whichever_is_not_there() -> None:
    row = ";Anna;Bo;Carl;Bo;"
    game = read_slip_sheet(f"nr;forhånd;mellemhånd;baghånd;melder;spil\n4{row}solo".encode(), BY_DLU)
    deal = read_slip_sheet(f"spil;forhånd;mellemhånd;baghånd;melder;melding\n4{row}solo".encode(), BY_DLU)
    assert game.tables == deal.tables
    assert game.tables[0].slips[0].number == 4


def test_what_is_said_beside_the_sheet_goes_before_what_stands_in_it() -> None:
    sheet = b"title,Here\nruleset,ombre\nchip value,what\nforehand,middlehand,backhand\nA,B,C"
    beside = {
        "ruleset": ["dlu"],
        "switches": ["sitter-pays=true"],
        "title": ["There"],
        "players": ["C", "A", "B"],
        "chip value": ["0,50"],
        "currency": ["kr"],
    }
    found = read_slip_sheet(sheet, beside)
    assert not found.faults
    assert found.tables[0].terms.opening == TableOpened(
        "dlu", ("C", "A", "B"), None, (("sitter-pays", True),), None, "0.50", "kr", title="There"
    )


@pytest.mark.parametrize(
    ("above", "column"),
    [("revision,9", 2), ("switches,matadors=never", 2), ("switches,sitter-pays=true,x", 3),
     ("switches,sitter-pays=true,sitter-pays=false", 3),
     ("chip value,cheap", 2), ("planned deals,some", 2), ("closed,soon", 2), ("revision,x", 2)],
)  # fmt: skip
def test_a_setting_that_cannot_be_read_is_told_and_the_deals_are_read(above: str, column: int) -> None:
    found = read_sheet("1,,Anna,Bo,Carl,,pass,,,,", above=f"ruleset,dlu\n{above}")
    assert [(one.row, one.column, one.loses_data) for one in found.faults] == [(2, column, True)]
    assert len(found.tables[0].slips) == 1


def test_the_order_of_play_and_the_seats_follow_from_each_other() -> None:
    rows = ["ruleset,la-bete", HEAD + ",sits out", "1,D,A,C,D,,pass,,,,,B", "2,A,B,D,A,,solo,,,,,C"]
    assert read_slip_sheet("\n".join(rows).encode()).tables[0].terms.opening.players == ("A", "B", "C", "D")
    above = "ruleset,dlu\nplayers,A,B,C,D\ndealer,declarer,contract,tricks\n"
    found = read_slip_sheet(f"{above}D,A,solo,5\nA,B,solo,5\nX,A,solo,5".encode())
    sat = [one.players for one in found.tables[0].slips]
    assert sat == [Players("A", "C", "D", ("B",)), Players("B", "D", "A", ("C",)), None]


def test_too_long_an_evening_is_asked_for_its_dates() -> None:
    found = read_sheet(*["1,,Anna,Bo,Carl,,pass,,,,"] * 1999)
    assert (len(found.tables[0].slips), found.omitted_rows) == (1997, 2)
    assert any("a date of its own for each evening" in one.message for one in found.faults)
    logs = build_evening_logs(found.tables)[0]
    assert len(logs.table) <= MAX_ENTRIES_PER_LOG


@pytest.mark.parametrize("written", ["2026-11-27", "27.11.2026", "27/11 2026", "27.11.26"])
def test_the_date_is_that_of_the_table_and_of_its_deals(written: str) -> None:
    row = ",,Anna,Bo,Carl,,pass,,,,"
    sheet = f"ruleset,dlu\n{HEAD},date,table\n{row},{written},2\n{row},,\n{row},28.11.2026,\n"
    found = read_slip_sheet(sheet.encode())
    assert not found.faults
    assert [one.terms.opening.date for one in found.tables] == ["2026-11-27", "2026-11-28"]
    openings = [log[0].event for log in build_evening_logs(found.tables)[0].deals]
    assert [(one.date, one.source) for one in openings if isinstance(one, DealOpened)] == [
        ("2026-11-27", "slip table 2"), ("2026-11-27", None),
    ]  # fmt: skip
    assert "\n1,2026-11-27,2," in format_slip_sheet(through_events(found.tables[:1]))


def test_a_date_that_is_none_is_kept_as_text_with_one_remark() -> None:
    row = ",,Anna,Bo,Carl,,pass,,,,"
    found = read_slip_sheet(f"ruleset,dlu\n{HEAD},date\n{row},Thursday\n{row},\n{row},Friday\n".encode())
    (fault,) = found.faults
    assert not fault.loses_data and (fault.row, fault.heading) == (3, "date")
    assert fault.message.startswith('"Thursday" is kept as text; for the evening to count on its own day, ')
    openings = [logs.deals[0][0].event for logs in build_evening_logs(found.tables)]
    assert [(one.date, one.source) for one in openings if isinstance(one, DealOpened)] == [
        (None, "slip of Thursday"), (None, "slip of Friday"),
    ]  # fmt: skip


@given(st.integers(1, 20_000))
def test_columns_are_lettered_as_a_spreadsheet_does(number: int) -> None:
    value = 0
    for letter in column_letters(number):
        value = value * 26 + ord(letter) - ord("A") + 1
    assert value == number


PLACES = st.sampled_from(["", "2", "19-11-2026", "=1+1", "19. nov., table 3"])
ODD = st.sampled_from(
    ["Anna", "Bo", "Ærø", "Note", "Tricks", "=Carl", "+7", "-", "7", "Baron, the", 'The "K"', "a:b", "'"]
)
NOTES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
COUNT = st.none() | st.integers(0, 60)


@st.composite
def slips(draw: st.DrawFn, players: tuple[str, ...], ruleset: str) -> Slip:
    """A slip of any kind that the players of a table could have written."""
    sat = draw(st.permutations(players))
    rules = RULES[ruleset]
    some = ResultRecorded(
        outcome=draw(st.none() | st.sampled_from(ALL_OUTCOMES)),
        declarer=draw(st.none() | st.sampled_from(SEATS)),
        contract=draw(st.none() | st.sampled_from(sorted(rules.contracts))),
        trump=draw(st.none() | st.integers(0, 3)),  # type: ignore[arg-type]
        tricks=draw(
            st.just(()) | st.tuples(*[st.integers(0, 9)] * 3).map(lambda t: tuple(zip(SEATS, t, strict=True)))
        ),
        slam=draw(st.sampled_from([None, "made", "failed"])),
        primeras=draw(st.sampled_from([None, True, False])),
        estuches=draw(st.none() | st.integers(0, 5)),
    )
    seats = ("forehand", "middlehand", "backhand", *sat[3:])
    paid = draw(st.lists(st.sampled_from(seats), unique=True)) if draw(st.booleans()) else []
    return Slip(
        number=draw(st.integers(1, 50)),
        players=Players(sat[0], sat[1], sat[2], tuple(sat[3:])),
        board=draw(st.none() | st.integers(1, 9)),
        dealer=draw(st.none() | st.sampled_from(players)),
        result=draw(st.none() | st.just(some)),
        pool=draw(COUNT),
        reserved=tuple(draw(st.lists(st.integers(0, 30), max_size=3))),
        payments=tuple((seat, draw(st.integers(-20, 20))) for seat in seats if seat in paid),
        penalties=tuple(draw(st.lists(st.tuples(st.sampled_from(players), st.integers(-2, 3)), max_size=2))),
        new_seating=draw(st.just(()) | st.permutations(players).map(tuple)),
        note=draw(NOTES),
    )


@st.composite
def evenings(draw: st.DrawFn) -> SlipTable:
    ruleset = draw(st.sampled_from(sorted(RULES)))
    players = tuple(draw(st.lists(ODD, min_size=3, max_size=5, unique=True)))
    plan = Plan(draw(st.none() | st.integers(1, 40)), draw(st.sampled_from([None, "23:00"])))
    opening = TableOpened(
        ruleset,
        revision=draw(st.sampled_from([None, 1])),
        switches=draw(st.sampled_from([(), (("sitter-pays", True),)])) if ruleset == "dlu" else (),
        title=draw(st.sampled_from([None, "Club", "=Club", "ruleset"])),
        players=players,
        plan=None if plan == Plan() else plan,
        chip_value=draw(st.sampled_from([None, "0.25", "1", "-2.5"])),
        currency=draw(st.sampled_from([None, "kr", "£"])),
        date=draw(st.sampled_from([None, "2026-11-19", "1766"])),
    )
    terms = SlipTableTerms(opening, draw(st.none() | st.sampled_from(players)), draw(st.booleans()))
    date, table = draw(PLACES), draw(PLACES)
    first, *others = draw(st.lists(slips(players, ruleset), min_size=1, max_size=4))
    placed = [first._replace(date=date, table=table)]
    placed += [one._replace(date=draw(st.sampled_from([date, ""]))) for one in others]
    return SlipTable(terms, tuple(placed))


def through_events(tables: tuple[SlipTable, ...]) -> list[SlipTable]:
    """Slips as events and back: what a table's own slips lose on the way is nothing."""
    found = []
    for logs in build_evening_logs(tables):
        told = build_slips(logs.table, {str(log[0].metadata.id): log for log in logs.deals})
        assert told is not None
        found.append(told.table)
    return found


@settings(max_examples=examples(150))
@given(st.lists(evenings(), min_size=1, max_size=2), st.sampled_from(["en", "da"]))
def test_whatever_slips_say_is_written_read_and_written_the_same(tables: list[SlipTable], lang: str) -> None:
    text = format_slip_sheet(through_events(tuple(tables)), lang)
    found = read_slip_sheet(text.encode())
    assert not [one for one in found.faults if one.loses_data], text
    assert format_slip_sheet(through_events(found.tables), lang) == text
    assert read_slip_sheet(text.encode("utf-8-sig").replace(b"\n", b"\r\n")).tables == found.tables


@settings(max_examples=examples(150))
@given(st.binary(max_size=60))
def test_any_bytes_are_read_without_a_traceback(data: bytes) -> None:
    for whole in (data, b"ruleset,dlu\n" + HEAD.encode() + b"\n" + data):
        assert all(one.message for one in read_slip_sheet(whole).faults)


WORD_TABLES = (
    sheet_words.OUTCOME_WORDS_BY_ID, sheet_words.SUIT_WORDS_BY_LETTER, sheet_words.SLAM_WORDS_BY_ID,
    sheet_words.FLAG_WORDS_BY_VALUE, sheet_words.SEAT_WORDS_BY_NAME,
)  # fmt: skip
WORDS = [word for table in WORD_TABLES for words in table.values() for word in words]
HEADS = [one for term in (*SHEET_COLUMNS.values(), *SHEET_SETTINGS.values()) for one in term.spellings]
CELLS = st.sampled_from(
    [*WORDS, *HEADS, "Anna", "Bo", "Carl", "5-2-2", "solo", "", "-3", "1", '"', "'", "player: Bo"]
) | st.text(max_size=5)


@settings(max_examples=examples(200))
@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=12), max_size=12),
    st.integers(0, 3),
    st.sampled_from(",;\t"),
)
def test_any_cells_are_read_and_what_is_read_can_be_written(
    rows: list[list[str]], seed: int, mark: str
) -> None:
    head = HEAD.split(",")
    random.Random(seed).shuffle(head)
    data = "\n".join(mark.join(row) for row in [["ruleset", "dlu"], head, *rows]).encode("utf-8", "replace")
    found = read_slip_sheet(data)
    assert all(one.message and len(one.message) < 1000 for one in found.faults)
    for logs in build_evening_logs(found.tables):
        read_again = list(read_json_lines_logs(logs.json_lines(), "slips"))
        assert [one.log for one in read_again if not one.problems] == [logs.table, *logs.deals]


def test_more_players_than_any_table_has_are_still_a_log_that_can_be_read() -> None:
    rows = [f"{number},,A{number},B{number},C{number},,pass,,,," for number in range(200)]
    heads = ",".join(f"player: P{number}" for number in range(150))
    sheet = "\n".join(["ruleset,dlu", f"{HEAD},{heads}", *rows[1:], f"200,,A,B,C,,pass,,,,,{'1,' * 150}"])
    found = read_slip_sheet(sheet.encode())
    assert (found.omitted_rows, len(found.tables[0].slips[-1].payments)) == (0, 100)
    logs = build_evening_logs(found.tables)[0]
    assert not any(one.problems for one in read_json_lines_logs(logs.json_lines(), "slips"))


@pytest.mark.property
@pytest.mark.parametrize("unit", ['"\n', ";", '"""\n', '"a""\n', ",a\n", "spil;", "x", "\n", "1,a,b\n"])
@pytest.mark.parametrize(
    "heading", ["", "ruleset,dlu\nforehand,middlehand,backhand\n"], ids=["bare", "headed"]
)
def test_a_heavy_sheet_costs_as_it_is_long(heading: str, unit: str) -> None:
    def work(size: int) -> Work:
        data = (heading + unit * (size // len(unit))).encode()
        return lambda: read_slip_sheet(data)

    assert_grows_evenly(work, 1 << 15)


def test_a_table_that_has_not_dealt_yet_is_a_table() -> None:
    opening = TableOpened("ombre", ("A", "B", "C"), title="Empty")
    empty = SlipTable(SlipTableTerms(opening, first_dealer="B", is_closed=True), ())
    assert read_slip_sheet(format_slip_sheet([empty]).encode()).tables == (empty,)


def test_dates_that_would_part_a_table_are_named_and_left_out() -> None:
    terms, sat = SlipTableTerms(TableOpened("dlu", ("A", "B", "C"))), Players("A", "B", "C")
    logs = build_evening_logs([SlipTable(terms, (Slip(1, sat, date="1/1"), Slip(2, sat, date="2/1")))])[0]
    told = build_slips(logs.table, {str(log[0].metadata.id): log for log in logs.deals})
    assert told is not None
    assert told.omissions == ("a date that is not the same in every deal",)
    assert [one.date for one in told.table.slips] == ["", ""]


TABLES = st.builds(
    TableOpened,
    ruleset=st.sampled_from(["dlu", "ombre", "whist"]),
    players=st.lists(ODD, min_size=1, max_size=7).map(tuple),
    title=st.none() | NOTES.filter(bool),
)
AT_TABLE = events().filter(lambda event: type(event) in TABLE_EVENTS)
IN_DEAL = events().filter(lambda event: type(event) not in TABLE_EVENTS)
DEALS = st.builds(
    DealOpened, ruleset=st.sampled_from(["dlu", "ombre", "whist"]), players=st.builds(Players, ODD, ODD, ODD)
)


@settings(max_examples=examples(100), suppress_health_check=list(HealthCheck))
@given(TABLES, st.lists(AT_TABLE, max_size=4), st.lists(st.lists(IN_DEAL, max_size=5), max_size=3), st.data())
def test_any_log_of_a_table_can_be_written_as_a_sheet(opened: Any, more: Any, deals: Any, data: Any) -> None:
    started = [DealStarted(f"deal-{number}", number) for number in range(1, len(deals) + 1)]
    logs = {one.deal: build_log([data.draw(DEALS), *deal]) for one, deal in zip(started, deals, strict=True)}
    told = build_slips(build_log([opened, *started, *more]), logs)
    assert told is not None
    text = format_slip_sheet([told.table])
    before = ""
    # Names of nothing but blanks are gone after the first time; then it stays as it is.
    for _ in range(2):
        read_again = read_slip_sheet(text.encode("utf-8", "replace"))
        if any(one.loses_data for one in read_again.faults):
            return
        before, text = text, format_slip_sheet(through_events(read_again.tables))
    assert text == before
