"""Variations in files: judged, scored and shown behind the deal that they leave."""

import json
from pathlib import Path

import pytest

from schemas.logs.pieces import PIECE, pieces_of
from tests.support.cli.deals import run

HEAD = "Rules: dlu\nForehand: Anna\nMiddlehand: Bo\nBackhand: Carl\n"
LEFT = f"Deal: The club’s game\n{HEAD}\nF bids simple; M passes; B passes\n"
SOLO = f'Deal: Solo instead\n{HEAD}Branch: "The club’s game" at @2\n\nM bids solo\n'
SPADES = f'Deal: And spades\n{HEAD}Branch: "solo instead" at @2\n\nF bids spade-solo\n'
OTHER = f"Deal: Another\n{HEAD}\nF bids solo\n"
KING = (
    "Deal: If she leads the king of hearts\nRules: ombre\nForehand: Belinda\nMiddlehand: the Baron\n"
    'Backhand: Sir Anonym\nBranch: "Belinda’s game" at @26\n\n5: F HK\n'
)


def ran(*args: str, text: str = "") -> str:
    result = run(*args, "-", given=text.encode())
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def test_a_variation_goes_on_where_it_leaves_the_deal_before_it() -> None:
    lines = map(json.loads, ran("replay", "--format", "json", text=LEFT + SOLO + SPADES).splitlines())
    told = [(line["seq"], [call["bid"] for call in line["state"]["calls"]]) for line in lines]
    assert told[4:] == [
        ("1.1", []), ("1.2", ["simple"]), (2, ["simple", "solo"]),
        ("1.1", []), ("1.2", ["simple"]), ("1.3", ["simple", "solo"]), (2, ["simple", "solo", "spade-solo"]),
    ]  # fmt: skip


def test_a_variation_of_a_deal_of_the_library() -> None:
    shown = ran("show", "--lang", "en", text=KING)
    assert "Belinda  ♠K*" in shown and "5  Belinda  ♥K" in shown
    assert "1.27" not in ran("replay", "--at", "1.20", text=KING)


@pytest.mark.parametrize(
    ("text", "says"),
    [(SOLO, "is not here"), (KING.replace("@26", "@999"), "at is 999")],
    ids=["no such deal", "no such point"],
)
def test_a_beginning_that_is_missing_is_told(text: str, says: str) -> None:
    told = " ".join(ran("validate", "--lang", "en", text=text).split())
    assert "beginning missing" in told and says in told
    assert "variantens begyndelse mangler" in ran("validate", "--lang", "da", text=text)


@pytest.mark.process
def test_several_processes_judge_variations_alike(tmp_path: Path) -> None:
    file = tmp_path / "many.deal"
    file.write_text("\n".join([LEFT, SOLO, SPADES, OTHER] * 900), encoding="utf-8")
    one, many = (run("validate", "--format", "json", "--jobs", jobs, str(file)).stdout for jobs in "12")
    assert one == many
    assert len(one.splitlines()) == 3600
    assert "wrong_phase" not in one


@pytest.mark.parametrize("size", [200, 700, PIECE])
@pytest.mark.parametrize("form", ["deal", "jsonl"])
def test_no_file_is_cut_before_a_variation(form: str, size: int) -> None:
    text = "\n".join([LEFT, SOLO, SPADES, OTHER] * 5)
    data = (text if form == "deal" else ran("convert", "--to", "jsonl", text=text)).encode()
    parts = [
        b"".join(piece.chunks())
        for piece in pieces_of(iter([data[at : at + 50] for at in range(0, len(data), 50)]), size)
    ]
    assert b"".join(parts) == data
    for part in parts[1:]:
        opening = part.partition(b"\n\n" if form == "deal" else b"\n")[0]
        assert b"ranch" not in opening
    assert (len(parts) > 3) == (size < PIECE)
