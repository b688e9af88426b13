"""Slips as clubs write them: more words are read, and faults are told in two languages."""

from __future__ import annotations

from string import Formatter
from typing import Any

import pytest

from engine.core.cards import SEATS
from engine.core.events import ResultRecorded
from schemas.spreadsheet.phrases import EXPECTED, SENTENCES
from schemas.spreadsheet.reading import read_slips
from schemas.spreadsheet.terms import Given
from schemas.spreadsheet.words import contracts_of
from tests.support.schemas.slips import RULES, read, result


def test_nolo_is_enough_where_there_is_but_one() -> None:
    dlu = RULES["dlu"]
    left = {name: one for name, one in dlu.contracts.items() if name not in ("simple-nolo", "nolo-ouvert")}
    assert contracts_of(dlu._replace(contracts=left))["nolo"] == "pure-nolo"
    assert "nolo" not in contracts_of(dlu)
    several = read("1,,A,B,C,A,Nolo,,,,")
    assert [fault.message for fault in several.faults] == [
        'In place of "Nolo", write which nolo it was: simple-nolo, pure-nolo, nolo-ouvert.'
    ]


def test_all_passed_may_stand_in_place_of_the_declarer() -> None:
    for row in ("pas,,,,,", "Pass,pas,,,all passed,"):
        assert result(row) == ResultRecorded("passed_out")
    assert read("1,,Anna,Bo,Carl,pas,solo,H,5,,").left_out == 1
    called_so = read("1,,Anna,Pas,Carl,Pas,solo,H,5,,").tables[0].slips[0].result
    assert called_so is not None and called_so.declarer == SEATS[1]


def test_tout_may_stand_in_place_of_the_outcome() -> None:
    for word in ("tout", "Vole", "alle ni"):
        found = result(f"Anna,solo,H,9,{word},")
        assert (found.outcome, found.slam) == ("won", "made")
    head = "forehand,middlehand,backhand,declarer,contract,outcome,slam\n"
    contradicted = read_slips(f"ruleset,dlu\n{head}A,B,C,A,solo,tout,failed\n".encode())
    assert [(one.column, one.read) for one in contradicted.faults] == [(7, '"failed"')]


@pytest.mark.parametrize(
    ("cell", "value", "currency"),
    [("0,25 kr", "0.25", "kr"), ("kr. 0,25", "0.25", "kr."), ("£0.10", "0.10", "£"), (".25", ".25", None),
     ("2kr.", "2", "kr."), ("0,25", "0.25", None), ("1e2", "1e2", None)],
)  # fmt: skip
def test_money_may_stand_beside_what_a_chip_is_worth(cell: str, value: str, currency: str | None) -> None:
    data = f"ruleset;dlu\nchip value;{cell}\nforehand;middlehand;backhand\nA;B;C\n"
    found = read_slips(data.encode())
    assert not found.faults
    assert (found.tables[0].terms.chip_value, found.tables[0].terms.currency) == (value, currency)
    for stated, faulty in ((currency or "x", False), ("dollars", currency is not None)):
        beside = read_slips(data.encode(), Given(currency=stated))
        assert (beside.tables[0].terms.currency, bool(beside.faults)) == (stated, faulty)


def test_what_is_no_worth_of_a_chip_is_told() -> None:
    for cell in ("kr", "0,25 kr for 4", "NaN", "1 2"):
        data = f"ruleset;dlu\nchip value;{cell}\nforehand;middlehand;backhand\nA;B;C\n"
        assert [one.heading for one in read_slips(data.encode()).faults] == ["chip value"], cell


def test_chips_that_are_not_whole_cost_only_themselves() -> None:
    sheet = "ruleset;dlu\nforehand;middlehand;backhand;declarer;contract;tricks;A;B\nA;B;C;A;solo;5;1,5;-3\n"
    found = read_slips(sheet.encode())
    (only,) = found.tables[0].slips
    assert (found.left_out, only.paid) == (0, ())
    assert only.result is not None and only.result.contract == "solo"
    (fault,) = found.faults
    assert (fault.row, fault.column, fault.grave) == (3, 7, True)
    assert fault.message.startswith('Chips are whole, and "1,5" is not; ')


def test_players_of_nearly_the_same_name_are_asked_about_once() -> None:
    rows = ("1,,Anna,Bo,Karl Åge,,,,,,", "2,,Bo,Karl Aage,Anna,,,,,,", "3,,Karl Aage,Anna,Bo,,,,,,")
    found = read(*rows)
    assert [(one.row, one.column, one.grave) for one in found.faults] == [(4, 4, False)]
    assert "did you mean Karl Åge?" in found.faults[0].message
    assert found.left_out == 0
    declarer = read("1,,Anna,Bo,Karl Åge,Karl Aage,solo,H,5,,").faults
    assert [one.message.endswith("(did you mean Karl Åge?).") for one in declarer] == [True]
    chips = "ruleset,dlu\nforehand,middlehand,backhand,contract,Karl Aage\nAnna,Bo,Karl Åge,pas,0\n"
    assert [one.message for one in read_slips(chips.encode()).faults] == [
        "Nothing is read from this column: did you mean Karl Åge?"
    ]


@pytest.mark.parametrize("table", [EXPECTED, SENTENCES])
def test_every_phrase_names_the_same_things_in_both_languages(table: dict[str, Any]) -> None:
    for phrase, said in table.items():
        named = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in (said.en, said.da)]
        assert named[0] == named[1], phrase
        assert said.en != said.da, phrase
