"""Rows typed from paper: the first letters do, in both languages, and a wrong cell spoils no other."""

from typing import Any

import pytest

from engine.tables import Seating
from schemas.spreadsheet.pasted_rows import PastedTable, parse_pasted_text
from schemas.spreadsheet.row_reader import RowContext, build_row_context, list_extras_words
from schemas.spreadsheet.sheet_messages import SheetLanguages
from schemas.spreadsheet.typed_row import TypedRowReader, TypedSlip
from schemas.wire.event_writer import event_object
from tests.support.schemas.slips import RULES

CALLED = {"a": ["Anna", "Anna Ahl"], "b": ["Bo"], "c": ["Carl-Christian"], "d": ["Dorthe"]}
DUE = Seating("a", "b", "d", "a", ("c",))


def frame(name: str = "dlu", lang: str = "en") -> RowContext:
    return build_row_context(RULES[name], SheetLanguages(lang, lang), CALLED)


def read_row(where: RowContext | None = None, taken: tuple[int, ...] = (), /, **row: str) -> TypedSlip:
    return TypedRowReader(row, where or frame()).read_typed_slip(
        7, lambda number: DUE, tuple(CALLED), frozenset(taken)
    )


def result(where: RowContext | None = None, /, **row: str) -> dict[str, Any]:
    typed = read_row(where, **row)
    assert typed.faults == ()
    assert typed.result is not None, typed.missing_columns
    return {name: said for name, said in event_object(typed.result).items() if name != "type"}


def test_a_row_in_first_letters() -> None:
    danish, english = frame(lang="da"), frame(lang="en")
    said = {"declarer": "middlehand", "contract": "solo", "trump": "H"}
    won, codille = {**said, "outcome": "won"}, {**said, "outcome": "codille"}
    assert result(danish, contract="so", trump="h", declarer="D", outcome="v") == won
    assert result(danish, contract="so h", declarer="dor", outcome="+") == won
    assert result(english, contract="solo", trump="he", declarer="m", outcome="k") == codille
    alone = result(danish, contract="Solo i hjerter", declarer="Dorthe", outcome="+5")
    assert alone == {**said, "tricks": {"middlehand": 5}}
    counted = result(danish, contract="solo", trump="♥", declarer="D", outcome="4-3-2")
    assert counted == {**said, "tricks": {"forehand": 2, "middlehand": 4, "backhand": 3}}
    bete = {**said, "outcome": "bete", "tricks": {"forehand": 1, "middlehand": 4, "backhand": 4}}
    for text in ("bet 4-4-1", "4-4-1 bet", "4+4+1 b"):
        assert result(danish, contract="solo", trump="hj", declarer="D", outcome=text) == bete


def test_beside_a_pass_stands_nobody_and_nothing() -> None:
    for beside in ({"declarer": "Ingen"}, {"declarer": "nobody"}, {"outcome": "-"}, {"trump": "–"}):
        assert result(contract="pas", **beside) == {"outcome": "passed_out"}
    assert result(declarer="ingen", outcome="pas") == {"outcome": "passed_out"}
    (one,) = read_row(frame(lang="da"), contract="pas", declarer="Bo").faults
    assert (one.column, one.message) == (
        "declarer",
        "Når alle meldte pas, skal der ikke stå andet: slet »Bo«, eller skriv, hvad der blev spillet.",
    )
    wrong = read_row(contract="pas", declarer="Ingen", outcome="v")
    assert [one.column for one in wrong.faults] == ["outcome"]
    assert wrong.result is None


def test_who_sits_out_had_no_bid() -> None:
    typed = read_row(frame(lang="da"), contract="solo", declarer="Carl", outcome="v")
    assert typed.result is None
    (one,) = typed.faults
    assert (one.column, one.read) == ("declarer", '"Carl"')
    assert one.expected == "en af dem, der spiller: Bo, Dorthe, Anna"
    assert one.message == (
        "Carl-Christian sidder over i spil 7: skriv en af Bo, Dorthe, Anna, eller ret, hvem der sidder over."
    )
    assert read_row(contract="solo", declarer="Carl", outcome="v", sits_out="Bo").faults == ()


def test_who_deals_and_who_sits_out_can_be_changed() -> None:
    assert read_row().seating == DUE
    other = read_row(dealer="Bo").seating
    assert (other.dealer, other.sitting_out) == ("b", ("d",))
    assert other.active == ("c", "a", "b")
    out = read_row(sits_out="Dorthe").seating
    assert (out.dealer, out.active, out.sitting_out) == ("a", ("b", "c", "a"), ("d",))
    assert [one.column for one in read_row(sits_out="Bo, Dorthe").faults] == ["sits_out"]


def test_every_wrong_cell_is_told_with_what_was_expected_and_the_others_are_read() -> None:
    row = {"contract": "sollo", "trump": "grøn", "declarer": "Dorte", "outcome": "gik", "note": "sent"}
    typed = read_row(frame(lang="da"), (3,), number="3", **row)
    told = {one.column: one.message for one in typed.faults}
    assert list(told) == ["number", "declarer", "contract", "trump", "outcome"]
    assert told["declarer"] == (
        "I stedet for »Dorte«: skriv en af Bo, Dorthe, Anna, eller forhånd, mellemhånd, baghånd "
        "(mente du Dorthe?)."
    )
    assert told["number"] == "I stedet for »3«: skriv et nummer, som intet andet spil har."
    assert "klør, ruder, hjerter, spar" in told["trump"]
    assert typed.result is None
    assert typed.note == "sent"


def test_a_suit_that_does_not_belong_to_the_contract_is_a_fault_of_its_cell() -> None:
    (one,) = read_row(contract="pn", trump="h", declarer="B", outcome="0").faults
    assert (one.column, one.message) == ("trump", "Pure nolo has no trumps: leave the suit out.")
    (one,) = read_row(frame(lang="da"), contract="ren nolo hjerter", declarer="B", outcome="0").faults
    assert (one.column, one.message) == ("contract", "Ren nolo har ingen trumf: lad farven stå tom.")
    (one,) = read_row(contract="bedre", trump="h", declarer="B", outcome="5").faults
    assert (one.column, one.expected) == ("trump", "one of the suits of spade game: spades")


def test_letters_that_begin_several_are_asked_about() -> None:
    (one,) = read_row(contract="s", declarer="B", outcome="0").faults
    assert one.column == "contract"
    assert "which of them: simple game, " in one.message
    twins = build_row_context(
        RULES["dlu"], SheetLanguages(), {"x": ["Birgit"], "y": ["Birte"], "z": ["Carl"]}
    )
    row = {"contract": "solo", "declarer": "Bir", "outcome": "5"}
    due = Seating("z", "x", "y", "z", ())
    typed = TypedRowReader(row, twins).read_typed_slip(1, lambda number: due, ("x", "y", "z"), frozenset())
    (one,) = typed.faults
    assert "which of them: Birgit, Birte" in one.message


def test_what_is_paid_beside_the_game() -> None:
    assert list_extras_words(RULES["dlu"], "da") == []
    tournament, ombre = frame("dlu-tournament", "da"), frame("ombre", "da")
    assert result(tournament, contract="so", trump="h", declarer="B", outcome="tout")["slam"] == "made"
    assert result(tournament, contract="so", trump="h", declarer="B", extras="tout")["outcome"] == "won"
    failed = result(tournament, contract="so", declarer="B", outcome="v", extras="tout glippet")
    assert failed["slam"] == "failed"
    extra = result(ombre, contract="so", trump="h", declarer="B", outcome="v", extras="primeraer, 4 estucher")
    assert (extra["primeras"], extra["estuches"]) == (True, 4)
    (one,) = read_row(tournament, contract="so", declarer="B", outcome="v", extras="æv").faults
    assert one.column == "extras"


OTHERS = {"a": ["Anna"], "m-1": ["Bo", "Bo Berg"], "c": ["Carl"]}
DANISH = build_row_context(RULES["dlu"], SheetLanguages("da", "da"), OTHERS)


def pasted(text: str) -> PastedTable:
    return parse_pasted_text(text, DANISH)


@pytest.mark.parametrize("between", ["\t", ";", ","])
def test_a_danish_sheet_with_its_head(between: str) -> None:
    lines = [
        "Nr;Giver;Forhånd;Melder;Melding;Trumf;Stik;Resultat;Anna;Bo Berg;Carl;Bemærkning",
        "1;Carl;Anna;Bo;solo;hjerter;5-2-2;vundet;-3;6;-3;",
        "2;Anna;Bo;Carl;tourné;♠;4-4-1;bet;2;2;-4;sent",
        "I alt;;;;;;;;-1;8;-7;",
    ]
    told = pasted("\n".join(lines).replace(";", between))
    assert told.column_meanings == (
        "number", "dealer", None, "declarer", "contract", "trump", "outcome", "outcome",
        "player:a", "player:m-1", "player:c", "note",
    )  # fmt: skip
    assert told.rows[1][3:8] == ("Carl", "tourné", "♠", "4-4-1", "bet")
    assert told.total_rows == ("I alt -1 8 -7",)


def test_without_a_head_the_cells_tell() -> None:
    told = pasted("1\tso\thj\tBo\t5\t-3\t6\t-3\n2\tbedre\t\tAnna\tbet\t-7\t8\t-1\tsent\n")
    assert told.headings == ()
    assert told.column_meanings == (
        "number", "contract", "trump", "declarer", "outcome", "player:a", "player:m-1", "player:c", "note",
    )  # fmt: skip
    assert told.rows[0] == ("1", "so", "hj", "Bo", "5", "-3", "6", "-3", "")
    two = pasted("Anna;Bo;solo;v\nBo;Carl;spil;b")
    assert two.column_meanings == ("dealer", "declarer", "contract", "outcome")


def test_decimal_commas_do_not_part_cells() -> None:
    told = pasted("solo\tBo\t5\t0,25\t-0,50\t0,25\n")
    assert told.column_meanings[3:] == ("player:a", "player:m-1", "player:c")
    assert told.rows[0][3:] == ("0,25", "-0,50", "0,25")


def test_what_nobody_understands_stays_as_it_stands() -> None:
    told = pasted("pause til klokken ni\nsolo;Bo;5")
    assert told.rows[0] == ("pause til klokken ni", "", "")
    assert pasted("") == PastedTable((), (), (), ())
    assert pasted("\n\n") == PastedTable((), (), (), ())
