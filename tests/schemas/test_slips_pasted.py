"""What is pasted from a spreadsheet: with a head or without, whatever stands between the cells."""

import pytest

from schemas.spreadsheet.pasted import Pasted, meanings_of, read_pasted
from schemas.spreadsheet.typed import frame_of
from tests.support.schemas.slips import RULES

CALLED = {"a": ["Anna"], "m-1": ["Bo", "Bo Berg"], "c": ["Carl"]}


FRAME = frame_of(RULES["dlu"], CALLED, "da")


def read(text: str) -> Pasted:
    return read_pasted(text, FRAME)


@pytest.mark.parametrize("between", ["\t", ";", ","])
def test_a_danish_sheet_with_its_head(between: str) -> None:
    lines = [
        "Nr;Giver;Forhånd;Melder;Melding;Trumf;Stik;Resultat;Anna;Bo Berg;Carl;Bemærkning",
        "1;Carl;Anna;Bo;solo;hjerter;5-2-2;vundet;-3;6;-3;",
        "2;Anna;Bo;Carl;tourné;♠;4-4-1;bet;2;2;-4;sent",
        "I alt;;;;;;;;-1;8;-7;",
    ]
    told = read("\n".join(lines).replace(";", between))
    assert told.columns == (
        "number", "dealer", None, "declarer", "contract", "trump", "outcome", "outcome",
        "player:a", "player:m-1", "player:c", "note",
    )  # fmt: skip
    assert told.rows[1][3:8] == ("Carl", "tourné", "♠", "4-4-1", "bet")
    assert told.passed_over == ("I alt -1 8 -7",)


def test_without_a_head_the_cells_tell() -> None:
    told = read("1\tso\thj\tBo\t5\t-3\t6\t-3\n2\tbedre\t\tAnna\tbet\t-7\t8\t-1\tsent\n")
    assert told.head == ()
    assert told.columns == (
        "number", "contract", "trump", "declarer", "outcome", "player:a", "player:m-1", "player:c", "note",
    )  # fmt: skip
    assert told.rows[0] == ("1", "so", "hj", "Bo", "5", "-3", "6", "-3", "")
    two = read("Anna;Bo;solo;v\nBo;Carl;spil;b")
    assert two.columns == ("dealer", "declarer", "contract", "outcome")


def test_decimal_commas_do_not_part_cells() -> None:
    told = read("solo\tBo\t5\t0,25\t-0,50\t0,25\n")
    assert told.columns[3:] == ("player:a", "player:m-1", "player:c")
    assert told.rows[0][3:] == ("0,25", "-0,50", "0,25")


def test_what_nobody_understands_stays_as_it_stands() -> None:
    told = read("pause til klokken ni\nsolo;Bo;5")
    assert told.rows[0] == ("pause til klokken ni", "", "")
    assert read("") == Pasted((), (), (), ())
    assert read("\n\n") == Pasted((), (), (), ())


def test_every_meaning_is_one_that_is_offered() -> None:
    offered = list(meanings_of(FRAME))
    assert offered[-3:] == ["player:a", "player:m-1", "player:c"]
    assert "outcome" in offered
